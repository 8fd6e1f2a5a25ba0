/* topo_torus.c - 2D torus: a mesh whose rows and columns are closed to rings, XY routing.
 *
 * Nodes, routers and ports are numbered as in the mesh (topo_mesh.c).  A packet goes round the
 * ring of its row, then round the ring of its column, each the shorter way; half way round both
 * ways are as long and a draw per packet decides, as in BookSim2.  A ring of two has two channels
 * each way, used in turn by the same rule; a ring of one has none.
 *
 * A ring of channels would deadlock, so packets are in one of two VC classes per dimension, chosen
 * once where they enter it (Dally & Towles, section 14.2.3).  The dateline of a ring lies between
 * its last and its first router.
 *   dateline: class 1 crosses the dateline, class 0 does not (BookSim2's dim_order_torus).
 *   balanced: packets that cross neither the dateline nor the middle, opposite of it, are free to
 *             take either and are dealt out by a draw (dim_order_bal_torus; Scott & Thorson, 1996).
 * Neither class goes all the way round: class 0 never takes the channel over the dateline, class 1
 * never the one over the middle, since no packet goes further than half way.
 * Channels from and to nodes need no classes.
 *
 * Channels are alike and, by default, twice as long as those of a mesh: a folded torus. */
#include "noc/topology.h"

#include <string.h>

#include "base/rng.h"
#include "noc/placement.h"

#define TORUS_ROWS(F, id)                                                                          \
    F(id, INT, width, "8", 1, 32768, "router", "routers per row")                                  \
    F(id, INT, height, "8", 1, 32768, "router", "routers per column")                              \
    F(id, INT, concentration, "1", 1, 64, "node", "nodes at each router")                          \
    F(id, INT, cores, "0", 0, 1048576, "node",                                                     \
      "cores among the nodes that are no memory nodes, lowest first; 0: all")                      \
    F(id, LIST, mem, "", 0, 1048576, "node", "memory nodes")                                       \
    F(id, CHOICE, classes, "dateline", 0, 0, "dateline|balanced",                                  \
      "VC class of a packet: whether it crosses the dateline; balanced: free where it may be")     \
    F(id, INT, link_latency, "2", 1, 256, "cycle", "time on a link between routers")               \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and router")   \
    F(id, REAL, link_mm, "6.6", 0, 1000, "mm", "length of a link between routers")                 \
    F(id, REAL, terminal_mm, "3.3", 0, 1000, "mm", "length of a link between node and router")
CFG_STRUCT(torus, TORUS_ROWS)
CFG_SECTION(torus, TORUS_ROWS, "2D torus: size, concentration, VC classes, memory placement")

enum { EAST, WEST, NORTH, SOUTH, LOCAL };

/* What packet.via holds: for each dimension the direction and the VC class. */
enum { X_MINUS = 1, X_CLASS = 2, Y_MINUS = 4, Y_CLASS = 8 };

enum { RING_CLASSES = 2, END_CLASS = RING_CLASSES };

struct torus {
    uint32_t width, height, conc;
    bool balanced;
    const uint16_t *rx, *ry; /* router coordinates */
    const struct torus_spec *spec;
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct torus_spec *s = config_get(cfg, &torus_section);
    uint64_t total = (uint64_t)s->width * (uint64_t)s->height * (uint64_t)s->concentration;
    if (total > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &torus_section, "width",
                            "%lld x %lld routers of %lld nodes are more than %u nodes",
                            (long long)s->width, (long long)s->height, (long long)s->concentration,
                            TOPOLOGY_MAX_NODES);
    struct placement p = {.total = total, .cores = s->cores, .mem = s->mem};
    return placement_list(cfg, &torus_section, &p, a, n, e);
}

/* ---- routing ---- */

static uint32_t steps_up(uint32_t k, uint32_t from, uint32_t to)
{
    return to >= from ? to - from : to + k - from;
}

/* Way and VC class of a packet on a ring of k: two bits, as in packet.via. */
static uint32_t choose_way(uint32_t k, uint32_t from, uint32_t to, bool balanced, uint64_t draw)
{
    uint32_t up = 2 * steps_up(k, from, to), middle = (k - 1) / 2;
    bool minus = up > k || (up == k && (draw & 1));
    bool wraps = minus ? from < to : from > to;
    bool crosses_middle = (from > middle) != (to > middle);
    bool class_1 = wraps || (balanced && !crosses_middle && (draw & 2));
    return (minus ? X_MINUS : 0) | (class_1 ? X_CLASS : 0);
}

