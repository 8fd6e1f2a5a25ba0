/* timed.h - heddle run -m: kernels executed or replayed on a machine, cycle by cycle. */
#ifndef HEDDLE_CLI_TIMED_H
#define HEDDLE_CLI_TIMED_H

#include "cli/execute.h"
#include "sim/config.h"

enum { TIMED_MAX_SETS = 256 };

struct timed_options {
    const char *machine;
    const char *set[TIMED_MAX_SETS];
    int nsets;
    const char *trace; /* replay this file instead of executing */
    const char *json, *csv, *timeline, *series;
    const char *columns; /* of the series: prefixes of names */
    uint64_t period;     /* of the series and the timeline's counters */
    uint64_t max_cycles;
    uint32_t threads;
    bool no_skip, details;
};

bool timed_run(const struct timed_options *o, struct execute *x, struct arena *a, struct err *e);

#endif
