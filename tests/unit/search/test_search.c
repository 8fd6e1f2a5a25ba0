#include "check.h"

#include "rig/search_rig.h"
#include "search/search_priv.h"

static const uint16_t origin[] = {0, 0, 0};

static void measure(struct search_rig *r, uint32_t fidelity, const uint16_t (*levels)[3],
                    uint32_t n, uint32_t *at)
{
    const uint16_t *points[8];
    for (uint32_t i = 0; i < n; i++)
        points[i] = levels[i];
    CHECK(search_measure(r->search, fidelity, points, n, at, &r->err));
}

static void open_rig(struct search_rig *r, uint32_t nfidelities)
{
    search_rig_open(r, "3 4 2");
    r->problem.nfidelities = nfidelities;
    r->search = search_new(r->arena, &r->problem, r->config);
}

static void a_point_is_measured_once_per_fidelity(void)
{
    static const uint16_t points[][3] = {{1, 2, 0}, {2, 3, 1}, {1, 2, 0}};
    struct search_rig r;
    uint32_t at[3];
    open_rig(&r, 2);
    measure(&r, 0, points, 3, at);
    CHECK(at[0] == 0 && at[1] == 1 && at[2] == 0);
    measure(&r, 1, points, 2, at);
    CHECK(at[0] == 2 && at[1] == 3);
    measure(&r, 0, points, 2, at);
    CHECK(at[0] == 0 && at[1] == 1);
    CHECK_EQ(r.batches, 2);
    CHECK(r.asked[0] == 2 && r.asked[1] == 2);
    CHECK_EQ(search_count(r.search), 4);
    CHECK_EQ(search_at(r.search, 3)->fidelity, 1);
    CHECK(search_at(r.search, 3)->value.objectives[0] == 6);
    search_rig_close(&r);
}

static void what_the_budget_does_not_reach_is_not_there(void)
{
    static const uint16_t points[][3] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 0}};
    struct search_rig r;
    uint32_t at[4];
    open_rig(&r, 1);
    r.budget = 1;
    measure(&r, 0, points, 4, at);
    CHECK(at[0] == 0 && at[1] == SEARCH_NONE && at[2] == SEARCH_NONE && at[3] == SEARCH_NONE);
    CHECK(search_is_over(r.search) && search_count(r.search) == 1);
    CHECK_EQ(search_find(r.search, 0, points[1]), SEARCH_NONE);
    r.budget = 9; /* comes too late: the rig asserts that nothing is asked for */
    measure(&r, 0, points, 2, at);
    CHECK(at[0] == 0 && at[1] == SEARCH_NONE);
    search_rig_close(&r);
}

static void many_points_are_all_found_again(void)
{
    enum { N = 5000 };
    struct search_rig r;
    search_rig_open(&r, "100 100");
    search_rig_set(&r, "sampling.points=5000");
    CHECK(search_rig_run(&r, "random"));
    CHECK_EQ(search_count(r.search), N);
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(search_find(r.search, 0, search_at(r.search, i)->levels), i);
    search_rig_close(&r);
}

static void the_start_is_measured_first_and_at_the_last_fidelity(void)
{
    struct search_rig r;
    const uint16_t start[] = {2, 1, 1};
    search_rig_open(&r, "3 4 2");
    r.problem.start = start;
    r.problem.nfidelities = 3;
    CHECK(search_rig_run(&r, "grid") && search_rig_run(&r, "grid"));
    CHECK_EQ(search_count(r.search), 24);
    CHECK(memcmp(search_at(r.search, 0)->levels, start, sizeof start) == 0);
    CHECK_EQ(search_at(r.search, 0)->fidelity, 2);
    CHECK_EQ(r.asked[2], 24);
    search_rig_close(&r);
}

static void a_budget_of_nothing_ends_before_the_method_begins(void)
{
    struct search_rig r;
    search_rig_open(&r, "3 4 2");
    r.problem.start = origin;
    r.budget = 0;
    CHECK(search_rig_run(&r, "pairs"));
    CHECK(search_is_over(r.search) && search_count(r.search) == 0);
    search_rig_close(&r);
}

static void a_failure_to_measure_is_handed_on(void)
{
    for (int i = 0; i < search_method_count; i++) {
        struct search_rig r;
        search_rig_open(&r, "3 4 2");
        r.problem.nfidelities = 2;
        r.fails = true;
        r.problem.start = i % 2 ? origin : NULL;
        if (strcmp(search_method_all[i]->name, "pairs") == 0)
            r.problem.start = origin;
        CHECK(!search_rig_run(&r, search_method_all[i]->name));
        CHECK_STR(r.err.text, "the oven is cold");
        CHECK_EQ(search_count(r.search), 0);
        search_rig_close(&r);
    }
}

