#include "check.h"

#include "rig/topo_rig.h"

static void every_packet_arrives_in_manhattan_distance_plus_one_routers(void)
{
    static const char *const settings[] = {
        "mesh.width=5 mesh.height=4",
        "mesh.width=5 mesh.height=4 mesh.routing=yx",
        "mesh.width=4 mesh.height=5 mesh.routing=o1turn",
        "mesh.width=3 mesh.height=3 mesh.concentration=3",
        "mesh.width=3 mesh.height=2 mesh.concentration=4",
        "mesh.width=1 mesh.height=1",
        "mesh.width=7 mesh.height=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "mesh", settings[i]));
        const struct graph *g = topo_rig_build(&r, DIR_ANY);
        CHECK(g != NULL);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(topo_rig_lost(&r, g, 4), 0);
        topo_rig_close(&r);
    }
}

static void xy_leaves_along_the_row_and_yx_along_the_column(void)
{
    struct topo_rig r;
    struct packet p = {.src = 0, .dst = 15};
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=4 mesh.height=4"));
    CHECK_EQ(topo_rig_first_route(&r, topo_rig_build(&r, DIR_ANY), &p).out, 0);
    topo_rig_close(&r);
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=4 mesh.height=4 mesh.routing=yx"));
    CHECK_EQ(topo_rig_first_route(&r, topo_rig_build(&r, DIR_ANY), &p).out, 2);
    topo_rig_close(&r);
}

static void o1turn_takes_both_orders_in_classes_of_their_own(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=4 mesh.height=4 mesh.routing=o1turn"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    int taken[2] = {0};
    CHECK_EQ(g->subclasses, 2);
    for (uint32_t i = 0; i < 1000; i++) {
        struct packet p = {.src = 0, .dst = 15, .serial = i};
        struct route to = topo_rig_first_route(&r, g, &p);
        CHECK_EQ(to.out, to.vclass == 0 ? 0 : 2);
        taken[to.vclass]++;
    }
    CHECK(taken[0] > 430 && taken[1] > 430);
    topo_rig_close(&r);
}

static void requests_go_from_cores_to_memory_only(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "mesh", "mesh.width=3 mesh.height=3 mesh.cores=6 mesh.mem=0,8"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    CHECK_EQ(graph_sources(g, NULL), 6);
    CHECK_EQ(graph_sinks(g, NULL), 2);
    CHECK_EQ(g->inject[0], GRAPH_NONE);
    CHECK_EQ(g->eject[1], GRAPH_NONE);
    CHECK_EQ(g->inject[7], GRAPH_NONE); /* the spare position */
    CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    g = topo_rig_build(&r, DIR_REPLY);
    CHECK_EQ(graph_sources(g, NULL), 2);
    CHECK_EQ(graph_sinks(g, NULL), 6);
    CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "mesh.width=32768 mesh.height=32768", DIR_ANY),
                 "mesh.width") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "mesh.width=1000000000", DIR_ANY), "mesh.width") !=
          NULL);
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "mesh.mem=64", DIR_ANY), "mesh.mem") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "mesh.cores=60 mesh.mem=1-5", DIR_ANY),
                 "mesh.cores") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "mesh", "", DIR_REQUEST), "mesh.mem") != NULL);
}

CHECK_MAIN("topo_mesh", TEST(every_packet_arrives_in_manhattan_distance_plus_one_routers),
           TEST(xy_leaves_along_the_row_and_yx_along_the_column),
           TEST(o1turn_takes_both_orders_in_classes_of_their_own),
           TEST(requests_go_from_cores_to_memory_only), TEST(what_does_not_fit_is_refused))
