#include "check.h"

#include "rig/study_rig.h"
#include "study/expr.h"
#include "study/kind.h"

#define FIGURE "figures: {f: {expr: ipc}}\n"
#define TAIL "workloads: [HS]\n" FIGURE

static void a_study_is_read_with_its_defaults(void)
{
    struct study_rig r;
    study_rig_open(&r, STUDY_RIG_HEAD FIGURE, NULL);
    CHECK(r.study != NULL);
    const struct study *s = r.study;
    CHECK_STR(s->path, r.path);
    CHECK_STR(s->title, s->name);
    CHECK_STR(s->reasons, "");
    CHECK_EQ(s->seed, 1);
    CHECK_EQ(s->nvariants, 3);
    CHECK_EQ(s->nworkloads, 3);
    CHECK_STR(s->workloads[1].name, "BT");
    CHECK_STR(s->workloads[1].size, "tiny");
    CHECK_STR(s->metrics[0].unit, "x");
    CHECK_EQ(s->metrics[0].line, 9);
    CHECK_EQ(s->nfigures, 1);
    study_rig_close(&r);
}

static void a_variant_has_the_sets_of_its_base_first(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   "variants:\n"
                   "  c: {base: b, set: {mesh.mem: [3, 12]}}\n"
                   "  b: {base: a, machine: other, set: {gpu.clusters: 6}}\n"
                   "  a: {machine: icc60, doc: first, set: {l1.size: 16K}}\n" TAIL,
                   NULL);
    CHECK(r.study != NULL);
    const struct study_variant *c = &r.study->variants[0], *a = &r.study->variants[2];
    CHECK_STR(c->machine, "other");
    CHECK_STR(c->doc, "");
    CHECK_EQ(c->nsets, 3);
    CHECK_STR(c->sets[0], "l1.size=16K");
    CHECK_STR(c->sets[1], "gpu.clusters=6");
    CHECK_STR(c->sets[2], "mesh.mem=3,12");
    CHECK_EQ(c->set_lines[0], 4);
    CHECK_EQ(c->set_lines[2], 2);
    CHECK_STR(a->machine, "icc60");
    CHECK_STR(a->doc, "first");
    CHECK_EQ(a->nsets, 1);
    study_rig_close(&r);
}

static void a_machine_given_as_a_path_is_seen_from_the_studys_folder(void)
{
    struct study_rig r;
    study_rig_open(
        &r, "variants: {a: {machine: m/x.yaml}, b: {machine: /m.yaml}, c: {machine: z}}\n" TAIL,
        NULL);
    CHECK(r.study != NULL);
    CHECK_STR(r.study->variants[0].machine, "/tmp/m/x.yaml");
    CHECK_STR(r.study->variants[1].machine, "/m.yaml");
    CHECK_STR(r.study->variants[2].machine, "z");
    study_rig_close(&r);
}

static void workloads_have_sizes_of_their_own_or_the_studys(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   "machine: m\nvariants: {a: {}}\n"
                   "workloads: [{name: hs, size: small}, 2dconv]\n" FIGURE,
                   NULL);
    CHECK(r.study != NULL);
    CHECK_STR(r.study->workloads[0].name, "HS");
    CHECK_STR(r.study->workloads[0].size, "small");
    CHECK_STR(r.study->workloads[1].name, "2DCONV");
    CHECK_STR(r.study->workloads[1].size, "study");
    study_rig_close(&r);
}

