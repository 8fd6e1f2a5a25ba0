/* cmd_study.c - heddle study: the runs of a study that are not done yet, and what they come to. */
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/execute.h"
#include "cli/origin.h"
#include "cli/study_file.h"
#include "cli/study_out.h"
#include "cli/study_pool.h"
#include "cli/table.h"
#include "explore/explore.h"
#include "heddle/heddle.h"

static const char help[] =
    "usage: heddle study NAME|FILE [OPTION]...\n\n"
    "Runs a study (heddle list studies; docs/studies.md on writing one), in parallel, and prints\n"
    "which of its claims hold, and what it measured beside what a paper says.  Every finished run\n"
    "is kept, so that a study that was stopped goes on where it was.  A file with a space to be\n"
    "searched goes to heddle explore.\n\n"
    "  --quick               the study's own small form: a first answer in little time\n"
    "  --only NAME[,NAME]... only these figures, workloads or variants\n"
    "  --jobs N              runs at once (default: the processors there are)\n"
    "  --out DIR             where results go (default out/NAME): report.html, results.csv,\n"
    "                        results.json, verdicts.md, figures/, results.db, streams/\n"
    "  --db FILE             keep results in FILE, which several studies may share\n"
    "  --csv FILE            values and verdicts as CSV, too ('-': standard output)\n"
    "  --json FILE           ... as JSON\n"
    "  --list                only show the runs, and which of them are done\n" EFFECT_HELP "\n"
    "exit status: 0 all runs are done, whatever comes of the claims; 1 some failed;\n"
    "2 bad input; 4 interrupted\n";

enum {
    OPT_QUICK = 1,
    OPT_ONLY,
    OPT_JOBS,
    OPT_OUT,
    OPT_DB,
    OPT_CSV,
    OPT_JSON,
    OPT_LIST,
    OPT_STRICT
};

static const struct option long_options[] = {{"quick", no_argument, NULL, OPT_QUICK},
                                             {"only", required_argument, NULL, OPT_ONLY},
                                             {"jobs", required_argument, NULL, OPT_JOBS},
                                             {"out", required_argument, NULL, OPT_OUT},
                                             {"db", required_argument, NULL, OPT_DB},
                                             {"csv", required_argument, NULL, OPT_CSV},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"list", no_argument, NULL, OPT_LIST},
                                             {"strict", no_argument, NULL, OPT_STRICT},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

struct options {
    const char *name; /* of the study, or its file */
    struct study_options study;
    uint64_t jobs;
    const char *db;
    struct study_out out;
    bool wants_list, wants_help, is_strict;
};

/* ---- options ---------------------------------------------------------------------------------- */

static bool take_option(struct options *o, int c, struct err *e)
{
    const char **texts[] = {
        [OPT_ONLY] = &o->study.only, [OPT_OUT] = &o->out.dir,   [OPT_DB] = &o->db,
        [OPT_CSV] = &o->out.csv,     [OPT_JSON] = &o->out.json,
    };
    if (c == 'h')
        o->wants_help = true;
    else if (c == OPT_QUICK)
        o->study.quick = true;
    else if (c == OPT_LIST)
        o->wants_list = true;
    else if (c == OPT_STRICT)
        o->is_strict = true;
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
            return execute_refuse_option("study", c, argv, e);
        if (!take_option(o, c, e))
            return false;
    }
    if (o->wants_help)
        return true;
    if (optind == argc)
        return err_set(e, STATUS_BAD_INPUT,
                       "study: which one? (heddle list studies; heddle study --help)");
    if (optind + 1 < argc)
        return err_set(e, STATUS_BAD_INPUT, "study: unexpected \"%s\" (heddle study --help)",
                       argv[optind + 1]);
    o->name = argv[optind];
    return !(o->out.csv && o->out.json && strcmp(o->out.csv, "-") == 0 &&
             strcmp(o->out.json, "-") == 0) ||
           err_set(e, STATUS_BAD_INPUT, "study: --csv - and --json -: there can be only one");
}

/* ---- the pool --------------------------------------------------------------------------------- */

static bool run_pool(const struct options *o, const struct study *s, const struct study_plan *p,
                     struct arena *a, struct pool_result *r, struct err *e)
{
    struct study_pool pool;
    study_pool_begin(&pool, a, o->jobs, o->db, o->out.dir);
    bool ok = pool_run(a, s, p, &pool.options, r, e);
    study_pool_end(&pool);
    return ok;
}

/* ---- --list ----------------------------------------------------------------------------------- */

