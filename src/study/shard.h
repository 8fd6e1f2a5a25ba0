/* shard.h - databases of parts of a study, one for each task of a cluster.
 *
 * A shard is a store with SQLite's rollback journal (store_share) in the folder "shards" of a
 * study's output, called LABEL.N.db: LABEL says which part it is of, N counts the times that it was
 * begun.  One task makes it and it alone writes it, so that no two computers ever write one file;
 * a task that is begun again makes another one and reads those before it. */
#ifndef HEDDLE_STUDY_SHARD_H
#define HEDDLE_STUDY_SHARD_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* A new one; makes the folder.  NULL with *e set. */
const char *shard_make(struct arena *a, const char *folder, const char *label, struct err *e);
/* Says in a note of this name that nothing more will come. */
#define SHARD_CLOSED "closed"
bool shard_close(const char *path, struct err *e);

struct shard_list {
    const char **paths; /* by name */
    uint32_t n;
};
/* Those of a label, or all (NULL); none where there is no folder.  One that was never more than
 * begun is not among them. */
bool shard_find(struct arena *a, const char *folder, const char *label, struct shard_list *l,
                struct err *e);
/* Removes the file and its journal. */
bool shard_remove(const char *path, struct err *e);
/* Removes all, begun or not, and the folder. */
bool shard_clear(struct arena *a, const char *folder, struct err *e);

#endif
