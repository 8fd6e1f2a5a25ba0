/* pool.h - runs in a pool of processes: longest first, one crash does not end the others.
 *
 * Each run is a child process that does one row with one variant and puts its result into the
 * store itself.  Programs are recorded once, into `streams`, and replayed.
 *
 * The pool owns its children: they end with it, also when it is killed.  It must be called from a
 * process with one thread and without an open store (SQLite must not be carried across a fork). */
#ifndef HEDDLE_STUDY_POOL_H
#define HEDDLE_STUDY_POOL_H

#include "study/job.h"
#include "study/store.h"

struct pool_progress {
    uint32_t done, failed, cached, total, running;
    double elapsed_s, left_s; /* left_s < 0: not known yet */
    const char *last;         /* label of the run that ended last */
};

struct pool_failure {
    const char *label, *why; /* "killed by signal 9", "status 3: deadlock at ..." */
};

struct pool_options {
    uint32_t processes;
    const char *store;   /* path of the database */
    const char *streams; /* folder of recorded workloads */
    void (*progress)(void *context, const struct pool_progress *p);
    void *context;
    bool (*interrupted)(void *context); /* asked now and then: stop, ending the children */
    /* What lies above this layer: recording a program to `path`, in a child of its own, and the
     * end of a child (_exit). */
    bool (*record)(void *context, const struct study *s, const struct study_program *p,
                   const char *path, struct err *e);
    void (*leave)(int status);
};

struct pool_result {
    uint32_t done, cached, nfailures;
    struct pool_failure *failures; /* in the arena */
    bool was_interrupted;
};

/* Does those jobs whose key the store has not.  False only when nothing could be done at all (the
 * store cannot be opened, the folder cannot be written). */
bool pool_run(struct arena *a, const struct study *s, const struct study_plan *p,
              const struct pool_options *o, struct pool_result *r, struct err *e);

#endif
