#include "check.h"

#include "dram/scheduler.h"

static void schedulers_are_found_by_name(void)
{
    CHECK_EQ(scheduler_count, 4);
    for (int i = 0; i < scheduler_count; i++)
        CHECK(scheduler_find(scheduler_all[i]->name) == scheduler_all[i]);
    CHECK(scheduler_find("banked-fifo") == scheduler_find("banked_fifo"));
    CHECK(scheduler_find("lifo") == NULL);
}

static void every_scheduler_is_complete(void)
{
    for (int i = 0; i < scheduler_count; i++) {
        CHECK(scheduler_all[i]->help[0] != 0);
        CHECK(scheduler_all[i]->elect != NULL);
        CHECK(scheduler_all[i]->share(32, 16) > 0);
        CHECK(scheduler_all[i]->share(1, 16) > 0);
    }
}

CHECK_MAIN("scheduler", TEST(schedulers_are_found_by_name), TEST(every_scheduler_is_complete))
