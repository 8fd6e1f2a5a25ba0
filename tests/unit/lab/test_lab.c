#include "check.h"

#include "lab/lab.h"
#include "rig/capture.h"
#include "rig/lab_rig.h"

#define MESH4 "mesh.width=4 mesh.height=4 "
#define XBAR "noc.topology=xbar noc.networks=two xbar.inputs=12 xbar.outputs=4 "

struct bench {
    struct arena *arena;
    struct config *cfg;
    struct lab *lab;
    struct err err;
};

static void bench_open(struct bench *b, const char *settings, double rate, struct lab_options opt)
{
    *b = (struct bench){.arena = arena_new()};
    b->cfg = lab_rig_config(b->arena, settings, &b->err);
    if (b->cfg)
        b->lab = lab_new(b->cfg, rate, opt, &b->err);
}

static void bench_close(struct bench *b)
{
    lab_free(b->lab);
    arena_free(b->arena);
}

static uint64_t digest_of(const char *settings, double rate, struct lab_options opt)
{
    struct bench b;
    bench_open(&b, settings, rate, opt);
    CHECK_STR(b.err.text, "");
    CHECK(lab_run(b.lab, 3000, &b.err));
    CHECK(lab_drain(b.lab, 100000, &b.err));
    uint64_t digest = lab_totals(b.lab).digest;
    bench_close(&b);
    return digest;
}

static const char *const various[] = {
    MESH4,
    MESH4 "traffic.pattern=transpose traffic.sizes=1,5",
    MESH4 "mesh.mem=5,10 traffic.pattern=request_reply",
    MESH4 "mesh.mem=5,10 traffic.pattern=many_to_few traffic.process=bursty",
    XBAR "traffic.pattern=request_reply",
    XBAR "traffic.pattern=many_to_few",
    XBAR "traffic.pattern=few_to_many traffic.sizes=5",
    "noc.topology=cdxbar noc.networks=two traffic.pattern=request_reply",
    "noc.topology=ideal traffic.sizes=3",
};
enum { VARIOUS = sizeof various / sizeof various[0] };

static void a_run_repeats_itself_with_every_way_of_running_it(void)
{
    for (int i = 0; i < VARIOUS; i++) {
        uint64_t digest = digest_of(various[i], 0.1, (struct lab_options){0});
        CHECK(digest != 0);
        CHECK_EQ(digest, digest_of(various[i], 0.1, (struct lab_options){0}));
        CHECK_EQ(digest, digest_of(various[i], 0.1, (struct lab_options){.no_skip = true}));
        CHECK_EQ(digest, digest_of(various[i], 0.1, (struct lab_options){.check = true}));
        CHECK_EQ(digest, digest_of(various[i], 0.1, (struct lab_options){.slow_router = true}));
    }
}

static void another_seed_is_another_run(void)
{
    uint64_t one = digest_of(MESH4 "sim.seed=1", 0.1, (struct lab_options){0});
    uint64_t two = digest_of(MESH4 "sim.seed=2", 0.1, (struct lab_options){0});
    CHECK(one != two);
}

static void what_goes_in_comes_out(void)
{
    for (int i = 0; i < VARIOUS; i++) {
        struct bench b;
        bench_open(&b, various[i], 0.2, (struct lab_options){.check = true});
        CHECK_STR(b.err.text, "");
        CHECK(lab_run(b.lab, 2000, &b.err));
        CHECK(lab_drain(b.lab, 100000, &b.err));
        struct lab_totals t = lab_totals(b.lab);
        uint64_t by_source = 0;
        for (uint32_t node = 0; node < lab_fabric(b.lab)->nodes.total; node++)
            by_source += lab_flits_from(b.lab, node);
        CHECK(t.packets_out > 100);
        CHECK_EQ(t.flits_in, t.flits_out);
        CHECK_EQ(by_source, t.flits_out);
        bench_close(&b);
    }
}

