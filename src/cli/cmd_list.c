/* cmd_list.c - heddle list: what there is to choose from. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cache/policy.h"
#include "cli/cli.h"
#include "cli/list_machines.h"
#include "cli/list_studies.h"
#include "cli/list_values.h"
#include "cli/list_workloads.h"
#include "cta/partition.h"
#include "cta/policy.h"
#include "dram/scheduler.h"
#include "lab/lab.h"
#include "libheddle_catalogue.h"
#include "libheddle_gpu.h"
#include "machine/cost_values.h"
#include "machine/results.h"
#include "search/search.h"
#include "sm/policy.h"
#include "study/kind.h"
#include "traffic/pattern.h"
#include "workload.h"

static void list_networks(bool names_only)
{
    struct arena *a = arena_new();
    const char *const *names, *const *paths;
    int n = data_networks(a, &names, &paths);
    for (int i = 0; i < n; i++) {
        struct err e = {0};
        struct arena *each = arena_new();
        struct config *c = lab_config(each);
        if (names_only)
            puts(names[i]);
        else if (config_load(c, paths[i], &e))
            printf("%-44s %s\n", names[i], config_doc(c));
        else
            printf("%-44s (unusable: %s)\n", names[i], e.text);
        arena_free(each);
    }
    arena_free(a);
}

static void list_topologies(bool names_only)
{
    for (int i = 0; i < topology_count; i++)
        if (names_only)
            puts(topology_all[i]->name);
        else
            printf("%-16s %s\n", topology_all[i]->name, topology_all[i]->help);
}

static void list_traffic(bool names_only)
{
    for (int i = 0; i < pattern_count; i++)
        if (names_only)
            puts(pattern_all[i]->name);
        else
            printf("%-16s %s\n", pattern_all[i]->name, pattern_all[i]->help);
}

static void list_sizes(bool names_only)
{
    (void)names_only;
    for (enum workload_size i = 0; i < SIZES; i++)
        puts(workload_size_name(i));
}

static void list_params(bool names_only)
{
    struct arena *a = arena_new();
    struct config *c = libheddle_any_config(a);
    if (names_only)
        config_names(c, stdout);
    else
        config_describe(c, stdout);
    arena_free(a);
}

/* ---- statistics ------------------------------------------------------------------------------ */

static void print_tree(const struct stats *t, bool names_only, FILE *out)
{
    if (names_only)
        stats_names(t, out);
    else
        stats_describe(t, out);
}

static void list_costs(struct arena *a)
{
    struct err e = {0};
    struct cost_values v;
    HD_ASSERT(cost_values_of(libheddle_small_config(a, false), a, &v, &e), "%s", e.text);
    for (uint32_t i = 0; i < v.n; i++)
        printf("%-34s  %s\n", v.all[i].name, v.all[i].unit);
}

/* Of a tree, the lines that have, or lack, a word. */
static void print_some(const struct stats *t, bool names_only, const char *word, bool has)
{
    char line[512];
    FILE *all = tmpfile();
    HD_ASSERT(all, "no temporary file");
    print_tree(t, names_only, all);
    rewind(all);
    while (fgets(line, sizeof line, all))
        if ((strstr(line, word) != NULL) == has)
            fputs(line, stdout);
    fclose(all);
}

static void list_machine_stats(struct arena *a, bool names_only)
{
    struct machine *m = libheddle_small_machine(a, false), *r = libheddle_small_machine(a, true);
    print_tree(machine_stats(m), names_only, stdout);
    print_some(machine_stats(r), names_only, ".ring.", true);
    machine_free(m);
    machine_free(r);
}

/* Those of traffic; the networks' own are those of a machine. */
static void list_traffic_stats(struct arena *a, bool names_only)
{
    struct stats *t = stats_new(a);
    struct lab *l = libheddle_small_lab(a);
    lab_add_stats(l, t);
    print_some(t, names_only, "noc.", false);
    lab_free(l);
}

static void list_stats(bool names_only)
{
    struct arena *a = arena_new();
    for (size_t i = 0; names_only && i < results_nrows; i++)
        puts(results_rows[i].name);
    if (!names_only) {
        puts("# derived, of heddle run");
        results_describe(stdout);
        puts(
            "\n# counted, of heddle run (noc.* of heddle noc, too; routers by inputs x outputs and "
            "links by length, as a network has them)");
    }
    list_machine_stats(a, names_only);
    if (!names_only)
        puts("\n# counted, of heddle noc under request_reply");
    list_traffic_stats(a, names_only);
    if (!names_only) {
        puts("\n# what a machine costs, of studies (kind: cost; docs/model/cost.md)");
        list_costs(a);
    }
    arena_free(a);
}

