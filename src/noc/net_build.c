/* net_build.c - how a network is built from a graph: every array at its final size. */
#include <string.h>

#include "base/rng.h"
#include "noc/aside.h"
#include "noc/net_priv.h"
#include "noc/ring.h"
#include "noc/shared.h"
#include "noc/token.h"

CFG_SECTION_WHEN(router, ROUTER_ROWS, "the router engine: buffers, pipeline, allocators, speed-up",
                 {"*", "noc.topology!=ideal"})

static uint32_t log2_up(uint32_t v)
{
    uint32_t s = 0;
    while ((1u << s) < v)
        s++;
    return s;
}

/* One entry more than can be due at once, so that a full list is told from an overflow. */
void wheel_init(struct wheel *w, struct arena *a, uint64_t horizon, uint64_t cap)
{
    uint32_t slots = 1u << log2_up((uint32_t)horizon + 1);
    *w = (struct wheel){.mask = slots - 1,
                        .cap = (uint32_t)cap + 1,
                        .end = ARENA_ARRAY(a, uint64_t *, slots),
                        .item = ARENA_ARRAY(a, uint64_t, slots * (cap + 1) + 1)};
    for (uint32_t s = 0; s < slots; s++)
        w->end[s] = w->item + (uint64_t)s * w->cap;
}

/* VCs are dealt out to the VC classes as evenly as they go; the class of the ends has all of its
 * message class. */
static void build_classes(struct noc *n, uint32_t classes)
{
    uint32_t vcs = (uint32_t)n->spec.vcs, own = n->graph->subclasses, parts = classes * own;
    HD_ASSERT(parts > 0, "%u message classes with %u VC classes each", classes, own);
    n->classes = classes;
    n->subclasses = own + n->graph->has_end_class;
    n->vclasses = classes * n->subclasses;
    for (uint32_t c = 0; c < n->vclasses; c++) {
        uint32_t first = c / n->subclasses * own, sub = c % n->subclasses;
        uint32_t lo = sub < own ? first + sub : first, hi = sub < own ? lo + 1 : first + own;
        for (uint32_t v = lo * vcs / parts; v < hi * vcs / parts; v++)
            n->class_vcs[c] |= 1u << v;
    }
}

static void build_layout(struct noc *n)
{
    uint32_t vcs = (uint32_t)n->spec.vcs, lanes = (uint32_t)n->spec.input_speedup;
    n->vc_shift = log2_up(vcs);
    n->lane_shift = log2_up((vcs + lanes - 1) / lanes);
    n->ring_mask = (1u << log2_up((uint32_t)n->spec.depth)) - 1;
    for (uint32_t v = 0; v < vcs; v++)
        n->vc_bit[v] = (uint8_t)((v % lanes) << n->lane_shift | v / lanes);
}

struct pipeline router_pipeline(const struct router_spec *s, const struct graph_router *r)
{
    struct graph_pipeline p = r->pipeline;
    if (!p.is_own)
        p = (struct graph_pipeline){.routing_delay = (uint32_t)s->routing_delay,
                                    .vc_delay = (uint32_t)s->vc_delay,
                                    .sw_delay = (uint32_t)s->sw_delay,
                                    .st_delay = (uint32_t)s->st_delay};
    return (struct pipeline){.route = p.routing_delay,
                             .va = p.vc_delay + (uint32_t)s->alloc_extra,
                             .sa = p.sw_delay + (uint32_t)s->alloc_extra,
                             .st = p.st_delay};
}

static uint32_t sides_of(uint32_t side_ports, uint32_t nin)
{
    return side_ports == SIDE_PER_INPUT ? nin : side_ports;
}

