/* Groups: names for lists of rows, wherever rows are listed; what is refused. */
#include "check.h"

#include "rig/study_rig.h"

#define HEAD "machine: icc60\nvariants: {a: {}, b: {}}\nsize: tiny\n"
#define ROWS                                                                                       \
    "workloads: [HS, BT, BP, {name: x, kind: cost, cross: {l1.size: [16K, 32K]}}]\n"               \
    "groups: {few: [BP, HS], more: [x, few], all: [few, more, BT]}\n"

static void open_study(struct study_rig *r, const char *text, bool quick, const char *only)
{
    study_rig_open(r, text, &(struct study_options){quick, only});
    CHECK_STR(r->err.text, "");
    CHECK(r->study != NULL);
}

static void has_rows(const struct study_figure *f, uint32_t n, const uint32_t *rows)
{
    CHECK_EQ(f->nworkloads, n);
    for (uint32_t i = 0; i < n; i++)
        CHECK_EQ(f->workloads[i], rows[i]);
}

static void a_group_stands_for_its_rows_in_their_order(void)
{
    struct study_rig r;
    open_study(&r,
               HEAD ROWS "figures: {f: {expr: ipc, workloads: [few]},"
                         " g: {expr: ipc, workloads: [BT, more]},"
                         " h: {expr: ipc, workloads: [all]}}\n",
               false, NULL);
    has_rows(&r.study->figures[0], 2, (const uint32_t[]){2, 0});
    has_rows(&r.study->figures[1], 5, (const uint32_t[]){1, 3, 4, 2, 0});
    has_rows(&r.study->figures[2], 5, (const uint32_t[]){2, 0, 3, 4, 1}); /* each once */
    study_rig_close(&r);
}

static void quick_and_only_take_groups(void)
{
    const char *text = HEAD ROWS "quick: {workloads: [few]}\nfigures: {f: {expr: ipc}}\n";
    struct study_rig r;
    open_study(&r, text, true, NULL);
    has_rows(&r.study->figures[0], 2, (const uint32_t[]){0, 2});
    study_rig_close(&r);
    open_study(&r, text, false, "MORE");
    has_rows(&r.study->figures[0], 4, (const uint32_t[]){0, 2, 3, 4});
    study_rig_close(&r);
    study_rig_open(&r, text, &(struct study_options){false, "mor"});
    CHECK(r.study == NULL && strstr(r.err.text, "did you mean more?"));
    study_rig_close(&r);
}

static bool refuses(const char *groups, const char *begin, const char *has)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "workloads: [HS, BT, {name: x, kind: cost, cross: {l1.size: [16K]}}]\n"
                  "figures: {f: {expr: ipc, workloads: [HS]}}\ngroups:\n  %s\n",
             groups);
    return study_rig_refuses(text, begin, has);
}

static void names_that_are_taken_or_not_there_are_refused(void)
{
    CHECK(refuses("- HS", ":6: groups: ", "a map"));
    CHECK(refuses("p: HS", ":7: p: ", "a list"));
    CHECK(refuses("p: []", ":7: p: ", "at least one row"));
    CHECK(refuses("p: [[HS]]", ":7: ", "one value"));
    CHECK(refuses("p: [HX]", ":7: ", "no row or earlier group \"HX\"; did you mean HS?"));
    CHECK(refuses("p: [pp]\n  pp: [HS]", ":7: ", "no row or earlier group \"pp\""));
    CHECK(refuses("p: [p]", ":7: ", "no row or earlier group \"p\""));
    CHECK(refuses("first: [HS]\n  p: [frist]", ":8: ", "did you mean first?"));
    CHECK(refuses("HS: [BT]", ":7: HS: ", "a row of this name"));
    CHECK(refuses("x: [BT]", ":7: x: ", "a row of this name"));
    CHECK(refuses("b: [BT]", ":7: b: ", "a variant of this name"));
    CHECK(refuses("f: [BT]", ":7: f: ", "a figure of this name"));
    CHECK(refuses("BFS: [BT]", ":7: BFS: ", "a workload of this name"));
    CHECK(refuses("mean: [BT]", ":7: mean: ", "this name is taken"));
    CHECK(refuses("\"a b\": [BT]", ":7: a b: ", "a name has letters"));
    CHECK(study_rig_refuses(HEAD ROWS "figures: {f: {expr: ipc, workloads: [mroe]}}\n",
                            ":6: ", "no workload of this study \"mroe\"; did you mean more?"));
    CHECK(study_rig_refuses(HEAD ROWS "figures: {f: {expr: ipc, workloads: [few, HS]}}\n",
                            ":6: ", "\"HS\" is there twice"));
    CHECK(study_rig_refuses(HEAD ROWS "quick: {workloads: [moer]}\nfigures: {f: {expr: ipc}}\n",
                            ":6: ", "did you mean more?"));
}

CHECK_MAIN("study_groups", TEST(a_group_stands_for_its_rows_in_their_order),
           TEST(quick_and_only_take_groups), TEST(names_that_are_taken_or_not_there_are_refused))
