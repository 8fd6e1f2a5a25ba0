#include "check.h"

#include "analysis/spread.h"
#include "base/rng.h"

enum { MOST = 4000 };

static void mean_and_deviation_of_known_times(void)
{
    uint64_t time[] = {9, 4, 5, 4, 2, 4, 5, 7};
    struct spread s = spread_of(time, 8);
    CHECK_EQ(s.n, 8);
    CHECK_EQ(s.least, 2);
    CHECK_EQ(s.most, 9);
    CHECK_NEAR(s.mean, 5, 1e-12);
    CHECK_NEAR(s.sigma, sqrt(32. / 7), 1e-12);
    CHECK(s.is_fitted);
}

static void few_times_and_equal_ones_are_not_fitted(void)
{
    uint64_t seven[] = {1, 2, 3, 4, 5, 6, 7}, equal[] = {5, 5, 5, 5, 5, 5, 5, 5, 5};
    CHECK(!spread_of(seven, 7).is_fitted);
    struct spread s = spread_of(equal, 9);
    CHECK(!s.is_fitted && !s.is_gaussian);
    CHECK_NEAR(s.sigma, 0, 0);
    CHECK_NEAR(s.mean, 5, 0);
    s = spread_of(equal, 1);
    CHECK_NEAR(s.sigma, 0, 0);
    CHECK_EQ(spread_of(equal, 0).n, 0);
}

/* The part of a Gaussian below x, by Simpson's rule. */
static double part_below(double x)
{
    const int steps = 2000;
    double from = -9, h = (x - from) / steps, sum = 0;
    for (int i = 0; i <= steps; i++) {
        double t = from + i * h;
        sum += (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * exp(-t * t / 2);
    }
    return sum * h / 3 / sqrt(2 * 3.14159265358979323846);
}

/* Just before and at every time. */
static double slow_misfit(const uint64_t *time, const struct spread *s)
{
    double most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t below = 0, up_to = 0;
        double f = part_below(((double)time[i] - s->mean) / s->sigma);
        for (uint32_t k = 0; k < s->n; k++) {
            below += time[k] < time[i];
            up_to += time[k] <= time[i];
        }
        most = fmax(most, fmax(fabs(f - (double)below / s->n), fabs(f - (double)up_to / s->n)));
    }
    return most;
}

static void the_misfit_is_the_largest_distance_of_two_distributions(void)
{
    for (uint32_t n = 8; n < 400; n = 3 * n + 1) {
        uint64_t time[400];
        for (uint32_t i = 0; i < n; i++)
            time[i] = 1000 + rng_below(rng_at(n, i), n); /* some of them equal */
        struct spread s = spread_of(time, n);
        CHECK_NEAR(s.misfit, slow_misfit(time, &s), 1e-9);
    }
}

/* Twelve uniform draws: as good as Gaussian for our numbers. */
static uint64_t gaussian_time(uint64_t seed, uint64_t i)
{
    double sum = 0;
    for (uint64_t k = 0; k < 12; k++)
        sum += rng_unit(rng_at(seed, 12 * i + k));
    return (uint64_t)(1e6 + 1e5 * (sum - 6));
}

static uint32_t refuted(uint32_t n, bool is_gaussian)
{
    enum { TRIES = 400 };
    static uint64_t time[MOST];
    uint32_t count = 0;
    for (uint64_t t = 0; t < TRIES; t++) {
        for (uint32_t i = 0; i < n; i++)
            time[i] = is_gaussian ? gaussian_time(t, i) : 1000000 * (rng_at(t, i) % 2) + i;
        struct spread s = spread_of(time, n);
        CHECK(s.is_fitted);
        count += !s.is_gaussian;
    }
    return count;
}

static void one_gaussian_in_twenty_is_refuted_and_two_heaps_are_always(void)
{
    for (uint32_t n = 10; n <= 250; n *= 5) {
        uint32_t wrong = refuted(n, true); /* of 400, 20 expected, with a deviation of 4.4 */
        CHECK(wrong >= 5 && wrong <= 37);
    }
    CHECK_EQ(refuted(100, false), 400);
}

/* Of ten, 0.258 at 5 % by Lilliefors' table and 0.2616 by Stephens' formula. */
static void the_limit_is_that_of_the_tables(void)
{
    uint64_t near[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 31};
    uint64_t far[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 32};
    struct spread s = spread_of(near, 10);
    CHECK_NEAR(s.misfit, 0.2499, 1e-3);
    CHECK(s.is_gaussian);
    s = spread_of(far, 10);
    CHECK_NEAR(s.misfit, 0.2624, 1e-3);
    CHECK(!s.is_gaussian);
}

static void rows_are_ctas_that_follow_one_another(void)
{
    /* A grid 3 wide; CTAs in the order in which they ended.  Means of rows: 2, 5, 8. */
    const uint64_t cta[] = {8, 0, 2, 1, 4, 3, 5, 7, 6}, time[] = {9, 1, 3, 2, 5, 4, 6, 8, 7};
    CHECK_NEAR(spread_of_rows(cta, time, 9, 3), 3, 1e-12);
    CHECK(isnan(spread_of_rows(cta, time, 9, 9)));
    CHECK(isnan(spread_of_rows(cta, time, 0, 3)));
    CHECK_NEAR(spread_of_rows(cta, time, 1 + 2, 3), (9 - 2) / sqrt(2), 1e-12); /* given up */
}

CHECK_MAIN("spread", TEST(mean_and_deviation_of_known_times),
           TEST(few_times_and_equal_ones_are_not_fitted),
           TEST(the_misfit_is_the_largest_distance_of_two_distributions),
           TEST(one_gaussian_in_twenty_is_refuted_and_two_heaps_are_always),
           TEST(the_limit_is_that_of_the_tables), TEST(rows_are_ctas_that_follow_one_another))
