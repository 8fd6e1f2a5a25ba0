/* Means beside a figure's own: values worked out by hand, over how many rows, by name. */
#include "check.h"

#include "rig/capture.h"
#include "rig/study_rig.h"

/* ipc by variant (rr, icc, big) and workload (HS, BT, BP); big has no run of BP, and none of the
 * statistic `hits` has one of BT. */
static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    static const double ipc[3][3] = {{1, 4, 16}, {2, 4, 8}, {3, 12, NAN}};
    static const double hits[3] = {10, NAN, 30};
    (void)context;
    return strcmp(name, "ipc") == 0 ? ipc[variant][workload] : hits[workload];
}

static const char text[] =
    "groups: {ends: [BP, HS]}\n" STUDY_RIG_HEAD "  hits: hits\nfigures:\n"
    "  f:\n"
    "    expr: ipc\n"
    "    beside:\n"
    "      - geometric\n"
    "      - {name: ends, doc: first and last, of: [ends]}\n"
    "      - {name: faster, where: \"value(f, icc, row) >= value(f, rr, row)\"}\n"
    "      - {name: hit, mean: geometric, where: \"value(h, rr, row) > 5\"}\n"
    "      - {name: late, where: \"value(f, rr, row) < value(g, rr, up)\"}\n"
    "      - {name: never, where: \"value(f, rr, row) > 100\"}\n"
    "      - {name: both, of: [ends], where: \"value(f, rr, row) > 1\"}\n"
    "    paper:\n"
    "      - {variant: icc, workload: ends, value: 5, source: s}\n"
    "      - {variant: big, workload: ends, value: 3, source: s}\n"
    "      - {variant: rr, workload: faster, value: 2, source: s}\n"
    "      - {variant: rr, workload: never, value: 2, source: s}\n"
    "    claims:\n"
    "      - {text: one, expr: \"value(f, rr, ends) == 8.5\"}\n"
    "      - {text: two, expr: \"value(f, big, ends) > 0\"}\n"
    "      - {text: three, expr: \"value(f, rr, never) > 0\"}\n"
    "  g: {expr: ipc, mean: none, rows: none, beside: [{name: up, where: \"value(f, rr, row) > "
    "1\"}]}\n"
    "  h: {expr: hits, variants: [rr], workloads: [HS, BT]}\n"
    "  s: {parts: [hits, speedup], baseline: rr, variants: [icc], beside: [{name: ends, of: "
    "[ends]}]}\n";

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

/* Of a mean of figure f by variant. */
static void is_mean(const struct fixture *f, uint32_t row, const char *label, double rr, double icc,
                    double big)
{
    const struct verdict_figure *v = &f->r.figures[0];
    const double want[] = {rr, icc, big};
    CHECK_STR(verdict_mean_text(f->rig.arena, v, row), label);
    for (uint32_t i = 0; i < 3; i++)
        if (isnan(want[i]))
            CHECK(isnan(verdict_value(v, row, i, -1)));
        else
            CHECK_NEAR(verdict_value(v, row, i, -1), want[i], 1e-12);
}

static void means_are_over_their_rows_that_have_data(void)
{
    struct fixture f;
    judge(&f);
    CHECK_EQ(f.r.figures[0].rows, 3 + 1 + 7);
    is_mean(&f, 3, "mean of 2 to 3", 7, 14 / 3., 7.5);
    is_mean(&f, 4, "geometric of 2 to 3", 4, 4, 6);
    is_mean(&f, 5, "ends of 1 to 2", 8.5, 5, 3);
    is_mean(&f, 6, "faster of 2", 2.5, 3, 7.5); /* HS and BT */
    is_mean(&f, 7, "hit of 1", 1, 2, 3);        /* BT has no data there, BP no row */
    is_mean(&f, 8, "late of 2", 2.5, 3, 7.5);   /* below (4 + 16) / 2 */
    is_mean(&f, 9, "never of 0", NAN, NAN, NAN);
    is_mean(&f, 10, "both of 0 to 1", 16, 8, NAN);
    CHECK_NEAR(verdict_value(&f.r.figures[1], 3, 0, -1), 10, 1e-12); /* without a mean of its own */
    study_rig_close(&f.rig);
}

