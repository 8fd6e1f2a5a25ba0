#include "check.h"

#include "report/study_page.h"
#include "report/study_page_chart.h"
#include "report/vega_spec.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"

/* --- a study of odd shapes: one row, thirty columns, long names, no data, nothing of a paper --- */

enum { MANY = 30, ROWS = 12, FIGURES = 8, SWEPT = 6 };

static struct study_variant variants[MANY];
static char names[MANY][16], docs[MANY][96];
static const struct study_workload workloads[ROWS] = {
    {.name = "sms20", .size = ""}, {.name = "sms80", .size = ""}, {.name = "sms120", .size = ""},
    {.name = "A", .size = ""},     {.name = "B", .size = ""},     {.name = "C", .size = ""},
    {.name = "D", .size = ""},     {.name = "E", .size = ""},     {.name = "F", .size = ""},
    {.name = "G", .size = ""},     {.name = "H", .size = ""},     {.name = "I", .size = ""}};
static const struct study_metric metrics[] = {
    {.name = "first", .label = "first", .doc = "the first half of it"},
    {.name = "second", .label = "second", .doc = ""}};
static const struct study_metric *const parts[] = {&metrics[0], &metrics[1]};
static const struct study_claim claims[] = {{.text = "more is more", .source = ""},
                                            {.text = "less is more", .source = ""}};
static const struct study_coordinate coordinates[SWEPT][3] = {
    {{"sched", "rr"}, {"l1.size", "16K"}, {"l1.ways", "4"}},
    {{"sched", "rr"}, {"l1.size", "32K"}, {"l1.ways", "4"}},
    {{"sched", "rr"}, {"l1.size", "64K"}, {"l1.ways", "4"}},
    {{"sched", "gto"}, {"l1.size", "16K"}, {"l1.ways", "4"}},
    {{"sched", "gto"}, {"l1.size", "64K"}, {"l1.ways", "4"}},
    {{"sched", "gto"}, {"l1.size", "128K"}, {"l1.ways", "4"}}};
static uint32_t columns[MANY], rows[ROWS], swept[SWEPT];
static struct study_figure figures[FIGURES];
static double values[FIGURES][(ROWS + 1) * MANY * 2];
static uint32_t counted[FIGURES][MANY];
static struct verdict_figure judged[FIGURES];
static struct verdict_row said[2];
static struct study study = {.name = "odd",
                             .path = "odd.yaml",
                             .title = "Odd shapes",
                             .doc = "",
                             .reasons = "",
                             .part = "",
                             .nvariants = MANY,
                             .variants = variants,
                             .nworkloads = ROWS,
                             .workloads = workloads,
                             .nfigures = FIGURES,
                             .figures = figures};
static const struct study_result result = {.study = &study,
                                           .figures = judged,
                                           .rows = said,
                                           .nrows = 2,
                                           .version = "0.1.0",
                                           .command = "heddle study odd.yaml",
                                           .origin = {.made = "2026-11-17 13:45 UTC"}};

enum { ONE_ROW, CROWDED, NUMBERED, NO_DATA, STACK, FULL, SWEEP, SWEEP_LINES };

static void shape(int i, const char *name, uint32_t ncolumns, uint32_t nrows,
                  enum study_chart chart)
{
    figures[i] = (struct study_figure){.name = name,
                                       .title = name,
                                       .doc = "",
                                       .unit = "",
                                       .baseline = -1,
                                       .nvariants = ncolumns,
                                       .variants = columns,
                                       .nworkloads = nrows,
                                       .workloads = rows,
                                       .chart = chart,
                                       .mean = MEAN_ARITHMETIC};
}

