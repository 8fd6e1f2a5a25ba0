/* Bisection bandwidth against closed forms, and against an exhaustive search on small graphs. */
#include "check.h"

#include "base/rng.h"
#include "noc/bisection.h"
#include "rig/topo_rig.h"

static void takes(const char *topology, const char *settings, enum direction dir, uint32_t there,
                  uint32_t back)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, topology, settings));
    struct bisection b = bisection_of(topo_rig_build(&r, dir), 32, r.arena);
    if (b.there != there || b.back != back)
        print_error("%s %s: %u + %u channels, not %u + %u\n", topology, settings, b.there, b.back,
                    there, back);
    CHECK_EQ(b.there, there);
    CHECK_EQ(b.back, back);
    topo_rig_close(&r);
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Across the longer side: as many channels as the shorter one has routers, and one more where the
 * middle column is cut in two. */
static uint32_t mesh_channels(uint32_t w, uint32_t h)
{
    uint32_t columns = h + (w % 2 && h > 1), rows = w + (h % 2 && w > 1);
    return w == 1 ? 1 : h == 1 ? 1 : least(columns, rows);
}

static void a_mesh_is_cut_in_the_middle_of_its_longer_side(void)
{
    for (uint32_t w = 1; w <= 9; w++) {
        for (uint32_t h = 1; h <= 9; h++) {
            char set[64];
            uint32_t n = w * h > 1 ? mesh_channels(w, h) : 0;
            snprintf(set, sizeof set, "mesh.width=%u mesh.height=%u", w, h);
            takes("mesh", set, DIR_ANY, n, n);
        }
    }
}

/* Rings are cut at two places; a ring of two has two channels each way. */
static void a_torus_has_twice_the_channels_of_a_mesh(void)
{
    for (uint32_t w = 2; w <= 9; w++) {
        for (uint32_t h = 2; h <= 9; h++) {
            char set[64];
            uint32_t n = 2 * mesh_channels(w, h);
            snprintf(set, sizeof set, "torus.width=%u torus.height=%u", w, h);
            takes("torus", set, DIR_ANY, n, n);
        }
    }
}

static void concentration_and_placement_do_not_matter_to_a_mesh(void)
{
    takes("mesh", "mesh.concentration=4", DIR_ANY, 8, 8);
    takes("mesh", "mesh.mem=0-7", DIR_REQUEST, 8, 8);
    takes("mesh", "mesh.mem=3,15,17,29,36,47,49,61", DIR_REPLY, 8, 8);
}

/* All memory in the first row, XY routing: requests turn into their column and go down it, nothing
 * goes up; replies run along the first row, the only one whose channels are left. */
static void a_trimmed_mesh_has_what_is_left(void)
{
    takes("smesh", "mesh.mem=0-7", DIR_REQUEST, 0, 8);
    takes("smesh", "mesh.mem=0-7", DIR_REPLY, 1, 1);
    takes("smesh", "mesh.mem=0-7 mesh.routing=yx", DIR_REPLY, 8, 0);
}

static void a_crossbar_has_its_smaller_side(void)
{
    takes("xbar", "xbar.inputs=80 xbar.outputs=16", DIR_REQUEST, 16, 0);
    takes("xbar", "xbar.inputs=80 xbar.outputs=16", DIR_REPLY, 16, 0);
    takes("xbar", "xbar.inputs=5 xbar.outputs=16", DIR_REQUEST, 5, 0);
    takes("xbar", "xbar.inputs=64 xbar.outputs=64", DIR_ANY, 64, 0);
    takes("cxbar", "cxbar.cores=80 cxbar.ports=12 cxbar.mems=16", DIR_REQUEST, 12, 0);
    takes("cxbar", "cxbar.cores=80 cxbar.ports=24 cxbar.mems=16 cxbar.mem_ports=5", DIR_REPLY, 5,
          0);
}

/* "CD-Xbar has the same bisection bandwidth as a fully-connected crossbar" (section 3.3), unless its
 * ports are too few. */
static void a_cdxbar_has_that_of_a_crossbar_or_of_its_ports(void)
{
    takes("cdxbar", "", DIR_REQUEST, 16, 0);
    takes("cdxbar", "", DIR_REPLY, 16, 0);
    takes("cdxbar", "cdxbar.ports=1", DIR_REQUEST, 8, 0);
    takes("cdxbar", "cdxbar.cores=56 cdxbar.mems=8 cdxbar.locals=4 cdxbar.ports=3", DIR_REPLY, 8,
          0);
    /* 1 + 1 + 3 of 4 ports: local crossbars of one core have no use for more */
    takes("cdxbar", "cdxbar.cores=5 cdxbar.locals=3 cdxbar.sizes=1,1,3 cdxbar.ports=3", DIR_REQUEST,
          5, 0);
    takes("cdxbar", "cdxbar.cores=6 cdxbar.locals=3 cdxbar.sizes=1,1,4 cdxbar.ports=3", DIR_REQUEST,
          5, 0);
}

