/* cmd_characterise.c - heddle characterise: what a machine's caches and memory give, over footprint,
 * occupancy and access pattern, beside what a chip measured. */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/characterise.h"
#include "cli/cli.h"
#include "cli/execute.h"
#include "cli/origin.h"
#include "cli/study_file.h"
#include "cli/study_out.h"
#include "cli/study_pool.h"
#include "heddle/heddle.h"
#include "machine/machine.h"

static const char help[] =
    "usage: heddle characterise -m MACHINE [OPTION]...\n\n"
    "Runs microbenchmarks on a machine: latency over footprint (CHASE), bandwidth of caches over\n"
    "footprint (CACHEBW) and of memory over occupancy (STREAM), strides (STRIDE), bank conflicts\n"
    "(BANKS), atomics (ATOMICS), start and end of CTAs (LAUNCH).  Prints tables and writes a page\n"
    "of charts, beside the measurements of a chip where there are some.  Every finished run is\n"
    "kept, as those of a study are.\n\n"
    "  -m MACHINE            heddle list machines, or a file\n"
    "  --set KEY=VALUE       change a parameter (heddle list params)\n"
    "  --chip NAME           put this chip beside it (reference/hw), not the one of gpu.chip\n"
    "  --only PART[,PART]... of latency, cache, stream, stride, banks, atomics, launch\n"
    "  --quick               fewer points: a minute\n"
    "  --jobs N              runs at once (default: the processors there are)\n"
    "  --out DIR             where results go (default out/characterise-MACHINE): report.html,\n"
    "                        study.yaml (the same as a study), figures/, results.db, streams/\n"
    "  --csv FILE            the curves as CSV ('-': standard output)\n"
    "  --json FILE           ... as JSON, with levels and errors\n\n"
    "exit status: 0 all runs are done; 1 some failed; 2 bad input; 4 interrupted\n";

enum { OPT_SET = 1, OPT_CHIP, OPT_ONLY, OPT_QUICK, OPT_JOBS, OPT_OUT, OPT_CSV, OPT_JSON };
enum { MOST_SETS = 64 };

static const struct option long_options[] = {{"machine", required_argument, NULL, 'm'},
                                             {"set", required_argument, NULL, OPT_SET},
                                             {"chip", required_argument, NULL, OPT_CHIP},
                                             {"only", required_argument, NULL, OPT_ONLY},
                                             {"quick", no_argument, NULL, OPT_QUICK},
                                             {"jobs", required_argument, NULL, OPT_JOBS},
                                             {"out", required_argument, NULL, OPT_OUT},
                                             {"csv", required_argument, NULL, OPT_CSV},
                                             {"json", required_argument, NULL, OPT_JSON},
                                             {"help", no_argument, NULL, 'h'},
                                             {0}};

struct options {
    struct characterise_options what;
    const char *sets[MOST_SETS];
    uint32_t nsets;
    const char *dir, *db, *csv, *json;
    uint64_t jobs;
    bool wants_help;
};

/* ---- options ---------------------------------------------------------------------------------- */

static bool take_option(struct options *o, int c, struct err *e)
{
    const char **texts[] = {[OPT_CHIP] = &o->what.chip,
                            [OPT_ONLY] = &o->what.only,
                            [OPT_OUT] = &o->dir,
                            [OPT_CSV] = &o->csv,
                            [OPT_JSON] = &o->json};
    if (c == 'h')
        o->wants_help = true;
    else if (c == 'm')
        o->what.machine = optarg;
    else if (c == OPT_QUICK)
        o->what.quick = true;
    else if (c == OPT_JOBS)
        return execute_parse_number("--jobs", optarg, 1, &o->jobs, e);
    else if (c == OPT_SET && o->nsets == MOST_SETS)
        return err_set(e, STATUS_BAD_INPUT, "characterise: more than %d --set", MOST_SETS);
    else if (c == OPT_SET)
        o->sets[o->nsets++] = optarg;
    else
        *texts[c] = optarg;
    return true;
}

static bool parse(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){.jobs = study_pool_jobs()};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":hm:", long_options, NULL)) != -1;) {
        if (c == '?' || c == ':')
            return execute_refuse_option("characterise", c, argv, e);
        if (!take_option(o, c, e))
            return false;
    }
    if (o->wants_help)
        return true;
    if (optind < argc)
        return err_set(e, STATUS_BAD_INPUT,
                       "characterise: unexpected \"%s\" (heddle characterise --help)",
                       argv[optind]);
    if (!o->what.machine)
        return err_set(e, STATUS_BAD_INPUT,
                       "characterise: -m MACHINE is missing (heddle list machines)");
    return !(o->csv && o->json && strcmp(o->csv, "-") == 0 && strcmp(o->json, "-") == 0) ||
           err_set(e, STATUS_BAD_INPUT,
                   "characterise: --csv - and --json -: there can be only one");
}

/* ---- running ---------------------------------------------------------------------------------- */

/* "volta" of machines/volta.yaml. */
static const char *stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_printf(a, "%.*s", (int)strcspn(name, "."), name);
}

