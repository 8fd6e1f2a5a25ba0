/* component.h - the contract of every clocked block.
 *
 * A component is ticked at its own clock edges, handles its stages from sink to source and
 * returns the next cycle (of its own clock) at which it can do something: now + 1 when it can
 * advance, a known later time, or HD_NEVER when only a port event can unblock it.  It may be
 * ticked earlier than it asked for; a tick with nothing to do must change nothing. */
#ifndef HEDDLE_SIM_COMPONENT_H
#define HEDDLE_SIM_COMPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

typedef uint64_t hd_cycle;
#define HD_NEVER UINT64_MAX

struct component;
struct waitgraph;

struct component_ops {
    const char *kind;
    hd_cycle (*tick)(struct component *c, hd_cycle now);
    /* A port of this component, known to it as `slot`, has something for it at cycle `at`. */
    void (*woken)(struct component *c, uint32_t slot, hd_cycle at);
    /* Adds who waits for whom to the wait-for graph (see waitgraph.h); may be NULL. */
    void (*waits)(const struct component *c, struct waitgraph *g);
    /* Messages that this component holds; the engine calls a machine dead when all sleep and
     * some are held.  May be NULL. */
    uint64_t (*live)(const struct component *c);
    /* Statistics that are sums over time (stalls, occupancy) are brought up to the start of cycle
     * `now`; must change nothing else.  May be NULL. */
    void (*settle)(struct component *c, hd_cycle now);
    /* Expensive invariants, run under --check; false with *e set when one is broken. */
    bool (*audit)(const struct component *c, struct err *e);
};

struct component { /* first member of every concrete component */
    const struct component_ops *ops;
    const char *path; /* "noc.request" */
    uint64_t period;  /* ticks per cycle of its clock domain */
    uint64_t wake_at; /* in ticks; not ticked before.  In an engine, *wake stands for it */
    uint32_t id;      /* order of its coming into the engine */
    bool is_shared;   /* components in several threads may wake it at once */
    uint64_t *wake;   /* where the engine keeps all wake-ups side by side; NULL: in none */
};

/* Lowers *slot to `tick`, whoever else does so at the same time: the order cannot matter. */
static inline void component_lower(uint64_t *slot, uint64_t tick)
{
    uint64_t old = __atomic_load_n(slot, __ATOMIC_RELAXED);
    while (tick < old)
        if (__atomic_compare_exchange_n(slot, &old, tick, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
}

/* Asks for a tick at `cycle` of the component's own clock. */
static inline void component_wake(struct component *c, hd_cycle cycle)
{
    uint64_t tick = cycle == HD_NEVER ? HD_NEVER : cycle * c->period;
    uint64_t *slot = c->wake ? c->wake : &c->wake_at;
    if (__builtin_expect(c->is_shared, 0))
        component_lower(slot, tick);
    else if (tick < *slot)
        *slot = tick;
}

#endif
