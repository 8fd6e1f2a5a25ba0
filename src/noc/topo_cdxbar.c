/* topo_cdxbar.c - CD-Xbar: converge-diverge crossbar (CD-Xbar paper, sections 3.2 to 3.4).
 *
 *   request:  SMs -> L local crossbars, P converged ports each -> global crossbar -> memory
 *   reply:    memory -> global crossbar -> P converged ports each -> L local crossbars -> SMs
 *
 * Cores are numbered first, local crossbar by local crossbar, then the memory nodes.  Routers
 * 0..L-1 are the local crossbars, router L is the global one; converged port j of local crossbar
 * i is port i*P + j of the global crossbar.  Any of the P converged ports brings a packet closer
 * to its destination, and the router where ways part chooses (the local crossbar for requests,
 * the global one for replies):
 *
 *   rr        the router's round-robin unit: packets first come first served, ports in turn
 *   source    port = number of the source % P
 *   adaptive  `adaptive_choices` ports drawn at random, then the one with most free space
 *
 * Lengths: section 5.3 says that long links connect SMs and LLC slices, and section 3.6 gives
 * the converged links up to half the die: all are long by default, each kind is a parameter. */
#include <string.h>

#include "base/rng.h"
#include "noc/placement.h"

enum { MAX_CONVERGED = 32 }; /* what one round-robin unit can choose between */

#define CDXBAR_ROWS(F, id)                                                                         \
    F(id, INT, cores, "80", 1, TOPOLOGY_MAX_NODES, "node", "cores")                                \
    F(id, INT, mems, "16", 1, TOPOLOGY_MAX_RADIX, "node", "memory nodes")                          \
    F(id, INT, locals, "8", 1, TOPOLOGY_MAX_RADIX, "crossbar", "local crossbars")                  \
    F(id, INT, ports, "3", 1, MAX_CONVERGED, "port", "converged ports of each local crossbar")     \
    F(id, LIST, sizes, "", 1, TOPOLOGY_MAX_RADIX, "node",                                          \
      "cores at each local crossbar; empty: as even as possible")                                  \
    F(id, CHOICE, routing, "rr", 0, 0, "rr|source|adaptive", "choice of the converged port")       \
    F(id, INT, adaptive_choices, "2", 1, MAX_CONVERGED, "port",                                    \
      "ports drawn by adaptive routing (all, if there are fewer)")                                 \
    F(id, INT, link_latency, "1", 1, 256, "cycle", "time on a link between crossbars")             \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and crossbar") \
    F(id, REAL, link_mm, "12.3", 0, 1000, "mm", "length of a link between crossbars")              \
    F(id, REAL, core_mm, "12.3", 0, 1000, "mm", "length of a link at a core")                      \
    F(id, REAL, mem_mm, "12.3", 0, 1000, "mm", "length of a link at a memory node")
CFG_STRUCT(cdxbar, CDXBAR_ROWS)
CFG_SECTION_WHEN(cdxbar, CDXBAR_ROWS, "local crossbars that converge on one global crossbar",
                 {"adaptive_choices", "cdxbar.routing=adaptive"})

struct cdxbar {
    uint32_t cores, locals, ports, choices;
    const uint16_t *local; /* by core: its local crossbar */
    const uint16_t *slot;  /* by core: its port there */
    struct route (*choose)(const struct route_view *v, const struct cdxbar *x, uint32_t router,
                           uint32_t first, const struct packet *p);
};

static uint32_t size_of(const struct cdxbar_spec *s, uint32_t local)
{
    if (s->sizes.n > 0)
        return (uint32_t)s->sizes.v[local];
    return placement_share((uint32_t)s->cores, (uint32_t)s->locals, local);
}

