#include "check.h"

#include "rig/topo_rig.h"

static void every_packet_arrives_in_n_routers(void)
{
    static const struct {
        const char *settings;
        uint32_t nodes, routers;
    } row[] = {
        {"fly.k=2 fly.n=1", 2, 1},     {"fly.k=2 fly.n=2", 4, 4},   {"fly.k=2 fly.n=5", 32, 80},
        {"fly.k=3 fly.n=3", 27, 27},   {"fly.k=4 fly.n=3", 64, 48}, {"fly.k=8 fly.n=2", 64, 16},
        {"fly.k=10 fly.n=2", 100, 20}, {"fly.k=64 fly.n=1", 64, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "fly", row[i].settings));
        const struct graph *g = topo_rig_build(&r, DIR_ANY);
        CHECK_EQ(g->nnodes, row[i].nodes);
        CHECK_EQ(g->nrouters, row[i].routers);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
        topo_rig_close(&r);
    }
}

static void requests_go_from_cores_to_memory_only(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "fly", "fly.k=10 fly.n=2 fly.cores=80 fly.mem=84-99"));
    for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
        const struct graph *g = topo_rig_build(&r, dir);
        CHECK_EQ(graph_sources(g, NULL), dir == DIR_REQUEST ? 80 : 16);
        CHECK_EQ(graph_sinks(g, NULL), dir == DIR_REQUEST ? 16 : 80);
        CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    }
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *settings;
        enum direction dir;
        const char *message;
    } bad[] = {
        {"fly.k=4096 fly.n=20", DIR_ANY, "fly.n=20: a 4096-ary 20-fly has more than"},
        {"fly.k=2 fly.n=20", DIR_ANY, "switch ports"},
        {"fly.k=1", DIR_ANY, "fly.k"},
        {"fly.n=0", DIR_ANY, "fly.n"},
        {"fly.k=1000000000", DIR_ANY, "fly.k"},
        {"fly.k=2 fly.n=2 fly.mem=4", DIR_ANY, "fly.mem"},
        {"fly.k=2 fly.n=2", DIR_REPLY, "fly.mem"},
        {"fly.k=2 fly.n=2 fly.mem=0-3", DIR_REPLY, "at least one memory node and one core"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct topo_rig r;
        CHECK(strstr(topo_rig_refusal(&r, "fly", bad[i].settings, bad[i].dir), bad[i].message) !=
              NULL);
    }
}

CHECK_MAIN("topo_fly", TEST(every_packet_arrives_in_n_routers),
           TEST(requests_go_from_cores_to_memory_only), TEST(what_does_not_fit_is_refused))
