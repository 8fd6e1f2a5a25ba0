/* explore_run.h - an exploration carried out: points searched, measured by runs of a study, kept.
 *
 * Runs go through the study's pool into its database, so that none is done twice and a search that
 * was killed goes on where it was: the same points are asked for again, and what is there answers. */
#ifndef HEDDLE_EXPLORE_EXPLORE_RUN_H
#define HEDDLE_EXPLORE_EXPLORE_RUN_H

#include "explore/explore.h"
#include "study/pool.h"

struct explore_point {      /* that was measured, in the order of the search */
    const uint32_t *values; /* [axes.n]: that count; UINT32_MAX: the axis does not matter here */
    const struct study_variant *variant;
    const char *label; /* how it differs from the baseline: "distributed, icc-on" */
    uint32_t fidelity;
    double *value; /* [nvalues]; NaN: not measured */
    double *rows;  /* [nvalues * nrows]: by workload */
    double violation;
    const char *why; /* it could not be built, or a run failed; NULL: neither */
    uint32_t runs;   /* done until it was measured, in all */
};

struct explore_growth {   /* what was found when a point was measured */
    uint32_t runs, front; /* done until then; points on the front */
    double volume;        /* its hypervolume over that of the last front; NaN: there is none */
};

struct explore_result {
    const struct exploration *x;
    struct search *search;
    struct explore_point *points; /* as search_at */
    uint32_t npoints;
    uint32_t nfront;
    const uint32_t *front;               /* points that none dominates, by the first objective */
    const struct explore_growth *growth; /* [npoints] */
    uint32_t nrows;                      /* workloads: the study's rows */
    const uint32_t *class_of;            /* [nrows]: among classes.names; NULL: no classes */
    const double *gains;                 /* [nrows * classes.n]: of ideal parts */
    uint32_t runs;                       /* that the search has asked for, each once */
    double wall_s;                       /* that these took, one after the other */
    bool is_spent;                       /* the budget, before the methods had ended */
    uint32_t nfailures;
    const struct pool_failure *failures;
};

struct explore_options {
    struct pool_options pool;
    const struct study_above *above;
};

/* Mistakes of the file that only a machine can tell: every choice of every axis is tried on the
 * baseline, and every name in an expression looked up.  Choices that cannot be built there are none:
 * another one may allow for them. */
bool explore_check(struct arena *a, const struct exploration *x, const struct study_above *above,
                   struct err *e);
/* False with *e set; STATUS_BUDGET: it was interrupted. */
bool explore_run(struct arena *a, const struct exploration *x, const struct explore_options *o,
                 struct explore_result *r, struct err *e);

/* A value over the rows that its figure has: as `over` says.  NaN where one is missing. */
double explore_mean(enum explore_over over, const double *rows, uint32_t n);

/* How the front grew: fills in `growth` when all else is there. */
const struct explore_growth *explore_growth(struct arena *a, const struct explore_result *r);

#endif
