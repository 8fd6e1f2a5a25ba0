#include "check.h"

#include <unistd.h>

#include "rig/study_rig.h"

/* Made-up runs: ipc is 10 * (variant + 1) + workload; variant 2 (big) has no run of BP. */
static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    (void)context;
    if (variant == 2 && workload == 2)
        return NAN;
    if (strcmp(name, "ipc") == 0)
        return 10 * (variant + 1) + workload;
    if (strcmp(name, "from_zero") == 0)
        return workload;
    return strcmp(name, "one") == 0 ? 1 : NAN;
}

struct fixture {
    struct study_rig rig;
    struct study_result r;
};

static void judge(struct fixture *f, const char *figures)
{
    char text[2048];
    *f = (struct fixture){0};
    snprintf(text, sizeof text, STUDY_RIG_HEAD "  twice: ipc + ipc\n  one: one\nfigures:\n%s",
             figures);
    study_rig_open(&f->rig, text, NULL);
    if (!f->rig.study)
        print_error("%s\n", f->rig.err.text);
    CHECK(f->rig.study != NULL);
    verdict_judge(f->rig.arena, f->rig.study, &(struct verdict_source){made_up, NULL}, &f->r);
}

static double at(const struct fixture *f, uint32_t row, uint32_t column)
{
    return verdict_value(&f->r.figures[0], row, column, -1);
}

static void values_are_those_of_the_runs_and_of_the_baselines(void)
{
    struct fixture f;
    judge(&f, "  f: {metric: speedup, baseline: rr, variants: [icc, rr]}\n");
    CHECK_EQ(f.r.figures[0].rows, 4);
    CHECK_NEAR(at(&f, 0, 0), 20 / 10., 0);
    CHECK_NEAR(at(&f, 1, 0), 21 / 11., 0);
    CHECK_NEAR(at(&f, 2, 0), 22 / 12., 0);
    CHECK_NEAR(at(&f, 2, 1), 1, 0);
    CHECK_NEAR(at(&f, 3, 0), cbrt(20 / 10. * 21 / 11. * 22 / 12.), 1e-12);
    study_rig_close(&f.rig);
}

