/* net.c - a network as a component: its cycle, and its interface. */
#include "noc/aside.h"
#include "noc/net_priv.h"
#include "noc/ring.h"
#include "noc/token.h"

STATS_ROWS(noc, NOC_STATS)

/* ---- the cycle ---- */

static void credit_injector(struct noc *n, uint32_t o)
{
    struct injector *inj = &n->inj[(o >> n->vc_shift) - n->nouts];
    n->oport[inj->oport].free |= 1u << (o & ((1u << n->vc_shift) - 1));
    if (inj->blocked) {
        inj->blocked = false;
        set_bit(n->inj_active, (uint32_t)(inj - n->inj));
    }
}

ALWAYS_INLINE void take_credits(struct noc *n)
{
    const uint32_t routers = n->nouts << n->vc_shift;
    struct due d = wheel_take(&n->credits, n->now);
    for (; d.at < d.end; d.at++) {
        struct ovc *ov = &n->ovc[*d.at];
        if (ov->credits++ > 0)
            continue;
        if (*d.at >= routers) {
            credit_injector(n, (uint32_t)*d.at);
        } else if (ov->owner != NO_OWNER) {
            const struct ivc *iv = &n->ivc[ov->owner];
            if (iv->state == VC_ACTIVE && iv->count)
                bid_switch(iv);
        }
    }
}

static void take_words(uint64_t *into, uint64_t *from, uint32_t n)
{
    for (uint32_t w = 0; w < n; w++) {
        into[w] |= from[w];
        from[w] = 0;
    }
}

/* Injection ports that have got something, and ejectors whose port has got room. */
ALWAYS_INLINE void take_starts(struct noc *n)
{
    uint32_t parity = n->now & 1;
    if (!n->has_next[parity])
        return;
    n->has_next[parity] = false;
    take_words(n->inj_active, n->inj_next[parity], n->inj_words);
    take_words(n->ej_active, n->ej_next[parity], n->ej_words);
}

ALWAYS_INLINE void run_steps(struct noc *n)
{
    uint64_t first = n->now * n->speed >> 10, last = (n->now + 1) * n->speed >> 10;
    n->substeps = (uint32_t)(last - first);
    for (n->substep = 0; n->substep < n->substeps; n->substep++) {
        n->step = first + n->substep;
        router_step_all(n);
    }
}

static bool any(const uint64_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (words[i])
            return true;
    return false;
}

uint64_t wheel_next(const struct wheel *w, uint64_t from)
{
    for (uint64_t d = 0; w->end && d <= w->mask; d++) {
        uint64_t slot = (from + d) & w->mask;
        if (w->end[slot] != w->item + slot * w->cap)
            return d;
    }
    return HD_NEVER;
}

ALWAYS_INLINE hd_cycle next_cycle(const struct noc *n)
{
    if (n->ngroups || __atomic_load_n(&n->has_next[(n->now + 1) & 1], __ATOMIC_RELAXED) ||
        any(n->inj_active, n->inj_words) || any(n->sa_active, n->active_words) ||
        any(n->va_active, n->active_words) || any(n->ej_active, n->ej_words) ||
        (n->token && !token_is_idle(n)))
        return n->now + 1;
    uint64_t step = (n->now + 1) * n->speed >> 10, next = HD_NEVER;
    hd_cycle aside = n->aside ? aside_next(n) : HD_NEVER;
    const struct wheel *by_step[] = {&n->routed, &n->va_retry, &n->va_commit, &n->sa_retry,
                                     &n->sa_commit};
    for (int i = 0; i < 5; i++)
        if (wheel_next(by_step[i], step) != HD_NEVER)
            return n->now + 1;
    const struct wheel *by_cycle[] = {&n->arrivals, &n->ejections, &n->credits, &n->ideal};
    for (int i = 0; i < 4; i++) {
        uint64_t at = wheel_next(by_cycle[i], n->now + 1);
        next = at < next ? at : next;
    }
    next = next == HD_NEVER ? HD_NEVER : n->now + 1 + next;
    return aside < next ? aside : next;
}

static hd_cycle tick(struct component *c, hd_cycle now)
{
    struct noc *n = (struct noc *)c;
    n->now = now;
    n->step = now * n->speed >> 10;
    take_starts(n);
    if (n->graph->ideal_latency) {
        terminal_ideal(n);
        return next_cycle(n);
    }
    if (n->token) {
        token_tick(n);
        return next_cycle(n);
    }
    terminal_eject(n);
    struct due d = wheel_take(&n->arrivals, now);
    router_arrive(n, d.at, d.end);
    take_credits(n);
    run_steps(n);
    terminal_inject(n);
    return next_cycle(n);
}

