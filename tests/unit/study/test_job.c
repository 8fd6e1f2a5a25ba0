#include "check.h"

#include "machine/machine.h"
#include "rig/study_rig.h"
#include "study/job.h"
#include "study/kind.h"

struct fixture {
    struct study_rig rig;
    struct study_plan plan;
    struct err err;
    bool ok;
};

static void open_plan(struct fixture *f, const char *text)
{
    *f = (struct fixture){0};
    study_rig_open(&f->rig, text, NULL);
    if (!f->rig.study)
        print_error("%s\n", f->rig.err.text);
    CHECK(f->rig.study != NULL);
    f->ok = study_plan(f->rig.arena, f->rig.study, &study_rig_above, &f->plan, &f->err);
}

static bool refuses(const char *text, const char *begin, const char *has)
{
    struct fixture f;
    open_plan(&f, text);
    size_t n = strlen(f.rig.path);
    bool ok = !f.ok && f.err.status == STATUS_BAD_INPUT &&
              strncmp(f.err.text, f.rig.path, n) == 0 &&
              strncmp(f.err.text + n, begin, strlen(begin)) == 0 && strstr(f.err.text, has);
    if (!ok)
        print_error("got: %s\n", f.ok ? "no error" : f.err.text);
    study_rig_close(&f.rig);
    return ok;
}

static void what_figures_ask_for_and_their_baselines_are_run_once(void)
{
    struct fixture f;
    open_plan(&f, STUDY_RIG_HEAD "figures:\n"
                                 "  f: {metric: speedup, baseline: rr, variants: [icc],"
                                 " workloads: [HS, BP]}\n"
                                 "  g: {expr: ipc, variants: [icc], workloads: [HS]}\n");
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 4);
    uint32_t expected[9] = {0, UINT32_MAX, 1, 2, UINT32_MAX, 3, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    for (int i = 0; i < 9; i++)
        CHECK_EQ(f.plan.of[i], expected[i]);
    CHECK_STR(f.plan.jobs[2].label, "icc/HS@tiny");
    CHECK_EQ(f.plan.jobs[3].variant, 1);
    CHECK_EQ(f.plan.jobs[3].workload, 2);
    CHECK(f.plan.jobs[0].cost > 0);
    study_rig_close(&f.rig);
}

static void baselines_of_variants_are_run(void)
{
    struct fixture f;
    open_plan(&f, "machine: icc60\nsize: tiny\nworkloads: [HS]\nvariants:\n"
                  "  rr: {}\n"
                  "  icc: {set: {l1.mshrs: 16}}\n"
                  "  big: {over: icc, set: {l1.mshrs: 8}}\n"
                  "figures: {f: {expr: ipc / base.ipc, baseline: rr, variants: [big]}}\n");
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 2);
    CHECK_EQ(f.plan.of[0], UINT32_MAX); /* nobody is compared with it */
    study_rig_close(&f.rig);
    CHECK(study_rig_refuses("machine: icc60\nworkloads: [HS]\n"
                            "variants: {rr: {over: rx}}\nfigures: {f: {expr: ipc}}\n",
                            ":3: over: ", "did you mean rr?"));
}

static void variants_of_one_configuration_share_their_runs(void)
{
    struct fixture f;
    open_plan(&f, "machine: icc60\nsize: tiny\nworkloads: [HS]\n"
                  "variants: {a: {}, b: {set: {l1.mshrs: 32}}, c: {set: {l1.mshrs: 31}}}\n"
                  "figures: {f: {expr: ipc}}\n");
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 2);
    CHECK_EQ(f.plan.of[0], 0);
    CHECK_EQ(f.plan.of[1], 0);
    CHECK_EQ(f.plan.of[2], 1);
    CHECK(config_hash(f.plan.jobs[0].config, NULL, NULL) !=
          config_hash(f.plan.jobs[1].config, NULL, NULL));
    study_rig_close(&f.rig);
}

static uint64_t key_of(const char *head)
{
    char text[512];
    struct fixture f;
    snprintf(text, sizeof text, "machine: icc60\nvariants: {a: {}}\nfigures: {f: {expr: ipc}}\n%s",
             head);
    open_plan(&f, text);
    CHECK(f.ok);
    uint64_t key = f.plan.jobs[0].key;
    study_rig_close(&f.rig);
    return key;
}

