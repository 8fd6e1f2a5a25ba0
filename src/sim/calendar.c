/* calendar.c - see calendar.h. */
#include "sim/calendar.h"

#include <string.h>

void calendar_init(struct calendar *c, struct arena *a, uint32_t n)
{
    *c = (struct calendar){.n = n, .words = n / 64 + 1};
    c->bits = ARENA_ARRAY(a, uint64_t, (uint64_t)CALENDAR_SLOTS * c->words);
    c->due = ARENA_ARRAY(a, hd_cycle, n + 1);
    memset(c->due, 0xff, sizeof *c->due * (n + 1));
}

uint32_t calendar_take(struct calendar *c, hd_cycle now, uint32_t *ids)
{
    uint32_t slot = (uint32_t)now % CALENDAR_SLOTS, k = 0;
    if (!(c->used[slot >> 6] >> (slot & 63) & 1))
        return 0;
    c->used[slot >> 6] &= ~(1ull << (slot & 63));
    uint64_t *bits = c->bits + (uint64_t)slot * c->words;
    for (uint32_t w = 0; w < c->words; w++) {
        uint64_t m = bits[w];
        bits[w] = 0;
        for (; m; m &= m - 1) {
            uint32_t id = w << 6 | (uint32_t)__builtin_ctzll(m);
            hd_cycle due = c->due[id];
            if (due == HD_NEVER)
                continue;
            c->due[id] = HD_NEVER;
            if (due <= now)
                ids[k++] = id;
            else
                calendar_wake(c, now, id, due);
        }
    }
    return k;
}

hd_cycle calendar_next(const struct calendar *c, hd_cycle now)
{
    for (uint32_t d = 1; d < CALENDAR_SLOTS;) {
        uint32_t slot = (uint32_t)(now + d) % CALENDAR_SLOTS;
        uint64_t m = c->used[slot >> 6] >> (slot & 63);
        if (m)
            return now + d + (uint32_t)__builtin_ctzll(m);
        d += 64 - (slot & 63);
    }
    uint32_t here = (uint32_t)now % CALENDAR_SLOTS;
    return c->used[here >> 6] >> (here & 63) & 1 ? now + CALENDAR_SLOTS : HD_NEVER;
}
