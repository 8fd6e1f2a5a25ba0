/* clock.h - clock domains as integer periods of one common tick.
 *
 * Frequencies are rounded to whole kHz (exact for every value the papers use); with f_i in kHz
 * and m their least common multiple, one tick is 1 / m of a millisecond and domain i has a
 * period of m / f_i ticks.  So no time is ever added up in floating point. */
#ifndef HEDDLE_SIM_CLOCK_H
#define HEDDLE_SIM_CLOCK_H

#include <stdint.h>

#include "base/err.h"

struct clock_plan {
    uint64_t ticks_per_ms; /* the least common multiple of the frequencies in kHz */
    uint64_t period[8];    /* of each domain, in ticks */
};

/* n <= 8 domains.  Refuses frequencies below 1 kHz and sets whose common tick would overflow a
 * day of simulated time. */
bool clock_plan(struct clock_plan *p, const double *hz, int n, struct err *e);

/* Cycles of a clock of period `in` that last at least as long as `cycles` of one of period `of`. */
static inline uint64_t clock_convert(uint64_t cycles, uint64_t of, uint64_t in)
{
    return of == in ? cycles : (cycles * of + in - 1) / in;
}

#endif
