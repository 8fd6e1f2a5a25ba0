/* topo_ideal.c - no network at all: every packet takes `latency` cycles and none is in the way
 * of another.  For bounding what a better network could bring.
 *
 * There are no routers and no ports: inject[] and eject[] only say who may send and receive.  In
 * the graph for all nodes these are 0..nodes-1; in the others the cores are 0..cores-1 and the
 * memory nodes follow. */
#include "noc/placement.h"

#define IDEAL_ROWS(F, id)                                                                          \
    F(id, INT, latency, "1", 1, 4096, "cycle", "from source to destination")                       \
    F(id, INT, nodes, "64", 1, TOPOLOGY_MAX_NODES, "node", "nodes, when all talk to all")          \
    F(id, INT, cores, "80", 1, TOPOLOGY_MAX_NODES, "node", "cores")                                \
    F(id, INT, mems, "16", 1, TOPOLOGY_MAX_NODES, "node", "memory nodes")
CFG_STRUCT(ideal, IDEAL_ROWS)
CFG_SECTION_WHEN(ideal, IDEAL_ROWS, "ideal network: fixed latency, no contention",
                 {"nodes", "noc.networks=one"})

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct ideal_spec *s = config_get(cfg, &ideal_section);
    if (s->cores + s->mems > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &ideal_section, "cores",
                            "%lld cores and %lld memory nodes are more than %u nodes",
                            (long long)s->cores, (long long)s->mems, TOPOLOGY_MAX_NODES);
    placement_split((uint32_t)s->cores, (uint32_t)s->mems, a, n);
    if (n->total < (uint32_t)s->nodes)
        n->total = (uint32_t)s->nodes;
    return true;
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 0;
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct ideal_spec *s = config_get(cfg, &ideal_section);
    (void)e;
    uint32_t total = dir == DIR_ANY ? (uint32_t)s->nodes : n->ncores + n->nmems;
    struct graph *g = graph_new(a, total);
    g->ideal_latency = (uint32_t)s->latency;
    g->hops = hops;
    for (uint32_t i = 0; i < total; i++) {
        bool core = i < n->ncores;
        if (dir == DIR_ANY || core == (dir == DIR_REQUEST))
            g->inject[i] = 0;
        if (dir == DIR_ANY || core == (dir == DIR_REPLY))
            g->eject[i] = 0;
    }
    return g;
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    return arena_printf(a, "cores=%u mems=%u", ncores, nmems);
}

const struct topology topology_ideal = {
    .name = "ideal",
    .help = "fixed latency, infinite bandwidth",
    .section = &ideal_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
