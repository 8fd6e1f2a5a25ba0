/* pool.c - runs in a pool of processes.
 *
 * Of the runs that wait, the one with the longest guess is next: what is started last decides when
 * all is over.  A program that has not been recorded is recorded first, in a process of its own
 * that takes a place like any other, while runs of others go on.  Guesses are the
 * averages in the store, else the instructions recorded, else the size; they decide about order
 * and the time that is foretold, never about results. */
#include "study/pool.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/wall.h"
#include "study/kind.h"
#include "study/pool_child.h"
#include "study/pool_stream.h"
#include "study/process.h"

enum { NONE = UINT32_MAX, POLL_MS = 200 };

#define INSNS_PER_S 1e6 /* warp instructions, replayed: a guess */

enum stream_state { STREAM_MISSING, STREAM_RECORDING, STREAM_READY, STREAM_LOST };

struct stream { /* of one program, whichever rows have it */
    enum stream_state state;
    const struct study_program *program;
    const char *path;
    uint64_t insns;  /* once it is ready */
    const char *why; /* it could not be recorded */
};

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_OVER };

struct job {
    enum job_state state;
    double guess_s;
    bool has_history; /* the guess is from runs of before */
};

struct place { /* for one process */
    struct process process;
    uint32_t job;          /* or NONE, and */
    struct stream *stream; /* what it records; else NULL */
    double start_s;
};

struct pool {
    struct arena *arena;
    const struct study *study;
    const struct study_plan *plan;
    const struct pool_options *o;
    struct pool_result *r;
    struct job *jobs; /* [njobs] */
    struct stream *streams;
    uint32_t nstreams;
    struct stream ***of_row; /* [nworkloads]: the streams of its programs */
    struct place *places;
    struct pollfd *polls;
    uint64_t *failed; /* keys */
    uint32_t running;
    bool is_short_of_processes; /* the system refused one: wait until another has ended */
    double start_s;
    double guessed_s, taken_s; /* of the runs that are over */
    const char *last;
};

/* ---- what is there already -------------------------------------------------------------------- */

static bool look_up(struct pool *p, struct store *s, struct err *e)
{
    for (uint32_t i = 0; i < p->plan->njobs; i++) {
        const struct study_job *j = &p->plan->jobs[i];
        double before = store_guess(s, j->row);
        bool has;
        if (!store_has(s, j->key, &has, e))
            return false;
        p->jobs[i] = (struct job){.state = has ? JOB_OVER : JOB_WAITING,
                                  .guess_s = before > 0 ? before : j->cost,
                                  .has_history = before > 0};
        p->r->cached += has;
    }
    return true;
}

static bool look_into_store(struct pool *p, struct err *e)
{
    struct store *s = store_open(p->o->store, e);
    bool ok = s && store_check(s, true, e) && look_up(p, s, e);
    store_close(s);
    return ok;
}

/* The streams that a job replays, and how many. */
static struct stream **streams_of(const struct pool *p, uint32_t job, uint32_t *n)
{
    const struct study_job *j = &p->plan->jobs[job];
    *n = j->kind->most_programs ? p->study->workloads[j->workload].nprograms : 0;
    return p->of_row[j->workload];
}

/* By the instructions recorded, where all are known. */
static void guess(struct pool *p, uint32_t job)
{
    uint32_t n;
    double insns = 0;
    struct stream **all = streams_of(p, job, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (all[i]->state != STREAM_READY)
            return;
        insns += (double)all[i]->insns;
    }
    if (n && !p->jobs[job].has_history)
        p->jobs[job].guess_s = insns / INSNS_PER_S;
}

/* Whether the stream is there; then its length is known.  A user's recording was found when the
 * study was read; whether it is whole is seen when it is replayed. */
static bool find_stream(struct pool *p, struct stream *t)
{
    t->insns = pool_stream_insns(t->path);
    if (!t->insns && !t->program->trace)
        return false;
    t->state = STREAM_READY;
    for (uint32_t i = 0; i < p->plan->njobs; i++)
        guess(p, i);
    return true;
}

static struct stream *stream_of(struct pool *p, const struct study_program *x)
{
    const char *path = study_program_stream(p->arena, p->o->streams, x, p->study->seed);
    for (uint32_t i = 0; i < p->nstreams; i++)
        if (strcmp(p->streams[i].path, path) == 0)
            return &p->streams[i];
    p->streams[p->nstreams] = (struct stream){.path = path, .program = x};
    return &p->streams[p->nstreams++];
}

