#include "check.h"

#include "rig/explore_rig.h"

#define HEAD                                                                                       \
    "machine: icc60\nsize: tiny\nworkloads: [HS, BP]\nmethod: grid\n"                              \
    "objectives: {time: {expr: cycles / base.cycles}}\n"
#define SPACE                                                                                      \
    "space:\n  l1.size: [16K, 32K]\n  icc: {off: {icc.enabled: false}, on: {icc.enabled: true}}\n" \
    "  icc.entries: {from: 8, to: 64, times: 2}\n  l1.mshrs: {from: 8, to: 32, step: 8}\n"

static void axes_are_lists_named_sets_and_ranges(void)
{
    struct explore_rig r;
    explore_rig_open(&r, HEAD SPACE, "", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->axes.n, 4);
    CHECK_EQ(r.x->axes.all[2].n, 4);
    CHECK_STR(r.x->axes.all[2].values[3].sets[0], "icc.entries=64");
    CHECK(r.x->axes.all[2].is_range);
    CHECK_EQ(r.x->axes.all[3].n, 4);
    CHECK_STR(r.x->axes.all[3].values[1].name, "16");
    CHECK_STR(r.x->axes.all[1].values[1].sets[0], "icc.enabled=true");
    explore_rig_close(&r);
}

static void the_baseline_has_the_first_of_each_axis_unless_it_says_otherwise(void)
{
    struct explore_rig r;
    explore_rig_open(&r, HEAD SPACE "baseline: {l1.size: 32K, l1.mshrs: 24}\n", "", false);
    CHECK_STR(r.err.text, "");
    const uint32_t want[] = {1, 0, 0, 2};
    for (int i = 0; i < 4; i++)
        CHECK_EQ(r.x->start[i], want[i]);
    const struct study_variant *v = &r.x->study->variants[0];
    CHECK_STR(v->name, "baseline");
    CHECK_EQ(v->nsets, 4);
    CHECK_STR(v->sets[0], "l1.size=32K");
    explore_rig_close(&r);
}

static void an_axis_that_does_not_matter_leaves_its_settings_out(void)
{
    struct explore_rig r;
    explore_rig_open(&r, HEAD SPACE "when: {icc.entries: {icc: on}}\n", "", false);
    CHECK_STR(r.err.text, "");
    uint32_t out[4];
    explore_canonical(r.x, (const uint32_t[]){0, 0, 3, 1}, out);
    CHECK_EQ(out[2], UINT32_MAX);
    CHECK_EQ(out[3], 1);
    explore_canonical(r.x, (const uint32_t[]){0, 1, 3, 1}, out);
    CHECK_EQ(out[2], 3);
    CHECK_EQ(r.x->study->variants[0].nsets, 3);
    explore_rig_close(&r);
}

/* b needs a, c needs b: where a is off, c does not matter either, in whatever order they stand. */
static void conditions_follow_one_another(void)
{
    struct explore_rig r;
    explore_rig_open(&r,
                     HEAD "space: {l1.size: [16K, 32K], l1.ways: [4, 8], l1.mshrs: [8, 16]}\n"
                          "when: {l1.mshrs: {l1.ways: 8}, l1.ways: {l1.size: [32K]}}\n",
                     "", false);
    CHECK_STR(r.err.text, "");
    uint32_t out[3];
    explore_canonical(r.x, (const uint32_t[]){0, 1, 1}, out);
    CHECK_EQ(out[1], UINT32_MAX);
    CHECK_EQ(out[2], UINT32_MAX);
    explore_canonical(r.x, (const uint32_t[]){1, 1, 1}, out);
    CHECK_EQ(out[2], 1);
    explore_rig_close(&r);
}

static void objectives_come_before_constraints_and_know_their_means(void)
{
    struct explore_rig r;
    explore_rig_open(&r,
                     "machine: icc60\nworkloads: [HS]\nmethod: grid\nspace: {l1.size: [16K, 32K]}\n"
                     "constraints: {slow: {expr: cycles, over: most, at_most: 1e9}}\n"
                     "objectives: {time: cycles / base.cycles, rate: {expr: ipc, goal: most}}\n",
                     "", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->nvalues, 3);
    CHECK_EQ(r.x->nobjectives, 2);
    CHECK_STR(r.x->values[2].name, "slow");
    CHECK_EQ(r.x->values[0].over, OVER_GEOMETRIC);
    CHECK_EQ(r.x->values[1].over, OVER_ARITHMETIC);
    CHECK_EQ(r.x->values[2].over, OVER_MOST);
    CHECK(r.x->values[1].wants_most && !r.x->values[0].wants_most);
    CHECK_NEAR(r.x->values[2].at_most, 1e9, 0);
    explore_rig_close(&r);
}

