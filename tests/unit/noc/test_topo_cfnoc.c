#include "check.h"

#include "noc/count.h"
#include "rig/net_rig.h"
#include "rig/topo_rig.h"

#define PLACE "mesh.width=8 mesh.height=8 mesh.mem=0-7"

static void every_request_arrives_over_its_own_subnet(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cfnoc", PLACE));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    CHECK(topo_rig_is_wired(g));
    CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    CHECK_EQ(graph_sources(g, NULL), 56);
    CHECK_EQ(graph_sinks(g, NULL), 8);
    topo_rig_close(&r);
}

static void replies_take_the_trimmed_mesh(void)
{
    struct topo_rig r, s;
    struct count own = {0}, other = {0};
    CHECK(topo_rig_open(&r, "cfnoc", PLACE));
    CHECK(topo_rig_open(&s, "smesh", PLACE));
    count_add(&own, topo_rig_build(&r, DIR_REPLY), 4);
    count_add(&other, topo_rig_build(&s, DIR_REPLY), 4);
    CHECK_EQ(own.links, other.links);
    CHECK_EQ(own.buffers, other.buffers);
    topo_rig_close(&r);
    topo_rig_close(&s);
}

/* 56 switches of SMs, 8 x 8 in the memory row, 8 ends.  Links: 56 of SMs and 56 down, 7 along the row
 * for each subnet, 64 taps, 8 to memory nodes. */
static void there_are_no_buffers_but_at_the_end(void)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "cfnoc", PLACE));
    count_add(&c, topo_rig_build(&r, DIR_REQUEST), 4);
    CHECK_EQ(c.buffers, 0);
    CHECK_EQ(c.ends, 64);
    CHECK_EQ(c.routers, 56 + 64 + 8);
    CHECK_EQ(c.links, 56 + 56 + 8 * 7 + 64 + 8);
    topo_rig_close(&r);
}

/* A cycle each: for the token, to the switch, down every row, along every column, to the
 * buffer, to the node. */
static void a_request_takes_a_cycle_per_hop(void)
{
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=cfnoc " PLACE);
    CHECK(net_rig_build(&r, DIR_REQUEST));
    net_rig_read_all(&r, 4);
    for (uint32_t src = 8; src < 64; src += 5) {
        for (uint32_t dst = 0; dst < 8; dst++) {
            uint32_t column = src % 8, row = src / 8;
            uint32_t along = column > dst ? column - dst : dst - column;
            CHECK_EQ(net_rig_latency(&r, src, dst, 1), row + along + 4);
            CHECK_EQ(net_rig_latency(&r, src, dst, 17), row + along + 4 + 16);
            CHECK_EQ(noc_zero_load(r.graph, net_rig_router(&r), src, dst, 17), row + along + 20);
        }
    }
    net_rig_close(&r);
}

static void other_sizes_are_refused_in_a_line(void)
{
    struct topo_rig r;
    const char *sizes = "for 56 SMs and 8 memory nodes";
    CHECK(strstr(topo_rig_refusal(&r, "cfnoc", "mesh.width=10 mesh.mem=0-7", DIR_REQUEST), sizes));
    CHECK(strstr(topo_rig_refusal(&r, "cfnoc", "mesh.mem=8-15", DIR_REQUEST), sizes));
    CHECK(strstr(topo_rig_refusal(&r, "cfnoc", "mesh.mem=0-6", DIR_REQUEST), sizes));
    CHECK(strstr(topo_rig_refusal(&r, "cfnoc", "mesh.mem=0-7 mesh.cores=55", DIR_REQUEST), sizes));
    CHECK(strstr(topo_rig_refusal(&r, "hrcnet", "mesh.mem=0-7 mesh.height=9", DIR_REPLY), sizes));
    CHECK(strstr(topo_rig_refusal(&r, "cfnoc", PLACE, DIR_ANY), "request and reply"));
}

CHECK_MAIN("topo_cfnoc", TEST(every_request_arrives_over_its_own_subnet),
           TEST(replies_take_the_trimmed_mesh), TEST(there_are_no_buffers_but_at_the_end),
           TEST(a_request_takes_a_cycle_per_hop), TEST(other_sizes_are_refused_in_a_line))