static void build_router(struct noc *n, struct arena *a, uint32_t id)
{
    const struct graph_router *gr = &n->graph->router[id];
    uint32_t nsides = sides_of(n->side_ports, gr->nin);
    uint32_t lanes = (uint32_t)n->spec.input_speedup * (gr->nin + nsides);
    uint32_t bits = lanes << n->lane_shift, requests = gr->nout * n->vclasses;
    uint32_t words = (bits + 63) / 64;
    struct pipeline pipe = router_pipeline(&n->spec, gr);
    struct router *r = &n->router[id];
    uint32_t first_lane = n->nlanes, first_ivc = n->nivcs;
    *r = (struct router){.id = id,
                         .first_ivc = first_ivc,
                         .first_out = gr->first_out,
                         .first_in = gr->first_in,
                         .first_lane = first_lane,
                         .nout = (uint16_t)gr->nout,
                         .nin = (uint16_t)gr->nin,
                         .nsides = (uint16_t)nsides,
                         .nlanes = (uint16_t)lanes,
                         .words = (uint16_t)words,
                         .req_words = (uint16_t)((requests + 63) / 64),
                         .out_words = (uint16_t)((gr->nout + 63) / 64),
                         .route_steps = (uint16_t)pipe.route,
                         .va_steps = (uint16_t)pipe.va,
                         .sa_steps = (uint16_t)pipe.sa,
                         .st_steps = (uint16_t)pipe.st};
    r->is_small = words == 1 && r->req_words == 1;
    /* One block in the order of enum VA_HAS. */
    uint64_t *m = ARENA_ARRAY(
        a, uint64_t, 2u * r->req_words + r->out_words + (uint64_t)(requests + gr->nout) * words);
    r->va_has = m;
    r->va_free = r->va_has + r->req_words;
    r->sa_has = r->va_free + r->req_words;
    r->sa_mask = r->sa_has + r->out_words;
    r->va_mask = r->sa_mask + (uint64_t)gr->nout * words;
    if (!r->is_small) {
        r->sa_sum = ARENA_ARRAY(a, uint64_t, gr->nout);
        r->va_sum = ARENA_ARRAY(a, uint64_t, requests);
    }
    n->nlanes += lanes;
    n->nivcs += bits;
    uint32_t most = bits > gr->nout ? bits : gr->nout;
    most += most & 1; /* the second half of the scratch space also holds 64-bit words */
    if (most > n->nscratch)
        n->nscratch = most;
}

static void build_input(struct noc *n, struct router *r, uint32_t in, uint32_t *rings)
{
    const struct graph_in *gi = &n->graph->in[r->first_in + in];
    uint32_t first = in * (uint32_t)n->spec.input_speedup << n->lane_shift;
    uint32_t up = gi->src_out != GRAPH_NONE ? gi->src_out : 0;
    if (gi->src_node != GRAPH_NONE)
        up = n->inj[n->inj_of_node[gi->src_node]].oport;
    if (gi->station != GRAPH_NONE)
        up = n->inj[n->ninj + gi->station].oport;
    n->iport[r->first_in + in] = (struct iport){HD_NEVER, HD_NEVER};
    for (uint32_t v = 0; v < (uint32_t)n->spec.vcs; v++) {
        uint32_t bit = first + n->vc_bit[v];
        r->ivc[bit] = (struct ivc){
            .ring = rings + (uint64_t)(r->first_ivc + bit) * (n->ring_mask + 1),
            .router = r,
            .op = r->op,
            .credit_ovc = up << n->vc_shift | v,
            .credit_delay = (uint16_t)(1 + gi->latency + (uint32_t)n->spec.credit_delay),
            .port = r->first_in + in,
            .bit = (uint16_t)bit};
    }
}

/* Nobody sends to a side port; it is filled from aside.c. */
static void build_side(struct noc *n, struct router *r, uint32_t side, uint32_t *rings)
{
    uint32_t first = (r->nin + side) * (uint32_t)n->spec.input_speedup << n->lane_shift;
    for (uint32_t v = 0; v < (uint32_t)n->spec.vcs; v++) {
        uint32_t bit = first + n->vc_bit[v];
        r->ivc[bit] =
            (struct ivc){.ring = rings + (uint64_t)(r->first_ivc + bit) * (n->ring_mask + 1),
                         .router = r,
                         .op = r->op,
                         .credit_ovc = NO_OWNER,
                         .port = r->first_in,
                         .bit = (uint16_t)bit};
    }
}

static void build_inputs(struct noc *n, struct arena *a)
{
    uint32_t *rings = ARENA_ARRAY(a, uint32_t, (uint64_t)(n->nivcs + 1) * (n->ring_mask + 1));
    for (uint32_t id = 0; id < n->nrouters; id++) {
        struct router *r = &n->router[id];
        r->ivc = n->ivc + r->first_ivc;
        r->op = n->oport + r->first_out;
        r->ovc = n->ovc + ((uint64_t)r->first_out << n->vc_shift);
        r->lane = n->lane + r->first_lane;
        r->sa_active = n->sa_active + id / 64;
        r->va_active = n->va_active + id / 64;
        r->active_bit = 1ull << id % 64;
        for (uint32_t in = 0; in < r->nin; in++)
            build_input(n, r, in, rings);
        for (uint32_t side = 0; side < r->nsides; side++)
            build_side(n, r, side, rings);
    }
}

