/* stats_snapshot.h - the statistics of one moment, and what was counted between two.
 *
 * A snapshot holds the sums of a tree (no details): of a counter its value, of a mean or a
 * histogram how many samples and their sum, of a series its sum.  All of these can be subtracted;
 * extremes and percentiles cannot, so a snapshot has none.
 *
 *     struct stats_snapshot *before = stats_snapshot(tree, a);
 *     ... run ...
 *     struct stats_snapshot *during = stats_snapshot(tree, a);
 *     stats_snapshot_subtract(during, before);
 *     double hits = stats_snapshot_value(during, "l1.hits");
 *
 * Names: "noc.request.hops" is the mean of the samples, "noc.request.hops.n" their number and
 * "noc.request.hops.sum" their sum.  What is not there, and the mean of nothing, is NaN: it goes
 * through arithmetic, and the writers of JSON make it null. */
#ifndef HEDDLE_SIM_STATS_SNAPSHOT_H
#define HEDDLE_SIM_STATS_SNAPSHOT_H

#include "sim/stats.h"

struct stats_snapshot;

struct stats_snapshot *stats_snapshot(const struct stats *t, struct arena *a); /* of now */
void stats_snapshot_retake(struct stats_snapshot *s);                          /* of now again */
struct stats_snapshot *stats_snapshot_clone(const struct stats_snapshot *s, struct arena *a);
/* Both of the same tree. */
void stats_snapshot_subtract(struct stats_snapshot *later, const struct stats_snapshot *earlier);

/* Numbers of up to 2^53 are exact. */
double stats_snapshot_value(const struct stats_snapshot *s, const char *name);
bool stats_snapshot_has(const struct stats_snapshot *s, const char *name);
/* Members of the object that is open: "l1.hits": 12, "noc.request.hops": 4.5,
 * "noc.request.hops.n": 2. */
void stats_snapshot_json(const struct stats_snapshot *s, struct json *j);
/* The same as lines "name,value", with nothing for the mean of nothing. */
void stats_snapshot_csv(const struct stats_snapshot *s, FILE *out);

#endif
