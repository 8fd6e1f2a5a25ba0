#include "check.h"

#include <time.h>

#include "base/wall.h"

static void the_clock_counts_the_time_that_passes(void)
{
    uint64_t before = wall_ns();
    double before_s = wall_s();
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    double after_s = wall_s();
    CHECK(wall_ns() - before >= 2000000);
    CHECK(after_s - before_s >= 0.0019 &&
          (after_s - before_s) * 1e9 <= (double)(wall_ns() - before) + 1e3);
}

CHECK_MAIN("wall", TEST(the_clock_counts_the_time_that_passes))
