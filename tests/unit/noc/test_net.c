/* A network as a component: what it counts, measures and refuses. */
#include "check.h"

#include "rig/net_rig.h"

static void open_mesh(struct net_rig *r, const char *settings)
{
    net_rig_begin(r, settings);
    bool built = net_rig_build(r, DIR_ANY);
    CHECK_STR(r->err.text, "");
    CHECK(built);
}

static void what_comes_in_goes_out_and_is_counted(void)
{
    struct net_rig r;
    open_mesh(&r, "mesh.width=4 mesh.height=1");
    net_rig_send(&r, 1, 0, 3, 5);
    net_rig_send(&r, 1, 2, 2, 2);
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    const struct noc_stats *s = noc_stats(r.noc);
    CHECK_EQ(s->packets_in, 2);
    CHECK_EQ(s->packets_out, 2);
    CHECK_EQ(s->flits_in, 7);
    CHECK_EQ(s->flits_out, 7);
    CHECK_EQ(s->hops.sum, 4 + 1);
    CHECK_EQ(noc_flits_from(r.noc, 0), 5);
    CHECK_EQ(noc_flits_from(r.noc, 2), 2);
    CHECK_EQ(noc_flits_from(r.noc, 3), 0);
    CHECK_EQ(noc_flit_hops(r.noc), 4 * 5 + 2);
    double in = noc_in_load(r.noc, r.graph->inject[0]),
           other = noc_in_load(r.noc, r.graph->inject[2]);
    CHECK(in > 0);
    CHECK_NEAR(other, in * 2 / 5, 1e-12);
    CHECK_NEAR(noc_out_load(r.noc, r.graph->eject[3]), in, 1e-12);
    CHECK(noc_out_load(r.noc, r.graph->eject[1]) == 0);
    noc_measure(r.noc, 1000, HD_NEVER); /* loads count from here on */
    CHECK(noc_in_load(r.noc, r.graph->inject[0]) == 0);
    net_rig_close(&r);
}

/* Only packets born in the window count, and a new window starts from nothing. */
static void a_window_of_births_is_measured(void)
{
    struct net_rig r;
    open_mesh(&r, "mesh.width=4 mesh.height=1");
    for (uint32_t k = 0; k < 10; k++)
        net_rig_send(&r, 100 + 100 * k, 0, 1, 1);
    noc_measure(r.noc, 300, 600);
    net_rig_run(&r, 10000);
    const struct noc_stats *s = noc_stats(r.noc);
    CHECK_EQ(s->latency.n, 3);
    CHECK_EQ(s->latency.sum, 3 * 12);
    CHECK_EQ(s->queueing.sum, 0);
    CHECK_EQ(s->packets_out, 10);
    noc_measure(r.noc, 300, 700); /* the same window, closed later, keeps what it has */
    CHECK_EQ(s->latency.n, 3);
    noc_measure(r.noc, 20000, HD_NEVER);
    CHECK_EQ(s->latency.n, 0);
    CHECK_EQ(s->hops.n, 0);
    net_rig_close(&r);
}

/* Latency counts from birth, the time at the source included. */
static void waiting_at_the_source_is_part_of_latency(void)
{
    struct net_rig r;
    open_mesh(&r, "noc.port_depth=64 router.depth=64");
    net_rig_send(&r, 1, 0, 0, 20);
    net_rig_send(&r, 1, 0, 0, 1);
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    const struct noc_stats *s = noc_stats(r.noc);
    CHECK_EQ(s->queueing.n, 2);
    CHECK_EQ(s->queueing.sum, 20);
    CHECK_EQ(s->latency.min, 7 + 19);
    CHECK_EQ(s->latency.max, 20 + 7);
    net_rig_close(&r);
}

static uint64_t digest_of(uint32_t dst, hd_cycle at)
{
    struct net_rig r;
    open_mesh(&r, "mesh.width=4 mesh.height=4");
    net_rig_send(&r, at, 0, dst, 2);
    net_rig_send(&r, 40, 5, 6, 1);
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    uint64_t d = noc_stats(r.noc)->digest;
    net_rig_close(&r);
    return d;
}