static void launch(const struct route_view *v, const void *ctx, struct packet *p)
{
    const struct torus *t = ctx;
    uint64_t draw = rng_at(rng_key(v->key, p->src), p->serial);
    uint32_t from = p->src / t->conc, to = p->dst / t->conc;
    uint32_t x = choose_way(t->width, t->rx[from], t->rx[to], t->balanced, draw >> 62);
    uint32_t y = choose_way(t->height, t->ry[from], t->ry[to], t->balanced, draw >> 60);
    p->via = (uint16_t)(x | y << 2);
    p->vclass = END_CLASS;
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct torus *t = ctx;
    uint32_t to = t->conc == 1 ? p->dst : p->dst / t->conc;
    (void)v;
    (void)in;
    if (t->rx[router] != t->rx[to])
        return (struct route){
            .out = p->via & X_MINUS ? WEST : EAST, .vclass = (p->via & X_CLASS) != 0, .span = 1};
    if (t->ry[router] != t->ry[to])
        return (struct route){
            .out = p->via & Y_MINUS ? SOUTH : NORTH, .vclass = (p->via & Y_CLASS) != 0, .span = 1};
    return (struct route){
        .out = (uint16_t)(LOCAL + p->dst - to * t->conc), .vclass = END_CLASS, .span = 1};
}

static uint32_t ring_distance(uint32_t k, uint32_t a, uint32_t b)
{
    uint32_t up = steps_up(k, a, b);
    return up < k - up ? up : k - up;
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    const struct torus *t = ctx;
    uint32_t a = src / t->conc, b = dst / t->conc;
    return 1 + ring_distance(t->width, t->rx[a], t->rx[b]) +
           ring_distance(t->height, t->ry[a], t->ry[b]);
}

/* ---- building ---- */

static const struct torus *torus_context(const struct torus_spec *s, struct arena *a)
{
    struct torus *t = ARENA_NEW(a, struct torus);
    uint32_t w = (uint32_t)s->width, h = (uint32_t)s->height;
    uint16_t *rx = ARENA_ARRAY(a, uint16_t, w * h), *ry = ARENA_ARRAY(a, uint16_t, w * h);
    for (uint32_t i = 0; i < w * h; i++) {
        rx[i] = (uint16_t)(i % w);
        ry[i] = (uint16_t)(i / w);
    }
    *t = (struct torus){.width = w,
                        .height = h,
                        .conc = (uint32_t)s->concentration,
                        .balanced = strcmp(s->classes, "balanced") == 0,
                        .rx = rx,
                        .ry = ry,
                        .spec = s};
    return t;
}

static void connect_both(struct graph *g, const struct torus_spec *s, uint32_t r, uint32_t next,
                         uint32_t plus, uint32_t minus)
{
    uint32_t lat = (uint32_t)s->link_latency;
    graph_connect(g, r, plus, next, minus, lat, (float)s->link_mm);
    graph_connect(g, next, minus, r, plus, lat, (float)s->link_mm);
}

static void connect_rings(struct graph *g, const struct torus *t)
{
    uint32_t w = t->width, h = t->height;
    for (uint32_t r = 0; r < w * h; r++) {
        uint32_t x = t->rx[r], y = t->ry[r];
        if (w > 1)
            connect_both(g, t->spec, r, y * w + (x + 1) % w, EAST, WEST);
        if (h > 1)
            connect_both(g, t->spec, r, (y + 1) % h * w + x, NORTH, SOUTH);
    }
}

static void attach(struct graph *g, const void *spec, uint32_t node, bool inject, bool eject)
{
    const struct torus_spec *s = spec;
    uint32_t conc = (uint32_t)s->concentration, r = node / conc, port = LOCAL + node % conc;
    uint32_t lat = (uint32_t)s->terminal_latency;
    if (inject)
        graph_inject(g, node, r, port, lat, (float)s->terminal_mm);
    if (eject)
        graph_eject(g, r, port, node, lat, (float)s->terminal_mm);
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct torus_spec *s = config_get(cfg, &torus_section);
    if (!placement_has_ends(cfg, &torus_section, "mem", dir, n, e))
        return NULL;
    const struct torus *t = torus_context(s, a);
    struct graph *g = graph_new(a, n->total);
    for (uint32_t r = 0; r < t->width * t->height; r++)
        graph_add_router(g, LOCAL + t->conc, LOCAL + t->conc,
                         ((float)t->rx[r] + 0.5f) / (float)t->width,
                         ((float)t->ry[r] + 0.5f) / (float)t->height);
    connect_rings(g, t);
    placement_attach(g, dir, n, s, attach);
    g->ctx = t;
    g->is_plane = true;
    g->hops = hops;
    g->launch = launch;
    g->route = route;
    g->subclasses = RING_CLASSES;
    g->has_end_class = true;
    return g;
}

static const char *fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    uint32_t total = ncores + nmems, width = placement_side(total);
    uint32_t height = (total + width - 1) / width;
    return arena_printf(a, "width=%u height=%u %s", width, height,
                        placement_fit(a, width * height, ncores, nmems));
}

const struct topology topology_torus = {
    .name = "torus",
    .help = "2D torus, any placement of memory nodes; XY routing, dateline VC classes",
    .section = &torus_section,
    .nodes = nodes,
    .fit = fit,
    .build = build,
};
