/* tags.c - tag arrays: choosing a set, looking up, choosing a victim.
 *
 * A set number is a line number modulo the sets, or that of its xor-fold line ^ line >> k ^ line >>
 * 2k ..., k the bits of a set number (Nugteren et al., HPCA 2014, find xor hashes of this kind in
 * Fermi's L1).  Any number of sets works: a remainder takes a multiplication by a precomputed
 * reciprocal.  Where it is left out on purpose (tags_mask), as in GPGPU-Sim 3.2.2, sets are lost.
 *
 * Here the least recently used line gives way; follow.c asks other policies.
 *
 * Not modelled here: time and data. */
#include "cache/tags.h"

#include <string.h>

#include "base/err.h"
#include "cache/policy.h"
#include "mem/addrmap.h"

/* floor(2^64 / d); 0 for powers of two, which need none. */
static uint64_t reciprocal_of(uint32_t d)
{
    return (d & (d - 1)) == 0 ? 0 : UINT64_MAX / d; /* 2^64 is no multiple of such a d */
}

/* floor(2^64 / d) * n / 2^64 is n / d or one less, as the reciprocal is less than one too small
 * and n / 2^64 < 1. */
static inline uint64_t quotient(uint64_t n, uint32_t d, uint64_t reciprocal)
{
    uint64_t q = (uint64_t)((unsigned __int128)n * reciprocal >> 64);
    return q + (n - q * d >= d);
}

void tags_init(struct tags *t, struct arena *a, uint32_t sets, uint32_t ways, uint32_t line_bytes,
               bool hashed)
{
    uint64_t n = (uint64_t)sets * ways;
    HD_ASSERT(sets > 0 && ways > 0 && n < TAGS_NONE, "a cache of %u sets of %u", sets, ways);
    HD_ASSERT(line_bytes > 0 && (line_bytes & (line_bytes - 1)) == 0, "lines of %u bytes",
              line_bytes);
    *t = (struct tags){.ways = ways,
                       .most_sets = sets,
                       .line_shift = (uint32_t)__builtin_ctz(line_bytes),
                       .is_hashed = hashed && sets > 1,
                       .sharers = 1,
                       .tag = ARENA_ARRAY(a, uint64_t, n),
                       .used = ARENA_ARRAY(a, uint32_t, n),
                       .line = ARENA_ARRAY(a, struct tags_line, n)};
    tags_resize(t, sets);
}

void tags_resize(struct tags *t, uint32_t sets)
{
    HD_ASSERT(sets > 0 && sets <= t->most_sets, "%u sets of a cache of %u", sets, t->most_sets);
    t->sets = sets;
    t->reciprocal = t->is_masked ? 0 : reciprocal_of(sets);
    t->set_mask = t->reciprocal ? 0 : sets - 1;
    t->fold_shift = sets > 1 ? (uint8_t)(32 - __builtin_clz(sets - 1)) : 1;
}

void tags_mask(struct tags *t)
{
    HD_ASSERT(!t->is_hashed, "sets are chosen by a hash");
    t->is_masked = true;
    tags_resize(t, t->sets);
}

void tags_share(struct tags *t, uint32_t n, uint32_t chunk_bytes)
{
    HD_ASSERT(n > 0 && chunk_bytes > 0 && (chunk_bytes & (chunk_bytes - 1)) == 0,
              "chunks of %u bytes go round %u caches", chunk_bytes, n);
    uint32_t shift = (uint32_t)__builtin_ctz(chunk_bytes);
    t->sharers = n;
    t->share_reciprocal = reciprocal_of(n);
    t->chunk_shift = (uint8_t)(shift > t->line_shift ? shift - t->line_shift : 0);
}

void tags_mix(struct tags *t, const struct addrmap *map)
{
    HD_ASSERT(t->sharers > 1, "chunks change places among one cache");
    t->mix = map;
}

static uint64_t without_share(const struct tags *t, uint64_t line)
{
    uint64_t chunk = line >> t->chunk_shift;
    uint64_t mine = t->share_reciprocal ? quotient(chunk, t->sharers, t->share_reciprocal)
                                        : chunk >> __builtin_ctz(t->sharers);
    return mine << t->chunk_shift | (line & ((UINT64_C(1) << t->chunk_shift) - 1));
}

uint32_t tags_set(const struct tags *t, uint64_t address)
{
    uint64_t x = (t->mix ? addrmap_mixed(t->mix, address) : address) >> t->line_shift;
    if (t->sharers > 1)
        x = without_share(t, x);
    if (t->is_hashed) /* doubling the shift xors all groups of bits into the lowest */
        for (uint32_t s = t->fold_shift; s < 64; s *= 2)
            x ^= x >> s;
    if (!t->reciprocal)
        return (uint32_t)x & t->set_mask;
    return (uint32_t)(x - quotient(x, t->sets, t->reciprocal) * t->sets);
}

