/* cmd_explore.c - heddle explore: a space of configurations searched for several objectives. */
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/explore_files.h"
#include "cli/origin.h"
#include "cli/study_file.h"
#include "cli/study_out.h"
#include "cli/study_pool.h"
#include "explore/explore_out.h"

static const char help[] =
    "usage: heddle explore NAME|FILE [OPTION]...\n\n"
    "Searches a space of configurations for those that no other beats in everything: time,\n"
    "energy, area or what else the file says (docs/model/explore.md on writing one), under its\n"
    "constraints and within its budget.  Every finished run is kept, so that a search that was\n"
    "stopped goes on where it was, and asks for the same points whatever the number of jobs.\n\n"
    "  --quick               the file's own small form: a first answer in little time\n"
    "  --only NAME[,NAME]... only these workloads\n"
    "  --machine NAME        only this one of the file's machines\n"
    "  --jobs N              runs at once (default: the processors there are)\n"
    "  --out DIR             where results go (default out/NAME): report.html, points.csv,\n"
    "                        results.json, results.db, streams/\n"
    "  --db FILE             keep results in FILE, which several studies may share\n"
    "  --csv FILE            all points as CSV, too ('-': standard output)\n"
    "  --json FILE           everything as JSON\n"
    "  --list                only show the space, the objectives and the methods\n\n"
    "exit status: 0 done; 1 some runs failed; 2 bad input; 4 interrupted\n";

enum {
    OPT_QUICK = 1,
    OPT_ONLY,
    OPT_MACHINE,
    OPT_JOBS,
    OPT_OUT,
    OPT_DB,
    OPT_CSV,
    OPT_JSON,
    OPT_LIST
};

static const struct option long_options[] = {{"quick", no_argument, NULL, OPT_QUICK},
                                             {"only", required_argument, NULL, OPT_ONLY},
                                             {"machine", required_argument, NULL, OPT_MACHINE},
                                             {"jobs", required_argument, NULL, OPT_JOBS},
                                             {"out", required_argument, NULL, OPT_OUT},
                                             {"db", required_argument, NULL, OPT_DB},
                                             {"csv", required_argument, NULL, OPT_CSV},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"list", no_argument, NULL, OPT_LIST},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

struct options {
    const char *name, *machine, *db;
    struct study_options study;
    struct explore_files out;
    uint64_t jobs;
    bool wants_list, wants_help;
};

static bool take_option(struct options *o, int c, struct err *e)
{
    const char **texts[] = {
        [OPT_ONLY] = &o->study.only, [OPT_MACHINE] = &o->machine, [OPT_OUT] = &o->out.dir,
        [OPT_DB] = &o->db,           [OPT_CSV] = &o->out.csv,     [OPT_JSON] = &o->out.json,
    };
    if (c == 'h')
        o->wants_help = true;
    else if (c == OPT_QUICK)
        o->study.quick = true;
    else if (c == OPT_LIST)
        o->wants_list = true;
    else if (c == OPT_JOBS)
        return execute_parse_number("--jobs", optarg, 1, &o->jobs, e);
    else
        *texts[c] = optarg;
    return true;
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){.jobs = study_pool_jobs()};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1;) {
        if (c == '?' || c == ':')
            return execute_refuse_option("explore", c, argv, e);
        if (!take_option(o, c, e))
            return false;
    }
    if (o->wants_help)
        return true;
    if (optind == argc)
        return err_set(e, STATUS_BAD_INPUT,
                       "explore: which one? (heddle list studies; heddle explore --help)");
    if (optind + 1 < argc)
        return err_set(e, STATUS_BAD_INPUT, "explore: unexpected \"%s\" (heddle explore --help)",
                       argv[optind + 1]);
    o->name = argv[optind];
    return !(o->out.csv && o->out.json && strcmp(o->out.csv, "-") == 0 &&
             strcmp(o->out.json, "-") == 0) ||
           err_set(e, STATUS_BAD_INPUT, "explore: --csv - and --json -: there can be only one");
}

/* ---- what is asked ---------------------------------------------------------------------------- */

static void list(const struct exploration *x)
{
    printf("%s%s%s\n", x->study->title, *x->machine ? ", on " : "", x->machine);
    for (uint32_t i = 0; i < x->axes.n; i++) {
        const struct study_axis *axis = &x->axes.all[i];
        printf("  %s:", axis->key);
        for (uint32_t k = 0; k < axis->n; k++)
            printf(" %s%s", axis->values[k].name, k == x->start[i] ? " (baseline)" : "");
        putchar('\n');
    }
    for (uint32_t i = 0; i < x->nvalues; i++) {
        const struct explore_value *v = &x->values[i];
        printf("  %s: %s over workloads", v->name, explore_over_name[v->over]);
        printf("%s", !v->is_objective ? "" : v->wants_most ? ", the most" : ", the least");
        if (v->at_least == v->at_least)
            printf(", at least %g", v->at_least);
        if (v->at_most == v->at_most)
            printf(", at most %g", v->at_most);
        putchar('\n');
    }
    printf("  methods:");
    for (uint32_t i = 0; i < x->nmethods; i++)
        printf(" %s", x->methods[i]->name);
    putchar('\n');
}