static void a_clos_has_the_narrower_of_nodes_and_middle(void)
{
    for (uint32_t m = 1; m <= 12; m += 3) {
        char set[64];
        snprintf(set, sizeof set, "clos.m=%u clos.n=6 clos.r=5", m);
        takes("clos", set, DIR_ANY, 5 * least(m, 6), 0);
    }
    /* 6 of 16 at a switch that 8 channels reach, 10 at another */
    takes("clos", "clos.m=8 clos.n=10 clos.r=10 clos.cores=80 clos.mem=84-99", DIR_REQUEST, 14, 0);
    /* all 16 at the last two switches, which two channels reach each */
    takes("clos", "clos.m=2 clos.n=8 clos.r=10 clos.cores=64 clos.mem=64-79", DIR_REQUEST, 4, 0);
}

static void a_butterfly_has_its_nodes(void)
{
    takes("fly", "fly.k=2 fly.n=3", DIR_ANY, 8, 0);
    takes("fly", "fly.k=8 fly.n=2", DIR_ANY, 64, 0);
    /* 6 of 16 at a last switch, 10 at another, and from each of 8 first switches one channel to both */
    takes("fly", "fly.k=10 fly.n=2 fly.cores=80 fly.mem=84-99", DIR_REQUEST, 14, 0);
}

static void a_shared_channel_counts_once(void)
{
    takes("mwsr", "mwsr.inputs=80 mwsr.outputs=16", DIR_REQUEST, 16, 0);
    takes("mwsr", "mwsr.inputs=80 mwsr.outputs=16", DIR_REPLY, 16, 0);
    takes("mwsr", "mwsr.inputs=3 mwsr.outputs=16", DIR_REQUEST, 3, 0);
}

static void an_ideal_network_has_none(void)
{
    takes("ideal", "ideal.cores=8 ideal.mems=8", DIR_REQUEST, 0, 0);
}

/* By definition: the fewest channels that leave any set of routers with all sources on its side. */
static uint32_t narrowest(const struct graph *g)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t set = 0; set < 1u << g->nrouters; set++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < g->nins; i++)
            n += g->in[i].src_node != GRAPH_NONE && !(set >> g->in[i].router & 1);
        for (uint32_t o = 0; o < g->nouts; o++) {
            const struct graph_out *out = &g->out[o];
            bool is_near = set >> out->router & 1;
            if (out->dst_node != GRAPH_NONE)
                n += is_near;
            else if (out->dst_router != GRAPH_NONE)
                n += is_near && !(set >> out->dst_router & 1);
        }
        best = least(best, n);
    }
    return best;
}

static void random_graphs_agree_with_the_definition(void)
{
    enum { ROUTERS = 8, PORTS = 5 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct arena *a = arena_new();
        struct graph *g = graph_new(a, 2 * ROUTERS * PORTS);
        uint32_t node = 0, draws = 0;
        for (uint32_t r = 0; r < ROUTERS; r++)
            graph_add_router(g, PORTS, PORTS, 0, 0);
        for (uint32_t p = 0; p < ROUTERS * PORTS; p++) {
            uint64_t draw = rng_at(seed, draws++);
            uint32_t from = p / PORTS, to = (uint32_t)(draw >> 8) % ROUTERS;
            if (draw % 8 == 0)
                graph_eject(g, from, p % PORTS, node++, 1, 1);
            if (draw % 8 < 4)
                continue;
            for (uint32_t i = 0; i < PORTS; i++)
                if (g->in[to * PORTS + i].src_out == GRAPH_NONE) {
                    graph_connect(g, from, p % PORTS, to, i, 1, 1);
                    break;
                }
        }
        for (uint32_t i = 0; i < ROUTERS * PORTS; i++)
            if (g->in[i].src_out == GRAPH_NONE && rng_at(seed, draws++) % 3 == 0)
                graph_inject(g, node++, i / PORTS, i % PORTS, 1, 1);
        CHECK_EQ(bisection_of(g, 32, a).there, narrowest(g));
        arena_free(a);
    }
}

static void text_says_bytes_and_method(void)
{
    struct arena *a = arena_new();
    struct bisection mesh = {.is_plane = true, .there = 8, .back = 7, .width = 16};
    struct bisection xbar = {.there = 16, .width = 32};
    CHECK_STR(bisection_text(&mesh, a),
              "240 bytes per cycle, 8 + 7 channels of 16 across the middle");
    CHECK_STR(bisection_text(&xbar, a),
              "512 bytes per cycle, 16 channels of 32 from sources to sinks");
    CHECK_EQ(bisection_one_way(&mesh), 128);
    CHECK_EQ(bisection_one_way(&xbar), 512);
    arena_free(a);
}

CHECK_MAIN("bisection", TEST(a_mesh_is_cut_in_the_middle_of_its_longer_side),
           TEST(a_torus_has_twice_the_channels_of_a_mesh),
           TEST(concentration_and_placement_do_not_matter_to_a_mesh),
           TEST(a_trimmed_mesh_has_what_is_left), TEST(a_crossbar_has_its_smaller_side),
           TEST(a_cdxbar_has_that_of_a_crossbar_or_of_its_ports),
           TEST(a_clos_has_the_narrower_of_nodes_and_middle), TEST(a_butterfly_has_its_nodes),
           TEST(a_shared_channel_counts_once), TEST(an_ideal_network_has_none),
           TEST(random_graphs_agree_with_the_definition), TEST(text_says_bytes_and_method))
