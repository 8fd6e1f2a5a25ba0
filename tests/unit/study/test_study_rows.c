/* Rows of a study: programs of all kinds, rows that one line makes, what is refused. */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "rig/study_rig.h"
#include "study/kind.h"

#define HEAD "machine: icc60\nvariants: {a: {}}\nsize: tiny\n"
#define FIGURE "figures: {f: {expr: ipc}}\n"

/* The example that docs/own-kernel.md explains. */
#define SAXPY                                                                                      \
    "ptx: " HEDDLE_SOURCE_DIR "/examples/saxpy/saxpy.ptx, "                                        \
    "launch: " HEDDLE_SOURCE_DIR "/examples/saxpy/saxpy.yaml"

static void open_rows(struct study_rig *r, const char *rows, const struct study_options *o)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "workloads:\n%s" FIGURE, rows);
    study_rig_open(r, text, o);
    CHECK_STR(r->err.text, "");
    CHECK(r->study != NULL);
}

static bool refuses(const char *row, const char *begin, const char *has)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD FIGURE "workloads:\n  - %s\n", row);
    return study_rig_refuses(text, begin, has);
}

static void a_users_kernel_is_a_row(void)
{
    struct study_rig r;
    open_rows(&r, "  - {name: mine, " SAXPY ", set: {l1.size: 16K}}\n", NULL);
    const struct study_workload *w = &r.study->workloads[0];
    CHECK(w->kind == &kind_kernel);
    CHECK_EQ(w->nprograms, 1);
    CHECK_STR(w->programs[0].ptx, HEDDLE_SOURCE_DIR "/examples/saxpy/saxpy.ptx");
    CHECK(w->programs[0].workload == NULL && w->programs[0].contents != 0);
    CHECK_EQ(w->nsets, 1);
    CHECK_STR(study_row_text(r.arena, w), "mine");
    study_rig_close(&r);
}

static void programs_at_once_are_workloads_and_files(void)
{
    struct study_rig r;
    open_rows(&r,
              "  - {name: p, programs: [hs, BFS@small, {" SAXPY "}, {name: BT}], window: 7000}\n"
              "  - {name: q, programs: [HS, {" SAXPY "}]}\n",
              NULL);
    const struct study_workload *p = &r.study->workloads[0], *q = &r.study->workloads[1];
    CHECK(p->kind == &kind_programs && p->window == 7000 && q->window == 0);
    CHECK_EQ(p->nprograms, 4);
    CHECK_STR(p->programs[0].workload, "HS");
    CHECK_STR(p->programs[0].size, "tiny");
    CHECK_STR(p->programs[1].size, "small");
    CHECK(p->programs[2].ptx != NULL);
    CHECK_STR(p->programs[3].workload, "BT");
    CHECK_STR(study_row_text(r.arena, p), "p"); /* sizes differ */
    CHECK_STR(study_row_text(r.arena, q), "q@tiny");
    study_rig_close(&r);
}

static void quick_resizes_workloads_and_leaves_files(void)
{
    struct study_rig r;
    struct study_options quick = {.quick = true};
    open_rows(&r,
              "  - {name: q, programs: [HS, {" SAXPY "}]}\n  - {name: mine, " SAXPY "}\n"
              "quick: {size: small}\n",
              &quick);
    CHECK_STR(r.study->workloads[0].programs[0].size, "small");
    CHECK_STR(study_row_text(r.arena, &r.study->workloads[0]), "q@small");
    CHECK_STR(study_row_text(r.arena, &r.study->workloads[1]), "mine");
    study_rig_close(&r);
}

static void one_line_makes_a_row_for_each_combination(void)
{
    struct study_rig r;
    static const char *const names[] = {
        "x_0.1_uniform", "x_0.1_transpose", "x_0.25_uniform", "x_0.25_transpose", "y_2", "HS"};
    open_rows(&r,
              "  - {name: x, kind: noc, set: {sim.seed: 3},\n"
              "     cross: {traffic.rate: [0.1, 0.25], traffic.pattern: [uniform, transpose]}}\n"
              "  - {name: y, kind: noc, cross: {sim.seed: [2]}}\n  - HS\n",
              NULL);
    CHECK_EQ(r.study->nworkloads, 6);
    for (int i = 0; i < 6; i++)
        CHECK_STR(r.study->workloads[i].name, names[i]);
    const struct study_workload *w = &r.study->workloads[2];
    CHECK_EQ(w->nsets, 3);
    CHECK_STR(w->sets[0], "sim.seed=3");
    CHECK_STR(w->sets[1], "traffic.rate=0.25");
    CHECK_STR(w->sets[2], "traffic.pattern=uniform");
    CHECK_EQ(w->set_lines[1], 6);
    CHECK_STR(w->maker, "x");
    CHECK(r.study->workloads[5].maker == NULL);
    study_rig_close(&r);
}

