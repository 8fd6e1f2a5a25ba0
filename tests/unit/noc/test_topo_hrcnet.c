#include "check.h"

#include "noc/bisection.h"
#include "noc/count.h"
#include "rig/net_rig.h"
#include "rig/topo_rig.h"

#define PLACE "mesh.width=8 mesh.height=8 mesh.mem=0-7"

static void every_reply_arrives(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "hrcnet", PLACE));
    const struct graph *g = topo_rig_build(&r, DIR_REPLY);
    CHECK(topo_rig_is_wired(g));
    CHECK_EQ(topo_rig_lost(&r, g, 1), 0);
    CHECK_EQ(graph_sources(g, NULL), 8);
    CHECK_EQ(graph_sinks(g, NULL), 56);
    topo_rig_close(&r);
}

/* 8 stops, 56 links of chains, 56 ends; 8 links of memory nodes, 8 of the ring, 56 of chains, 56 taps,
 * 56 to SMs. */
static void there_are_no_buffers_but_at_the_end(void)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "hrcnet", PLACE));
    count_add(&c, topo_rig_build(&r, DIR_REPLY), 4);
    CHECK_EQ(c.buffers, 0);
    CHECK_EQ(c.ends, 56);
    CHECK_EQ(c.routers, 8 + 56 + 56);
    CHECK_EQ(c.links, 8 + 8 + 56 + 56 + 56);
    topo_rig_close(&r);
}

/* Its abstract: the same bisection bandwidth as the mesh, which is 8 + 8 channels of 16 bytes. */
static void the_bisection_is_that_of_the_mesh(void)
{
    struct topo_rig r, m;
    CHECK(topo_rig_open(&r, "hrcnet", PLACE));
    CHECK(topo_rig_open(&m, "mesh", PLACE));
    struct bisection ring = bisection_of(topo_rig_build(&r, DIR_REPLY), 16, r.arena);
    struct bisection mesh = bisection_of(topo_rig_build(&m, DIR_REPLY), 16, m.arena);
    CHECK_EQ(bisection_bytes(&ring), bisection_bytes(&mesh));
    topo_rig_close(&r);
    topo_rig_close(&m);
}

/* As in cfNoC: four cycles, the way round the ring and down the chain, and the flits behind. */
static void a_reply_takes_a_cycle_per_hop(void)
{
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=hrcnet " PLACE);
    CHECK(net_rig_build(&r, DIR_REPLY));
    net_rig_read_all(&r, 4);
    for (uint32_t src = 0; src < 8; src++)
        for (uint32_t dst = 8; dst < 64; dst += 5) {
            uint32_t round = (dst % 8 + 8 - src) % 8, row = dst / 8;
            CHECK_EQ(net_rig_latency(&r, src, dst, 1), round + row + 4);
            CHECK_EQ(net_rig_latency(&r, src, dst, 2), round + row + 4 + 1);
        }
    net_rig_close(&r);
}

CHECK_MAIN("topo_hrcnet", TEST(every_reply_arrives), TEST(there_are_no_buffers_but_at_the_end),
           TEST(the_bisection_is_that_of_the_mesh), TEST(a_reply_takes_a_cycle_per_hop))
