/* sharing_priv.h - the observers of src/analysis, for its files.
 *
 *   sharing.c        what they come to, kernel by kernel
 *   sharing_sm.c     one SM
 *   sharing_slice.c  one slice of the L2 */
#ifndef HEDDLE_ANALYSIS_SHARING_PRIV_H
#define HEDDLE_ANALYSIS_SHARING_PRIV_H

#include "analysis/footprint.h"
#include "analysis/shadow.h"
#include "analysis/sharers.h"
#include "analysis/sharing.h"
#include "mem/program.h"

/* Misses of a cache; the last row is of those that drop lines. */
#define CLASS_STATS(S, id)                                                                         \
    S(id, COUNTER, compulsory, "access", "misses: of words that were never in this cache")         \
    S(id, COUNTER, capacity, "access", "misses: a fully associative one has lost the line, too")   \
    S(id, COUNTER, conflict, "access", "misses: a fully associative one still has the line")       \
    S(id, COUNTER, full_misses, "access", "of a fully associative LRU cache of the same size")     \
    S(id, COUNTER, invalidated, "access", "misses: a store or the end of a kernel dropped it")
STATS_STRUCT(class, CLASS_STATS)

static inline void sharing_count(struct class_stats *s, enum shadow_class class, bool is_miss)
{
    s->full_misses += class != SHADOW_CONFLICT;
    s->compulsory += is_miss && class == SHADOW_COMPULSORY;
    s->capacity += is_miss && class == SHADOW_CAPACITY;
    s->conflict += is_miss && class == SHADOW_CONFLICT;
    s->invalidated += is_miss && class == SHADOW_INVALIDATED;
}

struct sharing_sm {
    const char *path;                  /* "sm[3]" */
    struct footprint of[MAX_PROGRAMS]; /* of the kernel of each program */
    struct shadow *shadow;             /* of the L1 */
    bool counts_stores;
    struct class_stats stats;
};

struct sharing_slice {
    const char *path; /* "l2[3]" */
    struct shadow *shadow;
    uint64_t *line;  /* [way]: what it holds, plus 1; 0: nothing yet */
    uint64_t *users; /* [way][words]: bits of SMs */
    uint32_t sms, words;
    struct class_stats stats;
    struct sharers_stats sharers;
};

struct sharing_sm *sharing_sm_new(struct arena *a, const struct sharing_spec *spec, uint32_t index,
                                  uint32_t l1_lines);
void sharing_sm_free(struct sharing_sm *w);
void sharing_sm_add_stats(const struct sharing_sm *w, struct stats *tree);

struct sharing_slice *sharing_slice_new(struct arena *a, uint32_t index, uint32_t sms,
                                        uint32_t l2_lines);
void sharing_slice_free(struct sharing_slice *w);
void sharing_slice_add_stats(const struct sharing_slice *w, struct stats *tree);

#endif
