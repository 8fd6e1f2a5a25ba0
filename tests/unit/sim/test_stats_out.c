#include "check.h"

#include "rig/capture.h"
#include "sim/stats.h"

#define NET_STATS(S, id)                                                                           \
    S(id, COUNTER, flits, "flit", "flits that left the network")                                   \
    S(id, MEAN, hops, "router", "routers a packet traversed")                                      \
    S(id, HIST, latency, "cycle", "birth to last flit")                                            \
    S(id, SERIES, load, "flit", "flits delivered per period")
STATS_STRUCT(net, NET_STATS)
STATS_ROWS(net, NET_STATS)

static const struct stats *filled(struct arena *a)
{
    struct net_stats *n = ARENA_NEW(a, struct net_stats);
    struct stats *t = stats_new(a);
    stats_add(t, "noc.request", net_stat_rows, 4, n);
    stats_add(t, "", net_stat_rows, 1, n); /* at the root */
    n->flits = 12345;                      /* the tree looks at the struct, not at a copy */
    stat_mean_add(&n->hops, 3);
    stat_mean_add(&n->hops, 6);
    for (uint64_t v = 1; v <= 3; v++)
        stat_hist_add(&n->latency, v);
    stat_hist_add(&n->latency, 1000);
    n->load.period = 100;
    stat_series_add(&n->load, 0, 5);
    stat_series_add(&n->load, 250, 7);
    return t;
}

static void text_is_aligned_name_value_unit_help(void)
{
    struct arena *a = arena_new();
    struct text x;
    text_open(&x);
    stats_write_text(filled(a), x.out);
    CHECK_STR(text_close(&x),
              "noc.request.flits      12345  flit    flits that left the network\n"
              "noc.request.hops       4.500  router  routers a packet traversed"
              " (n 2, min 3, max 6)\n"
              "noc.request.latency  251.500  cycle   birth to last flit"
              " (n 4, min 1, max 1000, p50 2, p90 1000, p99 1000)\n"
              "noc.request.load          12  flit    flits delivered per period"
              " (3 periods of 100)\n"
              "flits                  12345  flit    flits that left the network\n");
    text_free(&x);
    arena_free(a);
}

static void check_json(const struct stats *t, const char *expect)
{
    struct text x;
    struct json j;
    text_open(&x);
    json_begin(&j, x.out);
    stats_write_json(t, &j);
    json_end(&j);
    CHECK_STR(text_close(&x), expect);
    text_free(&x);
}

static void json_has_every_kind(void)
{
    struct arena *a = arena_new();
    check_json(filled(a),
               "{\n"
               "  \"noc.request.flits\": 12345,\n"
               "  \"noc.request.hops\": {\"mean\": 4.5, \"n\": 2, \"min\": 3, \"max\": 6},\n"
               "  \"noc.request.latency\": {\"n\": 4, \"mean\": 251.5, \"min\": 1, \"max\": 1000, "
               "\"p50\": 2, \"p90\": 1000, \"p99\": 1000, "
               "\"buckets\": [[1, 1], [2, 1], [3, 1], [992, 1]]},\n"
               "  \"noc.request.load\": {\"period\": 100, \"values\": [5, 0, 7]},\n"
               "  \"flits\": 12345\n"
               "}\n");
    arena_free(a);
}

static void nothing_counted_is_written_as_zeros(void)
{
    struct arena *a = arena_new();
    struct net_stats *n = ARENA_NEW(a, struct net_stats);
    struct stats *t = stats_new(a);
    stats_add(t, "x", net_stat_rows, 4, n);
    check_json(t, "{\n"
                  "  \"x.flits\": 0,\n"
                  "  \"x.hops\": {\"mean\": 0, \"n\": 0, \"min\": 0, \"max\": 0},\n"
                  "  \"x.latency\": {\"n\": 0, \"mean\": 0, \"min\": 0, \"max\": 0, \"p50\": 0, "
                  "\"p90\": 0, \"p99\": 0, \"buckets\": []},\n"
                  "  \"x.load\": {\"period\": 0, \"values\": []}\n"
                  "}\n");
    arena_free(a);
}

static void an_empty_tree_is_an_empty_object(void)
{
    struct arena *a = arena_new();
    check_json(stats_new(a), "{}\n");
    arena_free(a);
}

static void describe_lists_names_and_kinds(void)
{
    struct arena *a = arena_new();
    struct text x;
    text_open(&x);
    stats_describe(filled(a), x.out);
    CHECK_STR(text_close(&x),
              "noc.request.flits    counter    flit    flits that left the network\n"
              "noc.request.hops     mean       router  routers a packet traversed\n"
              "noc.request.latency  histogram  cycle   birth to last flit\n"
              "noc.request.load     series     flit    flits delivered per period\n"
              "flits                counter    flit    flits that left the network\n");
    text_free(&x);
    arena_free(a);
}

