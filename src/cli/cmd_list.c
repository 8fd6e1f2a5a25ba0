/* cmd_list.c - heddle list: what there is to choose from. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/list_workloads.h"
#include "lab/lab.h"
#include "traffic/pattern.h"

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

static void list_params(bool names_only)
{
    struct arena *a = arena_new();
    struct config *c = lab_config(a);
    if (names_only)
        config_names(c, stdout);
    else
        config_describe(c, stdout);
    arena_free(a);
}

static void list_stats(bool names_only)
{
    struct arena *a = arena_new();
    struct config *c = lab_config(a);
    struct err e = {0};
    struct stats *t = stats_new(a);
    bool ok = config_set(c, "noc.networks=two", &e) && config_set(c, "mesh.mem=27", &e) &&
              config_set(c, "traffic.pattern=request_reply", &e);
    struct lab *l = ok ? lab_new(c, 0.1, (struct lab_options){0}, &e) : NULL;
    HD_ASSERT(l, "%s", e.text);
    lab_add_stats(l, t);
    if (names_only)
        stats_names(t, stdout);
    else
        stats_describe(t, stdout);
    lab_free(l);
    arena_free(a);
}

static void list_policies(bool names_only)
{
    puts(names_only ? "islip\nseparable\nrr\nmatrix"
                    : "allocators       islip, separable (router.vc_allocator, "
                      "router.sw_allocator)\n"
                      "arbiters         rr, matrix (router.arbiter)");
}

static const struct {
    const char *name;
    const char *help;
    void (*print)(bool names_only);
} lists[] = {
    {"workloads", "what -w takes: each is executed at --size, and what it did is shown", NULL},
    {"networks", "network files that -m takes by name", list_networks},
    {"topologies", "values of noc.topology", list_topologies},
    {"traffic", "values of --traffic", list_traffic},
    {"policies", "allocators and arbiters", list_policies},
    {"params", "every parameter: type, default, range, unit, meaning", list_params},
    {"stats", "every statistic: unit, meaning", list_stats},
};
enum { NLISTS = sizeof lists / sizeof lists[0] };

static void usage(FILE *out)
{
    fputs("usage: heddle list WHAT [--names]\n"
          "       heddle list workloads [--size SIZE] [--json FILE]\n\n",
          out);
    for (int i = 0; i < NLISTS; i++)
        fprintf(out, "  %-12s %s\n", lists[i].name, lists[i].help);
    fputs("\n"
          "  --names      names only, one per line\n"
          "  --size SIZE  of workloads: tiny (the default), small, study, paper\n"
          "  --json FILE  of workloads: as JSON ('-': standard output)\n",
          out);
}

struct options {
    const char *what, *size, *json;
    bool names_only, wants_help;
};

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    for (int i = 1; i < argc; i++) {
        bool is_size = strcmp(argv[i], "--size") == 0, is_json = strcmp(argv[i], "--json") == 0;
        if ((is_size || is_json) && i + 1 == argc)
            return err_set(e, STATUS_BAD_INPUT, "list: nothing follows \"%s\" (heddle list --help)",
                           argv[i]);
        if (is_size)
            o->size = argv[++i];
        else if (is_json)
            o->json = argv[++i];
        else if (strcmp(argv[i], "--names") == 0)
            o->names_only = true;
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            o->wants_help = true;
        else if (!o->what && argv[i][0] != '-')
            o->what = argv[i];
        else
            return err_set(e, STATUS_BAD_INPUT, "list: unexpected \"%s\" (heddle list --help)",
                           argv[i]);
    }
    if (o->names_only && o->json)
        return err_set(e, STATUS_BAD_INPUT, "list: --names and --json: there can be only one");
    bool is_workloads = o->what && strcmp(o->what, "workloads") == 0;
    return is_workloads || o->wants_help || !(o->size || o->json) ||
           err_set(e, STATUS_BAD_INPUT, "list: --size and --json are for workloads");
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
    const char *names[NLISTS];
    for (int i = 0; i < NLISTS; i++) {
        names[i] = lists[i].name;
        if (!o.what || strcmp(o.what, names[i]) != 0)
            continue;
        if (lists[i].print)
            lists[i].print(o.names_only);
        else
            list_workloads(o.names_only, o.size, o.json, e);
        return e->status;
    }
    const char *near = o.what ? str_nearest(o.what, names, NLISTS) : NULL;
    err_set(e, STATUS_BAD_INPUT, "list: %s%s%s%s%s%s", o.what ? "nothing called \"" : "list what?",
            o.what ? o.what : "", o.what ? "\"" : "",
            near ? "; did you mean " : " (heddle list --help)", near ? near : "", near ? "?" : "");
    return STATUS_BAD_INPUT;
}

const struct command command_list = {
    "list", "workloads, networks, topologies, traffic, parameters, ...", run};
