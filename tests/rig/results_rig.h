/* results_rig.h - every statistic that derived.def uses, with round numbers, as one run of a machine
 * with two SMs and one L2 slice would leave them. */
#ifndef HEDDLE_TESTS_RIG_RESULTS_RIG_H
#define HEDDLE_TESTS_RIG_RESULTS_RIG_H

#include "machine/results.h"

struct results_rig {
    struct arena *a;
    struct stats *t;
    struct results_view v; /* of 1000 cycles */
};

extern const struct results_scale results_rig_scale;

/* With one network, or with two. */
struct results_rig results_rig_new(bool is_one);

struct results_rig_item {
    const char *path, *name;
    uint64_t value;
    uint64_t n; /* of a mean; 0: a counter */
};
void results_rig_plant(struct stats *t, struct arena *a, const struct results_rig_item *list,
                       size_t n);

#endif
