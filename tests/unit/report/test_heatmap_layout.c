#include "check.h"

#include "report/heatmap_priv.h"
#include "rig/topo_rig.h"

static struct panel lay_out(struct topo_rig *r, const char *topology, const char *settings,
                            enum direction dir)
{
    CHECK(topo_rig_open(r, topology, settings));
    const struct graph *g = topo_rig_build(r, dir);
    struct panel p = {.g = g,
                      .out_util = ARENA_ARRAY(r->arena, double, g->nouts + 1),
                      .in_util = ARENA_ARRAY(r->arena, double, g->nins + 1)};
    heatmap_layout(&p, r->arena);
    return p;
}

static void each_topology_has_its_style(void)
{
    static const struct {
        const char *topology, *settings;
        enum direction dir;
        enum panel_style style;
    } row[] = {
        {"mesh", "", DIR_ANY, PANEL_GRID},
        {"mesh", "mesh.width=64 mesh.height=64", DIR_ANY, PANEL_CELLS},
        {"smesh", "mesh.mem=0,63", DIR_REQUEST, PANEL_GRID},
        {"torus", "", DIR_ANY, PANEL_GRID},
        {"xbar", "", DIR_REPLY, PANEL_COLUMNS},
        {"cxbar", "", DIR_REQUEST, PANEL_COLUMNS},
        {"fly", "", DIR_ANY, PANEL_COLUMNS},
        {"clos", "", DIR_ANY, PANEL_COLUMNS},
        {"cdxbar", "", DIR_REPLY, PANEL_COLUMNS},
        {"ideal", "", DIR_ANY, PANEL_EMPTY},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct topo_rig r;
        struct panel p = lay_out(&r, row[i].topology, row[i].settings, row[i].dir);
        CHECK_EQ(p.style, row[i].style);
        topo_rig_close(&r);
    }
}

static void everything_lies_inside_the_panel(void)
{
    static const struct {
        const char *topology, *settings;
        enum direction dir;
    } row[] = {
        {"mesh", "mesh.width=10 mesh.height=3", DIR_ANY},
        {"mesh", "mesh.width=3 mesh.height=3 mesh.concentration=8", DIR_ANY},
        {"torus", "torus.width=5 torus.height=12", DIR_ANY},
        {"xbar", "xbar.inputs=80 xbar.outputs=16", DIR_REQUEST},
        {"fly", "fly.k=2 fly.n=6", DIR_ANY},
        {"clos", "clos.m=3", DIR_ANY},
        {"clos", "clos.m=1 clos.n=1 clos.r=4096", DIR_ANY},
        {"cdxbar", "", DIR_REQUEST},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct topo_rig r;
        struct panel p = lay_out(&r, row[i].topology, row[i].settings, row[i].dir);
        for (uint32_t b = 0; b < p.g->nrouters; b++) {
            CHECK(p.box[b].x >= 0 && p.box[b].x + p.box[b].w <= p.width);
            CHECK(p.box[b].y >= 0 && p.box[b].y + p.box[b].h <= p.height);
        }
        for (uint32_t s = 0; s < p.nseg; s++) {
            CHECK(p.seg[s].x1 >= 0 && p.seg[s].x1 <= p.width);
            CHECK(p.seg[s].x2 >= 0 && p.seg[s].x2 <= p.width);
            CHECK(p.seg[s].y1 >= 0 && p.seg[s].y1 <= p.height);
            CHECK(p.seg[s].y2 >= 0 && p.seg[s].y2 <= p.height);
        }
        topo_rig_close(&r);
    }
}

static bool is_between(int a, int v, int b)
{
    return a < v && v < b;
}

/* Channels that close a ring leave outwards: none runs over a box. */
static void no_channel_of_a_grid_crosses_a_router(void)
{
    struct topo_rig r;
    struct panel p = lay_out(&r, "torus", "torus.width=6 torus.height=4", DIR_ANY);
    int channels = 0;
    for (uint32_t s = 0; s < p.nseg; s++) {
        const struct segment *g = &p.seg[s];
        if (g->kind != SEG_CHANNEL)
            continue;
        channels++;
        int x = (g->x1 + g->x2) / 2, y = (g->y1 + g->y2) / 2;
        for (uint32_t b = 0; b < p.g->nrouters; b++) {
            const struct box *box = &p.box[b];
            CHECK(!is_between(box->x, x, box->x + box->w) ||
                  !is_between(box->y, y, box->y + box->h));
        }
        CHECK(abs(g->x2 - g->x1) + abs(g->y2 - g->y1) < p.width / 6);
    }
    CHECK_EQ(channels, 4 * 24);
    topo_rig_close(&r);
}

static void routers_of_a_column_do_not_overlap(void)
{
    struct topo_rig r;
    struct panel p = lay_out(&r, "cdxbar", "cdxbar.locals=7", DIR_REQUEST);
    for (uint32_t i = 1; i < 7; i++) {
        CHECK_EQ(p.box[i].x, p.box[0].x);
        CHECK(p.box[i].y >= p.box[i - 1].y + p.box[i - 1].h);
    }
    CHECK(p.box[7].x > p.box[0].x + p.box[0].w);
    topo_rig_close(&r);
}

static void a_cell_is_as_hot_as_its_busiest_output(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=128 mesh.height=128"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    double *util = ARENA_ARRAY(r.arena, double, g->nouts);
    util[g->router[128 * 3 + 5].first_out + 1] = 0.7; /* at (5, 3): cell (2, 1) */
    util[g->router[128 * 3 + 5].first_out + 2] = 0.2;
    struct panel p = {.g = g, .out_util = util, .in_util = ARENA_ARRAY(r.arena, double, g->nins)};
    heatmap_layout(&p, r.arena);
    CHECK_EQ(p.cols, 64);
    CHECK_EQ(p.rows, 64);
    for (uint32_t i = 0; i < 64 * 64; i++)
        CHECK_NEAR(p.cell[i], i == 64 * 1 + 2 ? 0.7 : 0, 0);
    topo_rig_close(&r);
}

CHECK_MAIN("heatmap_layout", TEST(each_topology_has_its_style),
           TEST(everything_lies_inside_the_panel), TEST(no_channel_of_a_grid_crosses_a_router),
           TEST(routers_of_a_column_do_not_overlap), TEST(a_cell_is_as_hot_as_its_busiest_output))