static void fill_credits(struct noc *n, uint32_t port)
{
    n->oport[port].free = (uint32_t)((1ull << n->spec.vcs) - 1);
    for (uint32_t v = 0; v < (uint32_t)n->spec.vcs; v++)
        n->ovc[port << n->vc_shift | v] =
            (struct ovc){.owner = NO_OWNER, .credits = (uint16_t)n->spec.depth};
}

static void lead_to_ejector(struct noc *n, uint32_t out, uint32_t j)
{
    n->oport[out].is_eject = 1;
    n->oport[out].dst = j << n->vc_shift;
    n->ej[j].credit_ovc = out << n->vc_shift;
    n->ej[j].credit_delay = 1 + n->graph->out[out].latency + (uint32_t)n->spec.credit_delay;
}

static void feed_input(struct noc *n, struct injector *inj, uint32_t in)
{
    const struct graph_in *gi = &n->graph->in[in];
    const struct router *r = &n->router[gi->router];
    inj->dst =
        r->first_ivc + ((in - r->first_in) * (uint32_t)n->spec.input_speedup << n->lane_shift);
    n->oport[inj->oport].delay = (uint16_t)(1 + gi->latency);
    fill_credits(n, inj->oport);
}

static void build_outputs(struct noc *n)
{
    const struct graph *g = n->graph;
    uint32_t port_bits = (uint32_t)n->spec.input_speedup << n->lane_shift;
    for (uint32_t o = 0; o < n->nouts; o++) {
        const struct graph_out *go = &g->out[o];
        struct oport *op = &n->oport[o];
        op->delay = (uint16_t)(1 + go->latency);
        op->sent_at = HD_NEVER;
        if (n->speed == 1024)
            op->delay = (uint16_t)(op->delay + n->router[go->router].st_steps);
        if (go->dst_router != GRAPH_NONE) {
            op->dst = n->router[go->dst_router].first_ivc + go->dst_in * port_bits;
        } else if (go->dst_node != GRAPH_NONE) {
            lead_to_ejector(n, o, n->ej_of_node[go->dst_node]);
        } else if (go->station != GRAPH_NONE) {
            lead_to_ejector(n, o, n->nej - g->ring->nstations + go->station);
        }
        fill_credits(n, o);
    }
    for (uint32_t j = 0; j < n->ninj; j++)
        feed_input(n, &n->inj[j], g->inject[n->inj_nodes[n->inj[j].first_node]]);
    for (uint32_t i = 0; i < ring_stations(g); i++)
        feed_input(n, &n->inj[n->ninj + i], g->ring->station[i].in);
}

/* The plain router is compiled for networks whose channels are all alike and whose routes are
 * fixed, and once more for those whose routers are all small; many are. */
static void find_uniform(struct noc *n)
{
    n->all_small = true;
    n->uniform = n->fast && n->speed == 1024 && n->vclasses == 1 && n->spec.input_speedup == 1 &&
                 n->fixed_routes;
    for (uint32_t id = 0; id < n->nrouters; id++)
        n->all_small = n->all_small && n->router[id].is_small;
    for (uint32_t o = 0; o < n->nouts; o++) {
        const struct oport *op = &n->oport[o];
        uint32_t *delay = op->is_eject ? &n->eject_delay : &n->arrive_delay;
        bool used = op->is_eject || n->graph->out[o].dst_router != GRAPH_NONE;
        if (used && *delay == 0)
            *delay = op->delay;
        n->uniform = n->uniform && (!used || *delay == op->delay);
    }
    for (uint32_t i = 0; i < n->nins; i++) {
        const struct graph_in *gi = &n->graph->in[i];
        uint32_t delay = 1 + gi->latency + (uint32_t)n->spec.credit_delay;
        bool used = gi->src_out != GRAPH_NONE || gi->src_node != GRAPH_NONE;
        if (used && n->credit_delay == 0)
            n->credit_delay = delay;
        n->uniform = n->uniform && (!used || n->credit_delay == delay);
    }
}

