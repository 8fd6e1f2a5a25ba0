/* Situations of a few packets, of which every cycle can be worked out by hand.
 *
 * A packet that is born in cycle t and finds nothing in its way: sent t, at the router t + 2,
 * routed in that cycle, given a VC in t + 3, granted the switch in t + 4, out in t + 7. */
#include "check.h"

#include "rig/net_rig.h"

static void open_xbar(struct net_rig *r, uint32_t inputs, uint32_t outputs, const char *router)
{
    char settings[512];
    snprintf(settings, sizeof settings,
             "noc.topology=xbar xbar.inputs=%u xbar.outputs=%u noc.port_depth=512 %s", inputs,
             outputs, router);
    net_rig_begin(r, settings);
    r->engine_options.audit = 1;
    bool built = net_rig_build(r, DIR_REQUEST);
    CHECK_STR(r->err.text, "");
    CHECK(built);
    net_rig_read_all(r, 512);
}

static void finish(struct net_rig *r, uint32_t packets)
{
    enum engine_stop stop = net_rig_run(r, 100000);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(stop, ENGINE_IDLE);
    CHECK_EQ(r->nlog, packets);
    CHECK_EQ(r->pool.live, 0);
}

static void flits_of_a_packet_follow_each_other(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 2, "");
    net_rig_send(&r, 10, 0, 3, 6);
    finish(&r, 1);
    CHECK_EQ(r.log[0].entered, 10);
    CHECK_EQ(r.log[0].at, 10 + 7 + 5);
    CHECK_EQ(r.log[0].hops, 1);
    CHECK_EQ(noc_stats(r.noc)->flits_out, 6);
    net_rig_close(&r);
}

/* With one VC the second packet waits for the tail of the first: granted in 5..9, so a VC in 10
 * and the switch from 11 on. */
static void a_packet_that_gets_no_vc_tries_again_until_the_tail_has_gone(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 1, "router.vcs=1");
    net_rig_send(&r, 1, 0, 2, 5);
    net_rig_send(&r, 1, 1, 2, 5);
    finish(&r, 2);
    CHECK_EQ(r.log[0].src, 0);
    CHECK_EQ(r.log[0].at, 9 + 3);
    CHECK_EQ(r.log[1].src, 1);
    CHECK_EQ(r.log[1].at, 15 + 3);
    net_rig_close(&r);
}

/* With two VCs both have one, and the output serves them in turn. */
static void two_packets_with_a_vc_each_share_the_output_flit_by_flit(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 1, "router.vcs=2");
    net_rig_send(&r, 1, 0, 2, 5);
    net_rig_send(&r, 1, 1, 2, 5);
    finish(&r, 2);
    CHECK_EQ(r.log[0].at, 5 + 8 + 3); /* granted in 5, 7, 9, 11, 13 */
    CHECK_EQ(r.log[1].at, 5 + 9 + 3);
    net_rig_close(&r);
}

/* Buffers of one flit between two routers: 7 cycles until a head has made room, 5 for others.
 *   flit    sent  granted at router 0        granted at router 1   out
 *   head    1     5                          10                    13
 *   second  7     12 (credit: 5 + 7)         15                    18
 *   third   14    17 (credit: 12 + 5)        20                    23 */
static void a_flit_goes_only_with_a_credit(void)
{
    struct net_rig r;
    net_rig_begin(&r, "mesh.width=2 mesh.height=1 router.vcs=1 router.depth=1");
    r.engine_options.audit = 1;
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_read_all(&r, 4);
    net_rig_send(&r, 1, 0, 1, 3);
    finish(&r, 1);
    CHECK_EQ(r.log[0].at, 23);
    CHECK_EQ(r.log[0].hops, 2);
    net_rig_close(&r);
}

/* The credit delay is added to each of the two loops of a body flit and to that of the head. */
static void credits_may_take_longer(void)
{
    struct net_rig r;
    net_rig_begin(&r,
                  "mesh.width=2 mesh.height=1 router.vcs=1 router.depth=1 router.credit_delay=3");
    CHECK(net_rig_build(&r, DIR_ANY));
    net_rig_read_all(&r, 4);
    net_rig_send(&r, 1, 0, 1, 3);
    finish(&r, 1);
    CHECK_EQ(r.log[0].at, 23 + 3 + 3);
    net_rig_close(&r);
}

