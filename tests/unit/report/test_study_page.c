#include "check.h"

#include <ctype.h>

#include "report/study_page.h"
#include "report/study_page_chart.h"
#include "report/vega_spec.h"
#include "rig/capture.h"
#include "rig/picture_rig.h"
#include "study/pool.h"

/* --- a study of four figures, with names that try to be markup ------------------------------- */

enum { RR, GREEDY, DIST, FAST, VARIANTS, WORKLOADS = 12 };

static const char *const sets_greedy[] = {"gpu.cta_scheduler=greedy"};
static const char *const sets_dist[] = {"gpu.cta_scheduler=distributed", "icc.enabled=true"};

static const struct study_variant variants[VARIANTS] = {
    {.name = "round_robin", .doc = "the baseline", .machine = "icc60"},
    {.name = "greedy", .machine = "icc60", .nsets = 1, .sets = (const char **)sets_greedy},
    {.name = "distributed",
     .doc = "with ICC",
     .machine = "icc60",
     .nsets = 2,
     .sets = (const char **)sets_dist},
    {.name = "a<b>&\"c\"</script>", .machine = "other60"},
};
static const struct study_workload workloads[WORKLOADS] = {
    {.name = "HS", .size = "small"},   {.name = "BT", .size = "small"},
    {.name = "BP", .size = "small"},   {.name = "SRAD", .size = "small"},
    {.name = "SRAD", .size = "large"}, {.name = "LUD", .size = "small"},
    {.name = "NN", .size = "small"},   {.name = "DCT", .size = "small"},
    {.name = "<w>", .size = "small"},  {.name = "BFS", .size = "small"},
    {.name = "CP", .size = "small"},   {.name = "MM", .size = "small"},
};
static const struct study_paper papers[] = {
    {.variant = DIST, .workload = -1, .part = -1, .value = 1.06, .source = "Fig. 7"},
    {.variant = DIST,
     .workload = 3,
     .part = -1,
     .value = 0.89,
     .source = "section 4.2",
     .note = "read off"},
    {.variant = GREEDY, .workload = -1, .part = -1, .value = 1.02, .source = "Fig. 7"},
    {.variant = FAST, .workload = 1, .part = -1, .value = 1.25, .source = "Fig. 7 <b>"},
};
static const struct study_paper stack_papers[] = {
    {.variant = RR, .workload = 0, .part = -1, .value = 0.35, .source = "Fig. 8"},
    {.variant = RR, .workload = 0, .part = 1, .value = 0.112, .source = "Fig. 8"},
};
static const struct study_claim claims[] = {
    {.text = "distributed has the highest locality", .source = "Fig. 8"},
};
static const struct study_metric metrics[] = {{.name = "line", .label = "line sharing"},
                                              {.name = "data", .label = "data sharing"},
                                              {.name = "none", .label = "none"}};