static void a_machine_of_the_file_has_its_own_settings_axes_and_baseline(void)
{
    static const char text[] =
        "workloads: [HS]\nsize: tiny\nmethod: grid\nobjectives: {time: cycles}\n"
        "space: {l1.size: [16K, 32K], net: {a: {noc.width: 32}, b: {noc.width: 64}}}\n"
        "machines:\n"
        "  one: {machine: icc60}\n"
        "  two: {machine: volta, set: {l1.mshrs: 16}, baseline: {net: c},\n"
        "        space: {net: {c: {noc.width: 16}}, l1.ways: [4, 8]}}\n";
    struct explore_rig r;
    explore_rig_open(&r, text, "two", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->axes.n, 3);
    CHECK_STR(r.x->axes.all[1].values[0].name, "c");
    const struct study_variant *v = &r.x->study->variants[0];
    CHECK_STR(v->machine, "volta");
    CHECK_STR(v->sets[0], "l1.mshrs=16");
    CHECK_STR(v->sets[2], "noc.width=16");
    explore_rig_close(&r);
    explore_rig_open(&r, text, "one", false);
    CHECK_EQ(r.x->axes.n, 2);
    CHECK_STR(r.x->study->variants[0].machine, "icc60");
    explore_rig_close(&r);
}

static void the_quick_form_has_its_own_methods_budget_and_sizes(void)
{
    static const char text[] =
        HEAD "space: {l1.size: [16K, 32K]}\nbudget: {runs: 100, hours: 2}\nsizes: [tiny, small]\n"
             "nsga2: {population: 40}\n"
             "quick: {workloads: [HS], method: [pairs, nsga2], budget: {runs: 5}, sizes: [tiny],\n"
             "        nsga2: {population: 4}}\n";
    struct explore_rig r;
    explore_rig_open(&r, text, "", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->nmethods, 1);
    CHECK_EQ(r.x->nsizes, 2);
    CHECK_STR(r.x->sized[1][0].size, "small");
    CHECK_STR(r.x->sized[0][0].size, "tiny");
    CHECK_EQ(r.x->most_runs, 100);
    CHECK_NEAR(r.x->most_hours, 2, 0);
    CHECK_EQ(r.x->study->figures[0].nworkloads, 2);
    explore_rig_close(&r);
    explore_rig_open(&r, text, "", true);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->nmethods, 2);
    CHECK_EQ(r.x->nsizes, 1);
    CHECK_EQ(r.x->most_runs, 5);
    CHECK_EQ(r.x->study->figures[0].nworkloads, 1);
    explore_rig_close(&r);
}

/* What --only leaves out of a study's figures would be an objective here. */
static void only_workloads_can_be_left_out(void)
{
    static const char *const words[] = {"time", "baseline", "BP"};
    struct explore_rig r;
    for (int i = 0; i < 3; i++) {
        explore_rig_open_only(&r,
                              HEAD "space: {l1.size: [16K, 32K]}\n"
                                   "classes: {ideal: {network: {noc.topology: ideal}}}\n"
                                   "constraints: {slow: {expr: cycles, at_most: 1, "
                                   "workloads: [HS]}}\n",
                              words[i]);
        CHECK(!r.x && strstr(r.err.text, "choose workloads of an exploration"));
        explore_rig_close(&r);
    }
    explore_rig_open_only(&r, HEAD SPACE, "BP");
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->study->figures[0].nworkloads, 1);
    explore_rig_close(&r);
}

static void a_range_ends_where_it_says_whatever_its_sign(void)
{
    struct explore_rig r;
    explore_rig_open(&r,
                     HEAD "space:\n  l1.size: {from: -3, to: -1, step: 1}\n"
                          "  l1.ways: {from: -0.3, to: 0, step: 0.1}\n"
                          "  l1.mshrs: {from: 1, to: 10, times: 10}\n"
                          "  l2.ways: {from: 5, to: 5, step: 2}\n",
                     "", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->axes.all[0].n, 3);
    CHECK_EQ(r.x->axes.all[1].n, 4);
    CHECK_EQ(r.x->axes.all[2].n, 2);
    CHECK_EQ(r.x->axes.all[3].n, 1);
    explore_rig_close(&r);
}

