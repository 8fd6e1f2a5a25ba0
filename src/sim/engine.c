/* engine.c - the due list, time skipping and the watchdog.
 *
 * No hardware: this is time itself.  A step looks at all wake-ups twice, as plain arrays: once for
 * the earliest, noting that of each small block, and once at the blocks that have somebody
 * due.  For hundreds of components that is faster than any heap or wheel. */
#include "sim/engine.h"

#include <string.h>

#include "base/processors.h"
#include "sim/engine_priv.h"
#include "sim/waitgraph.h"

/* ---- the earliest of all wake-ups, and of each column of each block ---- */

static int64_t scan(const int64_t *wake, int64_t *least, uint32_t blocks)
{
    int64_t first = INT64_MAX;
    for (; blocks-- > 0; wake += BLOCK, least += COLUMNS) {
        for (uint32_t c = 0; c < COLUMNS; c++) {
            int64_t m = wake[c];
            for (uint32_t k = c + COLUMNS; k < BLOCK; k += COLUMNS)
                m = wake[k] < m ? wake[k] : m;
            least[c] = m;
            first = m < first ? m : first;
        }
    }
    return first;
}

#if defined(__x86_64__)
typedef int64_t row __attribute__((vector_size(COLUMNS * sizeof(int64_t)), may_alias));
typedef double signs __attribute__((vector_size(sizeof(row))));

/* The same, a row at a time. */
__attribute__((target("avx2"))) static int64_t scan_rows(const int64_t *wake, int64_t *least,
                                                         uint32_t blocks)
{
    const row *in = (const row *)wake;
    row *out = (row *)least, all = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    for (; blocks-- > 0; in += BLOCK / COLUMNS) {
        row m = in[0];
        for (uint32_t k = 1; k < BLOCK / COLUMNS; k++) {
            row is_less = in[k] < m;
            m = (in[k] & is_less) | (m & ~is_less);
        }
        *out++ = m;
        row is_less = m < all;
        all = (m & is_less) | (all & ~is_less);
    }
    int64_t first = all[0];
    for (uint32_t c = 1; c < COLUMNS; c++)
        first = all[c] < first ? all[c] : first;
    return first;
}
#endif

/* ---- who of a block is due: a bit each ---- */

static uint32_t due_in(const int64_t *wake, int64_t now)
{
    uint32_t due = 0;
    for (uint32_t k = 0; k < BLOCK; k++)
        due |= (uint32_t)(wake[k] <= now) << k;
    return due;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint32_t due_in_rows(const int64_t *wake, int64_t now)
{
    const row *in = (const row *)wake, at = {now, now, now, now};
    uint32_t due = 0;
    for (uint32_t k = 0; k < BLOCK / COLUMNS; k++)
        due |= (uint32_t)__builtin_ia32_movmskpd256((signs)(in[k] <= at)) << (k * COLUMNS);
    return due;
}
#endif

/* ---- members ---- */

/* All arrays at their final size, so that a run allocates nothing.  Members that have a place in
 * the old arrays, which stay in the arena, keep it until they get another. */
static void grow(struct engine *e)
{
    uint32_t cap = e->cap ? 2 * e->cap : 64, threads = e->opt.threads > 1 ? e->opt.threads : 1;
    uint32_t groups = ENGINE_PHASES * threads, places = cap + BLOCK * (groups + threads);
    struct member *member = ARENA_ARRAY(e->arena, struct member, cap);
    struct component **by_id = ARENA_ARRAY(e->arena, struct component *, cap);
    if (e->n) {
        memcpy(member, e->member, sizeof *member * e->n);
        memcpy(by_id, e->by_id, sizeof(struct component *) * e->n);
    }
    e->cap = cap;
    e->member = member;
    e->by_id = by_id;
    e->lane = ARENA_ARRAY(e->arena, struct lane, cap);
    e->thread = ARENA_ARRAY(e->arena, uint32_t, cap);
    e->share = ARENA_ARRAY(e->arena, uint64_t, threads);
    e->wake = ARENA_ARRAY(e->arena, uint64_t, places);
    e->least = ARENA_ARRAY(e->arena, uint64_t, places / BLOCK * COLUMNS + COLUMNS);
    e->at = ARENA_ARRAY(e->arena, struct component *, places);
    e->tick = ARENA_ARRAY(e->arena, engine_tick *, places);
    e->domain_at = ARENA_ARRAY(e->arena, uint8_t, places);
    e->lane_at = ARENA_ARRAY(e->arena, uint32_t, places);
    e->due = ARENA_ARRAY(e->arena, uint32_t, places + 1);
    e->group = ARENA_ARRAY(e->arena, uint32_t, groups + 1);
    e->inner = ARENA_ARRAY(e->arena, uint32_t, threads + 1);
    e->group_due = ARENA_ARRAY(e->arena, uint32_t, groups + 1);
}

struct engine *engine_new(struct arena *a, struct engine_options opt)
{
    struct engine *e = ARENA_NEW(a, struct engine);
    e->opt = opt;
    e->arena = a;
    e->next_watchdog = opt.watchdog ? opt.watchdog : HD_NEVER;
    e->next_audit = opt.audit ? opt.audit : HD_NEVER;
    e->nthreads = 1;
    e->unsorted = e->unplaced = true;
    e->scan = scan;
    e->due_in = due_in;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        e->scan = scan_rows;
        e->due_in = due_in_rows;
    }
#endif
    grow(e);
    if (opt.threads > 1)
        e->team = engine_team_new(a, opt.threads, engine_lanes_work, e);
    return e;
}

