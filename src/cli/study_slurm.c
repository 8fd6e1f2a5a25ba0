/* study_slurm.c - --slurm: what is missing of a study as job arrays.
 *
 *     recordings, one task each --afterany--> runs, in chunks --afterany--> gather
 *
 * afterany and not afterok: a program that cannot be recorded, or a run that fails, keeps its own
 * runs from being done and nothing else; what is missing at the end is said by the gather, and done
 * by the next submission. */
#include "cli/study_slurm.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/origin.h"
#include "cli/slurm.h"
#include "cli/slurm_script.h"
#include "cli/study_bar.h"
#include "cli/study_end.h"
#include "cli/study_file.h"
#include "cli/study_jobs.h"
#include "study/lockfile.h"
#include "study/submission.h"

enum { USUAL_ARRAY = 1001 }; /* MaxArraySize of a Slurm that nobody has configured otherwise */

struct work {
    const struct study_ask *ask;
    const struct study *study;
    struct arena *arena;
    struct study_plan plan;
    struct done done;
    struct submission tasks;
    uint32_t number;    /* of the submission */
    uint32_t per_array; /* tasks that one array can have */
    struct slurm_script script;
    const char *after; /* ids of the step before, ":12:13"; "": there is none */
    struct err *e;
};

/* ---- what is to be done ----------------------------------------------------------------------- */

static bool check_options(const struct study_ask *o, struct err *e)
{
    if (o->partition && !slurm_is_name(o->partition))
        return err_set(e, STATUS_BAD_INPUT, "--partition %s: no name of a partition", o->partition);
    if (o->time && !slurm_is_time(o->time))
        return err_set(e, STATUS_BAD_INPUT,
                       "--time %s: expected MINUTES, HOURS:MINUTES:SECONDS, DAYS-HOURS or "
                       "DAYS-HOURS:MINUTES",
                       o->time);
    return o->is_dry || slurm_is_here(e);
}

static bool find_work(struct work *w)
{
    struct shard_list shards;
    struct recordings r;
    struct arena *a = w->arena;
    const struct study_ask *o = w->ask;
    struct submission_options so = {o->per_task, o->max_tasks ? o->max_tasks : STUDY_SLURM_TASKS};
    if (!shard_find(a, study_ask_shards(a, o), NULL, &shards, w->e) ||
        !done_find(a, &w->plan, o->db, &shards, &w->done, w->e))
        return false;
    recordings_find(a, w->study, &w->plan, &w->done, study_ask_streams(a, o), &r);
    submission_make(a, w->study, &w->plan, &w->done, &r,
                    submission_guesses(a, w->study, &w->plan, &r, o->db), &so, &w->tasks);
    return true;
}

/* ---- files ------------------------------------------------------------------------------------ */

static const char *full_path(struct arena *a, const char *path)
{
    char here[PATH_MAX];
    if (path[0] == '/' || !getcwd(here, sizeof here))
        return path;
    return arena_printf(a, "%s/%s", here, path);
}

static const char *own_program(struct arena *a)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    return n > 0 ? arena_printf(a, "%.*s", (int)n, path) : "heddle";
}

static const char *file_of(const struct work *w, const char *end)
{
    return arena_printf(w->arena, "%s/%u%s",
                        full_path(w->arena, study_jobs_folder(w->arena, w->ask)), w->number, end);
}

static const char *script_file(const struct work *w, enum slurm_step step)
{
    return file_of(w, arena_printf(w->arena, "-%s.sh", slurm_script_word(step)));
}

static void number_it(struct work *w)
{
    w->number = 1;
    while (access(file_of(w, ".manifest"), F_OK) == 0)
        w->number++;
}

static void describe(struct work *w)
{
    char here[PATH_MAX];
    struct arena *a = w->arena;
    number_it(w);
    w->script =
        (struct slurm_script){.ask = w->ask,
                              .name = study_jobs_name(a, w->ask, w->study),
                              .program = own_program(a),
                              .folder = getcwd(here, sizeof here) ? arena_strdup(a, here) : "/",
                              .out = full_path(a, w->ask->out.dir),
                              .db = full_path(a, w->ask->db),
                              .manifest = file_of(w, ".manifest")};
}

static bool write_script(const struct work *w, enum slurm_step step)
{
    struct outfile f;
    if (!outfile_open(&f, script_file(w, step), w->e))
        return false;
    slurm_script_write(&w->script, step, f.f);
    return outfile_commit(&f, w->e);
}

static bool write_files(const struct work *w)
{
    return manifest_write(w->script.manifest, &w->tasks.manifest, w->e) &&
           write_script(w, STEP_RECORD) && write_script(w, STEP_RUN) &&
           write_script(w, STEP_GATHER);
}

/* ---- submitting ------------------------------------------------------------------------------- */

enum { MOST_ARGS = 12 };

/* The command for tasks first .. first + n - 1 of a step; n is 0 where it is no array. */
static void make_command(const struct work *w, enum slurm_step step, uint32_t first, uint32_t n,
                         const char *args[MOST_ARGS])
{
    struct arena *a = w->arena;
    uint32_t at = 0;
    args[at++] = "sbatch";
    args[at++] = "--parsable";
    args[at++] = arena_printf(a, "--chdir=%s", full_path(a, study_jobs_folder(a, w->ask)));
    if (n)
        args[at++] = arena_printf(a, "--array=0-%u", n - 1);
    if (*w->after)
        args[at++] = arena_printf(a, "--dependency=afterany%s", w->after);
    args[at++] = script_file(w, step);
    if (n)
        args[at++] = arena_printf(a, "%u", first);
    args[at] = NULL;
}