static void a_key_is_of_all_that_a_result_depends_on(void)
{
    uint64_t key = key_of("workloads: [HS]\nsize: tiny\n");
    CHECK(key == key_of("workloads: [{name: hs, size: tiny}]\nseed: 1\ntitle: another\n"));
    CHECK(key != key_of("workloads: [HS]\nsize: small\n"));
    CHECK(key != key_of("workloads: [BT]\nsize: tiny\n"));
    CHECK(key != key_of("workloads: [HS]\nsize: tiny\nseed: 2\n"));
}

/* Machines priced, in rows with settings of their own and without. */
/* What is built to try out a variant is the same for all pairs, but for the settings of a line. */
static void pairs_share_what_is_tried_out(void)
{
    struct fixture f;
    open_plan(&f, "machine: icc60\nsize: tiny\nvariants: {a: {}, b: {set: {l1.size: 32K}}}\n"
                  "workloads: [{name: p, programs: [[HS, BT], [BP, NN]]},"
                  " {name: q, programs: [HS, BFS], set: {l1.mshrs: 16}},"
                  " {name: r, programs: [[HS, BT], BP], set: {l1.mshrs: 24}},"
                  " {name: t, programs: [HS, BT, BP]},"
                  " {name: u, programs: [HS, NN], set: {l1.mshrs: 16}}]\n"
                  "figures: {f: {expr: program1.ipc}}\n");
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 2 * 9);
    const struct study_job *j = f.plan.jobs; /* p_HS_BP, p_HS_NN, p_BT_BP, p_BT_NN, q, r, r, t, u */
    CHECK(j[0].config == j[1].config && j[0].config == j[3].config);
    CHECK(j[4].config != j[0].config && j[5].config != j[4].config);
    CHECK(j[5].config == j[6].config);
    CHECK(j[7].config != j[0].config && j[9].config != j[0].config);
    CHECK(j[8].config != j[4].config); /* of another line, which may be told of its own settings */
    CHECK(j[9].config == j[10].config);
    study_rig_close(&f.rig);
}

static void rows_of_other_kinds_need_no_stream(void)
{
    struct fixture f;
    open_plan(&f, "machine: icc60\nseed: 7\nsize: tiny\nworkloads: [{name: as_is, kind: cost}, HS,"
                  " {name: big, kind: cost, set: {l1.size: 96K}}, {name: same, kind: cost}]\n"
                  "variants: {a: {}, b: {set: {l1.mshrs: 31}}}\n"
                  "figures:\n"
                  "  f: {expr: cost.area / base.cost.area, baseline: a,"
                  " workloads: [as_is, big, same]}\n"
                  "  g: {expr: ipc, variants: [a], workloads: [HS]}\n");
    if (!f.ok)
        print_error("%s\n", f.err.text);
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 5);
    CHECK_EQ(f.plan.of[0], 0); /* a: as_is, HS, big, same */
    CHECK_EQ(f.plan.of[1], 1);
    CHECK_EQ(f.plan.of[2], 2);
    CHECK_EQ(f.plan.of[3], 0); /* the same question */
    CHECK_EQ(f.plan.of[5], UINT32_MAX);
    CHECK_STR(f.plan.jobs[0].label, "a/as_is");
    CHECK_STR(f.plan.jobs[1].label, "a/HS@tiny");
    CHECK_STR(f.plan.jobs[4].label, "b/big");
    CHECK(f.plan.jobs[0].asked != f.plan.jobs[2].asked);
    uint64_t key = f.plan.jobs[0].key;
    study_rig_close(&f.rig);
    open_plan(&f, "machine: icc60\nseed: 8\nworkloads: [{name: x, kind: cost}]\nvariants: {a: {}}\n"
                  "figures: {f: {expr: cost.area}}\n");
    CHECK(f.ok);
    CHECK(f.plan.jobs[0].key == key); /* neither its name nor the seed are of it */
    study_rig_close(&f.rig);
}

