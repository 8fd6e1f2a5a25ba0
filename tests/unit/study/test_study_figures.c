#include "check.h"

#include "rig/study_rig.h"
#include "study/expr.h"

#define HEAD STUDY_RIG_HEAD /* ten lines with "figures:" */
#define FIGURES HEAD "figures:\n"

static void a_figure_has_defaults_that_fit_what_it_plots(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   FIGURES "  f: {metric: speedup, baseline: rr}\n"
                           "  g: {expr: l1.hits, unit: hits}\n"
                           "  h: {expr: ipc - base.ipc, baseline: rr, format: percent_change}\n",
                   NULL);
    CHECK(r.study != NULL);
    const struct study_figure *f = &r.study->figures[0], *g = &r.study->figures[1];
    CHECK_STR(f->title, "f");
    CHECK_STR(f->unit, "x");
    CHECK_EQ(f->baseline, 0);
    CHECK_EQ(f->nvariants, 3);
    CHECK_EQ(f->nworkloads, 3);
    CHECK_EQ(f->mean, MEAN_GEOMETRIC);
    CHECK_EQ(f->chart, CHART_BARS);
    CHECK_EQ(f->format, FORMAT_NUMBER);
    CHECK_NEAR(f->neutral, 1, 0);
    CHECK_NEAR(f->reproduced, 0.25, 0);
    CHECK_EQ(g->mean, MEAN_ARITHMETIC);
    CHECK_EQ(g->baseline, -1);
    CHECK_EQ(g->expr_line, 12);
    CHECK_NEAR(g->neutral, 0, 0);
    CHECK_STR(g->unit, "hits");
    CHECK_NEAR(r.study->figures[2].neutral, 1, 0);
    study_rig_close(&r);
}

static void a_verdict_names_the_model_that_its_figure_comes_from(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   FIGURES "  f:\n"
                           "    expr: ipc\n"
                           "    model: structural\n"
                           "    paper: [{variant: icc, value: 2, source: Fig. 11}]\n"
                           "    claims:\n"
                           "      - {text: t, expr: \"value(f, rr, mean) > 1\", source: s}\n"
                           "  g: {expr: ipc, paper: [{variant: icc, value: 2, source: Fig. 7}]}\n",
                   NULL);
    CHECK_STR(r.err.text, "");
    CHECK_STR(r.study->figures[0].papers[0].source, "Fig. 11; judged by structural");
    CHECK_STR(r.study->figures[0].claims[0].source, "s; judged by structural");
    CHECK_STR(r.study->figures[1].papers[0].source, "Fig. 7");
    study_rig_close(&r);
}

static void everything_that_a_figure_can_say_is_taken(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   "tolerance: {reproduced: 0.3, absolute: 0.01}\n" FIGURES "  f:\n"
                   "    title: T\n"
                   "    metric: speedup\n"
                   "    baseline: rr\n"
                   "    variants: [big, icc]\n"
                   "    workloads: [BP]\n"
                   "    mean: arithmetic\n"
                   "    chart: lines\n"
                   "    format: percent_change\n"
                   "    tolerance: {reproduced: 0.05, neutral: 2}\n"
                   "    paper:\n"
                   "      - {variant: icc, workload: BP, value: 1.06, source: Fig. 7, note: n}\n"
                   "      - {variant: big, value: -1e-1, source: text}\n"
                   "    claims:\n"
                   "      - {text: t, expr: \"value(g, rr, mean) > 1\", source: s}\n"
                   "  g: {expr: ipc}\n",
                   NULL);
    CHECK(r.study != NULL);
    const struct study_figure *f = &r.study->figures[0];
    CHECK_STR(f->title, "T");
    CHECK_EQ(f->nvariants, 2);
    CHECK_EQ(f->variants[0], 2);
    CHECK_EQ(f->variants[1], 1);
    CHECK_EQ(f->workloads[0], 2);
    CHECK_EQ(f->mean, MEAN_ARITHMETIC);
    CHECK_EQ(f->chart, CHART_LINES);
    CHECK_EQ(f->format, FORMAT_PERCENT_CHANGE);
    CHECK_NEAR(f->reproduced, 0.05, 0);
    CHECK_NEAR(f->absolute, 0.01, 0);
    CHECK_NEAR(f->neutral, 2, 0);
    CHECK_EQ(f->npapers, 2);
    CHECK_EQ(f->papers[0].variant, 1);
    CHECK_EQ(f->papers[0].workload, 2);
    CHECK_EQ(f->papers[0].part, -1);
    CHECK_STR(f->papers[0].source, "Fig. 7");
    CHECK_STR(f->papers[0].note, "n");
    CHECK_EQ(f->papers[1].workload, -1);
    CHECK_NEAR(f->papers[1].value, -0.1, 0);
    CHECK_EQ(f->nclaims, 1);
    CHECK_STR(f->claims[0].text, "t");
    CHECK_NEAR(r.study->figures[1].reproduced, 0.3, 0);
    study_rig_close(&r);
}

