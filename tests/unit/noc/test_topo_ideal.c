#include "check.h"

#include "rig/topo_rig.h"

static void it_has_a_latency_and_no_routers(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "ideal", "ideal.latency=7 ideal.nodes=200"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    CHECK_EQ(r.nodes.total, 200);
    CHECK_EQ(g->nnodes, 200);
    CHECK_EQ(g->nrouters, 0);
    CHECK_EQ(g->ideal_latency, 7);
    CHECK_EQ(g->hops(g->ctx, 0, 1), 0);
    CHECK_EQ(graph_sources(g, NULL), 200);
    CHECK_EQ(graph_sinks(g, NULL), 200);
    topo_rig_close(&r);
}

static void requests_go_from_cores_to_memory_only(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "ideal", "ideal.cores=5 ideal.mems=3"));
    for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
        const struct graph *g = topo_rig_build(&r, dir);
        CHECK_EQ(g->nnodes, 8);
        for (uint32_t i = 0; i < 8; i++) {
            CHECK_EQ(g->inject[i] != GRAPH_NONE, (i < 5) == (dir == DIR_REQUEST));
            CHECK_EQ(g->eject[i] != GRAPH_NONE, (i < 5) == (dir == DIR_REPLY));
        }
    }
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "ideal", "ideal.latency=0", DIR_ANY), "ideal.latency") !=
          NULL);
    CHECK(strstr(topo_rig_refusal(&r, "ideal", "ideal.nodes=1000000000", DIR_ANY), "ideal.nodes") !=
          NULL);
    CHECK(strstr(topo_rig_refusal(&r, "ideal", "ideal.cores=1048576", DIR_ANY), "ideal.cores") !=
          NULL);
}

CHECK_MAIN("topo_ideal", TEST(it_has_a_latency_and_no_routers),
           TEST(requests_go_from_cores_to_memory_only), TEST(what_does_not_fit_is_refused))