static bool list(const struct options *o, const struct study *s, const struct study_plan *p,
                 struct arena *a, struct err *e)
{
    static const char *const heads[] = {"<run", "<machine", "<is"};
    struct store *store = access(o->db, F_OK) == 0 ? store_open(o->db, e) : NULL;
    struct table *t = table_new(a, heads, 3);
    uint32_t done = 0;
    for (uint32_t i = 0; i < p->njobs && e->status == STATUS_DONE; i++) {
        const struct study_job *j = &p->jobs[i];
        bool has = false;
        if (store && !store_has(store, j->key, &has, e))
            break;
        const char *why = store && !has ? store_failure(store, a, j->key) : NULL;
        table_cell(t, "%s", j->label);
        table_cell(t, "%s", s->variants[j->variant].machine);
        table_cell(t, "%s", has ? "done" : why ? "failed before" : "to be done");
        done += has;
    }
    store_close(store);
    if (e->status != STATUS_DONE)
        return false;
    printf("%s\n", s->title ? s->title : s->name);
    table_print(t, stdout);
    printf("%u runs, %u of them done; figures: %u, variants: %u, workloads: %u\n", p->njobs, done,
           s->nfigures, s->nvariants, s->nworkloads);
    return true;
}

/* ---- running ---------------------------------------------------------------------------------- */

static bool put_note(const struct options *o, struct store *s, const struct study_note *n,
                     struct arena *a, struct err *e)
{
    const char *own = arena_printf(a, "%s/results.db", o->out.dir);
    return study_out_put_note(s, o->out.dir, strcmp(own, o->db) != 0, n, e);
}

/* Whatever can be refused is refused here, and the database knows what it belongs to. */
static bool prepare(const struct options *o, const char *command, struct arena *a,
                    struct study_note *note, struct err *e)
{
    char full[PATH_MAX];
    HD_ASSERT(o->name, "a study without a name");
    bool is_path = strchr(o->name, '/') || strstr(o->name, ".yaml");
    const char *name = is_path && realpath(o->name, full) ? arena_strdup(a, full) : o->name;
    *note = (struct study_note){.study = name, .options = o->study, .command = command};
    if (!study_out_folder(o->out.dir, e) || !study_out_probe(&o->out, a, e))
        return false;
    struct store *s = store_open(o->db, e);
    bool ok = s && store_check(s, true, e) && put_note(o, s, note, a, e);
    store_close(s);
    return ok;
}

/* Runs that were done are noted; where all were there, the note of those who did them stays. */
static bool note_runs(const struct options *o, struct store *s, bool any, struct study_note *n,
                      struct arena *a, struct err *e)
{
    if (any) {
        n->ran = origin_date(a);
        n->host = origin_host(a);
        return put_note(o, s, n, a, e);
    }
    struct study_note before;
    if (study_out_get_note(s, a, o->out.dir, &before)) {
        n->ran = before.ran;
        n->host = before.host;
    }
    return true;
}

static bool judge(const struct options *o, const struct study *s, const struct study_plan *p,
                  const struct pool_result *done, struct study_note *note, struct arena *a,
                  struct study_result *r, struct err *e)
{
    struct store *store = store_open(o->db, e);
    bool ok = store && note_runs(o, store, done->done > 0, note, a, e) &&
              study_judge(a, s, p, store, r, e);
    store_close(store);
    if (ok)
        study_out_origin(a, o->out.dir, note, r);
    return ok;
}

static bool finish(const struct options *o, struct study_result *r, const struct pool_result *done,
                   struct arena *a, struct err *e)
{
    r->version = hd_version();
    r->nfailures = done->nfailures;
    r->failures = done->failures;
    if (!study_out_write(&o->out, r, a, e))
        return false;
    study_out_print(&o->out, r, a);
    return done->nfailures == 0 ||
           err_set(e, STATUS_FAILED,
                   "%u of %u runs failed, the first: %s: %s; the same command tries them again",
                   done->nfailures, done->nfailures + done->done + done->cached,
                   done->failures[0].label, done->failures[0].why);
}

static bool run_study(struct options *o, const char *path, const char *command, struct arena *a,
                      struct err *e)
{
    struct study_plan plan;
    struct pool_result done;
    struct study_result result;
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk, not a crash */
    const struct study *s = study_read(a, path, &o->study, e);
    if (!s)
        return false;
    o->out.dir = o->out.dir ? o->out.dir : arena_printf(a, "out/%s", s->name);
    o->db = o->db ? o->db : arena_printf(a, "%s/results.db", o->out.dir);
    if (!study_plan(a, s, &study_file_above, &plan, e) ||
        !effect_tell_text(plan.idle, o->is_strict, e))
        return false;
    if (o->wants_list)
        return list(o, s, &plan, a, e);
    struct study_note note;
    if (!prepare(o, command, a, &note, e) || !run_pool(o, s, &plan, a, &done, e))
        return false;
    if (done.was_interrupted)
        return err_set(e, STATUS_BUDGET,
                       "interrupted: %u of %u runs are done and kept in %s; the same command goes "
                       "on from there",
                       done.done + done.cached, plan.njobs, o->db);
    return judge(o, s, &plan, &done, &note, a, &result, e) && finish(o, &result, &done, a, e);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        const char *path = o.wants_help ? NULL : study_file_find(a, o.name, e);
        if (o.wants_help)
            fputs(help, stdout);
        else if (path && explore_is(path, e))
            command_explore.run(argc, argv, e);
        else if (e->status == STATUS_DONE)
            run_study(&o, path, origin_command(a), a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_study = {"study", "a paper's evaluation: run, and judged", run};
