#include "check.h"

#include "rig/topo_rig.h"

static void every_packet_arrives_in_three_routers(void)
{
    static const char *const settings[] = {
        "clos.m=8 clos.n=10 clos.r=10 clos.routing=random",
        "clos.m=8 clos.n=10 clos.r=10 clos.routing=adaptive",
        "clos.m=1 clos.n=3 clos.r=5",
        "clos.m=5 clos.n=1 clos.r=4 clos.routing=adaptive",
        "clos.m=1 clos.n=1 clos.r=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct topo_rig r;
        CHECK(topo_rig_open(&r, "clos", settings[i]));
        const struct graph *g = topo_rig_build(&r, DIR_ANY);
        CHECK(topo_rig_is_wired(g));
        CHECK_EQ(topo_rig_lost(&r, g, 5), 0);
        topo_rig_close(&r);
    }
}

/* How often each middle switch is taken by packets of one source. */
static void tally(struct topo_rig *r, const struct graph *g, uint32_t packets, uint32_t taken[8])
{
    for (uint32_t i = 0; i < packets; i++) {
        struct packet p = {.src = 3, .dst = 60, .serial = i};
        struct route to = topo_rig_first_route(r, g, &p);
        CHECK(to.out < 8);
        taken[to.out]++;
    }
}

static void random_routing_spreads_over_all_middle_switches(void)
{
    struct topo_rig r;
    uint32_t taken[8] = {0};
    CHECK(topo_rig_open(&r, "clos", "clos.m=8 clos.routing=random"));
    tally(&r, topo_rig_build(&r, DIR_ANY), 8000, taken);
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(taken[i], 1000, 0.12);
    topo_rig_close(&r);
}

static void adaptive_routing_takes_the_roomiest(void)
{
    struct topo_rig r;
    uint32_t taken[8] = {0};
    CHECK(topo_rig_open(&r, "clos", "clos.m=8 clos.routing=adaptive"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    for (uint32_t i = 0; i < 8; i++)
        r.room[i] = i == 5 ? 9 : 4;
    tally(&r, g, 100, taken);
    CHECK_EQ(taken[5], 100);
    topo_rig_close(&r);
}

static void adaptive_routing_draws_among_equals(void)
{
    struct topo_rig r;
    uint32_t taken[8] = {0};
    CHECK(topo_rig_open(&r, "clos", "clos.m=8 clos.routing=adaptive"));
    const struct graph *g = topo_rig_build(&r, DIR_ANY);
    for (uint32_t i = 0; i < 8; i++)
        r.room[i] = i == 1 || i == 4 || i == 7 ? 9 : 8;
    tally(&r, g, 9000, taken);
    CHECK_NEAR(taken[1], 3000, 0.07);
    CHECK_NEAR(taken[4], 3000, 0.07);
    CHECK_NEAR(taken[7], 3000, 0.07);
    topo_rig_close(&r);
}

static void what_does_not_fit_is_refused(void)
{
    struct topo_rig r;
    CHECK(strstr(topo_rig_refusal(&r, "clos", "clos.n=4096 clos.r=4096", DIR_ANY), "clos.r") !=
          NULL);
    CHECK(strstr(topo_rig_refusal(&r, "clos", "clos.m=4096 clos.n=1 clos.r=4096", DIR_ANY),
                 "clos.m") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "clos", "clos.m=0", DIR_ANY), "clos.m") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "clos", "clos.r=1000000000", DIR_ANY), "clos.r") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "clos", "clos.mem=64", DIR_ANY), "clos.mem") != NULL);
    CHECK(strstr(topo_rig_refusal(&r, "clos", "", DIR_REQUEST), "clos.mem") != NULL);
}

CHECK_MAIN("topo_clos", TEST(every_packet_arrives_in_three_routers),
           TEST(random_routing_spreads_over_all_middle_switches),
           TEST(adaptive_routing_takes_the_roomiest), TEST(adaptive_routing_draws_among_equals),
           TEST(what_does_not_fit_is_refused))
