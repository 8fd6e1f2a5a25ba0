/* sweep.c - mesh, S-Mesh, Clos, butterfly, crossbar and CD-Xbar as the CD-Xbar paper sizes them.
 *
 * Table 1, section 2.2 and section 4: 16 slices, channels of 32 bytes, 4 VCs of 4 flits, request and
 * reply networks, 22 nm, 1.4 GHz, 0.1 flits per cycle at every port, links of 3.3 mm in meshes and of
 * 12.3 mm elsewhere.  DSENT, which the paper uses, has no VC allocators: none are counted here
 * unless power.vc_allocator is set.  Links are sized for the cycle that the networks give them.
 * Traffic is spread evenly over all pairs of core and slice; contention is not looked at. */
#include "machine/sweep.h"

#include <math.h>
#include <string.h>

#include "machine/machine.h"

const char *const sweep_names[SWEEP_KINDS] = {
    [SWEEP_MESH] = "mesh", [SWEEP_SMESH] = "smesh", [SWEEP_CLOS] = "clos",
    [SWEEP_FLY] = "fly",   [SWEEP_XBAR] = "xbar",   [SWEEP_CDXBAR] = "cdxbar",
};

#define COMMON /* of a topology, a width and the topology's section */                             \
    "noc: {topology: %s, networks: two, width: %u, clock: 1.4GHz}\n"                               \
    "router: {vcs: 4, depth: 4}\n"                                                                 \
    "power: {node: 22, load: 0.1, vc_allocator: false}\n%s"

/* Bytes of a channel.  Section 5.1 keeps the bisection bandwidth: 8 slices of 32 bytes are as much as
 * 8 channels of 16 bytes each way, which is what crosses the middle of an 8x8 mesh. */
enum { CHANNEL = 32, CHANNEL_OF_MESH8 = 16 };

/* ---- sizes ---- */

/* Rows of the smallest square that holds all nodes. */
static uint32_t side(const struct sweep_spec *s)
{
    uint32_t k = 1;
    while (k * k < s->sms + s->slices)
        k++;
    return k;
}

/* Positions of the slices in a mesh of k x k.  16: two controllers at each side, the two slices of
 * one next to each other, as in networks/mesh80.yaml; with 5 rows they fill the rim.  8: dispersed,
 * as in machines/cdxbar56_mesh.yaml. */
static const char *mesh_slices(const struct sweep_spec *s, uint32_t k, struct arena *a)
{
    if (s->slices == 8 && k == 8)
        return "3, 15, 17, 29, 36, 47, 49, 61";
    HD_ASSERT(k > 1, "slices need a mesh of at least 2x2");
    uint32_t at[] = {1, 2, k - 3, k - 2};
    const char *list = "";
    if (k * 4 - 4 == s->slices) {
        for (uint32_t i = 0; i < k * k; i++)
            if (i < k || i >= k * k - k || i % k == 0 || i % k == k - 1)
                list = arena_printf(a, "%s%s%u", list, *list ? ", " : "", i);
        return list;
    }
    for (uint32_t i = 0; i < s->slices / 4; i++)
        list = arena_printf(a, "%s%s%u, %u, %u, %u", list, *list ? ", " : "", at[i],
                            k * (k - 1) + at[i], k * at[i], k * at[i] + k - 1);
    return list;
}

/* The last nodes of as many switches as it takes, two or more at each. */
static const char *switch_slices(const struct sweep_spec *s, uint32_t k, struct arena *a)
{
    uint32_t each = (s->slices + k - 1) / k;
    const char *list = "";
    each = each < 2 ? 2 : each;
    for (uint32_t i = 0; i < s->slices; i++)
        list = arena_printf(a, "%s%s%u", list, i ? ", " : "", i / each * k + k - each + i % each);
    return list;
}

static uint32_t power_of_two_upto(uint32_t k)
{
    uint32_t m = 1;
    while (2 * m <= k)
        m *= 2;
    return m;
}

struct sized {
    const char *size, *yaml;
};

static struct sized size_mesh(const struct sweep_spec *s, struct arena *a)
{
    uint32_t k = side(s);
    return (struct sized){arena_printf(a, "%ux%u", k, k),
                          arena_printf(a, "mesh: {width: %u, height: %u, cores: %u, mem: [%s]}\n",
                                       k, k, s->sms, mesh_slices(s, k, a))};
}

