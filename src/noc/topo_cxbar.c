/* topo_cxbar.c - concentrated (clustered) crossbar: several cores behind one port.
 *
 * Cores are dealt out in node order to `ports` ports as evenly as possible, the first ones
 * taking one more where it does not come out even.  The cores of a port take turns at its one
 * injection channel, a packet at a time, and share one ejection channel with its response FIFO:
 * the clusters of GPGPU-Sim.  Memory nodes may share ports in the same way.  Nodes are numbered
 * cores first, then memory nodes.
 *
 *   core 0 -+                                        core 0 -+
 *   core 1 -+- port 0 -> |request| -> mem             core 1 -+- port 0 <- | reply | <- mem
 *   core 2 -+            |  xbar | -> mem             core 2 -+            |  xbar | <- mem
 *
 * Core-to-core traffic has no path here, so a network for all nodes is refused.  The switch
 * that joins the cores of a port takes no time of its own. */
#include "noc/placement.h"

#define CXBAR_ROWS(F, id)                                                                          \
    F(id, INT, cores, "80", 1, TOPOLOGY_MAX_NODES, "node", "cores")                                \
    F(id, INT, ports, "24", 1, TOPOLOGY_MAX_RADIX, "port", "crossbar ports that the cores share")  \
    F(id, INT, mems, "16", 1, TOPOLOGY_MAX_NODES, "node", "memory nodes")                          \
    F(id, INT, mem_ports, "0", 0, TOPOLOGY_MAX_RADIX, "port",                                      \
      "crossbar ports that the memory nodes share; 0: one each")                                   \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and crossbar") \
    F(id, REAL, link_mm, "12.3", 0, 1000, "mm", "length of a link")
CFG_STRUCT(cxbar, CXBAR_ROWS)
CFG_SECTION(cxbar, CXBAR_ROWS, "crossbar with several cores behind each port")

struct cxbar {
    const uint16_t *port; /* by node: its port on the side of its kind */
};

static int64_t mem_ports(const struct cxbar_spec *s)
{
    return s->mem_ports > 0 ? s->mem_ports : s->mems;
}

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct cxbar_spec *s = config_get(cfg, &cxbar_section);
    if (s->ports > s->cores)
        return config_blame(cfg, e, &cxbar_section, "ports",
                            "%lld ports for %lld cores: some would have none", (long long)s->ports,
                            (long long)s->cores);
    if (mem_ports(s) > s->mems)
        return config_blame(cfg, e, &cxbar_section, "mem_ports",
                            "%lld ports for %lld memory nodes: some would have none",
                            (long long)s->mem_ports, (long long)s->mems);
    if (mem_ports(s) > TOPOLOGY_MAX_RADIX)
        return config_blame(cfg, e, &cxbar_section, "mems",
                            "%lld memory nodes with a port each are more than %u ports",
                            (long long)s->mems, TOPOLOGY_MAX_RADIX);
    if (s->cores + s->mems > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &cxbar_section, "cores",
                            "%lld cores and %lld memory nodes are more than %u nodes",
                            (long long)s->cores, (long long)s->mems, TOPOLOGY_MAX_NODES);
    placement_split((uint32_t)s->cores, (uint32_t)s->mems, a, n);
    return true;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct cxbar *x = ctx;
    (void)v;
    (void)router;
    (void)in;
    return (struct route){.out = x->port[p->dst], .span = 1};
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 1;
}

static void deal(uint16_t *port, uint32_t nnodes, uint32_t nports)
{
    for (uint32_t p = 0, node = 0; p < nports; p++)
        for (uint32_t i = placement_share(nnodes, nports, p); i > 0; i--)
            port[node++] = (uint16_t)p;
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct cxbar_spec *s = config_get(cfg, &cxbar_section);
    if (dir == DIR_ANY) {
        config_blame(cfg, e, &cxbar_section, "cores",
                     "a concentrated crossbar joins cores and memory nodes only "
                     "(use request and reply networks)");
        return NULL;
    }
    uint32_t cports = (uint32_t)s->ports, mports = (uint32_t)mem_ports(s);
    uint16_t *port = ARENA_ARRAY(a, uint16_t, n->total);
    deal(port, n->ncores, cports);
    deal(port + n->ncores, n->nmems, mports);

    bool request = dir == DIR_REQUEST;
    struct graph *g = graph_new(a, n->total);
    uint32_t r = request ? graph_add_router(g, cports, mports, 0.5f, 0.5f)
                         : graph_add_router(g, mports, cports, 0.5f, 0.5f);
    for (uint32_t i = 0; i < n->total; i++) {
        if ((i < n->ncores) == request)
            graph_inject(g, i, r, port[i], (uint32_t)s->terminal_latency, (float)s->link_mm);
        else
            graph_eject(g, r, port[i], i, (uint32_t)s->terminal_latency, (float)s->link_mm);
    }
    struct cxbar *x = ARENA_NEW(a, struct cxbar);
    x->port = port;
    g->ctx = x;
    g->route = route;
    g->by_table = true;
    g->hops = hops;
    return g;
}

const struct topology topology_cxbar = {
    .name = "cxbar",
    .alias = "clustered|concentrated",
    .help = "concentrated crossbar: several cores share an injection and an ejection port",
    .section = &cxbar_section,
    .nodes = nodes,
    .build = build,
};
