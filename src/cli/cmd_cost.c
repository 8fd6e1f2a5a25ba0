/* cmd_cost.c - heddle cost: storage, area, power and highest clock of machines, networks and parts. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/cost_options.h"
#include "cli/cost_validate.h"
#include "cli/effect.h"
#include "cli/execute.h"

static const char help[] =
    "usage: heddle cost -m MACHINE [OPTION]...\n"
    "       heddle cost -n NETWORK | --router MxN | --link LENGTH | --optical LENGTH | --array "
    "SIZE\n"
    "                   [OPTION]...\n"
    "       heddle cost --validate [OPTION]...\n\n"
    "Storage, area, power and highest clock, from the models of docs/model/power.md.  Studies "
    "compare\n"
    "them (kind: cost): heddle study cdxbar --only priced has networks of 20 to 180 SMs.\n\n"
    "  -m MACHINE            name (heddle list machines) or a YAML file\n"
    "  -n NETWORK            name (heddle list networks) or a YAML file: the network alone\n"
    "  --router MxN          one router of M inputs and N outputs\n"
    "  --link LENGTH         one link of repeated wires: 12.3mm, 500um\n"
    "  --optical LENGTH[,..] one optical channel, and the load from which it takes less power "
    "than\n"
    "                        a link as long: 40mm, 40mm,7writers, 40mm,7readers\n"
    "  --array SIZE[,..]     one memory: 48K,4way,128B is a cache, 3K,cam,128B is searched,\n"
    "                        128K,ram,128B,16banks has no tags; 256bit: what a port takes\n"
    "  --validate            error of the models against the reference tools' figures\n"
    "  --reference DIR       ... against those in DIR\n"
    "  --set KEY=VALUE       any parameter (heddle list params): power.node, power.load,\n"
    "                        power.link_cycles, noc.width, noc.clock, router.vcs, router.depth,\n"
    "                        photonic.*\n" EFFECT_HELP
    "  --json FILE           results as JSON ('-': standard output, and nothing else there)\n"
    "  --csv FILE            results of --validate as CSV\n";

enum { OPT_SET = 256, OPT_STRICT, OPT_JSON, OPT_CSV, OPT_REFERENCE, OPT_SUBJECT };

static const struct option long_options[] = {
    {"router", required_argument, NULL, OPT_SUBJECT + COST_ROUTER},
    {"link", required_argument, NULL, OPT_SUBJECT + COST_LINK},
    {"optical", required_argument, NULL, OPT_SUBJECT + COST_OPTICAL},
    {"array", required_argument, NULL, OPT_SUBJECT + COST_ARRAY},
    {"validate", no_argument, NULL, OPT_SUBJECT + COST_VALIDATE},
    {"reference", required_argument, NULL, OPT_REFERENCE},
    {"set", required_argument, NULL, OPT_SET},
    {"json", required_argument, NULL, OPT_JSON},
    {"csv", required_argument, NULL, OPT_CSV},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"help", no_argument, NULL, 'h'},
    {0}};

static bool validate(const struct cost_options *o, struct arena *a, struct err *e)
{
    return cost_validate(o->reference, o->json, o->csv, a, e);
}

static const struct {
    const char *option;
    bool (*run)(const struct cost_options *o, struct arena *a, struct err *e);
    bool has_csv, has_sets;
} subjects[COST_SUBJECTS] = {
    [COST_MACHINE] = {"-m", cost_machine, false, true},
    [COST_NETWORK] = {"-n", cost_network, false, true},
    [COST_ROUTER] = {"--router", cost_router, false, true},
    [COST_LINK] = {"--link", cost_link, false, true},
    [COST_OPTICAL] = {"--optical", cost_optical, false, true},
    [COST_ARRAY] = {"--array", cost_array, false, true},
    [COST_VALIDATE] = {"--validate", validate, true, false},
};

bool cost_apply_sets(const struct cost_options *o, struct config *c, struct err *e)
{
    for (int i = 0; i < o->nsets; i++)
        if (!config_set(c, o->set[i], e))
            return false;
    *o->applied = c;
    return true;
}

bool cost_tell_effect(const struct cost_options *o, struct err *e)
{
    return !*o->applied || effect_tell(*o->applied, o->is_strict, e);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool cost_is_quiet(const struct cost_options *o)
{
    return is_stdout(o->json) || is_stdout(o->csv);
}

/* An option that a second one would silently replace. */
static bool take_once(const char **value, const char *option, struct err *e)
{
    if (*value)
        return err_set(e, STATUS_BAD_INPUT, "cost: %s twice: one at a time", option);
    *value = optarg ? optarg : "";
    return true;
}

