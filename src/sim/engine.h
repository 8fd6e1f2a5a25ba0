/* engine.h - simulated time: who is due, when time may jump, and when the machine is stuck.
 *
 * Time is a count of ticks, the least common unit of all clock periods (clock.h).  Each step
 * collects the components that are due, then ticks them; collecting first is what keeps a
 * wake-up made during this very step from being lost.  Skipping is exact: with `no_skip` every
 * component is ticked at every one of its edges and nothing else changes.
 *
 * One simulation can run in several threads.  A step goes phase by phase, with a barrier between;
 * within a phase, components of different lanes may be ticked at the same time, those of one lane
 * by one thread, one after the other.  The rule that makes this safe: components of one phase that
 * share anything but ports share a lane; and so do those that share a port one of whose ends keeps, in `woken`,
 * notes that its tick changes at the same instant.  Results are those of one thread, bit for bit. */
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
    uint32_t threads;  /* 0 or 1: the caller's alone */
    bool only_idle;    /* of them, no more than processors that are idle when it first runs */
    bool idle_stays;   /* when all is done time stays where it is; else it goes on to the end */
    bool always_share; /* use them also where one is quicker: for tests */
};

enum { ENGINE_PHASES = 8 };

struct engine *engine_new(struct arena *a, struct engine_options opt);
void engine_add(struct engine *e, struct component *c, uint64_t period);
/* Where a component that was added belongs; phase 0, lane 0 unless told. */
void engine_place(struct engine *e, struct component *c, uint32_t phase, uint32_t lane);
/* Of a component that was placed in the last phase: all that it shares with others, ports included, it shares with
 * its lane.  Then nobody can learn what it does before the next edge of the others' clocks, and its own edges up to
 * there are gone through in the step before, without a step, and a barrier, of their own. */
void engine_keep_inside(struct engine *e, struct component *c);
/* Ticks everything due before tick `until`; *now becomes the time reached. */
enum engine_stop engine_run(struct engine *e, uint64_t until, struct err *err);
/* From within a tick of a component that runs alone in its phase: engine_run returns after this
 * step. */
void engine_request_stop(struct engine *e);
uint64_t engine_now(const struct engine *e);
/* Runs every component's audit at once. */
bool engine_audit(const struct engine *e, struct err *err);
/* Looks for a deadlock now; true and *err set when there is one. */
bool engine_diagnose(const struct engine *e, struct err *err);
/* Brings statistics over time up to the present: every component's settle, with its first cycle
 * that has not begun. */
void engine_settle(struct engine *e);
uint64_t engine_live(const struct engine *e); /* messages held by all components */
/* With more than one thread, before the arena goes: the others end.  The next run starts them
 * again. */
void engine_stop_threads(struct engine *e);

#endif
