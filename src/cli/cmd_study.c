/* cmd_study.c - heddle study: the runs of a study that are not done yet, and what they come to. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/execute.h"
#include "cli/origin.h"
#include "cli/study_end.h"
#include "cli/study_file.h"
#include "cli/study_gather.h"
#include "cli/study_jobs.h"
#include "cli/study_pool.h"
#include "cli/study_slurm.h"
#include "cli/study_task.h"
#include "cli/table.h"
#include "explore/explore.h"
#include "heddle/heddle.h"
#include "study/gather.h"

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
    "On a cluster (docs/cluster.md), in a folder that its computers share:\n\n"
    "  --slurm               submit to Slurm what is missing: recordings, runs, gather; with\n"
    "  --partition NAME      ... these options of sbatch (--jobs: processors of a task),\n"
    "  --time TIME           minutes, HOURS:MINUTES:SECONDS, DAYS-HOURS\n"
    "  --per-task N          ... so many runs a task (default: about a minute's, by guess),\n"
    "  --max-tasks N         ... so many tasks at most (default 1000)\n"
    "  --dry-run             ... only show the scripts\n"
    "  --status              how far it is, from anywhere\n"
    "  --cancel              cancel the jobs of this study, and no others\n"
    "  --record K/N          the K-th of N parts of the recordings, for other batch systems\n"
    "  --shard K/N           the K-th of N parts of the runs, into a file of its own\n"
    "  --gather              put what tasks have done into the database, and report it\n"
    "  --task FILE:K         what task K of --slurm does\n\n"
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
    OPT_STRICT,
    OPT_SLURM,
    OPT_PARTITION,
    OPT_TIME,
    OPT_PER_TASK,
    OPT_MAX_TASKS,
    OPT_DRY_RUN,
    OPT_STATUS,
    OPT_CANCEL,
    OPT_SHARD,
    OPT_RECORD,
    OPT_GATHER,
    OPT_TASK
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
                                             {"slurm", no_argument, NULL, OPT_SLURM},
                                             {"partition", required_argument, NULL, OPT_PARTITION},
                                             {"time", required_argument, NULL, OPT_TIME},
                                             {"per-task", required_argument, NULL, OPT_PER_TASK},
                                             {"max-tasks", required_argument, NULL, OPT_MAX_TASKS},
                                             {"dry-run", no_argument, NULL, OPT_DRY_RUN},
                                             {"status", no_argument, NULL, OPT_STATUS},
                                             {"cancel", no_argument, NULL, OPT_CANCEL},
                                             {"shard", required_argument, NULL, OPT_SHARD},
                                             {"record", required_argument, NULL, OPT_RECORD},
                                             {"gather", no_argument, NULL, OPT_GATHER},
                                             {"task", required_argument, NULL, OPT_TASK},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

struct options {
    struct study_ask ask;
    int action;            /* an option that asks for something else than to run; 0: none */
    const char *for_slurm; /* an option that only --slurm understands */
    bool wants_help;
};

/* ---- options ---------------------------------------------------------------------------------- */

static const char *name_of(int option)
{
    const struct option *x = long_options;
    while (x->val != option)
        x++;
    return x->name;
}

static bool take_action(struct options *o, int c, struct err *e)
{
    if (o->action && o->action != c)
        return err_set(e, STATUS_BAD_INPUT, "study: --%s and --%s: there can be only one",
                       name_of(o->action), name_of(c));
    o->action = c;
    o->ask.part = optarg;
    return true;
}

static bool take_option(struct options *o, int c, struct err *e)
{
    struct study_ask *x = &o->ask;
    const char **texts[] = {
        [OPT_ONLY] = &x->study.only,     [OPT_OUT] = &x->out.dir,   [OPT_DB] = &x->db,
        [OPT_CSV] = &x->out.csv,         [OPT_JSON] = &x->out.json, [OPT_TIME] = &x->time,
        [OPT_PARTITION] = &x->partition,
    };
    bool *flags[] = {
        [OPT_QUICK] = &x->study.quick, [OPT_STRICT] = &x->is_strict, [OPT_DRY_RUN] = &x->is_dry};
    if (c >= OPT_PARTITION && c <= OPT_DRY_RUN)
        o->for_slurm = name_of(c);
    switch (c) {
    case 'h':
        o->wants_help = true;
        return true;
    case OPT_QUICK:
    case OPT_STRICT:
    case OPT_DRY_RUN:
        *flags[c] = true;
        return true;
    case OPT_JOBS:
        return execute_parse_number("--jobs", optarg, 1, &x->jobs, e);
    case OPT_PER_TASK:
        return execute_parse_number("--per-task", optarg, 1, &x->per_task, e);
    case OPT_MAX_TASKS:
        return execute_parse_number("--max-tasks", optarg, 1, &x->max_tasks, e);
    case OPT_LIST:
    case OPT_SLURM:
    case OPT_STATUS:
    case OPT_CANCEL:
    case OPT_SHARD:
    case OPT_RECORD:
    case OPT_GATHER:
    case OPT_TASK:
        return take_action(o, c, e);
    default:
        *texts[c] = optarg;
        return true;
    }
}

