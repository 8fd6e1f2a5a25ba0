/* topo_intra.c - intra-clustering: a mesh whose memory nodes are joined by an optical ring.
 *
 * Yuan et al., Intra-Clustering: Accelerating On-Chip Communication for Data Parallel Architectures,
 * section II.C.  Every core belongs to its nearest memory node, its host.  Within a cluster, between
 * cores, and from a core to a memory node less than `threshold` hops away packets go by dimension order.
 * All others between cores and memory nodes go by the core's host: to it (or from it) over the mesh,
 * and over the ring between it and the other memory node.  Memory nodes talk over the ring only.
 *
 * The mesh is that of section `mesh`; the ring is ring.c.  A station is a sixth port of the memory
 * node's router, or (port: shared) it has one port there together with the node, behind a small switch
 * of three ports.  Stations stand on the ring in the order of their angles around the centre of the
 * mesh, as far apart as their nodes are (or evenly).
 *
 * Deadlock: packets before and after the ring have VC classes of their own where both may be on one
 * mesh; see docs/model/intra.md.
 *
 * `adaptive`, which the paper leaves as future work: the router where a packet enters may take it off
 * the ring's way.  Its signals are ours: room behind its own outputs, and the queue of the host's
 * station, which it is taken to know at once. */
#include <math.h>
#include <string.h>

#include "noc/clusters.h"
#include "noc/placement.h"
#include "noc/topo_mesh.h"

#define INTRA_ROWS(F, id)                                                                          \
    F(id, INT, round_trip, "8", 1, 256, "cycle", "of light on the ring")                           \
    F(id, INT, wavelengths, "128", 1, 65536, "", "of a channel of the ring")                       \
    F(id, INT, bits_per_wavelength, "5", 1, 1024, "bit", "that one carries in a network cycle")    \
    F(id, INT, slot_flits, "5", 1, 255, "flit", "that a slot carries; longer packets take more")   \
    F(id, INT, read_places, "8", 1, 255, "packet",                                                 \
      "that a reader has room for, by message class: its tokens")                                  \
    F(id, INT, send_places, "4", 1, 255, "packet",                                                 \
      "that a station has room for on their way to the ring, by message class")                    \
    F(id, CHOICE, arbiter, "fixed", 0, 0, "fixed|fair",                                            \
      "who takes a token: the first that it passes, or nobody twice while others wait")            \
    F(id, CHOICE, forwarding, "cut_through", 0, 0, "cut_through|store_and_forward",                \
      "between mesh and ring")                                                                     \
    F(id, CHOICE, port, "own", 0, 0, "own|shared",                                                 \
      "of the ring at a router: a sixth one, or the memory node's")                                \
    F(id, INT, port_latency, "1", 1, 64, "cycle", "between a router and its station")              \
    F(id, CHOICE, spacing, "distance", 0, 0, "distance|even", "of the stations on the ring")       \
    F(id, REAL, ring_mm, "0", 0, 10000, "mm", "round the ring; 0: as far as its nodes are apart")  \
    F(id, INT, threshold, "2", 0, 65535, "hop", "from which on the ring is taken")                 \
    F(id, INT, seed, "1", 0, 1e15, "", "of draws between hosts that are equally near")             \
    F(id, LIST, pins, "", 0, 1048576, "node", "core, host, core, host, ...")                       \
    F(id, INT, vc_classes, "2", 1, 2, "",                                                          \
      "on one mesh for everything: 2, packets before and after the ring in VCs of their own")      \
    F(id, CHOICE, adaptive, "none", 0, 0, "none|local|queue|both",                                 \
      "when a packet avoids the ring: its own router's outputs, the host's queue, or both")        \
    F(id, INT, queue_high, "3", 1, 65535, "packet", "from which on a queue is long")               \
    F(id, INT, queue_low, "1", 0, 65535, "packet", "both: until which it stays so")
CFG_STRUCT(intra, INTRA_ROWS)
CFG_SECTION_WHEN(intra, INTRA_ROWS, "a mesh whose memory nodes are joined by an optical ring",
                 {"vc_classes", "noc.networks=one"}, {"queue_high", "intra.adaptive=queue|both"},
                 {"queue_low", "intra.adaptive=both"})

enum { RING = MESH_LOCAL + 1, PORTS };
/* Ports of the switch between a router, a memory node and its station. */
enum { AT_MESH, AT_NODE, AT_RING, AT_PORTS };

