/* engine.h - simulated time: who is due, when time may jump, and when the machine is stuck.
 *
 * Time is a count of ticks, the least common unit of all clock periods (clock.h).  Each step
 * collects the components that are due, then ticks them; collecting first is what keeps a
 * wake-up made during this very step from being lost.  Skipping is exact: with `no_skip` every
 * component is ticked at every one of its edges and nothing else changes. */
#ifndef HEDDLE_SIM_ENGINE_H
#define HEDDLE_SIM_ENGINE_H

#include "base/arena.h"
#include "sim/component.h"

struct engine;

enum engine_stop {
    ENGINE_REACHED, /* the given time was reached */
    ENGINE_IDLE,    /* everything sleeps and nothing is held: the work is done */
    ENGINE_STUCK,   /* deadlock: *e holds the wait-for cycle */
    ENGINE_BROKEN,  /* an audit failed: *e says which */
};

struct engine_options {
    bool no_skip;
    bool reversed;     /* tick due components last to first: must change nothing */
    uint64_t watchdog; /* ticks between looks at the wait-for graph; 0: only when all sleep */
    uint64_t audit;    /* ticks between audits; 0: none */
};

struct engine *engine_new(struct arena *a, struct engine_options opt);
void engine_add(struct engine *e, struct component *c, uint64_t period);
/* Ticks everything due before tick `until`; *now becomes the time reached. */
enum engine_stop engine_run(struct engine *e, uint64_t until, struct err *err);
uint64_t engine_now(const struct engine *e);
/* Runs every component's audit at once. */
bool engine_audit(const struct engine *e, struct err *err);
/* Looks for a deadlock now; true and *err set when there is one. */
bool engine_diagnose(const struct engine *e, struct err *err);

#endif