static void keys_that_are_unknown_or_missing_are_refused(void)
{
    CHECK(
        study_rig_refuses("titel: x\n" STUDY_RIG_HEAD FIGURE, ":1: titel: ", "did you mean title"));
    CHECK(study_rig_refuses("machine: m\nvariants: {a: {}}\n" FIGURE, ":1: ", "\"workloads\""));
    CHECK(study_rig_refuses(TAIL, ":1: ", "\"variants\""));
    CHECK(study_rig_refuses("variants: {a: {}}\n" TAIL, ":1: a: ", "expected a machine"));
    CHECK(study_rig_refuses(STUDY_RIG_HEAD, ":1: ", "\"figures\""));
    CHECK(study_rig_refuses("machine: m\nvariants: {a: {sets: {}}}\n" TAIL,
                            ":2: sets: ", "did you mean set?"));
    CHECK(study_rig_refuses("machine: m\nvariants: [a]\n" TAIL, ":2: variants: ", "a map"));
    CHECK(study_rig_refuses("seed: x\n" STUDY_RIG_HEAD FIGURE, ":1: seed: ", "whole number"));
    CHECK(study_rig_refuses("machine: m\nvariants: {'a,b': {}}\n" TAIL, ":2: a,b: ", "letters"));
    CHECK(study_rig_refuses("machine: m\nvariants: {a: {set: {gpu: {x: 1}}}}\n" TAIL,
                            ":2: gpu: ", "SECTION.KEY"));
}

static void bases_must_exist_and_must_end(void)
{
    CHECK(study_rig_refuses("machine: m\nvariants: {abc: {}, b: {base: abd}}\n" TAIL,
                            ":2: base: ", "did you mean abc"));
    CHECK(study_rig_refuses("machine: m\nvariants:\n  a: {base: b}\n  b: {base: a}\n" TAIL,
                            ":3: a: ", "itself"));
}

static void rows_have_kinds_and_settings(void)
{
    struct study_rig r;
    study_rig_open(&r,
                   "machine: m\nvariants: {a: {}}\nworkloads:\n"
                   "  - {name: hs, set: {mesh.mem: [3, 12], l1.size: 16K}}\n"
                   "  - {name: 20_SMs, kind: cost}\n" FIGURE,
                   NULL);
    CHECK(r.study != NULL);
    const struct study_workload *hs = &r.study->workloads[0], *cost = &r.study->workloads[1];
    CHECK(hs->kind == &kind_kernel && cost->kind == &kind_cost);
    CHECK_EQ(hs->nsets, 2);
    CHECK_STR(hs->sets[0], "mesh.mem=3,12");
    CHECK_EQ(hs->set_lines[1], 4);
    CHECK_STR(study_row_text(r.arena, hs), "HS@study");
    CHECK_STR(study_row_text(r.arena, cost), "20_SMs");
    CHECK_EQ(cost->nsets, 0);
    study_rig_close(&r);
}