static void look_for_streams(struct pool *p)
{
    uint32_t all = 0, n;
    for (uint32_t i = 0; i < p->study->nworkloads; i++)
        all += p->study->workloads[i].nprograms;
    p->streams = ARENA_ARRAY(p->arena, struct stream, all + 1);
    p->of_row = ARENA_ARRAY(p->arena, struct stream **, p->study->nworkloads + 1);
    for (uint32_t i = 0; i < p->study->nworkloads; i++) {
        const struct study_workload *w = &p->study->workloads[i];
        p->of_row[i] = ARENA_ARRAY(p->arena, struct stream *, w->nprograms + 1);
        for (uint32_t k = 0; k < w->nprograms; k++)
            p->of_row[i][k] = stream_of(p, &w->programs[k]);
    }
    for (uint32_t i = 0; i < p->plan->njobs; i++) {
        struct stream **own = streams_of(p, i, &n);
        for (uint32_t k = 0; p->jobs[i].state == JOB_WAITING && k < n; k++)
            if (own[k]->state == STREAM_MISSING)
                find_stream(p, own[k]);
    }
}

/* What keeps a job from being run: a stream that is lost, else one that is missing, else one that
 * is being recorded; NULL: nothing. */
static struct stream *obstacle(const struct pool *p, uint32_t job)
{
    uint32_t n;
    struct stream **all = streams_of(p, job, &n), *found = NULL;
    for (uint32_t i = 0; i < n; i++) {
        enum stream_state s = all[i]->state;
        if (s == STREAM_LOST)
            return all[i];
        if (s == STREAM_MISSING || (s == STREAM_RECORDING && !found))
            found = all[i];
    }
    return found;
}

/* ---- starting --------------------------------------------------------------------------------- */

struct recording {
    const struct pool *pool;
    const struct stream *stream;
};

static bool record(void *context, struct err *e)
{
    const struct recording *r = context;
    const struct pool_options *o = r->pool->o;
    return o->record(o->context, r->pool->study, r->stream->program, r->stream->path, e);
}

static bool run(void *context, struct err *e)
{
    return pool_child_run(context, e);
}

static struct place *free_place(struct pool *p)
{
    for (uint32_t i = 0; i < p->o->processes; i++)
        if (!p->places[i].process.pid)
            return &p->places[i];
    return NULL;
}

static void fail(struct pool *p, uint32_t job, const char *why)
{
    const struct study_job *j = &p->plan->jobs[job];
    p->jobs[job].state = JOB_OVER;
    p->failed[p->r->nfailures] = j->key;
    p->r->failures[p->r->nfailures++] =
        (struct pool_failure){j->label, arena_strdup(p->arena, why)};
    p->last = j->label;
}

static const char **paths_of(const struct pool *p, uint32_t job)
{
    uint32_t n;
    struct stream **all = streams_of(p, job, &n);
    const char **paths = ARENA_ARRAY(p->arena, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        paths[i] = all[i]->path;
    return paths;
}

/* A process for the job: the recording that it misses, else itself. */
static bool start(struct pool *p, struct place *at, uint32_t job, struct stream *missing,
                  struct err *e)
{
    const struct study_job *j = &p->plan->jobs[job];
    struct recording recording = {p, missing};
    struct pool_child child = {p->study, j, paths_of(p, job), p->o->store};
    struct process_body b = {.run = missing ? record : run, .leave = p->o->leave};
    b.context = missing ? (void *)&recording : (void *)&child;
    if (!process_start(&at->process, &b, e))
        return false;
    at->job = missing ? NONE : job;
    at->stream = missing;
    at->start_s = wall_s();
    if (missing)
        missing->state = STREAM_RECORDING;
    else
        p->jobs[job].state = JOB_RUNNING;
    p->running++;
    return true;
}

/* The longest of those that something can be done for; NONE: there is none. */
static uint32_t next_job(const struct pool *p)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < p->plan->njobs; i++) {
        if (p->jobs[i].state != JOB_WAITING ||
            (best != NONE && p->jobs[i].guess_s <= p->jobs[best].guess_s))
            continue;
        const struct stream *t = obstacle(p, i);
        if (!t || t->state != STREAM_RECORDING)
            best = i;
    }
    return best;
}

static void start_all(struct pool *p)
{
    uint32_t job;
    struct place *at;
    while (!p->is_short_of_processes && (job = next_job(p)) != NONE) {
        struct err e = {0};
        struct stream *t = obstacle(p, job);
        if (t && t->state == STREAM_LOST) {
            fail(p, job, t->why);
            continue;
        }
        if (!(at = free_place(p)))
            return;
        if (start(p, at, job, t, &e))
            continue;
        p->is_short_of_processes = p->running > 0;
        if (!p->running)
            fail(p, job, e.text);
    }
}

/* ---- ending ----------------------------------------------------------------------------------- */

static void end_recording(struct pool *p, const struct place *at, long pid, const char *why)
{
    struct stream *t = at->stream;
    pool_stream_discard(t->path, pid);
    if (!why && find_stream(p, t))
        return;
    t->state = STREAM_LOST;
    t->why = arena_printf(p->arena, "recording %s: %s", study_program_title(p->arena, t->program),
                          why ? why : "nothing was recorded");
}