static void a_stack_has_parts(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   HEAD "  a: hits\n  b: {expr: misses, unit: line}\n"
                        "figures:\n"
                        "  f:\n"
                        "    parts: [b, a]\n"
                        "    variants: [icc]\n"
                        "    paper: [{value: 3, part: a, workload: HS, source: s}]\n"
                        "    claims: [{text: t, expr: \"value(f, icc, HS, b) > 1\", source: s}]\n",
                   NULL);
    CHECK(r.study != NULL);
    const struct study_figure *f = &r.study->figures[0];
    CHECK_EQ(f->nparts, 2);
    CHECK_STR(f->parts[0]->name, "b");
    CHECK_STR(f->unit, "line");
    CHECK(f->expr == NULL);
    CHECK_EQ(f->chart, CHART_STACK);
    CHECK_EQ(f->papers[0].part, 1);
    CHECK_EQ(f->papers[0].variant, 1);
    study_rig_close(&r);
}

static void a_small_form_of_another_study_makes_it_a_quick_run(void)
{
    struct study_rig r;
    study_rig_open(&r, FIGURES "  f: {expr: ipc, full: icc, table: none}\n  g: {expr: ipc}\n",
                   NULL);
    CHECK_STR(r.err.text, "");
    const struct study_figure *f = &r.study->figures[0], *g = &r.study->figures[1];
    CHECK_STR(f->full, "icc");
    CHECK(study_is_small_form(f) && !study_is_small_form(g));
    CHECK(f->hides_table && !g->hides_table);
    CHECK(r.study->is_quick);
    CHECK_STR(verdict_word(r.study, VERDICT_REPRODUCED), "agrees");
    study_rig_close(&r);
    study_rig_open(&r, FIGURES "  f: {expr: ipc, full: icc}\n  g: {expr: ipc}\n",
                   &(struct study_options){.only = "g"});
    CHECK(!r.study->is_quick);
    study_rig_close(&r);
}

static bool refuses(const char *figure, const char *begin, const char *has)
{
    char text[1024];
    snprintf(text, sizeof text, FIGURES "  f: {%s}\n", figure);
    return study_rig_refuses(text, begin, has);
}