/* Two alike: 2 + 3 flits, hops {4} and {2, 9}, latencies {10} and {20, 30}, loads at 0 and 300. */
static struct stats *joined(struct arena *a, bool details)
{
    struct net_stats *n = ARENA_ARRAY(a, struct net_stats, 3);
    struct stats *t = stats_new(a);
    stats_set_details(t, details);
    stats_join(t, "l2", "l2[0]", net_stat_rows, 4, &n[0]);
    stats_add(t, "other", net_stat_rows, 1, &n[0]);
    stats_join(t, "l2", "l2[1]", net_stat_rows, 4, &n[1]);
    stats_join(t, "l2", "sm[2]", net_stat_rows, 4, &n[2]); /* counts nothing */
    n[0].flits = 2;
    n[1].flits = 3;
    stat_mean_add(&n[0].hops, 4);
    stat_mean_add(&n[1].hops, 2);
    stat_mean_add(&n[1].hops, 9);
    stat_hist_add(&n[0].latency, 10);
    stat_hist_add(&n[1].latency, 20);
    stat_hist_add(&n[1].latency, 30);
    n[0].load.period = n[1].load.period = 1;
    stat_series_add(&n[0].load, 0, 5);
    stat_series_add(&n[1].load, 300, 7); /* doubles its period */
    return t;
}

static void those_that_join_are_summed(void)
{
    struct arena *a = arena_new();
    struct text x;
    text_open(&x);
    stats_write_text(joined(a, false), x.out);
    CHECK_STR(text_close(&x),
              "l2.flits          5  flit    flits that left the network\n"
              "l2.hops       5.000  router  routers a packet traversed (n 3, min 2, max 9)\n"
              "l2.latency   20.000  cycle   birth to last flit"
              " (n 3, min 10, max 30, p50 20, p90 30, p99 30)\n"
              "l2.load          12  flit    flits delivered per period (151 periods of 2)\n"
              "other.flits       2  flit    flits that left the network\n");
    text_free(&x);
    arena_free(a);
}

static void details_follow_the_sums(void)
{
    struct arena *a = arena_new();
    struct text x;
    text_open(&x);
    stats_names(joined(a, true), x.out);
    CHECK_STR(text_close(&x), "l2.flits\nl2.hops\nl2.latency\nl2.load\nother.flits\n"
                              "l2[0].flits\nl2[0].hops\nl2[0].latency\nl2[0].load\n"
                              "l2[1].flits\nl2[1].hops\nl2[1].latency\nl2[1].load\n"
                              "l2.sm[2].flits\nl2.sm[2].hops\nl2.sm[2].latency\nl2.sm[2].load\n");
    text_free(&x);
    text_open(&x);
    stats_write_text(joined(a, true), x.out);
    CHECK(strstr(text_close(&x), "\nl2[1].flits            3  flit "));
    CHECK(strstr(x.s, "\nl2[0].hops         4.000  router "));
    text_free(&x);
    arena_free(a);
}

static void the_digest_tells_results_apart_and_nothing_else(void)
{
    struct arena *a = arena_new();
    uint64_t d = stats_digest(joined(a, false));
    CHECK(d == stats_digest(joined(a, true)));
    CHECK(d != stats_digest(stats_new(a)));
    struct net_stats *n = ARENA_ARRAY(a, struct net_stats, 2);
    struct stats *t = stats_new(a);
    stats_join(t, "l2", "l2[0]", net_stat_rows, 4, &n[0]);
    stats_join(t, "l2", "l2[1]", net_stat_rows, 4, &n[1]);
    d = stats_digest(t);
    n[0].load.period = 10; /* a view of the same */
    stat_series_add(&n[0].load, 3, 1);
    CHECK(stats_digest(t) == d);
    n[0].flits++;
    uint64_t one = stats_digest(t);
    CHECK(one != d);
    n[0].flits--;
    n[1].flits++; /* who counted it does not matter */
    CHECK(stats_digest(t) == one);
    stat_mean_add(&n[1].hops, 0);
    uint64_t two = stats_digest(t);
    CHECK(two != one);
    stat_hist_add(&n[0].latency, 40);
    stat_hist_add(&n[0].latency, 42);
    uint64_t three = stats_digest(t);
    CHECK(three != two);
    n[0].latency.bucket[40]--; /* the same sums, other samples */
    n[0].latency.bucket[41]++;
    CHECK(stats_digest(t) != three);
    arena_free(a);
}

static void what_observers_count_is_not_in_the_digest(void)
{
    struct arena *a = arena_new();
    struct net_stats *n = ARENA_ARRAY(a, struct net_stats, 2);
    struct stats *t = stats_new(a);
    struct text names;
    stats_join(t, "l2", "l2[0]", net_stat_rows, 4, &n[0]);
    uint64_t d = stats_digest(t);
    stats_set_observed(t);
    stats_join(t, "seen", "l2[0]", net_stat_rows, 4, &n[1]);
    CHECK(stats_digest(t) == d);
    n[1].flits++;
    CHECK(stats_digest(t) == d);
    n[0].flits++;
    CHECK(stats_digest(t) != d);
    text_open(&names);
    stats_names(t, names.out); /* but it is in everything else */
    CHECK(strstr(text_close(&names), "seen.flits") != NULL);
    text_free(&names);
    arena_free(a);
}

CHECK_MAIN("stats_out", TEST(text_is_aligned_name_value_unit_help), TEST(json_has_every_kind),
           TEST(nothing_counted_is_written_as_zeros), TEST(an_empty_tree_is_an_empty_object),
           TEST(describe_lists_names_and_kinds), TEST(those_that_join_are_summed),
           TEST(details_follow_the_sums), TEST(the_digest_tells_results_apart_and_nothing_else),
           TEST(what_observers_count_is_not_in_the_digest))
