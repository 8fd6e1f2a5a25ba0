#include "check.h"

#include "rig/study_rig.h"

static const char text[] =
    "quick: {size: small, workloads: [HS, BT], figures: [f]}\n" STUDY_RIG_HEAD "figures:\n"
    "  f:\n"
    "    metric: speedup\n"
    "    baseline: rr\n"
    "    variants: [icc, big]\n"
    "    paper:\n"
    "      - {variant: icc, workload: BP, value: 1, source: s}\n"
    "      - {variant: icc, value: 2, source: s}\n"
    "      - {variant: big, workload: HS, value: 3, source: s}\n"
    "    claims:\n"
    "      - {text: of HS, expr: \"value(f, icc, HS) > 1\", source: s}\n"
    "      - {text: of BP, expr: \"value(f, icc, BP) > 1\", source: s}\n"
    "      - {text: of big, expr: \"value(f, big, mean) > 1\", source: s}\n"
    "      - {text: of g, expr: \"value(f, icc, mean) > value(g, rr, mean)\", source: s}\n"
    "  g: {expr: ipc, workloads: [BP]}\n";

static void open_with(struct study_rig *r, bool quick, const char *only)
{
    study_rig_open(r, text, &(struct study_options){quick, only});
    if (!r->study)
        print_error("%s\n", r->err.text);
}

static void without_options_everything_stays(void)
{
    struct study_rig r;
    open_with(&r, false, NULL);
    CHECK_EQ(r.study->nfigures, 2);
    CHECK_EQ(r.study->figures[0].npapers, 3);
    CHECK_EQ(r.study->figures[0].nclaims, 4);
    CHECK_STR(r.study->workloads[0].size, "tiny");
    CHECK(!r.study->is_quick);
    CHECK_STR(r.study->part, "");
    study_rig_close(&r);
}

static void a_part_says_what_it_is_of_the_whole(void)
{
    struct study_rig r;
    open_with(&r, true, NULL);
    CHECK(r.study->is_quick);
    CHECK_STR(r.study->part, "inputs of size small, 1 of 2 figures, 2 of 3 workloads");
    study_rig_close(&r);
    open_with(&r, false, "icc");
    CHECK(!r.study->is_quick);
    CHECK(strstr(r.study->part, "1 of 3 variants") != NULL);
    study_rig_close(&r);
    /* A study without a quick form is run as a whole. */
    study_rig_open(&r, STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n",
                   &(struct study_options){true, NULL});
    CHECK(!r.study->is_quick);
    CHECK_STR(r.study->part, "");
    study_rig_close(&r);
}

static void quick_takes_fewer_figures_and_rows_and_another_size(void)
{
    struct study_rig r;
    open_with(&r, true, NULL);
    const struct study_figure *f = &r.study->figures[0];
    CHECK_EQ(r.study->nfigures, 1);
    CHECK_EQ(f->nworkloads, 2);
    CHECK_EQ(f->nvariants, 2);
    CHECK_EQ(f->npapers, 2);
    CHECK_NEAR(f->papers[0].value, 2, 0);
    CHECK_EQ(f->nclaims, 2);
    CHECK_STR(f->claims[0].text, "of HS");
    CHECK_STR(f->claims[1].text, "of big");
    CHECK_STR(r.study->workloads[2].size, "small");
    study_rig_close(&r);
}

/* Sizes of the study change, others are meant as they are; so are rows without a window. */
static void quick_changes_the_studys_size_and_windows(void)
{
    struct study_rig r;
    const char *file = "machine: icc60\n"
                       "size: tiny\n"
                       "quick: {size: small, window: 77}\n"
                       "workloads: [HS, {name: x, workload: BT, size: few}, "
                       "{name: a, programs: [HS, BT@study], window: 500}, "
                       "{name: b, programs: [HS, BT]}]\n"
                       "variants: {rr: {}}\n"
                       "figures: {f: {expr: ipc}}\n";
    study_rig_open(&r, file, &(struct study_options){true, NULL});
    CHECK_STR(r.err.text, "");
    const struct study_workload *w = r.study->workloads;
    CHECK_STR(w[0].size, "small");
    CHECK_STR(w[1].size, "few");
    CHECK_STR(w[2].programs[0].size, "small");
    CHECK_STR(w[2].programs[1].size, "study");
    CHECK_EQ(w[2].window, 77);
    CHECK_EQ(w[3].window, 0);
    study_rig_close(&r);
    study_rig_open(&r, file, NULL);
    CHECK_EQ(r.study->workloads[2].window, 500);
    CHECK_STR(r.study->workloads[0].size, "tiny");
    study_rig_close(&r);
    CHECK(study_rig_refuses("quick: {window: -1}\n" STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n",
                            ":1: window", "a number of cycles"));
}

