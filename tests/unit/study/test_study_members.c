/* Programs that rows name by lists, groups and lines; rows under names of their own. */
#include "check.h"

#include "rig/study_rig.h"
#include "study/kind.h"

#define HEAD "machine: icc60\nvariants: {a: {}}\nsize: tiny\ngroups: {up: [HS, BT]}\n"
#define FIGURE "figures: {f: {expr: cycles}}\n"
#define SAXPY                                                                                      \
    "ptx: " HEDDLE_SOURCE_DIR "/examples/saxpy/saxpy.ptx, "                                        \
    "launch: " HEDDLE_SOURCE_DIR "/examples/saxpy/saxpy.yaml"

static void open_rows(struct study_rig *r, const char *rows)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD "workloads: [HS, {name: BT, size: small}, %s]\n" FIGURE, rows);
    study_rig_open(r, text, NULL);
    CHECK_STR(r->err.text, "");
    CHECK(r->study != NULL);
}

static void is_row(const struct study_rig *r, uint32_t row, const char *text, const char *workload)
{
    const struct study_workload *w = &r->study->workloads[row];
    CHECK(row < r->study->nworkloads && w->kind == &kind_kernel);
    CHECK_STR(study_row_text(r->arena, w), text);
    CHECK_EQ(w->nprograms, 1);
    CHECK_STR(w->programs[0].workload, workload);
}

static void a_row_may_have_a_name_of_its_own(void)
{
    struct study_rig r;
    open_rows(&r, "{name: few_HS, workload: hs, size: few}, {name: s, workload: BP@small}");
    CHECK_EQ(r.study->nworkloads, 4);
    is_row(&r, 2, "few_HS@few", "HS");
    is_row(&r, 3, "s@small", "BP");
    CHECK(r.study->workloads[2].maker == NULL);
    study_rig_close(&r);
}

static void a_line_makes_such_rows_of_a_group_or_list(void)
{
    struct study_rig r;
    open_rows(&r, "{name: few, workload: up, size: few}, {name: own, workload: up},"
                  "{name: l, workload: [BP, up, BFS@small]}, {name: again, workload: few},"
                  "{name: c, workload: up, cross: {l1.size: [16K, 32K]}}");
    CHECK_EQ(r.study->nworkloads, 16);
    is_row(&r, 2, "few_HS@few", "HS");
    is_row(&r, 3, "few_BT@few", "BT");
    is_row(&r, 4, "own_HS@tiny", "HS");
    is_row(&r, 5, "own_BT@small", "BT"); /* as the group's row has it */
    is_row(&r, 6, "l_BP@tiny", "BP");
    is_row(&r, 9, "l_BFS@small", "BFS");
    is_row(&r, 10, "again_few_HS@few", "HS");
    is_row(&r, 12, "c_HS_16K@tiny", "HS");
    is_row(&r, 13, "c_HS_32K@tiny", "HS");
    is_row(&r, 15, "c_BT_32K@small", "BT");
    CHECK_STR(r.study->workloads[3].maker, "few");
    CHECK_EQ(r.study->workloads[15].nsets, 1);
    study_rig_close(&r);
}

static void programs_may_be_rows_and_files(void)
{
    struct study_rig r;
    open_rows(&r, "{name: few_HS, workload: HS, size: few},"
                  "{name: p, programs: [few_HS, BT]},"
                  "{name: q, programs: [[{name: mine, " SAXPY "}, {" SAXPY "}], few_HS]},"
                  "{name: s, programs: [[{" SAXPY "}], BP]}");
    CHECK_EQ(r.study->nworkloads, 6);
    const struct study_workload *p = &r.study->workloads[3];
    CHECK_STR(p->name, "p");
    CHECK_STR(p->programs[0].size, "few");
    CHECK_STR(p->programs[1].size, "tiny"); /* the workload, not the row of its name */
    CHECK_STR(r.study->workloads[4].name, "q_mine_few_HS"); /* the second is the same program */
    CHECK_STR(r.study->workloads[5].name, "s_saxpy_BP");
    study_rig_close(&r);
}

static bool refuses(const char *row, const char *begin, const char *has)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD FIGURE "workloads:\n  - HS\n  - BT\n  - {name: set, workload: HS,"
                         " set: {l1.size: 32K}}\n  - {name: chip, kind: cost}\n  - %s\n  - BP\n",
             row);
    return study_rig_refuses(text, begin, has);
}

static void what_is_no_program_is_refused(void)
{
    CHECK(refuses("{name: m, workload: HX}", ":11: workload: ", "did you mean HS?"));
    CHECK(refuses("{name: m, workload: upp}", ":11: workload: ", "did you mean up?"));
    CHECK(refuses("{name: m, workload: {name: HS}}", ":11: workload: ", "name of a workload"));
    CHECK(refuses("{name: m, workload: []}", ":11: workload: ", "at least one program"));
    CHECK(refuses("{name: m, workload: up, size: smal}", ":11: size: ", "did you mean small?"));
    CHECK(refuses("{name: m, workload: HS, kind: cost}", ":11: kind: ", "of kind kernel"));
    CHECK(refuses("{name: m, workload: HS, window: 5}", ":11: window: ", "for programs"));
    CHECK(refuses("{name: m, workload: HS, " SAXPY "}", ":11: workload: ", "only one"));
    CHECK(refuses("{name: m, workload: HS, programs: [HS, BT]}", ":11: programs: ", "only one"));
    CHECK(refuses("{name: m, workload: [{" SAXPY "}], size: tiny}", ":11: size: ", "no size"));
    CHECK(refuses("{name: m, workload: [HS, HS@small]}", ":11: ", "m_HS\" is there twice"));
    CHECK(refuses("{name: m, programs: [chip, HS]}", ":11: ", "row chip is of kind cost"));
    CHECK(refuses("{name: m, programs: [[BT, set], HS]}", ":11: ", "has a set of its own"));
    CHECK(refuses("{name: m, programs: [[], HS]}", ":11: ", "at least one program"));
    CHECK(refuses("{name: m, programs: [[[HS]], HS]}", ":11: ", "a map"));
    CHECK(refuses("{name: m, programs: [[HS], [HS]]}", ":11: programs: ", "no combination"));
    CHECK(study_rig_refuses(HEAD FIGURE "workloads:\n  - {name: m, programs: [up, BFS]}\n"
                                        "  - HS\n  - BT\n",
                            ":4: ", "row \"HS\" comes after a line that needs this group"));
}

CHECK_MAIN("study_members", TEST(a_row_may_have_a_name_of_its_own),
           TEST(a_line_makes_such_rows_of_a_group_or_list), TEST(programs_may_be_rows_and_files),
           TEST(what_is_no_program_is_refused))
