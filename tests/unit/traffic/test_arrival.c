#include "check.h"

#include "traffic/arrival.h"

struct model {
    struct arena *arena;
    struct config *cfg;
    struct arrival_model m;
    struct err err;
};

static bool model_open(struct model *x, const char *settings, double rate, double mean_flits)
{
    static const struct cfg_section *const sections[] = {&traffic_section};
    *x = (struct model){.arena = arena_new()};
    x->cfg = config_new(x->arena, sections, 1);
    char *rest = arena_strdup(x->arena, settings);
    for (char *s = strtok_r(rest, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        if (!config_set(x->cfg, s, &x->err))
            return false;
    return arrival_model_init(&x->m, x->cfg, rate, mean_flits, x->arena, &x->err);
}

static void model_close(struct model *x)
{
    arena_free(x->arena);
}

/* Sums over n gaps of one source. */
struct gaps {
    double mean, variance;
    uint64_t least;
};

static struct gaps draw_gaps(const struct arrival_model *m, uint64_t key, int n)
{
    struct arrival a;
    struct gaps g = {.least = UINT64_MAX};
    double sum = 0, squares = 0;
    arrival_start(&a, m, key);
    for (int i = 0; i < n; i++) {
        hd_cycle before = a.next;
        arrival_advance(&a, m);
        uint64_t gap = a.next - before;
        g.least = gap < g.least ? gap : g.least;
        sum += (double)gap;
        squares += (double)gap * (double)gap;
    }
    g.mean = sum / n;
    g.variance = squares / n - g.mean * g.mean;
    return g;
}

/* Gaps of a Bernoulli process are geometric: mean 1/p, variance (1-p)/p^2.  The sample variance
 * of n geometric gaps spreads by about sqrt(8/n) of itself. */
static void bernoulli_gaps_have_the_mean_and_variance_of_the_closed_form(void)
{
    enum { N = 200000 };
    static const double rates[] = {0.001, 0.05, 0.3, 0.5, 0.9, 0.999};
    for (int i = 0; i < 6; i++) {
        struct model x;
        double p = rates[i], variance = (1 - p) / (p * p);
        CHECK(model_open(&x, "", p, 0));
        struct gaps g = draw_gaps(&x.m, rng_key(3, (uint64_t)i), N);
        CHECK(fabs(g.mean - 1 / p) < 4.5 * sqrt(variance / N));
        CHECK_NEAR(g.variance, variance, p > 0.99 ? 0.35 : 4.5 * sqrt(8.0 / N));
        CHECK_EQ(g.least, 1);
        model_close(&x);
    }
}

/* In windows of w cycles the number of arrivals is binomial: mean w p, variance w p (1-p). */
static void bernoulli_counts_in_windows_are_binomial(void)
{
    enum { WINDOWS = 20000, W = 50 };
    struct model x;
    struct arrival a;
    double p = 0.2, sum = 0, squares = 0;
    CHECK(model_open(&x, "", p, 0));
    arrival_start(&a, &x.m, rng_key(9, 1));
    for (uint64_t k = 0; k < WINDOWS; k++) {
        double n = 0;
        for (; a.next < (k + 1) * W; arrival_advance(&a, &x.m))
            n++;
        sum += n;
        squares += n * n;
    }
    double mean = sum / WINDOWS, variance = squares / WINDOWS - mean * mean;
    CHECK(fabs(mean - W * p) < 4.5 * sqrt(W * p * (1 - p) / WINDOWS));
    CHECK_NEAR(variance, W * p * (1 - p), 4.5 * sqrt(2.0 / WINDOWS));
    model_close(&x);
}

static void the_rate_counts_flits_not_packets(void)
{
    struct model x;
    CHECK(model_open(&x, "traffic.sizes=1,9", 0.5, 0)); /* mean 5: one packet in ten cycles */
    CHECK_NEAR(x.m.mean_size, 5, 1e-12);
    CHECK_NEAR(draw_gaps(&x.m, 1, 100000).mean, 10, 0.015);
    model_close(&x);
    CHECK(model_open(&x, "traffic.sizes=1,9", 0.5, 20)); /* or as many as the caller says */
    CHECK_NEAR(draw_gaps(&x.m, 1, 100000).mean, 40, 0.015);
    model_close(&x);
}

static void rate_one_sends_in_every_cycle(void)
{
    struct model x;
    CHECK(model_open(&x, "", 1, 0));
    struct gaps g = draw_gaps(&x.m, 1, 1000);
    CHECK_NEAR(g.mean, 1, 0);
    model_close(&x);
}

static void rate_zero_never_sends(void)
{
    struct model x;
    struct arrival a;
    CHECK(model_open(&x, "", 0, 0));
    arrival_start(&a, &x.m, 1);
    CHECK_EQ(a.next, HD_NEVER);
    model_close(&x);
}

static void the_first_packet_is_born_after_cycle_zero(void)
{
    struct model x;
    CHECK(model_open(&x, "", 0.9, 0));
    for (uint64_t k = 0; k < 1000; k++) {
        struct arrival a;
        arrival_start(&a, &x.m, k);
        CHECK(a.next >= 1);
    }
    model_close(&x);
}

static void a_tiny_rate_neither_overflows_nor_repeats(void)
{
    struct model x;
    struct arrival a;
    CHECK(model_open(&x, "", 1e-300, 0));
    arrival_start(&a, &x.m, 1);
    for (int i = 0; i < 100; i++) {
        hd_cycle before = a.next;
        arrival_advance(&a, &x.m);
        CHECK(a.next > before);
    }
    model_close(&x);
}

static void bursty_traffic_keeps_the_mean_load(void)
{
    static const char *const settings[] = {
        "traffic.process=bursty",
        "traffic.process=bursty traffic.burst_on=5 traffic.burst_off=5",
        "traffic.process=bursty traffic.burst_on=200 traffic.burst_off=40",
    };
    for (int i = 0; i < 3; i++) {
        struct model x;
        double gap = 0;
        CHECK(model_open(&x, settings[i], 0.2, 0));
        for (uint64_t source = 0; source < 8; source++)
            gap += draw_gaps(&x.m, rng_key(2, source), 1000000).mean / 8;
        CHECK_NEAR(1 / gap, 0.2, 0.006); /* four deviations of the burstiest */
        model_close(&x);
    }
}

static void bursty_traffic_varies_more_than_bernoulli(void)
{
    struct model x;
    CHECK(model_open(&x, "traffic.process=bursty", 0.1, 0));
    struct gaps bursty = draw_gaps(&x.m, 1, 100000);
    model_close(&x);
    CHECK(model_open(&x, "", 0.1, 0));
    struct gaps plain = draw_gaps(&x.m, 1, 100000);
    model_close(&x);
    CHECK(bursty.variance > 3 * plain.variance);
}

/* At full rate within a burst, runs of arrivals are the bursts themselves. */
static void bursts_and_pauses_have_the_lengths_asked_for(void)
{
    enum { N = 400000 };
    struct model x;
    struct arrival a;
    uint64_t runs = 0, pauses = 0;
    CHECK(
        model_open(&x, "traffic.process=bursty traffic.burst_on=8 traffic.burst_off=24", 0.25, 0));
    arrival_start(&a, &x.m, 77);
    for (int i = 0; i < N; i++) {
        hd_cycle before = a.next;
        arrival_advance(&a, &x.m);
        if (a.next > before + 1) {
            runs++;
            pauses += a.next - before - 1;
        }
    }
    CHECK_NEAR((double)N / (double)runs, 8, 0.02);
    CHECK_NEAR((double)pauses / (double)runs, 24, 0.02);
    model_close(&x);
}

static void sizes_come_in_the_given_shares(void)
{
    enum { N = 100000 };
    struct model x;
    uint32_t n[10] = {0};
    CHECK(model_open(&x, "traffic.sizes=1,5,9 traffic.shares=6,3,1", 0.1, 0));
    CHECK_NEAR(x.m.mean_size, 3, 1e-12);
    for (uint64_t i = 0; i < N; i++)
        n[arrival_size(&x.m, rng_at(4, i))]++;
    CHECK_EQ(n[1] + n[5] + n[9], N);
    CHECK_NEAR(n[1], 0.6 * N, 4.5 * sqrt(0.4 / 0.6 / N));
    CHECK_NEAR(n[5], 0.3 * N, 4.5 * sqrt(0.7 / 0.3 / N));
    CHECK_NEAR(n[9], 0.1 * N, 4.5 * sqrt(0.9 / 0.1 / N));
    model_close(&x);
}

static void without_shares_all_sizes_are_equally_frequent(void)
{
    struct model x;
    uint32_t n[5] = {0};
    CHECK(model_open(&x, "traffic.sizes=1,2,3,4", 0.1, 0));
    CHECK_NEAR(x.m.mean_size, 2.5, 1e-12);
    for (uint64_t i = 0; i < 40000; i++)
        n[arrival_size(&x.m, rng_at(4, i))]++;
    for (int i = 1; i <= 4; i++)
        CHECK_NEAR(n[i], 10000, 0.04);
    model_close(&x);
}

static void equal_keys_give_equal_processes_and_others_do_not(void)
{
    struct model x;
    struct arrival a, b, c;
    bool differ = false;
    CHECK(model_open(&x, "", 0.1, 0));
    arrival_start(&a, &x.m, 1);
    arrival_start(&b, &x.m, 1);
    arrival_start(&c, &x.m, 2);
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(a.next, b.next);
        differ |= a.next != c.next;
        arrival_advance(&a, &x.m);
        arrival_advance(&b, &x.m);
        arrival_advance(&c, &x.m);
    }
    CHECK(differ);
    model_close(&x);
}

static void loads_out_of_reach_and_sizes_that_do_not_fit_are_refused(void)
{
    static const struct {
        const char *settings;
        double rate;
        const char *message;
    } bad[] = {
        {"", 1.01, "traffic.rate: 1.01 flits/node/cycle is more than one packet per cycle"},
        {"traffic.rate=7 traffic.sizes=5", 7,
         "--set traffic.rate=7: 7 flits/node/cycle is more than one packet per cycle"},
        {"traffic.process=bursty", 0.26,
         "traffic.rate: 0.26 flits/node/cycle is more than one packet per cycle within bursts"},
        {"traffic.shares=1,2", 0.1, "--set traffic.shares=1,2: 2 shares for 1 sizes"},
        {"traffic.sizes=", 0.1, "--set traffic.sizes=: at least one packet size is needed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct model x;
        CHECK(!model_open(&x, bad[i].settings, bad[i].rate, 0));
        CHECK_EQ(x.err.status, STATUS_BAD_INPUT);
        CHECK_STR(x.err.text, bad[i].message);
        model_close(&x);
    }
}

CHECK_MAIN("arrival", TEST(bernoulli_gaps_have_the_mean_and_variance_of_the_closed_form),
           TEST(bernoulli_counts_in_windows_are_binomial), TEST(the_rate_counts_flits_not_packets),
           TEST(rate_one_sends_in_every_cycle), TEST(rate_zero_never_sends),
           TEST(the_first_packet_is_born_after_cycle_zero),
           TEST(a_tiny_rate_neither_overflows_nor_repeats),
           TEST(bursty_traffic_keeps_the_mean_load),
           TEST(bursty_traffic_varies_more_than_bernoulli),
           TEST(bursts_and_pauses_have_the_lengths_asked_for), TEST(sizes_come_in_the_given_shares),
           TEST(without_shares_all_sizes_are_equally_frequent),
           TEST(equal_keys_give_equal_processes_and_others_do_not),
           TEST(loads_out_of_reach_and_sizes_that_do_not_fit_are_refused))