static void rows_of_one_line_go_by_its_name(void)
{
    struct study_rig r;
    struct study_options only = {.only = "X"};
    const char *text = HEAD "workloads: [HS, {name: x, cross: {l1.size: [16K, 32K]}, kind: cost}]\n"
                            "quick: {workloads: [x]}\n"
                            "figures: {f: {expr: ipc, workloads: [x, HS]}, g: {expr: ipc}}\n";
    study_rig_open(&r, text, NULL);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.study->figures[0].nworkloads, 3);
    CHECK_EQ(r.study->figures[0].workloads[0], 1);
    CHECK_EQ(r.study->figures[0].workloads[2], 0);
    study_rig_close(&r);
    study_rig_open(&r, text, &only);
    CHECK_EQ(r.study->figures[1].nworkloads, 2);
    study_rig_close(&r);
    study_rig_open(&r, text, &(struct study_options){.quick = true});
    CHECK_EQ(r.study->figures[1].nworkloads, 2);
    study_rig_close(&r);
    CHECK(study_rig_refuses(HEAD "workloads: [HS]\nfigures: {f: {expr: ipc, workloads: [HX]}}\n",
                            ":5: ", "did you mean HS?"));
}

static void what_does_not_fit_together_is_refused(void)
{
    CHECK(refuses("{name: m, ptx: a.ptx}", ":6: ", "ptx and launch need each other"));
    CHECK(refuses("{name: m, ptx: none.ptx, launch: l}", ":6: ptx: ", "none.ptx: cannot read"));
    CHECK(refuses("{name: m, trace: none.hds}", ":6: trace: ", "none.hds: cannot read"));
    CHECK(refuses("{name: m, " SAXPY ", trace: x}", ":6: trace: ", "only one"));
    CHECK(refuses("{name: m, " SAXPY ", size: tiny}", ":6: size: ", "a file's"));
    CHECK(refuses("{name: m, " SAXPY ", kind: cost}", ":6: kind: ", "of kind kernel"));
    CHECK(refuses("{name: m, programs: [HS, BT], kind: noc}", ":6: kind: ", "of kind programs"));
    CHECK(refuses("{name: m, kind: programs}", ":6: ", "expected programs"));
    CHECK(refuses("{name: m, programs: [HS]}", ":6: programs: ", "2 to 8"));
    CHECK(refuses("{name: m, programs: [HS, BFX@tiny]}", ":6: ", "did you mean BFS?"));
    CHECK(refuses("{name: m, programs: [HS, BFS@tinny]}", ":6: ", "did you mean tiny?"));
    CHECK(refuses("{name: m, programs: [HS, {size: tiny}]}", ":6: ", "expected HS@tiny"));
    CHECK(refuses("{name: m, programs: [HS, BT], size: tiny}", ":6: size: ", "no size"));
    CHECK(refuses("{name: m, programs: [HS, BT], " SAXPY "}", ":6: programs: ", "only one"));
    CHECK(refuses("{name: m, programs: [HS, BT], window: 0}", ":6: window: ", "cycles"));
    CHECK(refuses("{name: HS, window: 5}", ":6: window: ", "for programs"));
    CHECK(refuses("{name: a b, " SAXPY "}", ":6: name: ", "a name has letters"));
    CHECK(
        refuses("{name: x, kind: noc, cross: {traffic.rate: 0.1}}", ":6: traffic.rate: ", "list"));
    CHECK(refuses("{name: x, kind: noc, cross: {traffic.rate: []}}", ":6: traffic.rate: ", "1 to"));
    CHECK(refuses("{name: x, kind: noc, cross: {}}", ":6: cross: ", "at least one"));
    CHECK(refuses("{name: x, kind: noc, cross: {a.b: [[1, 2]]}}", ":6: ", "one value"));
    CHECK(refuses("{name: x, kind: noc, cross: {a.b: [1, 1]}}", ":6: ", "x_1\" is there twice"));
    CHECK(refuses("{name: x, kind: noc, cross: {a.b: [\"1 2\"]}}", ":6: ", "a name has letters"));
}

static void a_row_may_be_one_kernel_of_a_program(void)
{
    struct study_rig r;
    open_rows(&r,
              "  - {name: keys, workload: BT, kernel: findK}\n"
              "  - {name: HS, kernel: calculate_temp}\n"
              "  - {name: mine, " SAXPY ", kernel: saxpy}\n",
              NULL);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(r.study->workloads[i].kind == &kind_launches);
    CHECK_STR(r.study->workloads[0].kernel, "findK");
    CHECK_STR(r.study->workloads[0].programs[0].workload, "BT");
    CHECK_STR(r.study->workloads[1].name, "HS");
    study_rig_close(&r);
    CHECK(refuses("{name: BT, kernel: find}", ":6: kernel: ", "BT has no kernel \"find\""));
    CHECK(refuses("{name: p, programs: [HS, BT], kernel: findK}",
                  ":6: kernel: ", "a kernel is one of a single program's"));
    CHECK(refuses("{name: BT, kind: kernel, kernel: findK}",
                  ":6: kind: ", "a row that names a kernel is of kind launches"));
    CHECK(refuses("{name: BT, kind: launches}", ":6: ", "expected kernel: NAME"));
    CHECK(refuses("{name: SRAD, size: chip}", ":6: ", "SRAD has no input of size \"chip\""));
}

CHECK_MAIN("study_rows", TEST(a_users_kernel_is_a_row),
           TEST(programs_at_once_are_workloads_and_files),
           TEST(quick_resizes_workloads_and_leaves_files),
           TEST(one_line_makes_a_row_for_each_combination), TEST(rows_of_one_line_go_by_its_name),
           TEST(what_does_not_fit_together_is_refused), TEST(a_row_may_be_one_kernel_of_a_program))
