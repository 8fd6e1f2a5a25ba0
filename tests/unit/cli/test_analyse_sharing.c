#include "check.h"

#include "cli/analyse_sharing.h"
#include "rig/capture.h"
#include "rig/results_rig.h"

#define BINS(name, a, b, c, d, e, f, g, h, i, j, k, l)                                             \
    {"sharing", name "_1", a, 0}, {"sharing", name "_2", b, 0}, {"sharing", name "_3", c, 0},      \
        {"sharing", name "_4", d, 0}, {"sharing", name "_5", e, 0}, {"sharing", name "_6", f, 0},  \
        {"sharing", name "_7", g, 0}, {"sharing", name "_8", h, 0}, {"sharing", name "_16", i, 0}, \
        {"sharing", name "_32", j, 0}, {"sharing", name "_64", k, 0},                              \
    {                                                                                              \
        "sharing", name "_more", l, 0                                                              \
    }

static const struct results_rig_item items[] = {
    {"sharing", "blocks", 12345, 0},
    {"sharing", "cta_shared", 1000, 0},
    BINS("distance", 500, 200, 10, 40, 20, 30, 0, 0, 50, 50, 50, 50),
    BINS("step", 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4),
    BINS("pair", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8),
    {"sharing", "shared_hits", 50, 0},
    {"sharing", "shared_merges", 44, 0},
    {"sharing", "shared_misses", 6, 0},
    {"sharing", "reuse_0", 1, 0},
    {"sharing", "reuse_10", 1, 0},
    {"sharing", "reuse_100", 1, 0},
    {"sharing", "reuse_1000", 47, 0},
    {"sharing", "reuse_10000", 50, 0},
    {"sharing", "cta_mean", 9000, 3},
    {"sharing", "cta_sigma", 600, 3},
    {"sharing", "cta_least", 6000, 3},
    {"sharing", "cta_most", 12000, 3},
    {"sharing", "cta_misfit", 86, 2},
    {"sharing", "row_sigma", 99, 1},
    {"sharing", "cta_fitted", 2, 0},
    {"sharing", "cta_gaussian", 1, 0},
    {"sharing", "sharers", 20000, 0},
    {"sharing", "sharers_1", 10000, 0},
    {"sharing", "sharers_2", 6000, 0},
    {"sharing", "sharers_3", 2000, 0},
    {"sharing", "sharers_4", 1000, 0},
    {"sharing.l1", "compulsory", 9, 0},
    {"sharing.l1", "capacity", 61, 0},
    {"sharing.l1", "conflict", 20, 0},
    {"sharing.l1", "invalidated", 10, 0},
    {"sharing.l1", "full_misses", 85, 0},
};

static const struct results_rig_item l2_items[] = {
    {"sharing.l2", "compulsory", 19, 0}, {"sharing.l2", "capacity", 70, 0},
    {"sharing.l2", "conflict", 11, 0},   {"sharing.l2", "full_misses", 2000, 0},
    {"sharing.l2", "sharers_1", 100, 0}, {"sharing.l2", "sharers_2", 20, 0},
    {"sharing.l2", "sharers_3", 0, 0},   {"sharing.l2", "sharers_4", 0, 0},
};

static const char *print(bool has_l2, uint32_t nkernels, struct arena *a, struct text *x)
{
    struct stats *tree = stats_new(a);
    results_rig_plant(tree, a, items, sizeof items / sizeof items[0]);
    if (has_l2)
        results_rig_plant(tree, a, l2_items, sizeof l2_items / sizeof l2_items[0]);
    struct stats_snapshot *all = stats_snapshot(tree, a), *none = stats_snapshot_clone(all, a);
    struct results_view v = {.scale = &results_rig_scale, .values = all, .cycles = 10};
    stats_snapshot_subtract(none, none);
    const struct machine_kernel known = {.name = "first", .before = none, .after = all, .end = 10};
    const struct machine_kernel among_others = {.name = "second"}; /* no counts of its own */
    const struct machine_kernel *kernels[] = {&known, &among_others, &known};
    struct run_report r = {.sum = &v, .kernels = kernels, .nkernels = nkernels, .most_kernels = 2};
    text_open(x);
    analyse_sharing_print(&r, a, x->out);
    return text_close(x);
}

static void tables_of_all_analyses(void)
{
    struct arena *a = arena_new();
    struct text x;
    CHECK_STR(
        print(true, 3, a, &x),
        "\n"
        "sharing: 12.3k blocks of 128 bytes of global memory, counted once for each kernel that "
        "touches them\n"
        "8.1 % were touched by several CTAs (nearest less than 5 apart: 75.0 % of these), 60.0 % "
        "by several SMs (2.67 on average)\n"
        "\n"
        "apart, %                    1     2    3    4    5    6    7    8  9-16  17-32  33-64   "
        "more\n"
        "nearest CTAs of a block  50.0  20.0  1.0  4.0  2.0  3.0  0.0  0.0   5.0    5.0    5.0    "
        "5.0\n"
        "a CTA and the next        5.0   5.0  5.0  5.0  5.0  5.0  5.0  5.0  10.0   15.0   15.0   "
        "20.0\n"
        "any two CTAs              0.0   0.0  0.0  0.0  0.0  0.0  0.0  0.0   0.0    0.0    0.0  "
        "100.0\n"
        "\n"
        "at most, %                  1      2      3      4      5      6      7      9     11     "
        "13     15     31     63\n"
        "SMs of a block           40.0   80.0   90.0  100.0  100.0  100.0  100.0  100.0  100.0  "
        "100.0  100.0  100.0  100.0\n"
        "SMs of a line in the L2  80.0  100.0  100.0  100.0  100.0  100.0  100.0  100.0  100.0  "
        "100.0  100.0  100.0  100.0\n"
        "\n"
        "misses  all  compulsory %  capacity %  conflict %  invalidated %  if fully associative\n"
        "L1      100           9.0        61.0        20.0           10.0                    85\n"
        "L2      100          19.0        70.0        11.0              -                 2.00k\n"
        "\n"
        "loads of blocks of several SMs  all  hits %  in an MSHR %  misses %\n"
        "through the L1                  100    50.0          44.0       6.0\n"
        "\n"
        "hits and misses after a fill, %  below 10  100  1000  10000  more\n"
        "of these, cycles                      1.0  1.0   1.0   47.0  50.0\n"
        "\n"
        "cycles of CTAs  mean  sigma  least  most  sigma of rows  from Gaussian  fitting\n"
        "first           3000    200   2000  4000             99          0.043   1 of 2\n"
        "all kernels     3000    200   2000  4000             99          0.043   1 of 2\n"
        "(rows: of the grid; fitting: kernels that do not refute the Gaussian, of those with "
        "enough CTAs)\n");
    text_free(&x);
    arena_free(a);
}

static void a_machine_without_an_l2_has_none_in_its_tables(void)
{
    struct arena *a = arena_new();
    struct text x;
    const char *text = print(false, 1, a, &x);
    CHECK(strstr(text, "SMs of a line") == NULL);
    CHECK(strstr(text, "\nL1 ") != NULL);
    CHECK(strstr(text, "\nL2 ") == NULL);
    CHECK(strstr(text, "all kernels") == NULL); /* there is one */
    text_free(&x);
    arena_free(a);
}

CHECK_MAIN("analyse_sharing", TEST(tables_of_all_analyses),
           TEST(a_machine_without_an_l2_has_none_in_its_tables))
