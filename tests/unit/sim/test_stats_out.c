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

CHECK_MAIN("stats_out", TEST(text_is_aligned_name_value_unit_help), TEST(json_has_every_kind),
           TEST(nothing_counted_is_written_as_zeros), TEST(an_empty_tree_is_an_empty_object),
           TEST(describe_lists_names_and_kinds))
