/* toy_rig.h - the smallest components: one that sleeps and remembers who woke it, and a chain of
 * stages joined by ports that takes items from a source to a sink.
 *
 *     stage 0 --port--> stage 1 --port--> ... --port--> stage n-1
 *
 * Every stage works on one item at a time, for a number of cycles that depends on item and stage
 * only, sleeps whenever it can, and notes in a hash when it let go of which item.
 *
 * And a machine in the shape of a GPU, for engines with threads:
 *
 *     cores -> gate \                   / echo \
 *     cores -> gate -> request crossbar -> echo -> reply crossbar -> gates -> cores
 *     cores -> gate /                   \ echo /
 *
 * A dispatcher hands out batches of work to the cores: phase 0.  Crossbars, cores with their gate, and
 * echoes with the store behind each, are lanes of phase 1; stores are kept inside theirs. */
#ifndef HEDDLE_TESTS_RIG_TOY_RIG_H
#define HEDDLE_TESTS_RIG_TOY_RIG_H

#include "sim/engine.h"
#include "sim/port.h"

struct toy_sleeper {
    struct component c;
    uint32_t wakes, slot; /* how often it was woken, and for which slot and cycle last */
    hd_cycle at;
};

/* Not in an engine: the period is given here. */
struct toy_sleeper toy_sleeper(const char *path, uint64_t period);

enum { TOY_STAGES = 8 };

struct toy_stage {
    struct component c;
    struct port *in, *out; /* NULL at the ends */
    uint32_t number;
    uint64_t to_make; /* items, source only */
    bool holds;
    uint64_t item;
    hd_cycle done_at;
    uint64_t trace, let_go, ticks;
};

struct toy_chain {
    struct arena *arena;
    struct engine *engine;
    uint32_t n;
    struct toy_stage stage[TOY_STAGES];
    struct port port[TOY_STAGES - 1];
};

/* The shape of the chain (periods, depths, latencies) is drawn from `shape`; stages are added to
 * the engine in the order of `order`, a permutation of 0..n-1, or as they stand if it is NULL. */
void toy_chain_open(struct toy_chain *t, uint32_t n, uint64_t shape, const uint32_t *order,
                    struct engine_options opt);
void toy_chain_close(struct toy_chain *t);
uint64_t toy_chain_ticks(const struct toy_chain *t);

struct toy_machine;

struct toy_machine_options {
    struct engine_options engine;
    uint32_t gates, cores, echoes; /* cores: of each gate */
    uint64_t shape;                /* periods, depths and latencies are drawn from it */
    uint64_t batches;              /* of eight items, for all cores together */
    bool is_added_backwards;
};

struct toy_machine *toy_machine_new(const struct toy_machine_options *opt);
void toy_machine_free(struct toy_machine *m);
struct engine *toy_machine_engine(struct toy_machine *m);
/* A hash over what every component did when, and how often items came back, and the ticks. */
uint64_t toy_machine_trace(const struct toy_machine *m);
uint64_t toy_machine_items(const struct toy_machine *m);
uint64_t toy_machine_ticks(const struct toy_machine *m);

#endif