static void the_digest_tells_who_got_what_when(void)
{
    uint64_t d = digest_of(7, 10);
    CHECK(d != 0);
    CHECK(digest_of(7, 10) == d);
    CHECK(digest_of(7, 11) != d);
    CHECK(digest_of(13, 10) != d); /* as far away */
}

static void vcs_too_few_for_their_classes_are_refused(void)
{
    static const struct {
        const char *settings;
        uint32_t classes;
        const char *blamed;
    } bad[] = {
        {"mesh.routing=o1turn router.vcs=1", 1, "router.vcs=1: 1 VCs are too few"},
        {"mesh.routing=o1turn router.vcs=3", 2, "router.vcs=3"},
        {"router.vcs=2", 3, "router.vcs=2"},
        {"mesh.routing=o1turn router.vcs=32", 9, "at most 16 classes"},
        {"router.speculative=true router.vc_delay=2", 1, "router.speculative"},
        {"router.vcs=2 router.input_speedup=3", 1, "router.input_speedup=3: 3 lanes"},
        {"noc.topology=xbar xbar.inputs=4096 xbar.outputs=4096 router.vcs=32", 5, "4096 inputs"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct net_rig r;
        net_rig_begin(&r, bad[i].settings);
        r.classes = bad[i].classes;
        CHECK(!net_rig_build(&r, DIR_ANY));
        CHECK_EQ(r.err.status, STATUS_BAD_INPUT);
        if (!strstr(r.err.text, bad[i].blamed))
            CHECK_STR(r.err.text, bad[i].blamed);
        net_rig_close(&r);
    }
}

/* More packets than buffers: they wait outside, and the bound holds. */
static void the_packet_bound_is_enough_under_any_load(void)
{
    struct net_rig r;
    net_rig_begin(&r, "mesh.width=2 mesh.height=2 router.vcs=1 router.depth=2 noc.port_depth=2");
    CHECK(net_rig_build(&r, DIR_ANY));
    uint64_t bound = noc_packet_bound(r.cfg, r.graph, 1, 2);
    uint32_t most = 0;
    for (uint32_t k = 0; k < 1000; k++)
        net_rig_send(&r, 1, k % 4, 3, 1);
    for (hd_cycle t = 1; t < 3000; t += 5) {
        net_rig_run(&r, t);
        most = r.pool.live > most ? r.pool.live : most;
    }
    CHECK(most > 10);
    CHECK(most <= bound);
    net_rig_close(&r);
}

/* Several steps per cycle: grants follow at once, but a channel still takes a flit per cycle. */
static void internal_speedup_does_not_widen_the_channels(void)
{
    struct net_rig r;
    net_rig_begin(&r, "noc.topology=xbar xbar.inputs=2 xbar.outputs=1 router.vcs=1 router.depth=32 "
                      "router.routing_delay=0 router.internal_speedup=4 noc.port_depth=64");
    CHECK(net_rig_build(&r, DIR_REQUEST));
    net_rig_read_all(&r, 64);
    for (uint32_t k = 0; k < 40; k++)
        net_rig_send(&r, 1, k % 2, 2, 1);
    CHECK_EQ(net_rig_run(&r, 1000), ENGINE_IDLE);
    CHECK_EQ(r.nlog, 40);
    for (uint32_t k = 1; k < 40; k++)
        CHECK_EQ(r.log[k].at, r.log[k - 1].at + 1);
    net_rig_close(&r);
}

CHECK_MAIN("net", TEST(what_comes_in_goes_out_and_is_counted), TEST(a_window_of_births_is_measured),
           TEST(waiting_at_the_source_is_part_of_latency), TEST(the_digest_tells_who_got_what_when),
           TEST(vcs_too_few_for_their_classes_are_refused),
           TEST(the_packet_bound_is_enough_under_any_load),
           TEST(internal_speedup_does_not_widen_the_channels))
