/* spin.c - finds warps that wait for memory in a loop.
 *
 * A warp is deterministic: when it comes to a place with the same registers, predicates, paths and
 * local memory as before, no store has changed other memory in between and it has not looked at the
 * clock, it will do the same again, for ever, until somebody else stores.  So this is exact, not a
 * guess.  (A warp that passed a barrier let others go on: it begins anew.)  It costs a copy of the
 * warp's state and is done rarely: first after DUE_FIRST instructions without a pause, then at
 * doubling distances, with the length of the loops looked for doubling as well (Brent, "An improved
 * Monte Carlo factorization algorithm", section 2).
 *
 * A loop that counts how often it has looked never repeats its state.  Therefore a warp that has
 * stored nothing for QUIET instructions, or has run for TURN instructions, is paused for once, so
 * that the others have a turn; the numbers are far above what warps run between barriers. */
#include <string.h>

#include "simt/exec.h"

enum { DUE_FIRST = 4096, DUE_LAST = 1 << 18, LOOK_FOR = 512 };
enum { QUIET = 1 << 20, TURN = 1 << 24 };

struct spin {
    uint64_t due;      /* w->executed at which to look */
    uint64_t distance; /* until the next time */
    uint64_t changes;  /* memory's, when the state was kept */
    uint64_t clock_reads;
    uint64_t turn_began, quiet_since, quiet_changes; /* when, by w->executed */
    bool is_looking;
    uint32_t laps, lap_limit, looks;
    uint32_t depth, carry;
    struct path *paths;
    uint8_t *file, *local;
    uint32_t *pred;
};

static size_t local_bytes(const struct code *c)
{
    return ((size_t)c->local_bytes + c->frame_bytes) * WARP_LANES;
}

struct spin *spin_new(struct arena *a, const struct code *c, uint32_t max_depth)
{
    struct spin *s = ARENA_NEW(a, struct spin);
    s->paths = ARENA_ARRAY(a, struct path, max_depth);
    s->file = ARENA_ARRAY(a, uint8_t, (size_t)c->reg_units * UNIT_BYTES + 1);
    s->local = arena_alloc(a, local_bytes(c) + 1);
    s->pred = ARENA_ARRAY(a, uint32_t, c->npreds + 1);
    return s;
}

void spin_reset(struct spin *s, uint64_t executed)
{
    s->distance = DUE_FIRST;
    s->due = executed + DUE_FIRST;
    s->is_looking = false;
    s->turn_began = s->quiet_since = executed;
}

uint64_t spin_due(const struct spin *s)
{
    return s->due;
}

static void keep(struct spin *s, const struct warp *w)
{
    const struct code *c = w->grid->code;
    s->changes = w->grid->changes;
    s->clock_reads = w->clock_reads;
    s->depth = w->depth;
    s->carry = w->carry;
    memcpy(s->paths, w->paths, w->depth * sizeof *w->paths);
    memcpy(s->file, w->file, (size_t)c->reg_units * UNIT_BYTES);
    memcpy(s->pred, w->pred, c->npreds * sizeof *w->pred);
    memcpy(s->local, w->local, local_bytes(c));
}

static bool is_same(const struct spin *s, const struct warp *w)
{
    const struct code *c = w->grid->code;
    return s->changes == w->grid->changes && s->clock_reads == w->clock_reads &&
           s->depth == w->depth && s->carry == w->carry &&
           memcmp(s->paths, w->paths, w->depth * sizeof *w->paths) == 0 &&
           memcmp(s->pred, w->pred, c->npreds * sizeof *w->pred) == 0 &&
           memcmp(s->file, w->file, (size_t)c->reg_units * UNIT_BYTES) == 0 &&
           memcmp(s->local, w->local, local_bytes(c)) == 0;
}

/* Whether it is time for the others, spin or no spin. */
static bool is_long(struct spin *s, const struct warp *w)
{
    if (s->quiet_changes != w->grid->changes) {
        s->quiet_changes = w->grid->changes;
        s->quiet_since = w->executed;
    }
    return w->executed - s->quiet_since > QUIET || w->executed - s->turn_began > TURN;
}

enum spin_result spin_check(struct warp *w)
{
    struct spin *s = w->spin;
    if (is_long(s, w)) {
        spin_reset(s, w->executed);
        return SPIN_LONG;
    }
    if (!s->is_looking) {
        s->is_looking = true;
        s->laps = s->looks = 0;
        s->lap_limit = 1;
        keep(s, w);
        return SPIN_NONE;
    }
    if (is_same(s, w)) {
        spin_reset(s, w->executed);
        return SPIN_FOUND;
    }
    if (++s->looks > LOOK_FOR) { /* no spin: it may look for long without finding one */
        s->is_looking = false;
        if (s->distance < DUE_LAST)
            s->distance *= 2;
        s->due = w->executed + s->distance;
    } else if (++s->laps >= s->lap_limit) {
        s->laps = 0;
        s->lap_limit *= 2;
        keep(s, w);
    }
    return SPIN_NONE;
}
