/* A study in one picture: which lines it has, where their marks stand, and where it is not drawn. */
#include "check.h"

#include <stdlib.h>

#include "report/study_page.h"
#include "report/study_page_priv.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"
#include "rig/study_rig.h"

/* IPC 10, 15 and 5 of the variants, so changes of +50 % and -50 %; BP has nothing on `big`. */
static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    static const double ipc[] = {10, 15, 5};
    (void)context;
    (void)name;
    return variant == 2 && workload == 2 ? NAN : ipc[variant];
}

#define CHANGE "metric: speedup, baseline: rr, variants: [icc, big], format: percent_change"
#define TWO                                                                                        \
    "paper: [{variant: icc, value: 1.25, source: s}, {variant: big, value: 0.75, source: s}]"

static const char text[] = STUDY_RIG_HEAD
    "figures:\n"
    "  f: {title: a < b, full: icc, " CHANGE ", " TWO "}\n"
    "  rows: {" CHANGE ", paper: [{variant: icc, workload: HS, value: 1.77, source: s}]}\n"
    "  bound: {" CHANGE ", paper: [{variant: icc, value: 1.77, bound: above, source: s}]}\n"
    "  number: {expr: ipc, paper: [{variant: icc, value: 1.77, source: s}]}\n"
    "  lacks: {" CHANGE ", workloads: [BP], paper: [{variant: big, value: 1.77, source: s}]}\n"
    "  part: {" CHANGE ", beside: [{name: first, of: [HS]}],\n"
    "    paper: [{variant: icc, workload: first, value: 1.5, source: s}]}\n";

static void open_result(const char *file, struct study_rig *rig, struct study_result *r)
{
    study_rig_open(rig, file, NULL);
    CHECK_STR(rig->err.text, "");
    *r = (struct study_result){.command = "c", .version = "v"};
    verdict_judge(rig->arena, rig->study, &(struct verdict_source){made_up, NULL}, r);
    r->origin.made = "2026-11-17 13:45 UTC";
}

static char *picture(const char *file)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(file, &rig, &r);
    text_open(&t);
    study_page_overview_svg(&r, t.out);
    text_close(&t);
    study_rig_close(&rig);
    return t.s;
}

static void means_of_changes_are_lines_and_nothing_else_is(void)
{
    char *p = picture(text);
    CHECK(picture_rig_is_well_formed(p));
    CHECK_EQ(picture_rig_count(p, "class=\"paper\""), 1 + 3); /* one is in the legend */
    CHECK_EQ(picture_rig_count(p, "fill=\"#0072b2\""), 1 + 3);
    CHECK_EQ(picture_rig_count(p, ">+50.0%<"), 3); /* two measured, one of the paper */
    CHECK_EQ(picture_rig_count(p, ">\u221250.0%<"), 1);
    CHECK_EQ(picture_rig_count(p, ">+25.0%<"), 1);
    CHECK_EQ(picture_rig_count(p, "77.0%<"), 0);
    CHECK_EQ(picture_rig_count(p, ">f: a &lt; b<"), 1);
    CHECK_EQ(picture_rig_count(p, ">icc, first<"), 1);
    free(p);
}

/* Left end of the n-th thing that `open` begins, in tenths of a pixel. */
static long place(const char *p, const char *open, int n)
{
    for (p = strstr(p, open); p && n > 0; n--)
        p = strstr(p + 1, open);
    CHECK(p != NULL);
    return strtol(p + strlen(open), NULL, 10);
}

static void bars_begin_at_zero_and_diamonds_stand_where_the_paper_is(void)
{
    char *p = picture(text);
    const char *first = strstr(p, ">icc<"), *second = strstr(p, ">big<"); /* labels of lines */
    CHECK(first && second && first < second);
    long up = place(first, "<rect x=\"", 0), down = place(second, "<rect x=\"", 0);
    long plus = place(first, "class=\"paper\" d=\"M", 0);
    long minus = place(second, "class=\"paper\" d=\"M", 0);
    /* +50 % begins at zero, -50 % as far to the left; the paper has half of either. */
    CHECK(down < up);
    CHECK_NEAR((double)(plus - up), (double)(up - down) / 2, 1);
    CHECK_NEAR((double)(up - minus), (double)(up - down) / 2, 1);
    free(p);
}

static void a_single_line_needs_no_picture(void)
{
    static const char one[] =
        STUDY_RIG_HEAD "figures:\n"
                       "  f: {" CHANGE ", paper: [{variant: icc, value: 1.25, source: s}]}\n";
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(one, &rig, &r);
    CHECK(!study_page_has_overview(&r));
    text_open(&t);
    study_page_overview(t.out, &r);
    CHECK_STR(text_close(&t), "");
    text_free(&t);
    study_rig_close(&rig);
}

static void the_page_has_it_before_the_figures_and_names_the_full_study(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    struct err e = {0};
    open_result(text, &rig, &r);
    CHECK(study_page_has_overview(&r));
    text_open(&t);
    CHECK(study_page_write(&r, t.out, &e));
    const char *p = text_close(&t);
    const char *overview = strstr(p, "<section id=\"overview\">");
    CHECK(overview && overview < strstr(p, "<nav"));
    CHECK(strstr(p, "Only full studies decide: <code>heddle study icc</code></p>") != NULL);
    CHECK_EQ(picture_rig_count(p, "The full study: <code>heddle study icc</code>."), 1);
    text_free(&t);
    study_rig_close(&rig);
}

CHECK_MAIN("study_page_overview", TEST(means_of_changes_are_lines_and_nothing_else_is),
           TEST(bars_begin_at_zero_and_diamonds_stand_where_the_paper_is),
           TEST(a_single_line_needs_no_picture),
           TEST(the_page_has_it_before_the_figures_and_names_the_full_study))