static void running_in_pieces_is_running_at_once(void)
{
    struct bench whole, pieces;
    bench_open(&whole, MESH4, 0.3, (struct lab_options){0});
    bench_open(&pieces, MESH4, 0.3, (struct lab_options){0});
    CHECK(lab_run(whole.lab, 1000, &whole.err));
    for (hd_cycle now = 0; now <= 1000; now += 1 + now % 7)
        CHECK(lab_run(pieces.lab, now, &pieces.err));
    CHECK(lab_run(pieces.lab, 1000, &pieces.err));
    CHECK_EQ(lab_now(whole.lab), 1000);
    CHECK_EQ(lab_now(pieces.lab), 1000);
    CHECK_EQ(lab_totals(whole.lab).digest, lab_totals(pieces.lab).digest);
    bench_close(&whole);
    bench_close(&pieces);
}

static void two_labs_side_by_side_do_not_touch_each_other(void)
{
    uint64_t alone = digest_of(MESH4, 0.3, (struct lab_options){0});
    struct bench a, b;
    bench_open(&a, MESH4, 0.3, (struct lab_options){0});
    bench_open(&b, XBAR "traffic.pattern=request_reply", 0.5, (struct lab_options){0});
    for (hd_cycle now = 10; now <= 3000; now += 10) {
        CHECK(lab_run(a.lab, now, &a.err));
        CHECK(lab_run(b.lab, now, &b.err));
    }
    CHECK(lab_drain(a.lab, 100000, &a.err));
    CHECK_EQ(lab_totals(a.lab).digest, alone);
    bench_close(&a);
    bench_close(&b);
}

static void only_packets_born_in_the_window_are_measured(void)
{
    struct bench b;
    bench_open(&b, "noc.topology=ideal ideal.nodes=10 ideal.latency=4", 1, (struct lab_options){0});
    lab_measure(b.lab, 101, HD_NEVER);
    CHECK(lab_run(b.lab, 50, &b.err));
    CHECK_EQ(lab_totals(b.lab).latency_n, 0);
    CHECK(lab_run(b.lab, 200, &b.err)); /* packets born at 201 are in the ports already */
    lab_measure(b.lab, 101, 201);
    CHECK(lab_run(b.lab, 300, &b.err));
    CHECK(lab_is_complete(b.lab));
    CHECK_EQ(lab_totals(b.lab).latency_n, 10 * 100);
    CHECK_EQ(lab_totals(b.lab).latency_sum, 10 * 100 * 4);
    CHECK_EQ(lab_totals(b.lab).queueing_sum, 0);
    lab_measure(b.lab, 1001, 1101); /* a new beginning */
    CHECK_EQ(lab_totals(b.lab).latency_n, 0);
    CHECK(!lab_is_complete(b.lab));
    bench_close(&b);
}

static void latency_of_two_networks_is_merged(void)
{
    struct bench b;
    struct stat_hist h;
    bench_open(&b, XBAR "traffic.pattern=request_reply", 0.2, (struct lab_options){0});
    CHECK(lab_run(b.lab, 2000, &b.err));
    lab_latency(b.lab, &h);
    CHECK_EQ(h.n, noc_stats(lab_network(b.lab, 0))->latency.n +
                      noc_stats(lab_network(b.lab, 1))->latency.n);
    CHECK_EQ(h.sum, lab_totals(b.lab).latency_sum);
    CHECK(lab_round_trip(b.lab) != NULL);
    CHECK(lab_round_trip(b.lab)->n > 50);
    bench_close(&b);
    bench_open(&b, MESH4, 0.2, (struct lab_options){0});
    CHECK(lab_round_trip(b.lab) == NULL); /* nothing comes back in an open loop */
    bench_close(&b);
}

static void sources_are_those_that_the_pattern_sends_from(void)
{
    static const struct {
        const char *settings;
        uint32_t n, first;
    } want[] = {
        {MESH4, 16, 0},
        {MESH4 "mesh.mem=0,15 traffic.pattern=many_to_few", 14, 1},
        {MESH4 "mesh.mem=0,15 traffic.pattern=request_reply", 14, 1},
        {MESH4 "mesh.mem=3,15 traffic.pattern=few_to_many", 2, 3},
        {XBAR "traffic.pattern=many_to_few", 12, 0},
        {XBAR "traffic.pattern=few_to_many", 4, 12},
    };
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct bench b;
        bench_open(&b, want[i].settings, 0.1, (struct lab_options){0});
        CHECK_STR(b.err.text, "");
        CHECK_EQ(lab_nsources(b.lab), want[i].n);
        CHECK_EQ(lab_source(b.lab, 0), want[i].first);
        bench_close(&b);
    }
}

