/* topo_smesh.c - S-Mesh: a mesh without what traffic between cores and memory never uses.
 *
 * (Ziabari et al., Asymmetric NoC architectures for GPU systems, NOCS 2015, as described in the
 * CD-Xbar paper, section 2.1.)  Cores do not talk to cores nor memory nodes to memory nodes, so
 * with dimension-order routing many channels of a mesh carry nothing.  The mesh of section `mesh`
 * is built, every route from every source to every destination is walked, and channels that none
 * of them takes are removed, with the buffers they feed; routers count as what is left of them.
 * Timing is that of the mesh.  With O1TURN both orders are walked. */
#include "noc/topo_smesh.h"

/* Walking is quadratic; this many pairs of source and destination take about a second. */
#define MAX_PAIRS (1u << 26)

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    if (!mesh_nodes(cfg, a, n, e))
        return false;
    if ((uint64_t)n->ncores * n->nmems > MAX_PAIRS)
        return config_blame(cfg, e, &mesh_section, "mem",
                            "%u cores and %u memory nodes are too many to trim a mesh for (the "
                            "product may be at most %u)",
                            n->ncores, n->nmems, MAX_PAIRS);
    return true;
}

struct walker {
    const struct graph *g;
    const uint32_t *owner; /* by input port of the graph: its router */
    uint64_t *seen;        /* by router: last walk that came by */
    bool *used;            /* by output port of the graph */
};

/* Marks the outputs on the way of `p` until it arrives or joins a way that is marked already:
 * from any router on there is one way to a destination (and order of dimensions). */
static void walk(const struct walker *w, struct packet *p, uint64_t stamp)
{
    const struct graph *g = w->g;
    uint32_t router = w->owner[g->inject[p->src]];
    while (router != GRAPH_NONE && w->seen[router] != stamp) {
        w->seen[router] = stamp;
        uint32_t out = g->router[router].first_out + g->route(NULL, g->ctx, router, 0, p).out;
        w->used[out] = true;
        router = g->out[out].dst_router;
    }
}

static void walk_all(const struct walker *w, struct arena *a)
{
    const struct graph *g = w->g;
    uint32_t *src = ARENA_ARRAY(a, uint32_t, g->nnodes), *dst = ARENA_ARRAY(a, uint32_t, g->nnodes);
    uint32_t nsrc = graph_sources(g, src), ndst = graph_sinks(g, dst);
    uint64_t stamp = 0;
    for (uint32_t d = 0; d < ndst; d++) {
        for (uint32_t order = 0; order < g->subclasses; order++) {
            stamp++;
            for (uint32_t s = 0; s < nsrc; s++) {
                struct packet p = {.src = src[s], .dst = dst[d], .vclass = (uint8_t)order};
                walk(w, &p, stamp);
            }
        }
    }
}

static void remove_unused(struct graph *g, const bool *used)
{
    for (uint32_t o = 0; o < g->nouts; o++) {
        struct graph_out *out = &g->out[o];
        if (used[o] || out->dst_router == GRAPH_NONE)
            continue;
        struct graph_in *in = &g->in[g->router[out->dst_router].first_in + out->dst_in];
        in->src_out = GRAPH_NONE;
        out->dst_router = GRAPH_NONE;
    }
}

/* A router without any port left is counted as no router: see graph_router. */
static void count_ports(struct graph *g)
{
    for (uint32_t r = 0; r < g->nrouters; r++) {
        struct graph_router *router = &g->router[r];
        uint32_t ins = 0, outs = 0;
        for (uint32_t i = 0; i < router->nin; i++) {
            const struct graph_in *in = &g->in[router->first_in + i];
            ins += in->src_out != GRAPH_NONE || in->src_node != GRAPH_NONE;
        }
        for (uint32_t o = 0; o < router->nout; o++) {
            const struct graph_out *out = &g->out[router->first_out + o];
            outs += out->dst_router != GRAPH_NONE || out->dst_node != GRAPH_NONE;
        }
        router->count_in = ins > 0 ? ins : GRAPH_NONE;
        router->count_out = outs > 0 ? outs : GRAPH_NONE;
    }
}

/* As Table 2 of the CD-Xbar paper counts them. */
static void make_even(struct graph *g)
{
    for (uint32_t r = 0; r < g->nrouters; r++)
        if (g->router[r].count_in != GRAPH_NONE && g->router[r].count_out != GRAPH_NONE)
            g->router[r].count_in = g->router[r].count_out = 4;
}

static void trim(struct graph *g, struct arena *a)
{
    uint32_t *owner = ARENA_ARRAY(a, uint32_t, g->nins);
    for (uint32_t r = 0; r < g->nrouters; r++)
        for (uint32_t i = 0; i < g->router[r].nin; i++)
            owner[g->router[r].first_in + i] = r;
    struct walker w = {.g = g,
                       .owner = owner,
                       .seen = ARENA_ARRAY(a, uint64_t, g->nrouters),
                       .used = ARENA_ARRAY(a, bool, g->nouts)};
    walk_all(&w, a);
    remove_unused(g, w.used);
    count_ports(g);
}

struct graph *smesh_build(const struct config *cfg, enum direction dir,
                          const struct topology_nodes *n, struct arena *a, struct err *e)
{
    if (dir == DIR_ANY) {
        config_blame(cfg, e, &mesh_section, "mem",
                     "S-Mesh is trimmed for traffic between cores and memory nodes "
                     "(use request and reply networks)");
        return NULL;
    }
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    struct graph *g = mesh_build(cfg, dir, n, a, e);
    if (g)
        trim(g, a);
    if (g && s->even)
        make_even(g);
    return g;
}

const struct topology topology_smesh = {
    .name = "smesh",
    .alias = "s-mesh",
    .help = "mesh without the channels that core-memory traffic never uses",
    .section = &mesh_section,
    .nodes = nodes,
    .fit = mesh_fit,
    .build = smesh_build,
};