static uint32_t domain_of(struct engine *e, uint64_t period)
{
    for (uint32_t d = 0; d < e->ndomains; d++)
        if (e->domain[d].period == period)
            return d;
    HD_ASSERT(e->ndomains < MAX_DOMAINS, "more than %d clocks", MAX_DOMAINS);
    uint64_t cycle = e->now / period;
    e->domain[e->ndomains] =
        (struct domain){.period = period, .edge = cycle * period, .cycle = cycle};
    return e->ndomains++;
}

void engine_add(struct engine *e, struct component *c, uint64_t period)
{
    HD_ASSERT(period > 0, "%s: clock period of 0 ticks", c->path);
    if (e->n == e->cap)
        grow(e);
    c->period = period;
    c->wake = NULL;
    c->wake_at = 0;
    c->id = e->n;
    e->by_id[e->n] = c;
    e->member[e->n++] = (struct member){.c = c, .domain = domain_of(e, period)};
    e->unsorted = e->unplaced = true;
}

static struct member *member_of(struct engine *e, const struct component *c)
{
    uint32_t i = e->n; /* usually called just after engine_add */
    while (i > 0 && e->member[i - 1].c != c)
        i--;
    HD_ASSERT(i > 0, "%s: placed in an engine it was not added to", c->path);
    return &e->member[i - 1];
}

void engine_place(struct engine *e, struct component *c, uint32_t phase, uint32_t lane)
{
    HD_ASSERT(phase < ENGINE_PHASES, "%s: there are %d phases", c->path, ENGINE_PHASES);
    struct member *m = member_of(e, c);
    m->phase = phase;
    m->lane = lane;
    e->unsorted = e->unplaced = true;
}

void engine_keep_inside(struct engine *e, struct component *c)
{
    member_of(e, c)->is_inner = true;
    e->unsorted = e->unplaced = true;
}

uint64_t engine_now(const struct engine *e)
{
    return e->now;
}

static uint64_t next_wake(struct engine *e)
{
    if (!e->few)
        return (uint64_t)e->scan((const int64_t *)e->wake, (int64_t *)e->least,
                                 e->inner[e->nthreads]);
    uint64_t next = ASLEEP;
    for (uint32_t i = 0; i < e->few; i++)
        next = e->wake[i] < next ? e->wake[i] : next;
    return next;
}

static bool has_due(const struct engine *e, uint32_t block)
{
    const uint64_t *m = &e->least[block * COLUMNS];
    return (m[0] <= e->now) | (m[1] <= e->now) | (m[2] <= e->now) | (m[3] <= e->now);
}

