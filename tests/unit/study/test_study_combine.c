/* Combinations of programs, in their order, and samples of them. */
#include "check.h"

#include "rig/study_rig.h"
#include "study/kind.h"

static void open_rows(struct study_rig *r, const char *rows, const char *quick)
{
    char text[4096];
    snprintf(text, sizeof text,
             "machine: icc60\nvariants: {a: {}}\nsize: tiny\n"
             "groups: {up: [HS, BT, BP], down: [BFS, NN], part: [BT, BFS]}\n"
             "workloads: [HS, BT, BP, BFS, NN, %s]\n%sfigures: {f: {expr: cycles}}\n",
             rows, quick ? quick : "");
    study_rig_open(r, text, &(struct study_options){quick != NULL, NULL});
    CHECK_STR(r->err.text, "");
    CHECK(r->study != NULL);
}

/* The rows from the sixth on, by name, with a blank between. */
static void has_rows(const struct study_rig *r, const char *names)
{
    char text[4096] = "";
    for (uint32_t i = 5; i < r->study->nworkloads; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 5 ? " " : "",
                 r->study->workloads[i].name);
    CHECK_STR(text, names);
}

static void lists_are_combined_with_the_last_changing_fastest(void)
{
    struct study_rig r;
    open_rows(&r, "{name: m, programs: [up, down], window: 70}", NULL);
    has_rows(&r, "m_HS_BFS m_HS_NN m_BT_BFS m_BT_NN m_BP_BFS m_BP_NN");
    const struct study_workload *w = &r.study->workloads[8];
    CHECK(w->kind == &kind_programs && w->nprograms == 2 && w->window == 70);
    CHECK_STR(w->programs[0].workload, "BT");
    CHECK_STR(w->programs[1].workload, "NN");
    CHECK_STR(w->maker, "m");
    study_rig_close(&r);
    open_rows(&r, "{name: m, programs: [[HS@small, BT], BFS, down]}", NULL);
    has_rows(&r, "m_HS_BFS_NN m_BT_BFS_NN"); /* a single program is a list of one */
    CHECK_STR(r.study->workloads[5].programs[0].size, "small");
    study_rig_close(&r);
}

static void a_program_is_not_its_own_partner_and_no_set_is_there_twice(void)
{
    struct study_rig r;
    open_rows(&r, "{name: m, programs: [up, up]}", NULL);
    has_rows(&r, "m_HS_BT m_HS_BP m_BT_BP");
    study_rig_close(&r);
    open_rows(&r, "{name: m, programs: [part, up]}", NULL);
    has_rows(&r, "m_BT_HS m_BT_BP m_BFS_HS m_BFS_BT m_BFS_BP");
    study_rig_close(&r);
    open_rows(&r, "{name: m, programs: [up, up, up]}", NULL);
    has_rows(&r, "m_HS_BT_BP");
    study_rig_close(&r);
    open_rows(&r, "{name: m, programs: [[HS, HS@small], HS]}",
              NULL); /* at another size it is another */
    CHECK_STR(r.study->workloads[5].programs[0].size, "small");
    CHECK_EQ(r.study->nworkloads, 6);
    study_rig_close(&r);
}

static void combinations_are_crossed_with_parameters(void)
{
    struct study_rig r;
    open_rows(&r, "{name: m, programs: [HS, down], cross: {l1.size: [16K, 32K]}}", NULL);
    has_rows(&r, "m_HS_BFS_16K m_HS_BFS_32K m_HS_NN_16K m_HS_NN_32K");
    CHECK_STR(r.study->workloads[6].sets[0], "l1.size=32K");
    study_rig_close(&r);
}

