/* hypervolume.h - the volume that values dominate, up to a reference: one number for a front.
 *
 * Zitzler, Thiele, "Multiobjective optimization using evolutionary algorithms - a comparative case
 * study", PPSN V, 1998. */
#ifndef HEDDLE_SEARCH_HYPERVOLUME_H
#define HEDDLE_SEARCH_HYPERVOLUME_H

#include "search/search.h"

/* Exact.  Values that break a constraint, lack an objective, or are not below the reference in every
 * objective, add nothing. */
double hypervolume(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                   const double *reference);

#endif
