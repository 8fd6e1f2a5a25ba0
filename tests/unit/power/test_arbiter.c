#include "power/arbiter.h"

#include "check.h"

static struct cell_set set_at(uint32_t nm)
{
    struct err e = {0};
    const struct tech *t = tech_find(nm, &e);
    CHECK(t != NULL);
    return cell_set_of(t);
}

static void one_request_needs_no_arbiter(void)
{
    struct cell_set set = set_at(22);
    struct arbiter a = arbiter_of(&set, 1);
    CHECK(a.area == 0 && a.leak == 0 && a.energy == 0);
}

/* A pair: flip-flop 15, four of AND and OR 16, two inverters 4; a request: 6, and 4 per OR. */
static void area_is_that_of_pairs_and_requests(void)
{
    struct cell_set set = set_at(32);
    double unit = tech_unit(set.tech);
    CHECK_NEAR(arbiter_of(&set, 2).area, (1 * 35 + 2 * 6) * unit, 1e-9);
    CHECK_NEAR(arbiter_of(&set, 5).area, (10 * 35 + 5 * (6 + 3 * 4)) * unit, 1e-9);
}

/* J at 22 nm, from DSENT, of sizes that are far apart. */
static void energy_is_that_of_the_reference_from_2_to_180_requests(void)
{
    static const struct {
        uint32_t n;
        double energy;
    } known[] = {{2, 3.49684e-15},  {4, 2.0623e-14},   {8, 8.68168e-14},
                 {16, 2.18556e-13}, {64, 2.93991e-12}, {180, 2.353e-11}};
    struct cell_set set = set_at(22);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(arbiter_of(&set, known[i].n).energy, known[i].energy, 0.01);
}

static void more_requests_cost_more(void)
{
    static const uint32_t nodes[] = {22, 32, 45};
    for (int k = 0; k < 3; k++) {
        struct cell_set set = set_at(nodes[k]);
        struct arbiter last = {0};
        for (uint32_t n = 2; n < 100; n++) {
            struct arbiter a = arbiter_of(&set, n);
            CHECK(a.area > last.area && a.leak > last.leak && a.energy > last.energy);
            last = a;
        }
    }
}

/* Pairs dominate, at rest but for their clocks: four times as much for twice as many requests. */
static void a_large_arbiter_grows_with_the_square(void)
{
    struct cell_set set = set_at(22);
    struct arbiter a = arbiter_of(&set, 1024), b = arbiter_of(&set, 2048);
    CHECK_NEAR(b.area / a.area, 4, 0.01);
    CHECK_NEAR(b.leak / a.leak, 4, 0.01);
    CHECK_NEAR(b.energy / a.energy, 4, 0.01);
}

CHECK_MAIN("arbiter", TEST(one_request_needs_no_arbiter), TEST(area_is_that_of_pairs_and_requests),
           TEST(energy_is_that_of_the_reference_from_2_to_180_requests),
           TEST(more_requests_cost_more), TEST(a_large_arbiter_grows_with_the_square))