/* Routes that depend on router and destination only are looked up, unless there are very many. */
static void build_tables(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    n->fixed_routes = g->by_table && n->vclasses == 1;
    if (!n->fixed_routes || (uint64_t)g->nrouters * g->nnodes > 1u << 20)
        return;
    uint16_t *table = ARENA_ARRAY(a, uint16_t, (uint64_t)g->nrouters * g->nnodes);
    for (uint32_t id = 0; id < g->nrouters; id++) {
        n->router[id].table = table + (uint64_t)id * g->nnodes;
        for (uint32_t node = 0; node < g->nnodes; node++) {
            struct packet p = {.dst = node};
            if (g->eject[node] != GRAPH_NONE)
                table[(uint64_t)id * g->nnodes + node] = g->route(&n->view, g->ctx, id, 0, &p).out;
        }
    }
}

static void open_vc_classes(struct noc *n)
{
    for (uint32_t id = 0; id < n->nrouters; id++) {
        struct router *r = &n->router[id];
        for (uint32_t q = 0; q < r->nout * n->vclasses; q++)
            set_bit(r->va_free, q);
    }
}

static uint32_t longest_delay(struct noc *n)
{
    uint32_t most = 1, st = 0;
    for (uint32_t id = 0; id < n->nrouters; id++)
        st = n->router[id].st_steps > st ? n->router[id].st_steps : st;
    for (uint32_t o = 0; o < n->graph->nouts; o++)
        most = n->graph->out[o].latency > most ? n->graph->out[o].latency : most;
    for (uint32_t i = 0; i < n->graph->nins; i++)
        most = n->graph->in[i].latency > most ? n->graph->in[i].latency : most;
    n->reach = n->speed == 1024 ? 0 : (uint32_t)(n->spec.vcs * n->spec.depth * 2 + st + 2);
    return most + 2 + st + (uint32_t)n->spec.credit_delay + n->reach;
}

static void build_wheels(struct noc *n, struct arena *a)
{
    uint32_t delay = longest_delay(n), lanes = (uint32_t)n->spec.input_speedup;
    wheel_init(&n->arrivals, a, delay, n->nins);
    wheel_init(&n->ejections, a, delay, n->nej);
    /* A lane gives one credit back per cycle, a VC whose packet is taken out another one. */
    uint64_t credits = (uint64_t)n->nins * lanes + n->nej + (n->side_ports ? n->nivcs : 0);
    wheel_init(&n->credits, a, delay, credits);
    uint32_t route = 0;
    for (uint32_t id = 0; id < n->nrouters; id++)
        route = n->router[id].route_steps > route ? n->router[id].route_steps : route;
    wheel_init(&n->routed, a, route + 2, n->nivcs);
}

static void reaches(const struct noc *n, const struct wheel *w, uint32_t latency, uint32_t delay)
{
    HD_ASSERT(delay > latency && delay + n->reach <= w->mask,
              "%s: a channel of %u cycles, %u in all", n->c.path, latency, delay);
}

/* The wheels reach as far ahead as the channels are long; so nobody has to look when a flit is
 * sent (wheel_add_checked). */
static void check_reach(const struct noc *n)
{
    const struct graph *g = n->graph;
    for (uint32_t o = 0; o < n->nouts; o++) {
        reaches(n, &n->arrivals, g->out[o].latency, n->oport[o].delay);
        reaches(n, &n->ejections, g->out[o].latency, n->oport[o].delay);
    }
    for (uint32_t j = 0; j < n->nej; j++)
        reaches(n, &n->credits, 0, n->ej[j].credit_delay);
    for (uint32_t j = 0; j < n->ninj + ring_stations(g); j++)
        reaches(n, &n->arrivals, 0, n->oport[n->inj[j].oport].delay);
    for (uint32_t id = 0; id < n->nrouters; id++)
        for (uint32_t in = 0; in < n->router[id].nin; in++) {
            const struct router *r = &n->router[id];
            uint32_t bit = in * (uint32_t)n->spec.input_speedup << n->lane_shift;
            reaches(n, &n->credits, g->in[r->first_in + in].latency, r->ivc[bit].credit_delay);
        }
}

/* The plain router allocates in one step, and all routers find routes in the same time. */
static bool has_plain_pipeline(const struct noc *n)
{
    for (uint32_t id = 0; id < n->graph->nrouters; id++) {
        struct pipeline p = router_pipeline(&n->spec, &n->graph->router[id]);
        if (p.va != 1 || p.sa != 1 || p.route != n->route_steps)
            return false;
    }
    return true;
}

