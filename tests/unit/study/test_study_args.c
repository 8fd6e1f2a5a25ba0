/* Arguments that rows give to workloads. */
#include <stdio.h>

#include "check.h"
#include "rig/study_rig.h"
#include "study/kind.h"

#define HEAD "machine: icc60\nvariants: {a: {}}\nsize: tiny\n"
#define FIGURE "figures: {f: {expr: ipc}}\n"

static void open_rows(struct study_rig *r, const char *rows)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "workloads:\n%s" FIGURE, rows);
    study_rig_open(r, text, NULL);
    CHECK_STR(r->err.text, "");
    CHECK(r->study != NULL);
}

static bool refuses(const char *row, const char *begin, const char *has)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD FIGURE "workloads:\n  - %s\n", row);
    return study_rig_refuses(text, begin, has);
}

static const char *title(const struct study_rig *r, uint32_t row)
{
    return study_program_title(r->arena, &r->study->workloads[row].programs[0]);
}

static void arguments_are_part_of_what_is_asked_for(void)
{
    struct study_rig r;
    open_rows(&r, "  - CHASE\n"
                  "  - {name: near, workload: CHASE, args: {steps: 9, footprint: 2048}}\n"
                  "  - {name: same, workload: 'CHASE:footprint=2K', args: {steps: 9}}\n"
                  "  - {name: far, workload: 'chase@small:footprint=64M', kind: last}\n");
    CHECK_STR(title(&r, 0), "CHASE@tiny");
    CHECK_STR(title(&r, 1), "CHASE@tiny:footprint=2K,steps=9");
    CHECK_STR(title(&r, 2), title(&r, 1));
    CHECK_STR(title(&r, 3), "CHASE@small:footprint=64M");
    const struct study_program *of[4];
    for (uint32_t i = 0; i < 4; i++)
        of[i] = &r.study->workloads[i].programs[0];
    CHECK(study_program_hash(of[0], 1) != study_program_hash(of[1], 1));
    CHECK(study_program_hash(of[1], 1) == study_program_hash(of[2], 1));
    CHECK(study_program_asked(1, of[0], 1) != study_program_asked(1, of[1], 1));
    CHECK(r.study->workloads[3].kind == &kind_last && r.study->workloads[0].kind == &kind_kernel);
    study_rig_close(&r);
}

static void arguments_and_parameters_are_crossed(void)
{
    struct study_rig r;
    open_rows(&r, "  - {name: c, workload: CHASE, args: {steps: 9}, cross: {footprint: [2K, 4K], "
                  "l1.latency: [20, 30]}}\n");
    CHECK_EQ(r.study->nworkloads, 4);
    CHECK_STR(r.study->workloads[1].name, "c_2K_30");
    CHECK_STR(title(&r, 1), "CHASE@tiny:footprint=2K,steps=9");
    CHECK_STR(title(&r, 2), "CHASE@tiny:footprint=4K,steps=9");
    CHECK_EQ(r.study->workloads[1].nsets, 1);
    CHECK_STR(r.study->workloads[1].sets[0], "l1.latency=30");
    study_rig_close(&r);
}

static void what_a_workload_does_not_take_is_refused(void)
{
    CHECK(refuses("{name: HS, args: {x: 1}}", ":6: args: ", "HS takes no arguments"));
    CHECK(
        refuses("{name: c, workload: CHASE, args: {steps: 0}}", ":6: args: ", "steps=0: expected"));
    CHECK(
        refuses("{name: c, workload: 'CHASE:stepps=1'}", ":6: workload: ", "did you mean steps?"));
    CHECK(refuses("{name: c, workload: CHASE, cross: {feet: [1, 2]}}",
                  ":6: cross: ", "no argument \"feet\""));
    CHECK(refuses("{name: c, programs: [HS, BFS], args: {x: 1}}",
                  ":6: args: ", "for rows with one workload"));
    CHECK(refuses("{name: c, workload: HS, kind: cost}", ":6: kind: ", "of kind kernel"));
}

CHECK_MAIN("study_args", TEST(arguments_are_part_of_what_is_asked_for),
           TEST(arguments_and_parameters_are_crossed),
           TEST(what_a_workload_does_not_take_is_refused))
