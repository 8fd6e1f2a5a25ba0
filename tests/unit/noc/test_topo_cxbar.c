#include "check.h"

#include "noc/count.h"
#include "rig/topo_rig.h"

static void cores_share_ports_as_evenly_as_possible(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cxbar", "cxbar.cores=80 cxbar.ports=24 cxbar.mems=16"));
    const struct graph *request = topo_rig_build(&r, DIR_REQUEST);
    const struct graph *reply = topo_rig_build(&r, DIR_REPLY);
    uint32_t sharers[24] = {0};
    CHECK_EQ(request->router[0].nin, 24);
    CHECK_EQ(request->router[0].nout, 16);
    for (uint32_t i = 0; i < 80; i++) {
        sharers[request->inject[i]]++;
        CHECK_EQ(request->inject[i], reply->eject[i]);
    }
    for (int i = 0; i < 24; i++)
        CHECK_EQ(sharers[i], i < 8 ? 4 : 3);
    topo_rig_close(&r);
}

static void every_packet_arrives(void)
{
    static const char *const settings[] = {
        "cxbar.cores=80 cxbar.ports=24 cxbar.mems=16",
        "cxbar.cores=80 cxbar.ports=24 cxbar.mems=16 cxbar.mem_ports=5",
        "cxbar.cores=1 cxbar.ports=1 cxbar.mems=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "cxbar", settings[i]));
        for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
            const struct graph *g = topo_rig_build(&r, dir);
            CHECK(topo_rig_is_wired(g));
            CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
        }
        topo_rig_close(&r);
    }
}

static void a_shared_link_counts_once(void)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "cxbar", "cxbar.cores=80 cxbar.ports=24 cxbar.mems=16"));
    count_add(&c, topo_rig_build(&r, DIR_REQUEST), 4);
    CHECK_EQ(c.links, 40);
    CHECK_EQ(c.buffers, 96);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *settings;
        enum direction dir;
        const char *message;
    } bad[] = {
        {"", DIR_ANY, "cxbar.cores: a concentrated crossbar joins cores and memory nodes only"},
        {"cxbar.cores=10 cxbar.ports=11", DIR_REQUEST, "cxbar.ports=11: 11 ports for 10 cores"},
        {"cxbar.mem_ports=17", DIR_REQUEST, "cxbar.mem_ports=17: 17 ports for 16 memory nodes"},
        {"cxbar.ports=0", DIR_REQUEST, "cxbar.ports"},
        {"cxbar.mems=5000", DIR_REQUEST, "cxbar.mems"},
        {"cxbar.cores=1048576", DIR_REQUEST, "cxbar.cores"},
        {"cxbar.cores=1000000000", DIR_REQUEST, "cxbar.cores"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct topo_rig r;
        CHECK(strstr(topo_rig_refusal(&r, "cxbar", bad[i].settings, bad[i].dir), bad[i].message) !=
              NULL);
    }
}

CHECK_MAIN("topo_cxbar", TEST(cores_share_ports_as_evenly_as_possible), TEST(every_packet_arrives),
           TEST(a_shared_link_counts_once), TEST(what_does_not_fit_is_refused))
