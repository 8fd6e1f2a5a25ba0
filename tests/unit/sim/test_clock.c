#include "check.h"

#include "rig/capture.h"
#include "sim/clock.h"

static void one_clock_ticks_once_per_cycle(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1.4e9}, 1, &e));
    CHECK_EQ(p.period[0], 1);
    CHECK_EQ(p.ticks_per_ms, 1400000);
}

static void half_the_frequency_is_twice_the_period(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1.4e9, 0.7e9}, 2, &e));
    CHECK_EQ(p.ticks_per_ms, 1400000);
    CHECK_EQ(p.period[0], 1);
    CHECK_EQ(p.period[1], 2);
}

static void odd_ratios_are_exact(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1.4e9, 0.7e9, 1.9e9}, 3, &e));
    CHECK_EQ(p.ticks_per_ms, 26600000); /* lcm(14, 7, 19) = 266 */
    CHECK_EQ(p.period[0], 19);
    CHECK_EQ(p.period[1], 38);
    CHECK_EQ(p.period[2], 14);
}

static void every_period_is_a_whole_number_of_ticks(void)
{
    static const double hz[] = {1.4e9, 1.216e9, 924e6, 1848e6, 700e6, 350e6, 2e9, 1e9};
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, hz, 8, &e));
    for (int i = 0; i < 8; i++)
        CHECK_EQ(p.period[i] * (uint64_t)(hz[i] / 1e3), p.ticks_per_ms);
}

static void equal_clocks_have_equal_periods(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1.7e9, 1.7e9, 1.7e9}, 3, &e));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(p.period[i], 1);
}

static void frequencies_are_rounded_to_whole_kilohertz(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1000400, 1000600}, 2, &e));
    CHECK_EQ(p.ticks_per_ms, 1000 * 1001);
}

static void no_common_tick_of_a_useful_length_is_refused(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(!clock_plan(&p, (const double[]){999999.937e6, 999999.929e6}, 2, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, "the clocks have no common tick of a useful length (1e+12 Hz)");
    e = (struct err){0};
    /* Each pair would do, all together would not. */
    CHECK(!clock_plan(&p, (const double[]){100.003e6, 100.019e6, 100.043e6}, 3, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
}

static void a_day_of_any_accepted_plan_fits_in_64_bits(void)
{
    struct clock_plan p;
    struct err e = {0};
    CHECK(clock_plan(&p, (const double[]){1.4e9, 1.9e9, 0.997e9}, 3, &e));
    CHECK(p.ticks_per_ms <= UINT64_MAX / (24ull * 3600 * 1000));
}

static void clocks_out_of_range_are_refused(void)
{
    static const double bad[] = {0, -1e9, 999, 1.1e12, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct clock_plan p;
        struct err e = {0};
        CHECK(!clock_plan(&p, (const double[]){1e9, bad[i]}, 2, &e));
        CHECK_EQ(e.status, STATUS_BAD_INPUT);
        CHECK(strstr(e.text, "is outside 1kHz..1000GHz") != NULL);
    }
}

static void plan_nine_clocks(void)
{
    struct clock_plan p;
    struct err e = {0};
    double hz[9];
    for (int i = 0; i < 9; i++)
        hz[i] = 1e9;
    clock_plan(&p, hz, 9, &e);
}

static void more_than_eight_domains_are_our_own_fault(void)
{
    struct death d = death_of(plan_nine_clocks);
    CHECK_EQ(d.signal, 6);
    CHECK(strstr(d.text, "9 clock domains") != NULL);
}

CHECK_MAIN("clock", TEST(one_clock_ticks_once_per_cycle),
           TEST(half_the_frequency_is_twice_the_period), TEST(odd_ratios_are_exact),
           TEST(every_period_is_a_whole_number_of_ticks), TEST(equal_clocks_have_equal_periods),
           TEST(frequencies_are_rounded_to_whole_kilohertz),
           TEST(no_common_tick_of_a_useful_length_is_refused),
           TEST(a_day_of_any_accepted_plan_fits_in_64_bits), TEST(clocks_out_of_range_are_refused),
           TEST(more_than_eight_domains_are_our_own_fault))
