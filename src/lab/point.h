/* point.h - one measured point of a latency-load curve, and the search for saturation.
 *
 * Warm-up ends when accepted load and mean latency of successive batches agree.  Then batches
 * are measured until the 95 % confidence interval of their means is narrow enough, and the run
 * goes on until every packet born in the window has arrived.  A network that does not keep up
 * with the offered load, or does not get rid of the measured packets, is saturated.
 *
 * A load settles if it does not saturate the network and mean latency is at most measure.settle
 * times that of the empty network.  Just past the knee of the curve a network still accepts all
 * but a few per cent of what is offered, so acceptance alone does not tell: there the queues grow
 * for as long as one measures, and so does latency. */
#ifndef HEDDLE_LAB_POINT_H
#define HEDDLE_LAB_POINT_H

#include "lab/lab.h"

struct point {
    double offered, accepted;         /* flits per source and cycle */
    double mean, p50, p99, ci95, max; /* packet latency, cycles; if none of the measured
                                         packets arrived, the time they had */
    double queueing, network;         /* its parts: at the source, in the network */
    double token_wait, ring;          /* of the latter: at stations of a ring for a token, and from
                                         there to leaving it; over all packets */
    double ring_used;                 /* slots with data over slots */
    double energy_per_bit;            /* pJ per bit that arrived; NaN: see power */
    double hops;
    double zero_load; /* mean latency of the same packets, were each alone in the network */
    double round_trip, round_trip_p99; /* closed loop only, else 0 */
    double least, most;                /* delivered flits of a source over the mean of all */
    double busiest;                    /* flits per cycle on the busiest channel */
    double power;                      /* W of all networks, at their clock and power.node; NaN:
                                          they cannot be priced */
    bool saturated;
    bool settled;   /* the load can be kept up: see above */
    bool converged; /* the confidence interval was reached */
    uint64_t cycles, warmup, packets, flit_hops, digest;
    double wall_s;
};

/* Runs one point.  With `keep`, *keep becomes the finished lab, which the caller frees. */
bool point_run(const struct config *cfg, double rate, struct lab_options opt, struct point *p,
               struct lab **keep, struct err *e);

/* Builds and prices what a point at this load would, and runs nothing: whatever can be refused is, and
 * the configuration knows what was read of it. */
bool point_try(const struct config *cfg, double rate, struct err *e);

struct sweep_options {
    struct lab_options lab;
    int threads;
    struct lab **keep;                                    /* one per point, or NULL */
    void (*progress)(int done, int total, double left_s); /* may be NULL; one call at a time */
};

/* The points of a sweep, in any order, with results in place. */
bool point_sweep(const struct config *cfg, const double *rates, int n,
                 const struct sweep_options *opt, struct point *points, struct err *e);

struct saturation {
    struct point peak; /* of all points measured, the one that accepted most */
    struct point knee; /* the highest load that settles; not settled if none was found */
};

/* Bisects to `step` for the knee and, above it, for the highest load that is not saturated. */
bool point_saturation(const struct config *cfg, double step, struct lab_options opt,
                      struct saturation *s, struct err *e);

#endif