static void parts_of_a_stack_have_them_too(void)
{
    struct fixture f;
    judge(&f);
    const struct verdict_figure *v = &f.r.figures[3];
    CHECK_EQ(v->rows, 3 + 1 + 1);
    CHECK_NEAR(verdict_value(v, 4, 0, 0), 20, 1e-12);
    CHECK_NEAR(verdict_value(v, 4, 0, 1), (2 + 0.5) / 2, 1e-12);
    CHECK_STR(verdict_mean_text(f.rig.arena, v, 4), "ends");
    study_rig_close(&f.rig);
}

static void values_of_the_paper_and_claims_ask_by_name(void)
{
    static const char *const what[] = {"icc, ends of 2", "big, ends of 1 of 2", "rr, faster of 2",
                                       "rr, never of 0"};
    static const double measured[] = {5, 3, 2.5, NAN};
    struct fixture f;
    judge(&f);
    CHECK_EQ(f.r.nrows, 7);
    for (int i = 0; i < 4; i++) {
        CHECK_STR(f.r.rows[i].what, what[i]);
        CHECK((isnan(measured[i]) && isnan(f.r.rows[i].measured)) ||
              f.r.rows[i].measured == measured[i]);
    }
    CHECK_EQ(f.r.rows[0].verdict, VERDICT_REPRODUCED);
    CHECK_EQ(f.r.rows[3].verdict, VERDICT_NO_DATA);
    CHECK_EQ(f.r.rows[4].verdict, VERDICT_HOLDS);
    CHECK_EQ(f.r.rows[5].verdict, VERDICT_NO_DATA); /* it lacks a row */
    CHECK_EQ(f.r.rows[6].verdict, VERDICT_NO_DATA);
    study_rig_close(&f.rig);
}

static void has_all(const char *got, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!strstr(got, parts[i]))
            print_error("no %s in\n%s\n", parts[i], got);
        CHECK(strstr(got, parts[i]) != NULL);
    }
}

static void files_have_them_as_rows(void)
{
    static const char *const csv[] = {"value,f,rr,ends,,8.5,,,,\n", "value,f,rr,never,,,,,,\n",
                                      "value,g,rr,HS,,1,,,,\nvalue,g,icc,HS,,2",
                                      "value,s,icc,ends,speedup,1.25,,,,\n",
                                      "paper,f,icc,ends,,5,5,reproduced,s,\n"};
    static const char *const json[] = {
        "{\"workload\": \"ends\", \"values\": [8.5, 5, 3]}",
        "{\"name\": \"ends\", \"doc\": \"first and last\", \"mean\": \"arithmetic\", \"of\": 2, "
        "\"counted\": [2, 2, 1]}",
        "{\"name\": \"hit\", \"doc\": \"\", \"mean\": \"geometric\", \"of\": 1, "
        "\"counted\": [1, 1, 1]}",
        "\"variant\": \"icc\", \"workload\": \"ends\", \"paper\": 5, \"measured\": 5"};
    struct fixture f;
    struct text t;
    judge(&f);
    text_open(&t);
    study_csv(&f.r, t.out);
    has_all(text_close(&t), csv, sizeof csv / sizeof csv[0]);
    text_free(&t);
    text_open(&t);
    study_json(&f.r, t.out);
    has_all(text_close(&t), json, sizeof json / sizeof json[0]);
    text_free(&t);
    study_rig_close(&f.rig);
}

static void tables_show_them_and_may_hide_the_rest(void)
{
    static const char *const parts[] = {
        "  values [instruction/cycle]; arithmetic mean\n  ends: first and last\n"
        "                          rr    icc    big\n"
        "  HS                   1.000  2.000  3.000\n",
        "  ends of 1 to 2       8.500  5.000  3.000\n",
        "g: g\n"
        "  values [instruction/cycle]\n"
        "  3 rows are in the report and in results.csv\n"
        "                   rr    icc    big\n"
        "  up of 1 to 2  10.00  6.000  12.00\n"
        "\n"};
    struct fixture f;
    struct text t;
    judge(&f);
    text_open(&t);
    study_print(&f.r, f.rig.arena, t.out);
    has_all(text_close(&t), parts, sizeof parts / sizeof parts[0]);
    text_free(&t);
    study_rig_close(&f.rig);
}

CHECK_MAIN("verdict_means", TEST(means_are_over_their_rows_that_have_data),
           TEST(parts_of_a_stack_have_them_too), TEST(values_of_the_paper_and_claims_ask_by_name),
           TEST(files_have_them_as_rows), TEST(tables_show_them_and_may_hide_the_rest))