static void set_up(void)
{
    static const char *const kinds[] = {"mesh", "crossbar", "Clos", "ring"};
    for (uint32_t i = 0; i < MANY; i++) {
        columns[i] = i;
        snprintf(names[i], sizeof names[i], "v%u", i + 1);
        snprintf(docs[i], sizeof docs[i], "scheduler of the %uth kind with a long name", i + 1);
        variants[i] = (struct study_variant){
            .name = names[i], .doc = i < 4 ? kinds[i] : docs[i], .machine = "m"};
    }
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = i;
    for (uint32_t i = 0; i < SWEPT; i++) {
        swept[i] = MANY - SWEPT + i;
        variants[swept[i]].ncoordinates = 3;
        variants[swept[i]].coordinates = coordinates[i];
    }
    shape(ONE_ROW, "one_row", 3, 1, CHART_BARS);
    shape(CROWDED, "crowded", MANY, 2, CHART_BARS);
    shape(NUMBERED, "numbered", 4, 3, CHART_LINES);
    shape(NO_DATA, "no_data", 3, 2, CHART_BARS);
    shape(STACK, "stack", MANY, 1, CHART_STACK);
    shape(FULL, "full", MANY, ROWS, CHART_BARS);
    shape(SWEEP, "sweep", SWEPT, 1, CHART_BARS);
    shape(SWEEP_LINES, "sweep_lines", SWEPT, 2, CHART_LINES);
    figures[SWEEP].variants = figures[SWEEP_LINES].variants = swept;
    figures[SWEEP_LINES].workloads = rows + 3; /* not numbered */
    figures[STACK].parts = parts;
    figures[STACK].nparts = 2;
    figures[ONE_ROW].claims = claims;
    figures[ONE_ROW].nclaims = 2;
    for (uint32_t f = 0; f < FIGURES; f++) {
        for (uint32_t i = 0; i < (ROWS + 1) * MANY * 2; i++)
            values[f][i] = f == NO_DATA ? (double)NAN : 100 + 37 * (i % 11);
        for (uint32_t i = 0; i < MANY; i++)
            counted[f][i] = f == NO_DATA ? 0 : figures[f].nworkloads;
        judged[f] = (struct verdict_figure){.figure = &figures[f],
                                            .value = values[f],
                                            .rows = figures[f].nworkloads + 1,
                                            .counted = counted[f]};
    }
    values[NUMBERED][5] = NAN; /* a line with a gap */
    for (int i = 0; i < 2; i++)
        said[i] = (struct verdict_row){.figure = &figures[ONE_ROW],
                                       .claim = &claims[i],
                                       .what = claims[i].text,
                                       .measured = i,
                                       .verdict = i ? VERDICT_HOLDS : VERDICT_FAILS};
}

static struct study_page_chart chart(struct arena *a, uint32_t figure)
{
    struct study_page_chart c;
    study_page_chart_of(a, &result, figure, &c);
    return c;
}

/* --- which way round ------------------------------------------------------------------------- */

static void one_workload_stands_for_itself_and_its_mean(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, ONE_ROW);
    CHECK_EQ(c.rows, 1);
    CHECK_EQ(c.mean, -1);
    CHECK(c.x_is_variant);
    CHECK_EQ(c.nslots, 3);
    uint32_t row, column;
    const struct study_paper of_mean = {.variant = 2, .workload = -1, .part = -1};
    CHECK(study_page_chart_place(&c, &of_mean, &row, &column));
    CHECK_EQ(row, 0);
    CHECK_EQ(column, 2);
    arena_free(a);
}

static void variants_that_outnumber_the_colours_stand_along_the_axis(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, CROWDED);
    CHECK(c.x_is_variant);
    CHECK_EQ(c.nslots, MANY);
    CHECK_EQ(c.nseries, 3); /* two workloads and their mean */
    CHECK_EQ(c.mean_series, 2);
    c = chart(a, FULL); /* too many of both: groups by workload */
    CHECK(!c.x_is_variant);
    CHECK_EQ(c.nslots, ROWS + 1);
    arena_free(a);
}

static void lines_run_along_what_is_numbered(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, NUMBERED);
    CHECK(!c.x_is_variant);
    CHECK_EQ(c.nslots, 3); /* and not on to the mean */
    CHECK_EQ(c.nseries, 4);
    CHECK(!study_page_chart_is_drawn(&c, 3));
    char *spec;
    struct text t;
    text_open(&t);
    vega_spec_write(&c, t.out);
    text_close(&t);
    spec = t.s;
    CHECK_EQ(picture_rig_count(spec, "\"p\": "), 3 * 4);
    CHECK_EQ(picture_rig_count(spec, "\"y\": null"), 1); /* where the line is broken */
    CHECK(strstr(spec, "\"mean\"") == NULL);
    free(spec);
    arena_free(a);
}

static void thirty_colours_are_all_different(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, FULL);
    for (uint32_t i = 0; i < MANY; i++)
        for (uint32_t k = 0; k < i; k++)
            CHECK(study_page_chart_colour(&c, i) != study_page_chart_colour(&c, k));
    arena_free(a);
}

static void bars_do_not_grow_without_bound(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, ONE_ROW);
    CHECK(c.fill < 0.5);
    c = chart(a, CROWDED);
    CHECK_NEAR(c.fill, 0.82, 1e-9);
    arena_free(a);
}