/* The machines of the file, or the one that --machine names. */
static const char *const *machines_of(const struct options *o, const char *path, struct arena *a,
                                      uint32_t *n, struct err *e)
{
    const char *const *all = explore_machines(a, path, n, e);
    if (!all || !o->machine)
        return all;
    struct str_hint hint = str_hint(o->machine);
    for (uint32_t i = 0; i < *n; i++) {
        str_hint_offer(&hint, all[i]);
        if (strcmp(all[i], o->machine) == 0) {
            *n = 1;
            return &all[i];
        }
    }
    err_set(e, STATUS_BAD_INPUT, "--machine %s: none of %s has this name%s", o->machine, path,
            str_hint_text(&hint, ""));
    return NULL;
}

/* ---- running ---------------------------------------------------------------------------------- */

/* The database knows what it belongs to. */
static bool prepare(struct options *o, const struct study *study, struct arena *a, struct err *e)
{
    char full[PATH_MAX];
    const char *path = realpath(study->path, full) ? full : study->path;
    o->out.dir = o->out.dir ? o->out.dir : arena_printf(a, "out/%s", study->name);
    o->db = o->db ? o->db : arena_printf(a, "%s/results.db", o->out.dir);
    if (!study_out_folder(o->out.dir, e) ||
        !outfile_probe(arena_printf(a, "%s/report.html", o->out.dir), e) ||
        (o->out.csv && !outfile_probe(o->out.csv, e)) ||
        (o->out.json && !outfile_probe(o->out.json, e)))
        return false;
    const char *own = arena_printf(a, "%s/results.db", o->out.dir);
    struct study_note note = {.study = path, .options = o->study, .command = origin_command(a)};
    struct store *s = store_open(o->db, e);
    bool ok = s && store_check(s, true, e) &&
              study_out_put_note(s, o->out.dir, strcmp(own, o->db) != 0, &note, e);
    store_close(s);
    return ok;
}

static bool search_all(const struct options *o, const struct exploration *const *all, uint32_t n,
                       struct arena *a, struct explore_result *results, struct err *e)
{
    struct study_pool pool;
    bool ok = true;
    study_pool_begin(&pool, a, o->jobs, o->db, o->out.dir);
    struct explore_options x = {.pool = pool.options, .above = &study_file_above};
    for (uint32_t i = 0; ok && i < n; i++)
        ok = explore_run(a, all[i], &x, &results[i], e);
    study_pool_end(&pool);
    return ok;
}

static bool finish(const struct options *o, const struct explore_result *results, uint32_t n,
                   struct arena *a, struct err *e)
{
    const struct pool_failure *first = NULL;
    uint32_t failures = 0;
    if (!explore_files_write(&o->out, results, n, a, e))
        return false;
    explore_files_print(&o->out, results, n, a);
    for (uint32_t i = 0; i < n; i++) {
        failures += results[i].nfailures;
        first = !first && results[i].nfailures ? results[i].failures : first;
    }
    return !first || err_set(e, STATUS_FAILED, "%u runs failed, the first: %s: %s", failures,
                             first->label, first->why);
}

static bool explore(struct options *o, struct arena *a, struct err *e)
{
    uint32_t n;
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk, not a crash */
    const char *path = study_file_find(a, o->name, e);
    const char *const *machines = path ? machines_of(o, path, a, &n, e) : NULL;
    if (!machines)
        return false;
    const struct exploration **all = ARENA_ARRAY(a, const struct exploration *, n);
    for (uint32_t i = 0; i < n; i++)
        if (!(all[i] = explore_read(a, path, machines[i], &o->study, e)) ||
            !explore_check(a, all[i], &study_file_above, e))
            return false;
    for (uint32_t i = 0; o->wants_list && i < n; i++)
        list(all[i]);
    struct explore_result *results = ARENA_ARRAY(a, struct explore_result, n);
    return o->wants_list || (prepare(o, all[0]->study, a, e) &&
                             search_all(o, all, n, a, results, e) && finish(o, results, n, a, e));
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else
            explore(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_explore = {"explore", "a space searched for several objectives", run};
