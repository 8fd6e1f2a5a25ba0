/* Means beside a figure's own: what is read, what is refused, what a part of the study leaves. */
#include "check.h"

#include "rig/study_rig.h"

#define FIGURES "groups: {two: [BP, HS]}\n" STUDY_RIG_HEAD "figures:\n" /* eleven lines */

static void a_mean_has_a_name_a_kind_and_rows(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   FIGURES "  f:\n"
                           "    metric: speedup\n"
                           "    baseline: rr\n"
                           "    rows: none\n"
                           "    beside:\n"
                           "      - arithmetic\n"
                           "      - {name: b, doc: d, of: [two]}\n"
                           "      - {name: c, mean: arithmetic, where: \"value(g, rr, row) > 1\"}\n"
                           "    paper: [{variant: icc, workload: b, value: 2, source: s}]\n"
                           "  g: {expr: ipc, mean: none, beside: [{name: d, of: [BT]}]}\n",
                   NULL);
    CHECK_STR(r.err.text, "");
    const struct study_figure *f = &r.study->figures[0];
    const struct study_beside *b = f->besides;
    CHECK_EQ(f->nbesides, 3);
    CHECK(f->hides_rows && !r.study->figures[1].hides_rows);
    CHECK_STR(b[0].name, "arithmetic");
    CHECK_EQ(b[0].mean, MEAN_ARITHMETIC);
    CHECK_EQ(b[0].n, 3);
    CHECK_STR(b[1].doc, "d");
    CHECK_EQ(b[1].mean, MEAN_GEOMETRIC); /* as the figure's */
    CHECK_EQ(b[1].n, 2);
    CHECK_EQ(b[1].rows[0], 2);
    CHECK_EQ(b[2].mean, MEAN_ARITHMETIC);
    CHECK(b[2].where != NULL && b[1].where == NULL);
    CHECK_EQ(r.study->figures[1].besides[0].mean, MEAN_ARITHMETIC); /* as its default would be */
    CHECK_EQ(f->papers[0].workload, -1);
    CHECK_STR(f->papers[0].beside, "b");
    CHECK(study_beside_find(f, "c") == &b[2] && study_beside_find(f, "d") == NULL);
    study_rig_close(&r);
}

static bool refuses(const char *figure, const char *begin, const char *has)
{
    char text[2048];
    snprintf(text, sizeof text,
             FIGURES "  f: {expr: ipc, workloads: [HS, BT], %s}\n"
                     "  g: {expr: ipc, variants: [rr], mean: none, beside: [{name: gm}]}\n",
             figure);
    return study_rig_refuses(text, begin, has);
}

static bool refuses_beside(const char *beside, const char *begin, const char *has)
{
    char text[1024];
    snprintf(text, sizeof text, "beside: [{name: ok, of: [HS]}, %s]", beside);
    return refuses(text, begin, has);
}

static void means_that_make_no_sense_are_refused(void)
{
    CHECK(refuses("beside: arithmetic", ":12: beside: ", "a list"));
    CHECK(refuses("rows: some", ":12: rows: ", "did you mean none?"));
    CHECK(refuses("rows: none, mean: none", ":12: rows: ", "no mean that would be left"));
    CHECK(refuses_beside("aritmetic", ":12: ", "did you mean arithmetic?"));
    CHECK(refuses_beside("none", ":12: ", "geometric, arithmetic"));
    CHECK(refuses_beside("[a]", ":12: ", "one value"));
    CHECK(refuses_beside("{of: [HS]}", ":12: ", "\"name\""));
    CHECK(refuses_beside("{name: m, over: [HS]}", ":12: over: ", "unknown key"));
    CHECK(refuses_beside("{name: m, mean: none}", ":12: mean: ", "geometric or arithmetic"));
    CHECK(refuses_beside("{name: m, of: [HX]}", ":12: ", "did you mean HS?"));
    CHECK(refuses_beside("{name: m, of: [two]}", ":12: of: ", "this figure has no workload BP"));
    CHECK(refuses_beside("{name: HS}", ":12: ", "there is a row HS"));
    CHECK(refuses_beside("{name: mean}", ":12: ", "taken"));
    CHECK(refuses_beside("{name: row}", ":12: ", "taken"));
    CHECK(refuses_beside("{name: a b}", ":12: ", "a name has letters"));
    CHECK(refuses_beside("{name: ok}", ":12: ", "mean \"ok\" is there twice"));
    CHECK(refuses_beside("{name: m}], paper: [{variant: rr, workload: n, value: 1, source: s}",
                         ":12: workload: ", "no workload of this study \"n\""));
    CHECK(
        refuses_beside("{name: mine}], paper: [{variant: rr, workload: mien, value: 1, source: s}",
                       ":12: workload: ", "did you mean mine?"));
    CHECK(refuses_beside("{name: m}], claims: [{text: t, expr: \"value(g, rr, ok) > 1\"}",
                         ":12: expr: ", "no workload of this study \"ok\""));
}

