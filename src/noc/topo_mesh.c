/* topo_mesh.c - 2D mesh with dimension-order or O1TURN routing, optional concentration.
 *
 * Nodes are numbered router by router, row by row; with concentration c, nodes c*r .. c*r+c-1
 * sit at router r.  Any node may be a memory node: placement is a list.  Router ports are
 * +x, -x, +y, -y, then one per local node; ports at the rim stay unconnected but are counted
 * (CD-Xbar paper, Table 2, counts every mesh router as 5x5).
 *
 * O1TURN (Seo et al., ISCA 2005) picks XY or YX per packet at random and keeps the two apart in
 * VC classes, which is what makes it deadlock-free: it needs two VCs per message class. */
#include "noc/topo_mesh.h"

#include <string.h>

#include "base/rng.h"
#include "noc/placement.h"
#include "noc/places.h"

CFG_SECTION_WHEN(mesh, MESH_ROWS, "2D mesh: size, concentration, routing, memory placement",
                 {"even", "noc.topology=smesh|s-mesh|cfnoc|hrcnet"}, {"mem", "mesh.placement=list"},
                 {"mems", "mesh.placement!=list"})

enum {
    EAST = MESH_EAST,
    WEST = MESH_WEST,
    NORTH = MESH_NORTH,
    SOUTH = MESH_SOUTH,
    LOCAL = MESH_LOCAL
};

struct mesh {
    uint32_t width, height, conc;
    bool yx, o1turn;
    const uint16_t *rx, *ry; /* router coordinates */
};

bool mesh_nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n, struct err *e)
{
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    uint64_t total = (uint64_t)s->width * (uint64_t)s->height * (uint64_t)s->concentration;
    if (total > TOPOLOGY_MAX_NODES)
        return config_blame(cfg, e, &mesh_section, "width",
                            "%lld x %lld routers of %lld nodes are more than %u nodes",
                            (long long)s->width, (long long)s->height, (long long)s->concentration,
                            TOPOLOGY_MAX_NODES);
    struct placement p = {.total = total, .cores = s->cores, .mem = s->mem};
    if (strcmp(s->placement, "list") != 0 && !places_named(cfg, a, &p.mem, e))
        return false;
    return placement_list(cfg, &mesh_section, &p, a, n, e);
}

static inline struct route xy(const struct mesh *m, uint32_t router, uint32_t node, bool yx)
{
    uint32_t to = m->conc == 1 ? node : node / m->conc;
    int dx = m->rx[to] - m->rx[router], dy = m->ry[to] - m->ry[router];
    uint16_t x = dx > 0 ? EAST : WEST, y = dy > 0 ? NORTH : SOUTH;
    if (dx != 0 && (!yx || dy == 0))
        return (struct route){.out = x, .span = 1};
    if (dy != 0)
        return (struct route){.out = y, .span = 1};
    return (struct route){.out = (uint16_t)(LOCAL + node - to * m->conc), .span = 1};
}

static struct route route_dor(const struct route_view *v, const void *ctx, uint32_t router,
                              uint32_t in, struct packet *p)
{
    const struct mesh *m = ctx;
    (void)v;
    (void)in;
    return xy(m, router, p->dst, m->yx);
}

static struct route route_o1turn(const struct route_view *v, const void *ctx, uint32_t router,
                                 uint32_t in, struct packet *p)
{
    (void)v;
    (void)in;
    struct route r = xy(ctx, router, p->dst, p->vclass & 1);
    r.vclass = p->vclass & 1;
    return r;
}

static void launch_o1turn(const struct route_view *v, const void *ctx, struct packet *p)
{
    (void)ctx;
    uint64_t draw = rng_at(rng_key(v->key, p->src), p->serial);
    p->vclass = (uint8_t)(draw >> 63);
}