/* The quick form's size is that of its runs, and of the name that they go by. */
static void a_quick_form_of_another_size_has_that_one_alone(void)
{
    struct explore_rig r;
    explore_rig_open(&r,
                     "machine: icc60\nsize: study\nworkloads: [HS]\nmethod: grid\n"
                     "objectives: {time: cycles}\nspace: {l1.size: [16K, 32K]}\n"
                     "sizes: [small, study]\nquick: {size: tiny}\n",
                     "", true);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->nsizes, 1);
    CHECK_STR(r.x->sizes[0], "tiny");
    CHECK_STR(r.x->sized[0][0].size, "tiny");
    explore_rig_close(&r);
}

static void classes_are_variants_with_a_part_made_ideal(void)
{
    struct explore_rig r;
    explore_rig_open(&r,
                     HEAD
                     "space: {l1.size: [16K, 32K]}\n"
                     "classes: {ideal: {network: {noc.topology: ideal}, l2: {l2.perfect: true}},\n"
                     "          above: 1.2, otherwise: latency}\n",
                     "", false);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.x->classes.n, 2);
    CHECK_STR(r.x->classes.names[2], "latency");
    CHECK_EQ(r.x->study->nvariants, 3);
    CHECK_STR(r.x->study->variants[1].name, "ideal_network");
    CHECK_STR(r.x->study->variants[1].sets[1], "noc.topology=ideal");
    CHECK_EQ(r.x->study->figures[r.x->classes.figure].nvariants, 2);
    explore_rig_close(&r);
}

static void what_is_wrong_is_refused_by_name(void)
{
    CHECK(explore_rig_refuses(HEAD, "expected the key \"space\""));
    CHECK(explore_rig_refuses(HEAD "space: {}\n", "expected 1 to 64 axes"));
    CHECK(explore_rig_refuses(HEAD "space: {l1.size: 16K}\n", "expected a list of values"));
    CHECK(explore_rig_refuses(HEAD "space: {l1.size: {from: 8, to: 4, step: 1}}\n",
                              "expected {from: A, to: B, step: C}"));
    CHECK(explore_rig_refuses(HEAD "space: {l1.size: {from: 8, to: 1e9, step: 1}}\n",
                              "more than 1000 steps"));
    CHECK(explore_rig_refuses(HEAD SPACE "when: {l1.size: {l1.size: 16K}}\n",
                              "an axis cannot depend on itself"));
    CHECK(explore_rig_refuses(HEAD SPACE "when: {l1.size: {icc: on}, icc: {l1.size: 16K}}\n",
                              "axes that depend on each other"));
    CHECK(explore_rig_refuses(HEAD SPACE "quick: {size: tiny, sizes: [tiny]}\n",
                              "expected either size or sizes"));
    CHECK(explore_rig_refuses(HEAD SPACE "classes: {ideal: {}}\n", "expected at least one"));
    CHECK(explore_rig_refuses(HEAD SPACE "baseline: {l1.size: 17K}\n", "no value of l1.size"));
    CHECK(explore_rig_refuses(HEAD SPACE "budget: {runs: 0}\n", "expected runs from 1"));
    CHECK(explore_rig_refuses(HEAD SPACE "sizes: [huge]\n", "no size \"huge\""));
    CHECK(explore_rig_refuses(HEAD SPACE "constraints: {a: {expr: ipc}}\n",
                              "expected at_least or at_most"));
    CHECK(explore_rig_refuses(HEAD SPACE "constraints: {time: {expr: ipc, at_most: 1}}\n",
                              "time is there twice"));
    CHECK(explore_rig_refuses(HEAD SPACE "grid: {most: x}\n", "expected an integer"));
}

CHECK_MAIN("explore_read", TEST(axes_are_lists_named_sets_and_ranges),
           TEST(the_baseline_has_the_first_of_each_axis_unless_it_says_otherwise),
           TEST(an_axis_that_does_not_matter_leaves_its_settings_out),
           TEST(conditions_follow_one_another),
           TEST(objectives_come_before_constraints_and_know_their_means),
           TEST(a_machine_of_the_file_has_its_own_settings_axes_and_baseline),
           TEST(the_quick_form_has_its_own_methods_budget_and_sizes),
           TEST(only_workloads_can_be_left_out), TEST(a_range_ends_where_it_says_whatever_its_sign),
           TEST(a_quick_form_of_another_size_has_that_one_alone),
           TEST(classes_are_variants_with_a_part_made_ideal),
           TEST(what_is_wrong_is_refused_by_name))
