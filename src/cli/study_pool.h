/* study_pool.h - the pool of a study as the program has it: progress on a terminal, signals that stop
 * it, programs recorded by executing them. */
#ifndef HEDDLE_CLI_STUDY_POOL_H
#define HEDDLE_CLI_STUDY_POOL_H

#include "cli/interrupt.h"
#include "cli/study_bar.h"
#include "study/pool.h"

struct study_pool {
    struct study_bar bar;
    struct interrupt signals;
    struct pool_options options;
};

/* As many runs at once as there are processors. */
uint64_t study_pool_jobs(void);
/* Executes a program and records it to `path`, which appears whole or not at all. */
bool study_pool_record(const struct study *s, const struct study_program *p, const char *path,
                       struct err *e);
/* From begin to end signals are noted, and stop the pool.  Streams are recorded in `dir`. */
void study_pool_begin(struct study_pool *p, struct arena *a, uint64_t jobs, const char *store,
                      const char *dir);
void study_pool_end(struct study_pool *p);

#endif