static uint32_t hops(const void *ctx, uint32_t src, uint32_t dst)
{
    const struct mesh *m = ctx;
    uint32_t a = src / m->conc, b = dst / m->conc;
    int dx = m->rx[a] - m->rx[b], dy = m->ry[a] - m->ry[b];
    return (uint32_t)((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) + 1;
}

static const struct mesh *mesh_context(const struct mesh_spec *s, struct arena *a)
{
    struct mesh *m = ARENA_NEW(a, struct mesh);
    uint32_t w = (uint32_t)s->width, h = (uint32_t)s->height, c = (uint32_t)s->concentration;
    uint16_t *rx = ARENA_ARRAY(a, uint16_t, w * h), *ry = ARENA_ARRAY(a, uint16_t, w * h);
    for (uint32_t i = 0; i < w * h; i++) {
        rx[i] = (uint16_t)(i % w);
        ry[i] = (uint16_t)(i / w);
    }
    *m = (struct mesh){.width = w, .height = h, .conc = c, .rx = rx, .ry = ry};
    m->yx = strcmp(s->routing, "yx") == 0;
    m->o1turn = strcmp(s->routing, "o1turn") == 0;
    return m;
}

void mesh_connect(struct graph *g, const struct mesh_spec *s)
{
    uint32_t lat = (uint32_t)s->link_latency, width = (uint32_t)s->width;
    uint32_t height = (uint32_t)s->height;
    float mm = (float)s->link_mm;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            uint32_t r = y * width + x;
            if (x + 1 < width) {
                graph_connect(g, r, EAST, r + 1, WEST, lat, mm);
                graph_connect(g, r + 1, WEST, r, EAST, lat, mm);
            }
            if (y + 1 < height) {
                graph_connect(g, r, NORTH, r + width, SOUTH, lat, mm);
                graph_connect(g, r + width, SOUTH, r, NORTH, lat, mm);
            }
        }
    }
}

static void attach(struct graph *g, const struct mesh *m, const struct mesh_spec *s, uint32_t node,
                   bool inject, bool eject)
{
    uint32_t r = node / m->conc, port = LOCAL + node % m->conc;
    if (inject)
        graph_inject(g, node, r, port, (uint32_t)s->terminal_latency, (float)s->link_mm);
    if (eject)
        graph_eject(g, r, port, node, (uint32_t)s->terminal_latency, (float)s->link_mm);
}

struct graph *mesh_build(const struct config *cfg, enum direction dir,
                         const struct topology_nodes *n, struct arena *a, struct err *e)
{
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    if (dir != DIR_ANY && (n->nmems == 0 || n->ncores == 0)) {
        config_blame(cfg, e, &mesh_section, "mem",
                     "request and reply networks need at least one memory node and one core");
        return NULL;
    }
    const struct mesh *m = mesh_context(s, a);
    struct graph *g = graph_new(a, n->total);
    for (uint32_t r = 0; r < m->width * m->height; r++)
        graph_add_router(g, LOCAL + m->conc, LOCAL + m->conc,
                         ((float)m->rx[r] + 0.5f) / (float)m->width,
                         ((float)m->ry[r] + 0.5f) / (float)m->height);
    mesh_connect(g, s);
    if (dir == DIR_ANY) {
        for (uint32_t i = 0; i < n->total; i++)
            attach(g, m, s, i, true, true);
    } else {
        for (uint32_t i = 0; i < n->ncores; i++)
            attach(g, m, s, n->cores[i], dir == DIR_REQUEST, dir == DIR_REPLY);
        for (uint32_t i = 0; i < n->nmems; i++)
            attach(g, m, s, n->mems[i], dir == DIR_REPLY, dir == DIR_REQUEST);
    }
    g->ctx = m;
    g->is_plane = true;
    g->hops = hops;
    g->route = m->o1turn ? route_o1turn : route_dor;
    g->by_table = !m->o1turn;
    if (m->o1turn) {
        g->launch = launch_o1turn;
        g->subclasses = 2;
    }
    return g;
}

const char *mesh_fit(struct arena *a, uint32_t ncores, uint32_t nmems)
{
    uint32_t total = ncores + nmems, width = placement_side(total);
    uint32_t height = (total + width - 1) / width;
    return arena_printf(a, "width=%u height=%u %s", width, height,
                        placement_fit(a, width * height, ncores, nmems));
}

const struct topology topology_mesh = {
    .name = "mesh",
    .help = "2D mesh, any placement of memory nodes; XY, YX or O1TURN routing",
    .section = &mesh_section,
    .nodes = mesh_nodes,
    .fit = mesh_fit,
    .build = mesh_build,
};
