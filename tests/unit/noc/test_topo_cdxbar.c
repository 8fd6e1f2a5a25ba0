#include "check.h"

#include "noc/count.h"
#include "rig/topo_rig.h"

static void every_packet_arrives_in_two_routers_through_any_converged_port(void)
{
    static const char *const settings[] = {
        "cdxbar.cores=80 cdxbar.locals=8 cdxbar.ports=3 cdxbar.mems=16",
        "cdxbar.cores=80 cdxbar.locals=7 cdxbar.ports=3 cdxbar.mems=16",
        "cdxbar.routing=source",
        "cdxbar.routing=adaptive",
        "cdxbar.routing=adaptive cdxbar.ports=1",
        "cdxbar.cores=56 cdxbar.locals=4 cdxbar.mems=8 cdxbar.ports=5",
        "cdxbar.cores=10 cdxbar.locals=3 cdxbar.sizes=1,7,2",
        "cdxbar.cores=1 cdxbar.locals=1 cdxbar.ports=1 cdxbar.mems=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "cdxbar", settings[i]));
        for (enum direction dir = DIR_REQUEST; dir <= DIR_REPLY; dir++) {
            const struct graph *g = topo_rig_build(&r, dir);
            CHECK(topo_rig_is_wired(g));
            CHECK_EQ(topo_rig_lost(&r, g, 6), 0);
        }
        topo_rig_close(&r);
    }
}

static void eighty_cores_over_seven_locals_are_uneven_by_one(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cdxbar", "cdxbar.cores=80 cdxbar.locals=7"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_EQ(g->router[i].nin, i < 3 ? 12 : 11);
    CHECK_EQ(g->router[7].nin, 21);
    topo_rig_close(&r);
}

/* The configuration of section 4: 8 local crossbars 10x3 and a global one 24x16. */
static void components_of_the_papers_configuration(void)
{
    struct topo_rig r;
    struct count c = {0};
    CHECK(topo_rig_open(&r, "cdxbar", ""));
    count_add(&c, topo_rig_build(&r, DIR_REQUEST), 4);
    count_add(&c, topo_rig_build(&r, DIR_REPLY), 4);
    CHECK_EQ(c.routers, 18);
    CHECK_EQ(c.buffers, (80 + 24 + 16 + 24) * 4);
    CHECK_EQ(c.links, 2 * (80 + 24 + 16));
    CHECK_EQ(c.nxbars, 2);
    CHECK_EQ(c.xbar[0].in, 10);
    CHECK_EQ(c.xbar[0].out, 3);
    CHECK_EQ(c.xbar[0].n, 16);
    CHECK_EQ(c.xbar[1].in, 24);
    CHECK_EQ(c.xbar[1].out, 16);
    topo_rig_close(&r);
}

static struct route first(struct topo_rig *r, const struct graph *g, uint32_t src, uint32_t dst,
                          uint32_t serial)
{
    struct packet p = {.src = src, .dst = dst, .serial = serial};
    return topo_rig_first_route(r, g, &p);
}

static void round_robin_leaves_the_choice_to_the_router_where_ways_part(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cdxbar", ""));
    struct route to = first(&r, topo_rig_build(&r, DIR_REQUEST), 25, 90, 0);
    CHECK_EQ(to.out, 0);
    CHECK_EQ(to.span, 3);
    to = first(&r, topo_rig_build(&r, DIR_REPLY), 90, 25, 0); /* core 25: local crossbar 2 */
    CHECK_EQ(to.out, 6);
    CHECK_EQ(to.span, 3);
    topo_rig_close(&r);
}

static void source_routing_takes_the_source_modulo_the_ports(void)
{
    struct topo_rig r;
    CHECK(topo_rig_open(&r, "cdxbar", "cdxbar.routing=source"));
    const struct graph *request = topo_rig_build(&r, DIR_REQUEST);
    const struct graph *reply = topo_rig_build(&r, DIR_REPLY);
    for (uint32_t core = 0; core < 80; core++)
        CHECK_EQ(first(&r, request, core, 80, 0).out, core % 3);
    for (uint32_t mem = 0; mem < 16; mem++)
        CHECK_EQ(first(&r, reply, 80 + mem, 79, 0).out, 21 + mem % 3);
    topo_rig_close(&r);
}

static void adaptive_routing_avoids_the_fullest_port_and_is_fair_to_equals(void)
{
    struct topo_rig r;
    uint32_t equal[3] = {0}, uneven[3] = {0};
    CHECK(topo_rig_open(&r, "cdxbar", "cdxbar.routing=adaptive"));
    const struct graph *g = topo_rig_build(&r, DIR_REQUEST);
    for (uint32_t i = 0; i < 9000; i++)
        equal[first(&r, g, 7, 80, i).out]++;
    r.room[0] = 5;
    r.room[1] = 9;
    r.room[2] = 7;
    for (uint32_t i = 0; i < 9000; i++)
        uneven[first(&r, g, 7, 80, i).out]++;
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(equal[i], 3000, 0.07);
    CHECK_EQ(uneven[0], 0);            /* loses to whatever it is drawn with */
    CHECK_NEAR(uneven[1], 6000, 0.05); /* in two of three draws */
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *settings;
        enum direction dir;
        const char *message;
    } bad[] = {
        {"", DIR_ANY, "cdxbar.cores: CD-Xbar joins cores and memory nodes only"},
        {"cdxbar.ports=0", DIR_REQUEST, "cdxbar.ports"},
        {"cdxbar.locals=0", DIR_REQUEST, "cdxbar.locals"},
        {"cdxbar.locals=81", DIR_REQUEST, "cdxbar.locals=81: 81 local crossbars for 80 cores"},
        {"cdxbar.sizes=40,40", DIR_REQUEST, "cdxbar.sizes=40,40: 2 sizes for 8 local crossbars"},
        {"cdxbar.locals=2 cdxbar.sizes=40,41", DIR_REQUEST,
         "cdxbar.sizes=40,41: they add up to 81"},
        {"cdxbar.locals=2 cdxbar.sizes=0,80", DIR_REQUEST, "cdxbar.sizes"},
        {"cdxbar.cores=5000 cdxbar.locals=4096 cdxbar.ports=3", DIR_REQUEST, "cdxbar.ports"},
        {"cdxbar.cores=5000 cdxbar.locals=1", DIR_REQUEST, "cdxbar.cores"},
        {"cdxbar.cores=1048576 cdxbar.locals=1000", DIR_REQUEST, "cdxbar.cores"},
        {"cdxbar.cores=1000000000", DIR_REQUEST, "cdxbar.cores"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct topo_rig r;
        CHECK(strstr(topo_rig_refusal(&r, "cdxbar", bad[i].settings, bad[i].dir), bad[i].message) !=
              NULL);
    }
}

CHECK_MAIN("topo_cdxbar", TEST(every_packet_arrives_in_two_routers_through_any_converged_port),
           TEST(eighty_cores_over_seven_locals_are_uneven_by_one),
           TEST(components_of_the_papers_configuration),
           TEST(round_robin_leaves_the_choice_to_the_router_where_ways_part),
           TEST(source_routing_takes_the_source_modulo_the_ports),
           TEST(adaptive_routing_avoids_the_fullest_port_and_is_fair_to_equals),
           TEST(what_does_not_fit_is_refused))
