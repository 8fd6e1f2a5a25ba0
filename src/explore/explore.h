/* explore.h - an exploration as its file says it: a space of configurations, what is good, how it is
 * searched.
 *
 *     title: How much coalescing is worth its area?
 *     machine: icc60
 *     workloads: [HS, BT, BP]                    # rows, groups, metrics, size: as in a study
 *     size: small
 *     space:                                     # axes: choices, ranges, named sets
 *       gpu.cta_scheduler: [rr, distributed]
 *       icc: {off: {icc.enabled: false}, on: {icc.enabled: true}}
 *       icc.entries: {from: 8, to: 96, step: 8}  # or times: 2
 *     when: {icc.entries: {icc: on}}             # an axis that matters only then
 *     baseline: {gpu.cta_scheduler: rr}          # else the first value of each axis
 *     objectives:
 *       time: {expr: cycles / base.cycles}       # goal: least, unless it says most
 *       area: {expr: cost.area_mm2.total, at_most: 400}
 *     constraints:
 *       slowest: {expr: cycles / base.cycles, over: most, at_most: 1.05}
 *     classes:                                   # of workloads, by measurement
 *       ideal: {network: {noc.topology: ideal}, dram: {...}}
 *       above: 1.1
 *       otherwise: latency
 *     method: [pairs, nsga2]                     # heddle list methods
 *     nsga2: {population: 24}
 *     sizes: [tiny, small]                       # fidelities, of methods that have several
 *     budget: {runs: 600, hours: 2}
 *     machines:                                  # the same on several, each with what differs
 *       a: {machine: icc60}
 *       b: {machine: volta, space: {...}}
 *
 * docs/model/explore.md has all keys and defaults. */
#ifndef HEDDLE_EXPLORE_EXPLORE_H
#define HEDDLE_EXPLORE_EXPLORE_H

#include "search/search.h"
#include "study/study_axes.h"

/* How a value of a configuration follows from those of its runs. */
enum explore_over { OVER_GEOMETRIC, OVER_ARITHMETIC, OVER_LEAST, OVER_MOST, OVERS };
extern const char *const explore_over_name[OVERS];

struct explore_value { /* an objective, or what only must be within bounds; figure i of the study */
    const char *name, *doc, *unit;
    enum explore_over over;
    bool is_objective, wants_most;
    double at_least, at_most; /* NaN: anything */
};

struct explore_condition { /* an axis matters where another one has one of some values */
    uint32_t axis, other;
    const bool *values; /* of the other */
};

struct explore_classes { /* of rows; none: n is 0 */
    uint32_t n;
    const char **names; /* [n + 1]: the last is that of rows that no ideal part helps enough */
    double above;       /* what it must help by */
    uint32_t figure;    /* of the study: gains of its variants 1 to n over the baseline */
};

struct exploration {
    const char *machine;       /* among `machines:`; "": there is no such list */
    const struct study *study; /* variant 0: the baseline; then those of classes */
    struct study_axes axes;
    uint32_t nconditions;
    const struct explore_condition *conditions;
    const uint32_t *start; /* [axes.n]: the baseline's values */
    uint32_t nvalues;
    const struct explore_value *values; /* objectives first */
    uint32_t nobjectives;
    struct explore_classes classes;
    uint32_t nmethods;
    const struct search_method **methods;
    struct config *config;               /* their parameters */
    uint32_t nsizes;                     /* fidelities, from 1 */
    const struct study_workload **sized; /* [nsizes]: the study's rows at that size */
    const char **sizes;                  /* their names */
    uint64_t most_runs;                  /* UINT64_MAX: as many as it takes */
    double most_hours;                   /* of all runs, one after the other; INFINITY */
};

/* Whether the file is one: it has the key "space". */
bool explore_is(const char *path, struct err *e);
/* The machines that it is done on; one, called "", where the file has no list of them.  NULL with
 * *e set. */
const char *const *explore_machines(struct arena *a, const char *path, uint32_t *n, struct err *e);
const struct exploration *explore_read(struct arena *a, const char *path, const char *machine,
                                       const struct study_options *o, struct err *e);

/* The values that count at a point: UINT32_MAX where the axis does not matter. */
void explore_canonical(const struct exploration *x, const uint32_t *values, uint32_t *canonical);

#endif