static void only_names_figures_variants_or_workloads(void)
{
    struct study_rig r;
    open_with(&r, false, "g");
    CHECK_EQ(r.study->nfigures, 1);
    CHECK_STR(r.study->figures[0].name, "g");
    study_rig_close(&r);

    open_with(&r, false, "icc,hs");
    CHECK_EQ(r.study->nfigures, 1); /* g has no HS */
    CHECK_EQ(r.study->figures[0].nvariants, 1);
    CHECK_EQ(r.study->figures[0].nworkloads, 1);
    CHECK_EQ(r.study->figures[0].baseline, 0);
    CHECK_EQ(r.study->figures[0].npapers, 1);
    CHECK_EQ(r.study->figures[0].nclaims, 1);
    study_rig_close(&r);
}

static void quick_takes_fewer_variants_by_name_or_by_axis(void)
{
    static const char head[] =
        "cross: {l1.size: [16K, 32K, 64K], gpu.cta_scheduler: [rr, greedy]}\n";
    static const char tail[] = STUDY_RIG_HEAD
        "figures:\n"
        "  f: {expr: ipc / base.ipc, baseline: {l1.size: 16K}, where: {l1.size: [32K, 64K]}}\n"
        "  g: {expr: ipc, variants: [icc]}\n";
    static const struct {
        const char *quick, *part;
        uint32_t figures, columns;
    } rows[] = {
        {"where: {l1.size: [16K, 64K]}", "1 of 2 figures, 4 of 9 variants", 1, 2},
        {"where: {l1.size: 64K, gpu.cta_scheduler: rr}", "1 of 2 figures, 1 of 9 variants", 1, 1},
        {"where: {l1.size: 32K}, variants: [icc]", "3 of 9 variants", 2, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct study_rig r;
        char all[2048];
        snprintf(all, sizeof all, "quick: {%s}\n%s%s", rows[i].quick, head, tail);
        study_rig_open(&r, all, &(struct study_options){true, NULL});
        CHECK_STR(r.err.text, "");
        CHECK_EQ(r.study->nfigures, rows[i].figures);
        CHECK_EQ(r.study->figures[0].nvariants, rows[i].columns);
        CHECK_STR(r.study->part, rows[i].part);
        study_rig_close(&r);
    }
}

static void only_goes_before_quick(void)
{
    struct study_rig r;
    open_with(&r, true, "g, BP");
    CHECK_EQ(r.study->nfigures, 1);
    CHECK_STR(r.study->figures[0].name, "g");
    CHECK_STR(r.study->workloads[2].size, "small");
    study_rig_close(&r);
}

static void what_only_does_not_name_stays_as_quick_has_it(void)
{
    struct study_rig r;
    open_with(&r, true, "icc");
    CHECK_EQ(r.study->nfigures, 1);
    CHECK_EQ(r.study->figures[0].nvariants, 1);
    CHECK_EQ(r.study->figures[0].nworkloads, 2);
    study_rig_close(&r);
}

static void what_is_not_there_is_refused(void)
{
    struct study_rig r;
    study_rig_open(&r, text, &(struct study_options){false, "f,bigg"});
    CHECK(r.study == NULL);
    CHECK(strstr(r.err.text, "--only bigg: ") && strstr(r.err.text, "did you mean big?"));
    study_rig_close(&r);
    study_rig_open(&r, text, &(struct study_options){false, "g,HS"});
    CHECK(r.study == NULL);
    CHECK(strstr(r.err.text, "no figure has anything of --only g,HS") != NULL);
    study_rig_close(&r);
}

static void quick_is_checked_even_when_not_asked_for(void)
{
    CHECK(study_rig_refuses("quick: {size: smal}\n" STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n",
                            ":1: size: ", "did you mean small?"));
    CHECK(study_rig_refuses("quick: {figures: [h]}\n" STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n",
                            ":1: ", "no figure \"h\""));
    CHECK(study_rig_refuses("quick: {seed: 1}\n" STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n",
                            ":1: seed: ", "unknown key"));
    CHECK(study_rig_refuses("quick: {where: {l1.size: 16K}}\n" STUDY_RIG_HEAD
                            "figures: {f: {expr: ipc}}\n",
                            ":1: where: ", "there is no cross"));
}

CHECK_MAIN("study_select", TEST(without_options_everything_stays),
           TEST(a_part_says_what_it_is_of_the_whole),
           TEST(quick_takes_fewer_figures_and_rows_and_another_size),
           TEST(quick_changes_the_studys_size_and_windows),
           TEST(quick_takes_fewer_variants_by_name_or_by_axis),
           TEST(only_names_figures_variants_or_workloads), TEST(only_goes_before_quick),
           TEST(what_only_does_not_name_stays_as_quick_has_it), TEST(what_is_not_there_is_refused),
           TEST(quick_is_checked_even_when_not_asked_for))