#define AFTER UINT16_MAX /* packet.via: it has left the ring */

enum adaptive { ADAPT_NONE, ADAPT_LOCAL, ADAPT_QUEUE, ADAPT_BOTH };

struct intra {
    uint32_t width, nrouters, threshold;
    bool yx, is_shared;
    enum adaptive adaptive;
    uint32_t queue_high;
    uint32_t classes; /* of VCs: 1, or 2 and the end class */
    const uint32_t *host;
    const uint32_t *station_of; /* by node; GRAPH_NONE: it has none */
    const uint32_t *node_of;    /* by station */
};

static bool nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e)
{
    const struct mesh_spec *m = config_get(cfg, &mesh_section);
    const struct intra_spec *s = config_get(cfg, &intra_section);
    if (!mesh_nodes(cfg, a, n, e))
        return false;
    if (m->concentration != 1)
        return config_blame(cfg, e, &mesh_section, "concentration",
                            "the mesh with a ring has one node per router, not %lld",
                            (long long)m->concentration);
    if (strcmp(m->routing, "o1turn") == 0)
        return config_blame(cfg, e, &mesh_section, "routing",
                            "the mesh with a ring takes xy or yx");
    if (n->nmems < 2 || n->nmems >= AFTER - 1 || n->ncores == 0)
        return config_blame(cfg, e, &mesh_section, "mem",
                            "a ring joins at least two memory nodes, and needs cores");
    if (s->queue_low >= s->queue_high)
        return config_blame(cfg, e, &intra_section, "queue_low",
                            "%lld is not below queue_high, %lld", (long long)s->queue_low,
                            (long long)s->queue_high);
    return true;
}

/* ---- routes ---- */

static uint16_t towards(const struct intra *m, uint32_t router, uint32_t node)
{
    uint32_t x = router % m->width, y = router / m->width;
    uint32_t tx = node % m->width, ty = node / m->width;
    if (x != tx && (!m->yx || y == ty))
        return tx > x ? MESH_EAST : MESH_WEST;
    if (y != ty)
        return ty > y ? MESH_NORTH : MESH_SOUTH;
    return MESH_LOCAL;
}

/* The station where a packet leaves the ring, and 1; 0: it stays on the mesh. */
static uint16_t plan(const struct intra *m, uint32_t src, uint32_t dst)
{
    uint32_t from = m->station_of[src], to = m->station_of[dst];
    bool is_core = from == GRAPH_NONE, to_core = to == GRAPH_NONE;
    if ((is_core && to_core) || m->host[src] == m->host[dst])
        return 0;
    if (is_core != to_core && clusters_distance(m->width, src, dst) < m->threshold)
        return 0;
    return (uint16_t)(1 + (to_core ? m->station_of[m->host[dst]] : to));
}

static uint32_t room(const struct route_view *v, const struct intra *m, uint32_t router,
                     uint32_t out, const struct packet *p)
{
    bool at_end = out >= MESH_LOCAL && m->classes > 1;
    return v->room(v->net, router, out, p->msgclass * m->classes + (at_end ? m->classes - 1 : 0));
}

/* Whether a packet that was to take the ring goes by the mesh instead. */
static bool avoids_ring(const struct route_view *v, const struct intra *m, uint32_t router,
                        uint16_t by_ring, const struct packet *p)
{
    uint16_t by_mesh = towards(m, router, p->dst);
    uint32_t station = m->station_of[m->host[p->src]];
    if (!v->queue)
        return false; /* nobody is there to ask: an empty network */
    uint32_t ring_room = room(v, m, router, by_ring, p), mesh_room = room(v, m, router, by_mesh, p);
    if (m->adaptive == ADAPT_LOCAL)
        return mesh_room > ring_room;
    if (m->adaptive == ADAPT_QUEUE)
        return v->queue(v->net, station, p->msgclass) >= m->queue_high;
    return v->is_crowded(v->net, station, p->msgclass) && mesh_room >= ring_room;
}

static bool may_adapt(const struct intra *m, uint32_t router, const struct packet *p)
{
    bool is_mem = m->station_of[p->src] != GRAPH_NONE;
    return m->adaptive != ADAPT_NONE && router == p->src &&
           !(is_mem && m->station_of[p->dst] != GRAPH_NONE) && !(is_mem && m->is_shared);
}

