#include "check.h"

#include "rig/search_rig.h"

static uint32_t count(const char *levels, const char *points, const uint16_t *start)
{
    struct search_rig r;
    search_rig_open(&r, levels);
    r.problem.start = start;
    search_rig_set(&r, points);
    CHECK(search_rig_run(&r, "random"));
    const uint32_t n = search_count(r.search);
    search_rig_close(&r);
    return n;
}

static void as_many_points_are_drawn_as_were_asked_for_or_all(void)
{
    static const uint16_t start[] = {1, 1, 1};
    CHECK_EQ(count("9 9 9", "sampling.points=1", NULL), 1);
    CHECK_EQ(count("9 9 9", "sampling.points=700", NULL), 700);
    CHECK_EQ(count("9 9 9", "sampling.points=1000000", NULL), 729);
    CHECK_EQ(count("9 9 9", "sampling.points=1000000", start), 729);
    CHECK_EQ(count("64*4096", "sampling.points=3000", NULL), 3000);
}

static void more_points_begin_with_the_same(void)
{
    struct search_rig few, many;
    search_rig_open(&few, "9 9 9");
    search_rig_open(&many, "9 9 9");
    search_rig_set(&few, "sampling.points=40");
    CHECK(search_rig_run(&few, "random") && search_rig_run(&many, "random"));
    for (uint32_t i = 0; i < 40; i++)
        CHECK(!memcmp(search_at(few.search, i)->levels, search_at(many.search, i)->levels, 6));
    CHECK_EQ(search_count(many.search), 100);
    search_rig_set(&few, "sampling.points=100"); /* and a second run goes on with the rest */
    CHECK(search_rig_run(&few, "random"));
    CHECK(search_rig_is_same(&few, &many));
    search_rig_close(&few);
    search_rig_close(&many);
}

CHECK_MAIN("method_random", TEST(as_many_points_are_drawn_as_were_asked_for_or_all),
           TEST(more_points_begin_with_the_same))
