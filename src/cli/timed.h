/* timed.h - heddle run -m: kernels executed or replayed on a machine, cycle by cycle. */
#ifndef HEDDLE_CLI_TIMED_H
#define HEDDLE_CLI_TIMED_H

#include "cli/program.h"
#include "mem/program.h"
#include "sim/config.h"

enum { TIMED_MAX_SETS = 256 };

struct timed_options {
    const char *machine;
    const char *set[TIMED_MAX_SETS];
    int nsets;
    const char *json, *csv, *timeline, *series;
    const char *columns; /* of the series: prefixes of names */
    uint64_t period;     /* of the series and the timeline's counters */
    uint64_t max_cycles, max_insns;
    uint64_t window;  /* programs restart until so many cycles are over; 0: each runs once */
    const char *solo; /* database of runs of programs alone; NULL: nothing is kept */
    uint32_t threads;
    bool only_idle; /* nobody asked for threads: no more than idle processors */
    bool no_skip, details, check;
    bool is_strict; /* settings without effect are refused */
    bool no_alone;  /* programs that ran at once are not run alone */
    struct program program[MAX_PROGRAMS];
    uint32_t nprograms;
};

bool timed_run(struct timed_options *o, struct arena *a, struct err *e);

#endif
