/* done.h - which runs of a plan are done, in the database or in a shard. */
#ifndef HEDDLE_STUDY_DONE_H
#define HEDDLE_STUDY_DONE_H

#include "study/job.h"
#include "study/shard.h"

enum done_state { RUN_MISSING, RUN_FAILED, RUN_IN_SHARD, RUN_IN_STORE };

struct done {
    enum done_state *of; /* [job] */
    const char **why;    /* [job]: of one that failed */
    uint32_t n[4];       /* jobs of each state */
};

/* `store` may be a file that is not there, and NULL.  A shard that cannot be read brings nothing:
 * its runs are missing. */
bool done_find(struct arena *a, const struct study_plan *p, const char *store,
               const struct shard_list *shards, struct done *d, struct err *e);

#endif
