/* results.h - what a run comes to: derived statistics and the documents they go into.
 *
 * A derived statistic is a row of derived.def: a name, a unit and an expression over the names of
 * the statistics tree, evaluated over a whole run, one kernel or one sampling period; or what an
 * energy model says ("energy.structural.total", energy.h).  Where a name is missing or nothing was
 * counted it is NaN: null in JSON, "-" in print. */
#ifndef HEDDLE_MACHINE_RESULTS_H
#define HEDDLE_MACHINE_RESULTS_H

#include "machine/machine.h"
#include "sim/stats_snapshot.h"

struct energy_models;

/* What the machine has, to divide by. */
struct results_scale {
    double sms;                         /* that kernels may run on */
    double max_warps;                   /* of an SM */
    double clusters, slices;            /* nodes that send requests, and replies */
    double sm_clock, noc_clock;         /* Hz */
    double dram_peak;                   /* byte/s, of all channels */
    double stated_dram_peak;            /* ... as the machine's source has it; 0: it does not say */
    double ticks_per_cycle;             /* of the SM clock */
    const struct energy_models *energy; /* energy_models_new; NULL: energy is not asked for */
};
/* All but `energy`. */
void results_scale_init(struct results_scale *s, const struct config *cfg);
/* All of it, in `a`; false with *e set when a part of the machine cannot be priced. */
bool results_scale_of(struct results_scale *s, const struct machine *m, struct arena *a,
                      struct err *e);

/* What was counted in `cycles` SM cycles. */
struct results_view {
    const struct results_scale *scale;
    const struct stats_snapshot *values;
    uint64_t cycles;
    struct results_names *probe; /* of results_check_names; else NULL */
};

struct results_row {
    const char *name, *unit, *help;
    double (*value)(const struct results_view *v);
};
extern const struct results_row results_rows[];
extern const size_t results_nrows;

double results_derived(const struct results_view *v, const char *name); /* by name; asserted */
double results_get(const struct results_view *v,
                   const char *name); /* of the tree; NaN: not there */
double results_seconds(const struct results_view *v);

/* From the start of a kernel to its end; where other programs ran at the same time nobody knows what
 * was its own, and there are no values (NULL). */
struct results_view results_of_kernel(const struct results_scale *s, const struct machine_kernel *k,
                                      struct arena *a);

/* Whether the tree has every name that derived.def and energy models use; the first that it has not
 * is in *e. */
bool results_check_names(const struct results_scale *s, const struct stats *t, struct err *e);

/* Members of the object that is open: derived statistics, then all of the tree. */
void results_json(const struct results_view *v, struct json *j);
/* One object: what kernel, how it was laid out on the machine, its "stats". */
void results_kernel_json(const struct results_scale *s, const struct machine_kernel *k,
                         struct arena *a, struct json *j);
void results_describe(FILE *out); /* name, unit, help: for `heddle list stats` */

#endif
