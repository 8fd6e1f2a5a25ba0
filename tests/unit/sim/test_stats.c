#include "check.h"

#include <signal.h>

#include "base/rng.h"
#include "rig/capture.h"
#include "sim/stats.h"

static void small_values_have_a_bucket_each(void)
{
    for (uint64_t v = 0; v < 64; v++) {
        CHECK_EQ(stat_hist_bucket(v), v);
        CHECK_EQ(stat_hist_lower((uint32_t)v), v);
    }
    CHECK_EQ(stat_hist_bucket(64), 64);
    CHECK_EQ(stat_hist_bucket(65), 64);
    CHECK_EQ(stat_hist_bucket(66), 65);
}

static void buckets_cover_every_value_without_gap_or_overlap(void)
{
    uint32_t last = stat_hist_bucket(UINT64_MAX);
    CHECK_EQ(last, 1919);
    CHECK(last < STAT_HIST_N);
    for (uint32_t b = 1; b <= last; b++) {
        uint64_t lower = stat_hist_lower(b);
        CHECK_EQ(stat_hist_bucket(lower), b);
        CHECK_EQ(stat_hist_bucket(lower - 1), b - 1);
        /* no bucket is wider than 1/32 of its values */
        uint64_t width = lower - stat_hist_lower(b - 1);
        CHECK(width == 1 || width <= stat_hist_lower(b - 1) / 32);
    }
}

static void a_histogram_keeps_count_sum_and_extremes_exactly(void)
{
    static struct stat_hist h;
    stat_hist_add(&h, 1000001);
    stat_hist_add(&h, 7);
    stat_hist_add(&h, 12);
    CHECK_EQ(h.n, 3);
    CHECK_EQ(h.sum, 1000020);
    CHECK_EQ(h.min, 7);
    CHECK_EQ(h.max, 1000001);
}

static void percentiles_of_small_values_are_exact(void)
{
    static struct stat_hist h;
    CHECK(stat_hist_percentile(&h, 50) == 0); /* empty */
    for (uint64_t v = 1; v <= 10; v++)
        stat_hist_add(&h, v);
    CHECK(stat_hist_percentile(&h, 0) == 1);
    CHECK(stat_hist_percentile(&h, 10) == 1);
    CHECK(stat_hist_percentile(&h, 11) == 2);
    CHECK(stat_hist_percentile(&h, 50) == 5);
    CHECK(stat_hist_percentile(&h, 90) == 9);
    CHECK(stat_hist_percentile(&h, 99) == 10);
    CHECK(stat_hist_percentile(&h, 100) == 10);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void percentiles_of_large_values_are_within_three_percent(void)
{
    enum { N = 10001 };
    static struct stat_hist h;
    static uint64_t v[N];
    for (uint64_t i = 0; i < N; i++) { /* over twenty doublings */
        v[i] = rng_at(9, i) >> (44 + rng_below(rng_at(8, i), 20));
        stat_hist_add(&h, v[i]);
    }
    qsort(v, N, sizeof v[0], compare);
    for (int p = 1; p < 100; p++) {
        uint64_t exact = v[(size_t)ceil(p / 100.0 * N) - 1];
        CHECK_NEAR(stat_hist_percentile(&h, p), exact, 0.03);
    }
    CHECK(stat_hist_percentile(&h, 100) == (double)v[N - 1]);
}

static void a_percentile_never_leaves_the_range_of_the_samples(void)
{
    static struct stat_hist h;
    for (int i = 0; i < 10; i++)
        stat_hist_add(&h, 1000);
    CHECK(stat_hist_percentile(&h, 50) == 1000); /* not the middle of its bucket */
    static struct stat_hist top;
    for (int i = 0; i < 4; i++)
        stat_hist_add(&top, UINT64_MAX);
    CHECK(stat_hist_percentile(&top, 50) == (double)UINT64_MAX);
}

static void merging_is_the_same_as_adding_to_one(void)
{
    static struct stat_hist all, part[2], empty;
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t v = rng_at(3, i) >> (i % 60);
        stat_hist_add(&all, v);
        stat_hist_add(&part[i % 2], v);
    }
    stat_hist_merge(&part[0], &empty);
    stat_hist_merge(&part[0], &part[1]);
    CHECK(memcmp(&all, &part[0], sizeof all) == 0);
    stat_hist_merge(&empty, &all);
    CHECK(memcmp(&all, &empty, sizeof all) == 0);
}

