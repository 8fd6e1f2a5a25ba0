#include "check.h"

#include "rig/search_rig.h"

static const uint16_t start[] = {1, 0, 2, 0, 3};

static uint32_t changes(const uint16_t *levels)
{
    uint32_t n = 0;
    for (int i = 0; i < 5; i++)
        n += levels[i] != start[i];
    return n;
}

static void there_are_all_points_with_up_to_two_changes_and_no_others(void)
{
    struct search_rig r;
    uint32_t with[6] = {0}, before = 0;
    search_rig_open(&r, "3 4 5 1 4");
    r.problem.start = start;
    CHECK(search_rig_run(&r, "pairs"));
    for (uint32_t i = 0; i < search_count(r.search); i++) { /* none is there twice: the rig looks */
        const uint32_t n = changes(search_at(r.search, i)->levels);
        CHECK(n >= before);
        before = n;
        with[n]++;
    }
    CHECK(with[0] == 1 && with[1] == 2 + 3 + 4 + 0 + 3);
    CHECK(with[2] == 2 * 3 + 2 * 4 + 2 * 3 + 3 * 4 + 3 * 3 + 4 * 3);
    CHECK(with[3] == 0 && with[4] == 0 && with[5] == 0);
    search_rig_close(&r);
}

static void a_start_is_needed(void)
{
    struct search_rig r;
    search_rig_open(&r, "3 4 5 1 4");
    CHECK(!search_rig_run(&r, "pairs"));
    CHECK_STR(r.err.text, "method pairs needs a start to change levels of");
    CHECK_EQ(r.err.status, STATUS_BAD_INPUT);
    search_rig_close(&r);
}

static void too_many_points_are_refused(void)
{
    struct search_rig r;
    search_rig_open(&r, "3 4 5 1 4");
    r.problem.start = start;
    search_rig_set(&r, "pairs.most=66"); /* 1 + 12 + 53 */
    CHECK(search_rig_run(&r, "pairs"));
    CHECK_EQ(search_count(r.search), 66);
    search_rig_set(&r, "pairs.most=65");
    CHECK(!search_rig_run(&r, "pairs"));
    CHECK_STR(r.err.text, "--set pairs.most=65: the start and changes of one and two axes "
                          "are 66 points, more than 65");
    search_rig_close(&r);
}

CHECK_MAIN("method_pairs", TEST(there_are_all_points_with_up_to_two_changes_and_no_others),
           TEST(a_start_is_needed), TEST(too_many_points_are_refused))
