/* rrip.h - re-reference interval prediction values (RRPV) of the lines of a cache: what srrip and
 * drrip have in common.  Private to src/cache.
 *
 * Jaleel et al., "High Performance Cache Replacement Using Re-Reference Interval Prediction (RRIP)",
 * ISCA 2010, section "Static RRIP", with hit priority: a line has M bits, 0: wanted again soon, 2^M - 1: not
 * for long; a hit makes it 0; the first way with the highest value gives way, and if there is none
 * all values of the set go up until there is.  They go up when the victim leaves, which comes to the
 * same.  Lines that are RESERVED grow older like the others but stay. */
#ifndef HEDDLE_CACHE_RRIP_H
#define HEDDLE_CACHE_RRIP_H

#include "cache/policy.h"

struct rrip {
    uint32_t ways;
    uint8_t distant; /* 2^M - 1; an invalid line is as old as can be */
    uint8_t *rrpv;   /* [line] */
};

void rrip_init(struct rrip *r, struct arena *a, const struct cache_shape *shape, uint32_t bits);
uint32_t rrip_victim(const struct rrip *r, const struct cache_set *set);
/* Line `line` of set `set` is given away, with this value. */
void rrip_fill(struct rrip *r, uint32_t set, uint32_t line, uint8_t rrpv);

#endif