static bool refuses_where(const char *where, const char *has)
{
    char text[512];
    snprintf(text, sizeof text, "{name: m, where: \"%s\"}", where);
    return refuses_beside(text, ":12: where: ", has);
}

static void where_asks_for_values_that_there_are(void)
{
    CHECK(refuses_where("value(g, rr, row) >", "column 20: expected"));
    CHECK(refuses_where("ipc > 1", "column 1: expected value(FIGURE, VARIANT, row), got ipc"));
    CHECK(refuses_where("1 > 0", "at least one value(FIGURE, VARIANT, row)"));
    CHECK(refuses_where("value(h, rr, row) > 1", "no figure \"h\""));
    CHECK(refuses_where("value(g, rx, row) > 1", "did you mean rr?"));
    CHECK(refuses_where("value(g, icc, row) > 1", "figure g has no variant icc"));
    CHECK(refuses_where("value(g, rr, mean) > 1", "figure g has no mean"));
    CHECK(refuses_where("value(g, rr, HX) > 1", "did you mean HS?"));
    CHECK(refuses_where("value(f, rr, BP) > 1", "figure f has no workload BP"));
    CHECK(refuses_where("value(g, rr, row, p) > 1", "figure g has no part p"));
    CHECK(refuses("claims: [{text: t, expr: \"value(g, rr, row) > 1\"}]",
                  ":12: expr: ", "no workload of this study \"row\"")); /* in where only */
}

static void a_mean_that_depends_on_itself_is_refused(void)
{
    static const char *const bad =
        FIGURES "  f: {expr: ipc, beside: [{name: a, where: \"value(g, rr, b) > 1\"}]}\n"
                "  g: {expr: ipc, beside: [{name: b, where: \"value(f, rr, a) > 1\"}]}\n";
    struct study_rig r;
    CHECK(refuses_where("value(f, rr, m) > 1", "the rows of mean m depend on that mean itself"));
    CHECK(study_rig_refuses(bad, ":12: where: ", "the rows of mean a depend on that mean itself"));
    study_rig_open(&r,
                   FIGURES
                   "  f: {expr: ipc, beside: [{name: a, where: \"value(g, rr, b) > 1 &&"
                   " value(f, rr, row) > value(f, rr, mean)\"}]}\n"
                   "  g: {expr: ipc, beside: [{name: b, where: \"value(f, rr, row) > 1\"}]}\n",
                   NULL);
    CHECK_STR(r.err.text, ""); /* its own rows and mean are there before */
    study_rig_close(&r);
}

static const char part[] = FIGURES "  f:\n"
                                   "    expr: ipc\n"
                                   "    beside:\n"
                                   "      - {name: a, where: \"value(g, icc, row) > 1\"}\n"
                                   "      - {name: b, where: \"value(f, rr, a) > 1\"}\n"
                                   "      - {name: c, of: [HS, BT]}\n"
                                   "    mean: none\n"
                                   "    rows: none\n"
                                   "    paper:\n"
                                   "      - {variant: rr, workload: a, value: 1, source: s}\n"
                                   "      - {variant: rr, workload: c, value: 1, source: s}\n"
                                   "    claims:\n"
                                   "      - {text: of b, expr: \"value(f, rr, b) > 1\"}\n"
                                   "      - {text: of c, expr: \"value(f, rr, c) > 1\"}\n"
                                   "  g: {expr: ipc}\n";

static void is_left(const char *only, const char *besides, uint32_t papers, const char *claim)
{
    struct study_rig r;
    char text[64] = "";
    study_rig_open(&r, part, &(struct study_options){false, only});
    CHECK_STR(r.err.text, "");
    const struct study_figure *f = &r.study->figures[0];
    for (uint32_t i = 0; i < f->nbesides; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u ", f->besides[i].name,
                 f->besides[i].n);
    CHECK_STR(text, besides);
    CHECK_EQ(f->npapers, papers);
    CHECK_STR(f->nclaims ? f->claims[0].text : "", claim);
    CHECK(f->hides_rows == (f->nbesides > 0)); /* something is shown */
    study_rig_close(&r);
}

static void means_that_ask_for_what_was_left_out_are_left_out(void)
{
    is_left(NULL, "a3 b3 c2 ", 2, "of b");
    is_left("f", "c2 ", 1, "of c");
    is_left("rr", "c2 ", 1, "of c");
    is_left("HS,BP", "a2 b2 c1 ", 2, "of b");
    is_left("BP", "a1 b1 ", 1, "of b");
    is_left("f,BP", "", 0, "");
}

CHECK_MAIN("study_beside", TEST(a_mean_has_a_name_a_kind_and_rows),
           TEST(means_that_make_no_sense_are_refused), TEST(where_asks_for_values_that_there_are),
           TEST(a_mean_that_depends_on_itself_is_refused),
           TEST(means_that_ask_for_what_was_left_out_are_left_out))