static void a_full_bucket_stays_full(void)
{
    static struct stat_hist h, other;
    h.bucket[5] = UINT32_MAX - 1;
    h.n = UINT32_MAX - 1;
    h.min = h.max = 5;
    stat_hist_add(&h, 5);
    stat_hist_add(&h, 5);
    CHECK_EQ(h.bucket[5], UINT32_MAX);
    stat_hist_add(&other, 5);
    stat_hist_merge(&h, &other);
    CHECK_EQ(h.bucket[5], UINT32_MAX);
    CHECK_EQ(h.n, (uint64_t)UINT32_MAX + 2);
    CHECK(stat_hist_percentile(&h, 50) == 5);
}

static void a_mean_is_exact_and_keeps_extremes(void)
{
    struct stat_mean m = {0};
    CHECK(stat_mean_value(&m) == 0);
    stat_mean_add(&m, 5);
    stat_mean_add(&m, 2);
    stat_mean_add(&m, 9);
    CHECK_NEAR(stat_mean_value(&m), 16.0 / 3, 1e-15);
    CHECK_EQ(m.min, 2);
    CHECK_EQ(m.max, 9);
    CHECK_EQ(m.n, 3);
}

static uint64_t sum_of(const struct stat_series *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < STAT_SERIES_N; i++)
        sum += s->slot[i];
    return sum;
}

static void a_series_sums_per_period(void)
{
    struct stat_series s = {.period = 10};
    stat_series_add(&s, 0, 1);
    stat_series_add(&s, 9, 2);
    stat_series_add(&s, 10, 4);
    stat_series_add(&s, 35, 8);
    stat_series_add(&s, 5, 16); /* late is not too late */
    CHECK_EQ(s.n, 4);
    CHECK_EQ(s.slot[0], 19);
    CHECK_EQ(s.slot[1], 4);
    CHECK_EQ(s.slot[2], 0);
    CHECK_EQ(s.slot[3], 8);
}

static void a_series_that_is_full_doubles_its_period(void)
{
    struct stat_series s = {.period = 10};
    for (uint64_t now = 0; now < 2560; now++)
        stat_series_add(&s, now, 1);
    CHECK_EQ(s.period, 10);
    CHECK_EQ(s.n, 256);
    stat_series_add(&s, 2560, 1);
    CHECK_EQ(s.period, 20);
    CHECK_EQ(s.n, 129);
    CHECK_EQ(s.slot[0], 20);
    CHECK_EQ(s.slot[127], 20);
    CHECK_EQ(s.slot[128], 1);
    CHECK_EQ(sum_of(&s), 2561);
}

static void a_series_reaches_the_end_of_time(void)
{
    struct stat_series s = {.period = 1};
    for (uint64_t now = 0; now < 256; now++)
        stat_series_add(&s, now, 1);
    stat_series_add(&s, UINT64_MAX, 3);
    CHECK_EQ(s.n, 256);
    CHECK_EQ(s.slot[0], 256);
    CHECK_EQ(s.slot[255], 3);
    CHECK_EQ(sum_of(&s), 259);
}

static void a_series_without_a_period_is_off(void)
{
    struct stat_series s = {0};
    stat_series_add(&s, 5, 1);
    CHECK_EQ(s.n, 0);
    CHECK_EQ(sum_of(&s), 0);
}

#define TWO_STATS(S, id)                                                                           \
    S(id, COUNTER, in, "flit", "flits in")                                                         \
    S(id, COUNTER, out, "flit", "flits out")
STATS_STRUCT(two, TWO_STATS)
STATS_ROWS(two, TWO_STATS)