static void list_kinds(bool names_only)
{
    for (int i = 0; i < kind_count; i++)
        if (names_only)
            puts(kind_all[i]->name);
        else
            printf("%-16s %s\n", kind_all[i]->name, kind_all[i]->help);
}

static void list_methods(bool names_only)
{
    for (int i = 0; i < search_method_count; i++)
        if (names_only)
            puts(search_method_all[i]->name);
        else
            printf("%-12s %s\n", search_method_all[i]->name, search_method_all[i]->help);
}

/* ---- policies -------------------------------------------------------------------------------- */

struct policy_list {
    bool names_only;
    const char *names[128]; /* printed so far: a name can be a policy of several kinds */
    int n;
};

static void policy_kind(const struct policy_list *l, const char *kind)
{
    if (!l->names_only)
        printf("%s\n", kind);
}

static void policy(struct policy_list *l, const char *name, const char *help, const char *alias,
                   const struct cfg_section *section)
{
    if (!l->names_only) {
        printf("  %-14s %s%s%s%s%s%s%s\n", name, help, alias ? " (also called " : "",
               alias ? alias : "", alias ? ")" : "", section ? "; parameters: " : "",
               section ? section->name : "", section ? ".*" : "");
        return;
    }
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->names[i], name) == 0)
            return;
    HD_ASSERT(l->n < 128, "more policies than expected");
    l->names[l->n++] = name;
    puts(name);
}

static void list_policies(bool names_only)
{
    struct policy_list l = {.names_only = names_only};
    policy_kind(&l, "CTA schedulers (gpu.cta_scheduler)");
    for (int i = 0; i < cta_policy_count; i++)
        policy(&l, cta_policy_all[i]->name, cta_policy_all[i]->help, cta_policy_all[i]->alias,
               cta_policy_all[i]->section);
    policy_kind(&l, "\npartitions of the SMs among programs (gpu.partition)");
    for (int i = 0; i < partition_count; i++)
        policy(&l, partition_all[i]->name, partition_all[i]->help, NULL, partition_all[i]->section);
    policy_kind(&l, "\nwarp schedulers (sm.scheduler)");
    for (int i = 0; i < warp_policy_count; i++)
        policy(&l, warp_policy_all[i]->name, warp_policy_all[i]->help, NULL,
               warp_policy_all[i]->section);
    policy_kind(&l, "\nschedulers of memory controllers (mc.scheduler)");
    for (int i = 0; i < scheduler_count; i++)
        policy(&l, scheduler_all[i]->name, scheduler_all[i]->help, NULL, scheduler_all[i]->section);
    policy_kind(&l, "\ncache policies (replacement of l1, constant, texture, icc, l2)");
    for (int i = 0; i < cache_policy_count; i++)
        policy(&l, cache_policy_all[i]->name, cache_policy_all[i]->help, NULL,
               cache_policy_all[i]->section);
    policy_kind(&l, "\nallocators of routers (router.vc_allocator, router.sw_allocator)");
    policy(&l, "islip", "rotating pointers that move with accepted grants", NULL, NULL);
    policy(&l, "separable", "an arbiter per input, then one per output", NULL, NULL);
    policy_kind(&l, "\narbiters within the allocators (router.arbiter)");
    policy(&l, "rr", "round robin", NULL, NULL);
    policy(&l, "matrix", "whoever was served longest ago", NULL, NULL);
    policy_kind(&l, "\nrouter extensions (router.extension)");
    for (int i = 0; i < router_extension_count; i++)
        policy(&l, router_extension_all[i]->name, router_extension_all[i]->help, NULL,
               router_extension_all[i]->section);
}

static const struct {
    const char *name;
    const char *help;
    void (*print)(bool names_only);
} lists[] = {
    {"workloads", "what -w takes; with --size or --details, executed: what they do", NULL},
    {"machines", "machine files that run -m takes by name", list_machines},
    {"studies", "studies that heddle study takes by name", list_studies},
    {"networks", "network files that -m takes by name", list_networks},
    {"topologies", "values of noc.topology", list_topologies},
    {"traffic", "values of --traffic", list_traffic},
    {"policies", "schedulers of CTAs, warps and memory; allocators, arbiters, extensions",
     list_policies},
    {"params", "every parameter: type, default, range, unit, meaning", list_params},
    {"stats", "every statistic: unit, meaning", list_stats},
    {"kinds", "what a row of a study can do with a configuration", list_kinds},
    {"methods", "how heddle explore can search a space", list_methods},
    {"sizes", "sizes of workloads", list_sizes},
    {"values", "values PARAM: what a parameter can be set to, if it takes names", NULL},
};
enum { NLISTS = sizeof lists / sizeof lists[0] };

