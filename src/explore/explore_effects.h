/* explore_effects.h - what single choices do, and pairs of them: main effects and interactions.
 *
 * Of a value with its runs' values by workload: the effect of a choice is the ratio of the value with
 * it to that of the baseline, of a pair that of both over the product of what each does alone: 1 where
 * they do not touch each other.  A choice that matters only with another one has no effect
 * alone; its effect is over the other alone.  Means are geometric over workloads, with the 95 %
 * interval of Student's t over the logarithms: what another set of such workloads might give. */
#ifndef HEDDLE_EXPLORE_EXPLORE_EFFECTS_H
#define HEDDLE_EXPLORE_EXPLORE_EFFECTS_H

#include "explore/explore_run.h"

struct explore_interval {
    uint32_t n;             /* workloads */
    double mean, low, high; /* NaN where there are too few */
};

enum explore_effect_kind { EFFECT_ALONE, EFFECT_PAIR, EFFECT_GIVEN };

struct explore_effect {
    enum explore_effect_kind kind;
    uint32_t axis[2], choice[2];       /* of EFFECT_GIVEN: the second, given the first */
    struct explore_interval all;       /* workloads */
    struct explore_interval *by_class; /* [classes.n + 1]; NULL: no classes */
    double *ratios;                    /* [nrows]; NaN: none */
};

/* Whether all values by workload mean something: prices are the same for all. */
bool explore_has_effects(const struct explore_result *r, uint32_t value);
/* Those whose points were measured, single choices first. */
uint32_t explore_effects(struct arena *a, const struct explore_result *r, uint32_t value,
                         const struct explore_effect **all);
/* "distributed", "distributed x icc-on", "coalesce-on with mesh" */
const char *explore_effect_name(struct arena *a, const struct explore_result *r,
                                const struct explore_effect *x);
/* Whether 1, no effect, is outside the interval. */
bool explore_interval_tells(const struct explore_interval *i);
/* The mean of ratios and its interval; values that are NaN or not above 0 are passed over. */
struct explore_interval explore_interval(const double *ratios, uint32_t n);

#endif