static void names_are_those_of_the_rows_kind(void)
{
    const char *head =
        "machine: icc60\nvariants: {a: {}}\nworkloads: [HS, {name: c, kind: cost}]\n";
    char text[512];
    snprintf(text, sizeof text, "%sfigures: {f: {expr: cost.arae, workloads: [c]}}\n", head);
    CHECK(refuses(text, ":4: column 1: no statistic \"cost.arae\" in the cost of variant a",
                  "did you mean cost.area?"));
    snprintf(text, sizeof text, "%sfigures: {f: {expr: ipc}}\n", head);
    CHECK(refuses(text, ":4: column 1: no statistic \"ipc\" in the cost of variant a", ""));
    snprintf(text, sizeof text, "%sfigures: {f: {expr: cost.arae, workloads: [HS]}}\n", head);
    CHECK(refuses(text, ":4: column 1: no statistic \"cost.arae\" in the machine of variant a",
                  "did you mean cost.area?"));
    snprintf(text, sizeof text,
             "machine: icc60\nvariants: {a: {}}\nworkloads:\n"
             "  - {name: c, kind: cost, set: {l1.siez: 3}}\nfigures: {f: {expr: cost.area}}\n");
    CHECK(refuses(text, ":4: variant a: ", "did you mean l1.size?"));
}

/* Beside the runs themselves; figures that do not ask change nothing. */
static void names_of_costs_add_runs_that_price_the_configuration(void)
{
    const char *head = "machine: icc60\nsize: tiny\nworkloads: [HS, BP, {name: chip, kind: cost},"
                       " {name: big, kind: cost, set: {l1.size: 96K}}]\n"
                       "variants: {a: {}, b: {set: {l1.mshrs: 31}}, same: {}}\n"
                       "metrics: {dear: cost.l1.area * 2}\nfigures:\n"
                       "  f: {expr: ipc, variants: [a, b], workloads: [HS, BP]}\n";
    char text[1024];
    struct fixture f;
    open_plan(&f, head);
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 4);
    uint64_t key = f.plan.jobs[0].key;
    study_rig_close(&f.rig);
    snprintf(text, sizeof text, "%s  g: {expr: ipc / dear, variants: [a], workloads: [HS, BP]}\n",
             head);
    open_plan(&f, text);
    CHECK(f.ok);
    CHECK_EQ(f.plan.njobs, 5); /* rows share it */
    CHECK_EQ(f.plan.jobs[0].key, key);
    CHECK_STR(f.plan.jobs[1].label, "a/cost");
    CHECK(f.plan.jobs[1].kind == &kind_cost && f.plan.jobs[0].kind == &kind_kernel);
    CHECK_EQ(f.plan.cost[0], 1);
    CHECK_EQ(f.plan.cost[1], 1);
    CHECK_EQ(f.plan.cost[4], UINT32_MAX);
    CHECK_EQ(study_plan_job(&f.plan, 0, "cost.area"), 1);
    CHECK_EQ(study_plan_job(&f.plan, 0, "ipc"), 0);
    key = f.plan.jobs[1].key;
    study_rig_close(&f.rig);
    snprintf(text, sizeof text,
             "%s  g: {expr: ipc / base.dear, baseline: b, variants: [a], workloads: [HS]}\n"
             "  h: {expr: cost.area, variants: [same], workloads: [chip]}\n",
             head);
    open_plan(&f, text);
    CHECK(f.ok);
    CHECK_EQ(f.plan.cost[0], UINT32_MAX); /* of the baseline alone */
    CHECK_STR(f.plan.jobs[f.plan.cost[4]].label, "b/cost");
    CHECK_EQ(f.plan.jobs[f.plan.of[10]].key, key); /* a row of kind cost: the same question */
    study_rig_close(&f.rig);
}

static void points_of_networks_are_kept_by_load_and_network(void)
{
    struct fixture f;
    open_plan(&f, "workloads:\n"
                  "  - {name: load, kind: noc, cross: {traffic.rate: [0.1, 0.2]}}\n"
                  "  - {name: again, kind: noc, set: {traffic.rate: 0.1}}\n"
                  "  - {name: most, kind: saturation}\n"
                  "variants: {mesh: {machine: mesh80}, fly: {machine: fly80},"
                  " none: {machine: icc60}}\n"
                  "figures:\n  f: {expr: latency / cost.noc.area, variants: [mesh, fly],"
                  " workloads: [load, again]}\n"
                  "  g: {expr: knee, variants: [fly], workloads: [most]}\n");
    CHECK_STR(f.err.text, "");
    CHECK(f.ok);
    CHECK_EQ(f.plan.of[0], f.plan.of[2]); /* the same question */
    CHECK(f.plan.of[0] != f.plan.of[1] && f.plan.of[0] != f.plan.of[4]);
    CHECK(f.plan.of[7] != f.plan.of[4]);
    CHECK_STR(f.plan.jobs[f.plan.of[1]].label, "mesh/load_0.2");
    CHECK(f.plan.jobs[f.plan.cost[4]].kind == &kind_noc_cost);
    study_rig_close(&f.rig);
    CHECK(refuses("workloads: [{name: x, kind: noc}]\nvariants: {a: {machine: icc60}}\n"
                  "figures: {f: {expr: latency}}\n",
                  ":2: variant a: ", "no network \"icc60\""));
    CHECK(refuses("workloads: [{name: x, kind: noc}]\nvariants: {a: {machine: mesh80}}\n"
                  "figures: {f: {expr: latnecy}}\n",
                  ":3: column 1: no statistic \"latnecy\" in the network of variant a",
                  "did you mean latency?"));
}

