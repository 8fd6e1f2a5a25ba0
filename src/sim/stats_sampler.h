/* stats_sampler.h - statistics over time: what was counted in each period of a run.
 *
 * Whoever runs the engine stops it every `period` cycles and calls stats_sampler_take.  A row
 * is kept for each period, as differences, in memory that grows (a column that stands still costs
 * a byte); stats_sampler_csv makes a table of them: the end of the period, then one column of each counter
 * and two ("hops", "hops.n") of each mean and histogram, then those that are computed. */
#ifndef HEDDLE_SIM_STATS_SAMPLER_H
#define HEDDLE_SIM_STATS_SAMPLER_H

#include "base/err.h"
#include "sim/stats_snapshot.h"

struct stats_sampler;

/* A column computed from what was counted in a period of `cycles`; NaN: there is no value. */
struct stats_sampler_extra {
    const char *name;
    double (*value)(const void *context, const struct stats_snapshot *during, uint64_t cycles);
    const void *context;
};

struct stats_sampler_spec {
    const struct stats *tree;
    const char *prefixes;
    const struct stats_sampler_extra *extras;
    size_t nextras;
};

/* `prefixes`: "l1.,dram.reads" takes every name that begins with one of them, "" all; one that
 * no name begins with is the user's error.  The first period begins at cycle 0. */
struct stats_sampler *stats_sampler_new(struct arena *a, const struct stats_sampler_spec *spec,
                                        struct err *e);
void stats_sampler_free(struct stats_sampler *s); /* the rows; the rest is the arena's */

/* Ends the period at cycle `now`: what the whole tree counted in it, until the next call. */
const struct stats_snapshot *stats_sampler_take(struct stats_sampler *s, uint64_t now);

void stats_sampler_csv(const struct stats_sampler *s, FILE *out);

#endif
