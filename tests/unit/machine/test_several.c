/* STP and ANTT of Eyerman and Eeckhout (IEEE Micro 2008) from cycles. */
#include "check.h"
#include "machine/several.h"

#include <math.h>

/* One program takes twice as long as alone, the other four times. */
static void progress_is_the_time_alone_over_the_time_here(void)
{
    struct several s = {
        .n = 2,
        .program = {{.cycles = 200, .alone = {100, 160}}, {.cycles = 4000, .alone = {1000, 4000}}}};
    CHECK_NEAR(several_progress(&s.program[0], ALONE_ON_ALL), 0.5, 0);
    CHECK_NEAR(several_stp(&s, ALONE_ON_ALL), 0.75, 0);
    CHECK_NEAR(several_antt(&s, ALONE_ON_ALL), 3, 0);
    CHECK_NEAR(several_stp(&s, ALONE_ON_SAME), 1.8, 1e-12);
    CHECK_NEAR(several_antt(&s, ALONE_ON_SAME), 1.125, 1e-12);
}

static void undisturbed_programs_have_a_throughput_of_their_number(void)
{
    struct several s = {.n = 3};
    for (uint32_t i = 0; i < 3; i++)
        s.program[i] = (struct several_program){.cycles = 777 + i, .alone = {777 + i, 777 + i}};
    CHECK_NEAR(several_stp(&s, ALONE_ON_ALL), 3, 0);
    CHECK_NEAR(several_antt(&s, ALONE_ON_ALL), 1, 0);
}

static void without_a_reference_there_is_no_metric(void)
{
    struct several s = {.n = 2, .program = {{.cycles = 200, .alone = {100, 0}}, {.cycles = 10}}};
    CHECK(isnan(several_stp(&s, ALONE_ON_ALL)) && isnan(several_antt(&s, ALONE_ON_SAME)));
}

/* Marks 10 cycles apart, as a window of ten times their number has them: 100, 100 and 40 issued. */
static void a_time_alone_is_read_between_marks(void)
{
    struct several_alone of = {.nmarks = 3, .issued = {100, 200, 240}};
    uint64_t window = 10 * SEVERAL_MARKS;
    CHECK_EQ(several_cycles_for(&of, window, 1), 1);
    CHECK_EQ(several_cycles_for(&of, window, 100), 10);
    CHECK_EQ(several_cycles_for(&of, window, 101), 11);
    CHECK_EQ(several_cycles_for(&of, window, 150), 15);
    CHECK_EQ(several_cycles_for(&of, window, 220), 25);
    CHECK_EQ(several_cycles_for(&of, window, 240), 30);
    CHECK_EQ(several_cycles_for(&of, window, 241), 0);
}

/* In cycles in which nothing was issued, nothing is reached. */
static void a_short_window_has_a_mark_in_every_cycle(void)
{
    struct several_alone of = {.nmarks = 4, .issued = {0, 3, 3, 5}};
    CHECK_EQ(several_cycles_for(&of, SEVERAL_MARKS, 3), 2);
    CHECK_EQ(several_cycles_for(&of, SEVERAL_MARKS, 4), 4);
    CHECK_EQ(several_cycles_for(&of, 7, 5), 4);
}

CHECK_MAIN("several", TEST(progress_is_the_time_alone_over_the_time_here),
           TEST(undisturbed_programs_have_a_throughput_of_their_number),
           TEST(without_a_reference_there_is_no_metric), TEST(a_time_alone_is_read_between_marks),
           TEST(a_short_window_has_a_mark_in_every_cycle))
