/* rrip.c - see rrip.h. */
#include "cache/rrip.h"

#include <string.h>

void rrip_init(struct rrip *r, struct arena *a, const struct cache_shape *shape, uint32_t bits)
{
    size_t lines = (size_t)shape->sets * shape->ways;
    *r = (struct rrip){.ways = shape->ways,
                       .distant = (uint8_t)((1u << bits) - 1),
                       .rrpv = ARENA_ARRAY(a, uint8_t, lines)};
    memset(r->rrpv, r->distant, lines);
}

uint32_t rrip_victim(const struct rrip *r, const struct cache_set *set)
{
    const uint8_t *rrpv = r->rrpv + set->first;
    uint32_t best = UINT32_MAX;
    for (uint32_t w = 0; w < set->ways; w++)
        if (cache_may_leave(set, w) && (best == UINT32_MAX || rrpv[w] > rrpv[best]))
            best = w;
    return best;
}

void rrip_fill(struct rrip *r, uint32_t set, uint32_t line, uint8_t rrpv)
{
    uint8_t *of_set = r->rrpv + (uint64_t)set * r->ways;
    uint32_t up = r->distant - (uint32_t)r->rrpv[line];
    for (uint32_t w = 0; up > 0 && w < r->ways; w++)
        of_set[w] = (uint8_t)(of_set[w] + up < r->distant ? of_set[w] + up : r->distant);
    r->rrpv[line] = rrpv;
}
