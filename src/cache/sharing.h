/* sharing.h - what the policies of sharing-aware caches look for in a set.  Private to src/cache. */
#ifndef HEDDLE_CACHE_SHARING_H
#define HEDDLE_CACHE_SHARING_H

#include "cache/tags.h"

/* The less recently used of two lines, of which b may be TAGS_NONE. */
static inline uint32_t sharing_older(const struct tags *t, uint32_t a, uint32_t b)
{
    return b == TAGS_NONE || t->used[a] < t->used[b] ? a : b;
}

/* An invalid line of the set, or TAGS_NONE. */
static inline uint32_t sharing_invalid(const struct tags *t, uint32_t set)
{
    for (uint32_t i = set * t->ways; i < (set + 1) * t->ways; i++)
        if (t->line[i].state == TAG_INVALID)
            return i;
    return TAGS_NONE;
}

/* The least recently used line of the set that may leave, or TAGS_NONE. */
static inline uint32_t sharing_lru(const struct tags *t, uint32_t set)
{
    uint32_t lru = TAGS_NONE;
    for (uint32_t i = set * t->ways; i < (set + 1) * t->ways; i++)
        if (t->line[i].state == TAG_VALID)
            lru = sharing_older(t, i, lru);
    return lru;
}

#endif