static void print_command(const char *const *args, struct arena *a)
{
    for (uint32_t i = 0; args[i]; i++)
        printf("%s%s", i ? " " : "$ ", origin_quoted(a, args[i]));
    putchar('\n');
}

/* One array; its id is added to *ids. */
static bool submit_array(struct work *w, enum slurm_step step, uint32_t first, uint32_t n,
                         const char **ids)
{
    const char *args[MOST_ARGS];
    uint64_t id = 0;
    make_command(w, step, first, n, args);
    if (w->ask->is_dry) {
        print_command(args, w->arena);
        *ids = arena_printf(w->arena, "%s:%s", *ids, step == STEP_RECORD ? "RECORDINGS" : "RUNS");
        return true;
    }
    if (!slurm_submit(w->arena, args, &id, w->e))
        return false;
    *ids = arena_printf(w->arena, "%s:%llu", *ids, (unsigned long long)id);
    return study_jobs_note(
        w->arena, w->ask,
        arena_printf(w->arena, "%s %llu", slurm_script_word(step), (unsigned long long)id), w->e);
}

/* A step as arrays that are not too long for this cluster; the next waits for all of them. */
static bool submit_step(struct work *w, enum slurm_step step, uint32_t first, uint32_t n)
{
    const char *ids = "";
    if (w->ask->is_dry) {
        printf("\n# %s\n", script_file(w, step));
        slurm_script_write(&w->script, step, stdout);
    }
    for (uint32_t i = 0; i < n; i += w->per_array) {
        uint32_t part = n - i < w->per_array ? n - i : w->per_array;
        if (!submit_array(w, step, first + i, part, &ids))
            return false;
    }
    if (step == STEP_GATHER && !submit_array(w, step, 0, 0, &ids))
        return false;
    w->after = *ids ? ids : w->after;
    return true;
}

static bool submit_all(struct work *w)
{
    const struct submission *x = &w->tasks;
    bool ok = (!x->nrecord || submit_step(w, STEP_RECORD, 0, x->nrecord)) &&
              (!x->nrun || submit_step(w, STEP_RUN, x->nrecord, x->nrun)) &&
              submit_step(w, STEP_GATHER, 0, 0);
    struct err ignored = {0};
    if (!ok && !w->ask->is_dry) /* half a study helps nobody */
        slurm_cancel(w->arena, w->script.name, &ignored);
    return ok;
}

/* ---- all of it -------------------------------------------------------------------------------- */

static bool is_idle(const struct work *w)
{
    struct slurm_queue q;
    const char *names = study_jobs_names(w->arena, w->ask);
    if (!names)
        return true;
    if (!slurm_queue(w->arena, names, &q, w->e))
        return false;
    uint32_t n = q.running + q.pending + q.other;
    return n == 0 ||
           err_set(w->e, STATUS_BAD_INPUT,
                   "%s: %u tasks of an earlier submission are under way (--status; --cancel)",
                   w->ask->out.dir, n);
}

static void summarise(const struct work *w)
{
    char time[32];
    const struct submission *x = &w->tasks;
    const char *begin = w->ask->is_dry ? "# " : "submitted: ";
    double each_s = x->nrun ? x->seconds / x->nrun : 0;
    study_bar_time(time, sizeof time, each_s > 1 ? each_s : 1); /* a guess of less says nothing */
    if (x->nrun)
        printf("%s%u of %u runs in %u tasks of about %s each, after %u recordings", begin,
               x->manifest.nruns, w->plan.njobs, x->nrun, time, x->nrecord);
    else
        printf("%sthe gather of %u runs that are done", begin, w->plan.njobs);
    if (!w->ask->is_dry)
        printf(", as %s", w->script.name);
    putchar('\n');
}

static bool submit(struct work *w)
{
    struct study_note note;
    const struct study_ask *o = w->ask;
    const char *folder = study_jobs_folder(w->arena, o);
    if (!study_out_folder(arena_printf(w->arena, "%s/logs", folder), w->e) ||
        !store_share(o->db, w->e) || !study_end_prepare(o, o->command, w->arena, &note, w->e))
        return false;
    w->per_array = slurm_array_tasks(w->arena);
    describe(w);
    if (!write_files(w) ||
        !study_jobs_note(w->arena, o, arena_printf(w->arena, "name %s", w->script.name), w->e) ||
        !submit_all(w))
        return false;
    summarise(w);
    return true;
}

static bool submit_missing(struct work *w)
{
    if (!find_work(w))
        return false;
    if (w->done.n[RUN_IN_STORE] == w->plan.njobs && !study_jobs_owe(w->arena, w->ask)) {
        printf("all %u runs are done; heddle report %s makes the report anew\n", w->plan.njobs,
               w->ask->out.dir);
        return true;
    }
    if (!w->ask->is_dry)
        return submit(w);
    describe(w);
    summarise(w);
    return submit_all(w);
}

/* What is missing is looked for when no earlier submission, and no other of now, can change it. */
static bool submit_locked(struct work *w)
{
    const char *folder = study_jobs_folder(w->arena, w->ask);
    const char *lock = arena_printf(w->arena, "%s/submit.lock", folder);
    if (!study_out_folder(folder, w->e) || !lockfile_take(lock, "submits", 0, w->e))
        return false;
    bool ok = is_idle(w) && submit_missing(w);
    lockfile_release(lock);
    return ok;
}

bool study_slurm(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    struct work w = {
        .ask = o, .study = s, .arena = a, .after = "", .e = e, .per_array = USUAL_ARRAY};
    return check_options(o, e) && study_plan(a, s, &study_file_above, &w.plan, e) &&
           effect_tell_text(w.plan.idle, o->is_strict, e) &&
           (o->is_dry ? submit_missing(&w) : submit_locked(&w));
}
