/* tags.h - the tag array of a set-associative cache: any number of sets and ways, LRU or a policy of
 * its own (follow.h).
 *
 * A line is INVALID, RESERVED (allocated by a miss whose data is on the way; never a victim) or
 * VALID.  `valid` and `dirty` say which 4-byte words hold data and which of them memory does not
 * have.  Structures of arrays: a lookup reads the tags of one set and nothing else. */
#ifndef HEDDLE_CACHE_TAGS_H
#define HEDDLE_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define TAGS_NONE UINT32_MAX

enum tag_state { TAG_INVALID, TAG_RESERVED, TAG_VALID };

struct tags_line {
    uint32_t valid, dirty; /* words */
    uint32_t version;      /* --check */
    uint8_t state;         /* enum tag_state */
};

struct addrmap;
struct cache_policy;

struct tags {
    uint32_t sets, ways, line_shift;
    uint32_t set_mask; /* sets - 1 when a power of two or masked, else 0 */
    bool is_hashed, is_masked;
    uint8_t fold_shift;  /* bits of a set number */
    uint8_t chunk_shift; /* lines of a chunk, as a power of two */
    uint32_t sharers;    /* see tags_share */
    uint32_t most_sets;  /* that there is room for */
    uint64_t reciprocal; /* 2^64 / sets; 0: set_mask chooses */
    uint64_t share_reciprocal;
    const struct addrmap *mix; /* see tags_mix; NULL: chunks go round as they come */
    uint64_t *tag;             /* [sets * ways]: line number + 1; 0: invalid */
    uint32_t *used;            /* [sets * ways]: when last used, by `clock`; 0: invalid */
    struct tags_line *line;    /* [sets * ways] */
    uint32_t clock;
    const struct cache_policy *policy; /* NULL: LRU */
    void *state;                       /* of the policy */
};

/* Else LRU, which is what the host is to be fast with. */
static inline bool tags_has_policy(const struct tags *t)
{
    return __builtin_expect(t->policy != NULL, 0);
}

/* `hashed`: the set is chosen by xor-folding the line number, which spreads strides of powers of
 * two, before reducing it to the number of sets (any number). */
void tags_init(struct tags *t, struct arena *a, uint32_t sets, uint32_t ways, uint32_t line_bytes,
               bool hashed);

/* The cache is one of `n` among which chunks of `chunk_bytes` (a power of two) go round: that
 * choice is taken out of the address before a set is chosen, else an n-th of the sets would hold
 * everything.  Before the first lookup. */
void tags_share(struct tags *t, uint32_t n, uint32_t chunk_bytes);

/* Of such caches: chunks change places by this map (map.hash=mixed) before they go round. */
void tags_mix(struct tags *t, const struct addrmap *map);

/* The set is the line number anded with (sets - 1) whatever their number, which reaches a part of
 * them only unless it is a power of two.  Not of a hashed cache; before the first lookup. */
void tags_mask(struct tags *t);

/* From now on the empty array has this many sets, at most as many as it was made with, chosen in
 * the same way. */
void tags_resize(struct tags *t, uint32_t sets);

uint32_t tags_set(const struct tags *t, uint64_t address);
/* Has the host fetch what a lookup in the set, a hit and the choice of a victim will read. */
void tags_prefetch(const struct tags *t, uint32_t set);
/* Index of the line that holds `address` (RESERVED or VALID), or TAGS_NONE.  Does not touch LRU. */
uint32_t tags_find(const struct tags *t, uint64_t address);
/* The same for who knows the set already. */
uint32_t tags_find_in(const struct tags *t, uint32_t set, uint64_t address);
void tags_restart_clock(struct tags *t);
static inline void tags_touch(struct tags *t, uint32_t i)
{
    if (__builtin_expect(t->clock == UINT32_MAX, 0))
        tags_restart_clock(t);
    t->used[i] = ++t->clock;
}
/* The line that a miss of `address` would take: an invalid one, else the least recently used that
 * is not RESERVED; TAGS_NONE when all ways of the set are reserved. */
uint32_t tags_victim(const struct tags *t, uint64_t address);
uint32_t tags_victim_in(const struct tags *t, uint32_t set);
/* Gives line i to `address`, RESERVED, with no valid words, touched.  What it held is gone: the
 * caller has dealt with dirty words. */
void tags_take(struct tags *t, uint32_t i, uint64_t address);
void tags_drop(struct tags *t, uint32_t i); /* INVALID */
void tags_drop_all(struct tags *t);
static inline uint64_t tags_address(const struct tags *t, uint32_t i) /* of its line */
{
    return (t->tag[i] - 1) << t->line_shift;
}

#endif
