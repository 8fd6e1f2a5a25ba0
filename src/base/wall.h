/* wall.h - how long something takes here.  No result may depend on it. */
#ifndef HEDDLE_BASE_WALL_H
#define HEDDLE_BASE_WALL_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock that nobody sets. */
static inline uint64_t wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double wall_s(void)
{
    return (double)wall_ns() * 1e-9;
}

#endif