static struct route with_class(const struct intra *m, uint16_t out, bool is_end,
                               const struct packet *p)
{
    uint32_t own = p->via == AFTER;
    return (struct route){.out = out,
                          .span = 1,
                          .vclass = (uint8_t)(m->classes == 1 ? 0
                                              : is_end        ? 2
                                                              : own)};
}

/* In the switch of a shared port. */
static struct route route_switch(const struct intra *m, uint32_t router, const struct packet *p)
{
    uint32_t node = m->node_of[router - m->nrouters];
    bool to_ring = p->via != 0 && p->via != AFTER;
    uint16_t out = to_ring ? AT_RING : p->dst == node ? AT_NODE : AT_MESH;
    return with_class(m, out, out != AT_MESH, p);
}

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    const struct intra *m = ctx;
    (void)in;
    if (router >= m->nrouters)
        return route_switch(m, router, p);
    if (p->via == 0 || p->via == AFTER) {
        uint16_t out = towards(m, router, p->dst);
        return with_class(m, out, out == MESH_LOCAL, p);
    }
    uint16_t out = towards(m, router, m->host[p->src]);
    if (out == MESH_LOCAL && !m->is_shared)
        out = RING;
    if (may_adapt(m, router, p) && avoids_ring(v, m, router, out, p)) {
        p->via = 0;
        out = towards(m, router, p->dst);
    }
    return with_class(m, out, out >= MESH_LOCAL, p);
}

static void launch(const struct route_view *v, const void *ctx, struct packet *p)
{
    const struct intra *m = ctx;
    (void)v;
    p->via = plan(m, p->src, p->dst);
    p->vclass = (uint8_t)(m->classes - 1);
}

static void leave(const void *ctx, struct packet *p)
{
    const struct intra *m = ctx;
    p->via = AFTER;
    p->vclass = (uint8_t)(m->classes - 1);
}

/* Routers on the way; the switch of a shared port is one. */
static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    const struct intra *m = ctx;
    uint16_t via = plan(m, src, dst);
    bool from_mem = m->station_of[src] != GRAPH_NONE, to_mem = m->station_of[dst] != GRAPH_NONE;
    uint32_t ends = m->is_shared ? from_mem + to_mem : 0;
    if (src == dst)
        return 1;
    if (!via)
        return clusters_distance(m->width, src, dst) + 1 + ends;
    uint32_t first = m->host[src], last = m->node_of[via - 1u];
    uint32_t on_mesh =
        clusters_distance(m->width, src, first) + clusters_distance(m->width, last, dst);
    if (!m->is_shared)
        return on_mesh + 2;
    return on_mesh + 2 + !from_mem + !to_mem; /* both switches, and the routers of cores' sides */
}

/* ---- building ---- */

static const uint32_t *pinned(const struct config *cfg, const struct topology_nodes *n,
                              struct arena *a, struct err *e)
{
    const struct intra_spec *s = config_get(cfg, &intra_section);
    uint32_t *pin = ARENA_ARRAY(a, uint32_t, n->total);
    bool *is_mem = ARENA_ARRAY(a, bool, n->total);
    for (uint32_t i = 0; i < n->total; i++)
        pin[i] = GRAPH_NONE;
    for (uint32_t i = 0; i < n->nmems; i++)
        is_mem[n->mems[i]] = true;
    for (int i = 0; i + 1 < s->pins.n; i += 2) {
        int64_t core = s->pins.v[i], host = s->pins.v[i + 1];
        if (core >= (int64_t)n->total || host >= (int64_t)n->total || is_mem[core] ||
            !is_mem[host]) {
            config_blame(cfg, e, &intra_section, "pins",
                         "%lld and %lld are not a core and a memory node", (long long)core,
                         (long long)host);
            return NULL;
        }
        pin[core] = (uint32_t)host;
    }
    if (s->pins.n % 2) {
        config_blame(cfg, e, &intra_section, "pins", "%d nodes are not pairs of core and host",
                     s->pins.n);
        return NULL;
    }
    return pin;
}

