/* The ends of a network: how packets get in, and what happens when nobody takes them out. */
#include "check.h"

#include "rig/net_rig.h"

static void open_net(struct net_rig *r, const char *settings, enum direction dir)
{
    net_rig_begin(r, settings);
    r->engine_options.audit = 1;
    bool built = net_rig_build(r, dir);
    CHECK_STR(r->err.text, "");
    CHECK(built);
}

static void finish(struct net_rig *r, uint32_t packets)
{
    r->err = (struct err){0};
    enum engine_stop stop = net_rig_run(r, 1000000);
    CHECK_STR(r->err.text, "");
    CHECK_EQ(stop, ENGINE_IDLE);
    CHECK_EQ(r->nlog, packets);
    CHECK_EQ(r->pool.live, 0);
}

static const struct net_rig_arrival *from(const struct net_rig *r, uint32_t src, uint32_t serial)
{
    for (uint32_t i = 0; i < r->nlog; i++)
        if (r->log[i].src == src && r->log[i].serial == serial)
            return &r->log[i];
    return NULL;
}

/* Three cores behind one port: a packet at a time, one flit per cycle, each core in turn. */
static void cores_behind_one_port_take_turns(void)
{
    struct net_rig r;
    open_net(&r, "noc.topology=cxbar cxbar.cores=3 cxbar.ports=1 cxbar.mems=1 router.depth=64",
             DIR_REQUEST);
    net_rig_read_all(&r, 64);
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t core = 0; core < 3; core++)
            net_rig_send(&r, 1, core, 3, 4);
    finish(&r, 9);
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t core = 0; core < 3; core++)
            CHECK_EQ(from(&r, core, k)->entered, 1 + 4 * (3 * k + core));
    net_rig_close(&r);
}

/* VCs are used one after the other, so that a packet does not wait behind the last one while
 * there is an empty VC: the second packet, for a free output, overtakes the first. */
static void injection_goes_from_vc_to_vc(void)
{
    for (uint32_t vcs = 1; vcs <= 2; vcs++) {
        struct net_rig r;
        char settings[160];
        snprintf(settings, sizeof settings,
                 "noc.topology=xbar xbar.inputs=3 xbar.outputs=2 router.vcs=%u router.depth=64",
                 vcs);
        open_net(&r, settings, DIR_REQUEST);
        net_rig_read_all(&r, 64);
        for (uint32_t src = 0; src < vcs; src++) /* all VCs of the first output are taken */
            net_rig_send(&r, 1, src, 3, 40);
        net_rig_send(&r, 10, 2, 3, 1);
        net_rig_send(&r, 11, 2, 4, 1);
        finish(&r, vcs + 2);
        hd_cycle first = from(&r, 2, 0)->at, second = from(&r, 2, 1)->at;
        CHECK(first > 40);
        if (vcs == 1)
            CHECK(second > first);
        else
            CHECK_EQ(second, 11 + 7);
        net_rig_close(&r);
    }
}

/* One message class may be stuck while another flows: they have VCs of their own. */
static void message_classes_do_not_block_each_other(void)
{
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=xbar xbar.inputs=2 xbar.outputs=1 router.vcs=2 router.depth=2");
    r.classes = 2;
    r.engine_options.audit = 1;
    CHECK(net_rig_build(&r, DIR_REQUEST));
    net_rig_read(&r, 2, 1);
    net_rig_hold(&r, 2, true);
    for (uint32_t k = 0; k < 20; k++)
        net_rig_send_as(&r, (struct net_rig_send){.at = 1, .src = k % 2, .dst = 2, .flits = 3});
    net_rig_run(&r, 1000);
    CHECK_EQ(noc_stats(r.noc)->packets_out, 1); /* class 0 has filled its port */
    net_rig_send_as(&r,
                    (struct net_rig_send){.at = 2000, .src = 0, .dst = 2, .flits = 3, .cls = 1});
    net_rig_run(&r, 3000);
    CHECK_EQ(noc_stats(r.noc)->packets_out, 2); /* and the one of class 1 came through */
    net_rig_hold(&r, 2, false);
    finish(&r, 21);
    net_rig_close(&r);
}

/* ---- ejection ---- */

/* A port of two packets that nobody reads: two are delivered, and the rest waits in buffers and
 * at the sources without being lost. */
