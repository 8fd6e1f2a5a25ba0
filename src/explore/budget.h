/* budget.h - what a search may spend: runs that its points need, hours that these took.
 *
 * A run counts once, whether it is done now or was in the database before; prices and runs of classes
 * do not.  Hours are what the runs took when they were done, prices included, as the database has it. */
#ifndef HEDDLE_EXPLORE_BUDGET_H
#define HEDDLE_EXPLORE_BUDGET_H

#include "explore/explore.h"
#include "explore/keyset.h"
#include "study/job.h"

struct budget {
    struct arena *arena;
    uint64_t most_runs;
    double most_hours;
    struct keyset asked, paid; /* runs that points need; those whose time is counted */
    uint32_t runs;
    double wall_s;
};

struct budget budget_of(struct arena *a, const struct exploration *x);
/* How many points, which are the variants of a study after the baseline, can be paid for: they count
 * then.  runs[i]: all until the i-th is done. */
uint32_t budget_afford(struct budget *b, struct arena *a, const struct study *s,
                       const struct study_plan *p, uint32_t *runs);
/* When they are done: what they took. */
bool budget_pay(struct budget *b, struct arena *a, const char *store, const struct study_plan *p,
                struct err *e);

#endif
