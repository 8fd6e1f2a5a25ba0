#include "check.h"

#include "explore/explore_run.h"

static void values_of_workloads_become_one_as_the_file_says(void)
{
    const double rows[] = {1, 2, 4};
    CHECK_NEAR(explore_mean(OVER_GEOMETRIC, rows, 3), 2, 1e-12);
    CHECK_NEAR(explore_mean(OVER_ARITHMETIC, rows, 3), 7.0 / 3, 1e-12);
    CHECK_NEAR(explore_mean(OVER_LEAST, rows, 3), 1, 0);
    CHECK_NEAR(explore_mean(OVER_MOST, rows, 3), 4, 0);
}

static void nothing_is_concluded_from_what_was_not_measured(void)
{
    const double rows[] = {1, NAN, 4}, zero[] = {0, 1};
    for (int i = 0; i < OVERS; i++) {
        CHECK(isnan(explore_mean((enum explore_over)i, rows, 3)));
        CHECK(isnan(explore_mean((enum explore_over)i, rows, 0)));
    }
    CHECK(isnan(explore_mean(OVER_GEOMETRIC, zero, 2)));
    CHECK_NEAR(explore_mean(OVER_ARITHMETIC, zero, 2), 0.5, 0);
}

CHECK_MAIN("explore_run", TEST(values_of_workloads_become_one_as_the_file_says),
           TEST(nothing_is_concluded_from_what_was_not_measured))