static bool sizes_fit(const struct config *cfg, const struct cdxbar_spec *s, struct err *e)
{
    int64_t sum = 0;
    for (int i = 0; i < s->sizes.n; i++)
        sum += s->sizes.v[i];
    if (s->sizes.n > 0 && s->sizes.n != s->locals)
        return config_blame(cfg, e, &cdxbar_section, "sizes", "%d sizes for %lld local crossbars",
                            s->sizes.n, (long long)s->locals);
    if (s->sizes.n > 0 && sum != s->cores)
        return config_blame(cfg, e, &cdxbar_section, "sizes",
                            "they add up to %lld, not to the %lld cores", (long long)sum,
                            (long long)s->cores);
    if (s->locals > s->cores)
        return config_blame(cfg, e, &cdxbar_section, "locals",
                            "%lld local crossbars for %lld cores: some would have none",
                            (long long)s->locals, (long long)s->cores);
    if (size_of(s, 0) > TOPOLOGY_MAX_RADIX)
        return config_blame(cfg, e, &cdxbar_section, "cores",
                            "%u cores at one local crossbar are more than %u", size_of(s, 0),
                            TOPOLOGY_MAX_RADIX);
    return true;
}

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct cdxbar_spec *s = config_get(cfg, &cdxbar_section);
    if (!sizes_fit(cfg, s, e))
        return false;
    if (s->locals * s->ports > TOPOLOGY_MAX_RADIX)
        return config_blame(cfg, e, &cdxbar_section, "ports",
                            "%lld local crossbars with %lld converged ports are more than %u",
                            (long long)s->locals, (long long)s->ports, TOPOLOGY_MAX_RADIX);
    if (s->cores + s->mems > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &cdxbar_section, "cores",
                            "%lld cores and %lld memory nodes are more than %u nodes",
                            (long long)s->cores, (long long)s->mems, TOPOLOGY_MAX_NODES);
    placement_split((uint32_t)s->cores, (uint32_t)s->mems, a, n);
    return true;
}

/* The three ways to choose one of the P outputs of `router` that start at `first`. */

static struct route choose_rr(const struct route_view *v, const struct cdxbar *x, uint32_t router,
                              uint32_t first, const struct packet *p)
{
    (void)v;
    (void)router;
    (void)p;
    return (struct route){.out = (uint16_t)first, .span = (uint8_t)x->ports};
}

static struct route choose_source(const struct route_view *v, const struct cdxbar *x,
                                  uint32_t router, uint32_t first, const struct packet *p)
{
    (void)v;
    (void)router;
    uint32_t source = p->src < x->cores ? p->src : p->src - x->cores;
    return (struct route){.out = (uint16_t)(first + source % x->ports), .span = 1};
}

/* The candidates come in random order, so that the first of equals is a fair choice. */
static struct route choose_adaptive(const struct route_view *v, const struct cdxbar *x,
                                    uint32_t router, uint32_t first, const struct packet *p)
{
    uint64_t draw = rng_at(rng_key(v->key, p->src), p->serial);
    uint8_t port[MAX_CONVERGED] = {0};
    for (uint32_t i = 0; i < x->ports; i++)
        port[i] = (uint8_t)i;
    uint32_t best = 0, best_room = 0;
    for (uint32_t i = 0; i < x->choices; i++) {
        uint32_t j = i + rng_below(rng_at(draw, i), x->ports - i);
        uint8_t candidate = port[j];
        port[j] = port[i];
        uint32_t room = v->room(v->net, router, first + candidate, p->msgclass);
        if (i == 0 || room > best_room) {
            best = candidate;
            best_room = room;
        }
    }
    return (struct route){.out = (uint16_t)(first + best), .span = 1};
}

static struct route route_request(const struct route_view *v, const void *ctx, uint32_t router,
                                  uint32_t in, struct packet *p)
{
    const struct cdxbar *x = ctx;
    (void)in;
    if (router < x->locals)
        return x->choose(v, x, router, 0, p);
    return (struct route){.out = (uint16_t)(p->dst - x->cores), .span = 1};
}