static void the_budget_ends_a_run_with_its_own_status(void)
{
    struct bench b;
    bench_open(&b, MESH4 "measure.max_cycles=100", 0.1, (struct lab_options){0});
    CHECK(lab_run(b.lab, 100, &b.err));
    CHECK(!lab_run(b.lab, 101, &b.err));
    CHECK_EQ(b.err.status, STATUS_BUDGET);
    CHECK_STR(b.err.text, "not finished after measure.max_cycles = 100 cycles");
    bench_close(&b);
}

static void a_drain_that_takes_too_long_fails(void)
{
    struct bench b;
    bench_open(&b, XBAR "traffic.pattern=request_reply reqrep.service=5000", 1,
               (struct lab_options){0});
    CHECK(lab_run(b.lab, 500, &b.err));
    CHECK(!lab_drain(b.lab, 1000, &b.err));
    CHECK_EQ(b.err.status, STATUS_FAILED);
    CHECK(strstr(b.err.text, "packets are left after 1000 cycles of draining") != NULL);
    bench_close(&b);
}

static void statistics_have_the_names_of_their_networks(void)
{
    struct bench b;
    struct text t;
    bench_open(&b, XBAR "traffic.pattern=request_reply", 0.1, (struct lab_options){0});
    CHECK(lab_run(b.lab, 500, &b.err));
    struct stats *tree = stats_new(b.arena);
    lab_add_stats(b.lab, tree);
    text_open(&t);
    stats_write_text(tree, t.out);
    const char *text = text_close(&t);
    CHECK(strstr(text, "noc.request.flits_out") != NULL);
    CHECK(strstr(text, "noc.reply.latency") != NULL);
    CHECK(strstr(text, "traffic.issued") != NULL);
    text_free(&t);
    bench_close(&b);
}

static void what_cannot_work_is_refused(void)
{
    static const struct {
        const char *settings, *message;
    } bad[] = {
        {"noc.topology=mseh", "--set noc.topology=mseh: no topology \"mseh\"; did you mean mesh?"},
        {"noc.topology=hyperspace",
         "--set noc.topology=hyperspace: no topology \"hyperspace\" (heddle list topologies)"},
        {"traffic.pattern=unifrom",
         "--set traffic.pattern=unifrom: no pattern \"unifrom\"; did you mean uniform?"},
        {"noc.networks=two",
         "mesh.mem: request and reply networks need at least one memory node and one core"},
        {"traffic.pattern=request_reply",
         "--set traffic.pattern=request_reply: request_reply needs cores and memory nodes, and "
         "this network has 64 and 0"},
        {"mesh.mem=0 traffic.pattern=request_reply noc.classes=1",
         "--set noc.classes=1: requests and replies on one network need 2 message classes, or "
         "they wait for each other for ever"},
        {XBAR "traffic.pattern=request_reply reqrep.mc_share=0.5",
         "--set reqrep.mc_share=0.5: cores reach other cores only on one network for everything"},
        {"mesh.routing=o1turn router.vcs=1",
         "--set router.vcs=1: 1 VCs are too few: 1 message classes with 2 VC classes each need at "
         "least 2"},
        {"traffic.rate=2 traffic.sizes=1",
         "--set traffic.rate=2: 2 flits/node/cycle is more than one packet per cycle"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct bench b;
        bench_open(&b, bad[i].settings, i == 8 ? 2 : 0.1, (struct lab_options){0});
        CHECK(b.lab == NULL);
        CHECK_EQ(b.err.status, STATUS_BAD_INPUT);
        CHECK_STR(b.err.text, bad[i].message);
        bench_close(&b);
    }
}

CHECK_MAIN("lab", TEST(a_run_repeats_itself_with_every_way_of_running_it),
           TEST(another_seed_is_another_run), TEST(what_goes_in_comes_out),
           TEST(running_in_pieces_is_running_at_once),
           TEST(two_labs_side_by_side_do_not_touch_each_other),
           TEST(only_packets_born_in_the_window_are_measured),
           TEST(latency_of_two_networks_is_merged),
           TEST(sources_are_those_that_the_pattern_sends_from),
           TEST(the_budget_ends_a_run_with_its_own_status), TEST(a_drain_that_takes_too_long_fails),
           TEST(statistics_have_the_names_of_their_networks), TEST(what_cannot_work_is_refused))
