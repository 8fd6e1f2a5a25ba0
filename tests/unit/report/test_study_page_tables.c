/* Means beside a figure's own: in the page's tables and verdicts, in no chart. */
#include "check.h"

#include "report/study_page.h"
#include "report/study_page_priv.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"
#include "rig/study_rig.h"

static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    (void)context;
    return strcmp(name, "one") == 0        ? 1
           : variant == 2 && workload == 2 ? NAN
                                           : 2. * workload + variant;
}

static const char text[] = STUDY_RIG_HEAD
    "  one: one\n  two: ipc\nfigures:\n"
    "  f:\n"
    "    expr: ipc\n"
    "    rows: none\n"
    "    beside:\n"
    "      - {name: slow, doc: the first two, of: [HS, BT]}\n"
    "      - {name: late, where: \"value(f, rr, row) > 1\"}\n"
    "    paper:\n"
    "      - {variant: icc, workload: slow, value: 77, source: s}\n"
    "      - {variant: big, workload: late, value: 66, source: s}\n"
    "  s: {parts: [one, two], variants: [rr], beside: [{name: ends, of: [HS, BP]}]}\n"
    "  single: {expr: ipc, workloads: [BT], beside: [{name: b, of: [BT]}]}\n";

struct fixture {
    struct study_rig rig;
    struct study_result r;
    struct study_page_chart chart;
};

static void judge(struct fixture *f, uint32_t figure)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, text, NULL);
    CHECK_STR(f->rig.err.text, "");
    CHECK(f->rig.study != NULL);
    f->r.command = "c";
    verdict_judge(f->rig.arena, f->rig.study, &(struct verdict_source){made_up, NULL}, &f->r);
    f->r.origin.made = "2026-11-17 13:45 UTC";
    study_page_chart_of(f->rig.arena, &f->r, figure, &f->chart);
}

static void has(const char *page, const char *part)
{
    if (!strstr(page, part))
        print_error("no %s in\n%s\n", part, page);
    CHECK(strstr(page, part) != NULL);
}

static void tables_have_all_rows_and_all_means(void)
{
    struct fixture f;
    struct text t;
    judge(&f, 0);
    text_open(&t);
    study_page_values(t.out, &f.chart);
    const char *page = text_close(&t);
    CHECK_EQ(picture_rig_count(page, "<tr"), 1 + 3 + 1 + 2);
    has(page, "<tr><th scope=\"row\">BP</th>");
    has(page, "<tr class=\"mean\"><th scope=\"row\">slow</th><td class=\"number mean\">1.000</td>"
              "<td class=\"number mean\">2<small>paper 77</small></td>"
              "<td class=\"number mean\">3</td></tr>");
    has(page, "<tr class=\"mean\"><th scope=\"row\">late of 1 to 2</th>"
              "<td class=\"number mean\">3</td><td class=\"number mean\">4</td>"
              "<td class=\"number mean\">4<small>paper 66</small></td></tr>");
    text_free(&t);
    study_rig_close(&f.rig);
}

static void stacks_and_single_rows_have_them_too(void)
{
    struct fixture f;
    struct text t;
    judge(&f, 1);
    text_open(&t);
    study_page_values(t.out, &f.chart);
    has(text_close(&t), "ends</th><th scope=\"row\">rr</th><td class=\"number mean\">1.000</td>"
                        "<td class=\"number mean\">2</td><td class=\"number mean\">3</td></tr>");
    text_free(&t);
    study_rig_close(&f.rig);
    judge(&f, 2);
    CHECK_EQ(f.chart.rows, 1);
    text_open(&t);
    study_page_values(t.out, &f.chart);
    has(text_close(&t), "<th scope=\"row\">b</th><td class=\"number mean\">2</td>");
    text_free(&t);
    study_rig_close(&f.rig);
}

static void charts_have_none_of_them(void)
{
    struct fixture f;
    uint32_t row, column;
    judge(&f, 0);
    CHECK_EQ(f.chart.rows, 4);
    CHECK_EQ(f.chart.mean, 3);
    CHECK(!study_page_chart_has_marks(&f.chart));
    CHECK(study_page_chart_place(&f.chart, &f.chart.figure->papers[1], &row, &column));
    CHECK_EQ(row, 5);
    CHECK_EQ(column, 2);
    CHECK(f.chart.axis.high < 66);
    study_rig_close(&f.rig);
}

static void the_page_says_what_they_are(void)
{
    struct fixture f;
    struct text t;
    struct err e = {0};
    judge(&f, 0);
    text_open(&t);
    CHECK(study_page_write(&f.r, t.out, &e));
    const char *page = text_close(&t);
    has(page, "<i>slow</i>: The first two. ");
    has(page, "icc, slow of 2 <small>");
    has(page, "big, late of 1 of 2 <small>");
    text_free(&t);
    study_rig_close(&f.rig);
}

CHECK_MAIN("study_page_tables", TEST(tables_have_all_rows_and_all_means),
           TEST(stacks_and_single_rows_have_them_too), TEST(charts_have_none_of_them),
           TEST(the_page_says_what_they_are))
