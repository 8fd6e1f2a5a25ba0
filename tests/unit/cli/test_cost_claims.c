/* Claims of the CD-Xbar paper: how they are judged, and that each reading changes what it should. */
#include <math.h>

#include "check.h"
#include "cli/cost_claims.h"

static struct cost_evaluation evaluate(struct arena *a, int i, const char *set)
{
    struct err e = {0};
    struct cost_evaluation v;
    if (!cost_evaluate(i, &set, set != NULL, a, &v, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, STATUS_DONE);
    return v;
}

static int reading(struct arena *a, const char *text)
{
    for (int i = 0; i < cost_nevaluations; i++)
        if (strcmp(evaluate(a, i, NULL).text, text) == 0)
            return i;
    print_error("no reading \"%s\"\n", text);
    CHECK(false);
    return -1;
}

static void a_bound_is_reproduced_by_what_lies_beyond_it_alone(void)
{
    const struct cost_claim *c = &cost_claims[CLAIM_MESH_AREA];
    CHECK_EQ(cost_claim_verdict(c, 9.0), VERDICT_REPRODUCED);
    CHECK_EQ(cost_claim_verdict(c, 4.01), VERDICT_REPRODUCED);
    CHECK_EQ(cost_claim_verdict(c, 3.9), VERDICT_DIRECTION);
    CHECK_EQ(cost_claim_verdict(c, 0.9), VERDICT_NOT);
    CHECK_EQ(cost_claim_verdict(c, NAN), VERDICT_NO_DATA);
}

static void a_value_is_judged_by_a_quarter_of_the_effect_as_in_studies(void)
{
    const struct cost_claim *c = &cost_claims[CLAIM_CDXBAR_POWER];
    CHECK_EQ(cost_claim_verdict(c, -0.485 * 1.24), VERDICT_REPRODUCED);
    CHECK_EQ(cost_claim_verdict(c, -0.485 * 0.76), VERDICT_REPRODUCED);
    CHECK_EQ(cost_claim_verdict(c, -0.485 * 1.26), VERDICT_DIRECTION);
    CHECK_EQ(cost_claim_verdict(c, -0.1), VERDICT_DIRECTION);
    CHECK_EQ(cost_claim_verdict(c, 0.1), VERDICT_NOT);
    const struct cost_claim *clock = &cost_claims[CLAIM_XBAR_CLOCK];
    CHECK_EQ(cost_claim_verdict(clock, 580e6), VERDICT_REPRODUCED);
    CHECK_EQ(cost_claim_verdict(clock, 1000e6), VERDICT_DIRECTION);
    CHECK_EQ(cost_claim_verdict(clock, 1500e6), VERDICT_NOT);
}

static void every_reading_gives_numbers_and_the_first_is_the_default(void)
{
    struct arena *a = arena_new();
    for (int i = 0; i < cost_nevaluations; i++) {
        struct cost_evaluation v = evaluate(a, i, NULL);
        CHECK(v.text && v.set);
        for (int k = 0; k < CLAIMS; k++)
            CHECK(isfinite(v.value[k]));
    }
    struct cost_evaluation one = evaluate(a, reading(a, "links in one cycle"), NULL);
    for (int k = 0; k < CLAIMS; k++)
        CHECK_NEAR(one.value[k], evaluate(a, 0, NULL).value[k], 1e-12);
    arena_free(a);
}

static void a_reading_changes_what_it_is_about_and_nothing_else(void)
{
    struct arena *a = arena_new();
    struct cost_evaluation base = evaluate(a, 0, NULL);
    struct cost_evaluation near = evaluate(a, reading(a, "SM to local crossbar 3.3 mm"), NULL);
    CHECK(near.value[CLAIM_CDXBAR_AREA] < base.value[CLAIM_CDXBAR_AREA]);
    CHECK(near.value[CLAIM_CDXBAR_POWER] < base.value[CLAIM_CDXBAR_POWER]);
    CHECK_NEAR(near.value[CLAIM_MESH_AREA], base.value[CLAIM_MESH_AREA], 1e-12);
    CHECK_NEAR(near.value[CLAIM_SMESH_POWER], base.value[CLAIM_SMESH_POWER], 1e-12);
    struct cost_evaluation wide = evaluate(a, reading(a, "56-SM meshes of 32 B channels"), NULL);
    CHECK(wide.value[CLAIM_CDXBAR_AREA] < base.value[CLAIM_CDXBAR_AREA]);
    CHECK_NEAR(wide.value[CLAIM_XBAR_AREA], base.value[CLAIM_XBAR_AREA], 1e-12);
    CHECK_NEAR(wide.fig11[0].wire_area, 2 * base.fig11[0].wire_area, 1e-9);
    CHECK_NEAR(wide.fig11[2].wire_area, base.fig11[2].wire_area, 1e-12);
    struct cost_evaluation even = evaluate(a, reading(a, "S-Mesh of 4x4 routers throughout"), NULL);
    CHECK(even.value[CLAIM_SMESH_POWER] > base.value[CLAIM_SMESH_POWER]);
    CHECK_NEAR(even.value[CLAIM_CDXBAR_POWER], base.value[CLAIM_CDXBAR_POWER], 1e-12);
    arena_free(a);
}

/* The same bytes in flits of half the width: as many bit moves, so about the same energy on links. */
static void traffic_is_of_bytes_not_of_flits(void)
{
    struct arena *a = arena_new();
    struct cost_evaluation base = evaluate(a, 0, "power.node=22");
    struct cost_evaluation wide = evaluate(a, reading(a, "56-SM meshes of 32 B channels"), NULL);
    double leak = 0, leak_wide = 0;
    for (int i = 0; i < 2; i++) {
        leak += base.fig11[0].net[i].leak[NETCOST_LINK];
        leak_wide += wide.fig11[0].net[i].leak[NETCOST_LINK];
    }
    CHECK_NEAR(base.fig11_power[0][NETCOST_LINK] - leak,
               wide.fig11_power[0][NETCOST_LINK] - leak_wide, 0.01);
    arena_free(a);
}

CHECK_MAIN("cost_claims", TEST(a_bound_is_reproduced_by_what_lies_beyond_it_alone),
           TEST(a_value_is_judged_by_a_quarter_of_the_effect_as_in_studies),
           TEST(every_reading_gives_numbers_and_the_first_is_the_default),
           TEST(a_reading_changes_what_it_is_about_and_nothing_else),
           TEST(traffic_is_of_bytes_not_of_flits))