static void names_have_their_places(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, STACK);
    CHECK_EQ(c.nslots, MANY);
    CHECK_STR(c.part[0], "the first half of it");
    CHECK_STR(c.part[1], "second");
    CHECK(c.slanted && !c.bars_named);
    CHECK(c.left > 66); /* the first label needs room on its left */
    arena_free(a);
}

/* --- sweeps ---------------------------------------------------------------------------------- */

static void a_sweep_of_one_workload_stands_by_its_axes(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, SWEEP);
    static const char *const sizes[] = {"16K", "32K", "64K", "128K"};
    CHECK_STR(c.sweep->axis, "l1.size"); /* of numbers, though it is not the first */
    CHECK_EQ(c.nslots, 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_STR(c.slot[i], sizes[i]);
    CHECK_EQ(c.nseries, 2);
    CHECK_STR(c.series[0], "rr"); /* ways are the same everywhere */
    CHECK_STR(c.series[1], "gto");
    uint32_t row, column;
    CHECK(study_page_chart_cell(&c, 3, 1, &row, &column));
    CHECK_EQ(row, 0);
    CHECK_EQ(column, 5);
    CHECK_EQ(study_page_chart_slot(&c, 0, 5), 3);
    CHECK_EQ(study_page_chart_bar(&c, 0, 5), 1);
    CHECK(!study_page_chart_cell(&c, 1, 1, &row, &column)); /* gto has no 32K */
    arena_free(a);
}

static void lines_of_a_sweep_are_of_workloads_and_combinations(void)
{
    struct arena *a = arena_new();
    set_up();
    struct study_page_chart c = chart(a, SWEEP_LINES);
    CHECK_EQ(c.nslots, 4);
    CHECK_EQ(c.nseries, 3 * 2); /* two workloads and their mean */
    CHECK_STR(c.series[0], "A, rr");
    CHECK_STR(c.series[3], "B, gto");
    CHECK_STR(c.series[5], "mean, gto");
    uint32_t row, column;
    CHECK(study_page_chart_cell(&c, 2, 3, &row, &column));
    CHECK_EQ(row, 1);
    CHECK_EQ(column, 4);
    figures[SWEEP_LINES].workloads = rows; /* sms20, sms80: a curve along these */
    c = chart(a, SWEEP_LINES);
    CHECK(!c.sweep && !c.x_is_variant);
    arena_free(a);
}

static void columns_that_are_not_all_of_a_sweep_stand_as_they_are(void)
{
    struct arena *a = arena_new();
    set_up();
    swept[2] = 0; /* written by hand */
    CHECK(chart(a, SWEEP).sweep == NULL);
    set_up();
    figures[SWEEP].nvariants = 3; /* one axis alone differs */
    CHECK(chart(a, SWEEP).sweep == NULL);
    set_up();
    swept[2] = swept[1]; /* two in one place */
    CHECK(chart(a, SWEEP).sweep == NULL);
    arena_free(a);
}

/* --- the page of it -------------------------------------------------------------------------- */

static void odd_shapes_make_a_page(void)
{
    struct text t;
    struct err e = {0};
    set_up();
    text_open(&t);
    CHECK(study_page_write(&result, t.out, &e));
    text_close(&t);
    CHECK_EQ(picture_rig_count(t.s, "<div class=\"static\""), FIGURES - 1);
    CHECK(strstr(t.s, "No run has data for this figure.") != NULL);
    CHECK(strstr(t.s, "All are of <i>sms20</i>. Along the axis is <i>l1.size</i>.") != NULL);
    CHECK(strstr(t.s, "Diamonds") == NULL);
    CHECK(strstr(t.s, "reproduced") == NULL);
    /* Where a browser is to look at it: tests/system/test_report.sh. */
    const char *folder = getenv("HEDDLE_TEST_PAGES");
    char path[4096];
    snprintf(path, sizeof path, "%s/odd.html", folder ? folder : "");
    FILE *f = folder ? fopen(path, "w") : NULL;
    if (f) {
        fputs(t.s, f);
        fclose(f);
    }
    free(t.s);
}

CHECK_MAIN("study_page_chart", TEST(one_workload_stands_for_itself_and_its_mean),
           TEST(variants_that_outnumber_the_colours_stand_along_the_axis),
           TEST(lines_run_along_what_is_numbered), TEST(thirty_colours_are_all_different),
           TEST(bars_do_not_grow_without_bound), TEST(names_have_their_places),
           TEST(a_sweep_of_one_workload_stands_by_its_axes),
           TEST(lines_of_a_sweep_are_of_workloads_and_combinations),
           TEST(columns_that_are_not_all_of_a_sweep_stand_as_they_are),
           TEST(odd_shapes_make_a_page))
