/* search_rig.h - a search of a space whose points come to what a function says.
 *
 *     struct search_rig r;
 *     search_rig_open(&r, "3 4 2");             levels of the axes; "30*101": thirty axes
 *     r.value = sum;                            and what else is not as usual, in r.problem
 *     search_rig_set(&r, "grid.most=24");
 *     CHECK(search_rig_run(&r, "grid"));
 *
 * No point is asked for twice at a fidelity, nor any after the budget was spent: the rig asserts it. */
#ifndef HEDDLE_TESTS_RIG_SEARCH_RIG_H
#define HEDDLE_TESTS_RIG_SEARCH_RIG_H

#include "search/search.h"

enum { SEARCH_RIG_FIDELITIES = 8 };

struct search_rig {
    struct arena *arena;
    struct config *config;
    struct search_axis axes[SEARCH_MOST_AXES];
    struct search_problem problem; /* one objective, one fidelity, no start, seed 1 */
    void (*value)(const struct search_rig *r, uint32_t fidelity, const uint16_t *levels,
                  struct search_value *v); /* of zeros to begin with */
    const void *context;                   /* for it */
    uint64_t budget;                       /* points that may still be measured */
    const struct search *memory;           /* what it has measured is free; NULL: nothing */
    bool fails;                            /* measuring does */
    uint32_t asked[SEARCH_RIG_FIDELITIES], batches;
    struct search *search; /* the last run's, which the next one goes on with; NULL: a new one */
    struct err err;
};

void search_rig_open(struct search_rig *r, const char *levels);
void search_rig_close(struct search_rig *r);
void search_rig_set(struct search_rig *r, const char *assignment);
bool search_rig_run(struct search_rig *r, const char *method);

/* What the front of the first `of` points covers. */
double search_rig_hypervolume(const struct search_rig *r, uint32_t of, const double *reference);
/* Whether all that was measured is the same, in the same order. */
bool search_rig_is_same(const struct search_rig *a, const struct search_rig *b);

#endif
