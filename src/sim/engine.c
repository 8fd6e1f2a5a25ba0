/* engine.c - the due list, time skipping and the watchdog. */
#include "sim/engine.h"

#include "sim/waitgraph.h"

#define MAX_COMPONENTS 4096

struct engine {
    struct engine_options opt;
    uint64_t now;
    uint64_t next_watchdog;
    uint64_t next_audit;
    uint32_t n;
    struct component *all[MAX_COMPONENTS];
    struct component *due[MAX_COMPONENTS];
};

struct engine *engine_new(struct arena *a, struct engine_options opt)
{
    struct engine *e = ARENA_NEW(a, struct engine);
    e->opt = opt;
    e->next_watchdog = opt.watchdog ? opt.watchdog : HD_NEVER;
    e->next_audit = opt.audit ? opt.audit : HD_NEVER;
    return e;
}

void engine_add(struct engine *e, struct component *c, uint64_t period)
{
    HD_ASSERT(e->n < MAX_COMPONENTS, "more than %d components", MAX_COMPONENTS);
    HD_ASSERT(period > 0, "%s: clock period of 0 ticks", c->path);
    c->period = period;
    c->wake_at = 0;
    c->id = e->n;
    e->all[e->n++] = c;
}

uint64_t engine_now(const struct engine *e)
{
    return e->now;
}

static uint64_t next_wake(const struct engine *e)
{
    uint64_t next = HD_NEVER;
    for (uint32_t i = 0; i < e->n; i++)
        if (e->all[i]->wake_at < next)
            next = e->all[i]->wake_at;
    return next;
}

/* The first edge of any component at or after `now`. */
static uint64_t next_edge(const struct engine *e, uint64_t now)
{
    uint64_t next = HD_NEVER;
    for (uint32_t i = 0; i < e->n; i++) {
        uint64_t p = e->all[i]->period;
        uint64_t edge = (now + p - 1) / p * p;
        if (edge < next)
            next = edge;
    }
    return next;
}

static uint32_t collect(struct engine *e, bool all)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n; i++) {
        struct component *c = e->all[i];
        if (c->wake_at <= e->now || (all && e->now % c->period == 0)) {
            c->wake_at = HD_NEVER;
            e->due[n++] = c;
        }
    }
    return n;
}

static void tick_due(struct engine *e)
{
    uint32_t n = collect(e, e->opt.no_skip);
    for (uint32_t i = 0; i < n; i++) {
        struct component *c = e->due[e->opt.reversed ? n - 1 - i : i];
        component_wake(c, c->ops->tick(c, e->now / c->period));
    }
}

static uint64_t live(const struct engine *e)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < e->n; i++)
        if (e->all[i]->ops->live)
            n += e->all[i]->ops->live(e->all[i]);
    return n;
}

bool engine_audit(const struct engine *e, struct err *err)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->all[i]->ops->audit && !e->all[i]->ops->audit(e->all[i], err))
            return false;
    return true;
}

bool engine_diagnose(const struct engine *e, struct err *err)
{
    struct arena *a = arena_new();
    struct waitgraph *g = waitgraph_new(a);
    for (uint32_t i = 0; i < e->n; i++)
        if (e->all[i]->ops->waits)
            e->all[i]->ops->waits(e->all[i], g);
    const char *cycle = waitgraph_deadlock(g);
    if (cycle)
        err_set(err, STATUS_DEADLOCK, "deadlock at tick %llu: %s", (unsigned long long)e->now,
                cycle);
    arena_free(a);
    return cycle != NULL;
}

/* All sleep for ever.  With messages still held that is a deadlock even if no component can
 * name whom it waits for. */
static enum engine_stop asleep(struct engine *e, uint64_t until, struct err *err)
{
    uint64_t held = live(e);
    if (held == 0) {
        if (until > e->now)
            e->now = until;
        return ENGINE_IDLE;
    }
    if (!engine_diagnose(e, err))
        err_set(err, STATUS_DEADLOCK, "stuck at tick %llu: %llu messages held, nobody can move",
                (unsigned long long)e->now, (unsigned long long)held);
    return ENGINE_STUCK;
}

enum engine_stop engine_run(struct engine *e, uint64_t until, struct err *err)
{
    for (;;) {
        uint64_t next = next_wake(e);
        if (next == HD_NEVER)
            return asleep(e, until, err);
        if (e->opt.no_skip)
            next = next_edge(e, e->now);
        if (next >= until) {
            if (until > e->now)
                e->now = until;
            return ENGINE_REACHED;
        }
        e->now = next;
        if (e->now >= e->next_watchdog) {
            e->next_watchdog = e->now + e->opt.watchdog;
            if (engine_diagnose(e, err))
                return ENGINE_STUCK;
        }
        tick_due(e);
        e->now++;
        if (e->now >= e->next_audit) {
            e->next_audit = e->now + e->opt.audit;
            if (!engine_audit(e, err))
                return ENGINE_BROKEN;
        }
    }
}
