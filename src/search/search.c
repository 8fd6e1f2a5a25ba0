/* search.c - what was measured, found again by its levels; the run of a method. */
#include "search/search_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "search/front.h"

enum { FIRST_ROOM = 256 };

/* ---- the archive ---------------------------------------------------------------------------- */

static uint64_t hash_of(const struct search *s, uint32_t fidelity, const uint16_t *levels)
{
    return bytes_hash(fidelity, levels, s->problem.space.naxes * sizeof *levels);
}

static bool is_point(const struct search *s, const struct search_point *p, uint32_t fidelity,
                     const uint16_t *levels)
{
    return p->fidelity == fidelity &&
           memcmp(p->levels, levels, s->problem.space.naxes * sizeof *levels) == 0;
}

/* The slot of a point, or the free one where it would go. */
static uint32_t *slot_of(const struct search *s, uint32_t fidelity, const uint16_t *levels)
{
    uint32_t i = (uint32_t)hash_of(s, fidelity, levels) & (s->nslots - 1);
    while (s->slots[i] && !is_point(s, s->points[s->slots[i] - 1], fidelity, levels))
        i = (i + 1) & (s->nslots - 1);
    return &s->slots[i];
}

void search_plain(const struct search *s, uint16_t *levels)
{
    if (s->problem.plain)
        s->problem.plain(s->problem.context, levels);
}

/* The levels of the point that stands for it, in `plain` where they are others. */
static const uint16_t *plain_of(const struct search *s, const uint16_t *levels,
                                uint16_t plain[SEARCH_MOST_AXES])
{
    if (!s->problem.plain)
        return levels;
    memcpy(plain, levels, s->problem.space.naxes * sizeof *levels);
    search_plain(s, plain);
    return plain;
}

uint32_t search_find(const struct search *s, uint32_t fidelity, const uint16_t *levels)
{
    uint16_t plain[SEARCH_MOST_AXES];
    const uint32_t slot = *slot_of(s, fidelity, plain_of(s, levels, plain));
    return slot ? slot - 1 : SEARCH_NONE;
}

static void rehash(struct search *s)
{
    memset(s->slots, 0, s->nslots * sizeof *s->slots);
    for (uint32_t i = 0; i < s->count; i++)
        *slot_of(s, s->points[i]->fidelity, s->points[i]->levels) = i + 1;
}

/* Twice the points; four slots for each that fits keep the ways to a free one short. */
static void grow(struct search *s)
{
    const uint32_t room = s->room ? 2 * s->room : FIRST_ROOM;
    HD_ASSERT(room <= UINT32_MAX / 8, "too many points");
    struct search_point **points = ARENA_ARRAY(s->arena, struct search_point *, room);
    for (uint32_t i = 0; i < s->count; i++)
        points[i] = s->points[i];
    s->points = points;
    s->room = room;
    s->nslots = 4 * room;
    s->slots = ARENA_ARRAY(s->arena, uint32_t, s->nslots);
    rehash(s);
}

/* The index of a point that may be new. */
static uint32_t intern(struct search *s, uint32_t fidelity, const uint16_t *levels)
{
    uint16_t plain[SEARCH_MOST_AXES];
    if (s->count == s->room)
        grow(s);
    levels = plain_of(s, levels, plain);
    uint32_t *slot = slot_of(s, fidelity, levels);
    if (*slot)
        return *slot - 1;
    const size_t size = s->problem.space.naxes * sizeof *levels;
    uint16_t *own = arena_alloc(s->arena, size);
    memcpy(own, levels, size);
    struct search_point *p = ARENA_NEW(s->arena, struct search_point);
    *p = (struct search_point){.levels = own, .fidelity = fidelity};
    s->points[s->count++] = p;
    *slot = s->count;
    return s->count - 1;
}

/* Forgets points that were asked for and not measured: the last ones. */
static void forget(struct search *s, uint32_t count)
{
    s->count = count;
    rehash(s);
}

uint32_t search_count(const struct search *s)
{
    return s->count;
}

const struct search_point *search_at(const struct search *s, uint32_t i)
{
    HD_ASSERT(i < s->count, "point %u of %u", i, s->count);
    return s->points[i];
}

bool search_is_over(const struct search *s)
{
    return s->is_over;
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* Has the points from `first` on measured, as far as the budget goes. */
static bool ask(struct search *s, uint32_t fidelity, uint32_t first, struct err *e)
{
    const struct search_problem *p = &s->problem;
    const uint32_t n = s->count - first;
    struct arena *a = arena_new();
    const uint16_t **points = ARENA_ARRAY(a, const uint16_t *, n);
    struct search_value *values = ARENA_ARRAY(a, struct search_value, n);
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++)
        points[i] = s->points[first + i]->levels;
    const bool ok = p->measure(p->context, fidelity, points, n, values, &done, e);
    HD_ASSERT(!ok || done <= n, "%u points measured of %u", done, n);
    done = ok ? done : 0;
    for (uint32_t i = 0; i < done; i++)
        s->points[first + i]->value = values[i];
    s->measured[fidelity] += done;
    s->is_over = ok && done < n;
    if (done < n)
        forget(s, first + done);
    arena_free(a);
    return ok;
}

