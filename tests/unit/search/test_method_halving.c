#include "check.h"

#include "rig/search_rig.h"

static void open_rig(struct search_rig *r, uint32_t nfidelities, const char *points,
                     const char *eta)
{
    search_rig_open(r, "10 10 10");
    r->problem.nfidelities = nfidelities;
    search_rig_set(r, points);
    search_rig_set(r, eta);
}

static void one_of_eta_points_goes_on(void)
{
    struct search_rig r;
    open_rig(&r, 4, "halving.points=100", "halving.eta=3");
    CHECK(search_rig_run(&r, "halving"));
    CHECK(r.asked[0] == 100 && r.asked[1] == 33 && r.asked[2] == 11 && r.asked[3] == 3);
    search_rig_close(&r);
    open_rig(&r, 4, "halving.points=10", "halving.eta=4");
    CHECK(search_rig_run(&r, "halving"));
    CHECK(r.asked[0] == 10 && r.asked[1] == 2 && r.asked[2] == 1 && r.asked[3] == 1);
    search_rig_close(&r);
    open_rig(&r, 2, "halving.points=5000", "halving.eta=10");
    CHECK(search_rig_run(&r, "halving"));
    CHECK(r.asked[0] == 1000 && r.asked[1] == 100); /* there are no more */
    search_rig_close(&r);
}

static void the_best_go_on(void)
{
    struct search_rig r;
    open_rig(&r, 2, "halving.points=1000", "halving.eta=100"); /* the sum of levels is measured */
    CHECK(search_rig_run(&r, "halving"));
    for (uint32_t i = 1000; i < 1010; i++)
        CHECK(search_at(r.search, i)->value.objectives[0] <= 2); /* 1 + 3 + 6 points */
    search_rig_close(&r);
}

static void the_start_goes_on_however_bad_it_is(void)
{
    static const uint16_t worst[] = {9, 9, 9};
    struct search_rig r;
    open_rig(&r, 3, "halving.points=50", "halving.eta=20");
    r.problem.start = worst;
    CHECK(search_rig_run(&r, "halving"));
    /* The last fidelity first has the start, which is not measured again. */
    CHECK(r.asked[0] == 50 && r.asked[1] == 2 && r.asked[2] == 2);
    uint32_t starts = 0;
    for (uint32_t i = 0; i < search_count(r.search); i++)
        starts += memcmp(search_at(r.search, i)->levels, worst, sizeof worst) == 0;
    CHECK_EQ(starts, 3);
    search_rig_close(&r);
}

static void one_fidelity_is_not_enough(void)
{
    struct search_rig r;
    open_rig(&r, 1, "halving.points=50", "halving.eta=3");
    CHECK(!search_rig_run(&r, "halving"));
    CHECK_STR(r.err.text, "method halving needs a cheap fidelity beside the one that counts");
    CHECK_EQ(r.err.status, STATUS_BAD_INPUT);
    search_rig_close(&r);
}

CHECK_MAIN("method_halving", TEST(one_of_eta_points_goes_on), TEST(the_best_go_on),
           TEST(the_start_goes_on_however_bad_it_is), TEST(one_fidelity_is_not_enough))
