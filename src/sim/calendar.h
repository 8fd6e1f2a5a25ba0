/* calendar.h - when each of many small things inside one component is due.
 *
 * One bitmap of ids per cycle over a window of cycles; an id that is due beyond the window is
 * looked at again when the window has moved.  An id has one due time, the earliest asked for. */
#ifndef HEDDLE_SIM_CALENDAR_H
#define HEDDLE_SIM_CALENDAR_H

#include "base/arena.h"
#include "base/err.h"
#include "sim/component.h"

#define CALENDAR_SLOTS 256u

struct calendar {
    uint32_t n, words;
    uint64_t *bits; /* [slot][words] */
    uint64_t used[CALENDAR_SLOTS / 64];
    hd_cycle *due;
};

void calendar_init(struct calendar *c, struct arena *a, uint32_t n);

/* At `at`, not before `now`; the latest slot that may be used is now + CALENDAR_SLOTS - 1. */
static inline void calendar_wake(struct calendar *c, hd_cycle now, uint32_t id, hd_cycle at)
{
    if (at >= c->due[id])
        return;
    HD_ASSERT(at >= now, "%u is due at %llu, which is over at %llu", id, (unsigned long long)at,
              (unsigned long long)now);
    c->due[id] = at;
    hd_cycle look = at - now < CALENDAR_SLOTS ? at : now + CALENDAR_SLOTS - 1;
    uint32_t slot = (uint32_t)look % CALENDAR_SLOTS;
    c->bits[(uint64_t)slot * c->words + (id >> 6)] |= 1ull << (id & 63);
    c->used[slot >> 6] |= 1ull << (slot & 63);
}

/* Writes the ids that are due at `now`, ascending, and forgets their due times. */
uint32_t calendar_take(struct calendar *c, hd_cycle now, uint32_t *ids);
/* The next cycle after `now` at which calendar_take is worth calling, or HD_NEVER. */
hd_cycle calendar_next(const struct calendar *c, hd_cycle now);

#endif
