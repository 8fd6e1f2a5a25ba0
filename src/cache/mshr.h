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

enum { MSHR_FEW = 5 };

struct mshr_entry {         /* a line of the host's cache */
    uint64_t line;          /* UINT64_MAX: free */
    uint32_t sectors;       /* asked for so far */
    uint32_t count;         /* waiters */
    uint32_t next;          /* of its hash chain, plus 1 */
    uint64_t few[MSHR_FEW]; /* its waiters, if they are no more */
};

struct mshr {
    uint32_t entries, merges; /* merges: most waiters of one entry, the first included */
    uint32_t live;
    uint32_t bucket_bits;
    struct mshr_entry *at; /* [entries] */
    uint64_t *many;        /* [entries * merges]: waiters of those who have more than a few */
    uint64_t *free;        /* bitmap of free entries, lowest first */
    uint16_t *bucket;      /* [1 << bucket_bits]: first entry of a hash chain, plus 1; 0: none */
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
    return m->at[entry].count < m->merges;
}
/* A new entry, without waiters; there must be a free one. */
uint32_t mshr_alloc(struct mshr *m, uint64_t line, uint32_t sectors);
void mshr_add(struct mshr *m, uint32_t entry, uint64_t waiter); /* there must be room */
static inline uint64_t *mshr_list(const struct mshr *m, uint32_t entry)
{
    return m->at[entry].count <= MSHR_FEW ? m->at[entry].few
                                          : m->many + (uint64_t)entry * m->merges;
}
static inline const uint64_t *mshr_waiters(const struct mshr *m, uint32_t entry, uint32_t *n)
{
    *n = m->at[entry].count;
    return mshr_list(m, entry);
}
/* Only the first n of its waiters, which may have been written to (mshr_list), stay. */
void mshr_keep(struct mshr *m, uint32_t entry, uint32_t n);
void mshr_release(struct mshr *m, uint32_t entry);

#endif
