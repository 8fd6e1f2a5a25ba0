/* columns.h - a part of all combinations in which no few axes are confounded (fractional factorial).
 *
 * A run is a vector of m bits, and there are 2^m.  An axis of L levels has ceil(log2 L) columns, which
 * are vectors of m bits, too: the parity of a run and a column is one bit of the axis' code, and the
 * level is the code modulo L.  Any `strength` axes have independent columns, so that each combination
 * of their codes is in as many runs as any other (Rao, "Factorial experiments derivable from
 * combinatorial arrangements of arrays", 1947); of their levels each is as frequent as the product of
 * the frequencies says (Addelman, "Orthogonal main-effect plans for asymmetrical factorial
 * experiments", Technometrics 4(1), 1962). */
#ifndef HEDDLE_SEARCH_COLUMNS_H
#define HEDDLE_SEARCH_COLUMNS_H

#include "search/search.h"

enum { COLUMNS_MOST_BITS = 20, COLUMNS_MOST_OF_AXIS = 12 };

struct columns {
    uint32_t m;
    uint32_t n[SEARCH_MOST_AXES]; /* columns of each axis */
    uint32_t column[SEARCH_MOST_AXES][COLUMNS_MOST_OF_AXIS];
};

/* The least m, up to `most`, for which columns are found; false: there are none so short.  They are
 * looked for in order of size, and the search for each m is given up after a while: a smaller m may
 * exist. */
bool columns_find(struct columns *c, const struct search_space *space, uint32_t strength,
                  uint32_t most);

uint32_t columns_code(const struct columns *c, uint32_t axis, uint32_t run);

#endif