/* The first edge of any clock at or after `now`. */
static uint64_t next_edge(const struct engine *e)
{
    uint64_t next = HD_NEVER;
    for (uint32_t d = 0; d < e->ndomains; d++) {
        uint64_t p = e->domain[d].period, edge = (e->now + p - 1) / p * p;
        next = edge < next ? edge : next;
    }
    return next;
}

/* Clocks go to the cycle in which `now` lies; usually that is this one or the next. */
static void set_clocks(struct engine *e)
{
    for (uint32_t i = 0; i < e->ndomains; i++) {
        struct domain *d = &e->domain[i];
        uint64_t passed = e->now - d->edge;
        if (passed < d->period)
            continue;
        uint64_t cycles = passed < 2 * d->period ? 1 : passed / d->period;
        d->cycle += cycles;
        d->edge += cycles * d->period;
    }
}

/* Appends those of a block that are due; they are asleep from now on. */
static uint32_t collect_due(struct engine *e, uint32_t block, uint32_t n)
{
    const uint32_t first = block * BLOCK;
    uint32_t due = e->due_in((const int64_t *)e->wake + first, (int64_t)e->now);
    for (; due; due &= due - 1) {
        const uint32_t i = first + (uint32_t)__builtin_ctz(due);
        e->wake[i] = ASLEEP;
        e->due[n++] = i;
    }
    return n;
}

static uint32_t collect_every(struct engine *e, uint32_t i, uint32_t end, uint32_t n)
{
    for (; i < end; i++) {
        if (!e->at[i] || e->domain[e->domain_at[i]].edge != e->now)
            continue;
        e->wake[i] = ASLEEP;
        e->due[n++] = i;
    }
    return n;
}

static void collect(struct engine *e)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < e->ngroups; g++) {
        e->group_due[g] = n;
        if (e->opt.no_skip) {
            n = collect_every(e, e->group[g] * BLOCK, e->group[g + 1] * BLOCK, n);
            continue;
        }
        for (uint32_t b = e->group[g]; b < e->group[g + 1]; b++)
            if (has_due(e, b))
                n = collect_due(e, b, n);
    }
    e->group_due[e->ngroups] = n;
}

void engine_tick_due(struct engine *e, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        uint32_t at = e->due[e->opt.reversed ? from + (to - 1 - i) : i];
        const struct domain *d = &e->domain[e->domain_at[at]];
        hd_cycle next = e->tick[at](e->at[at], d->cycle);
        uint64_t tick = next == HD_NEVER ? ASLEEP : next * d->period;
        if (e->nthreads > 1)
            component_lower(&e->wake[at], tick);
        else if (tick < e->wake[at])
            e->wake[at] = tick;
    }
}

uint32_t engine_inner_due(const struct engine *e, uint32_t block)
{
    const uint64_t until = e->stop_requested ? e->now : e->ahead;
    return e->due_in((const int64_t *)e->wake + (size_t)block * BLOCK, (int64_t)until);
}

/* All its edges that are due, each in its own cycle. */
void engine_tick_inner(struct engine *e, uint32_t at)
{
    const uint64_t until = e->stop_requested ? e->now : e->ahead;
    struct domain d = e->domain[e->domain_at[at]];
    do {
        const uint64_t ahead = e->wake[at] > d.edge; /* one edge at most, usually: no guess */
        d.cycle += ahead;
        d.edge += ahead * d.period;
        for (; d.edge < e->wake[at]; d.edge += d.period)
            d.cycle++;
        e->wake[at] = ASLEEP;
        hd_cycle next = e->tick[at](e->at[at], d.cycle);
        uint64_t tick = next == HD_NEVER ? ASLEEP : next * d.period;
        if (tick < e->wake[at])
            e->wake[at] = tick;
    } while (e->wake[at] <= until);
}

/* The last tick before which no component but the inner ones has an edge after this one. */
static uint64_t last_inside(const struct engine *e, uint64_t until)
{
    uint64_t end = until;
    for (uint32_t i = 0; i < e->ndomains; i++) {
        const struct domain *d = &e->domain[i];
        if (d->is_outer && d->edge + d->period < end)
            end = d->edge + d->period;
    }
    return end - 1;
}