static void bad_settings_are_blamed_on_the_line_of_the_study(void)
{
    const char *head = "machine: icc60\nworkloads: [HS]\nfigures: {f: {expr: ipc, variants: [b]}}\n"
                       "variants:\n";
    char text[512];
    snprintf(text, sizeof text, "%s  a: {set: {l1.mshr: 3}}\n  b: {base: a}\n", head);
    CHECK(refuses(text, ":5: variant b: ", "did you mean l1.mshrs"));
    snprintf(text, sizeof text, "%s  b: {set: {gpu.cta_scheduler: none}}\n", head);
    CHECK(refuses(text, ":5: variant b: ", "gpu.cta_scheduler"));
    snprintf(text, sizeof text, "%s  b: {machine: nowhere}\n", head);
    CHECK(refuses(text, ":5: variant b: ", "no machine \"nowhere\""));
    snprintf(text, sizeof text, "%s  a: {machine: nowhere}\n  b: {}\n", head); /* a is not needed */
    struct fixture f;
    open_plan(&f, text);
    CHECK(f.ok);
    study_rig_close(&f.rig);
}

static void statistics_that_the_machine_has_not_are_found_before_running(void)
{
    const char *head =
        STUDY_RIG_HEAD "  a: l2.acesses\n  good: l2.accesses / l1.global.latency.n\n";
    char text[1024];
    snprintf(text, sizeof text, "%sfigures: {f: {expr: 1 + ipcc}}\n", head);
    CHECK(refuses(text, ":12: column 5: ", "no statistic \"ipcc\""));
    CHECK(refuses(text, ":12: ", "did you mean ipc?"));
    snprintf(text, sizeof text, "%sfigures: {f: {metric: a}}\n", head);
    CHECK(refuses(text, ":10: column 1: ", "did you mean l2.accesses?"));
    snprintf(text, sizeof text, "%sfigures: {f: {expr: base.a, baseline: rr}}\n", head);
    CHECK(refuses(text, ":10: column 1: ", "variant rr"));
    snprintf(text, sizeof text, "%sfigures: {f: {parts: [good, a], variants: [big]}}\n", head);
    CHECK(refuses(text, ":10: column 1: ", "variant big"));
    snprintf(text, sizeof text, "%sfigures: {f: {expr: ipc / base.ipcc, baseline: rr}}\n", head);
    CHECK(refuses(text, ":12: column 7: ", "\"ipcc\""));
    struct fixture f;
    snprintf(text, sizeof text, "%sfigures: {f: {parts: [good, speedup], baseline: rr}}\n", head);
    open_plan(&f, text);
    CHECK_STR(f.err.text, "");
    CHECK(f.ok);
    study_rig_close(&f.rig);
}

/* One network has other statistics than two. */
static void names_are_asked_of_the_machine_they_are_read_from(void)
{
    const char *head = "machine: intra56\nworkloads: [HS]\n"
                       "variants: {two: {}, one: {set: {noc.networks: one}}}\n"
                       "metrics: {both: noc.flits_in}\nfigures: {f: {";
    static const char *const good[] = {
        "expr: noc.request.flits_in / base.noc.flits_in, baseline: one, variants: [two]}}\n",
        "expr: noc.flits_in / base.noc.request.flits_in, baseline: two, variants: [one]}}\n",
        "expr: ipc / base.both, baseline: one, variants: [two]}}\n"};
    char text[512];
    struct fixture f;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        snprintf(text, sizeof text, "%s%s", head, good[i]);
        open_plan(&f, text);
        CHECK_STR(f.err.text, "");
        CHECK(f.ok);
        study_rig_close(&f.rig);
    }
    snprintf(text, sizeof text, "%sexpr: ipc / base.both, baseline: two, variants: [one]}}\n",
             head);
    CHECK(refuses(text, ":4: column 1: ", "variant two"));
    snprintf(text, sizeof text, "%sexpr: noc.flits_in}}\n", head);
    CHECK(refuses(text, ":5: column 1: ", "variant two"));
}

