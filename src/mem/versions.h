/* versions.h - under --check: how new the data of a line is.
 *
 * Every write that an L2 slice performs gives its line a new version, one more than the last.  An
 * acknowledgement carries the version that the write made, the answer of a read the version of
 * the data read.  A cluster keeps the newest version it was acknowledged per line; a read that
 * it sends afterwards must not come back with an older one. */
#ifndef HEDDLE_MEM_VERSIONS_H
#define HEDDLE_MEM_VERSIONS_H

#include <stdint.h>

/* A hash table from lines to versions; absent lines have version 0.  Grows. */
struct versions;
struct versions *versions_new(void);
void versions_free(struct versions *v);
uint32_t versions_get(const struct versions *v, uint64_t line);
void versions_set(struct versions *v, uint64_t line, uint32_t version);
void versions_raise(struct versions *v, uint64_t line, uint32_t version); /* to at least this */
uint32_t versions_bump(struct versions *v, uint64_t line);                /* the new version */

#endif
