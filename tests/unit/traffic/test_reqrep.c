#include "check.h"

#include "rig/traffic_rig.h"

#define XBAR "noc.topology=xbar noc.networks=two xbar.inputs=8 xbar.outputs=4 "
#define ONE_CORE "noc.topology=xbar noc.networks=two xbar.inputs=1 xbar.outputs=1 "

static void open_with(struct traffic_rig *r, const char *settings, double rate, struct reqrep **t)
{
    if (!traffic_rig_open(r, settings))
        print_error("%s\n", r->err.text);
    CHECK_EQ(r->err.status, STATUS_DONE);
    *t = traffic_rig_reqrep(r, rate);
    CHECK(*t != NULL);
}

static void every_request_gets_exactly_one_reply(void)
{
    static const char *const settings[] = {
        XBAR,
        XBAR "reqrep.slots=1 reqrep.outstanding=1",
        XBAR "reqrep.slots=2 reqrep.service=1 reqrep.long_flits=9 router.vcs=2 router.depth=2",
        "noc.topology=ideal noc.networks=two ideal.cores=10 ideal.mems=3",
        "noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=5,10 reqrep.slots=2",
        "noc.topology=mesh noc.networks=two mesh.width=4 mesh.height=4 mesh.mem=0,15",
        "noc.topology=cdxbar noc.networks=two cdxbar.cores=12 cdxbar.mems=4 cdxbar.locals=3",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct traffic_rig r;
        struct reqrep *t;
        open_with(&r, settings[i], 0.9, &t);
        CHECK(traffic_rig_run(&r, 2000));
        CHECK(reqrep_stats(t)->issued > 100);
        CHECK(reqrep_stats(t)->issued > reqrep_stats(t)->finished);
        reqrep_stop(t, 2000);
        CHECK(traffic_rig_drain(&r, 100000));
        CHECK_EQ(reqrep_stats(t)->issued, reqrep_stats(t)->finished);
        uint64_t packets = 0;
        for (int n = 0; n < r.g.n; n++)
            packets += noc_stats(r.net[n])->packets_out;
        CHECK_EQ(packets, 2 * reqrep_stats(t)->issued);
        traffic_rig_close(&r);
    }
}

static void reads_are_short_there_and_long_back_and_writes_the_other_way(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR "reqrep.read_share=0.7 reqrep.short_flits=2 reqrep.long_flits=7", 0.3, &t);
    CHECK(traffic_rig_run(&r, 20000));
    reqrep_stop(t, 20000);
    CHECK(traffic_rig_drain(&r, 100000));
    const struct reqrep_stats *s = reqrep_stats(t);
    uint64_t writes = s->issued - s->reads;
    CHECK_EQ(noc_stats(r.net[0])->flits_out, 2 * s->reads + 7 * writes);
    CHECK_EQ(noc_stats(r.net[1])->flits_out, 7 * s->reads + 2 * writes);
    CHECK_NEAR((double)s->reads / (double)s->issued, 0.7, 0.03);
    traffic_rig_close(&r);
}

static void only_reads_or_only_writes_are_possible(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR "reqrep.read_share=1", 0.3, &t);
    CHECK(traffic_rig_run(&r, 2000));
    CHECK_EQ(reqrep_stats(t)->reads, reqrep_stats(t)->issued);
    traffic_rig_close(&r);
    open_with(&r, XBAR "reqrep.read_share=0", 0.3, &t);
    CHECK(traffic_rig_run(&r, 2000));
    CHECK_EQ(reqrep_stats(t)->reads, 0);
    CHECK(reqrep_stats(t)->issued > 100);
    traffic_rig_close(&r);
}

static void a_core_never_has_more_under_way_than_its_limit(void)
{
    for (uint64_t limit = 1; limit <= 7; limit += 3) {
        struct traffic_rig r;
        struct reqrep *t;
        char settings[256];
        uint64_t most = 0;
        snprintf(settings, sizeof settings, ONE_CORE "reqrep.outstanding=%d reqrep.service=50",
                 (int)limit);
        open_with(&r, settings, 1, &t);
        for (hd_cycle now = 1; now < 2000; now++) {
            CHECK(traffic_rig_run(&r, now));
            uint64_t under_way = reqrep_stats(t)->issued - reqrep_stats(t)->finished;
            CHECK(under_way <= limit);
            most = under_way > most ? under_way : most;
        }
        CHECK_EQ(most, limit); /* and it is used */
        traffic_rig_close(&r);
    }
}