/* HS of icc is 20: above 10 is true, above 30 has the direction, below 10 not even that. */
static void bounds_are_kept_or_not_whatever_the_tolerance(void)
{
    static const struct {
        const char *paper;
        enum verdict verdict;
        const char *text;
    } cases[] = {{"value: 10, bound: above", VERDICT_REPRODUCED, "> 10.00"},
                 {"value: 20, bound: above", VERDICT_REPRODUCED, "> 20.00"},
                 {"value: 21, bound: above", VERDICT_DIRECTION, "> 21.00"},
                 {"value: 19, bound: below", VERDICT_DIRECTION, "< 19.00"},
                 {"value: 30, bound: below", VERDICT_REPRODUCED, "< 30.00"},
                 {"value: -1, bound: below", VERDICT_NOT, "< -1.000"},
                 {"value: 21", VERDICT_REPRODUCED, "21.00"},
                 {"value: 21, bound: none", VERDICT_REPRODUCED, "21.00"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        char text[256], buf[VERDICT_TEXT_N];
        snprintf(text, sizeof text,
                 "  f: {expr: ipc, variants: [icc], paper: [{workload: HS, %s, source: x}]}\n",
                 cases[i].paper);
        judge(&f, text);
        CHECK_EQ(f.r.nrows, 1);
        CHECK_EQ(f.r.rows[0].verdict, cases[i].verdict);
        CHECK_STR(verdict_paper_text(buf, &f.r.rows[0]), cases[i].text);
        study_rig_close(&f.rig);
    }
}

/* `big` is compared with `icc` by its own word, `icc` with the figure's baseline. */
static void a_variant_can_have_a_baseline_of_its_own(void)
{
    struct fixture f = {0};
    study_rig_open(&f.rig,
                   "machine: icc60\nworkloads: [HS, BT]\n"
                   "variants: {rr: {}, icc: {}, big: {base: icc, over: icc}, last: {base: big}}\n"
                   "figures: {f: {expr: ipc / base.ipc, baseline: rr, variants: [icc, big, last]},"
                   " g: {expr: ipc, variants: [big]}}\n",
                   NULL);
    CHECK(f.rig.study != NULL);
    verdict_judge(f.rig.arena, f.rig.study, &(struct verdict_source){made_up, NULL}, &f.r);
    CHECK_NEAR(at(&f, 0, 0), 20 / 10., 0);
    CHECK_NEAR(at(&f, 1, 1), 31 / 21., 0);
    CHECK_NEAR(at(&f, 1, 2), 41 / 11., 0); /* not inherited */
    CHECK_NEAR(verdict_value(&f.r.figures[1], 0, 0, -1), 30, 0);
    CHECK_STR(study_baseline_text(f.rig.study, &f.rig.study->figures[0]), "each its own");
    CHECK_STR(study_baseline_text(f.rig.study, &f.rig.study->figures[1]), "");
    study_rig_close(&f.rig);
}

static void metrics_of_metrics_and_of_the_baseline_are_followed(void)
{
    struct fixture f;
    judge(&f,
          "  f: {expr: twice - base.twice + one, baseline: icc, variants: [big], mean: none}\n");
    CHECK_EQ(f.r.figures[0].rows, 3);
    CHECK_NEAR(at(&f, 0, 0), 60 - 40 + 1, 0);
    CHECK_NEAR(at(&f, 1, 0), 62 - 42 + 1, 0);
    CHECK(isnan(at(&f, 2, 0)));
    study_rig_close(&f.rig);
}

static void a_mean_is_over_the_workloads_that_have_data(void)
{
    struct fixture f;
    judge(&f, "  f:\n    expr: ipc\n    variants: [rr, big]\n"
              "    paper: [{variant: big, value: 30, source: s}, {variant: rr, value: 3,"
              " source: s}]\n");
    CHECK_NEAR(at(&f, 3, 0), 11, 0);
    CHECK_NEAR(at(&f, 3, 1), 30.5, 0);
    CHECK_EQ(f.r.figures[0].counted[0], 3);
    CHECK_EQ(f.r.figures[0].counted[1], 2);
    CHECK_STR(f.r.rows[0].what, "big, mean of 2 of 3");
    CHECK_STR(f.r.rows[1].what, "rr, mean of 3");
    study_rig_close(&f.rig);
}

static void a_geometric_mean_needs_positive_values(void)
{
    struct fixture f;
    judge(&f, "  f: {expr: from_zero, mean: geometric}\n");
    CHECK_NEAR(at(&f, 2, 0), 2, 0);
    CHECK(isnan(at(&f, 3, 0)));
    study_rig_close(&f.rig);
}

static void a_mean_of_nothing_is_no_data(void)
{
    struct fixture f;
    judge(&f, "  f: {expr: nothing, paper: [{variant: rr, value: 1, source: s}]}\n");
    CHECK(isnan(at(&f, 3, 0)));
    CHECK_EQ(f.r.rows[0].verdict, VERDICT_NO_DATA);
    CHECK_EQ(f.r.count[VERDICT_NO_DATA], 1);
    study_rig_close(&f.rig);
}

static void parts_of_a_stack_are_apart_and_sum_up(void)
{
    struct fixture f;
    judge(&f, "  f:\n    parts: [twice, one]\n    variants: [rr, big]\n"
              "    paper:\n"
              "      - {variant: rr, workload: BT, value: 23, source: s}\n"
              "      - {variant: rr, workload: BT, part: one, value: 1, source: s}\n"
              "    claims: [{text: t, expr: \"value(f, big, HS, twice) == 60\", source: s}]\n");
    const struct verdict_figure *v = &f.r.figures[0];
    CHECK_NEAR(v->value[(1 * 2 + 0) * 2 + 0], 22, 0);
    CHECK_NEAR(v->value[(1 * 2 + 0) * 2 + 1], 1, 0);
    CHECK_NEAR(verdict_value(v, 1, 0, -1), 23, 0);
    CHECK_NEAR(verdict_value(v, 3, 1, 0), 61, 0);
    CHECK_NEAR(verdict_value(v, 3, 1, 1), 1, 0);
    CHECK_EQ(f.r.count[VERDICT_REPRODUCED], 3);
    CHECK_STR(f.r.rows[1].what, "rr, BT, one");
    study_rig_close(&f.rig);
}

static void tolerance_scales_with_the_effect(void)
{
    struct study_figure f = {.reproduced = 0.25, .neutral = 1};
    CHECK_EQ(verdict_of(&f, 1.2, 1.25), VERDICT_REPRODUCED);
    CHECK_EQ(verdict_of(&f, 1.2, 1.15), VERDICT_REPRODUCED);
    CHECK_EQ(verdict_of(&f, 1.2, 1.26), VERDICT_DIRECTION);
    CHECK_EQ(verdict_of(&f, 1.2, 1.01), VERDICT_DIRECTION);
    CHECK_EQ(verdict_of(&f, 1.2, 1.0), VERDICT_NOT);
    CHECK_EQ(verdict_of(&f, 1.2, 0.9), VERDICT_NOT);
    CHECK_EQ(verdict_of(&f, 0.8, 0.99), VERDICT_DIRECTION);
    CHECK_EQ(verdict_of(&f, 0.8, 1.01), VERDICT_NOT);
    CHECK_EQ(verdict_of(&f, 1.2, NAN), VERDICT_NO_DATA);
}

static void no_effect_has_no_direction(void)
{
    struct study_figure f = {.reproduced = 0.25, .neutral = 1};
    CHECK_EQ(verdict_of(&f, 1, 1), VERDICT_REPRODUCED);
    CHECK_EQ(verdict_of(&f, 1, 1.01), VERDICT_NOT);
    f.absolute = 0.02;
    CHECK_EQ(verdict_of(&f, 1, 1.02), VERDICT_REPRODUCED);
    CHECK_EQ(verdict_of(&f, 1, 0.97), VERDICT_NOT);
}

static void claims_hold_or_fail_or_have_no_data(void)
{
    struct fixture f;
    judge(&f, "  f:\n    expr: ipc\n    claims:\n"
              "      - {text: a, expr: \"value(f, icc, HS) > value(f, rr, BP)\", source: s}\n"
              "      - {text: b, expr: \"value(f, rr, mean) > value(g, rr, HS)\", source: s}\n"
              "      - {text: c, expr: \"value(f, big, BP) > 1\", source: s}\n"
              "      - {text: d, expr: \"value(g, rr, HS) == 100\", source: s}\n"
              "      - {text: e, expr: \"value(f, big, mean) > 1\", source: s}\n"
              "  g: {expr: 10 * ipc}\n");
    CHECK_EQ(f.r.nrows, 5);
    CHECK_EQ(f.r.rows[0].verdict, VERDICT_REPRODUCED);
    CHECK_EQ(f.r.rows[1].verdict, VERDICT_NOT);
    CHECK_EQ(f.r.rows[2].verdict, VERDICT_NO_DATA);
    CHECK_EQ(f.r.rows[3].verdict, VERDICT_REPRODUCED);
    CHECK_EQ(f.r.rows[4].verdict, VERDICT_NO_DATA); /* a mean of 2 of 3 */
    CHECK_STR(f.r.rows[1].what, "b");
    CHECK_EQ(f.r.count[VERDICT_REPRODUCED], 2);
    CHECK_EQ(f.r.count[VERDICT_DIRECTION], 0);
    study_rig_close(&f.rig);
}

/* ---- from a database ----------------------------------------------------------------------- */

static void put(struct store *store, uint64_t key, double ipc)
{
    static const char *const names[] = {"zero.n", "ipc", "hops", "hops.n", "zero", "cost.ipc"};
    double values[] = {0, ipc, 2.5, 4, NAN, ipc == 80 ? 5 : NAN};
    struct err e = {0};
    struct store_run run = {.key = key,
                            .machine = "m",
                            .workload = "w",
                            .variant = "v",
                            .version = "1",
                            .config = "{}",
                            .nstats = 6,
                            .names = names,
                            .values = values};
    if (!store_put(store, &run, &e))
        print_error("%s\n", e.text);
    CHECK_EQ(e.status, 0);
}

static void runs_come_from_the_store_by_their_keys(void)
{
    char path[] = "/tmp/heddle-store-XXXXXX", more[64];
    struct err e = {0};
    struct study_rig rig;
    struct study_result r = {.command = "mine"};
    close(mkstemp(path));
    unlink(path);
    struct store *store = store_open(path, &e);
    CHECK(store != NULL);
    study_rig_open(&rig,
                   STUDY_RIG_HEAD "figures: {f: {expr: ipc}, g: {expr: hops.sum + zero.sum},"
                                  " h: {expr: hops.n}, i: {expr: none},"
                                  " k: {expr: ipc / cost.ipc}}\n",
                   NULL);
    struct study_job jobs[] = {{.key = 7}, {.key = UINT64_MAX}, {.key = 9}};
    uint32_t of[] = {0, 1, 2, 0, 0, 0, UINT32_MAX, 1, 1};
    uint32_t cost[] = {1, 1, 1, UINT32_MAX, 1, 1, 1, 1, 1};
    struct study_plan plan = {.njobs = 3, .jobs = jobs, .of = of, .cost = cost};
    put(store, 7, 70);
    put(store, UINT64_MAX, 80);
    CHECK(study_judge(rig.arena, rig.study, &plan, store, &r, &e));
    const struct verdict_figure *v = r.figures;
    CHECK_NEAR(verdict_value(&v[0], 0, 0, -1), 70, 0);
    CHECK_NEAR(verdict_value(&v[0], 1, 0, -1), 80, 0);
    CHECK(isnan(verdict_value(&v[0], 2, 0, -1))); /* not in the store */
    CHECK(isnan(verdict_value(&v[0], 0, 2, -1))); /* not planned */
    CHECK_NEAR(verdict_value(&v[1], 0, 0, -1), 10, 0);
    CHECK_NEAR(verdict_value(&v[2], 0, 0, -1), 4, 0);
    CHECK(isnan(verdict_value(&v[3], 0, 0, -1)));
    CHECK_NEAR(verdict_value(&v[4], 0, 0, -1), 70.0 / 5, 0); /* priced by another run */
    CHECK(isnan(verdict_value(&v[4], 0, 1, -1)));            /* priced by none */
    CHECK_STR(r.command, "mine");
    CHECK(*r.version != '\0');
    CHECK_EQ(r.origin.runs, 3);
    CHECK_EQ(r.origin.done, 2);
    CHECK(r.heat.job == NULL); /* nobody counted links */
    store_close(store);
    study_rig_close(&rig);
    unlink(path);
    snprintf(more, sizeof more, "%s-wal", path);
    unlink(more);
    snprintf(more, sizeof more, "%s-shm", path);
    unlink(more);
}

/* A run with two links of the request network and two of the reply network. */
static void put_links(struct store *store, uint64_t key, const double load[4])
{
    static const char *const names[] = {"link.0.in.0", "link.0.out.0", "link.1.in.0",
                                        "link.1.out.0", "link.1.in.1"};
    const double values[] = {load[0], load[1], load[2], load[3], 0};
    struct err e = {0};
    struct store_run run = {.key = key,
                            .machine = "m",
                            .workload = "w",
                            .variant = "v",
                            .version = "1",
                            .config = "{}",
                            .wall_s = 2.5,
                            .nstats = 5,
                            .names = names,
                            .values = values};
    CHECK(store_put(store, &run, &e));
}

static void the_busiest_network_has_most_flits_per_link(void)
{
    char path[] = "/tmp/heddle-store-XXXXXX", more[64];
    struct err e = {0};
    struct study_rig rig;
    struct study_plan plan;
    struct study_result r = {0};
    close(mkstemp(path));
    unlink(path);
    struct store *store = store_open(path, &e);
    study_rig_open(&rig, STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n", NULL);
    CHECK(study_plan(rig.arena, rig.study, &study_rig_above, &plan, &e));
    CHECK(plan.njobs >= 3);
    put_links(store, plan.jobs[0].key, (const double[]){0.9, 0.1, 0.1, 0.1}); /* one hot link */
    put_links(store, plan.jobs[1].key, (const double[]){0.2, 0.2, 0.6, 0.6});
    put_links(store, plan.jobs[2].key, (const double[]){0.5, 0.5, 0.4, 0.4});
    CHECK(study_judge(rig.arena, rig.study, &plan, store, &r, &e));
    CHECK(r.heat.job == &plan.jobs[1]);
    CHECK_EQ(r.heat.busiest, 1);
    CHECK_NEAR(r.heat.in[1][0], 0.6, 0);
    CHECK_NEAR(r.origin.wall_s, 7.5, 1e-9);
    store_close(store);
    study_rig_close(&rig);
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(more, sizeof more, "%s%s", path, ends[i]);
        unlink(more);
    }
}

CHECK_MAIN("verdict", TEST(bounds_are_kept_or_not_whatever_the_tolerance),
           TEST(values_are_those_of_the_runs_and_of_the_baselines),
           TEST(metrics_of_metrics_and_of_the_baseline_are_followed),
           TEST(a_variant_can_have_a_baseline_of_its_own),
           TEST(a_mean_is_over_the_workloads_that_have_data),
           TEST(a_geometric_mean_needs_positive_values), TEST(a_mean_of_nothing_is_no_data),
           TEST(parts_of_a_stack_are_apart_and_sum_up), TEST(tolerance_scales_with_the_effect),
           TEST(no_effect_has_no_direction), TEST(claims_hold_or_fail_or_have_no_data),
           TEST(runs_come_from_the_store_by_their_keys),
           TEST(the_busiest_network_has_most_flits_per_link))
