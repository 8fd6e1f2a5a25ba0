/* topo_fly.c - k-ary n-fly butterfly with destination-tag routing.
 *
 * n stages of k^(n-1) switches, k x k each, for k^n nodes (Dally and Towles, Principles and
 * Practices of Interconnection Networks, chapter 4; CD-Xbar paper, section 2.1).  Node i enters
 * at port i % k of switch i / k of the first stage and leaves there at the last.  Lines between
 * stages are numbered switch * k + port; the wire from stage s to s + 1 exchanges the lowest
 * digit (base k) of its line with digit n-1-s, and stage s switches by digit n-1-s of the
 * destination.  There is exactly one path from each node to each other.
 *
 * Placement of cores and memory nodes is a list, as in the mesh; a switch is built (and counted)
 * in full even where none of its terminals is in use. */
#include "noc/placement.h"

#define FLY_ROWS(F, id)                                                                            \
    F(id, INT, k, "8", 2, TOPOLOGY_MAX_RADIX, "port", "inputs and outputs of a switch")            \
    F(id, INT, n, "2", 1, 20, "stage", "stages")                                                   \
    F(id, INT, cores, "0", 0, TOPOLOGY_MAX_NODES, "node",                                          \
      "cores among the nodes that are no memory nodes, lowest first; 0: all")                      \
    F(id, LIST, mem, "", 0, TOPOLOGY_MAX_NODES, "node", "memory nodes")                            \
    F(id, INT, link_latency, "1", 1, 256, "cycle", "time on a link between stages")                \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and switch")   \
    F(id, REAL, link_mm, "12.3", 0, 1000, "mm", "length of a link")
CFG_STRUCT(fly, FLY_ROWS)
CFG_SECTION(fly, FLY_ROWS, "butterfly: radix, stages, memory placement")

enum { MAX_STAGES = 20 };

struct fly {
    uint32_t k, n;
    uint32_t switches;          /* per stage */
    uint32_t power[MAX_STAGES]; /* k^i */
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct fly_spec *s = config_get(cfg, &fly_section);
    uint64_t total = 1;
    for (int64_t i = 0; i < s->n && total <= TOPOLOGY_MAX_NODES; i++)
        total *= (uint64_t)s->k;
    if (total > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &fly_section, "n", "a %lld-ary %lld-fly has more than %u nodes",
                            (long long)s->k, (long long)s->n, TOPOLOGY_MAX_NODES);
    if (total * (uint64_t)s->n > TOPOLOGY_MAX_PORTS)
        return config_blame(cfg, e, &fly_section, "n",
                            "a %lld-ary %lld-fly has more than %u switch ports", (long long)s->k,
                            (long long)s->n, TOPOLOGY_MAX_PORTS);
    struct placement p = {.total = total, .cores = s->cores, .mem = s->mem};
    return placement_list(cfg, &fly_section, &p, a, n, e);
}

static uint32_t digit(const struct fly *f, uint32_t line, uint32_t i)
{
    return line / f->power[i] % f->k;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct fly *f = ctx;
    (void)v;
    (void)in;
    uint32_t stage = router / f->switches;
    return (struct route){.out = (uint16_t)digit(f, p->dst, f->n - 1 - stage), .span = 1};
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    const struct fly *f = ctx;
    (void)src;
    (void)dst;
    return f->n;
}

static const struct fly *fly_context(const struct fly_spec *s, struct arena *a)
{
    struct fly *f = ARENA_NEW(a, struct fly);
    f->k = (uint32_t)s->k;
    f->n = (uint32_t)s->n;
    f->power[0] = 1;
    for (uint32_t i = 1; i < f->n; i++)
        f->power[i] = f->power[i - 1] * f->k;
    f->switches = f->power[f->n - 1];
    return f;
}

static void connect_stage(struct graph *g, const struct fly *f, const struct fly_spec *s,
                          uint32_t stage)
{
    uint32_t swap = f->n - 1 - stage, first = stage * f->switches;
    for (uint32_t line = 0; line < f->switches * f->k; line++) {
        uint32_t low = line % f->k, high = digit(f, line, swap);
        uint32_t to = line - low - high * f->power[swap] + high + low * f->power[swap];
        graph_connect(g, first + line / f->k, low, first + f->switches + to / f->k, to % f->k,
                      (uint32_t)s->link_latency, (float)s->link_mm);
    }
}

static void attach(struct graph *g, const void *spec, uint32_t node, bool inject, bool eject)
{
    const struct fly_spec *s = spec;
    const struct fly *f = g->ctx;
    uint32_t sw = node / f->k, port = node % f->k;
    if (inject)
        graph_inject(g, node, sw, port, (uint32_t)s->terminal_latency, (float)s->link_mm);
    if (eject)
        graph_eject(g, (f->n - 1) * f->switches + sw, port, node, (uint32_t)s->terminal_latency,
                    (float)s->link_mm);
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct fly_spec *s = config_get(cfg, &fly_section);
    if (!placement_has_ends(cfg, &fly_section, "mem", dir, n, e))
        return NULL;
    const struct fly *f = fly_context(s, a);
    struct graph *g = graph_new(a, n->total);
    for (uint32_t stage = 0; stage < f->n; stage++)
        for (uint32_t i = 0; i < f->switches; i++)
            graph_add_router(g, f->k, f->k, ((float)stage + 0.5f) / (float)f->n,
                             ((float)i + 0.5f) / (float)f->switches);
    for (uint32_t stage = 0; stage + 1 < f->n; stage++)
        connect_stage(g, f, s, stage);
    g->ctx = f;
    g->route = route;
    g->by_table = true;
    g->hops = hops;
    placement_attach(g, dir, n, s, attach);
    return g;
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    uint32_t side = placement_side(ncores + nmems), k = side < 2 ? 2 : side;
    return arena_printf(a, "k=%u n=2 %s", k, placement_fit(a, k * k, ncores, nmems));
}

const struct topology topology_fly = {
    .name = "fly",
    .alias = "butterfly",
    .help = "k-ary n-fly butterfly, destination-tag routing",
    .section = &fly_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