static hd_cycle tick_with_ring(struct component *c, hd_cycle now)
{
    struct noc *n = (struct noc *)c;
    n->now = now;
    n->step = now * n->speed >> 10;
    take_starts(n);
    terminal_eject(n);
    ring_tick(n);
    struct due d = wheel_take(&n->arrivals, now);
    router_arrive(n, d.at, d.end);
    take_credits(n);
    run_steps(n);
    terminal_inject(n);
    return ring_is_idle(n) ? next_cycle(n) : now + 1;
}

/* Endpoints in several threads may set bits of one word at the same time. */
static void note(const struct noc *n, uint64_t *words, uint32_t bit)
{
    uint64_t *word = &words[bit >> 6], mask = 1ull << (bit & 63);
    if (!n->c.is_shared)
        *word |= mask;
    else if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & mask))
        __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
}

/* All ports here have a latency of one cycle, so `at` is always the next cycle. */
static void woken(struct component *c, uint32_t slot, hd_cycle at)
{
    struct noc *n = (struct noc *)c;
    uint32_t nports = n->graph->nnodes * n->classes;
    __atomic_store_n(&n->has_next[at & 1], true, __ATOMIC_RELAXED);
    if (slot < nports)
        note(n, n->inj_next[at & 1], n->inj_of_node[n->classes == 1 ? slot : slot / n->classes]);
    else
        note(n, n->ej_next[at & 1], slot - nports);
}

static uint64_t live(const struct component *c)
{
    const struct noc *n = (const struct noc *)c;
    uint64_t held = n->stats.packets_in - n->stats.packets_out;
    for (uint32_t i = 0; i < n->graph->nnodes * n->classes; i++)
        held += port_held(&n->ports[i]);
    return held;
}

static void settle(struct component *c, hd_cycle now)
{
    (void)now;
    tally_take((const struct noc *)c);
}

static const struct component_ops ops = {.kind = "noc",
                                         .tick = tick,
                                         .woken = woken,
                                         .waits = noc_waits,
                                         .live = live,
                                         .settle = settle,
                                         .audit = noc_audit};

static void settle_with_ring(struct component *c, hd_cycle now)
{
    struct noc *n = (struct noc *)c;
    ring_settle(n, now);
    tally_take(n);
}

static const struct component_ops ring_ops = {.kind = "noc",
                                              .tick = tick_with_ring,
                                              .woken = woken,
                                              .waits = noc_waits,
                                              .live = live,
                                              .settle = settle_with_ring,
                                              .audit = noc_audit};

struct noc *noc_new(struct arena *a, const struct noc_options *opt)
{
    struct noc *n = ARENA_NEW(a, struct noc);
    n->c.ops = opt->graph->ring ? &ring_ops : &ops;
    n->c.path = opt->path;
    n->stats.delivered.period = opt->series_period;
    n->measure_to = HD_NEVER;
    noc_build(n, a, opt);
    n->arena = a;
    n->tally = tally_new(opt->graph, a);
    return n;
}

/* ---- the interface ---- */

struct component *noc_component(struct noc *n)
{
    return &n->c;
}

struct port *noc_inject_port(struct noc *n, uint32_t node, uint32_t cls)
{
    HD_ASSERT(n->graph->inject[node] != GRAPH_NONE, "node %u cannot inject into %s", node,
              n->c.path);
    return &n->ports[(uint64_t)node * n->classes + cls];
}

void noc_set_writer(struct noc *n, uint32_t node, struct component *writer, uint32_t slot)
{
    for (uint32_t c = 0; c < n->classes; c++) {
        struct port *p = noc_inject_port(n, node, c);
        p->writer = writer;
        p->writer_slot = slot;
    }
}

void noc_attach_reader(struct noc *n, struct arena *a, uint32_t node, uint32_t depth,
                       struct component *reader, uint32_t slot)
{
    uint32_t j = n->ej_of_node[node];
    struct ejector *ej = &n->ej[j];
    uint32_t nports = n->graph->nnodes * n->classes;
    HD_ASSERT(n->graph->eject[node] != GRAPH_NONE, "node %u receives nothing from %s", node,
              n->c.path);
    if (ej->cls)
        return;
    ej->cls = ARENA_ARRAY(a, struct ej_class, n->classes);
    for (uint32_t c = 0; c < n->classes; c++) {
        port_init(&ej->cls[c].port, a, depth, 1, (struct port_end){&n->c, nports + j},
                  (struct port_end){reader, slot});
        ej->cls[c].head = PACKET_NONE;
    }
    ej->vc = ARENA_ARRAY(a, struct ej_vc, n->spec.vcs);
    for (int v = 0; v < n->spec.vcs; v++)
        ej->vc[v].ring = ARENA_ARRAY(a, uint32_t, n->ring_mask + 1);
}

