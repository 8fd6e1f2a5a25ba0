/* banks.c - bank conflicts of shared memory.
 *
 * Banks are 4 bytes wide and serve one word per cycle each (CUDA C Programming Guide, "Shared
 * Memory").  A pass is as many lanes as could be served at once: a warp of words with 32 banks,
 * half of it with 16 banks or 8-byte items, a quarter with 16-byte items.  A pass takes as many
 * cycles as the most wanted bank has distinct words wanted (lanes at one word share a broadcast;
 * of several stores to one word one wins); atomics take one cycle per lane and bank.
 *
 * With a stride of k items the lanes of a full pass fall on every g-th bank, g the largest power
 * of two in k: degree g.  No two lanes of any pass meet when k is odd.
 *
 * Not modelled: 8-byte bank mode (Kepler), passes merged because their lanes want the same. */
#include "l1/banks.h"

static struct banks_use count_passes(uint32_t mask, uint32_t lanes)
{
    uint32_t n = 0;
    for (; mask; mask = lanes < 32 ? mask >> lanes : 0)
        n += (lanes < 32 ? mask & ((1u << lanes) - 1) : mask) != 0;
    return (struct banks_use){n, n};
}

/* Degree of one pass; first[b], next[l] chain the lanes that brought a new word to bank b. */
static uint32_t degree_of(const uint64_t *item, uint32_t mask, uint32_t banks, bool is_atomic)
{
    uint8_t first[WARP_LANES], next[WARP_LANES], count[WARP_LANES] = {0};
    uint32_t degree = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest), b = (uint32_t)item[l] & (banks - 1);
        uint32_t left = is_atomic ? 0 : count[b], at = left ? first[b] : 0;
        while (left && item[at] != item[l]) {
            at = next[at];
            left--;
        }
        if (left)
            continue;
        next[l] = count[b] ? first[b] : 0;
        first[b] = (uint8_t)l;
        degree = ++count[b] > degree ? count[b] : degree;
    }
    return degree;
}

/* A lane's words lie in neighbouring banks, so groups of banks as wide as an item conflict as
 * banks do. */
static struct banks_use serve_lanes(const struct stream_access *a, uint32_t shift, uint32_t groups,
                                    bool is_atomic)
{
    uint64_t item[WARP_LANES] = {0};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(rest);
        uint64_t at = a->pattern == PATTERN_LANES    ? a->addr[l]
                      : a->pattern == PATTERN_STRIDE ? a->base + (uint64_t)a->stride * l
                                                     : a->base;
        item[l] = at >> shift;
    }
    struct banks_use use = {0, 0};
    for (uint32_t from = 0; from < WARP_LANES; from += groups) {
        uint32_t lanes = groups < 32 ? ((1u << groups) - 1) << from : UINT32_MAX;
        if (!(a->mask & lanes))
            continue;
        use.cycles += degree_of(item, a->mask & lanes, groups, is_atomic);
        use.passes++;
    }
    return use;
}

struct banks_use banks_serve(const struct stream_access *a, uint32_t size, uint32_t banks,
                             bool is_atomic)
{
    const uint32_t shift = size > 4 ? (uint32_t)__builtin_ctz(size) : 2;
    const uint32_t groups = banks * 4 >> shift; /* and lanes of a pass */
    if (a->pattern == PATTERN_UNIFORM && !is_atomic)
        return count_passes(a->mask, groups);
    if (a->pattern == PATTERN_STRIDE && a->stride && (a->stride & ((1 << shift) - 1)) == 0) {
        uint32_t degree = 1u << __builtin_ctzll((uint64_t)a->stride >> shift | groups);
        if (degree == 1)
            return count_passes(a->mask, groups);
        if (a->mask == UINT32_MAX)
            return (struct banks_use){degree * (WARP_LANES / groups), WARP_LANES / groups};
    }
    return serve_lanes(a, shift, groups, is_atomic);
}
