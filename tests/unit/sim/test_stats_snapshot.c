#include "check.h"

#include <signal.h>

#include "rig/capture.h"
#include "sim/stats_snapshot.h"

#define NET_STATS(S, id)                                                                           \
    S(id, COUNTER, flits, "flit", "flits that left the network")                                   \
    S(id, MEAN, hops, "router", "routers a packet traversed")                                      \
    S(id, HIST, latency, "cycle", "birth to last flit")                                            \
    S(id, SERIES, load, "flit", "flits delivered per period")
STATS_STRUCT(net, NET_STATS)
STATS_ROWS(net, NET_STATS)

struct world {
    struct arena *a;
    struct net_stats *n; /* two that join */
    struct stats *t;
};

static struct world world_new(bool details)
{
    struct world w = {.a = arena_new()};
    w.n = ARENA_ARRAY(w.a, struct net_stats, 2);
    w.t = stats_new(w.a);
    stats_set_details(w.t, details);
    stats_join(w.t, "net", "net[0]", net_stat_rows, 4, &w.n[0]);
    stats_join(w.t, "net", "net[1]", net_stat_rows, 4, &w.n[1]);
    return w;
}

static void count(struct net_stats *n, uint64_t by)
{
    n->flits += by;
    stat_mean_add(&n->hops, by);
    stat_hist_add(&n->latency, 10 * by);
    stat_series_add(&n->load, 0, by);
}

static void a_snapshot_does_not_change_with_the_tree(void)
{
    struct world w = world_new(false);
    count(&w.n[0], 4);
    struct stats_snapshot *s = stats_snapshot(w.t, w.a);
    count(&w.n[1], 6);
    CHECK(stats_snapshot_value(s, "net.flits") == 4);
    stats_snapshot_retake(s);
    CHECK(stats_snapshot_value(s, "net.flits") == 10);
    arena_free(w.a);
}

static void values_are_found_by_name(void)
{
    struct world w = world_new(true);
    w.n[0].load.period = 100;
    count(&w.n[0], 4);
    count(&w.n[1], 7);
    struct stats_snapshot *s = stats_snapshot(w.t, w.a);
    CHECK(stats_snapshot_value(s, "net.hops") == 5.5);
    CHECK(stats_snapshot_value(s, "net.hops.n") == 2);
    CHECK(stats_snapshot_value(s, "net.hops.sum") == 11);
    CHECK(stats_snapshot_value(s, "net.latency") == 55);
    CHECK(stats_snapshot_value(s, "net.latency.sum") == 110);
    CHECK(stats_snapshot_value(s, "net.load") == 4);
    CHECK(stats_snapshot_has(s, "net.hops.n") && stats_snapshot_has(s, "net.flits"));
    arena_free(w.a);
}

static void what_is_not_there_is_nan(void)
{
    struct world w = world_new(true);
    struct stats_snapshot *s = stats_snapshot(w.t, w.a);
    static const char *const absent[] = {"net",         "net.flit",   "flits",          "",
                                         "net.flits.n", "net.hops.x", "net[0].flits",   "net.hops.",
                                         ".n",          "n",          "net[1].hops.sum"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        CHECK(isnan(stats_snapshot_value(s, absent[i])));
        CHECK(!stats_snapshot_has(s, absent[i]));
    }
    CHECK(isnan(stats_snapshot_value(s, "net.hops"))); /* there, but a mean of nothing */
    CHECK(stats_snapshot_has(s, "net.hops"));
    char name[600];
    memset(name, 'x', sizeof name);
    memcpy(name + 500, ".n", 3);
    CHECK(!stats_snapshot_has(s, name));
    arena_free(w.a);
}

static void a_difference_is_what_happened_between(void)
{
    struct world w = world_new(false);
    count(&w.n[0], 4);
    struct stats_snapshot *before = stats_snapshot(w.t, w.a);
    count(&w.n[0], 2);
    count(&w.n[1], 9);
    struct stats_snapshot *during = stats_snapshot(w.t, w.a);
    stats_snapshot_subtract(during, before);
    CHECK(stats_snapshot_value(during, "net.flits") == 11);
    CHECK(stats_snapshot_value(during, "net.hops") == 5.5);
    CHECK(stats_snapshot_value(during, "net.hops.n") == 2);
    CHECK(stats_snapshot_value(during, "net.latency") == 55);
    struct stats_snapshot *same = stats_snapshot_clone(during, w.a);
    stats_snapshot_subtract(during, during);
    CHECK(stats_snapshot_value(during, "net.flits") == 0);
    CHECK(stats_snapshot_value(same, "net.flits") == 11);
    arena_free(w.a);
}

static void json_has_one_number_per_name(void)
{
    struct world w = world_new(false);
    count(&w.n[0], 4);
    count(&w.n[0], 5);
    struct text x;
    struct json j;
    text_open(&x);
    json_begin(&j, x.out);
    json_open_object(&j, false);
    stats_snapshot_json(stats_snapshot(w.t, w.a), &j);
    json_close_object(&j);
    json_end(&j);
    CHECK_STR(text_close(&x), "{\n  \"net.flits\": 9,\n  \"net.hops\": 4.5,\n  \"net.hops.n\": 2,\n"
                              "  \"net.latency\": 45,\n  \"net.latency.n\": 2\n}\n");
    text_free(&x);
    arena_free(w.a);
}

static void csv_says_the_same_line_by_line(void)
{
    struct world w = world_new(false);
    struct text x;
    w.n[0].flits = 7;
    stat_mean_add(&w.n[0].hops, 4);
    stat_mean_add(&w.n[1].hops, 5);
    text_open(&x);
    stats_snapshot_csv(stats_snapshot(w.t, w.a), x.out);
    CHECK_STR(text_close(&x),
              "net.flits,7\nnet.hops,4.5\nnet.hops.n,2\nnet.latency,\nnet.latency.n,0\n");
    text_free(&x);
    arena_free(w.a);
}

static void mix_two_trees(void)
{
    struct world v = world_new(false), w = world_new(false);
    stats_snapshot_subtract(stats_snapshot(v.t, v.a), stats_snapshot(w.t, w.a));
}

static void add_after_a_snapshot(void)
{
    struct world w = world_new(false);
    stats_snapshot(w.t, w.a);
    stats_add(w.t, "late", net_stat_rows, 1, w.n);
}

static void misuse_is_asserted(void)
{
    CHECK(strstr(death_of(mix_two_trees).text, "snapshots of two trees"));
    CHECK_EQ(death_of(add_after_a_snapshot).signal, SIGABRT);
}

CHECK_MAIN("stats_snapshot", TEST(a_snapshot_does_not_change_with_the_tree),
           TEST(values_are_found_by_name), TEST(what_is_not_there_is_nan),
           TEST(a_difference_is_what_happened_between), TEST(json_has_one_number_per_name),
           TEST(csv_says_the_same_line_by_line), TEST(misuse_is_asserted))
