/* pool_child.h - what one child of a pool does: a run, from a recorded stream to the store. */
#ifndef HEDDLE_STUDY_POOL_CHILD_H
#define HEDDLE_STUDY_POOL_CHILD_H

#include "study/job.h"

struct pool_child {
    const struct study *study;
    const struct study_job *job;
    const char *const *streams; /* of its programs */
    const char *store;          /* where its result goes */
};

bool pool_child_run(const struct pool_child *c, struct err *e);

#endif