static void no_core_of_many_takes_another_ones_share_of_the_limit(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR "reqrep.outstanding=2 reqrep.service=100", 1, &t);
    for (hd_cycle now = 1; now < 1000; now++) {
        CHECK(traffic_rig_run(&r, now));
        CHECK(reqrep_stats(t)->issued - reqrep_stats(t)->finished <= 8 * 2);
    }
    for (uint32_t node = 0; node < 8; node++) /* about 2 per 110 cycles each */
        CHECK(noc_flits_from(r.net[0], node) > 10);
    traffic_rig_close(&r);
}

/* Birth to last flit of the request, service, last flit of the reply; each part as its closed
 * form says.  A memory node sees the request one cycle after its last flit arrived and the reply
 * is born one cycle after it is ready: ports take a cycle. */
static void the_round_trip_is_the_sum_of_its_parts_at_zero_load(void)
{
    static const char *const settings[] = {
        ONE_CORE "reqrep.service=30",
        "noc.topology=ideal noc.networks=two ideal.cores=1 ideal.mems=1 ideal.latency=5 "
        "reqrep.service=30"};
    for (int i = 0; i < 2; i++) {
        struct traffic_rig r;
        struct reqrep *t;
        char all[256];
        snprintf(all, sizeof all, "%s reqrep.read_share=1", settings[i]);
        open_with(&r, all, 0.0002, &t); /* one in 30000 cycles */
        CHECK(traffic_rig_run(&r, 500000));
        const struct router_spec *rs = config_get(r.cfg, &router_section);
        uint64_t parts = noc_zero_load(r.g.graph[0], rs, 0, 1, 1) + 30 +
                         noc_zero_load(r.g.graph[1], rs, 1, 0, 5);
        const struct stat_hist *h = &reqrep_stats(t)->round_trip;
        CHECK(h->n > 5);
        CHECK_EQ(h->sum % h->n, 0); /* all alike */
        CHECK_EQ(h->sum / h->n, parts + 2);
        traffic_rig_close(&r);
    }
}

/* A memory node with s slots of `service` cycles each answers s / service requests per cycle,
 * whatever waits outside. */
static void slots_bound_what_a_memory_node_answers(void)
{
    for (int slots = 1; slots <= 8; slots *= 2) {
        struct traffic_rig r;
        struct reqrep *t;
        char settings[256];
        snprintf(settings, sizeof settings,
                 ONE_CORE "reqrep.slots=%d reqrep.service=100 reqrep.outstanding=1000", slots);
        open_with(&r, settings, 1, &t);
        CHECK(traffic_rig_run(&r, 1000));
        uint64_t before = reqrep_stats(t)->finished;
        CHECK(traffic_rig_run(&r, 11000));
        CHECK_NEAR(reqrep_stats(t)->finished - before, 100.0 * slots, 0.02);
        traffic_rig_close(&r);
    }
}

static void full_slots_back_up_into_the_request_network(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR "reqrep.slots=1 reqrep.service=5000 reqrep.outstanding=1000", 1, &t);
    CHECK(traffic_rig_run(&r, 4000));
    uint64_t stopped = reqrep_stats(t)->issued;
    CHECK(stopped > 4); /* in slots, ejection ports, routers and injection ports */
    CHECK(stopped < 8 * 100);
    CHECK(traffic_rig_run(&r, 4900));
    CHECK_EQ(reqrep_stats(t)->issued, stopped);
    CHECK(noc_stats(r.net[0])->packets_in > noc_stats(r.net[0])->packets_out);
    CHECK(traffic_rig_run(&r, 12000)); /* and it is a jam, no deadlock */
    CHECK(reqrep_stats(t)->issued > stopped);
    traffic_rig_close(&r);
}

/* 12 cores behind 3 ports, 8 memory nodes behind 2: whoever reads a shared channel must pass on
 * what is meant for the others, and wait when it is the others' slots that are full. */