static bool take_option(struct cost_options *o, int c, char **argv, struct err *e)
{
    if (c == 'm' || c == 'n')
        c = OPT_SUBJECT + (c == 'm' ? COST_MACHINE : COST_NETWORK);
    if (c >= OPT_SUBJECT)
        return take_once(&o->subject[c - OPT_SUBJECT], subjects[c - OPT_SUBJECT].option, e);
    switch (c) {
    case 'h':
        o->wants_help = true;
        return true;
    case OPT_STRICT:
        o->is_strict = true;
        return true;
    case OPT_JSON:
        return take_once(&o->json, "--json", e);
    case OPT_CSV:
        return take_once(&o->csv, "--csv", e);
    case OPT_REFERENCE:
        return take_once(&o->reference, "--reference", e);
    case OPT_SET:
        if (o->nsets == COST_MAX_SETS)
            return err_set(e, STATUS_BAD_INPUT, "cost: more than %d --set options", COST_MAX_SETS);
        o->set[o->nsets++] = optarg;
        return true;
    default:
        return execute_refuse_option("cost", c, argv, e);
    }
}

static bool find_subject(const struct cost_options *o, enum cost_subject *which, struct err *e)
{
    *which = COST_SUBJECTS;
    for (enum cost_subject i = 0; i < COST_SUBJECTS; i++) {
        if (o->subject[i] && *which != COST_SUBJECTS)
            return err_set(e, STATUS_BAD_INPUT, "cost: %s and %s: one at a time",
                           subjects[*which].option, subjects[i].option);
        if (o->subject[i])
            *which = i;
    }
    if (*which == COST_SUBJECTS && o->reference)
        return err_set(e, STATUS_BAD_INPUT, "cost: --reference goes with --validate");
    if (*which == COST_SUBJECTS)
        return err_set(e, STATUS_BAD_INPUT, "cost: -m MACHINE is missing (heddle list machines)");
    return true;
}

static bool check(const struct cost_options *o, enum cost_subject *which, struct err *e)
{
    if (!find_subject(o, which, e))
        return false;
    const char *option = subjects[*which].option;
    if (o->csv && !subjects[*which].has_csv)
        return err_set(e, STATUS_BAD_INPUT, "cost: --csv goes with --validate, not %s", option);
    if (o->reference && *which != COST_VALIDATE)
        return err_set(e, STATUS_BAD_INPUT, "cost: --reference goes with --validate, not %s",
                       option);
    if (o->nsets && !subjects[*which].has_sets)
        return err_set(e, STATUS_BAD_INPUT, "cost: nothing can be --set with %s", option);
    if (is_stdout(o->json) && is_stdout(o->csv))
        return err_set(e, STATUS_BAD_INPUT, "cost: --json - and --csv - both want standard output");
    if (o->json && o->csv && strcmp(o->json, o->csv) == 0)
        return err_set(e, STATUS_BAD_INPUT, "cost: --json and --csv both want %s", o->csv);
    return true;
}

static bool parse(int argc, char **argv, struct cost_options *o, enum cost_subject *which,
                  struct err *e)
{
    *o = (struct cost_options){0};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":m:n:h", long_options, NULL)) != -1;)
        if (!take_option(o, c, argv, e))
            return false;
    if (o->wants_help)
        return true;
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT, "cost: unexpected \"%s\" (heddle cost --help)",
                       argv[optind]);
    return check(o, which, e);
}

static bool cost(const struct cost_options *o, enum cost_subject which, struct arena *a,
                 struct err *e)
{
    const char *const files[] = {o->json, o->csv};
    for (int i = 0; i < 2; i++)
        if (files[i] && !outfile_probe(files[i], e))
            return false;
    return subjects[which].run(o, a, e);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct cost_options o;
    struct config *applied = NULL;
    enum cost_subject which = COST_SUBJECTS;
    if (parse(argc, argv, &o, &which, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else {
            o.applied = &applied;
            cost(&o, which, a, e);
        }
    }
    arena_free(a);
    return e->status;
}

const struct command command_cost = {
    "cost", "storage, area, power and clock of a machine, a network or a part", run};
