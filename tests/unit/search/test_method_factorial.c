#include "check.h"

#include "rig/search_rig.h"

static uint32_t count(const char *levels, const char *resolution)
{
    struct search_rig r;
    search_rig_open(&r, levels);
    search_rig_set(&r, resolution);
    CHECK(search_rig_run(&r, "factorial"));
    const uint32_t n = search_count(r.search);
    search_rig_close(&r);
    return n;
}

static void classic_fractions_have_their_runs(void)
{
    CHECK_EQ(count("7*2", "factorial.resolution=3"), 8);
    CHECK_EQ(count("8*2", "factorial.resolution=4"), 16);
    CHECK_EQ(count("5*2", "factorial.resolution=5"), 16);
    CHECK_EQ(count("5*4", "factorial.resolution=3"), 16);
}

static void runs_with_the_same_levels_are_measured_once(void)
{
    CHECK_EQ(count("3 3", "factorial.resolution=3"), 9); /* of 16 runs */
    CHECK_EQ(count("3 1 2", "factorial.resolution=5"), 6);
}

static void the_start_is_one_of_the_runs(void)
{
    static const uint16_t start[] = {1, 2, 0, 3, 1};
    struct search_rig r;
    search_rig_open(&r, "5*4");
    r.problem.start = start;
    CHECK(search_rig_run(&r, "factorial"));
    CHECK_EQ(search_count(r.search), 16);
    uint32_t seen[5][4] = {0};
    for (uint32_t i = 0; i < 16; i++)
        for (int k = 0; k < 5; k++)
            seen[k][search_at(r.search, i)->levels[k]]++;
    for (int k = 0; k < 5; k++)
        for (int l = 0; l < 4; l++)
            CHECK_EQ(seen[k][l], 4);
    search_rig_close(&r);
}

static void fractions_above_the_limit_are_refused(void)
{
    struct search_rig r;
    search_rig_open(&r, "8*2");
    search_rig_set(&r, "factorial.most=16");
    CHECK(search_rig_run(&r, "factorial"));
    search_rig_set(&r, "factorial.most=15");
    CHECK(!search_rig_run(&r, "factorial"));
    CHECK_STR(r.err.text, "--set factorial.most=15: no fraction of resolution 3 was "
                          "found that has up to 15 runs");
    CHECK_EQ(r.err.status, STATUS_BAD_INPUT);
    search_rig_close(&r);
}

CHECK_MAIN("method_factorial", TEST(classic_fractions_have_their_runs),
           TEST(runs_with_the_same_levels_are_measured_once), TEST(the_start_is_one_of_the_runs),
           TEST(fractions_above_the_limit_are_refused))
