#include "check.h"

#include "rig/search_rig.h"

static void open_rig(struct search_rig *r, const char *levels, const char *generations)
{
    search_rig_open(r, levels);
    search_rig_set(r, "nsga2.population=10");
    search_rig_set(r, generations);
}

static void every_generation_measures_as_many_new_points_as_there_are_parents(void)
{
    static const uint16_t start[] = {3, 3, 3};
    struct search_rig r;
    open_rig(&r, "40 40 40", "nsga2.generations=7");
    CHECK(search_rig_run(&r, "nsga2"));
    CHECK_EQ(search_count(r.search), 80);
    search_rig_close(&r);
    open_rig(&r, "40 40 40", "nsga2.generations=7");
    r.problem.start = start; /* is one of the first population */
    CHECK(search_rig_run(&r, "nsga2"));
    CHECK_EQ(search_count(r.search), 80);
    search_rig_close(&r);
}

static void a_space_is_not_measured_beyond_its_end(void)
{
    struct search_rig r;
    open_rig(&r, "2 3 2", "nsga2.generations=1000000");
    CHECK(search_rig_run(&r, "nsga2")); /* and ends, for there are no more */
    CHECK_EQ(search_count(r.search), 12);
    search_rig_close(&r);
    open_rig(&r, "1 1", "nsga2.generations=5");
    CHECK(search_rig_run(&r, "nsga2"));
    CHECK_EQ(search_count(r.search), 1);
    search_rig_close(&r);
}

static void the_sum_of_many_levels_becomes_small(void)
{
    struct search_rig r;
    double least = INFINITY;
    open_rig(&r, "10*20", "nsga2.generations=100");
    for (int i = 5; i < 10; i++)
        r.axes[i].is_ordered = false;
    CHECK(search_rig_run(&r, "nsga2"));
    for (uint32_t i = 0; i < search_count(r.search); i++)
        least = fmin(least, search_at(r.search, i)->value.objectives[0]);
    CHECK(least <= 10); /* a point at random has 95 */
    search_rig_close(&r);
}

static void the_first_parents_are_the_best_of_what_is_known(void)
{
    struct search_rig r;
    double mean = 0;
    open_rig(&r, "30 30", "nsga2.generations=1");
    search_rig_set(&r, "sampling.points=300");
    CHECK(search_rig_run(&r, "random") && search_rig_run(&r, "nsga2"));
    CHECK_EQ(search_count(r.search), 310); /* nothing more is drawn at random */
    for (uint32_t i = 300; i < 310; i++)
        mean += search_at(r.search, i)->value.objectives[0] / 10;
    CHECK(mean < 20); /* a child of points at random has 29 */
    search_rig_close(&r);
}

/* Children of one parent, which do not cross, are its mutations. */
static void mutations_reach_all_levels_near_ones_more_often(void)
{
    enum { LEVELS = 33, MIDDLE = 16 };
    static const uint16_t start[] = {MIDDLE, 0};
    uint32_t near = 0, far = 0;
    bool seen[LEVELS] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct search_rig r;
        search_rig_open(&r, "33 1");
        r.problem.seed = seed;
        r.problem.start = start;
        search_rig_set(&r, "nsga2.population=2");
        search_rig_set(&r, "nsga2.crossover=0");
        r.budget = 3; /* the start, another, and the first child */
        CHECK(search_rig_run(&r, "nsga2"));
        const int parent = search_at(r.search, 1)->levels[0];
        const int child = search_at(r.search, 2)->levels[0];
        const int d =
            abs(child - MIDDLE) < abs(child - parent) ? abs(child - MIDDLE) : abs(child - parent);
        near += d <= 2;
        far += d > 8;
        seen[child] = true;
        search_rig_close(&r);
    }
    CHECK(near > 2 * far && far > 50);
    for (int i = 0; i < LEVELS; i++)
        CHECK(seen[i] || i == MIDDLE);
}

static void without_crossing_and_mutation_it_still_ends(void)
{
    struct search_rig r;
    open_rig(&r, "9 9 9", "nsga2.generations=20");
    search_rig_set(&r, "nsga2.crossover=0");
    search_rig_set(&r, "nsga2.mutation=0");
    CHECK(search_rig_run(&r, "nsga2"));
    CHECK(search_count(r.search) > 10 && search_count(r.search) <= 210);
    search_rig_close(&r);
}

CHECK_MAIN("method_nsga2", TEST(every_generation_measures_as_many_new_points_as_there_are_parents),
           TEST(a_space_is_not_measured_beyond_its_end), TEST(the_sum_of_many_levels_becomes_small),
           TEST(the_first_parents_are_the_best_of_what_is_known),
           TEST(mutations_reach_all_levels_near_ones_more_often),
           TEST(without_crossing_and_mutation_it_still_ends))