/* The grant pointers move past the winner: nobody is ever far behind, and no cycle is wasted. */
static void an_output_serves_its_inputs_in_turn(void)
{
    struct net_rig r;
    uint32_t served[3] = {0};
    open_xbar(&r, 3, 1, "router.vcs=4");
    for (uint32_t k = 0; k < 60; k++)
        for (uint32_t src = 0; src < 3; src++)
            net_rig_send(&r, 1, src, 3, 1);
    finish(&r, 180);
    for (uint32_t i = 0; i < 180; i++) {
        served[r.log[i].src]++;
        CHECK_EQ(r.log[i].at, r.log[0].at + i);
        for (uint32_t src = 0; src < 3; src++)
            CHECK(served[src] + 6 > i / 3 && served[src] < i / 3 + 6);
    }
    net_rig_close(&r);
}

/* Pointers move only past accepted grants, so that two inputs which both want both outputs get
 * out of each other's way: after the start no cycle is lost. */
static void outputs_that_granted_the_same_input_part_ways(void)
{
    struct net_rig r;
    open_xbar(&r, 2, 2, "router.vcs=8 router.depth=4");
    for (uint32_t k = 0; k < 200; k++)
        for (uint32_t src = 0; src < 2; src++)
            net_rig_send(&r, 1, src, 2 + k % 2, 1);
    finish(&r, 400);
    hd_cycle first = r.log[0].at, last = r.log[399].at;
    CHECK(last - first + 1 >= 200);
    CHECK(last - first + 1 <= 204);
    net_rig_close(&r);
}

/* Packets of one VC leave in order, whatever their destination. */
static void a_vc_is_a_queue(void)
{
    struct net_rig r;
    open_xbar(&r, 1, 3, "router.vcs=1");
    for (uint32_t k = 0; k < 30; k++)
        net_rig_send(&r, 1, 0, 1 + k % 3, (uint16_t)(1 + k % 4));
    finish(&r, 30);
    for (uint32_t i = 0; i < 30; i++)
        CHECK_EQ(r.log[i].serial, i);
    net_rig_close(&r);
}

/* Inputs 1 to 4 hold both VCs of both outputs for a while; two packets wait in two VCs of input
 * 0, one for each output.  The switch takes one flit per cycle of them, or with two lanes two. */
static hd_cycle time_of_two_waiting_packets(const char *router)
{
    struct net_rig r;
    hd_cycle last = 0;
    open_xbar(&r, 5, 2, router);
    for (uint32_t src = 1; src < 5; src++)
        net_rig_send(&r, 1, src, src < 3 ? 5 : 6, 20);
    net_rig_send(&r, 10, 0, 5, 8);
    net_rig_send(&r, 10, 0, 6, 8);
    finish(&r, 6);
    for (uint32_t i = 0; i < 6; i++)
        last = r.log[i].src == 0 && r.log[i].at > last ? r.log[i].at : last;
    net_rig_close(&r);
    return last;
}

static void input_speedup_lets_two_vcs_of_an_input_go_at_once(void)
{
    hd_cycle one = time_of_two_waiting_packets("router.vcs=2 router.depth=32");
    hd_cycle two = time_of_two_waiting_packets("router.vcs=2 router.depth=32 "
                                               "router.input_speedup=2");
    CHECK_EQ(one - two, 8);
}

CHECK_MAIN("router", TEST(flits_of_a_packet_follow_each_other),
           TEST(a_packet_that_gets_no_vc_tries_again_until_the_tail_has_gone),
           TEST(two_packets_with_a_vc_each_share_the_output_flit_by_flit),
           TEST(a_flit_goes_only_with_a_credit), TEST(credits_may_take_longer),
           TEST(an_output_serves_its_inputs_in_turn),
           TEST(outputs_that_granted_the_same_input_part_ways), TEST(a_vc_is_a_queue),
           TEST(input_speedup_lets_two_vcs_of_an_input_go_at_once))
