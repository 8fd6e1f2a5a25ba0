/* arbiter.h - area, leakage and energy of a matrix arbiter. */
#ifndef HEDDLE_POWER_ARBITER_H
#define HEDDLE_POWER_ARBITER_H

#include <stdint.h>

#include "power/cell.h"

struct arbiter {
    double area;   /* m2 */
    double leak;   /* W */
    double energy; /* J per arbitration, requests random */
};

/* One of `n` requests is granted.  With one request it is a wire: all 0. */
struct arbiter arbiter_of(const struct cell_set *set, uint32_t n);

#endif
