/* shadow.h - a fully associative LRU cache beside a real one of the same size, by which misses of the
 * real one are classed (Hill's three Cs, and a fourth):
 *
 *   compulsory   a word that is wanted was never in the cache
 *   capacity     the shadow, too, has had to give the line away
 *   conflict     the shadow still has it: the real cache lost it to its sets or its policy
 *   invalidated  it was dropped: by a store, or between two kernels
 *
 * Every access is told, be it a hit, a miss or one that waits for a line on its way: in the shadow,
 * data comes at once.  It keeps every line that it is asked for, whatever the real one does. */
#ifndef HEDDLE_ANALYSIS_SHADOW_H
#define HEDDLE_ANALYSIS_SHADOW_H

#include <stdint.h>

#include "base/arena.h"

enum shadow_class {
    SHADOW_COMPULSORY,
    SHADOW_CAPACITY,
    SHADOW_CONFLICT, /* a hit in the shadow */
    SHADOW_INVALIDATED,
    SHADOW_CLASSES,
};

struct shadow;

struct shadow *shadow_new(struct arena *a, uint32_t lines); /* that it holds */
void shadow_free(struct shadow *s);                         /* what is not in the arena */

/* Wants these words of a line (none: only that it is there) and leaves `brought` in it; returns what
 * a miss is to be called. */
enum shadow_class shadow_access(struct shadow *s, uint64_t line, uint32_t wanted, uint32_t brought);
/* Writes words of a line if it is there, which makes it the most recent. */
void shadow_write(struct shadow *s, uint64_t line, uint32_t words);
void shadow_drop(struct shadow *s, uint64_t line);
void shadow_forget(struct shadow *s, uint32_t program); /* all lines of it (mem/program.h) */
/* From now on it holds this many; those that are too many leave as if others had taken their places. */
void shadow_resize(struct shadow *s, uint32_t lines);

#endif
