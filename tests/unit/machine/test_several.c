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

CHECK_MAIN("several", TEST(progress_is_the_time_alone_over_the_time_here),
           TEST(undisturbed_programs_have_a_throughput_of_their_number),
           TEST(without_a_reference_there_is_no_metric))