static void rows_of_unknown_kinds_and_names_are_refused(void)
{
    const char *head = "machine: m\nvariants: {a: {}}\n" FIGURE;
    char text[512];
    snprintf(text, sizeof text, "%sworkloads: [{name: x, kind: cots}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "no kind \"cots\"; did you mean cost?"));
    snprintf(text, sizeof text, "%sworkloads: [{name: x, kind: cost, size: tiny}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "a run of kind cost has no size"));
    snprintf(text, sizeof text, "%sworkloads: [{name: a b, kind: cost}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "a name has letters"));
    snprintf(text, sizeof text, "%sworkloads: [{name: mean, kind: cost}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "this name is taken"));
    snprintf(text, sizeof text, "%sworkloads: [{name: x}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "no workload \"x\""));
    snprintf(text, sizeof text, "%sworkloads: [{name: HS, set: 3}]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "set"));
}

static void workloads_and_sizes_are_checked_against_the_registry(void)
{
    const char *head = "machine: m\nvariants: {a: {}}\n" FIGURE;
    char text[512];
    snprintf(text, sizeof text, "%sworkloads: [HS, 2DCONB]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "no workload \"2DCONB\"; did you mean 2DCONV?"));
    snprintf(text, sizeof text, "%sworkloads: [HS]\nsize: smal\n", head);
    CHECK(study_rig_refuses(text, ":5: size: ", "did you mean small?"));
    snprintf(text, sizeof text, "%sworkloads: [{name: HS, size: q}]\n", head);
    CHECK(study_rig_refuses(text, ":4: size: ", "there are: tiny, small"));
    snprintf(text, sizeof text, "%sworkloads: [HS, hs]\n", head);
    CHECK(study_rig_refuses(text, ":4: ", "twice"));
    snprintf(text, sizeof text, "%sworkloads: []\n", head);
    CHECK(study_rig_refuses(text, ":4: workloads: ", "at least one"));
}

static void metrics_may_use_metrics_but_must_end(void)
{
    const char *head = "machine: m\nvariants: {a: {}}\n" TAIL;
    struct study_rig r;
    char text[512];
    snprintf(text, sizeof text,
             "%smetrics: {a: b + 1, b: c * 2, c: {expr: ipc, label: C}, ipc: ipc}\n", head);
    study_rig_open(&r, text, NULL);
    CHECK(r.study != NULL);
    CHECK_EQ(r.study->nmetrics, 4);
    CHECK_STR(expr_names(r.study->metrics[1].expr)->text, "c");
    CHECK_STR(r.study->metrics[1].label, "b");
    CHECK_STR(r.study->metrics[2].label, "C");
    study_rig_close(&r);
    snprintf(text, sizeof text, "%smetrics: {a: b + 1, b: base.c * 2, c: a}\n", head);
    CHECK(study_rig_refuses(text, ":5: a: ", "defined by itself"));
    snprintf(text, sizeof text, "%smetrics: {a: 1 +}\n", head);
    CHECK(study_rig_refuses(text, ":5: a: ", "column 4: expected a number"));
    snprintf(text, sizeof text, "%smetrics: {a: {doc: x}}\n", head);
    CHECK(study_rig_refuses(text, ":5: a: ", "expected an expression"));
    snprintf(text, sizeof text, "%smetrics: {a: \"value(f, a, HS)\"}\n", head);
    CHECK(study_rig_refuses(text, ":5: a: ", "value() is for claims"));
}

static void a_file_that_is_not_there_is_named(void)
{
    struct arena *a = arena_new();
    struct err e = {0};
    CHECK(study_read(a, "/none/x.yaml", NULL, &e) == NULL);
    CHECK_STR(e.text, "/none/x.yaml: cannot read: No such file or directory");
    arena_free(a);
}

/* In a metric, in a figure, of the baseline. */
static void what_asks_for_the_same_sms_is_seen(void)
{
    static const struct {
        const char *figure;
        bool asks;
    } rows[] = {{"figures: {f: {expr: ipc}}\n", false},
                {"figures: {f: {expr: stp + antt, workloads: [p]}}\n", false},
                {"figures: {f: {expr: 2 * stp.same_sms, workloads: [p]}}\n", true},
                {"figures: {f: {expr: program0.progress / base.program0.progress.same_sms, "
                 "baseline: rr, workloads: [p]}}\n",
                 true}};
    for (int i = 0; i < 4; i++) {
        struct study_rig r;
        struct arena *a = arena_new();
        study_rig_open(&r,
                       arena_printf(a,
                                    "machine: icc60\n"
                                    "workloads: [HS, {name: p, programs: [HS, BT]}]\n"
                                    "variants: {rr: {}}\n%s",
                                    rows[i].figure),
                       NULL);
        CHECK_STR(r.err.text, "");
        CHECK(r.study && r.study->same_sms == rows[i].asks);
        study_rig_close(&r);
        arena_free(a);
    }
}

CHECK_MAIN("study", TEST(what_asks_for_the_same_sms_is_seen),
           TEST(a_study_is_read_with_its_defaults), TEST(a_variant_has_the_sets_of_its_base_first),
           TEST(a_machine_given_as_a_path_is_seen_from_the_studys_folder),
           TEST(workloads_have_sizes_of_their_own_or_the_studys),
           TEST(keys_that_are_unknown_or_missing_are_refused), TEST(bases_must_exist_and_must_end),
           TEST(rows_have_kinds_and_settings), TEST(rows_of_unknown_kinds_and_names_are_refused),
           TEST(workloads_and_sizes_are_checked_against_the_registry),
           TEST(metrics_may_use_metrics_but_must_end), TEST(a_file_that_is_not_there_is_named))