static void what_cannot_be_built_has_no_runs_where_the_caller_allows_for_it(void)
{
    struct study_rig rig;
    struct study_plan plan;
    struct err err = {0};
    const char *refused[3] = {0};
    study_rig_open(&rig,
                   "machine: icc60\nsize: tiny\nworkloads: [HS]\nvariants:\n  good: {}\n"
                   "  odd: {set: {l1.ways: 7}}\n  other: {set: {l1.mshrs: 16}}\n"
                   "figures: {f: {expr: ipc}}\n",
                   NULL);
    CHECK_STR(rig.err.text, "");
    CHECK(!study_plan(rig.arena, rig.study, &study_rig_above, &plan, &err));
    err = (struct err){0};
    CHECK(study_plan_buildable(rig.arena, rig.study, &study_rig_above, &plan, refused, &err));
    CHECK_STR(err.text, "");
    CHECK(!refused[0] && !refused[2]);
    CHECK(refused[1] && strstr(refused[1], "l1."));
    CHECK_EQ(plan.njobs, 2);
    CHECK_EQ(plan.of[1], UINT32_MAX);
    study_rig_close(&rig);
}

/* A parameter that does not exist is a mistake, not a machine that cannot be built. */
static void mistakes_are_refused_all_the_same(void)
{
    struct study_rig rig;
    struct study_plan plan;
    struct err err = {0};
    const char *refused[1] = {0};
    study_rig_open(&rig,
                   "machine: icc60\nsize: tiny\nworkloads: [HS]\n"
                   "variants: {v: {set: {l1.sise: 7}}}\nfigures: {f: {expr: ipc}}\n",
                   NULL);
    CHECK(!study_plan_buildable(rig.arena, rig.study, &study_rig_above, &plan, refused, &err));
    CHECK(strstr(err.text, "did you mean l1.size?"));
    study_rig_close(&rig);
}

static void a_part_of_a_study_has_the_same_runs_as_the_whole(void)
{
    struct fixture f;
    struct study_plan part;
    bool wanted[9] = {0};
    open_plan(&f, STUDY_RIG_HEAD "figures:\n"
                                 "  f: {metric: speedup, baseline: rr, variants: [icc, big]}\n"
                                 "  g: {expr: ipc / cost.noc.area, variants: [icc]}\n");
    CHECK(f.ok);
    wanted[1] = wanted[4] = true; /* rr/BT and icc/BT */
    CHECK(study_plan_pairs(f.rig.arena, f.rig.study, &study_rig_above, wanted, &part, &f.err));
    CHECK_EQ(part.njobs, 3); /* with the price of icc */
    CHECK_EQ(part.of[0], UINT32_MAX);
    CHECK(part.jobs[part.of[1]].key == f.plan.jobs[f.plan.of[1]].key);
    CHECK(part.jobs[part.of[4]].key == f.plan.jobs[f.plan.of[4]].key);
    CHECK(part.jobs[part.cost[4]].key == f.plan.jobs[f.plan.cost[4]].key);
    CHECK_STR(part.jobs[part.of[4]].label, "icc/BT@tiny");
    study_rig_close(&f.rig);
}

CHECK_MAIN("job", TEST(what_cannot_be_built_has_no_runs_where_the_caller_allows_for_it),
           TEST(mistakes_are_refused_all_the_same), TEST(pairs_share_what_is_tried_out),
           TEST(rows_of_other_kinds_need_no_stream), TEST(names_are_those_of_the_rows_kind),
           TEST(names_of_costs_add_runs_that_price_the_configuration),
           TEST(points_of_networks_are_kept_by_load_and_network),
           TEST(what_figures_ask_for_and_their_baselines_are_run_once),
           TEST(baselines_of_variants_are_run),
           TEST(variants_of_one_configuration_share_their_runs),
           TEST(a_key_is_of_all_that_a_result_depends_on),
           TEST(bad_settings_are_blamed_on_the_line_of_the_study),
           TEST(statistics_that_the_machine_has_not_are_found_before_running),
           TEST(names_are_asked_of_the_machine_they_are_read_from),
           TEST(a_part_of_a_study_has_the_same_runs_as_the_whole))