static struct route route_reply(const struct route_view *v, const void *ctx, uint32_t router,
                                uint32_t in, struct packet *p)
{
    const struct cdxbar *x = ctx;
    (void)in;
    if (router == x->locals)
        return x->choose(v, x, router, x->local[p->dst] * x->ports, p);
    return (struct route){.out = x->slot[p->dst], .span = 1};
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 2;
}

static const struct cdxbar *cdxbar_context(const struct cdxbar_spec *s, struct arena *a)
{
    struct cdxbar *x = ARENA_NEW(a, struct cdxbar);
    uint16_t *local = ARENA_ARRAY(a, uint16_t, s->cores);
    uint16_t *slot = ARENA_ARRAY(a, uint16_t, s->cores);
    for (uint32_t l = 0, core = 0; l < (uint32_t)s->locals; l++) {
        for (uint32_t i = 0; i < size_of(s, l); i++, core++) {
            local[core] = (uint16_t)l;
            slot[core] = (uint16_t)i;
        }
    }
    *x = (struct cdxbar){.cores = (uint32_t)s->cores,
                         .locals = (uint32_t)s->locals,
                         .ports = (uint32_t)s->ports,
                         .local = local,
                         .slot = slot};
    x->choices = (uint32_t)(s->adaptive_choices < s->ports ? s->adaptive_choices : s->ports);
    x->choose = strcmp(s->routing, "rr") == 0       ? choose_rr
                : strcmp(s->routing, "source") == 0 ? choose_source
                                                    : choose_adaptive;
    return x;
}

static void add_routers(struct graph *g, const struct cdxbar *x, const struct cdxbar_spec *s,
                        bool request)
{
    uint32_t mems = (uint32_t)s->mems, converged = x->locals * x->ports;
    float lx = request ? 0.25f : 0.75f;
    for (uint32_t l = 0; l < x->locals; l++) {
        uint32_t size = size_of(s, l);
        float y = ((float)l + 0.5f) / (float)x->locals;
        graph_add_router(g, request ? size : x->ports, request ? x->ports : size, lx, y);
    }
    graph_add_router(g, request ? converged : mems, request ? mems : converged, 1 - lx, 0.5f);
    for (uint32_t i = 0; i < converged; i++) {
        uint32_t l = i / x->ports, port = i % x->ports, global = x->locals;
        graph_connect(g, request ? l : global, request ? port : i, request ? global : l,
                      request ? i : port, (uint32_t)s->link_latency, (float)s->link_mm);
    }
}

static void attach(struct graph *g, const void *spec, uint32_t node, bool inject, bool eject)
{
    const struct cdxbar_spec *s = spec;
    const struct cdxbar *x = g->ctx;
    bool core = node < x->cores;
    uint32_t r = core ? x->local[node] : x->locals, port = core ? x->slot[node] : node - x->cores;
    float mm = (float)(core ? s->core_mm : s->mem_mm);
    if (inject)
        graph_inject(g, node, r, port, (uint32_t)s->terminal_latency, mm);
    if (eject)
        graph_eject(g, r, port, node, (uint32_t)s->terminal_latency, mm);
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct cdxbar_spec *s = config_get(cfg, &cdxbar_section);
    if (dir == DIR_ANY) {
        config_blame(cfg, e, &cdxbar_section, "cores",
                     "CD-Xbar joins cores and memory nodes only (use request and reply networks)");
        return NULL;
    }
    const struct cdxbar *x = cdxbar_context(s, a);
    struct graph *g = graph_new(a, n->total);
    add_routers(g, x, s, dir == DIR_REQUEST);
    g->ctx = x;
    g->route = dir == DIR_REQUEST ? route_request : route_reply;
    g->hops = hops;
    placement_attach(g, dir, n, s, attach);
    return g;
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    return arena_printf(a, "cores=%u mems=%u", ncores, nmems);
}

const struct topology topology_cdxbar = {
    .name = "cdxbar",
    .alias = "cd-xbar",
    .help = "converge-diverge crossbar: local crossbars and a global one; rr, source or adaptive",
    .section = &cdxbar_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
