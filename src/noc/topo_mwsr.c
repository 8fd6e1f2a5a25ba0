/* topo_mwsr.c - a crossbar of shared channels: one per destination, written by all sources.
 *
 * Multiple writers, single reader (Vantrease et al., ISCA 2008): every source has a router with one
 * output per destination, all outputs for one destination write one channel, and its arbiter lets
 * one of them send at a time.  The reader is a buffer in front of the node: it finds no route, and
 * its switch is a wire.  Of light by default, or of wires; with request and reply networks nodes
 * 0..m-1 are the cores and m..m+n-1 the memory nodes, as in xbar.
 *
 * All writers are taken to be at the same distance from the reader; where the right to write
 * has to come from, too. */
#include <string.h>

#include "noc/placement.h"

#define MWSR_ROWS(F, id)                                                                           \
    F(id, INT, inputs, "16", 1, TOPOLOGY_MAX_RADIX, "node", "cores")                               \
    F(id, INT, outputs, "16", 1, TOPOLOGY_MAX_RADIX, "node", "memory nodes")                       \
    F(id, CHOICE, medium, "optical", 0, 0, "optical|wire", "of the shared channels")               \
    F(id, INT, channel_latency, "2", 1, 256, "cycle", "time on a shared channel")                  \
    F(id, REAL, channel_mm, "24.6", 0, 1000, "mm", "length of a shared channel, past all writers") \
    F(id, INT, token, "4", 0, 256, "cycle", "in which the right to write passes to another node")  \
    F(id, CHOICE, grant, "packet", 0, 0, "packet|flit",                                            \
      "how long a writer that can send keeps the right when others want it")                       \
    F(id, CHOICE, arbiter, "rr", 0, 0, "rr|fixed", "round robin, or the lowest node first")        \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and router")   \
    F(id, REAL, link_mm, "1", 0, 1000, "mm", "length of such a link")
CFG_STRUCT(mwsr, MWSR_ROWS)
CFG_SECTION(mwsr, MWSR_ROWS, "a crossbar of channels with many writers and one reader")

struct mwsr {
    uint32_t nsources, first; /* node of channel 0 */
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct mwsr_spec *s = config_get(cfg, &mwsr_section);
    if (s->inputs * s->outputs > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &mwsr_section, "inputs",
                            "%lld writers of %lld channels are more than %u", (long long)s->inputs,
                            (long long)s->outputs, TOPOLOGY_MAX_NODES);
    placement_split((uint32_t)s->inputs, (uint32_t)s->outputs, a, n);
    return true;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct mwsr *m = ctx;
    (void)v;
    (void)in;
    uint16_t out = router < m->nsources ? (uint16_t)(p->dst - m->first) : 0;
    return (struct route){.out = out, .span = 1};
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 2;
}

static float place(uint32_t i, uint32_t n)
{
    return ((float)i + 0.5f) / (float)n;
}

/* Writers are routers 0..nsrc-1, readers come behind them. */
static void add_channels(struct graph *g, const struct mwsr_spec *s, uint32_t nsrc, uint32_t ndst)
{
    const struct graph_arbiter arbiter = {.token = (uint32_t)s->token,
                                          .by_packet = strcmp(s->grant, "packet") == 0,
                                          .is_fixed = strcmp(s->arbiter, "fixed") == 0};
    const struct graph_pipeline buffer = {.vc_delay = 1, .sw_delay = 1};
    enum medium medium = strcmp(s->medium, "wire") == 0 ? MEDIUM_WIRE : MEDIUM_OPTICAL;
    for (uint32_t i = 0; i < nsrc; i++)
        graph_add_router(g, 1, ndst, 0.25f, place(i, nsrc));
    for (uint32_t d = 0; d < ndst; d++) {
        uint32_t reader = graph_add_router(g, 1, 1, 0.75f, place(d, ndst));
        uint32_t bus = graph_add_bus(g, reader, 0, medium, arbiter);
        graph_set_pipeline(g, reader, buffer);
        for (uint32_t i = 0; i < nsrc; i++)
            graph_write_bus(g, bus, i, d, (uint32_t)s->channel_latency, (float)s->channel_mm);
    }
}

/* From nodes src.. to nodes dst.., nsrc and ndst of them. */
static struct graph *build_one(const struct mwsr_spec *s, uint32_t nnodes, struct arena *a,
                               const uint32_t range[4])
{
    uint32_t src = range[0], nsrc = range[1], dst = range[2], ndst = range[3];
    uint32_t latency = (uint32_t)s->terminal_latency;
    struct graph *g = graph_new(a, nnodes);
    struct mwsr *m = ARENA_NEW(a, struct mwsr);
    add_channels(g, s, nsrc, ndst);
    for (uint32_t i = 0; i < nsrc; i++)
        graph_inject(g, src + i, i, 0, latency, (float)s->link_mm);
    for (uint32_t d = 0; d < ndst; d++)
        graph_eject(g, nsrc + d, 0, dst + d, latency, (float)s->link_mm);
    *m = (struct mwsr){nsrc, dst};
    g->ctx = m;
    g->route = route;
    g->by_table = true;
    g->hops = hops;
    return g;
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct mwsr_spec *s = config_get(cfg, &mwsr_section);
    uint32_t cores = n->ncores, mems = n->nmems;
    if (dir == DIR_REQUEST)
        return build_one(s, n->total, a, (const uint32_t[4]){0, cores, cores, mems});
    if (dir == DIR_REPLY)
        return build_one(s, n->total, a, (const uint32_t[4]){cores, mems, 0, cores});
    if (cores != mems) {
        config_blame(cfg, e, &mwsr_section, "outputs",
                     "one network for all nodes needs as many inputs as outputs, not %u and %u "
                     "(use request and reply networks)",
                     cores, mems);
        return NULL;
    }
    return build_one(s, cores, a, (const uint32_t[4]){0, cores, 0, cores});
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    return arena_printf(a, "inputs=%u outputs=%u", ncores, nmems);
}

const struct topology topology_mwsr = {
    .name = "mwsr",
    .help = "a crossbar of shared channels, of light or of wires: many writers, one reader each",
    .section = &mwsr_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