struct port *noc_eject_port(struct noc *n, uint32_t node, uint32_t cls)
{
    return &n->ej[n->ej_of_node[node]].cls[cls].port;
}

void noc_measure(struct noc *n, hd_cycle from, hd_cycle to)
{
    if (from != n->measure_from) {
        n->stats.latency = (struct stat_hist){0};
        n->stats.hops = n->stats.queueing = (struct stat_mean){0};
        n->load_from = n->now + 1;
        for (uint32_t o = 0; o < n->nouts + n->ninj; o++)
            n->flits_before[o] = n->oport[o].flits;
        if (n->ring)
            ring_forget(n);
    }
    n->measure_from = from;
    n->measure_to = to;
}

const struct noc_stats *noc_stats(const struct noc *n)
{
    return &n->stats;
}

void noc_add_stats(const struct noc *n, struct stats *tree)
{
    stats_add(tree, n->c.path, noc_stat_rows, sizeof noc_stat_rows / sizeof noc_stat_rows[0],
              &n->stats);
    tally_add_stats(n, n->arena, tree);
    if (n->aside)
        aside_add_stats(n, n->arena, tree);
    if (n->ring)
        ring_add_stats(n, n->arena, tree);
}

int64_t noc_merged_flits(const struct noc *n)
{
    if (!n->aside)
        return 0;
    const struct aside_stats *s = &n->aside->stats;
    return (int64_t)s->merged_flits - (int64_t)s->split_flits;
}

uint64_t noc_flits_from(const struct noc *n, uint32_t node)
{
    return n->from_node[node];
}

static double load_of(const struct noc *n, uint32_t port)
{
    uint64_t flits = n->oport[port].flits - n->flits_before[port];
    return n->now >= n->load_from ? (double)flits / (double)(n->now + 1 - n->load_from) : 0;
}

double noc_out_load(const struct noc *n, uint32_t out)
{
    return load_of(n, out);
}

double noc_channel_load(const struct noc *n, uint32_t out)
{
    uint32_t bus = n->graph->out[out].bus;
    double sum = 0;
    if (bus == GRAPH_NONE)
        return load_of(n, out);
    for (uint32_t o = 0; o < n->nouts; o++)
        sum += n->graph->out[o].bus == bus ? load_of(n, o) : 0;
    return sum;
}

double noc_in_load(const struct noc *n, uint32_t in)
{
    uint32_t node = n->graph->in[in].src_node;
    return node == GRAPH_NONE ? 0 : load_of(n, n->inj[n->inj_of_node[node]].oport);
}

double noc_ring_load(const struct noc *n, uint32_t station)
{
    const struct ring_channel *c = &n->ring->channel[station];
    uint64_t flits = c->flits - c->flits_before;
    return n->now >= n->load_from ? (double)flits / (double)(n->now + 1 - n->load_from) : 0;
}

bool noc_ring_times(const struct noc *n, struct noc_ring_times *t)
{
    *t = (struct noc_ring_times){0};
    if (!n->ring)
        return false;
    const struct ring_stats *s = &n->ring->stats;
    uint64_t slots = (n->now + 1 - n->load_from) / n->ring->g->slot_cycles, used = 0;
    for (uint32_t i = 0; i < n->ring->g->nstations; i++)
        used += n->ring->channel[i].used;
    *t = (struct noc_ring_times){.packets = s->token_wait.n,
                                 .token_wait = s->token_wait.sum,
                                 .ring = s->flight.sum + s->reader_wait.sum,
                                 .flight = s->flight.sum};
    t->flight += t->packets * (1 + n->graph->in[n->ring->g->station[0].in].latency);
    if (n->now >= n->load_from && slots)
        t->used = (double)(used - n->ring->used_before) / (double)slots / n->ring->g->nstations;
    return true;
}

uint64_t noc_flit_hops(const struct noc *n)
{
    uint64_t sum = 0;
    for (uint32_t o = 0; o < n->nouts; o++)
        sum += n->oport[o].flits;
    return sum;
}

