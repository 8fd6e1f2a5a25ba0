/* point.h - one measured point of a latency-load curve, and the search for saturation.
 *
 * Warm-up ends when accepted load and mean latency of successive batches agree.  Then batches
 * are measured until the 95 % confidence interval of their means is narrow enough, and the run
 * goes on until every packet born in the window has arrived.  A network that does not keep up
 * with the offered load, or does not get rid of the measured packets, is saturated. */
#ifndef HEDDLE_LAB_POINT_H
#define HEDDLE_LAB_POINT_H

#include "lab/lab.h"

struct point {
    double offered, accepted;         /* flits per source and cycle */
    double mean, p50, p99, ci95, max; /* packet latency, cycles; if none of the measured
                                         packets arrived, the time they had */
    double queueing, network;         /* its parts: at the source, in the network */
    double hops;
    double round_trip, round_trip_p99; /* closed loop only, else 0 */
    double least, most;                /* delivered flits of a source over the mean of all */
    double busiest;                    /* flits per cycle on the busiest channel */
    double power;                      /* W of all networks, at their clock and power.node; NaN:
                                          they cannot be priced */
    bool saturated;
    bool converged; /* the confidence interval was reached */
    uint64_t cycles, warmup, packets, flit_hops, digest;
    double wall_s;
};

/* Runs one point.  With `keep`, *keep becomes the finished lab, which the caller frees. */
bool point_run(const struct config *cfg, double rate, struct lab_options opt, struct point *p,
               struct lab **keep, struct err *e);

struct sweep_options {
    struct lab_options lab;
    int threads;
    struct lab **keep;                                    /* one per point, or NULL */
    void (*progress)(int done, int total, double left_s); /* may be NULL; one call at a time */
};

/* The points of a sweep, in any order, with results in place. */
bool point_sweep(const struct config *cfg, const double *rates, int n,
                 const struct sweep_options *opt, struct point *points, struct err *e);

/* The highest load that is not saturated, by bisection to `step`, and the point measured there. */
bool point_saturation(const struct config *cfg, double step, struct lab_options opt,
                      struct point *p, struct err *e);

#endif