/* ---- bad input ---- */

static void refuses(struct search_rig *r, const char *why)
{
    CHECK(!search_rig_run(r, "grid"));
    CHECK_EQ(r->err.status, STATUS_BAD_INPUT);
    CHECK_STR(r->err.text, why);
    CHECK_EQ(r->batches, 0);
    search_rig_close(r);
}

static void problems_that_are_none_are_refused(void)
{
    static const uint16_t outside[] = {2, 4, 1};
    struct search_rig r;
    search_rig_open(&r, "");
    refuses(&r, "a search has 1 to 64 axes, not 0");
    search_rig_open(&r, "3");
    r.problem.space.naxes = 65;
    refuses(&r, "a search has 1 to 64 axes, not 65");
    search_rig_open(&r, "3 0");
    refuses(&r, "axis 2 of a search has 0 levels, not 1 to 4096");
    search_rig_open(&r, "4097");
    refuses(&r, "axis 1 of a search has 4097 levels, not 1 to 4096");
    search_rig_open(&r, "3 4 2");
    r.problem.start = outside;
    refuses(&r, "axis 2 of a search starts at level 5 of 4");
    search_rig_open(&r, "3");
    r.problem.nobjectives = 7;
    refuses(&r, "a search has 1 to 6 objectives, not 7");
    search_rig_open(&r, "3");
    r.problem.nfidelities = 0;
    refuses(&r, "a search has at least one fidelity");
}

static void sizes_of_spaces_end_at_the_largest_number(void)
{
    struct search_rig r;
    search_rig_open(&r, "3 1 4 2");
    CHECK_EQ(search_size(&r.problem.space), 24);
    search_rig_close(&r);
    search_rig_open(&r, "63*2");
    CHECK(search_size(&r.problem.space) == (uint64_t)1 << 63);
    search_rig_close(&r);
    search_rig_open(&r, "64*2");
    CHECK(search_size(&r.problem.space) == UINT64_MAX);
    search_rig_close(&r);
}

/* ---- the front ---- */

/* Objectives as the context has them: three numbers for each level of the only axis. */
static void from_table(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                       struct search_value *v)
{
    const double(*table)[3] = r->context;
    v->objectives[0] = table[levels[0]][0] - (fidelity == 0 ? 100 : 0);
    v->objectives[1] = table[levels[0]][1];
    v->violation = table[levels[0]][2];
}

static void check_front(const struct search_rig *r, uint32_t of, const char *expected)
{
    const uint32_t *front;
    char text[64] = "";
    const uint32_t n = search_front(r->search, of, r->arena, &front);
    for (uint32_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", front[i]);
    CHECK_STR(text, expected);
}

static void the_front_is_of_whole_points_in_order_of_what_they_come_to(void)
{
    static const double table[][3] = {{5, 5, 0}, {9, 1, 0},   {1, 9, 0}, {0, 0, 1},
                                      {4, 5, 0}, {0, NAN, 0}, {4, 5, 0}, {9, 1, 0}};
    struct search_rig r;
    search_rig_open(&r, "8");
    r.problem.nobjectives = 2;
    r.problem.nfidelities = 2;
    r.value = from_table;
    r.context = table;
    CHECK(search_rig_run(&r, "grid"));
    check_front(&r, 0, "");
    check_front(&r, 1, "0");
    check_front(&r, 4, "2 0 1");
    check_front(&r, 5, "2 4 1");
    check_front(&r, 8, "2 4 6 1 7");
    const uint16_t cheap[] = {0}, *points[] = {cheap};
    uint32_t at;
    CHECK(search_measure(r.search, 0, points, 1, &at, &r.err));
    check_front(&r, 9, "2 4 6 1 7"); /* fidelities that do not count are not in it */
    search_rig_close(&r);
}

CHECK_MAIN("search", TEST(a_point_is_measured_once_per_fidelity),
           TEST(what_the_budget_does_not_reach_is_not_there), TEST(many_points_are_all_found_again),
           TEST(the_start_is_measured_first_and_at_the_last_fidelity),
           TEST(a_budget_of_nothing_ends_before_the_method_begins),
           TEST(a_failure_to_measure_is_handed_on), TEST(problems_that_are_none_are_refused),
           TEST(sizes_of_spaces_end_at_the_largest_number),
           TEST(the_front_is_of_whole_points_in_order_of_what_they_come_to))
