#include "check.h"

#include "explore/explore_effects.h"
#include "rig/explore_rig.h"

#define TEXT                                                                                       \
    "machine: icc60\nsize: tiny\nworkloads: [HS, BP, NN, BT]\nmethod: pairs\n"                     \
    "objectives: {time: {expr: cycles / base.cycles}}\n"                                           \
    "space:\n"                                                                                     \
    "  gpu.cta_scheduler: [rr, distributed]\n"                                                     \
    "  l1.size: [16K, 32K]\n"                                                                      \
    "  net: {xbar: {noc.width: 32}, mesh: {noc.topology: mesh}}\n"                                 \
    "  router.extension: [none, coalesce]\n"                                                       \
    "when: {router.extension: {net: mesh}}\n"

enum { ROWS = 4, POINTS = 12 };

struct world {
    struct explore_rig rig;
    struct explore_result r;
    struct explore_point points[POINTS];
    uint32_t values[POINTS][4];
    double rows[POINTS][ROWS];
};

/* A point and what it takes by workload. */
static void add(struct world *w, const uint32_t values[4], const double rows[ROWS])
{
    uint32_t i = w->r.npoints++;
    explore_canonical(w->rig.x, values, w->values[i]);
    memcpy(w->rows[i], rows, sizeof w->rows[i]);
    w->points[i] = (struct explore_point){.values = w->values[i], .rows = w->rows[i]};
}

static void open_world(struct world *w)
{
    *w = (struct world){0};
    explore_rig_open(&w->rig, TEXT, "", false);
    CHECK_STR(w->rig.err.text, "");
    w->r = (struct explore_result){.x = w->rig.x, .points = w->points, .nrows = ROWS};
    add(w, (const uint32_t[]){0, 0, 0, 0}, (const double[]){1, 2, 3, 4});
    add(w, (const uint32_t[]){1, 0, 0, 0}, (const double[]){0.9, 1.8, 2.7, 3.6});
    add(w, (const uint32_t[]){0, 1, 0, 0}, (const double[]){0.8, 1.6, 2.4, 3.2});
    add(w, (const uint32_t[]){1, 1, 0, 0}, (const double[]){0.72, 1.44, 2.16, 3.2});
    add(w, (const uint32_t[]){0, 0, 1, 0}, (const double[]){2, 4, 6, 8});
    add(w, (const uint32_t[]){0, 0, 1, 1}, (const double[]){1, 2, 3, 4});
}

static const struct explore_effect *find(struct world *w, const char *name)
{
    const struct explore_effect *all;
    uint32_t n = explore_effects(w->rig.arena, &w->r, 0, &all);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(explore_effect_name(w->rig.arena, &w->r, &all[i]), name) == 0)
            return &all[i];
    return NULL;
}

static void a_choice_alone_is_its_ratio_to_the_baseline(void)
{
    struct world w;
    open_world(&w);
    const struct explore_effect *x = find(&w, "distributed");
    CHECK(x && x->kind == EFFECT_ALONE);
    CHECK_EQ(x->all.n, 4);
    CHECK_NEAR(x->all.mean, 0.9, 1e-12);
    CHECK_NEAR(x->all.low, 0.9, 1e-9);
    CHECK(explore_interval_tells(&x->all));
    explore_rig_close(&w.rig);
}

/* Three workloads multiply, the fourth is 3.2 / (3.6 * 3.2 / 4) = 1.111 of the product. */
static void a_pair_is_compared_with_the_product_of_both_alone(void)
{
    struct world w;
    open_world(&w);
    const struct explore_effect *x = find(&w, "distributed x 32K");
    CHECK(x && x->kind == EFFECT_PAIR);
    CHECK_NEAR(x->ratios[0], 1, 1e-12);
    CHECK_NEAR(x->ratios[3], 1 / 0.9, 1e-12);
    CHECK_NEAR(x->all.mean, pow(1 / 0.9, 0.25), 1e-12);
    CHECK(!explore_interval_tells(&x->all));
    explore_rig_close(&w.rig);
}

static void what_matters_only_with_another_is_compared_with_that(void)
{
    struct world w;
    open_world(&w);
    CHECK(!find(&w, "coalesce"));
    const struct explore_effect *x = find(&w, "coalesce with mesh");
    CHECK(x && x->kind == EFFECT_GIVEN);
    CHECK_NEAR(x->all.mean, 0.5, 1e-12);
    explore_rig_close(&w.rig);
}

static void what_was_not_measured_has_no_effect_listed(void)
{
    struct world w;
    open_world(&w);
    CHECK(!find(&w, "32K x mesh"));
    w.points[2].why = "cannot be built";
    CHECK(!find(&w, "32K"));
    CHECK(!find(&w, "distributed x 32K"));
    CHECK(!find(&w, "32K with distributed")); /* it matters alone, too: it is only not known */
    explore_rig_close(&w.rig);
}

/* By hand: logarithms 0, ln 2, ln 4, mean ln 2, deviation ln 2, t of two degrees 4.303. */
static void the_interval_is_students_over_logarithms(void)
{
    struct explore_interval i = explore_interval((const double[]){1, 2, NAN, 4}, 4);
    double half = 4.303 * log(2) / sqrt(3);
    CHECK_EQ(i.n, 3);
    CHECK_NEAR(i.mean, 2, 1e-12);
    CHECK_NEAR(i.low, 2 * exp(-half), 1e-9);
    CHECK_NEAR(i.high, 2 * exp(half), 1e-9);
    CHECK(isnan(explore_interval((const double[]){2}, 1).low));
    CHECK_EQ(explore_interval((const double[]){NAN, -1}, 2).n, 0);
    double many[61];
    for (int k = 0; k < 61; k++)
        many[k] = k % 2 ? 2 : 0.5;
    i = explore_interval(many, 61); /* t of 60 degrees: 2.0003 */
    double mean = log(2) * (30 - 31) / 61.0, sum = 0;
    for (int k = 0; k < 61; k++)
        sum += (log(many[k]) - mean) * (log(many[k]) - mean);
    CHECK_NEAR(log(i.high) - mean, 2.0003 * sqrt(sum / 60 / 61), 1e-4);
}

CHECK_MAIN("explore_effects", TEST(a_choice_alone_is_its_ratio_to_the_baseline),
           TEST(a_pair_is_compared_with_the_product_of_both_alone),
           TEST(what_matters_only_with_another_is_compared_with_that),
           TEST(what_was_not_measured_has_no_effect_listed),
           TEST(the_interval_is_students_over_logarithms))
