#define _GNU_SOURCE
#include "check.h"

#include <sched.h>

#include "base/processors.h"

static void some_of_those_allowed_are_idle(void)
{
    for (int i = 0; i < 100; i++) {
        uint32_t idle = processors_idle(), allowed = processors_allowed();
        CHECK(idle >= 1 && idle <= allowed);
    }
}

static void a_process_that_is_bound_has_what_it_is_bound_to(void)
{
    cpu_set_t before, one;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    size_t first = 0;
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(processors_allowed(), 1);
    CHECK_EQ(processors_idle(), 1);
    CHECK_EQ(sched_setaffinity(0, sizeof before, &before), 0);
    CHECK_EQ(processors_allowed(), (uint32_t)CPU_COUNT(&before));
}

CHECK_MAIN("processors", TEST(some_of_those_allowed_are_idle),
           TEST(a_process_that_is_bound_has_what_it_is_bound_to))