static struct config *load(const struct options *o, struct characterise *c, struct arena *a,
                           struct err *e)
{
    char full[PATH_MAX];
    struct config *cfg = machine_config(a);
    const char *path = data_machine(a, o->what.machine, e);
    if (!path || !config_load(cfg, path, e))
        return NULL;
    for (uint32_t i = 0; i < o->nsets; i++)
        if (!config_set(cfg, o->sets[i], e))
            return NULL;
    machine_fit(cfg);
    c->path = realpath(path, full) ? arena_strdup(a, full) : path;
    return cfg;
}

static bool plan(struct options *o, struct characterise *c, struct arena *a, struct err *e)
{
    struct characterise found = {0};
    struct config *cfg = load(o, &found, a, e);
    if (!cfg)
        return false;
    o->what.machine = stem(a, found.path);
    o->dir = o->dir ? o->dir : arena_printf(a, "out/characterise-%s", o->what.machine);
    o->db = arena_printf(a, "%s/results.db", o->dir);
    if (!characterise_plan(a, cfg, &o->what, c, e))
        return false;
    c->path = found.path;
    c->nsets = o->nsets;
    c->sets = o->sets;
    return true;
}

static bool note(const struct options *o, const char *study, struct arena *a, bool ran,
                 struct study_note *n, struct err *e)
{
    char full[PATH_MAX];
    *n = (struct study_note){.study = realpath(study, full) ? arena_strdup(a, full) : study,
                             .command = origin_command(a),
                             .ran = ran ? origin_date(a) : NULL,
                             .host = ran ? origin_host(a) : NULL};
    struct store *s = store_open(o->db, e);
    bool ok = s && store_check(s, true, e) && study_out_put_note(s, o->dir, false, n, e);
    store_close(s);
    return ok;
}

static bool run_pool(const struct options *o, const struct study *s, const struct study_plan *p,
                     struct arena *a, struct pool_result *done, struct err *e)
{
    struct study_pool pool;
    study_pool_begin(&pool, a, o->jobs, o->db, o->dir);
    bool ok = pool_run(a, s, p, &pool.options, done, e);
    study_pool_end(&pool);
    if (ok && done->was_interrupted)
        return err_set(e, STATUS_BUDGET,
                       "interrupted: %u of %u runs are done and kept in %s; the same command goes "
                       "on from there",
                       done->done + done->cached, p->njobs, o->db);
    return ok;
}

static bool judge(const struct options *o, const char *path, const struct study *s,
                  const struct study_plan *p, const struct pool_result *done, struct arena *a,
                  struct study_result *r, struct err *e)
{
    struct study_note n;
    struct store *store = store_open(o->db, e);
    bool ok = store && study_judge(a, s, p, store, r, e);
    store_close(store);
    if (!ok || !note(o, path, a, true, &n, e))
        return false;
    study_out_origin(a, o->dir, &n, r);
    r->version = hd_version();
    r->nfailures = done->nfailures;
    r->failures = done->failures;
    return study_out_write(&(struct study_out){.dir = o->dir}, r, a, e);
}

static bool show(const struct options *o, const struct characterise *c,
                 const struct study_result *r, struct err *e)
{
    struct characterise_values v = characterise_values_of(c, r);
    bool is_document =
        (o->csv && strcmp(o->csv, "-") == 0) || (o->json && strcmp(o->json, "-") == 0);
    if ((o->csv && !characterise_write_csv(&v, o->csv, e)) ||
        (o->json && !characterise_write_json(&v, o->json, e)))
        return false;
    if (is_document)
        return true;
    characterise_print(&v, stdout);
    printf("\nreport: %s/report.html; the same as a study: %s/study.yaml\n", o->dir, o->dir);
    return true;
}

static bool characterise(struct options *o, struct arena *a, struct err *e)
{
    struct characterise c;
    struct study_plan p;
    struct pool_result done;
    struct study_result r;
    struct study_note n;
    if (!plan(o, &c, a, e) || !study_out_folder(o->dir, e))
        return false;
    if ((o->csv && !outfile_probe(o->csv, e)) || (o->json && !outfile_probe(o->json, e)))
        return false;
    const char *path = arena_printf(a, "%s/study.yaml", o->dir);
    if (!characterise_write_study(&c, path, e))
        return false;
    const struct study *s = study_read(a, path, &(struct study_options){0}, e);
    if (!s || !study_plan(a, s, &study_file_above, &p, e) || !note(o, path, a, false, &n, e) ||
        !run_pool(o, s, &p, a, &done, e) || !judge(o, path, s, &p, &done, a, &r, e) ||
        !show(o, &c, &r, e))
        return false;
    return done.nfailures == 0 ||
           err_set(e, STATUS_FAILED, "%u runs failed, the first: %s: %s", done.nfailures,
                   done.failures[0].label, done.failures[0].why);
}

static enum status run(int argc, char **argv, struct err *e)
{
    struct arena *a = arena_new();
    struct options o;
    if (parse(argc, argv, &o, e)) {
        if (o.wants_help)
            fputs(help, stdout);
        else
            characterise(&o, a, e);
    }
    arena_free(a);
    return e->status;
}

const struct command command_characterise = {
    "characterise", "a machine's latency and bandwidth curves, beside a chip's", run};
