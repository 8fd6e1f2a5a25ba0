/* sweep_axes.h - what a sweep of `heddle run` goes over: machines (-m A -m B), and parameters that
 * are given several values (--set l1.size=16K,32K).  Every combination is one run. */
#ifndef HEDDLE_CLI_SWEEP_AXES_H
#define HEDDLE_CLI_SWEEP_AXES_H

#include "sim/config.h"

enum { SWEEP_MAX_AXES = 8, SWEEP_MAX_RUNS = 1000 };

struct sweep_axis {
    const char *key; /* "machine", "l1.size" */
    int set;         /* place among the --set; -1: machines */
    uint32_t n;
    const char *const *values;
};

struct sweep_axes {
    uint32_t n; /* 0: one run, no sweep */
    struct sweep_axis axis[SWEEP_MAX_AXES];
    uint32_t runs; /* combinations */
};

struct sweep_given { /* the options, as they were written */
    int nmachines, nsets;
    const char *const *machines, *const *sets;
};

/* Only parameters that hold one value are split at commas: those of lists keep theirs, and so do
 * texts whose parts are no plain words (sm.registers_of=a=32,b=40). */
bool sweep_axes_read(struct sweep_axes *x, const struct sweep_given *g, struct arena *a,
                     struct err *e);

/* Of a run, in which the last axis changes fastest: its value on an axis. */
const char *sweep_axes_value(const struct sweep_axes *x, uint32_t run, uint32_t axis);
const char *sweep_axes_machine(const struct sweep_axes *x, const struct sweep_given *g,
                               uint32_t run);
/* The assignment that stands for --set number `set` in a run. */
const char *sweep_axes_set(const struct sweep_axes *x, const struct sweep_given *g, uint32_t run,
                           int set, struct arena *a);
/* "l1.size=16K, l1.mshrs=8": which run it is. */
const char *sweep_axes_label(const struct sweep_axes *x, uint32_t run, struct arena *a);

#endif
