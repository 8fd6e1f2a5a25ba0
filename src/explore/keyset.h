/* keyset.h - a set of keys of runs, none of which is 0.  All zero is the empty one. */
#ifndef HEDDLE_EXPLORE_KEYSET_H
#define HEDDLE_EXPLORE_KEYSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct keyset {
    uint64_t *all;
    uint32_t n, room;
};

bool keyset_has(const struct keyset *k, uint64_t key);
void keyset_add(struct arena *a, struct keyset *k, uint64_t key); /* once, however often */

#endif
