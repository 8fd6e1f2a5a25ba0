/* shuffle.h - all points of a space in a random order, each where its place says: no list is kept.
 *
 * Places are turned into other places by a Feistel network on so many bits as they need, and again
 * until the result is one (Black, Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).  Of
 * a space of more than 2^62 points only some axes, with less points than that, are counted in this
 * way; the others have a draw of their own for each place: points are different all the same. */
#ifndef HEDDLE_SEARCH_SHUFFLE_H
#define HEDDLE_SEARCH_SHUFFLE_H

#include "search/search.h"

struct shuffle {
    const struct search_space *space;
    uint64_t key;
    uint64_t size; /* places: as many as points, or so many that nobody comes to their end */
    uint32_t half; /* bits */
    bool is_counted[SEARCH_MOST_AXES];
};

void shuffle_init(struct shuffle *f, const struct search_space *space, uint64_t key);
/* The point at a place below `size`. */
void shuffle_at(const struct shuffle *f, uint64_t place, uint16_t *levels);

#endif