bool search_measure(struct search *s, uint32_t fidelity, const uint16_t *const *points, uint32_t n,
                    uint32_t *at, struct err *e)
{
    const uint32_t first = s->count;
    for (uint32_t i = 0; i < n; i++)
        at[i] = s->is_over ? search_find(s, fidelity, points[i]) : intern(s, fidelity, points[i]);
    if (s->count > first && !ask(s, fidelity, first, e))
        return false;
    for (uint32_t i = 0; i < n; i++)
        at[i] = at[i] < s->count ? at[i] : SEARCH_NONE;
    return true;
}

/* ---- runs ----------------------------------------------------------------------------------- */

uint64_t search_size(const struct search_space *space)
{
    uint64_t size = 1;
    for (uint32_t i = 0; i < space->naxes; i++)
        if (__builtin_mul_overflow(size, space->axes[i].levels, &size))
            return UINT64_MAX;
    return size;
}

struct search *search_new(struct arena *a, const struct search_problem *p, const struct config *c)
{
    struct search *s = ARENA_NEW(a, struct search);
    *s = (struct search){.arena = a, .problem = *p, .config = c};
    s->measured = ARENA_ARRAY(a, uint32_t, p->nfidelities);
    grow(s);
    return s;
}

static bool check_axes(const struct search_problem *p, struct err *e)
{
    const struct search_space *space = &p->space;
    if (space->naxes < 1 || space->naxes > SEARCH_MOST_AXES)
        return err_set(e, STATUS_BAD_INPUT, "a search has 1 to %d axes, not %u", SEARCH_MOST_AXES,
                       space->naxes);
    for (uint32_t i = 0; i < space->naxes; i++) {
        const uint32_t levels = space->axes[i].levels;
        if (levels < 1 || levels > SEARCH_MOST_LEVELS)
            return err_set(e, STATUS_BAD_INPUT, "axis %u of a search has %u levels, not 1 to %d",
                           i + 1, levels, SEARCH_MOST_LEVELS);
        if (p->start && p->start[i] >= levels)
            return err_set(e, STATUS_BAD_INPUT, "axis %u of a search starts at level %u of %u",
                           i + 1, p->start[i] + 1u, levels);
    }
    return true;
}

static bool check_problem(const struct search_problem *p, struct err *e)
{
    if (p->nobjectives < 1 || p->nobjectives > SEARCH_MOST_OBJECTIVES)
        return err_set(e, STATUS_BAD_INPUT, "a search has 1 to %d objectives, not %u",
                       SEARCH_MOST_OBJECTIVES, p->nobjectives);
    if (p->nfidelities < 1)
        return err_set(e, STATUS_BAD_INPUT, "a search has at least one fidelity");
    return check_axes(p, e);
}

bool search_check(const struct search *s, const struct search_method *m, struct err *e)
{
    return check_problem(&s->problem, e) && (!m->check || m->check(s, e));
}

bool search_run(struct search *s, const struct search_method *m, struct err *e)
{
    uint32_t at;
    if (!search_check(s, m, e))
        return false;
    if (s->problem.start && !search_measure(s, search_last(s), &s->problem.start, 1, &at, e))
        return false;
    if (s->is_over)
        return true;
    s->scratch = arena_new();
    const bool ok = m->run(s, e);
    arena_free(s->scratch);
    s->scratch = NULL;
    return ok;
}

/* ---- the front ------------------------------------------------------------------------------ */

uint32_t search_front(const struct search *s, uint32_t of, struct arena *a, const uint32_t **front)
{
    const uint32_t m = s->problem.nobjectives;
    struct arena *scratch = arena_new();
    const struct search_value **values = ARENA_ARRAY(scratch, const struct search_value *, of);
    uint32_t *index = ARENA_ARRAY(scratch, uint32_t, of),
             *best = ARENA_ARRAY(scratch, uint32_t, of);
    uint32_t n = 0;
    HD_ASSERT(of <= s->count, "the first %u of %u points", of, s->count);
    for (uint32_t i = 0; i < of; i++) {
        const struct search_point *p = s->points[i];
        if (p->fidelity == search_last(s) && front_is_whole(&p->value, m)) {
            values[n] = &p->value;
            index[n++] = i;
        }
    }
    n = front_first(values, n, m, best);
    uint32_t *own = ARENA_ARRAY(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        own[i] = index[best[i]];
    arena_free(scratch);
    *front = own;
    return n;
}