static const struct intra *context(const struct config *cfg, enum direction dir,
                                   const struct topology_nodes *n, struct arena *a, struct err *e)
{
    static const char *const names[] = {"none", "local", "queue", "both"};
    const struct mesh_spec *ms = config_get(cfg, &mesh_section);
    const struct intra_spec *s = config_get(cfg, &intra_section);
    struct intra *m = ARENA_NEW(a, struct intra);
    uint32_t *station = ARENA_ARRAY(a, uint32_t, n->total);
    struct clusters_ask ask = {
        .width = (uint32_t)ms->width, .seed = (uint64_t)s->seed, .pinned = pinned(cfg, n, a, e)};
    if (!ask.pinned)
        return NULL;
    *m = (struct intra){.width = ask.width,
                        .nrouters = n->total,
                        .threshold = (uint32_t)s->threshold,
                        .yx = strcmp(ms->routing, "yx") == 0,
                        .is_shared = strcmp(s->port, "shared") == 0,
                        .queue_high = (uint32_t)s->queue_high,
                        .classes = dir == DIR_ANY && s->vc_classes == 2 ? 3 : 1,
                        .host = clusters_of(n, &ask, a),
                        .station_of = station,
                        .node_of = n->mems};
    while (strcmp(names[m->adaptive], s->adaptive) != 0)
        m->adaptive++;
    for (uint32_t i = 0; i < n->total; i++)
        station[i] = GRAPH_NONE;
    for (uint32_t i = 0; i < n->nmems; i++)
        station[n->mems[i]] = i;
    return m;
}

