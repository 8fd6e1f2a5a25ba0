/* sweep.c - heddle run over every combination of some values. */
#include "cli/sweep.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "cli/cli.h"
#include "cli/effect.h"
#include "cli/interrupt.h"
#include "cli/study_bar.h"
#include "cli/sweep_child.h"
#include "cli/sweep_out.h"
#include "machine/results.h"
#include "study/process.h"

enum { POLL_MS = 200 };

struct place { /* for one process */
    struct process process;
    uint32_t run;
};

struct state {
    struct sweep *sweep;
    const char *folder, *stream;
    struct place *places;
    struct pollfd *polls;
    struct study_bar bar;
    struct pool_progress progress;
    double start_s;
    uint32_t started;
    pid_t recorder; /* 0: there was none */
};

/* ---- what is refused before anything runs ------------------------------------------------------ */

static bool check_options(const struct timed_options *o, struct err *e)
{
    const char *what = o->timeline        ? "--timeline is"
                       : o->series        ? "--series is"
                       : o->details       ? "--details is"
                       : o->window        ? "--window is"
                       : o->nprograms > 1 ? "programs at once are"
                                          : NULL;
    return !what || err_set(e, STATUS_BAD_INPUT,
                            "run: %s not for sweeps, which are one table of one program", what);
}

/* Every machine is built once, so that a mistake in the last of them is not found last. */
static bool build_run(const struct sweep *s, uint32_t index, struct err *e)
{
    struct sweep_run *r = &s->runs[index];
    r->label = sweep_axes_label(s->axes, index, s->arena);
    r->machine = sweep_axes_machine(s->axes, &s->given, index);
    r->config = machine_config(s->arena);
    const char *path = data_machine(s->arena, r->machine, e);
    if (!path || !config_load(r->config, path, e))
        return false;
    for (int i = 0; i < s->given.nsets; i++)
        if (!config_set(r->config, sweep_axes_set(s->axes, &s->given, index, i, s->arena), e))
            return false;
    machine_fit(r->config);
    struct err why = {0};
    struct results_scale scale;
    struct machine *m = machine_new(r->config, &(struct machine_options){0}, &why);
    bool ok = m && results_scale_of(&scale, m, s->arena, &why);
    machine_free(m);
    return ok || err_set(e, why.status, "%s: %s", r->label, why.text);
}

static bool tell_effect(const struct sweep *s, struct err *e)
{
    const struct config **all = ARENA_ARRAY(s->arena, const struct config *, s->axes->runs);
    for (uint32_t i = 0; i < s->axes->runs; i++)
        all[i] = s->runs[i].config;
    return effect_tell_all(all, s->axes->runs, s->o->is_strict, e);
}

static bool build_runs(struct sweep *s, struct err *e)
{
    s->runs = ARENA_ARRAY(s->arena, struct sweep_run, s->axes->runs);
    for (uint32_t i = 0; i < s->axes->runs; i++)
        if (!build_run(s, i, e))
            return false;
    return true;
}

/* ---- processes -------------------------------------------------------------------------------- */

static const char *result_of(const struct state *t, uint32_t run)
{
    return arena_printf(t->sweep->arena, "%s/%u", t->folder, run);
}

static void show(struct state *t)
{
    struct pool_progress *p = &t->progress;
    p->elapsed_s = wall_s() - t->start_s;
    uint32_t over = p->done + p->failed;
    p->left_s = over ? p->elapsed_s * (p->total - over) / over : -1;
    study_bar_show(&t->bar, p);
}

static bool start(struct state *t, struct place *at, const struct sweep_run *run, struct err *e)
{
    struct sweep_child child = {t->sweep, run, t->stream, NULL};
    struct process_body body = {sweep_child_do, &child, _exit};
    at->run = run ? (uint32_t)(run - t->sweep->runs) : 0;
    child.result = result_of(t, at->run);
    if (!process_start(&at->process, &body, e))
        return false;
    t->progress.running++;
    return true;
}

static bool start_all(struct state *t, struct err *e)
{
    struct sweep *s = t->sweep;
    for (uint32_t i = 0; i < s->jobs && t->started < s->axes->runs; i++)
        if (!t->places[i].process.pid && !start(t, &t->places[i], &s->runs[t->started++], e))
            return false;
    return true;
}

static void end_run(struct state *t, struct place *at)
{
    struct sweep_run *r = &t->sweep->runs[at->run];
    struct err e = {0};
    r->why = process_reap(&at->process, t->sweep->arena);
    if (!r->why && !sweep_child_read(r, result_of(t, at->run), t->sweep->arena, &e))
        r->why = arena_strdup(t->sweep->arena, e.text);
    *(r->why ? &t->progress.failed : &t->progress.done) += 1;
    t->progress.last = r->label;
    t->progress.running--;
    unlink(result_of(t, at->run));
}

/* Waits until something is to be done; places whose process has ended are in the caller's hands. */
static void wait_for_words(struct state *t)
{
    nfds_t n = 0;
    for (uint32_t i = 0; i < t->sweep->jobs; i++)
        if (t->places[i].process.pid)
            t->polls[n++] = (struct pollfd){.fd = t->places[i].process.words, .events = POLLIN};
    poll(t->polls, n, POLL_MS);
    show(t);
}

