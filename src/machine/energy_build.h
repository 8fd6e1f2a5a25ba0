/* energy_build.h - how the lines of an energy bill are made; for the models of energy_models.def.
 *
 * A count is a sum of statistics, so that a bill is linear in what was counted and in time: it can
 * be made of a kernel or a sample as of a run.  It is written once, for people and for us:
 *
 *     "l1.global.hits + l1.local.hits"    "16 sm.issued_int + 0.5 sm.threads_int"
 *     "60 cycles - sm.active_cycles"      SM cycles; also "seconds"
 *     "noc.*.flits_in"                    summed over the networks */
#ifndef HEDDLE_MACHINE_ENERGY_BUILD_H
#define HEDDLE_MACHINE_ENERGY_BUILD_H

#include "machine/energy.h"

struct energy_builder {
    const struct config *cfg;
    const struct fabric *graphs;
    struct arena *arena;
    struct energy_item *item;
    int n, room;
    bool is_leakage_measured; /* with the SMs: units outside of them have none of their own */
};

/* A copy of the line, which has no `count` of its own: its `counts` are read. */
void energy_add(struct energy_builder *b, const struct energy_item *line);
/* The same with the line's own `count` and `context`. */
void energy_add_counted(struct energy_builder *b, const struct energy_item *line);

#define MODEL(name, doc) bool energy_##name##_add(struct energy_builder *b, struct err *e);
#include "machine/energy_models.def"
#undef MODEL

#endif