static void a_reader_that_stops_pushes_back(void)
{
    for (uint16_t flits = 1; flits <= 5; flits = (uint16_t)(flits + 2)) {
        struct net_rig r;
        open_net(&r, "noc.topology=xbar xbar.inputs=2 xbar.outputs=2 router.vcs=2 router.depth=3",
                 DIR_REQUEST);
        net_rig_read_all(&r, 2);
        net_rig_hold(&r, 2, true);
        for (uint32_t k = 0; k < 60; k++)
            net_rig_send(&r, 1, k % 2, 2, flits);
        net_rig_run(&r, 2000);
        const struct noc_stats *s = noc_stats(r.noc);
        CHECK_EQ(s->packets_out, 2);
        CHECK_EQ(s->flits_out, 2 * flits);
        CHECK(s->flits_in <= 2u * flits + 2 * 3 + 4 * 3); /* what buffers there are */
        CHECK_EQ(r.nlog, 0);
        net_rig_hold(&r, 2, false);
        finish(&r, 60);
        CHECK_EQ(s->flits_out, 60 * flits);
        net_rig_close(&r);
    }
}

/* Slots are promised to packets when their heads are taken: two VCs never overfill the port. */
static void packets_of_two_vcs_share_the_slots_of_a_port(void)
{
    struct net_rig r;
    open_net(&r, "noc.topology=xbar xbar.inputs=4 xbar.outputs=1 router.vcs=4 router.depth=4",
             DIR_REQUEST);
    net_rig_read_all(&r, 1);
    for (uint32_t k = 0; k < 200; k++)
        net_rig_send(&r, 1 + k, k % 4, 4, (uint16_t)(1 + k % 5));
    for (hd_cycle t = 50; t < 1500; t += 50) {
        net_rig_hold(&r, 4, t / 50 % 2 == 0);
        net_rig_run(&r, t);
    }
    net_rig_hold(&r, 4, false);
    finish(&r, 200);
    net_rig_close(&r);
}

static void a_reader_that_keeps_up_costs_nothing(void)
{
    hd_cycle last[2];
    for (int k = 0; k < 2; k++) {
        struct net_rig r;
        open_net(&r, "noc.topology=xbar xbar.inputs=4 xbar.outputs=4", DIR_REQUEST);
        if (k == 1)
            net_rig_read_all(&r, 8);
        for (uint32_t i = 0; i < 400; i++)
            net_rig_send(&r, 1 + i / 4, i % 4, 4 + i / 4 % 4, 3);
        CHECK_EQ(net_rig_run(&r, 100000), ENGINE_IDLE);
        CHECK_EQ(noc_stats(r.noc)->packets_out, 400);
        last[k] = noc_stats(r.noc)->latency.sum;
        net_rig_close(&r);
    }
    CHECK_EQ(last[0], last[1]);
}

/* ---- the ideal network ---- */

static void in_the_ideal_network_nobody_waits_for_anybody(void)
{
    struct net_rig r;
    open_net(&r, "noc.topology=ideal ideal.nodes=8 ideal.latency=9 noc.port_depth=64", DIR_ANY);
    net_rig_read_all(&r, 64);
    for (uint32_t k = 0; k < 40; k++)
        net_rig_send(&r, 5, k % 8, 3, 100);
    finish(&r, 40);
    for (uint32_t k = 0; k < 40; k++)
        CHECK_EQ(r.log[k].at, 5 + 9);
    CHECK_EQ(noc_stats(r.noc)->flits_out, 4000);
    net_rig_close(&r);
}

static void the_ideal_network_waits_for_its_reader(void)
{
    struct net_rig r;
    open_net(&r, "noc.topology=ideal ideal.nodes=4 ideal.latency=3 noc.port_depth=64", DIR_ANY);
    net_rig_read_all(&r, 2);
    net_rig_hold(&r, 1, true);
    for (uint32_t k = 0; k < 10; k++)
        net_rig_send(&r, 5, k % 4, 1, 1);
    net_rig_run(&r, 500);
    CHECK_EQ(noc_stats(r.noc)->packets_out, 2);
    net_rig_hold(&r, 1, false);
    finish(&r, 10);
    net_rig_close(&r);
}

CHECK_MAIN("terminal", TEST(cores_behind_one_port_take_turns), TEST(injection_goes_from_vc_to_vc),
           TEST(message_classes_do_not_block_each_other), TEST(a_reader_that_stops_pushes_back),
           TEST(packets_of_two_vcs_share_the_slots_of_a_port),
           TEST(a_reader_that_keeps_up_costs_nothing),
           TEST(in_the_ideal_network_nobody_waits_for_anybody),
           TEST(the_ideal_network_waits_for_its_reader))
