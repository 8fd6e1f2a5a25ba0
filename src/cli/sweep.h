/* sweep.h - heddle run over every combination of some values: one table.
 *
 * The program is executed once, recorded, and replayed on every machine, each in a process of its
 * own; results are in the order of the combinations, whatever order they came in. */
#ifndef HEDDLE_CLI_SWEEP_H
#define HEDDLE_CLI_SWEEP_H

#include "cli/sweep_axes.h"
#include "cli/timed.h"

struct sweep_run {
    const char *label; /* "l1.size=16K" */
    const char *machine;
    struct config *config;
    const char *why; /* it failed; NULL: it did not */
    bool is_partial; /* its budget was used up */
    uint64_t cycles, digest;
    double wall_s;
    uint32_t nstats; /* 0: there are none */
    const char **names;
    double *values; /* NaN: none */
};

struct sweep {
    struct timed_options *o;
    const struct sweep_axes *axes;
    struct sweep_given given;
    uint32_t jobs; /* processes at once */
    struct arena *arena;
    const char *workload;
    struct sweep_run *runs; /* [axes->runs] */
    double wall_s;
};

/* Runs all of them and writes what the options ask for. */
bool sweep_do(struct sweep *s, struct err *e);

/* A statistic of a run by its name; NaN: it has none. */
double sweep_stat(const struct sweep_run *r, const char *name);

#endif