static void end_run(struct pool *p, const struct place *at, const char *why)
{
    if (why) {
        fail(p, at->job, why);
        return;
    }
    p->jobs[at->job].state = JOB_OVER;
    p->r->done++;
    p->guessed_s += p->jobs[at->job].guess_s;
    p->taken_s += wall_s() - at->start_s;
    p->last = p->plan->jobs[at->job].label;
}

static void end(struct pool *p, struct place *at)
{
    long pid = (long)at->process.pid;
    const char *why = process_reap(&at->process, p->arena);
    p->running--;
    p->is_short_of_processes = false;
    if (at->stream)
        end_recording(p, at, pid, why);
    else
        end_run(p, at, why);
}

static void end_early(struct pool *p)
{
    p->r->was_interrupted = true;
    for (uint32_t i = 0; i < p->o->processes; i++) {
        struct place *at = &p->places[i];
        long pid = (long)at->process.pid;
        if (!pid)
            continue;
        process_kill(&at->process);
        if (at->stream)
            pool_stream_discard(at->stream->path, pid);
    }
}

/* ---- the loop --------------------------------------------------------------------------------- */

/* Seconds until all is over: by the guesses, corrected by how true they were so far, shared by
 * all processes; but not less than what the longest still needs. */
static double foretell(const struct pool *p, double now)
{
    double sum = 0, longest = 0;
    if (p->guessed_s <= 0)
        return -1;
    double factor = p->taken_s / p->guessed_s;
    for (uint32_t i = 0; i < p->plan->njobs; i++) {
        double left = p->jobs[i].state == JOB_OVER ? 0 : p->jobs[i].guess_s * factor;
        for (uint32_t k = 0; p->jobs[i].state == JOB_RUNNING && k < p->o->processes; k++)
            if (p->places[k].process.pid && p->places[k].job == i)
                left -= now - p->places[k].start_s;
        left = left > 0 ? left : 0;
        sum += left;
        longest = left > longest ? left : longest;
    }
    sum /= p->o->processes;
    return sum > longest ? sum : longest;
}

static void tell(const struct pool *p)
{
    double now = wall_s();
    struct pool_progress x = {.done = p->r->done,
                              .failed = p->r->nfailures,
                              .cached = p->r->cached,
                              .total = p->plan->njobs,
                              .running = p->running,
                              .elapsed_s = now - p->start_s,
                              .left_s = foretell(p, now),
                              .last = p->last};
    if (p->o->progress)
        p->o->progress(p->o->context, &x);
}

static void listen(struct pool *p)
{
    nfds_t n = 0;
    for (uint32_t i = 0; i < p->o->processes; i++)
        if (p->places[i].process.pid)
            p->polls[n++] = (struct pollfd){.fd = p->places[i].process.words, .events = POLLIN};
    if (poll(p->polls, n, POLL_MS) <= 0)
        return; /* nothing, or a signal */
    for (uint32_t i = 0; i < p->o->processes; i++)
        if (p->places[i].process.pid && !process_listen(&p->places[i].process))
            end(p, &p->places[i]);
}

static void run_all(struct pool *p)
{
    for (;;) {
        if (p->o->interrupted && p->o->interrupted(p->o->context)) {
            end_early(p);
            return;
        }
        start_all(p);
        tell(p);
        if (!p->running)
            return;
        listen(p);
    }
}

/* For those who look later; without it they are runs that have not been tried: no harm.  One that
 * was killed after it had put its result has not failed. */
static void keep_failures(struct pool *p)
{
    struct err ignored = {0};
    struct pool_result *r = p->r;
    uint32_t kept = 0;
    struct store *s = r->nfailures ? store_open(p->o->store, &ignored) : NULL;
    for (uint32_t i = 0; s && i < r->nfailures; i++) {
        bool has = false;
        if (store_has(s, p->failed[i], &has, &ignored) && has) {
            r->done++;
            continue;
        }
        store_put_failure(s, p->failed[i], r->failures[i].why, &ignored);
        r->failures[kept++] = r->failures[i];
    }
    r->nfailures = s ? kept : r->nfailures;
    store_close(s);
}

bool pool_run(struct arena *a, const struct study *s, const struct study_plan *plan,
              const struct pool_options *o, struct pool_result *r, struct err *e)
{
    HD_ASSERT(o->processes > 0 && o->leave && o->record, "a pool without processes");
    struct pool p = {.arena = a, .study = s, .plan = plan, .o = o, .r = r, .start_s = wall_s()};
    *r = (struct pool_result){.failures = ARENA_ARRAY(a, struct pool_failure, plan->njobs + 1)};
    p.failed = ARENA_ARRAY(a, uint64_t, plan->njobs + 1);
    p.jobs = ARENA_ARRAY(a, struct job, plan->njobs + 1);
    p.places = ARENA_ARRAY(a, struct place, o->processes);
    p.polls = ARENA_ARRAY(a, struct pollfd, o->processes);
    if (!pool_stream_folder(o->streams, e) || !look_into_store(&p, e))
        return false;
    look_for_streams(&p);
    run_all(&p);
    keep_failures(&p);
    return true;
}
