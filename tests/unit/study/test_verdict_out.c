#include "check.h"

#include "rig/capture.h"
#include "rig/study_rig.h"
#include "study/pool.h"

static const char text[] =
    "title: A study\ndoc: of one line\n" STUDY_RIG_HEAD "  hits: hits\n  misses: misses\nfigures:\n"
    "  f:\n"
    "    title: Speed\n"
    "    metric: speedup\n"
    "    baseline: rr\n"
    "    variants: [icc, big]\n"
    "    format: percent_change\n"
    "    paper:\n"
    "      - {variant: icc, workload: HS, value: 1.5, source: Fig. 1}\n"
    "      - {variant: big, value: 0.9, source: Fig. 2}\n"
    "    claims: [{text: \"icc | big\", expr: \"value(f, icc, mean) > 1\", source: text}]\n"
    "  g: {parts: [hits, misses], variants: [rr], workloads: [HS], mean: none, unit: line}\n";

/* ipc 10, 15, 20 of the variants; big lacks BP. */
static double made_up(const void *context, uint32_t variant, uint32_t workload, const char *name)
{
    (void)context;
    if (variant == 2 && workload == 2)
        return NAN;
    return strcmp(name, "ipc") == 0 ? 10 + 5 * variant : strcmp(name, "hits") == 0 ? 1234 : 0.5;
}

static void open_result_of(const char *file, struct study_rig *rig, struct study_result *r)
{
    static const struct pool_failure failure = {"big/BP@tiny", "status 3: deadlock"};
    study_rig_open(rig, file, NULL);
    if (!rig->study)
        print_error("%s\n", rig->err.text);
    CHECK(rig->study != NULL);
    *r = (struct study_result){.nfailures = 1, .failures = &failure};
    verdict_judge(rig->arena, rig->study, &(struct verdict_source){made_up, NULL}, r);
}

static void open_result(struct study_rig *rig, struct study_result *r)
{
    open_result_of(text, rig, r);
}

static void text_has_verdicts_counts_and_figures(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(&rig, &r);
    text_open(&t);
    study_print(&r, rig.arena, t.out);
    CHECK_STR(text_close(&t),
              "A study\n"
              "of one line\n"
              "\n"
              "f: Speed\n"
              "  what                   paper  measured  verdict         source\n"
              "  icc, HS              +50.0 %   +50.0 %  reproduced      Fig. 1\n"
              "  big, mean of 2 of 3  -10.0 %  +100.0 %  not reproduced  Fig. 2\n"
              "  icc | big                        holds  reproduced      text\n"
              "\n"
              "2 reproduced, 0 direction only, 1 not reproduced, 0 no data (3 in all)\n"
              "\n"
              "f: Speed\n"
              "  values [x]; baseline rr; geometric mean\n"
              "                      icc       big\n"
              "  HS              +50.0 %  +100.0 %\n"
              "  BT              +50.0 %  +100.0 %\n"
              "  BP              +50.0 %         -\n"
              "  mean of 2 to 3  +50.0 %  +100.0 %\n"
              "\n"
              "g: g\n"
              "  parts [line]\n"
              "      hits  misses   sum\n"
              "  HS  1234   0.500  1234\n"
              "\n"
              "1 run failed:\n"
              "  big/BP@tiny: status 3: deadlock\n");
    text_free(&t);
    study_rig_close(&rig);
}

static void markdown_is_one_table_and_the_counts(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result(&rig, &r);
    text_open(&t);
    study_markdown(&r, rig.arena, t.out);
    CHECK_STR(text_close(&t),
              "| figure | what | paper | measured | verdict | source |\n"
              "| --- | --- | ---: | ---: | --- | --- |\n"
              "| f | icc, HS | +50.0 % | +50.0 % | reproduced | Fig. 1 |\n"
              "| f | big, mean of 2 of 3 | -10.0 % | +100.0 % | not reproduced | Fig. 2 |\n"
              "| f | icc \\| big |  | holds | reproduced | text |\n"
              "\n"
              "2 reproduced, 0 direction only, 1 not reproduced, 0 no data.\n");
    text_free(&t);
    study_rig_close(&rig);
}

#define OWN                                                                                        \
    "title: A study\n" STUDY_RIG_HEAD "figures:\n"                                                 \
    "  f:\n"                                                                                       \
    "    title: Speed\n"                                                                           \
    "    metric: speedup\n"                                                                        \
    "    baseline: rr\n"                                                                           \
    "    variants: [icc, big]\n"                                                                   \
    "    claims:\n"                                                                                \
    "      - {text: icc helps, expr: \"value(f, icc, mean) > 1\"}\n"                               \
    "      - {text: icc doubles, expr: \"value(f, icc, mean) > 2\"}\n"                             \
    "      - {text: big helps, expr: \"value(f, big, mean) > 1\"}\n"