static const struct study_metric *const parts[] = {&metrics[0], &metrics[1], &metrics[2]};
static const uint32_t all_variants[] = {RR, GREEDY, DIST, FAST};
static const uint32_t all_workloads[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static const struct study_figure figures[] = {
    {.name = "fig7",
     .title = "Performance of CTA schedulers",
     .doc = "IPC over round-robin.",
     .unit = "change of IPC",
     .baseline = RR,
     .nvariants = 3,
     .variants = all_variants + 1,
     .nworkloads = WORKLOADS,
     .workloads = all_workloads,
     .npapers = 4,
     .papers = papers,
     .mean = MEAN_GEOMETRIC,
     .chart = CHART_BARS,
     .format = FORMAT_PERCENT_CHANGE,
     .reproduced = 0.3,
     .absolute = 0.02,
     .neutral = 1},
    {.name = "fig8",
     .title = "Intra-cluster locality <i>",
     .unit = "of requests",
     .baseline = -1,
     .nvariants = 3,
     .variants = all_variants,
     .nworkloads = 6,
     .workloads = all_workloads,
     .nparts = 3,
     .parts = parts,
     .npapers = 2,
     .papers = stack_papers,
     .nclaims = 1,
     .claims = claims,
     .mean = MEAN_ARITHMETIC,
     .chart = CHART_STACK,
     .format = FORMAT_PERCENT},
    {.name = "fig 2",
     .title = "IPC over the clock of the network",
     .unit = "IPC",
     .baseline = -1,
     .nvariants = 4,
     .variants = all_variants,
     .nworkloads = 5,
     .workloads = all_workloads,
     .npapers = 1,
     .papers = papers,
     .mean = MEAN_ARITHMETIC,
     .chart = CHART_LINES,
     .neutral = 1},
    {.name = "table4",
     .title = "Misses per thousand instructions",
     .baseline = -1,
     .nvariants = 2,
     .variants = all_variants,
     .nworkloads = 2,
     .workloads = all_workloads,
     .chart = CHART_NONE},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

static struct study study = {.name = "icc",
                             .path = "/home/me/studies/icc.yaml",
                             .reasons = "../docs/icc-study.md",
                             .part = "",
                             .title = "Coalescing & scheduling within a cluster",
                             .doc = "Which CTA scheduler lets neighbours share lines.",
                             .seed = 1,
                             .nvariants = VARIANTS,
                             .variants = variants,
                             .nworkloads = WORKLOADS,
                             .workloads = workloads,
                             .nfigures = FIGURES,
                             .figures = figures};

static double values[FIGURES][13 * 4 * 3];
static uint32_t counted[FIGURES][VARIANTS];
static struct verdict_figure judged[FIGURES];
static const struct pool_failure failures[] = {{"greedy/MM@small", "killed by signal 9 <oom>"}};
static struct verdict_row rows[5];

static void judge(void)
{
    for (uint32_t f = 0; f < FIGURES; f++) {
        const struct study_figure *figure = &figures[f];
        uint32_t n = figure->nparts ? figure->nparts : 1, all = figure->nvariants * n;
        uint32_t count = figure->nworkloads + (figure->mean != MEAN_NONE);
        judged[f] = (struct verdict_figure){
            .figure = figure, .value = values[f], .rows = count, .counted = counted[f]};
        for (uint32_t i = 0; i < figure->nvariants; i++)
            counted[f][i] = figure->nworkloads;
        for (uint32_t i = 0; i < count * all; i++)
            values[f][i] = figure->chart == CHART_STACK ? 0.04 + 0.03 * (i * 7 % 5)
                                                        : 0.9 + 0.031 * (i * 7 % 13);
    }
    values[0][11 * 3] = NAN; /* the run that failed */
    counted[0][0]--;
    for (uint32_t i = 0; i < 4; i++)
        rows[i] = (struct verdict_row){.figure = &figures[0],
                                       .paper = &papers[i],
                                       .what = "distributed, SRAD",
                                       .paper_value = papers[i].value,
                                       .measured = i == 3 ? (double)NAN : 1.04,
                                       .verdict = (enum verdict)i};
    rows[4] = (struct verdict_row){.figure = &figures[1],
                                   .claim = &claims[0],
                                   .what = claims[0].text,
                                   .measured = 1,
                                   .verdict = VERDICT_REPRODUCED};
}

static const struct study_result *result(void)
{
    static const struct study_result r = {.study = &study,
                                          .figures = judged,
                                          .rows = rows,
                                          .nrows = 5,
                                          .count = {2, 1, 1, 1},
                                          .version = "0.1.0+g123",
                                          .origin = {.runs = 48,
                                                     .done = 47,
                                                     .wall_s = 3725,
                                                     .made = "2026-11-17 13:45 UTC",
                                                     .ran = "2026-11-17 13:00 UTC",
                                                     .host = "loom (a processor, 2 processors)",
                                                     .reasons = "../docs/icc-study.md"},
                                          .command = "heddle study icc --quick --out \"a b\"",
                                          .nfailures = 1,
                                          .failures = failures};
    judge();
    return &r;
}

/* --- reading what was written ---------------------------------------------------------------- */

static const char *value_end(const char *s); /* NULL: not JSON */

static const char *spaces(const char *s)
{
    return s + strspn(s, " \n\t");
}

static const char *string_end(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s && *s != '"'; s++) {
        if ((unsigned char)*s < 0x20 || (*s == '\\' && !strchr("\"\\/bfnrtu", s[1])))
            return NULL;
        s += *s == '\\';
    }
    return *s ? s + 1 : NULL;
}

static const char *list_end(const char *s, bool keyed)
{
    char close = keyed ? '}' : ']';
    s = spaces(s + 1);
    if (*s == close)
        return s + 1;
    for (;;) {
        if (keyed) {
            s = string_end(s);
            if (!s || *(s = spaces(s)) != ':')
                return NULL;
            s = spaces(s + 1);
        }
        s = value_end(s);
        if (!s)
            return NULL;
        s = spaces(s);
        if (*s != ',')
            return *s == close ? s + 1 : NULL;
        s = spaces(s + 1);
    }
}

static const char *value_end(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*s == '{' || *s == '[')
        return list_end(s, *s == '{');
    if (*s == '"')
        return string_end(s);
    for (int i = 0; i < 3; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    char *end;
    if (!isdigit((unsigned char)*s) && *s != '-')
        return NULL;
    strtod(s, &end);
    return end;
}

static bool is_json(const char *s)
{
    const char *end = value_end(spaces(s));
    return end && *spaces(end) == '\0';
}

static char *spec_of(uint32_t figure)
{
    struct arena *a = arena_new();
    struct study_page_chart c;
    struct text t;
    study_page_chart_of(a, result(), figure, &c);
    text_open(&t);
    vega_spec_write(&c, t.out);
    text_close(&t);
    arena_free(a);
    return t.s;
}

static char *svg_of(uint32_t figure)
{
    struct text t;
    text_open(&t);
    study_page_svg(result(), figure, t.out);
    text_close(&t);
    return t.s;
}

static char *page_of(const struct study_result *r)
{
    struct text t;
    struct err e = {0};
    text_open(&t);
    CHECK(study_page_write(r, t.out, &e));
    text_close(&t);
    return t.s;
}

static char *page(void)
{
    return page_of(result());
}

/* Part of the page between two texts, to be freed. */
static char *between(const char *text, const char *from, const char *to)
{
    const char *start = strstr(text, from);
    CHECK(start != NULL);
    start += strlen(from);
    const char *end = strstr(start, to);
    CHECK(end != NULL);
    return strndup(start, (size_t)(end - start));
}

/* --- specifications -------------------------------------------------------------------------- */

static void the_json_reader_of_this_test_refuses_what_is_not_json(void)
{
    CHECK(is_json(" {\"a\": [1, -2.5e3, \"x\\\"\", null], \"b\": {}}\n"));
    CHECK(!is_json("{\"a\": [1,]}"));
    CHECK(!is_json("{\"a\" 1}"));
    CHECK(!is_json("{} {}"));
    CHECK(!is_json("{\"a\": \"x\ny\"}"));
    CHECK(!is_json("[1"));
}

static void every_chart_is_valid_json_without_slots_left(void)
{
    for (uint32_t i = 0; i < 3; i++) {
        char *s = spec_of(i);
        CHECK(is_json(s));
        CHECK(strstr(s, "{{") == NULL);
        free(s);
    }
    char *none = spec_of(3);
    CHECK_STR(none, "");
    free(none);
}

static void every_value_has_a_mark_and_missing_ones_have_none(void)
{
    char *bars = spec_of(0);
    CHECK_EQ(picture_rig_count(bars, "\"p\": "), 13 * 3 - 1);
    CHECK_EQ(picture_rig_count(bars, "\"k\": "), 4);
    free(bars);
    char *stack = spec_of(1);
    CHECK_EQ(picture_rig_count(stack, "\"o\": "), 7 * 3 * 3);
    CHECK_EQ(picture_rig_count(stack, "\"k\": "), 1); /* of the whole, not of a part */
    free(stack);
    char *lines = spec_of(2);
    CHECK_EQ(picture_rig_count(lines, "\"p\": "), 6 * 4);
    CHECK_EQ(picture_rig_count(lines, "\"k\": "), 1);
    free(lines);
}

static void changes_are_drawn_from_zero(void)
{
    char *s = spec_of(0);
    CHECK(strstr(s, "\"v\": \"with ICC\", \"y\": 0.06, \"k\": \"paper\", \"m\": \"+6.0%\"") !=
          NULL);
    CHECK(strstr(s, "\"v\": \"with ICC\", \"y\": -0.11, \"k\": \"paper\"") != NULL);
    CHECK(strstr(s, "\"+~%\"") != NULL);
    free(s);
}

static void workloads_of_one_name_are_told_apart_by_size(void)
{
    char *s = spec_of(0);
    CHECK(strstr(s, "\"SRAD@small\"") != NULL);
    CHECK(strstr(s, "\"SRAD@large\"") != NULL);
    CHECK(strstr(s, "\"HS@") == NULL);
    free(s);
}

static void a_sum_lacks_data_when_a_part_does(void)
{
    struct arena *a = arena_new();
    struct study_page_chart c;
    study_page_chart_of(a, result(), 1, &c);
    CHECK_NEAR(study_page_chart_value(&c, 0, 0), 0.04 * 3 + 0.03 * (0 + 2 + 4), 1e-12);
    values[1][1] = NAN;
    CHECK(isnan(study_page_chart_value(&c, 0, 0)));
    CHECK_NEAR(study_page_chart_part(&c, 0, 0, 2), 0.04 + 0.03 * 4, 1e-12);
    arena_free(a);
}

/* --- numbers --------------------------------------------------------------------------------- */

static void check_text(enum study_format format, double v, const char *expected)
{
    char text[STUDY_PAGE_TEXT_N];
    struct study_figure f = {.format = format};
    CHECK_STR(study_page_chart_text(text, &f, v), expected);
}

static void numbers_are_written_as_people_read_them(void)
{
    check_text(FORMAT_NUMBER, 1.0629, "1.063");
    check_text(FORMAT_NUMBER, 0, "0.000");
    check_text(FORMAT_NUMBER, 0.12345, "0.123");
    check_text(FORMAT_NUMBER, 0.0098765, "0.00988"); /* three digits that say something */
    check_text(FORMAT_NUMBER, -0.0001, "\u22120.0001");
    check_text(FORMAT_NUMBER, 1.23456e-9, "1.23e-09");
    check_text(FORMAT_NUMBER, 12.345, "12.35");
    check_text(FORMAT_NUMBER, 123456.7, "123457");
    check_text(FORMAT_PERCENT, 0.194, "19.4%");
    check_text(FORMAT_PERCENT_CHANGE, 1.063, "+6.3%");
    check_text(FORMAT_PERCENT_CHANGE, 0.89, "\u221211.0%");
    check_text(FORMAT_NUMBER, 72, "72"); /* a count */
    check_text(FORMAT_NUMBER, 1, "1.000");
    check_text(FORMAT_NUMBER, NAN, "\u2013");
    check_text(FORMAT_PERCENT, INFINITY, "\u2013");
}

static void differences_are_points_of_per_cents_and_per_cent_of_numbers(void)
{
    char text[STUDY_PAGE_TEXT_N];
    struct study_figure change = {.format = FORMAT_PERCENT_CHANGE}, number = {0};
    CHECK_STR(study_page_chart_gap(text, &change, 1.04, 1.06), "\u22122.0 pp");
    CHECK_STR(study_page_chart_gap(text, &number, 110, 100), "+10.0%");
    CHECK_STR(study_page_chart_gap(text, &number, 1, 0), "\u2013");
    CHECK_STR(study_page_chart_gap(text, &number, NAN, 1), "\u2013");
}

static void what_is_in_per_cent_already_is_not_multiplied(void)
{
    char text[STUDY_PAGE_TEXT_N];
    struct study_figure f = {.unit = "%"};
    struct study_page_chart c = {.figure = &f, .axis = {0, 40, 5, 0}};
    CHECK_STR(study_page_chart_text(text, &f, 12.34), "12.3%");
    CHECK_STR(study_page_chart_text(text, &f, 50), "50.0%");
    CHECK_STR(study_page_chart_gap(text, &f, 14, 12), "+2.0 pp");
    CHECK_STR(study_page_chart_tick(text, &c, 5), "5%");
}

static void ticks_are_short(void)
{
    char text[STUDY_PAGE_TEXT_N];
    struct study_figure f = {0};
    struct study_page_chart c = {.figure = &f, .axis = {0, 2e6, 5e5, 0}};
    CHECK_STR(study_page_chart_tick(text, &c, 1.5e6), "1.5M");
    CHECK_STR(study_page_chart_tick(text, &c, 0), "0");
    c.axis = (struct study_page_axis){0, 0.4, 0.05, 2};
    CHECK_STR(study_page_chart_tick(text, &c, 0.05), "0.05");
    f.format = FORMAT_PERCENT_CHANGE;
    CHECK_STR(study_page_chart_tick(text, &c, 0.05), "+5%");
    CHECK_STR(study_page_chart_tick(text, &c, 0), "0%");
}

static void axes_hold_all_values_and_bars_start_at_zero(void)
{
    struct arena *a = arena_new();
    struct study_page_chart c;
    study_page_chart_of(a, result(), 0, &c);
    CHECK(c.axis.low <= -0.11 && c.axis.high >= 0.9 + 0.031 * 12 - 1);
    study_page_chart_of(a, result(), 1, &c);
    CHECK(c.axis.low <= 0 && c.axis.low > -1e-9);
    for (int i = 0; i < 13 * 4 * 3; i++)
        values[0][i] = NAN;
    judged[0].figure = &figures[3]; /* nothing of the paper, no data at all */
    judged[0].rows = 2;
    study_page_chart_of(a, &(struct study_result){.study = &study, .figures = judged}, 0, &c);
    CHECK(c.axis.high > c.axis.low);
    arena_free(a);
}

/* --- pictures and the page ------------------------------------------------------------------- */

static void static_pictures_are_complete(void)
{
    char *bars = svg_of(0);
    CHECK(picture_rig_is_well_formed(bars));
    CHECK_EQ(picture_rig_count(bars, "<path class=\"paper\""), 4 + 1);  /* and the legend */
    CHECK_EQ(picture_rig_count(bars, "<rect"), 1 + 1 + 13 * 3 - 1 + 3); /* page, mean, legend */
    CHECK(strstr(bars, "&lt;w&gt;") != NULL);
    free(bars);
    char *stack = svg_of(1);
    CHECK(picture_rig_is_well_formed(stack));
    CHECK_EQ(picture_rig_count(stack, "<rect"), 1 + 1 + 7 * 3 * 3 + 3);
    free(stack);
    char *lines = svg_of(2);
    CHECK(picture_rig_is_well_formed(lines));
    CHECK_EQ(picture_rig_count(lines, "<circle"), 6 * 4);
    free(lines);
}

static void names_cannot_become_markup(void)
{
    char *p = page();
    CHECK(strstr(p, "<w>") == NULL);
    CHECK(strstr(p, "c\"</script>") == NULL);
    CHECK(strstr(p, "Fig. 7 <b>") == NULL);
    CHECK(strstr(p, "<oom>") == NULL);
    CHECK(strstr(p, "a&lt;b&gt;&amp;&quot;c&quot;&lt;/script&gt;") != NULL);
    CHECK(strstr(p, "--out &quot;a b&quot;") != NULL);
    free(p);
}

/* For tests/system/test_report.sh. */
static void write_for_browser(const char *name, const char *text)
{
    const char *folder = getenv("HEDDLE_TEST_PAGES");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", name);
    FILE *f = folder ? fopen(path, "w") : NULL;
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* How often `what` stands in the page, which is freed. */
static int count_in(char *p, const char *what)
{
    int n = (int)picture_rig_count(p, what);
    free(p);
    return n;
}

static void a_verdict_has_a_row_with_a_word(void)
{
    char *p = page(), *section = between(p, "<section id=\"verdicts\">", "</section>");
    CHECK_EQ(picture_rig_count(section, "<tr data-verdict="), 5);
    CHECK_EQ(picture_rig_count(section, "<details class=\"group\""), 2);
    for (int v = 0; v <= VERDICT_NO_DATA; v++)
        CHECK(strstr(section, verdict_name[v]) != NULL);
    CHECK(strstr(section, "+6.0%") != NULL);
    CHECK(strstr(section, ">with ICC, mean of 12 <small>Fig. 7</small>") != NULL);
    CHECK(strstr(section, ">with ICC, SRAD@small <small>") != NULL);
    CHECK(strstr(section, "mean of 11 of 12 <small>") != NULL);
    free(section);
    free(p);
}

static void a_figure_folds_with_its_counts_and_its_tolerance(void)
{
    char *p = page(), *group = between(p, "<details class=\"group\"", "</details>");
    char *summary = between(group, "<summary>", "</summary>");
    CHECK(strstr(summary, "fig7") != NULL);
    CHECK_EQ(picture_rig_count(summary, "</span> 1<span class=\"unseen\">"), 4);
    CHECK(strstr(group, "Tolerance: 30\u202f% of the paper\u2019s effect plus 2 pp; no effect is "
                        "+0.0%.") != NULL);
    free(summary);
    free(group);
    char *rules = between(p, "<dl class=\"rules\">", "</dl>");
    CHECK_EQ(picture_rig_count(rules, "<dt>"), 4);
    CHECK(strstr(p, "Reasons for what agrees and what does not: "
                    "<a href=\"../docs/icc-study.md\"><code>docs/icc-study.md</code></a>") != NULL);
    free(rules);
    free(p);
}

static void charts_come_before_the_long_table(void)
{
    char *p = page();
    const char *summary = strstr(p, "<section id=\"summary\">");
    const char *figure = strstr(p, "<section class=\"figure\"");
    const char *table = strstr(p, "<section id=\"verdicts\">");
    CHECK(summary && figure && table && summary < figure && figure < table);
    free(p);
}

static void the_top_says_when_by_what_and_from_what(void)
{
    char *p = page(), *facts = between(p, "<dl class=\"facts\">", "</dl>");
    CHECK(strstr(facts, "<dt>Made</dt><dd>2026-11-17 13:45 UTC</dd>") != NULL);
    CHECK(strstr(facts, "<dt>By</dt><dd>heddle 0.1.0+g123</dd>") != NULL);
    CHECK(strstr(facts, "<dt>Runs</dt><dd>47 of 48</dd>") != NULL);
    CHECK(strstr(facts, "<dd>1 h 2 min</dd>") != NULL);
    CHECK(strstr(facts, "<dd>loom (a processor, 2 processors)</dd>") != NULL);
    free(facts);
    CHECK(strstr(p, "1 of 48 runs is missing") != NULL);
    CHECK(strstr(p, "/home/") == NULL); /* the study's folder is nobody's business */
    free(p);
}

static void a_quick_run_says_so_and_reproduces_nothing(void)
{
    char *full = page();
    CHECK(strstr(full, "class=\"notice quick\"") == NULL);
    free(full);
    study.is_quick = true;
    study.part = "inputs of size small, 4 of 9 figures";
    char *p = page(), *notice = between(p, "<aside class=\"notice quick\"", "</aside>");
    CHECK(strstr(notice, "It has inputs of size small, 4 of 9 figures.") != NULL);
    CHECK(strstr(notice, "<code>heddle study icc --out &quot;a b&quot;</code>") != NULL);
    CHECK(strstr(p, "class=\"notice quick\"") < strstr(p, "<main>"));
    CHECK(strstr(p, "reproduced</span>") == NULL);
    CHECK(strstr(p, "direction only") == NULL);
    CHECK(strstr(p, "same direction") != NULL);
    study.is_quick = false;
    study.part = "";
    write_for_browser("quick.html", p);
    free(notice);
    free(p);
}

static void claims_of_ones_own_hold_or_fail(void)
{
    struct study_figure own = figures[1];
    struct study alone = study;
    struct verdict_figure values_of_it = judged[1];
    struct verdict_row said = rows[4];
    struct study_claim claim = claims[0];
    own.npapers = 0;
    claim.source = "";
    said.claim = &claim;
    said.verdict = VERDICT_HOLDS;
    alone.figures = said.figure = values_of_it.figure = &own;
    alone.nfigures = 1;
    struct study_result r = *result();
    r.study = &alone;
    r.rows = &said;
    r.nrows = 1;
    r.figures = &values_of_it;
    CHECK_EQ(count_in(page_of(&r), "</span> holds</span>"), 3); /* count, rule, row */
    said.verdict = VERDICT_FAILS;
    CHECK_EQ(count_in(page_of(&r), "</span> fails</span>"), 3);
    CHECK_EQ(count_in(page_of(&r), ">Paper<"), 0);
    CHECK_EQ(count_in(page_of(&r), "reproduced"), 0);
    r.nrows = 0;
    CHECK_EQ(count_in(page_of(&r), "id=\"verdicts\""), 0);
}

static void only_what_was_run_is_listed(void)
{
    struct study part = study;
    part.nfigures = 1; /* its columns, and round_robin as the baseline */
    part.figures = figures;
    struct study_result r = *result();
    r.study = &part;
    char *p = page_of(&r), *table = between(p, "<table class=\"wide variants\">", "</table>");
    CHECK_EQ(picture_rig_count(table, "<tr><th scope=\"row\">"), VARIANTS);
    free(table);
    free(p);
    part.figures = &figures[3];
    r.figures = &judged[3];
    r.nrows = 0;
    p = page_of(&r);
    table = between(p, "<table class=\"wide variants\">", "</table>");
    CHECK_EQ(picture_rig_count(table, "<tr><th scope=\"row\">"), 2);
    CHECK(strstr(table, "distributed") == NULL);
    CHECK(strstr(p, "Workloads: <code>HS@small</code>, <code>BT@small</code>.") != NULL);
    free(table);
    free(p);
}

static void captions_are_sentences(void)
{
    char *p = page();
    CHECK(strstr(p,
                 "<figcaption>IPC over round-robin. The baseline is <i>the baseline</i>. Diamonds "
                 "mark values that the paper gives. Means are over the workloads that have data: "
                 "greedy 11 of 12. The paper\u2019s values are from Fig. 7; section 4.2; Fig. 7 "
                 "&lt;b&gt;. </figcaption>") != NULL);
    free(p);
}

static void the_page_is_whole_and_loads_nothing(void)
{
    char *p = page();
    CHECK(strstr(p, "</html>") != NULL);
    CHECK_EQ(picture_rig_count(p, "<section class=\"figure\""), FIGURES);
    CHECK_EQ(picture_rig_count(p, "<table class=\"values"), FIGURES);
    CHECK_EQ(picture_rig_count(p, "<div class=\"static\""), 3);
    CHECK(strstr(p, "id=\"figure-fig-2-2\"") != NULL);
    CHECK(strstr(p, "<script src") == NULL);
    CHECK(strstr(p, "<link rel=\"stylesheet") == NULL);
    CHECK(strstr(p, "gpu.cta_scheduler=distributed") != NULL);
    CHECK(strstr(p, "<small>paper 11.2%</small>") != NULL); /* a part's, in the table only */
    CHECK(strlen(p) < 2 * 1000 * 1000);
    write_for_browser("full.html", p);
    free(p);
}

static void a_full_disk_is_one_error(void)
{
    struct err e = {0};
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    CHECK(!study_page_write(result(), full, &e));
    CHECK(strstr(e.text, "icc") != NULL);
    fclose(full);
}

CHECK_MAIN("study_page", TEST(the_json_reader_of_this_test_refuses_what_is_not_json),
           TEST(every_chart_is_valid_json_without_slots_left),
           TEST(every_value_has_a_mark_and_missing_ones_have_none),
           TEST(changes_are_drawn_from_zero), TEST(workloads_of_one_name_are_told_apart_by_size),
           TEST(a_sum_lacks_data_when_a_part_does), TEST(numbers_are_written_as_people_read_them),
           TEST(differences_are_points_of_per_cents_and_per_cent_of_numbers),
           TEST(what_is_in_per_cent_already_is_not_multiplied), TEST(ticks_are_short),
           TEST(axes_hold_all_values_and_bars_start_at_zero), TEST(static_pictures_are_complete),
           TEST(names_cannot_become_markup), TEST(a_verdict_has_a_row_with_a_word),
           TEST(a_figure_folds_with_its_counts_and_its_tolerance),
           TEST(charts_come_before_the_long_table), TEST(the_top_says_when_by_what_and_from_what),
           TEST(a_quick_run_says_so_and_reproduces_nothing), TEST(claims_of_ones_own_hold_or_fail),
           TEST(only_what_was_run_is_listed), TEST(captions_are_sentences),
           TEST(the_page_is_whole_and_loads_nothing), TEST(a_full_disk_is_one_error))
