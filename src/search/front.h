/* front.h - which of several values are better: domination, ranks, crowding.
 *
 * Constraints as in Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic
 * algorithm: NSGA-II", IEEE Trans. Evolutionary Computation 6(2), 2002: what breaks none is better
 * than what does, and of two that do, the one that breaks less, whatever their objectives.  What
 * breaks no constraint but lacks an objective (NaN), or whose violation is NaN, is worse than all
 * others. */
#ifndef HEDDLE_SEARCH_FRONT_H
#define HEDDLE_SEARCH_FRONT_H

#include "search/search.h"

/* Breaks no constraint and has all objectives. */
bool front_is_whole(const struct search_value *v, uint32_t nobjectives);

bool front_dominates(const struct search_value *a, const struct search_value *b,
                     uint32_t nobjectives);

/* Those that none of the others dominates, by place in v: in the order of the first objective, then
 * the next, then of their places.  Returns their number. */
uint32_t front_first(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                     uint32_t *first);

/* rank[i]: 0 if nothing dominates the i-th, 1 if only such of rank 0 do, and so on.  Returns the
 * number of ranks. */
uint32_t front_ranks(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                     uint32_t *rank);

/* The sum over the objectives of how far apart both neighbours of a value are, in parts of the range
 * of all; INFINITY at an end.  Values that lack an objective have 0. */
void front_crowding(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                    double *distance);

/* All places in v, the best first: by rank, in a rank the less crowded first, then by place. */
void front_order(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                 uint32_t *order);

#endif