static struct sized size_clos(const struct sweep_spec *s, struct arena *a)
{
    uint32_t k = side(s), m = power_of_two_upto(k);
    return (struct sized){
        arena_printf(a, "(%u, %u, %u)", m, k, k),
        arena_printf(a, "clos: {m: %u, n: %u, r: %u, cores: %u, routing: random, mem: [%s]}\n", m,
                     k, k, s->sms, switch_slices(s, k, a))};
}

static struct sized size_fly(const struct sweep_spec *s, struct arena *a)
{
    uint32_t k = side(s);
    return (struct sized){arena_printf(a, "(%u, 2)", k),
                          arena_printf(a, "fly: {k: %u, n: 2, cores: %u, mem: [%s]}\n", k, s->sms,
                                       switch_slices(s, k, a))};
}

static struct sized size_xbar(const struct sweep_spec *s, struct arena *a)
{
    return (struct sized){arena_printf(a, "%ux%u", s->sms, s->slices),
                          arena_printf(a, "xbar: {inputs: %u, outputs: %u}\n", s->sms, s->slices)};
}

/* Section 4 has 8 local crossbars of 3 converged ports for 16 slices, section 5.1 has 4 for 8, and
 * section 5.6 keeps their number: one for two slices.  Fewer SMs than ports would not converge. */
static struct sized size_cdxbar(const struct sweep_spec *s, struct arena *a)
{
    uint32_t ports = s->sms < 3 ? s->sms : 3, most = s->sms / ports;
    uint32_t locals = s->slices / 2 < most ? s->slices / 2 : most;
    return (struct sized){
        arena_printf(a, "%ux(%ux%u)", locals, (s->sms + locals - 1) / locals, ports),
        arena_printf(a, "cdxbar: {cores: %u, mems: %u, locals: %u, ports: %u, routing: rr}\n",
                     s->sms, s->slices, locals, ports)};
}

static struct sized (*const sizes[SWEEP_KINDS])(const struct sweep_spec *s, struct arena *a) = {
    [SWEEP_MESH] = size_mesh, [SWEEP_SMESH] = size_mesh, [SWEEP_CLOS] = size_clos,
    [SWEEP_FLY] = size_fly,   [SWEEP_XBAR] = size_xbar,  [SWEEP_CDXBAR] = size_cdxbar,
};

/* ---- cost ---- */

static bool configure(enum sweep_kind kind, const struct sweep_spec *s, struct arena *a,
                      struct sweep_network *n, struct err *e)
{
    struct config *cfg = machine_config(a);
    struct sized z = sizes[kind](s, a);
    bool is_mesh = kind == SWEEP_MESH || kind == SWEEP_SMESH;
    uint32_t width = is_mesh && s->slices == 8 ? CHANNEL_OF_MESH8 : CHANNEL;
    const char *yaml = arena_printf(a, COMMON, sweep_names[kind], width, z.yaml);
    n->size = z.size;
    n->cfg = cfg;
    if (!config_load_text(cfg, "sweep", yaml, strlen(yaml), e))
        return false;
    for (int i = 0; i < s->nsets; i++)
        if (!config_set(cfg, s->set[i], e))
            return false;
    const struct noc_spec *noc = config_get(cfg, &noc_section);
    if (strcmp(noc->topology, sweep_names[kind]) != 0)
        return config_blame(cfg, e, &noc_section, "topology", "a sweep goes over topologies");
    if (strcmp(noc->networks, "two") != 0)
        return config_blame(cfg, e, &noc_section, "networks",
                            "a sweep is of request and reply networks");
    return true;
}

static void make_even(struct graph *g)
{
    for (uint32_t r = 0; r < g->nrouters; r++)
        if (g->router[r].count_in != GRAPH_NONE && g->router[r].count_out != GRAPH_NONE)
            g->router[r].count_in = g->router[r].count_out = 4;
}

static void add_network(struct sweep_network *n, const struct netcost *c)
{
    const struct noc_spec *noc = config_get(n->cfg, &noc_section);
    const struct power_spec *p = config_get(n->cfg, &power_section);
    double power[NETCOST_PARTS];
    netcost_power(c, noc->clock, p->load, power);
    for (int i = 0; i < NETCOST_PARTS; i++) {
        n->area[i] += c->area[i];
        n->power[i] += power[i];
    }
    n->wire_area += c->wire_area;
    n->max_clock = fmin(n->max_clock, c->max_clock);
    n->links_met &= c->links_met;
}