/* Stations by their angle around the middle of the mesh: the order in which light passes them. */
static uint32_t *tour(const struct mesh_spec *s, const struct topology_nodes *n, struct arena *a)
{
    uint32_t *order = ARENA_ARRAY(a, uint32_t, n->nmems);
    double *angle = ARENA_ARRAY(a, double, n->nmems);
    for (uint32_t i = 0; i < n->nmems; i++) {
        double x = (double)(n->mems[i] % (uint32_t)s->width) - (double)(s->width - 1) / 2;
        double y = (double)(n->mems[i] / (uint32_t)s->width) - (double)(s->height - 1) / 2;
        /* Grows with the angle, and is made of exact operations only. */
        double t = x == 0 && y == 0 ? 0 : x / (fabs(x) + fabs(y));
        angle[i] = y >= 0 ? 1 - t : 3 + t;
        uint32_t at = i;
        for (; at > 0 && angle[order[at - 1]] > angle[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

static struct graph_ring *ring_of(const struct intra_spec *s, struct arena *a)
{
    struct graph_ring *r = ARENA_NEW(a, struct graph_ring);
    *r = (struct graph_ring){.medium = MEDIUM_OPTICAL,
                             .round_trip = (uint32_t)s->round_trip,
                             .bits = (uint32_t)(s->wavelengths * s->bits_per_wavelength),
                             .bits_per_wavelength = (uint32_t)s->bits_per_wavelength,
                             .slot_flits = (uint32_t)s->slot_flits,
                             .send_places = (uint32_t)s->send_places,
                             .read_places = (uint32_t)s->read_places,
                             .queue_high = (uint32_t)s->queue_high,
                             .queue_low = (uint32_t)s->queue_low,
                             .stores = strcmp(s->forwarding, "store_and_forward") == 0,
                             .is_fair = strcmp(s->arbiter, "fair") == 0};
    return r;
}

/* Where stations stand, and how long the ring is. */
static double *places(const struct config *cfg, const struct topology_nodes *n, double *length_mm,
                      struct arena *a)
{
    const struct mesh_spec *ms = config_get(cfg, &mesh_section);
    const struct intra_spec *s = config_get(cfg, &intra_section);
    const uint32_t *order = tour(ms, n, a);
    double *place = ARENA_ARRAY(a, double, n->nmems), way = 0;
    bool even = strcmp(s->spacing, "even") == 0;
    for (uint32_t k = 0; k < n->nmems; k++) {
        uint32_t from = n->mems[order[k]], to = n->mems[order[(k + 1) % n->nmems]];
        place[order[k]] = even ? (double)k : way;
        way += clusters_distance((uint32_t)ms->width, from, to);
    }
    *length_mm = s->ring_mm > 0 ? s->ring_mm : way * ms->link_mm;
    for (uint32_t i = 0; i < n->nmems; i++)
        place[i] /= even ? (double)n->nmems : way;
    return place;
}

static void add_routers(struct graph *g, const struct mesh_spec *s, const struct intra *m)
{
    for (uint32_t r = 0; r < m->nrouters; r++) {
        uint32_t x = r % m->width, y = r / m->width;
        bool has_ring = m->station_of[r] != GRAPH_NONE && !m->is_shared;
        uint32_t ports = has_ring ? PORTS : MESH_LOCAL + 1;
        graph_add_router(g, ports, ports, ((float)x + 0.5f) / (float)s->width,
                         ((float)y + 0.5f) / (float)s->height);
    }
    mesh_connect(g, s);
}

/* The switch of a shared port: no route to find, a cycle each for VC and switch, no traversal. */
static void add_switch(struct graph *g, const struct mesh_spec *s, uint32_t node)
{
    const struct graph_pipeline quick = {.vc_delay = 1, .sw_delay = 1};
    const struct graph_router *at = &g->router[node];
    uint32_t id = graph_add_router(g, AT_PORTS, AT_PORTS, at->x + 0.2f / (float)s->width,
                                   at->y + 0.2f / (float)s->height);
    uint32_t latency = (uint32_t)s->terminal_latency;
    graph_set_pipeline(g, id, quick);
    graph_connect(g, node, MESH_LOCAL, id, AT_MESH, latency, (float)s->link_mm);
    graph_connect(g, id, AT_MESH, node, MESH_LOCAL, latency, (float)s->link_mm);
}

static void attach(struct graph *g, const struct mesh_spec *s, const struct intra *m, uint32_t node,
                   const bool ways[2])
{
    uint32_t station = m->station_of[node], latency = (uint32_t)s->terminal_latency;
    bool is_behind = m->is_shared && station != GRAPH_NONE;
    uint32_t router = is_behind ? m->nrouters + station : node;
    uint32_t port = is_behind ? AT_NODE : MESH_LOCAL;
    if (ways[0])
        graph_inject(g, node, router, port, is_behind ? 0 : latency, (float)s->link_mm);
    if (ways[1])
        graph_eject(g, router, port, node, is_behind ? 0 : latency, (float)s->link_mm);
}

static void attach_all(struct graph *g, const struct mesh_spec *s, const struct intra *m,
                       enum direction dir, const struct topology_nodes *n)
{
    const bool all[2] = {true, true}, cores[2] = {dir == DIR_REQUEST, dir == DIR_REPLY};
    const bool mems[2] = {dir == DIR_REPLY, dir == DIR_REQUEST};
    for (uint32_t i = 0; dir == DIR_ANY && i < n->total; i++)
        attach(g, s, m, i, all);
    for (uint32_t i = 0; dir != DIR_ANY && i < n->ncores; i++)
        attach(g, s, m, n->cores[i], cores);
    for (uint32_t i = 0; dir != DIR_ANY && i < n->nmems; i++)
        attach(g, s, m, n->mems[i], mems);
}

static void add_ring(struct graph *g, const struct config *cfg, const struct topology_nodes *n,
                     const struct intra *m)
{
    const struct intra_spec *s = config_get(cfg, &intra_section);
    struct graph_ring *ring = ring_of(s, g->arena);
    double length;
    const double *place = places(cfg, n, &length, g->arena);
    ring->length_mm = (float)length;
    for (uint32_t i = 0; i < n->nmems; i++) {
        uint32_t router = m->is_shared ? m->nrouters + i : n->mems[i];
        uint32_t port = m->is_shared ? AT_RING : RING;
        graph_add_station(g, ring, router, port, port, (uint32_t)s->port_latency, (float)place[i]);
    }
}

static struct graph *build(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    const struct intra *m = context(cfg, dir, n, a, e);
    if (!m)
        return NULL;
    struct graph *g = graph_new(a, n->total);
    add_routers(g, s, m);
    for (uint32_t i = 0; m->is_shared && i < n->nmems; i++)
        add_switch(g, s, n->mems[i]);
    attach_all(g, s, m, dir, n);
    add_ring(g, cfg, n, m);
    g->ctx = m;
    g->is_plane = true;
    g->route = route;
    g->launch = launch;
    g->leave = leave;
    g->hops = m->adaptive == ADAPT_NONE ? hops : NULL;
    g->subclasses = m->classes > 1 ? 2 : 1;
    g->has_end_class = m->classes > 1;
    return g;
}

const struct topology topology_intra = {
    .name = "intra",
    .alias = "intra_mesh",
    .help = "mesh of section mesh whose memory nodes are joined by an optical ring",
    .section = &intra_section,
    .nodes = nodes,
    .build = build,
};