/* Ends all processes; always false. */
static bool stop(struct state *t, struct err *e)
{
    for (uint32_t i = 0; i < t->sweep->jobs; i++)
        if (t->places[i].process.pid)
            process_kill(&t->places[i].process);
    return err_set(e, STATUS_BUDGET, "interrupted: %u of %u runs were done, and nothing is kept",
                   t->progress.done, t->sweep->axes->runs);
}

/* "status 1: outputs differ": the child's status is that of the command. */
static bool blame_recording(const char *why, struct err *e)
{
    int status = STATUS_FAILED, length = 0;
    if (sscanf(why, "status %d: %n", &status, &length) != 1 || !length)
        return err_set(e, STATUS_FAILED, "%s", why);
    return err_set(e, (enum status)status, "%s", why + length);
}

static bool record(struct state *t, struct err *e)
{
    struct place *at = &t->places[0];
    if (t->sweep->o->program[0].trace)
        return true;
    if (!start(t, at, NULL, e))
        return false;
    t->recorder = at->process.pid;
    while (process_listen(&at->process)) {
        if (interrupt_came())
            return stop(t, e);
        wait_for_words(t);
    }
    t->progress.running--;
    const char *why = process_reap(&at->process, t->sweep->arena);
    return !why || blame_recording(why, e);
}

static bool replay_all(struct state *t, struct err *e)
{
    t->start_s = wall_s();
    while (t->progress.done + t->progress.failed < t->sweep->axes->runs) {
        if (interrupt_came() || !start_all(t, e))
            return stop(t, e);
        wait_for_words(t);
        for (uint32_t i = 0; i < t->sweep->jobs; i++)
            if (t->places[i].process.pid && !process_listen(&t->places[i].process))
                end_run(t, &t->places[i]);
    }
    return true;
}

/* ---- a folder for the time being --------------------------------------------------------------- */

static bool make_folder(struct state *t, struct err *e)
{
    const char *tmp = getenv("TMPDIR"), *trace = t->sweep->o->program[0].trace;
    char *folder = arena_strdup(t->sweep->arena, arena_printf(t->sweep->arena, "%s/heddle-XXXXXX",
                                                              tmp && *tmp ? tmp : "/tmp"));
    if (!mkdtemp(folder))
        return err_set(e, STATUS_BAD_INPUT, "%s: cannot make the folder: %s", folder,
                       strerror(errno));
    t->folder = folder;
    t->stream = trace ? trace : arena_printf(t->sweep->arena, "%s/stream.hds", folder);
    return true;
}

/* Also what a recording that was killed left. */
static void remove_folder(const struct state *t)
{
    for (uint32_t i = 0; i < t->sweep->axes->runs; i++)
        unlink(result_of(t, i));
    if (t->recorder) {
        unlink(t->stream);
        unlink(arena_printf(t->sweep->arena, "%s.part%ld", t->stream, (long)t->recorder));
    }
    rmdir(t->folder);
}

/* ---- all of it -------------------------------------------------------------------------------- */

double sweep_stat(const struct sweep_run *r, const char *name)
{
    for (uint32_t i = 0; i < r->nstats; i++)
        if (strcmp(r->names[i], name) == 0)
            return r->values[i];
    return NAN;
}

static bool tell_failures(const struct sweep *s, struct err *e)
{
    uint32_t failed = 0, partial = 0;
    const struct sweep_run *first = NULL;
    for (uint32_t i = 0; i < s->axes->runs; i++) {
        failed += s->runs[i].why != NULL;
        partial += s->runs[i].is_partial;
        first = !first && s->runs[i].why ? &s->runs[i] : first;
    }
    if (first)
        return err_set(e, STATUS_FAILED, "%u of %u runs failed, the first: %s: %s", failed,
                       s->axes->runs, first->label, first->why);
    return !partial || err_set(e, STATUS_BUDGET, "%u of %u runs were stopped by their budget",
                               partial, s->axes->runs);
}

static bool run_all(struct sweep *s, struct err *e)
{
    struct state t = {.sweep = s, .progress = {.total = s->axes->runs}};
    struct interrupt signals;
    if (!make_folder(&t, e))
        return false;
    t.places = ARENA_ARRAY(s->arena, struct place, s->jobs);
    t.polls = ARENA_ARRAY(s->arena, struct pollfd, s->jobs);
    t.start_s = wall_s();
    study_bar_init(&t.bar);
    interrupt_begin(&signals);
    bool ok = record(&t, e) && replay_all(&t, e);
    interrupt_end(&signals);
    study_bar_wipe(&t.bar);
    remove_folder(&t);
    return ok;
}

bool sweep_do(struct sweep *s, struct err *e)
{
    const struct program *p = &s->o->program[0];
    double start = wall_s();
    s->jobs = s->jobs < s->axes->runs ? s->jobs : s->axes->runs;
    s->workload = p->trace ? p->trace : execute_title(&p->execute, s->arena);
    if (!check_options(s->o, e) || !build_runs(s, e) || !tell_effect(s, e) || !run_all(s, e))
        return false;
    s->wall_s = wall_s() - start;
    return sweep_out_write(s, e) && tell_failures(s, e);
}
