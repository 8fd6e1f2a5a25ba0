/* topo_clos.c - three-stage Clos network (m, n, r).
 *
 *   r switches n x m  ->  m switches r x r  ->  r switches m x n
 *
 * (Clos, A study of non-blocking switching networks, 1953; CD-Xbar paper, section 2.1.)  Node i
 * enters at port i % n of first-stage switch i / n and leaves at the same place of the last
 * stage; every packet goes through all three stages.  The middle switch is drawn at random per
 * packet before it leaves its source, or chosen by the first-stage switch when it routes the
 * packet: the one with most free space behind its output, equals decided by a draw.
 *
 * Placement of cores and memory nodes is a list, as in the mesh. */
#include <string.h>

#include "base/rng.h"
#include "noc/placement.h"

#define CLOS_ROWS(F, id)                                                                           \
    F(id, INT, m, "8", 1, TOPOLOGY_MAX_RADIX, "switch", "switches of the middle stage")            \
    F(id, INT, n, "8", 1, TOPOLOGY_MAX_RADIX, "node", "nodes at a switch of the outer stages")     \
    F(id, INT, r, "8", 1, TOPOLOGY_MAX_RADIX, "switch", "switches of the first and last stage")    \
    F(id, CHOICE, routing, "random", 0, 0, "random|adaptive", "choice of the middle switch")       \
    F(id, INT, cores, "0", 0, TOPOLOGY_MAX_NODES, "node",                                          \
      "cores among the nodes that are no memory nodes, lowest first; 0: all")                      \
    F(id, LIST, mem, "", 0, TOPOLOGY_MAX_NODES, "node", "memory nodes")                            \
    F(id, INT, link_latency, "1", 1, 256, "cycle", "time on a link between stages")                \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and switch")   \
    F(id, REAL, link_mm, "12.3", 0, 1000, "mm", "length of a link")
CFG_STRUCT(clos, CLOS_ROWS)
CFG_SECTION(clos, CLOS_ROWS, "three-stage Clos network: size, routing, memory placement")

struct clos {
    uint32_t m, n, r;
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct clos_spec *s = config_get(cfg, &clos_section);
    uint64_t total = (uint64_t)s->n * (uint64_t)s->r, links = (uint64_t)s->m * (uint64_t)s->r;
    if (total > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &clos_section, "r",
                            "%lld switches of %lld nodes are more than %u nodes", (long long)s->r,
                            (long long)s->n, TOPOLOGY_MAX_NODES);
    if (total + 2 * links > TOPOLOGY_MAX_PORTS)
        return config_blame(cfg, e, &clos_section, "m",
                            "a (%lld, %lld, %lld) Clos network has more than %u switch ports",
                            (long long)s->m, (long long)s->n, (long long)s->r, TOPOLOGY_MAX_PORTS);
    struct placement p = {.total = total, .cores = s->cores, .mem = s->mem};
    return placement_list(cfg, &clos_section, &p, a, n, e);
}

/* The middle and last stages have no choice. */
static inline struct route onwards(const struct clos *c, uint32_t router, uint32_t dst)
{
    uint32_t out = router < c->r + c->m ? dst / c->n : dst % c->n;
    return (struct route){.out = (uint16_t)out, .span = 1};
}

static struct route route_random(const struct route_view *v, const void *ctx, uint32_t router,
                                 uint32_t in, struct packet *p)
{
    const struct clos *c = ctx;
    (void)v;
    (void)in;
    if (router < c->r)
        return (struct route){.out = p->via, .span = 1};
    return onwards(c, router, p->dst);
}

static void launch_random(const struct route_view *v, const void *ctx, struct packet *p)
{
    const struct clos *c = ctx;
    p->vclass = 0;
    p->via = (uint16_t)rng_below(rng_at(rng_key(v->key, p->src), p->serial), c->m);
}

/* Most room wins; the i-th of several equals replaces the one before with probability 1/i. */
static uint32_t roomiest(const struct route_view *v, const struct clos *c, uint32_t router,
                         const struct packet *p)
{
    uint64_t draw = rng_at(rng_key(v->key, p->src), p->serial);
    uint32_t best = 0, best_room = 0, equals = 0;
    for (uint32_t i = 0; i < c->m; i++) {
        uint32_t room = v->room(v->net, router, i, p->msgclass);
        if (i == 0 || room > best_room) {
            best = i;
            best_room = room;
            equals = 1;
        } else if (room == best_room && rng_below(rng_at(draw, i), ++equals) == 0) {
            best = i;
        }
    }
    return best;
}

static struct route route_adaptive(const struct route_view *v, const void *ctx, uint32_t router,
                                   uint32_t in, struct packet *p)
{
    const struct clos *c = ctx;
    (void)in;
    if (router < c->r)
        return (struct route){.out = (uint16_t)roomiest(v, c, router, p), .span = 1};
    return onwards(c, router, p->dst);
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    (void)ctx;
    (void)src;
    (void)dst;
    return 3;
}

static void add_stage(struct graph *g, uint32_t switches, uint32_t nin, uint32_t nout, float x)
{
    for (uint32_t i = 0; i < switches; i++)
        graph_add_router(g, nin, nout, x, ((float)i + 0.5f) / (float)switches);
}

static void connect_stages(struct graph *g, const struct clos *c, const struct clos_spec *s)
{
    uint32_t lat = (uint32_t)s->link_latency;
    float mm = (float)s->link_mm;
    for (uint32_t i = 0; i < c->r; i++) {
        for (uint32_t j = 0; j < c->m; j++) {
            graph_connect(g, i, j, c->r + j, i, lat, mm);
            graph_connect(g, c->r + j, i, c->r + c->m + i, j, lat, mm);
        }
    }
}

static void attach(struct graph *g, const void *spec, uint32_t node, bool inject, bool eject)
{
    const struct clos_spec *s = spec;
    const struct clos *c = g->ctx;
    uint32_t sw = node / c->n, port = node % c->n;
    if (inject)
        graph_inject(g, node, sw, port, (uint32_t)s->terminal_latency, (float)s->link_mm);
    if (eject)
        graph_eject(g, c->r + c->m + sw, port, node, (uint32_t)s->terminal_latency,
                    (float)s->link_mm);
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct clos_spec *s = config_get(cfg, &clos_section);
    if (!placement_has_ends(cfg, &clos_section, "mem", dir, n, e))
        return NULL;
    struct clos *c = ARENA_NEW(a, struct clos);
    *c = (struct clos){.m = (uint32_t)s->m, .n = (uint32_t)s->n, .r = (uint32_t)s->r};
    struct graph *g = graph_new(a, n->total);
    add_stage(g, c->r, c->n, c->m, 1 / 6.0f);
    add_stage(g, c->m, c->r, c->r, 3 / 6.0f);
    add_stage(g, c->r, c->m, c->n, 5 / 6.0f);
    connect_stages(g, c, s);
    g->ctx = c;
    g->hops = hops;
    g->route = route_adaptive;
    if (strcmp(s->routing, "random") == 0) {
        g->route = route_random;
        g->launch = launch_random;
    }
    placement_attach(g, dir, n, s, attach);
    return g;
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    uint32_t side = placement_side(ncores + nmems);
    return arena_printf(a, "m=%u n=%u r=%u %s", side, side, side,
                        placement_fit(a, side * side, ncores, nmems));
}

const struct topology topology_clos = {
    .name = "clos",
    .help = "three-stage Clos network (m, n, r), random or adaptive middle switch",
    .section = &clos_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
