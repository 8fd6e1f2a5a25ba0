/* How far figures are from what they are compared with: worked out by hand. */
#include "check.h"

#include "rig/capture.h"
#include "rig/study_rig.h"

/* ipc by variant (rr, icc, big) and workload (HS, BT, BP); big has no run of BP. */
static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    static const double ipc[3][3] = {{1, 4, 16}, {2, 4, 8}, {3, 12, NAN}};
    (void)context;
    (void)name;
    return ipc[variant][workload];
}

static const char text[] = STUDY_RIG_HEAD
    "figures:\n"
    "  f:\n"
    "    expr: ipc\n"
    "    chart: scatter\n"
    "    paper:\n"
    "      - {variant: rr, workload: HS, value: 2, source: s}\n"
    "      - {variant: rr, workload: BT, value: 5, source: s}\n"
    "      - {variant: rr, workload: BP, value: 10, source: s}\n"
    "      - {variant: rr, workload: mean, value: 1000, source: s}\n"
    "      - {variant: icc, workload: HS, value: 0, source: s}\n"
    "      - {variant: icc, workload: BT, value: 2, source: s}\n"
    "      - {variant: icc, workload: BP, value: 1, source: s, bound: above}\n"
    "      - {variant: big, workload: HS, value: 3, source: s}\n"
    "      - {variant: big, workload: BP, value: 3, source: s}\n"
    "    claims:\n"
    "      - {text: mean, expr: \"value(f, rr, mean_error) > 0.43 && value(f, rr, mean_error) < "
    "0.44\"}\n"
    "      - {text: median, expr: \"value(f, rr, median_error) == 0.5\"}\n"
    "      - {text: worst, expr: \"abs(value(f, rr, worst_error) - 0.6) < 0.000001\"}\n"
    "      - {text: like, expr: \"value(f, rr, correlation) > 0.97\"}\n"
    "      - {text: less, expr: \"value(f, big, mean_error) >= 0\"}\n";

struct fixture {
    struct study_rig rig;
    struct study_result r;
};

static void judge(struct fixture *f)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, text, NULL);
    CHECK_STR(f->rig.err.text, "");
    CHECK(f->rig.study != NULL);
    f->r.command = "c";
    verdict_judge(f->rig.arena, f->rig.study, &(struct verdict_source){made_up, NULL}, &f->r);
}

static void errors_are_over_rows_and_not_over_means_and_bounds(void)
{
    struct fixture f;
    judge(&f);
    struct verdict_errors e = verdict_errors_of(f.rig.arena, &f.r.figures[0], 0);
    CHECK_EQ(e.all, 3);
    CHECK_EQ(e.counted, 3);
    CHECK_NEAR(e.mean, (0.5 + 0.2 + 0.6) / 3, 1e-12);
    CHECK_NEAR(e.median, 0.5, 1e-12);
    CHECK_NEAR(e.worst, 0.6, 1e-12);
    CHECK_EQ(e.worst_row, 2);
    /* Deviations: paper -11/3, -2/3, 13/3; measured -6, -3, 9. */
    CHECK_NEAR(e.correlation, 63 / sqrt(294 / 9. * 126), 1e-12);
    study_rig_close(&f.rig);
}

static void nothing_is_divided_by_zero(void)
{
    struct fixture f;
    judge(&f);
    struct verdict_errors e = verdict_errors_of(f.rig.arena, &f.r.figures[0], 1);
    CHECK_EQ(e.all, 2);
    CHECK_NEAR(e.mean, 1, 1e-12); /* of BT alone */
    CHECK_NEAR(e.median, 1, 1e-12);
    study_rig_close(&f.rig);
}

static void rows_without_data_are_said_and_make_claims_have_none(void)
{
    struct fixture f;
    judge(&f);
    struct verdict_errors e = verdict_errors_of(f.rig.arena, &f.r.figures[0], 2);
    CHECK_EQ(e.all, 2);
    CHECK_EQ(e.counted, 1);
    CHECK(isnan(e.correlation)); /* of one point */
    CHECK_STR(verdict_errors_text(f.rig.arena, &f.r, &f.r.figures[0], 2),
              "big: mean error 0.0 %, median 0.0 %, worst 0.0 % (HS); 1 of 2 rows");
    for (uint32_t i = 0, claim = 0; i < f.r.nrows; i++)
        if (f.r.rows[i].claim)
            CHECK_EQ(f.r.rows[i].verdict, claim++ < 4 ? VERDICT_HOLDS : VERDICT_NO_DATA);
    study_rig_close(&f.rig);
}

static void the_terminal_and_json_tell_them(void)
{
    struct fixture f;
    struct text t;
    judge(&f);
    text_open(&t);
    study_print(&f.r, f.rig.arena, t.out);
    text_close(&t);
    CHECK(
        strstr(t.s, "rr: mean error 43.3 %, median 50.0 %, worst 60.0 % (BP), correlation 0.98") !=
        NULL);
    free(t.s);
    text_open(&t);
    study_json(&f.r, t.out);
    text_close(&t);
    CHECK(strstr(t.s, "\"errors\"") != NULL);
    CHECK(strstr(t.s, "\"median\": 0.5") != NULL);
    free(t.s);
    study_rig_close(&f.rig);
}

static void names_of_errors_are_taken_and_need_values(void)
{
    CHECK(study_rig_refuses("machine: icc60\nworkloads: [{name: correlation, kind: cost}]\n"
                            "variants: {a: {}}\nfigures: {f: {expr: cost.l1.area}}\n",
                            ":2:", "this name is taken"));
    CHECK(study_rig_refuses(STUDY_RIG_HEAD "figures: {f: {expr: ipc, claims: [{text: t, expr: "
                                           "\"value(f, rr, mean_error) < 1\"}]}}\n",
                            ":", "figure f has no values to be compared with"));
    CHECK(study_rig_refuses(STUDY_RIG_HEAD "figures: {f: {expr: ipc, chart: scatter}}\n", ":",
                            "a scatter of measured values over the paper's needs those"));
}

CHECK_MAIN("verdict_errors", TEST(errors_are_over_rows_and_not_over_means_and_bounds),
           TEST(nothing_is_divided_by_zero),
           TEST(rows_without_data_are_said_and_make_claims_have_none),
           TEST(the_terminal_and_json_tell_them), TEST(names_of_errors_are_taken_and_need_values))