static void usage(FILE *out)
{
    fputs("usage: heddle list WHAT [--names]\n"
          "       heddle list values PARAM\n"
          "       heddle list workloads [--suite SUITE] [--paper PAPER] [--with USE,...]\n"
          "                             [--size SIZE] [--details NAME,...] [--json FILE] "
          "[--csv FILE]\n\n",
          out);
    for (int i = 0; i < NLISTS; i++)
        fprintf(out, "  %-12s %s\n", lists[i].name, lists[i].help);
    fputs("\n"
          "  --names             names only, one per line\n"
          "\nof workloads:\n"
          "  --suite SUITE       those of a suite: Rodinia, Parboil, ...\n"
          "  --paper PAPER       those that a paper names: icc, sharing, coalesce, cdxbar, intra\n"
          "  --with USE,...      those that use all of texture, constant, local, atomics, fp64\n"
          "  --size SIZE         execute at tiny, small, study, paper, few or chip; figures\n"
          "  --details NAME,...  execute (tiny, or --size) these, or \"all\"; figures of kernels\n"
          "  --json FILE         execute, and everything as JSON ('-': standard output)\n"
          "  --csv FILE          the same as CSV, a row for each kernel\n",
          out);
}

struct options {
    const char *what, *param;
    struct list_workloads_options workloads;
    bool wants_help;
};

/* The place of the value that an option of workloads takes; NULL: it is no such option. */
static const char **value_of(const char *option, struct list_workloads_options *o)
{
    const struct {
        const char *name;
        const char **value;
    } all[] = {{"--size", &o->size},   {"--details", &o->details}, {"--suite", &o->suite},
               {"--paper", &o->paper}, {"--with", &o->with},       {"--json", &o->json},
               {"--csv", &o->csv}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(option, all[i].name) == 0)
            return all[i].value;
    return NULL;
}

static bool check(const struct options *o, const char *of_workloads, struct err *e)
{
    const struct list_workloads_options *w = &o->workloads;
    bool is_workloads = o->what && strcmp(o->what, "workloads") == 0;
    if (!is_workloads && !o->wants_help && of_workloads)
        return err_set(e, STATUS_BAD_INPUT, "list: %s is for workloads", of_workloads);
    if (w->names_only && (w->json || w->csv))
        return err_set(e, STATUS_BAD_INPUT, "list: --names and %s: there can be only one",
                       w->json ? "--json" : "--csv");
    if (w->json && w->csv && strcmp(w->json, w->csv) == 0)
        return err_set(e, STATUS_BAD_INPUT, "list: --json and --csv both want %s", w->csv);
    return true;
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    const char *of_workloads = NULL;
    for (int i = 1; i < argc; i++) {
        const char **value = value_of(argv[i], &o->workloads);
        if (value && i + 1 == argc)
            return err_set(e, STATUS_BAD_INPUT, "list: nothing follows \"%s\" (heddle list --help)",
                           argv[i]);
        if (value) {
            of_workloads = argv[i];
            *value = argv[++i];
        } else if (strcmp(argv[i], "--names") == 0)
            o->workloads.names_only = true;
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            o->wants_help = true;
        else if (!o->what && argv[i][0] != '-')
            o->what = argv[i];
        else if (!o->param && argv[i][0] != '-' && strcmp(o->what, "values") == 0)
            o->param = argv[i];
        else
            return err_set(e, STATUS_BAD_INPUT, "list: unexpected \"%s\" (heddle list --help)",
                           argv[i]);
    }
    return check(o, of_workloads, e);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct options o = {0};
    if (!parse(argc, argv, &o, e))
        return e->status;
    if (o.wants_help) {
        usage(stdout);
        return STATUS_DONE;
    }
    if (!o.what) {
        err_set(e, STATUS_BAD_INPUT, "list: list what? (heddle list --help)");
        return STATUS_BAD_INPUT;
    }
    struct str_hint hint = str_hint(o.what);
    for (int i = 0; i < NLISTS; i++) {
        str_hint_offer(&hint, lists[i].name);
        if (strcmp(o.what, lists[i].name) != 0)
            continue;
        if (lists[i].print)
            lists[i].print(o.workloads.names_only);
        else if (o.param)
            list_values(o.param, e);
        else if (strcmp(o.what, "values") == 0)
            err_set(e, STATUS_BAD_INPUT, "list values: of which parameter? (heddle list params)");
        else
            list_workloads(&o.workloads, e);
        return e->status;
    }
    err_set(e, STATUS_BAD_INPUT, "list: nothing called \"%s\"%s", o.what,
            str_hint_text(&hint, " (heddle list --help)"));
    return STATUS_BAD_INPUT;
}

const struct command command_list = {
    "list", "workloads, machines, networks, policies, parameters, statistics, ...", run};