static void there_may_be_hundreds_but_not_any_number(void)
{
    struct study_rig r;
    char all[512] = "", text[4096];
    const char *const names[] = {"HS",  "BT",  "BP",  "BFS", "SRAD", "LUD", "MM",
                                 "NN",  "DCT", "AES", "CP",  "LIB",  "LPS", "MUM",
                                 "NQU", "RAY", "STO", "WP",  "PF",   "LEU", "CFD",
                                 "MS",  "PVC", "II",  "SM",  "WC",   "LBM", "QRG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
    snprintf(text, sizeof text, "{name: m, programs: [[%s], [%s]]}", all, all);
    open_rows(&r, text, NULL);
    CHECK_EQ(r.study->nworkloads, 5 + 28 * 27 / 2);
    study_rig_close(&r);
    snprintf(text, sizeof text,
             "machine: icc60\nvariants: {a: {}}\nfigures: {f: {expr: cycles}}\n"
             "workloads:\n  - {name: m, programs: [[%s], [%s], [%s]]}\n",
             all, all, all);
    CHECK(study_rig_refuses(text, ":5: programs: ", "more than 2000 combinations"));
    snprintf(text, sizeof text,
             "machine: icc60\nvariants: {a: {}}\nfigures: {f: {expr: cycles}}\n"
             "workloads:\n  - {name: m, programs: [[%s], [%s], [%s], [%s]]}\n",
             all, all, all, all);
    CHECK(study_rig_refuses(text, ":5: programs: ", "more than 100000 combinations"));
}

/* The rows of the figure from the sixth row of the study on. */
static void takes(const char *quick, const char *names)
{
    struct study_rig r;
    char text[512] = "";
    open_rows(&r,
              "{name: m, programs: [up, down]}, {name: u, programs: [[HS, BT, BP, NN], [HS, BT, "
              "BP, NN]]},"
              "{name: x, kind: cost, cross: {l1.size: [16K, 32K, 48K, 64K, 96K]}}",
              quick);
    const struct study_figure *f = &r.study->figures[0];
    for (uint32_t i = 0; i < f->nworkloads; i++)
        if (f->workloads[i] >= 5)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "",
                     r.study->workloads[f->workloads[i]].name);
    CHECK_STR(text, names);
    study_rig_close(&r);
}

static void a_sample_is_even_over_the_programs(void)
{
    /* m: HS_BFS HS_NN | BT_BFS BT_NN | BP_BFS BP_NN: one of each run, BFS and NN in turn */
    takes("quick: {workloads: [m], sample: {m: 3}}\n", "m_HS_BFS m_BT_NN m_BP_BFS");
    takes("quick: {workloads: [m], sample: {m: 2}}\n", "m_HS_BFS m_BT_NN");
    takes("quick: {workloads: [m], sample: {m: 1}}\n", "m_HS_BFS");
    takes("quick: {workloads: [m], sample: {m: 6}}\n",
          "m_HS_BFS m_HS_NN m_BT_BFS m_BT_NN m_BP_BFS m_BP_NN");
    takes("quick: {workloads: [m], sample: {m: 99}}\n",
          "m_HS_BFS m_HS_NN m_BT_BFS m_BT_NN m_BP_BFS m_BP_NN");
    /* u: HS_BT HS_BP HS_NN | BT_BP BT_NN BP_NN: the last has neither HS nor BT */
    takes("quick: {workloads: [u], sample: {u: 2}}\n", "u_HS_BT u_BP_NN");
    /* runs of 1, 2 and 2; without programs the first of each */
    takes("quick: {workloads: [x], sample: {x: 3}}\n", "x_16K x_32K x_64K");
    takes("quick: {sample: {m: 1, u: 1}}\n", "m_HS_BFS u_HS_BT x_16K x_32K x_48K x_64K x_96K");
}

static void a_sample_is_of_rows_that_there_are(void)
{
    static const char *const bad[][2] = {{"{m_HS_BX: 3}", "did you mean m_HS_BP?"},
                                         {"{m: 0}", "a number of rows, from 1"},
                                         {"{m: some}", "a number of rows"},
                                         {"{m: [3]}", "one value"},
                                         {"8", "a map"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "machine: icc60\nvariants: {a: {}}\nfigures: {f: {expr: cycles}}\n"
                 "workloads: [{name: m, programs: [[HS, BT], BP]}]\nquick: {sample: %s}\n",
                 bad[i][0]);
        CHECK(study_rig_refuses(text, ":5: ", bad[i][1]));
    }
}

CHECK_MAIN("study_combine", TEST(lists_are_combined_with_the_last_changing_fastest),
           TEST(a_program_is_not_its_own_partner_and_no_set_is_there_twice),
           TEST(combinations_are_crossed_with_parameters),
           TEST(there_may_be_hundreds_but_not_any_number), TEST(a_sample_is_even_over_the_programs),
           TEST(a_sample_is_of_rows_that_there_are))
