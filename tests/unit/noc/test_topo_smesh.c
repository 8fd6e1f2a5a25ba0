#include "check.h"

#include "noc/count.h"
#include "rig/topo_rig.h"

/* Eight memory controllers along the rim, two to a side, two neighbouring slices each. */
#define RIM "mesh.mem=1,2,7,8,10,19,20,29,70,79,80,89,91,92,97,98"
#define MESH10 "mesh.width=10 mesh.height=10 mesh.cores=80 "

static struct count count_both(const char *topology, const char *settings)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, topology, settings));
    count_add(&c, topo_rig_build(&r, DIR_REQUEST), 4);
    count_add(&c, topo_rig_build(&r, DIR_REPLY), 4);
    topo_rig_close(&r);
    return c;
}

static void every_route_of_the_mesh_is_left(void)
{
    static const char *const settings[] = {
        MESH10 RIM,
        MESH10 RIM " mesh.routing=yx",
        MESH10 RIM " mesh.routing=o1turn",
        "mesh.width=4 mesh.height=4 mesh.concentration=2 mesh.mem=0,1,30",
        "mesh.width=1 mesh.height=2 mesh.mem=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "smesh", settings[i]));
        for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
            const struct graph *g = topo_rig_build(&r, dir);
            CHECK(g != NULL);
            CHECK(topo_rig_is_wired(g));
            CHECK_EQ(topo_rig_lost(&r, g, 8), 0);
        }
        topo_rig_close(&r);
    }
}

/* One core at (0,0), one memory node at (1,1) of a 2 x 2 mesh: requests go east, then north. */
static void channels_without_a_route_are_gone(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "smesh", "mesh.width=2 mesh.height=2 mesh.cores=1 mesh.mem=3"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    uint32_t channels = 0;
    for (uint32_t o = 0; o < g->nouts; o++)
        channels += g->out[o].dst_router != GRAPH_NONE;
    CHECK_EQ(channels, 2);
    CHECK_EQ(g->router[0].count_in, 1); /* the core */
    CHECK_EQ(g->router[0].count_out, 1);
    CHECK_EQ(g->router[3].count_in, 1);
    CHECK_EQ(g->router[2].count_in, GRAPH_NONE); /* nothing is left of it */
    struct count c = {0};
    count_add(&c, g, 4);
    CHECK_EQ(c.routers, 3);
    CHECK_EQ(c.buffers, 12);
    CHECK_EQ(c.links, 4);
    topo_rig_close(&r);
}

/* Table 2 of the CD-Xbar paper says 200 routers, 3,000 buffers, 732 links, for a placement it
 * does not state.  With two memory controllers on each side of the die (RIM) and XY routing in
 * both networks exactly 732 links are left: 270 of 360 channels in each network and 192 links to
 * nodes.  Of these 732, 96 lead out of the network to a node, and the other 636 feed one input
 * port each: 636 x 4 VCs = 2,544 buffers.  3,000 buffers would be 750 input ports, 114 of them
 * with no link to them; as the paper counts full 5x5 routers in its plain mesh, rim and all (1,000
 * ports for 816 links that end at routers), it may have kept some such ports here too.  We count
 * what is there. */
static void the_rim_placement_has_the_links_of_the_paper_and_fewer_buffers(void)
{
    struct count c = count_both("smesh", MESH10 RIM);
    CHECK_EQ(c.routers, 200);
    CHECK_EQ(c.links, 732);
    CHECK_EQ(c.buffers, 2544);
}

static void links_depend_on_the_placement(void)
{
    static const struct {
        const char *settings;
        uint64_t buffers, links;
    } row[] = {
        /* upper and lower edge, columns 1 to 8 */
        {MESH10 "mesh.mem=1-8,91-98", 2264, 662},
        /* four in the middle of each edge, in pairs */
        {MESH10 "mesh.mem=2,3,6,7,92,93,96,97,20,30,60,70,29,39,69,79", 2512, 724},
        /* a diamond */
        {MESH10 "mesh.mem=4,5,13,16,22,27,31,38,61,68,72,77,83,86,94,95", 2580, 741},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct count c = count_both("smesh", row[i].settings);
        CHECK_EQ(c.links, row[i].links);
        CHECK_EQ(c.buffers, row[i].buffers);
    }
}

static void what_cannot_be_trimmed_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "smesh", MESH10 RIM, DIR_ANY), "mesh.mem") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "smesh", MESH10, DIR_REQUEST), "mesh.mem") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "smesh", "mesh.width=1000 mesh.height=1000 mesh.mem=0-999",
                                  DIR_REQUEST),
                 "too many") != NULL);
}

CHECK_MAIN("topo_smesh", TEST(every_route_of_the_mesh_is_left),
           TEST(channels_without_a_route_are_gone),
           TEST(the_rim_placement_has_the_links_of_the_paper_and_fewer_buffers),
           TEST(links_depend_on_the_placement), TEST(what_cannot_be_trimmed_is_refused))