static void build_pipeline(struct noc *n, bool slow_router)
{
    const struct router_spec *s = &n->spec;
    n->speed = (uint64_t)(s->internal_speedup * 1024 + 0.5);
    n->route_steps = n->graph->nrouters ? router_pipeline(s, &n->graph->router[0]).route : 0;
    n->fast = !slow_router && strcmp(s->vc_allocator, "islip") == 0 &&
              strcmp(s->sw_allocator, "islip") == 0 && s->iterations == 1 &&
              strcmp(s->arbiter, "rr") == 0 && !s->speculative && has_plain_pipeline(n) &&
              !n->aside && !n->graph->nbuses;
}

static uint32_t view_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    const struct noc *n = net;
    uint32_t row = shared_row(n, n->router[router].first_out + out), room = 0;
    for (uint32_t m = n->class_vcs[vclass]; m; m &= m - 1)
        room += n->ovc[row << n->vc_shift | (uint32_t)__builtin_ctz(m)].credits;
    return room;
}

static void build_network(struct noc *n, struct arena *a, const struct noc_options *opt)
{
    const struct graph *g = n->graph;
    n->nrouters = g->nrouters;
    n->nouts = g->nouts;
    n->nins = g->nins;
    build_layout(n);
    uint32_t stations = ring_stations(g);
    n->router = ARENA_ARRAY(a, struct router, n->nrouters + 1);
    for (uint32_t id = 0; id < n->nrouters; id++)
        build_router(n, a, id);
    terminal_build(n, a, opt);
    n->ivc = ARENA_ARRAY(a, struct ivc, n->nivcs + 1);
    n->lane = ARENA_ARRAY(a, struct lane, n->nlanes + 1);
    n->iport = ARENA_ARRAY(a, struct iport, n->nins + 1);
    n->oport = ARENA_ARRAY(a, struct oport, n->nouts + n->ninj + stations + 1);
    n->flits_before = ARENA_ARRAY(a, uint64_t, n->nouts + n->ninj + stations + 1);
    n->ovc =
        ARENA_ARRAY(a, struct ovc, (uint64_t)(n->nouts + n->ninj + stations + 1) << n->vc_shift);
    n->scratch = ARENA_ARRAY(a, uint32_t, 2ull * n->nscratch + 2);
    memset(n->scratch, 0xff, sizeof *n->scratch * n->nscratch);
    n->active_words = n->nrouters / 64 + 1;
    n->sa_active = ARENA_ARRAY(a, uint64_t, n->active_words);
    n->va_active = ARENA_ARRAY(a, uint64_t, n->active_words);
    n->match = ARENA_ARRAY(a, struct ivc *, n->nlanes + 1);
    if (g->tokens)
        token_build(n, a);
    if (g->ideal_latency || g->tokens)
        return;
    build_inputs(n, a);
    build_outputs(n);
    open_vc_classes(n);
    build_tables(n, a);
    find_uniform(n);
    build_wheels(n, a);
    check_reach(n);
    if (g->nbuses)
        shared_build(n, a);
    if (g->ring)
        ring_build(n, a);
    port_unit_init(n, a);
    if (!n->fast)
        router_slow_init(n, a);
    if (n->aside)
        aside_build(n, a);
}

void noc_build(struct noc *n, struct arena *a, const struct noc_options *opt)
{
    n->graph = opt->graph;
    n->route = opt->graph->route;
    n->route_ctx = opt->graph->ctx;
    n->spec = *opt->router;
    n->pool = opt->pool;
    n->no_skip = opt->no_skip;
    aside_begin(n, a, opt);
    build_pipeline(n, opt->slow_router);
    build_classes(n, opt->classes);
    build_network(n, a, opt);
    n->view =
        (struct route_view){.net = n, .room = view_room, .key = rng_key(opt->seed, 0x726f757465)};
    if (n->ring) {
        n->view.queue = ring_queue;
        n->view.is_crowded = ring_is_crowded;
    }
    uint64_t nports = (uint64_t)n->graph->nnodes * n->classes;
    if (n->graph->ideal_latency)
        wheel_init(&n->ideal, a, n->graph->ideal_latency + 1u, nports * (opt->port_depth + 1));
}