static void nodes_that_share_a_channel_all_get_served(void)
{
    static const char *const more[] = {"", "reqrep.slots=1", "reqrep.outstanding=1",
                                       "reqrep.slots=1 reqrep.service=1 reqrep.outstanding=3"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        struct traffic_rig r;
        struct reqrep *t;
        char settings[256];
        snprintf(settings, sizeof settings,
                 "noc.topology=cxbar noc.networks=two cxbar.cores=12 cxbar.ports=3 cxbar.mems=8 "
                 "cxbar.mem_ports=2 %s",
                 more[i]);
        open_with(&r, settings, 0.9, &t);
        CHECK(traffic_rig_run(&r, 5000));
        reqrep_stop(t, 5000);
        CHECK(traffic_rig_drain(&r, 100000));
        CHECK_EQ(reqrep_stats(t)->issued, reqrep_stats(t)->finished);
        CHECK(reqrep_stats(t)->issued > 12 * 50);
        for (uint32_t node = 0; node < 12; node++)
            CHECK(noc_flits_from(r.net[0], node) > 50);
        for (uint32_t node = 12; node < 20; node++)
            CHECK(noc_flits_from(r.net[1], node) > 50);
        traffic_rig_close(&r);
    }
}

/* With one flit per message the flits a node sends are its requests and its replies. */
static void a_share_of_the_requests_goes_to_other_cores(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r,
              "noc.topology=mesh mesh.width=4 mesh.height=4 mesh.mem=5,10 reqrep.mc_share=0.6 "
              "reqrep.long_flits=1",
              0.2, &t);
    CHECK(traffic_rig_run(&r, 20000));
    reqrep_stop(t, 20000);
    CHECK(traffic_rig_drain(&r, 10000));
    uint64_t by_memory = noc_flits_from(r.net[0], 5) + noc_flits_from(r.net[0], 10);
    CHECK_EQ(reqrep_stats(t)->issued, reqrep_stats(t)->finished);
    CHECK(reqrep_stats(t)->issued > 10000);
    CHECK_NEAR((double)by_memory / (double)reqrep_stats(t)->finished, 0.6, 0.03);
    traffic_rig_close(&r);
}

static void the_load_counts_flits_of_both_ways_per_core(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, "noc.topology=ideal noc.networks=two ideal.cores=16 ideal.mems=16", 0.3, &t);
    CHECK(traffic_rig_run(&r, 20000));
    uint64_t flits = noc_stats(r.net[0])->flits_out + noc_stats(r.net[1])->flits_out;
    CHECK_NEAR((double)flits / 20000 / 16, 0.3, 0.02);
    traffic_rig_close(&r);
}

static void only_transactions_born_in_the_window_are_measured(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR, 0.3, &t);
    reqrep_measure(t, 1000, 2000);
    CHECK(traffic_rig_run(&r, 900));
    CHECK_EQ(reqrep_stats(t)->round_trip.n, 0);
    CHECK(traffic_rig_run(&r, 3000));
    CHECK_NEAR(reqrep_stats(t)->round_trip.n, 0.3 / 6 * 8 * 1000, 0.2);
    reqrep_measure(t, 5000, 6000);
    CHECK_EQ(reqrep_stats(t)->round_trip.n, 0);
    traffic_rig_close(&r);
}

static void a_stop_ends_births_at_once(void)
{
    struct traffic_rig r;
    struct reqrep *t;
    open_with(&r, XBAR, 0.5, &t);
    CHECK(traffic_rig_run(&r, 500));
    reqrep_stop(t, 500);
    uint64_t issued = reqrep_stats(t)->issued;
    CHECK(traffic_rig_drain(&r, 5000));
    CHECK(reqrep_stats(t)->issued <= issued + 8); /* born before, but not yet in a port */
    traffic_rig_close(&r);
}

CHECK_MAIN("reqrep", TEST(every_request_gets_exactly_one_reply),
           TEST(reads_are_short_there_and_long_back_and_writes_the_other_way),
           TEST(only_reads_or_only_writes_are_possible),
           TEST(a_core_never_has_more_under_way_than_its_limit),
           TEST(no_core_of_many_takes_another_ones_share_of_the_limit),
           TEST(the_round_trip_is_the_sum_of_its_parts_at_zero_load),
           TEST(slots_bound_what_a_memory_node_answers),
           TEST(full_slots_back_up_into_the_request_network),
           TEST(nodes_that_share_a_channel_all_get_served),
           TEST(a_share_of_the_requests_goes_to_other_cores),
           TEST(the_load_counts_flits_of_both_ways_per_core),
           TEST(only_transactions_born_in_the_window_are_measured),
           TEST(a_stop_ends_births_at_once))
