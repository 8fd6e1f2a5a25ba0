#include "check.h"

#include "rig/capture.h"
#include "sim/stats_sampler.h"

#define NET_STATS(S, id)                                                                           \
    S(id, COUNTER, flits, "flit", "flits that left the network")                                   \
    S(id, MEAN, hops, "router", "routers a packet traversed")                                      \
    S(id, SERIES, load, "flit", "flits delivered per period")
STATS_STRUCT(net, NET_STATS)
STATS_ROWS(net, NET_STATS)

struct world {
    struct arena *a;
    struct net_stats *up, *down;
    struct stats_sampler *s;
    struct err e;
};

/* Flits per cycle upwards; nothing where there were none. */
static double rate(const void *context, const struct stats_snapshot *during, uint64_t cycles)
{
    double flits = stats_snapshot_value(during, context);
    return flits > 0 ? flits / (double)cycles : NAN;
}

static const struct stats_sampler_extra extras[] = {{"rate.up", rate, "up.flits"},
                                                    {"rate.down", rate, "down.flits"}};

static struct world world_with(const char *prefixes, size_t nextras)
{
    struct world w = {.a = arena_new()};
    w.up = ARENA_NEW(w.a, struct net_stats);
    w.down = ARENA_NEW(w.a, struct net_stats);
    struct stats *t = stats_new(w.a);
    stats_add(t, "up", net_stat_rows, 3, w.up);
    stats_add(t, "down", net_stat_rows, 3, w.down);
    w.up->flits = 1000; /* before the first period */
    struct stats_sampler_spec spec = {t, prefixes, extras, nextras};
    w.s = stats_sampler_new(w.a, &spec, &w.e);
    return w;
}

static struct world world_new(const char *prefixes)
{
    return world_with(prefixes, 0);
}

static void world_free(struct world *w)
{
    if (w->s)
        stats_sampler_free(w->s);
    arena_free(w->a);
}

static void count_three_periods(struct world *w)
{
    w->up->flits += 5;
    stat_mean_add(&w->up->hops, 3);
    stat_mean_add(&w->up->hops, 4);
    stats_sampler_take(w->s, 100);
    stats_sampler_take(w->s, 200);
    w->up->flits += 300;
    w->down->flits += 1;
    stats_sampler_take(w->s, 250);
}

static void check_csv(struct world *w, const char *expect)
{
    struct text x;
    text_open(&x);
    stats_sampler_csv(w->s, x.out);
    CHECK_STR(text_close(&x), expect);
    text_free(&x);
}

static void rows_hold_what_was_counted_in_their_period(void)
{
    struct world w = world_new("");
    count_three_periods(&w);
    check_csv(&w, "cycle,up.flits,up.hops,up.hops.n,down.flits,down.hops,down.hops.n\n"
                  "100,5,3.5,2,0,,0\n"
                  "200,0,,0,0,,0\n"
                  "250,300,,0,1,,0\n");
    world_free(&w);
}

static void computed_columns_come_last(void)
{
    struct world w = world_with("up.flits,rate.", 2);
    count_three_periods(&w);
    check_csv(&w, "cycle,up.flits,rate.up,rate.down\n100,5,0.05,\n200,0,,\n250,300,6,0.02\n");
    world_free(&w);
    w = world_with("rate.d", 2);
    count_three_periods(&w);
    check_csv(&w, "cycle,rate.down\n100,\n200,\n250,0.02\n");
    world_free(&w);
}

static void columns_are_chosen_by_prefix(void)
{
    struct world w = world_new("down.f,,up.f,");
    count_three_periods(&w);
    check_csv(&w, "cycle,up.flits,down.flits\n100,5,0\n200,0,0\n250,300,1\n");
    world_free(&w);
}

static void a_period_is_given_as_a_snapshot(void)
{
    struct world w = world_new("down");
    w.up->flits += 7;
    const struct stats_snapshot *s = stats_sampler_take(w.s, 1);
    CHECK(stats_snapshot_value(s, "up.flits") == 7); /* whatever the columns are */
    w.up->flits += 1;
    CHECK(stats_snapshot_value(stats_sampler_take(w.s, 2), "up.flits") == 1);
    world_free(&w);
}

static void thousands_of_rows_add_up(void)
{
    struct world w = world_new("up.flits");
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= 5000; i++) {
        w.up->flits += i;
        sum += i;
        stats_sampler_take(w.s, 100 + 10 * i);
    }
    struct text x;
    text_open(&x);
    stats_sampler_csv(w.s, x.out);
    const char *s = strchr(text_close(&x), '\n') + 1;
    for (uint64_t i = 1; i <= 5000; i++) {
        unsigned long long cycle = 0, flits = 0;
        CHECK_EQ(sscanf(s, "%llu,%llu", &cycle, &flits), 2);
        CHECK_EQ(cycle, 100 + 10 * i);
        sum -= flits;
        s = strchr(s, '\n') + 1;
    }
    CHECK_EQ(sum, 0);
    CHECK(*s == '\0');
    text_free(&x);
    world_free(&w);
}

static void a_prefix_of_nothing_is_refused(void)
{
    struct world w = world_new("up,down.flitz");
    CHECK(!w.s);
    CHECK_EQ(w.e.status, STATUS_BAD_INPUT);
    CHECK_STR(w.e.text, "no statistic's name begins with \"down.flitz\"; "
                        "did you mean down.flits?");
    world_free(&w);
    w = world_new("up.load"); /* a series has its own time */
    CHECK(!w.s);
    world_free(&w);
}

static void end_a_period_at_its_start(void)
{
    struct world w = world_new("");
    stats_sampler_take(w.s, 0);
}

static void misuse_is_asserted(void)
{
    CHECK(strstr(death_of(end_a_period_at_its_start).text, "ends after it began"));
}

CHECK_MAIN("stats_sampler", TEST(rows_hold_what_was_counted_in_their_period),
           TEST(columns_are_chosen_by_prefix), TEST(computed_columns_come_last),
           TEST(a_period_is_given_as_a_snapshot), TEST(thousands_of_rows_add_up),
           TEST(a_prefix_of_nothing_is_refused), TEST(misuse_is_asserted))
