/* topo_xbar.c - one crossbar: m inputs, n outputs, one router.
 *
 * With request and reply networks (CD-Xbar paper, section 2.1) nodes 0..m-1 are the cores and
 * nodes m..m+n-1 the memory nodes; the request network is one m x n router, the reply network
 * one n x m router.  As a network in which anyone may talk to anyone it must be square, and then
 * nodes 0..m-1 both send and receive (BookSim's butterfly of one stage): that graph has m nodes.
 *
 * Not modelled: the size of the switch does not lengthen its cycle. */
#include "noc/placement.h"

#define XBAR_ROWS(F, id)                                                                           \
    F(id, INT, inputs, "64", 1, TOPOLOGY_MAX_RADIX, "node", "cores")                               \
    F(id, INT, outputs, "64", 1, TOPOLOGY_MAX_RADIX, "node", "memory nodes")                       \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and crossbar") \
    F(id, REAL, link_mm, "12.3", 0, 1000, "mm", "length of a link")
CFG_STRUCT(xbar, XBAR_ROWS)
CFG_SECTION(xbar, XBAR_ROWS, "one crossbar between cores and memory nodes")

struct xbar {
    uint32_t first; /* node at output 0 */
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct xbar_spec *s = config_get(cfg, &xbar_section);
    (void)e;
    placement_split((uint32_t)s->inputs, (uint32_t)s->outputs, a, n);
    return true;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct xbar *x = ctx;
    (void)v;
    (void)router;
    (void)in;
    return (struct route){.out = (uint16_t)(p->dst - x->first), .span = 1};
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 1;
}

/* One router from nodes src.. to nodes dst.., nin and nout of them. */
static struct graph *one_router(const struct xbar_spec *s, uint32_t nnodes, struct arena *a,
                                const uint32_t range[4])
{
    uint32_t src = range[0], nin = range[1], dst = range[2], nout = range[3];
    struct graph *g = graph_new(a, nnodes);
    uint32_t r = graph_add_router(g, nin, nout, 0.5f, 0.5f);
    for (uint32_t i = 0; i < nin; i++)
        graph_inject(g, src + i, r, i, (uint32_t)s->terminal_latency, (float)s->link_mm);
    for (uint32_t i = 0; i < nout; i++)
        graph_eject(g, r, i, dst + i, (uint32_t)s->terminal_latency, (float)s->link_mm);
    struct xbar *x = ARENA_NEW(a, struct xbar);
    x->first = dst;
    g->ctx = x;
    g->route = route;
    g->by_table = true;
    g->hops = hops;
    return g;
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct xbar_spec *s = config_get(cfg, &xbar_section);
    uint32_t cores = n->ncores, mems = n->nmems;
    if (dir == DIR_REQUEST)
        return one_router(s, n->total, a, (const uint32_t[4]){0, cores, cores, mems});
    if (dir == DIR_REPLY)
        return one_router(s, n->total, a, (const uint32_t[4]){cores, mems, 0, cores});
    if (cores != mems) {
        config_blame(cfg, e, &xbar_section, "outputs",
                     "one network for all nodes needs a square crossbar, not %u x %u "
                     "(use request and reply networks)",
                     cores, mems);
        return NULL;
    }
    return one_router(s, cores, a, (const uint32_t[4]){0, cores, 0, cores});
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    return arena_printf(a, "inputs=%u outputs=%u", ncores, nmems);
}

const struct topology topology_xbar = {
    .name = "xbar",
    .alias = "crossbar",
    .help = "one m x n crossbar; square when every node talks to every other",
    .section = &xbar_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