static void many_components_can_be_added(void)
{
    enum { N = 20000 };
    static struct two_stats two[N];
    struct arena *a = arena_new();
    struct stats *t = stats_new(a);
    for (int i = 0; i < N; i++) {
        char path[32];
        snprintf(path, sizeof path, "router[%d]", i); /* may change after the call */
        stats_add(t, path, two_stat_rows, 2, &two[i]);
    }
    two[N - 1].out = 41;
    struct text x;
    struct json j;
    text_open(&x);
    json_begin(&j, x.out);
    stats_write_json(t, &j);
    json_end(&j);
    CHECK(strstr(text_close(&x), "\"router[0].in\": 0,\n"));
    CHECK(strstr(x.s, "\"router[19999].out\": 41\n}"));
    text_free(&x);
    arena_free(a);
}

static struct two_stats two;

static void add_a_name_twice(void)
{
    struct stats *t = stats_new(arena_new());
    stats_add(t, "noc", two_stat_rows, 1, &two);
    stats_add(t, "noc", two_stat_rows + 1, 1, &two); /* another name on the same path is fine */
    stats_add(t, "noc", two_stat_rows, 1, &two);
}

static void add_after_writing(void)
{
    struct stats *t = stats_new(arena_new());
    stats_write_text(t, stdout);
    stats_add(t, "noc", two_stat_rows, 2, &two);
}

static void join_what_was_added(void)
{
    struct stats *t = stats_new(arena_new());
    stats_add(t, "noc", two_stat_rows, 2, &two);
    stats_join(t, "noc", "noc[0]", two_stat_rows, 2, &two);
}

static void add_what_was_joined(void)
{
    struct stats *t = stats_new(arena_new());
    stats_join(t, "noc", "noc[0]", two_stat_rows, 2, &two);
    stats_add(t, "noc", two_stat_rows, 2, &two);
}

static void join_with_another_kind(void)
{
    static const struct stat_row other = {"in", STAT_MEAN, 0, "flit", "flits in"};
    static struct stat_mean mean;
    struct stats *t = stats_new(arena_new());
    stats_join(t, "noc", "noc[0]", two_stat_rows, 2, &two);
    stats_join(t, "noc", "noc[1]", &other, 1, &mean);
}

static void two_instances_with_one_path(void)
{
    struct stats *t = stats_new(arena_new());
    stats_set_details(t, true);
    stats_join(t, "noc", "noc[0]", two_stat_rows, 2, &two);
    stats_join(t, "noc", "noc[0]", two_stat_rows, 2, &two);
}

static void ask_for_details_too_late(void)
{
    struct stats *t = stats_new(arena_new());
    stats_add(t, "noc", two_stat_rows, 2, &two);
    stats_set_details(t, true);
}

static void ask_beyond_the_last_bucket(void)
{
    stat_hist_lower(1920);
}

static void misuse_is_asserted(void)
{
    struct death d = death_of(add_a_name_twice);
    CHECK_EQ(d.signal, SIGABRT);
    CHECK(strstr(d.text, "two statistics named noc.in"));
    CHECK(strstr(death_of(add_after_writing).text, "noc: statistics are added before the first"));
    CHECK(strstr(death_of(join_what_was_added).text, "two statistics named noc.in"));
    CHECK(strstr(death_of(add_what_was_joined).text, "two statistics named noc.in"));
    CHECK(strstr(death_of(join_with_another_kind).text, "noc.in is of two kinds"));
    CHECK(strstr(death_of(two_instances_with_one_path).text, "two statistics named noc[0].in"));
    CHECK(strstr(death_of(ask_for_details_too_late).text, "details are asked for before"));
    CHECK(strstr(death_of(ask_beyond_the_last_bucket).text, "no bucket 1920"));
}

CHECK_MAIN("stats", TEST(small_values_have_a_bucket_each),
           TEST(buckets_cover_every_value_without_gap_or_overlap),
           TEST(a_histogram_keeps_count_sum_and_extremes_exactly),
           TEST(percentiles_of_small_values_are_exact),
           TEST(percentiles_of_large_values_are_within_three_percent),
           TEST(a_percentile_never_leaves_the_range_of_the_samples),
           TEST(merging_is_the_same_as_adding_to_one), TEST(a_full_bucket_stays_full),
           TEST(a_mean_is_exact_and_keeps_extremes), TEST(a_series_sums_per_period),
           TEST(a_series_that_is_full_doubles_its_period), TEST(a_series_reaches_the_end_of_time),
           TEST(a_series_without_a_period_is_off), TEST(many_components_can_be_added),
           TEST(misuse_is_asserted))
