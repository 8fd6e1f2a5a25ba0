/* gather.h - shards into the one database of a study.
 *
 * Each shard is one transaction, and what is there already stays as it is: merging twice, or again
 * after a kill, changes nothing.  A shard that is closed is removed when its rows are safe; one
 * whose task may still write it stays. */
#ifndef HEDDLE_STUDY_GATHER_H
#define HEDDLE_STUDY_GATHER_H

#include "study/shard.h"

struct gather_result {
    uint32_t shards, runs; /* runs that were not there before */
    uint32_t open;         /* shards that nobody has closed */
    uint32_t ndamaged;     /* set aside as NAME.damaged; their runs are as if never done */
    const char *damaged;   /* the first */
};

/* One at a time: the file `lock` says who. */
bool gather_shards(struct arena *a, const char *into, const struct shard_list *from,
                   const char *lock, struct gather_result *r, struct err *e);

#endif
