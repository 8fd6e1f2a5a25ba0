/* cmd_report.c - heddle report: a study's outputs from what has been run, without running. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/study_file.h"
#include "cli/study_out.h"
#include "explore/explore.h"
#include "heddle/heddle.h"
#include "study/versions.h"

static const char help[] =
    "usage: heddle report DIR [OPTION]...\n\n"
    "Makes the outputs of heddle study anew from the runs that are there: report.html,\n"
    "results.csv, results.json, verdicts.md and figures/ in DIR.  Runs nothing.  Runs that "
    "another\n"
    "model did (an older heddle, say) are named, and nothing is written then.\n\n"
    "  --db FILE             the database, where it is not DIR/results.db\n"
    "  --any-version         use them all the same, where this model has none\n"
    "  --csv FILE            values and verdicts as CSV, too ('-': standard output)\n"
    "  --json FILE           ... as JSON\n";

enum { OPT_DB = 1, OPT_CSV, OPT_JSON, OPT_ANY };

static const struct option long_options[] = {{"db", required_argument, NULL, OPT_DB},
                                             {"csv", required_argument, NULL, OPT_CSV},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"any-version", no_argument, NULL, OPT_ANY},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

struct options {
    const char *db;
    struct study_out out;
    bool any_version, wants_help;
};

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    const char **texts[] = {[OPT_DB] = &o->db, [OPT_CSV] = &o->out.csv, [OPT_JSON] = &o->out.json};
    *o = (struct options){0};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":h", long_options, NULL)) != -1;) {
        if (c == '?' || c == ':')
            return execute_refuse_option("report", c, argv, e);
        if (c == 'h')
            o->wants_help = true;
        else if (c == OPT_ANY)
            o->any_version = true;
        else
            *texts[c] = optarg;
    }
    if (o->wants_help)
        return true;
    if (optind == argc)
        return err_set(e, STATUS_BAD_INPUT, "report: of which folder? (heddle report --help)");
    if (optind + 1 < argc)
        return err_set(e, STATUS_BAD_INPUT, "report: unexpected \"%s\" (heddle report --help)",
                       argv[optind + 1]);
    o->out.dir = argv[optind];
    return true;
}

/* Runs that are missing because they failed; others have not been tried. */
static uint32_t find_failures(struct store *s, const struct study_plan *p, struct arena *a,
                              struct study_result *r, struct err *e)
{
    struct pool_failure *f = ARENA_ARRAY(a, struct pool_failure, p->njobs + 1);
    uint32_t missing = 0;
    r->failures = f;
    r->nfailures = 0;
    for (uint32_t i = 0; i < p->njobs; i++) {
        bool has = false;
        if (!store_has(s, p->jobs[i].key, &has, e) || has)
            continue;
        const char *why = store_failure(s, a, p->jobs[i].key);
        missing++;
        if (why)
            f[r->nfailures++] = (struct pool_failure){p->jobs[i].label, why};
    }
    return missing;
}

/* Whether there is something to report, and all of it of this model or asked for. */
static bool is_usable(const struct options *o, const struct versions *v, const struct study_plan *p,
                      const char *again, struct arena *a, struct err *e)
{
    if (v->found && !o->any_version)
        return err_set(e, STATUS_FAILED,
                       "%s: %u of %u runs are of other versions of the model (%s), and nothing was "
                       "written; --any-version uses them, and this runs them anew: %s",
                       o->out.dir, v->found, p->njobs, versions_text(a, v), again);
    if (p->njobs && v->missing - v->found == p->njobs)
        return err_set(
            e, STATUS_FAILED,
            "%s: not one of %u runs is done, and nothing was written; this does them: %s",
            o->out.dir, p->njobs, again);
    return true;
}

static bool make_outputs(const struct options *o, struct store *store, struct arena *a,
                         struct err *e)
{
    struct study_note note;
    struct study_plan plan;
    struct study_result r;
    struct versions versions;
    if (!study_out_get_note(store, a, o->out.dir, &note))
        return err_set(e, STATUS_BAD_INPUT, "%s: no study has been run with this database", o->db);
    const char *path = study_file_find(a, note.study, e);
    if (path && explore_is(path, e))
        return err_set(e, STATUS_BAD_INPUT,
                       "%s: an exploration; this makes its outputs anew, and runs only what is "
                       "missing: %s",
                       o->out.dir, note.command);
    const struct study *s = path ? study_read(a, path, &note.options, e) : NULL;
    const char *again = note.command ? note.command : "heddle study";
    if (!s || !study_plan(a, s, &study_file_above, &plan, e) ||
        !versions_find(a, s, &plan, store, &versions, e) ||
        !is_usable(o, &versions, &plan, again, a, e))
        return false;
    versions_use(&versions, &plan);
    if (!study_judge(a, s, &plan, store, &r, e))
        return false;
    uint32_t missing = find_failures(store, &plan, a, &r, e);
    r.version = versions.found ? arena_printf(a, "%s, with runs of others: %s", hd_version(),
                                              versions_text(a, &versions))
                               : hd_version();
    study_out_origin(a, o->out.dir, &note, &r);
    r.origin.others = versions.found ? versions_text(a, &versions) : NULL;
    if (e->status != STATUS_DONE || !study_out_write(&o->out, &r, a, e))
        return false;
    study_out_print(&o->out, &r, a);
    if (missing)
        fprintf(stderr, "heddle: %u of %u runs are missing; this does them: %s\n", missing,
                plan.njobs, again);
    return true;
}

static bool report(struct options *o, struct arena *a, struct err *e)
{
    o->db = o->db ? o->db : arena_printf(a, "%s/results.db", o->out.dir);
    if (access(o->db, F_OK) != 0)
        return err_set(e, STATUS_BAD_INPUT, "%s: no such database (heddle study makes it)", o->db);
    struct store *s = store_open(o->db, e);
    bool ok = s && store_check(s, false, e) && make_outputs(o, s, a, e);
    store_close(s);
    return ok;
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else
            report(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_report = {"report", "a study's outputs again, without running", run};
