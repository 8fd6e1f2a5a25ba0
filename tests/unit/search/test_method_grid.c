#include "check.h"

#include "rig/search_rig.h"

static void all_points_come_in_order_with_the_last_axis_fastest(void)
{
    struct search_rig r;
    search_rig_open(&r, "3 1 4 2");
    CHECK(search_rig_run(&r, "grid"));
    CHECK_EQ(search_count(r.search), 24);
    for (uint32_t i = 0; i < 24; i++) {
        const uint16_t *l = search_at(r.search, i)->levels;
        CHECK(l[0] == i / 8 && l[1] == 0 && l[2] == i / 2 % 4 && l[3] == i % 2);
    }
    search_rig_close(&r);
}

static void a_space_of_many_batches_is_measured_as_a_whole(void)
{
    struct search_rig r;
    search_rig_open(&r, "70 71");
    CHECK(search_rig_run(&r, "grid"));
    CHECK_EQ(search_count(r.search), 4970);
    CHECK(!search_is_over(r.search));
    search_rig_close(&r);
}

static void only_points_at_the_last_fidelity_are_asked_for(void)
{
    struct search_rig r;
    search_rig_open(&r, "5 2");
    r.problem.nfidelities = 3;
    CHECK(search_rig_run(&r, "grid"));
    CHECK(r.asked[0] == 0 && r.asked[1] == 0 && r.asked[2] == 10);
    search_rig_close(&r);
}

static void spaces_above_the_limit_are_refused(void)
{
    struct search_rig r;
    search_rig_open(&r, "5 5");
    search_rig_set(&r, "grid.most=25");
    CHECK(search_rig_run(&r, "grid"));
    search_rig_set(&r, "grid.most=24");
    CHECK(!search_rig_run(&r, "grid"));
    CHECK_STR(r.err.text, "--set grid.most=24: the space has 25 points, more than 24");
    search_rig_close(&r);
    search_rig_open(&r, "64*4096");
    CHECK(!search_rig_run(&r, "grid"));
    CHECK_STR(r.err.text, "grid.most: the space has more than 2^64 points, more than 100000");
    CHECK_EQ(r.batches, 0);
    search_rig_close(&r);
}

CHECK_MAIN("method_grid", TEST(all_points_come_in_order_with_the_last_axis_fastest),
           TEST(a_space_of_many_batches_is_measured_as_a_whole),
           TEST(only_points_at_the_last_fidelity_are_asked_for),
           TEST(spaces_above_the_limit_are_refused))
