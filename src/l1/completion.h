/* completion.h - what an SM has to do at a known later cycle: results become usable, stores are
 * all acknowledged.  A wheel of lists with a bitmap, so that finding the next event of a sleeping
 * SM costs a few instructions. */
#ifndef HEDDLE_L1_COMPLETION_H
#define HEDDLE_L1_COMPLETION_H

#include "base/arena.h"
#include "base/err.h"
#include "sim/component.h"

enum { COMPLETION_SLOTS = 1024, COMPLETION_WORDS = COMPLETION_SLOTS / 64 };
#define COMPLETION_NONE UINT16_MAX
#define COMPLETION_QUIET UINT32_MAX /* insn: the warp has nothing outstanding any more */

struct completion {
    uint32_t insn; /* whose destinations are written; or COMPLETION_QUIET */
    uint16_t next;
    uint8_t warp; /* slot in the SM */
    uint8_t is_memory;
};

struct completions {
    struct completion *at;
    uint16_t free;
    uint32_t live;
    hd_cycle first;                 /* nothing is due before; 0: to be looked for */
    uint64_t due[COMPLETION_WORDS]; /* slots that hold something */
    uint16_t head[COMPLETION_SLOTS];
};

void completions_init(struct completions *q, struct arena *a, uint32_t capacity);

/* At cycle `at`, now < at < now + COMPLETION_SLOTS.  Order within a cycle does not matter. */
static inline void completions_add(struct completions *q, hd_cycle now, hd_cycle at, uint32_t warp,
                                   uint32_t insn, bool is_memory)
{
    uint16_t i = q->free;
    HD_ASSERT(i != COMPLETION_NONE, "more completions than the SM can have");
    HD_ASSERT(at - now - 1 < COMPLETION_SLOTS - 1, "a completion %llu cycles ahead, at most %d",
              (unsigned long long)(at - now), COMPLETION_SLOTS - 1);
    uint32_t slot = (uint32_t)at & (COMPLETION_SLOTS - 1);
    struct completion *c = &q->at[i];
    q->free = c->next;
    *c = (struct completion){insn,
                             q->due[slot >> 6] >> (slot & 63) & 1 ? q->head[slot] : COMPLETION_NONE,
                             (uint8_t)warp, is_memory};
    q->head[slot] = i;
    q->due[slot >> 6] |= 1ull << (slot & 63);
    q->first = at < q->first ? at : q->first;
    q->live++;
}

static inline bool completions_has(const struct completions *q, hd_cycle now)
{
    uint32_t slot = (uint32_t)now & (COMPLETION_SLOTS - 1);
    return q->due[slot >> 6] >> (slot & 63) & 1;
}

/* The list due at `now` (COMPLETION_NONE: nothing); the caller walks it by `next` and then gives
 * it back with completions_release. */
static inline uint16_t completions_take(struct completions *q, hd_cycle now)
{
    uint32_t slot = (uint32_t)now & (COMPLETION_SLOTS - 1);
    uint64_t bit = 1ull << (slot & 63);
    if (!(q->due[slot >> 6] & bit))
        return COMPLETION_NONE;
    q->due[slot >> 6] &= ~bit;
    q->first = 0;
    return q->head[slot];
}

static inline uint16_t completions_release(struct completions *q, uint16_t i) /* returns the next */
{
    uint16_t next = q->at[i].next;
    q->at[i].next = q->free;
    q->free = i;
    q->live--;
    return next;
}

hd_cycle completions_search(const struct completions *q, hd_cycle now);

/* The first cycle after `now` at which something is due, or HD_NEVER. */
static inline hd_cycle completions_next(struct completions *q, hd_cycle now)
{
    if (q->first == 0)
        q->first = completions_search(q, now);
    return q->first;
}

#endif