static void figures_that_make_no_sense_are_refused(void)
{
    CHECK(refuses("", ":11: f: ", "one of metric, expr and parts"));
    CHECK(refuses("expr: a, metric: speedup", ":11: f: ", "one of metric"));
    CHECK(refuses("expr: ipc, full: a b", ":11: full: ", "a name has letters"));
    CHECK(refuses("expr: ipc, full: [a]", ":11: full: ", "one value"));
    CHECK(refuses("expr: ipc, table: nine", ":11: table: ", "did you mean none?"));
    CHECK(refuses("metric: spedup", ":11: metric: ", "did you mean speedup?"));
    CHECK(refuses("metric: speedup", ":11: f: ", "expected a baseline"));
    CHECK(refuses("metric: speedup, baseline: rx", ":11: baseline: ", "did you mean rr?"));
    CHECK(
        refuses("expr: ipc, variants: [rr, icd]", ":11: ", "no variant \"icd\"; did you mean icc"));
    CHECK(refuses("expr: ipc, variants: [rr, rr]", ":11: ", "twice"));
    CHECK(refuses("expr: ipc, workloads: [HX]", ":11: ", "did you mean HS?"));
    CHECK(refuses("expr: ipc, mean: harmonic", ":11: mean: ", "none, geometric, arithmetic"));
    CHECK(refuses("expr: ipc, chart: bar", ":11: chart: ", "did you mean bars?"));
    CHECK(refuses("expr: ipc, chart: stack", ":11: chart: ", "needs parts"));
    CHECK(refuses("expr: ipc, format: percents", ":11: format: ", "did you mean percent?"));
    CHECK(refuses("expr: ipc, colour: red", ":11: colour: ", "unknown key"));
    CHECK(refuses("expr: ipc *", ":11: expr: ", "column 6: expected"));
    CHECK(refuses("parts: []", ":11: parts: ", "names of metrics"));
    CHECK(refuses("expr: ipc, tolerance: {reproduced: -1}", ":11: tolerance: ", "at least 0"));
    CHECK(refuses("expr: ipc, tolerance: {reproduced: 5%}", ":11: reproduced: ", "a number"));
}

static bool refuses_paper(const char *paper, const char *has)
{
    char text[512];
    snprintf(text, sizeof text,
             "expr: ipc, variants: [rr, icc], workloads: [HS], mean: none, paper: [{%s}]", paper);
    return refuses(text, ":11: ", has);
}

static void values_of_the_paper_must_be_of_the_figure(void)
{
    CHECK(refuses_paper("workload: HS, value: 1, source: s", "\"variant\""));
    CHECK(refuses_paper("variant: big, workload: HS, value: 1, source: s", "no variant big"));
    CHECK(refuses_paper("variant: rr, workload: BT, value: 1, source: s", "no workload BT"));
    CHECK(refuses_paper("variant: rr, workload: mean, value: 1, source: s", "no mean"));
    CHECK(refuses_paper("variant: rr, value: 1, source: s", "no mean"));
    CHECK(refuses_paper("variant: rr, workload: HS, source: s", "\"value\""));
    CHECK(refuses_paper("variant: rr, workload: HS, value: 1", "\"source\""));
    CHECK(refuses_paper("variant: rr, workload: HS, value: +6%, source: s", "expected a number"));
    CHECK(refuses_paper("variant: rr, workload: HS, value: 1, source: s, part: x", "no part x"));
}

static bool refuses_claim(const char *expr, const char *has)
{
    char text[512];
    snprintf(text, sizeof text,
             "expr: ipc, variants: [rr], workloads: [HS], mean: none,\n"
             "      claims: [{text: t, expr: \"%s\", source: s}]",
             expr);
    return refuses(text, ":12: expr: ", has);
}

static void claims_speak_of_values_that_there_are(void)
{
    CHECK(refuses_claim("value(g, rr, HS) > 1", "no figure \"g\""));
    CHECK(refuses_claim("1 < value(f, icc, HS)", "column 5: figure f has no variant icc"));
    CHECK(refuses_claim("value(f, rr, BT) > 1", "has no workload BT"));
    CHECK(refuses_claim("value(f, rr, mean) > 1", "has no mean"));
    CHECK(refuses_claim("value(f, rr, HS, x) > 1", "has no part x"));
    CHECK(refuses_claim("value(f, rr, HS) > ipc", "column 20: a claim speaks of figures"));
    CHECK(refuses_claim("2 > 1", "at least one value"));
    CHECK(refuses("expr: ipc, claims: [{text: t, source: s}]", ":11: ", "\"expr\""));
}

CHECK_MAIN("study_figures", TEST(a_figure_has_defaults_that_fit_what_it_plots),
           TEST(a_verdict_names_the_model_that_its_figure_comes_from),
           TEST(everything_that_a_figure_can_say_is_taken), TEST(a_stack_has_parts),
           TEST(a_small_form_of_another_study_makes_it_a_quick_run),
           TEST(figures_that_make_no_sense_are_refused),
           TEST(values_of_the_paper_must_be_of_the_figure),
           TEST(claims_speak_of_values_that_there_are))
