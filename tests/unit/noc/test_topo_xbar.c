#include "check.h"

#include "rig/topo_rig.h"

static void every_packet_arrives_through_one_router(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "xbar", "xbar.inputs=20 xbar.outputs=6"));
    CHECK_EQ(r.nodes.total, 26);
    CHECK_EQ(r.nodes.mems[0], 20);
    for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
        const struct graph *g = topo_rig_build(&r, dir);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(g->nrouters, 1);
        CHECK_EQ(g->router[0].nin, dir == DIR_REQUEST ? 20 : 6);
        CHECK_EQ(g->router[0].nout, dir == DIR_REQUEST ? 6 : 20);
        CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    }
    topo_rig_close(&r);
}

static void a_square_one_joins_all_nodes_to_all(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "xbar", "xbar.inputs=9 xbar.outputs=9"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    CHECK_EQ(g->nnodes, 9);
    CHECK_EQ(graph_sources(g, NULL), 9);
    CHECK_EQ(graph_sinks(g, NULL), 9);
    CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "xbar", "xbar.inputs=80 xbar.outputs=16", DIR_ANY),
                 "xbar.outputs=16: one network for all nodes needs a square crossbar") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "xbar", "xbar.inputs=1000000000", DIR_REQUEST),
                 "xbar.inputs") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "xbar", "xbar.outputs=0", DIR_REQUEST), "xbar.outputs") !=
          NULL);
}

CHECK_MAIN("topo_xbar", TEST(every_packet_arrives_through_one_router),
           TEST(a_square_one_joins_all_nodes_to_all), TEST(what_does_not_fit_is_refused))
