/* mshr.h - miss status holding registers: one entry per line on its way, a bounded list of those
 * that wait for it.
 *
 * What waits is a 64-bit value of the user's (a load, a request number).  Lists keep the order of
 * arrival. */
#ifndef HEDDLE_CACHE_MSHR_H
#define HEDDLE_CACHE_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define MSHR_NONE UINT32_MAX

enum { MSHR_FEW = 4 };

struct mshr {
    uint32_t entries, merges; /* merges: most waiters of one entry, the first included */
    uint32_t live;
    uint64_t *line;    /* [entries]; UINT64_MAX: free */
    uint32_t *sectors; /* [entries]: asked for so far */
    uint32_t *count;   /* [entries]: waiters */
    uint64_t *few;     /* [entries * MSHR_FEW]: the waiters of an entry that has at most so many, */
    uint64_t
        *many; /* [entries * merges]: ... or more.  Most have few, and those lie close together */
    uint64_t *free;   /* bitmap of free entries, lowest first */
    uint16_t *bucket; /* [1 << bucket_bits]: first entry of a hash chain, plus 1; 0: none */
    uint16_t *next;   /* [entries]: the next of its chain, plus 1 */
    uint32_t bucket_bits;
};

void mshr_init(struct mshr *m, struct arena *a, uint32_t entries, uint32_t merges);
/* The entry of `line`, or MSHR_NONE. */
uint32_t mshr_find(const struct mshr *m, uint64_t line);
static inline bool mshr_is_full(const struct mshr *m)
{
    return m->live == m->entries;
}
static inline bool mshr_can_merge(const struct mshr *m, uint32_t entry)
{
    return m->count[entry] < m->merges;
}
/* A new entry, without waiters; there must be a free one. */
uint32_t mshr_alloc(struct mshr *m, uint64_t line, uint32_t sectors);
void mshr_add(struct mshr *m, uint32_t entry, uint64_t waiter); /* there must be room */
static inline uint64_t *mshr_list(const struct mshr *m, uint32_t entry)
{
    return m->count[entry] <= MSHR_FEW ? m->few + (uint64_t)entry * MSHR_FEW
                                       : m->many + (uint64_t)entry * m->merges;
}
static inline const uint64_t *mshr_waiters(const struct mshr *m, uint32_t entry, uint32_t *n)
{
    *n = m->count[entry];
    return mshr_list(m, entry);
}
/* Only the first n of its waiters, which may have been written to (mshr_list), stay. */
void mshr_keep(struct mshr *m, uint32_t entry, uint32_t n);
void mshr_release(struct mshr *m, uint32_t entry);

#endif