static bool check(const struct options *o, struct err *e)
{
    const struct study_out *out = &o->ask.out;
    if (o->for_slurm && o->action != OPT_SLURM)
        return err_set(e, STATUS_BAD_INPUT, "study: --%s: only with --slurm", o->for_slurm);
    return !(out->csv && out->json && strcmp(out->csv, "-") == 0 && strcmp(out->json, "-") == 0) ||
           err_set(e, STATUS_BAD_INPUT, "study: --csv - and --json -: there can be only one");
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){0};
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
    o->ask.name = argv[optind];
    return check(o, e);
}

/* ---- --list ----------------------------------------------------------------------------------- */

static bool list(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    static const char *const heads[] = {"<run", "<machine", "<is"};
    struct study_plan plan;
    const struct study_plan *p = &plan;
    if (!study_plan(a, s, &study_file_above, &plan, e) ||
        !effect_tell_text(plan.idle, o->is_strict, e))
        return false;
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

static bool run_pool(const struct study_ask *o, const struct study *s, const struct study_plan *p,
                     struct arena *a, struct pool_result *r, struct err *e)
{
    struct study_pool pool;
    study_pool_begin(&pool, a, o->jobs ? o->jobs : study_pool_jobs(), o->db, o->out.dir);
    bool ok = pool_run(a, s, p, &pool.options, r, e);
    study_pool_end(&pool);
    return ok;
}

static bool finish(const struct study_ask *o, struct study_result *r,
                   const struct pool_result *done, struct arena *a, struct err *e)
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

static bool run_here(const struct study_ask *o, const struct study *s, struct arena *a,
                     struct err *e)
{
    struct study_plan plan;
    struct pool_result done;
    struct study_result result;
    struct study_note note;
    struct gather_result gathered;
    if (!study_plan(a, s, &study_file_above, &plan, e) ||
        !effect_tell_text(plan.idle, o->is_strict, e) ||
        !study_end_prepare(o, o->command, a, &note, e) ||
        !study_end_take_shards(o, a, &gathered, e) || !run_pool(o, s, &plan, a, &done, e))
        return false;
    if (done.was_interrupted)
        return err_set(e, STATUS_BUDGET,
                       "interrupted: %u of %u runs are done and kept in %s; the same command goes "
                       "on from there",
                       done.done + done.cached, plan.njobs, o->db);
    const char *host = done.done || gathered.runs ? origin_host(a) : NULL;
    return study_end_judge(o, s, &plan, host, &note, a, &result, e) &&
           finish(o, &result, &done, a, e);
}

/* ---- what is asked ---------------------------------------------------------------------------- */

static const struct action {
    int option; /* 0: nothing else was asked */
    const char *name;
    study_act *act;
} actions[] = {{0, "", run_here},
               {OPT_LIST, "--list", list},
               {OPT_SLURM, "--slurm", study_slurm},
               {OPT_STATUS, "--status", study_status},
               {OPT_CANCEL, "--cancel", study_jobs_cancel},
               {OPT_SHARD, "--shard", study_shard},
               {OPT_RECORD, "--record", study_record},
               {OPT_GATHER, "--gather", study_gather},
               {OPT_TASK, "--task", study_task}};

static const struct action *action_of(int option)
{
    const struct action *x = actions;
    while (x->option != option)
        x++;
    return x;
}

static bool ask(struct options *o, const char *path, struct arena *a, struct err *e)
{
    struct study_ask *x = &o->ask;
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk, not a crash */
    const struct study *s = study_read(a, path, &x->study, e);
    if (!s)
        return false;
    x->command = origin_command(a);
    x->out.dir = x->out.dir ? x->out.dir : arena_printf(a, "out/%s", s->name);
    x->db = x->db ? x->db : arena_printf(a, "%s/results.db", x->out.dir);
    return action_of(o->action)->act(x, s, a, e);
}

/* A search asks for points by what it has seen of others. */
static void explore(const struct options *o, int argc, char **argv, struct err *e)
{
    if (o->action == 0 || o->action == OPT_LIST)
        command_explore.run(argc, argv, e);
    else
        err_set(e, STATUS_BAD_INPUT,
                "%s: %s: an exploration decides by its last points which are next, and cannot be "
                "cut into parts; heddle explore --jobs N runs it on one computer",
                o->ask.name, action_of(o->action)->name);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        const char *path = o.wants_help ? NULL : study_file_find(a, o.ask.name, e);
        if (o.wants_help)
            fputs(help, stdout);
        else if (path && explore_is(path, e))
            explore(&o, argc, argv, e);
        else if (e->status == STATUS_DONE)
            ask(&o, path, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_study = {"study", "a paper's evaluation: run, and judged", run};