static uint32_t no_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    (void)net, (void)router, (void)out, (void)vclass;
    return 0;
}

/* Cycles in a router whose stages are steps, of which internal_speedup fit into a cycle. */
static uint64_t stay_in(const struct router_spec *s, const struct graph_router *r)
{
    struct pipeline p = router_pipeline(s, r);
    double steps = (double)(p.route + p.va + (s->speculative ? 0 : p.sa) - 1 + p.st);
    return (uint64_t)(steps / s->internal_speedup) + 1;
}

/* With a token in the first slot, and slots that begin when they are wanted. */
static uint32_t cross_ring(const struct graph *g, struct packet *p, uint32_t flits, uint32_t from,
                           uint64_t *time)
{
    const struct graph_ring *r = g->ring;
    uint32_t to = p->via - 1u;
    uint64_t first = ((uint64_t)r->flit_bits + r->bits - 1) / r->bits;
    uint64_t all = ((uint64_t)flits * r->flit_bits + r->bits - 1) / r->bits;
    *time += r->stores ? flits - 1 + all : first;
    *time += r->round_trip - graph_ring_past(r, to, from);
    g->leave(g->ctx, p);
    *time += 1 + g->in[r->station[to].in].latency;
    return r->station[to].in;
}

/* Walks the route.  A VC bids for its next flit when it has sent the last: the slowest router on
 * the way sets the pace. */
uint64_t noc_zero_load(const struct graph *g, const struct router_spec *r, uint32_t src,
                       uint32_t dst, uint32_t flits)
{
    if (g->ideal_latency)
        return g->ideal_latency;
    if (g->tokens)
        return g->tokens->delay + token_way(g, src, dst) + flits - 1;
    struct route_view view = {.room = no_room};
    struct packet p = {.src = src, .dst = dst};
    if (g->launch)
        g->launch(&view, g->ctx, &p);
    uint32_t in = g->inject[src];
    uint64_t time = g->in[in].latency + 1;
    for (double pace = 1;;) {
        uint32_t id = g->in[in].router;
        struct route to = g->route(&view, g->ctx, id, in - g->router[id].first_in, &p);
        const struct graph_out *o = &g->out[g->router[id].first_out + to.out];
        double per_flit = (double)router_pipeline(r, &g->router[id]).sa / r->internal_speedup;
        pace = per_flit > pace ? per_flit : pace;
        time += stay_in(r, &g->router[id]) + o->latency;
        if (o->bus != GRAPH_NONE)
            time += g->bus[o->bus].arbiter.token;
        if (o->station != GRAPH_NONE) {
            in = cross_ring(g, &p, flits, o->station, &time);
            continue;
        }
        if (o->dst_router == GRAPH_NONE)
            return time + (uint64_t)((flits - 1) * pace);
        in = g->router[o->dst_router].first_in + o->dst_in;
    }
}

/* From an output to the next input; on a bus, once its token has come. */
static double way_of(const struct graph *g, const struct graph_out *o)
{
    return (double)o->latency + (o->bus != GRAPH_NONE ? g->bus[o->bus].arbiter.token : 0);
}

/* Routers that differ count with their mean, and the slowest sets the pace. */
double noc_zero_load_mean(const struct graph *g, const struct router_spec *r, double hops,
                          double flits)
{
    if (g->ideal_latency)
        return g->ideal_latency;
    double into = 0, between = 0, out_of = 0, stay = 0, pace = 1;
    for (uint32_t i = 0; i < g->nins; i++)
        into = g->in[i].src_node != GRAPH_NONE ? g->in[i].latency : into;
    for (uint32_t o = 0; o < g->nouts; o++) {
        between = g->out[o].dst_router != GRAPH_NONE ? way_of(g, &g->out[o]) : between;
        out_of = g->out[o].dst_node != GRAPH_NONE ? way_of(g, &g->out[o]) : out_of;
    }
    for (uint32_t i = 0; i < g->nrouters; i++) {
        double per_flit = (double)router_pipeline(r, &g->router[i]).sa / r->internal_speedup;
        stay += (double)stay_in(r, &g->router[i]) / g->nrouters;
        pace = per_flit > pace ? per_flit : pace;
    }
    if (g->tokens)
        return g->tokens->delay + into + (hops - 1) * between + out_of + flits - 1;
    return 1 + into + hops * stay + (hops - 1) * between + out_of + (flits - 1) * pace;
}