static void step(struct engine *e, uint64_t until)
{
    set_clocks(e);
    if (e->has_inner)
        e->ahead = last_inside(e, until);
    if (e->few && !e->opt.no_skip) {
        engine_tick_due(e, 0, collect_due(e, 0, 0));
        return;
    }
    collect(e);
    if (e->nthreads == 1) {
        engine_tick_due(e, 0, e->group_due[1]);
        engine_lanes_tick_inner(e, 0);
    }
    for (uint32_t k = 0; k < e->nphases && e->nthreads > 1; k++)
        engine_lanes_run(e, e->opt.reversed ? e->nphases - 1 - k : k);
}

/* ---- all components ---- */

uint64_t engine_live(const struct engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->n; i++)
        if (e->by_id[i]->ops->live)
            n += e->by_id[i]->ops->live(e->by_id[i]);
    return n;
}

void engine_settle(struct engine *e)
{
    for (uint32_t i = 0; i < e->n; i++) {
        struct component *c = e->by_id[i];
        if (c->ops->settle)
            c->ops->settle(c, (e->now + c->period - 1) / c->period);
    }
}

bool engine_audit(const struct engine *e, struct err *err)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->by_id[i]->ops->audit && !e->by_id[i]->ops->audit(e->by_id[i], err))
            return false;
    return true;
}

bool engine_diagnose(const struct engine *e, struct err *err)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->by_id[i]->ops->waits)
            e->by_id[i]->ops->waits(e->by_id[i], g);
    const char *cycle = waitgraph_deadlock(g);
    if (cycle)
        err_set(err, STATUS_DEADLOCK, "deadlock at tick %llu: %s", (unsigned long long)e->now,
                cycle);
    arena_free(a);
    return cycle != NULL;
}

/* ---- running ---- */

/* All sleep for ever.  With messages still held that is a deadlock even if no component can
 * name whom it waits for. */
static enum engine_stop asleep(struct engine *e, uint64_t until, struct err *err)
{
    uint64_t held = engine_live(e);
    if (held == 0) {
        if (until > e->now && !e->opt.idle_stays)
            e->now = until;
        return ENGINE_IDLE;
    }
    if (!engine_diagnose(e, err))
        err_set(err, STATUS_DEADLOCK, "stuck at tick %llu: %llu messages held, nobody can move",
                (unsigned long long)e->now, (unsigned long long)held);
    return ENGINE_STUCK;
}

static void prepare(struct engine *e)
{
    if (e->team && e->opt.only_idle)
        engine_team_limit(e->team, processors_idle());
    e->opt.only_idle = false; /* once */
    uint32_t threads = e->team ? engine_team_start(e->team) : 1;
    if (threads != e->nthreads) {
        e->nthreads = threads;
        e->unplaced = e->replaced = true;
        e->timed = false;
    }
}

enum engine_stop engine_run(struct engine *e, uint64_t until, struct err *err)
{
    prepare(e);
    for (;;) {
        if (e->unplaced)
            engine_lanes_place(e);
        uint64_t next = next_wake(e);
        if (next == ASLEEP)
            return asleep(e, until, err);
        if (e->opt.no_skip)
            next = next_edge(e);
        if (next >= until) {
            if (until > e->now)
                e->now = until;
            return ENGINE_REACHED;
        }
        e->now = next > e->now ? next : e->now;
        if (e->now >= e->next_watchdog) {
            e->next_watchdog = e->now + e->opt.watchdog;
            if (engine_diagnose(e, err))
                return ENGINE_STUCK;
        }
        step(e, until);
        e->now++;
        if (e->stop_requested) {
            e->stop_requested = false;
            return ENGINE_REACHED;
        }
        if (e->now >= e->next_audit) {
            e->next_audit = e->now + e->opt.audit;
            if (!engine_audit(e, err))
                return ENGINE_BROKEN;
        }
    }
}

void engine_request_stop(struct engine *e)
{
    e->stop_requested = true;
}

void engine_stop_threads(struct engine *e)
{
    if (!e->team)
        return;
    engine_team_stop(e->team);
    e->nthreads = 1;
    e->unplaced = e->replaced = true;
}
