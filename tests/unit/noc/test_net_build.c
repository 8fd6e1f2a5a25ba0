/* How a network is laid out: delay lines, VC classes, and which routers get the tight loops. */
#include "check.h"

#include "noc/net_priv.h"
#include "rig/capture.h"
#include "rig/net_rig.h"

static void a_wheel_gives_back_what_is_due_and_nothing_else(void)
{
    struct arena *a = arena_new();
    struct wheel w;
    wheel_init(&w, a, 5, 3);
    CHECK_EQ(wheel_next(&w, 100), HD_NEVER);
    wheel_add(&w, 100, 3, 7);
    wheel_add(&w, 100, 3, 8);
    wheel_add(&w, 100, 4, 9);
    CHECK_EQ(wheel_next(&w, 100), 3);
    struct due d = wheel_take(&w, 102);
    CHECK(d.at == d.end);
    d = wheel_take(&w, 103);
    CHECK_EQ(d.end - d.at, 2);
    CHECK_EQ(d.at[0], 7);
    CHECK_EQ(d.at[1], 8);
    d = wheel_take(&w, 103); /* taken is gone */
    CHECK(d.at == d.end);
    CHECK_EQ(wheel_next(&w, 104), 0);
    arena_free(a);
}

static void vcs_are_dealt_out_evenly_to_the_classes(void)
{
    struct net_rig r;
    net_rig_begin(&r, "router.vcs=5");
    r.classes = 2;
    CHECK(net_rig_build(&r, DIR_ANY));
    CHECK_EQ(r.noc->class_vcs[0], 3);
    CHECK_EQ(r.noc->class_vcs[1], 28);
    net_rig_close(&r);
}

static void the_class_of_the_ends_has_all_vcs_of_its_message_class(void)
{
    static const uint32_t masks[] = {1, 6, 7, 8, 48, 56};
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=torus router.vcs=6");
    r.classes = 2;
    CHECK(net_rig_build(&r, DIR_ANY));
    CHECK_EQ(r.noc->vclasses, 6);
    for (int c = 0; c < 6; c++)
        CHECK_EQ(r.noc->class_vcs[c], masks[c]);
    net_rig_close(&r);
}

/* Whether the routers are small, and whether the network is uniform, with the given settings. */
static void check_loops(const char *settings, bool is_small, bool is_uniform)
{
    struct net_rig r;
    net_rig_begin(&r, settings);
    CHECK(net_rig_build(&r, DIR_ANY));
    if (r.noc->all_small != is_small || r.noc->uniform != is_uniform)
        print_error("%s\n", settings);
    CHECK_EQ(r.noc->all_small, is_small);
    CHECK_EQ(r.noc->uniform, is_uniform);
    net_rig_close(&r);
}

static void routers_of_up_to_64_input_vcs_are_small(void)
{
    check_loops("noc.topology=xbar xbar.inputs=16 xbar.outputs=16 router.vcs=4", true, true);
    check_loops("noc.topology=xbar xbar.inputs=17 xbar.outputs=17 router.vcs=4", false, true);
    check_loops("noc.topology=xbar xbar.inputs=16 xbar.outputs=16 router.vcs=5", false, true);
}

static void what_is_not_alike_everywhere_is_not_uniform(void)
{
    check_loops("noc.topology=mesh", true, true);
    check_loops("noc.topology=mesh mesh.link_latency=2", true, false);
    check_loops("noc.topology=mesh mesh.link_latency=2 mesh.terminal_latency=2", true, true);
    check_loops("noc.topology=mesh mesh.routing=o1turn", true, false);
    check_loops("noc.topology=mesh router.internal_speedup=2", true, false);
    check_loops("noc.topology=mesh router.input_speedup=2", true, false);
    check_loops("noc.topology=mesh router.speculative=true", true, false);
    check_loops("noc.topology=clos", true, false);
}

static void add_ahead(uint64_t by)
{
    struct arena *a = arena_new();
    struct wheel w;
    wheel_init(&w, a, 5, 3);
    wheel_add(&w, 100, by, 7);
    arena_free(a);
}

static void add_beyond_the_wheel(void)
{
    add_ahead(8);
}

static void add_in_the_past(void)
{
    add_ahead(-1ull);
}

static void what_a_wheel_does_not_reach_is_our_own_fault(void)
{
    add_ahead(0);
    add_ahead(7);
    struct death d = death_of(add_beyond_the_wheel);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "8 ahead on a wheel of 7") != NULL);
    CHECK_EQ(death_of(add_in_the_past).signal, 6);
}

static void wire_a_very_long_channel(void)
{
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=xbar");
    CHECK(net_rig_build(&r, DIR_ANY));
    struct graph g = *r.graph;
    g.out = ARENA_ARRAY(r.arena, struct graph_out, g.nouts);
    memcpy(g.out, r.graph->out, sizeof *g.out * g.nouts);
    g.out[3].latency = 70000;
    net_rig_wire(&r, &g);
}

static void a_channel_longer_than_a_delay_can_say_is_our_own_fault(void)
{
    struct death d = death_of(wire_a_very_long_channel);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "a channel of 70000 cycles") != NULL);
}

CHECK_MAIN("net_build", TEST(a_wheel_gives_back_what_is_due_and_nothing_else),
           TEST(what_a_wheel_does_not_reach_is_our_own_fault),
           TEST(a_channel_longer_than_a_delay_can_say_is_our_own_fault),
           TEST(vcs_are_dealt_out_evenly_to_the_classes),
           TEST(the_class_of_the_ends_has_all_vcs_of_its_message_class),
           TEST(routers_of_up_to_64_input_vcs_are_small),
           TEST(what_is_not_alike_everywhere_is_not_uniform))
