/* search.h - the search of a finite space for the points that no other dominates.
 *
 * A space has axes with levels: choices, or steps of a range, whose order says which are near.  A
 * point is one level of each axis.  What a point comes to is measured by the caller, a batch at a
 * time, at one of several fidelities (cheap ones first, the last is what counts); what was measured
 * is kept and never asked for again.  A method decides which points come next, from the values so
 * far and random draws keyed by the seed: how many are measured at once, and how long that takes,
 * cannot be seen by it. */
#ifndef HEDDLE_SEARCH_SEARCH_H
#define HEDDLE_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/config.h"

enum { SEARCH_MOST_AXES = 64, SEARCH_MOST_LEVELS = 4096, SEARCH_MOST_OBJECTIVES = 6 };

struct search_axis {
    uint32_t levels;
    bool is_ordered; /* neighbouring levels are alike */
};

struct search_space {
    uint32_t naxes;
    const struct search_axis *axes;
};

/* The number of points; UINT64_MAX stands for more. */
uint64_t search_size(const struct search_space *space);

struct search_value {
    double objectives[SEARCH_MOST_OBJECTIVES]; /* less is better; NaN: could not be measured */
    double violation;                          /* of all constraints, summed; 0: none is broken */
};

struct search_problem {
    struct search_space space;
    uint32_t nobjectives;
    uint32_t nfidelities;  /* from 1 */
    const uint16_t *start; /* [naxes]: what others are compared with; measured first.  NULL: none */
    uint64_t seed;
    /* Points that come to the same (an axis does not matter where another one is off) are one: levels
     * become those of the one that stands for all.  NULL: every point stands for itself. */
    void (*plain)(void *context, uint16_t *levels);
    /* Measures points, in their order, as far as the budget goes; *done says how many, and less than
     * n ends the search. */
    bool (*measure)(void *context, uint32_t fidelity, const uint16_t *const *points, uint32_t n,
                    struct search_value *values, uint32_t *done, struct err *e);
    void *context;
};

struct search_point {
    const uint16_t *levels; /* [naxes] */
    uint32_t fidelity;
    struct search_value value;
};

struct search;

/* An empty search; the config has the methods' sections (search_sections).  It and what the problem
 * points to must outlive the search. */
struct search *search_new(struct arena *a, const struct search_problem *p, const struct config *c);

/* What a method is: one file and one line in methods.def. */
struct search_method {
    const char *name, *help;
    const struct cfg_section *section; /* its parameters, or NULL */
    bool (*check)(const struct search *s,
                  struct err *e); /* what it cannot do; NULL: it can do all */
    bool (*run)(struct search *s, struct err *e);
};
extern const struct search_method *const search_method_all[];
extern const int search_method_count;
const struct search_method *search_method_find(const char *name); /* NULL: none of this name */
int search_sections(const struct cfg_section **all, int room);

/* Whether the problem is sound and the method can be run on it; false with *e set. */
bool search_check(const struct search *s, const struct search_method *m, struct err *e);
/* Measures the start, then runs the method until it ends or the budget is spent.  Several may follow
 * one another on one search: each finds what the earlier ones measured. */
bool search_run(struct search *s, const struct search_method *m, struct err *e);
bool search_is_over(const struct search *s); /* the budget is spent */

/* All that was measured, in the order in which it was asked for. */
uint32_t search_count(const struct search *s);
const struct search_point *search_at(const struct search *s, uint32_t i);

/* Of the points at the last fidelity that break no constraint and have all their values: those that
 * no other dominates, as indices for search_at, in the order of the first objective (then the next,
 * then by index).  Only the first `of` points that were measured are looked at. */
uint32_t search_front(const struct search *s, uint32_t of, struct arena *a, const uint32_t **front);

#endif