enum { HOST_LINE = 64, MOST_PREFETCHES = 4 }; /* of one array: more ways than that are rare */

static inline void prefetch(const void *from, size_t bytes)
{
    const char *at = from;
    for (size_t n = 0; n < bytes && n < MOST_PREFETCHES * HOST_LINE; n += HOST_LINE)
        __builtin_prefetch(at + n, 1);
}

void tags_prefetch(const struct tags *t, uint32_t set)
{
    const size_t base = (size_t)set * t->ways;
    prefetch(t->tag + base, t->ways * sizeof *t->tag);
    prefetch(t->used + base, t->ways * sizeof *t->used);
    prefetch(t->line + base, t->ways * sizeof *t->line);
}

/* Without a branch per way: which way hits is what a branch predictor cannot know. */
static inline uint32_t find_among(const uint64_t *tag, uint32_t n, uint64_t key)
{
    uint32_t found = TAGS_NONE;
    for (uint32_t w = 0; w < n; w++)
        found = tag[w] == key ? w : found;
    return found;
}

uint32_t tags_find_in(const struct tags *t, uint32_t set, uint64_t address)
{
    const uint64_t key = (address >> t->line_shift) + 1;
    const uint32_t base = set * t->ways, end = base + t->ways;
    for (uint32_t at = base; at < end; at += 8) {
        uint32_t n = end - at;
        uint32_t w = n >= 8 ? find_among(t->tag + at, 8, key) : find_among(t->tag + at, n, key);
        if (w != TAGS_NONE)
            return at + w;
    }
    return TAGS_NONE;
}

uint32_t tags_find(const struct tags *t, uint64_t address)
{
    return tags_find_in(t, tags_set(t, address), address);
}

/* The same where reserved lines are in the way. */
static uint32_t victim_among_reserved(const struct tags *t, uint32_t base)
{
    uint32_t best = TAGS_NONE;
    uint32_t oldest = UINT32_MAX;
    for (uint32_t i = base; i < base + t->ways; i++) {
        if (t->line[i].state != TAG_RESERVED && (best == TAGS_NONE || t->used[i] < oldest)) {
            oldest = t->used[i];
            best = i;
        }
    }
    return best;
}

uint32_t tags_victim_in(const struct tags *t, uint32_t set)
{
    const uint32_t base = set * t->ways;
    uint32_t best = base;
    uint32_t oldest = t->used[base];
    for (uint32_t i = base + 1; i < base + t->ways; i++) { /* an invalid line was used at 0 */
        best = t->used[i] < oldest ? i : best;
        oldest = t->used[i] < oldest ? t->used[i] : oldest;
    }
    return t->line[best].state != TAG_RESERVED ? best : victim_among_reserved(t, base);
}

uint32_t tags_victim(const struct tags *t, uint64_t address)
{
    return tags_victim_in(t, tags_set(t, address));
}

/* Only the order within a set matters, so each begins anew with the numbers 1, 2, ... */
void tags_restart_clock(struct tags *t)
{
    uint32_t *rank = t->used;
    for (uint32_t base = 0; base < t->sets * t->ways; base += t->ways) {
        for (uint32_t next = 1; next <= t->ways; next++) {
            uint32_t least = TAGS_NONE; /* of those who have no number yet */
            for (uint32_t i = base; i < base + t->ways; i++)
                if (rank[i] >= next && (least == TAGS_NONE || rank[i] < rank[least]))
                    least = i;
            if (least != TAGS_NONE)
                rank[least] = next;
        }
    }
    t->clock = t->ways;
}

void tags_take(struct tags *t, uint32_t i, uint64_t address)
{
    t->tag[i] = (address >> t->line_shift) + 1;
    t->line[i] = (struct tags_line){.state = TAG_RESERVED};
    tags_touch(t, i);
}

void tags_drop(struct tags *t, uint32_t i)
{
    t->tag[i] = 0;
    t->used[i] = 0;
    t->line[i] = (struct tags_line){.state = TAG_INVALID};
    if (tags_has_policy(t) && t->policy->dropped)
        t->policy->dropped(t->state, i);
}

void tags_drop_all(struct tags *t)
{
    size_t n = (size_t)t->sets * t->ways;
    memset(t->tag, 0, n * sizeof *t->tag);
    memset(t->used, 0, n * sizeof *t->used);
    memset(t->line, 0, n * sizeof *t->line);
    for (uint32_t i = 0; tags_has_policy(t) && t->policy->dropped && i < n; i++)
        t->policy->dropped(t->state, i);
}