static void own_claims_hold_or_fail_and_no_paper_is_spoken_of(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result_of(OWN, &rig, &r);
    text_open(&t);
    study_markdown(&r, rig.arena, t.out);
    CHECK_STR(text_close(&t), "| figure | what | verdict |\n"
                              "| --- | --- | --- |\n"
                              "| f | icc helps | holds |\n"
                              "| f | icc doubles | fails |\n"
                              "| f | big helps | no data |\n"
                              "\n"
                              "1 of 3 claims hold, 1 without data.\n");
    text_free(&t);
    text_open(&t);
    study_print(&r, rig.arena, t.out);
    const char *got = text_close(&t);
    CHECK(strstr(got, "  what         verdict\n  icc helps    holds\n") != NULL);
    CHECK(strstr(got, "\n1 of 3 claims hold, 1 without data\n") != NULL);
    CHECK(strstr(got, "paper") == NULL && strstr(got, "reproduced") == NULL);
    text_free(&t);
    study_rig_close(&rig);
}

static void own_claims_beside_those_of_a_paper_are_counted_apart(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result_of(OWN "    paper: [{variant: icc, workload: HS, value: 1.5, source: Fig. 1}]\n",
                   &rig, &r);
    text_open(&t);
    study_print(&r, rig.arena, t.out);
    const char *got = text_close(&t);
    CHECK(strstr(got, "  icc helps                     holds\n") != NULL);
    CHECK(strstr(got, "\n1 reproduced, 0 direction only, 0 not reproduced, 0 no data; "
                      "1 of 3 claims hold, 1 without data\n") != NULL);
    text_free(&t);
    study_rig_close(&rig);
}

/* The command stands by the verdicts, whose words are those of a quick run. */
static void a_small_form_says_which_study_decides(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result_of(
        "title: A tour\n" STUDY_RIG_HEAD "figures:\n"
        "  f: {metric: speedup, baseline: rr, variants: [icc], full: cdxbar, table: none,\n"
        "      paper: [{value: 1.5, source: Fig. 1}]}\n"
        "  g: {expr: ipc, workloads: [HS], mean: none, full: icc}\n",
        &rig, &r);
    r.nfailures = 0;
    text_open(&t);
    study_print(&r, rig.arena, t.out);
    CHECK_STR(text_close(&t), "A tour\n"
                              "\n"
                              "f: f\n"
                              "  what            paper  measured  verdict  source\n"
                              "  icc, mean of 3  1.500     1.500  agrees   Fig. 1\n"
                              "  the full study: heddle study cdxbar\n"
                              "\n"
                              "1 agrees, 0 same direction, 0 differs, 0 no data (1 in all)\n"
                              "\n"
                              "g: g\n"
                              "  values [instruction/cycle]\n"
                              "         rr    icc    big\n"
                              "  HS  10.00  15.00  20.00\n");
    text_free(&t);
    study_rig_close(&rig);
}

static void a_study_without_claims_says_so(void)
{
    struct study_rig rig;
    struct study_result r;
    struct text t;
    open_result_of(STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n", &rig, &r);
    text_open(&t);
    study_markdown(&r, rig.arena, t.out);
    CHECK_STR(text_close(&t), "The study makes no claims.\n");
    text_free(&t);
    study_rig_close(&rig);
}

static void numbers_are_short_and_signed_as_people_read_them(void)
{
    struct study_figure f = {.format = FORMAT_NUMBER, .unit = ""};
    char buf[VERDICT_TEXT_N];
    CHECK_STR(verdict_text(buf, &f, 0), "0.000");
    CHECK_STR(verdict_text(buf, &f, 1.23456), "1.235");
    CHECK_STR(verdict_text(buf, &f, -12.3456), "-12.35");
    CHECK_STR(verdict_text(buf, &f, 123.456), "123.5");
    CHECK_STR(verdict_text(buf, &f, 123456.7), "123457");
    CHECK_STR(verdict_text(buf, &f, 0.123456), "0.123");
    CHECK_STR(verdict_text(buf, &f, -0.0123456), "-0.0123");
    CHECK_STR(verdict_text(buf, &f, 0.00123456), "0.00123");
    CHECK_STR(verdict_text(buf, &f, 0.000123), "1.23e-04");
    CHECK_STR(verdict_text(buf, &f, 5e12), "5.00e+12");
    CHECK_STR(verdict_text(buf, &f, NAN), "-");
    CHECK_STR(verdict_text(buf, &f, -INFINITY), "-inf");
    f.unit = "%";
    CHECK_STR(verdict_text(buf, &f, 19.44), "19.4 %");
    CHECK_STR(verdict_text(buf, &f, -0.01), "0.0 %");
    f.unit = "";
    f.format = FORMAT_PERCENT;
    CHECK_STR(verdict_text(buf, &f, 0.194), "19.4 %");
    f.format = FORMAT_PERCENT_CHANGE;
    CHECK_STR(verdict_text(buf, &f, 1.06), "+6.0 %");
    CHECK_STR(verdict_text(buf, &f, 0.89), "-11.0 %");
    CHECK_STR(verdict_text(buf, &f, 0.9999), "+0.0 %");
}

CHECK_MAIN("verdict_out", TEST(text_has_verdicts_counts_and_figures),
           TEST(markdown_is_one_table_and_the_counts),
           TEST(own_claims_hold_or_fail_and_no_paper_is_spoken_of),
           TEST(own_claims_beside_those_of_a_paper_are_counted_apart),
           TEST(a_small_form_says_which_study_decides), TEST(a_study_without_claims_says_so),
           TEST(numbers_are_short_and_signed_as_people_read_them))