bool sweep_network(enum sweep_kind kind, const struct sweep_spec *s, struct arena *a,
                   struct sweep_network *n, struct err *e)
{
    HD_ASSERT(s->sms >= 1 && s->sms <= SWEEP_MAX_SMS, "%u SMs", s->sms);
    HD_ASSERT(s->slices == 16 || (s->slices == 8 && s->sms == 56), "%u slices", s->slices);
    *n = (struct sweep_network){.max_clock = INFINITY, .links_met = true};
    if (!configure(kind, s, a, n, e) || !fabric_of(n->cfg, a, &n->graphs, e))
        return false;
    const struct router_spec *r = config_get(n->cfg, &router_section);
    for (int i = 0; i < n->graphs.n; i++) {
        if (kind == SWEEP_SMESH && s->is_smesh_even)
            make_even(n->graphs.graph[i]);
        count_add(&n->count, n->graphs.graph[i], (uint32_t)r->vcs);
        if (!netcost_of(n->cfg, n->graphs.graph[i], a, &n->net[i], e))
            return false;
        add_network(n, &n->net[i]);
    }
    return true;
}

double sweep_sum(const double part[NETCOST_PARTS])
{
    double sum = 0;
    for (int i = 0; i < NETCOST_PARTS; i++)
        sum += part[i];
    return sum;
}

/* ---- traffic ---- */

struct walk {
    const struct graph *g;
    const struct netcost *cost;
    double rate; /* flits per second of one pair */
    double *power;
};

static void add_router(const struct walk *w, uint32_t router)
{
    uint32_t kind = w->cost->kinds->of_router[router];
    HD_ASSERT(kind != GRAPH_NONE, "a way through router %u, which is not there", router);
    const struct power_router *r = &w->cost->router[kind].cost;
    w->power[NETCOST_BUFFER] += w->rate * (r->buffer_write + r->buffer_read);
    w->power[NETCOST_CROSSBAR] += w->rate * r->crossbar;
    w->power[NETCOST_ALLOCATOR] += w->rate * (r->switch_1 + r->switch_2 + r->vc_alloc);
}

static void add_link(const struct walk *w, uint32_t kind)
{
    HD_ASSERT(kind != GRAPH_NONE, "a way over a link that is not there");
    w->power[NETCOST_LINK] += w->rate * w->cost->link[kind].cost.energy;
}

/* All queues are as full as any other, for routing functions that ask. */
static uint32_t no_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    (void)net;
    (void)router;
    (void)out;
    (void)vclass;
    return 0;
}

/* One of the ways of a packet; others, where there are any, pass the same kinds of parts. */
static void walk(const struct walk *w, uint32_t src, uint32_t dst)
{
    static const struct route_view empty = {.room = no_room};
    const struct graph *g = w->g;
    struct packet p = {.src = src, .dst = dst};
    uint32_t in = g->inject[src], router = g->in[in].router;
    add_link(w, w->cost->kinds->of_in[in]);
    while (router != GRAPH_NONE) {
        add_router(w, router);
        uint32_t out = g->router[router].first_out + g->route(&empty, g->ctx, router, 0, &p).out;
        add_link(w, w->cost->kinds->of_out[out]);
        router = g->out[out].dst_router;
    }
}

static void walk_all(struct walk *w, double flits_per_s, struct arena *a)
{
    const struct graph *g = w->g;
    uint32_t *src = ARENA_ARRAY(a, uint32_t, g->nnodes), *dst = ARENA_ARRAY(a, uint32_t, g->nnodes);
    uint32_t nsrc = graph_sources(g, src), ndst = graph_sinks(g, dst);
    w->rate = flits_per_s / ((double)nsrc * ndst);
    for (uint32_t s = 0; s < nsrc; s++)
        for (uint32_t d = 0; d < ndst; d++)
            walk(w, src[s], dst[d]);
}

void sweep_power(const struct sweep_network *n, const double flits[2], struct arena *a,
                 double power[NETCOST_PARTS])
{
    const struct noc_spec *noc = config_get(n->cfg, &noc_section);
    memset(power, 0, NETCOST_PARTS * sizeof *power);
    for (int i = 0; i < n->graphs.n; i++) {
        double idle[NETCOST_PARTS];
        struct walk w = {.g = n->graphs.graph[i], .cost = &n->net[i], .power = power};
        netcost_power(&n->net[i], noc->clock, 0, idle);
        for (int k = 0; k < NETCOST_PARTS; k++)
            power[k] += idle[k];
        walk_all(&w, flits[i] * noc->clock, a);
    }
}