static bool check_pipelines(const struct config *cfg, const struct graph *g, struct err *e)
{
    const struct router_spec *s = config_get(cfg, &router_section);
    for (uint32_t i = 0; i < g->nrouters && s->speculative; i++) {
        struct pipeline p = router_pipeline(s, &g->router[i]);
        if (p.va != p.sa)
            return config_blame(cfg, e, &router_section, "speculative",
                                "needs VC and switch allocation of equal length, not %u and %u "
                                "cycles",
                                p.va, p.sa);
    }
    if (g->nbuses && s->internal_speedup != 1)
        return config_blame(cfg, e, &router_section, "internal_speedup",
                            "channels with several writers need 1 step per cycle, not %g",
                            s->internal_speedup);
    return true;
}

static bool check_sizes(const struct config *cfg, const struct graph *g, struct err *e)
{
    const struct router_spec *s = config_get(cfg, &router_section);
    const struct router_extension *x = router_extension_find(s->extension);
    if (s->input_speedup > s->vcs)
        return config_blame(cfg, e, &router_section, "input_speedup",
                            "%lld lanes but only %lld VCs to deal out", (long long)s->input_speedup,
                            (long long)s->vcs);
    uint32_t per_lane = (uint32_t)((s->vcs + s->input_speedup - 1) / s->input_speedup);
    uint64_t port_bits = (uint64_t)s->input_speedup << log2_up(per_lane);
    uint32_t side_ports = x && x->takes ? router_extension_sides(x, cfg) : 0;
    for (uint32_t i = 0; i < g->nrouters; i++) {
        uint64_t nin = g->router[i].nin + (uint64_t)sides_of(side_ports, g->router[i].nin);
        if (nin * port_bits > MAX_INPUT_VCS ||
            (uint64_t)g->router[i].nout << log2_up((uint32_t)s->vcs) >= UINT16_MAX)
            return config_blame(cfg, e, &router_section, "vcs",
                                "a router of %u inputs and %u outputs with %lld VCs each is too "
                                "large (at most %d input VCs)",
                                g->router[i].nin, g->router[i].nout, (long long)s->vcs,
                                MAX_INPUT_VCS);
    }
    return true;
}

bool noc_check(const struct config *cfg, const struct graph *g, uint32_t classes, struct err *e)
{
    const struct router_spec *s = config_get(cfg, &router_section);
    uint32_t need = g->subclasses * classes;
    bool too_many = need + g->has_end_class * classes > MAX_CLASSES;
    if (too_many || s->vcs < need)
        return config_blame(cfg, e, &router_section, "vcs",
                            "%lld VCs are too few: %u message classes with %u VC classes each "
                            "need at least %u%s",
                            (long long)s->vcs, classes, g->subclasses, need,
                            too_many ? " (and at most 16 classes are possible)" : "");
    if (g->tokens && classes > 1)
        return err_set(e, STATUS_BAD_INPUT,
                       "a network without buffers has one message class, not %u", classes);
    const struct router_extension *x = router_extension_find(s->extension);
    if (g->ring && x && x->takes)
        return config_blame(cfg, e, &router_section, "extension",
                            "%s takes packets out of their VCs, which a network with a ring does "
                            "not allow",
                            s->extension);
    return check_pipelines(cfg, g, e) && router_extension_check(cfg, g, need, e) &&
           check_sizes(cfg, g, e);
}

uint64_t noc_packet_bound(const struct config *cfg, const struct graph *g, uint32_t classes,
                          uint32_t port_depth)
{
    const struct router_spec *r = config_get(cfg, &router_section);
    const struct router_extension *x = router_extension_find(r->extension);
    uint64_t buffers = (uint64_t)(g->nins + g->nnodes) * (uint64_t)(r->vcs * r->depth);
    uint64_t ports = (uint64_t)g->nnodes * classes * (port_depth + 1);
    if (g->tokens)
        buffers = (uint64_t)g->nins * g->tokens->slots;
    if (g->ring)
        buffers += (uint64_t)g->ring->nstations *
                   (classes * (g->ring->send_places + g->ring->read_places) +
                    (uint64_t)(r->vcs * r->depth));
    uint64_t more = x && x->packets && !g->ideal_latency ? x->packets(cfg, g, buffers) : 0;
    return buffers + more + ports * (g->ideal_latency + 2);
}
