#include "check.h"

#include "rig/traffic_rig.h"

/* What one packet of a source is, whenever it arrives. */
struct birth {
    uint64_t born;
    uint32_t dst;
    uint16_t flits;
};

enum { NODES = 8, SERIALS = 400 };

static void births_behind_a_tap(hd_cycle every, struct birth born[NODES][SERIALS])
{
    struct traffic_rig r;
    CHECK(traffic_rig_open(&r, "noc.topology=xbar xbar.inputs=8 xbar.outputs=8 traffic.sizes=1,5"));
    struct source *s = traffic_rig_source(&r, 0.6);
    traffic_rig_tap(&r, every);
    source_stop(s, 500);
    CHECK(traffic_rig_run(&r, 600));
    CHECK(traffic_rig_drain(&r, 100000));
    for (uint64_t i = 0; i < r.tap->n; i++) {
        const struct packet *p = &r.tap->got[i];
        CHECK(p->serial < SERIALS);
        born[p->src][p->serial] = (struct birth){p->born, p->dst, p->flits};
    }
    traffic_rig_close(&r);
}

static void births_do_not_depend_on_back_pressure(void)
{
    static struct birth fast[NODES][SERIALS], slow[NODES][SERIALS];
    int n = 0;
    births_behind_a_tap(1, fast);
    births_behind_a_tap(40, slow);
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < SERIALS; k++) {
            CHECK_EQ(fast[i][k].born, slow[i][k].born);
            CHECK_EQ(fast[i][k].dst, slow[i][k].dst);
            CHECK_EQ(fast[i][k].flits, slow[i][k].flits);
            n += fast[i][k].flits > 0;
        }
    CHECK(n > 500); /* 8 sources, 500 cycles, 0.2 packets each */
}

static void every_packet_is_sent_once_and_in_order_of_birth(void)
{
    static struct birth b[NODES][SERIALS];
    births_behind_a_tap(1, b);
    for (int i = 0; i < NODES; i++) {
        int k = 0;
        for (; b[i][k].flits; k++) {
            CHECK(b[i][k].born < 500);
            CHECK(k == 0 || b[i][k].born > b[i][k - 1].born);
        }
        for (int gap = k; gap < SERIALS; gap++) /* serial numbers without holes */
            CHECK_EQ(b[i][gap].flits, 0);
        CHECK(k > 50);
    }
}

static void a_packet_enters_the_network_in_the_cycle_of_its_birth(void)
{
    struct traffic_rig r;
    CHECK(traffic_rig_open(&r, "noc.topology=ideal ideal.nodes=4 ideal.latency=9"));
    struct source *s = traffic_rig_source(&r, 0.05);
    source_stop(s, 2000);
    CHECK(traffic_rig_run(&r, 3000));
    const struct noc_stats *n = noc_stats(r.net[0]);
    CHECK(n->packets_out > 200);
    CHECK_EQ(n->queueing.sum, 0);
    CHECK_EQ(n->latency.sum, 9 * n->latency.n);
    traffic_rig_close(&r);
}

static void the_offered_load_is_the_rate(void)
{
    static const char *const settings[] = {"noc.topology=ideal ideal.nodes=16",
                                           "noc.topology=ideal ideal.nodes=16 traffic.sizes=1,9"};
    for (int i = 0; i < 2; i++) {
        struct traffic_rig r;
        CHECK(traffic_rig_open(&r, settings[i]));
        CHECK(traffic_rig_source(&r, 0.3) != NULL);
        CHECK(traffic_rig_run(&r, 20000));
        CHECK_NEAR((double)noc_stats(r.net[0])->flits_out / 20000 / 16, 0.3, 0.02);
        traffic_rig_close(&r);
    }
}

static void nothing_is_born_at_or_after_the_stop(void)
{
    struct traffic_rig r;
    CHECK(traffic_rig_open(&r, "noc.topology=xbar xbar.inputs=4 xbar.outputs=4"));
    struct source *s = traffic_rig_source(&r, 1); /* cycles 1, 2, 3, ... */
    source_stop(s, 101);
    CHECK(traffic_rig_run(&r, 1000));
    CHECK_EQ(noc_stats(r.net[0])->packets_out, 4 * 100);
    CHECK_EQ(r.pool.live, 0);
    traffic_rig_close(&r);
}

static void the_measured_window_counts_births_in_it(void)
{
    struct traffic_rig r;
    CHECK(traffic_rig_open(&r, "noc.topology=ideal ideal.nodes=4"));
    struct source *s = traffic_rig_source(&r, 1);
    source_measure(s, 50, HD_NEVER);
    CHECK(traffic_rig_run(&r, 100));
    CHECK(!source_is_done(s));
    source_measure(s, 50, 90); /* closed at 90: those made after it no longer count */
    CHECK(source_is_done(s));
    CHECK(source_measured(s) >= 4 * 40);
    source_measure(s, 200, 210);
    CHECK_EQ(source_measured(s), 0);
    CHECK(!source_is_done(s));
    CHECK(traffic_rig_run(&r, 400));
    CHECK(source_is_done(s));
    CHECK_EQ(source_measured(s), 4 * 10);
    traffic_rig_close(&r);
}

static void a_source_without_load_lets_the_machine_sleep(void)
{
    struct traffic_rig r;
    CHECK(traffic_rig_open(&r, "noc.topology=xbar xbar.inputs=4 xbar.outputs=4"));
    CHECK(traffic_rig_source(&r, 0) != NULL);
    CHECK_EQ(engine_run(r.engine, 1000000, &r.err), ENGINE_IDLE);
    CHECK_EQ(noc_stats(r.net[0])->packets_in, 0);
    traffic_rig_close(&r);
}

CHECK_MAIN("source", TEST(births_do_not_depend_on_back_pressure),
           TEST(every_packet_is_sent_once_and_in_order_of_birth),
           TEST(a_packet_enters_the_network_in_the_cycle_of_its_birth),
           TEST(the_offered_load_is_the_rate), TEST(nothing_is_born_at_or_after_the_stop),
           TEST(the_measured_window_counts_births_in_it),
           TEST(a_source_without_load_lets_the_machine_sleep))
