/* stats.h - the one table of statistics.
 *
 * A component declares its statistics as rows (kind, name, unit, one line of help), gets a plain
 * struct of them, bumps members directly in the hot path, and adds the struct to the tree once.
 * Writers walk the tree and know no component.
 *
 *     #define NET_STATS(S, id)                                                         \
 *         S(id, COUNTER, flits, "flit", "flits that left the network")                 \
 *         S(id, MEAN, hops, "router", "routers a packet traversed")                    \
 *         S(id, HIST, latency, "cycle", "birth to last flit")                          \
 *         S(id, SERIES, load, "flit", "flits delivered per period")
 *     STATS_STRUCT(net, NET_STATS)
 *     STATS_ROWS(net, NET_STATS)
 *     stats_add(tree, "noc.request", net_stat_rows, NET_N, &net->stats);
 *
 * The tree is frozen by the first write; a name is unique within its path. */
#ifndef HEDDLE_SIM_STATS_H
#define HEDDLE_SIM_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"

enum stat_kind { STAT_COUNTER, STAT_MEAN, STAT_HIST, STAT_SERIES };

typedef uint64_t stat_t_COUNTER;

/* Integer sums, so that the order of additions cannot change a result. */
typedef struct stat_mean {
    uint64_t n, sum, min, max;
} stat_t_MEAN;

/* Log-linear buckets: exact below 64, then 32 per doubling (error of a percentile <= 3 %). */
#define STAT_HIST_SUB 32
#define STAT_HIST_N 2048
typedef struct stat_hist {
    uint64_t n, sum, min, max;
    uint32_t bucket[STAT_HIST_N];
} stat_t_HIST;

/* Sum per period of simulated time; doubles its period when it runs out of slots. */
#define STAT_SERIES_N 256
typedef struct stat_series {
    uint64_t period; /* 0: off */
    uint32_t n;
    uint64_t slot[STAT_SERIES_N];
} stat_t_SERIES;

struct stat_row {
    const char *name;
    enum stat_kind kind;
    size_t offset;
    const char *unit;
    const char *help;
};

#define STATS_MEMBER_(id, kind, name, unit, help) stat_t_##kind name;
#define STATS_ROW_(id, kind, name, unit, help)                                                     \
    {#name, STAT_##kind, offsetof(struct id, name), unit, help},
#define STATS_STRUCT(id, ROWS)                                                                     \
    struct id##_stats {                                                                            \
        ROWS(STATS_MEMBER_, id##_stats)                                                            \
    };
#define STATS_ROWS(id, ROWS)                                                                       \
    static const struct stat_row id##_stat_rows[] = {ROWS(STATS_ROW_, id##_stats)};

static inline void stat_mean_add(struct stat_mean *m, uint64_t v)
{
    m->sum += v;
    m->min = m->n == 0 || v < m->min ? v : m->min;
    m->max = v > m->max ? v : m->max;
    m->n++;
}

void stat_hist_add(struct stat_hist *h, uint64_t v);
double stat_hist_percentile(const struct stat_hist *h, double p); /* p in [0,100]; 0 if empty */
void stat_hist_merge(struct stat_hist *into, const struct stat_hist *from);
uint32_t stat_hist_bucket(uint64_t v);     /* index of the bucket v falls into */
uint64_t stat_hist_lower(uint32_t bucket); /* smallest value of a bucket */
void stat_series_add(struct stat_series *s, uint64_t now, uint64_t v);
static inline double stat_mean_value(const struct stat_mean *m)
{
    return m->n ? (double)m->sum / (double)m->n : 0;
}

struct stats;
struct stats *stats_new(struct arena *a);
/* Also list every one that joins, after all sums; asked for before anything is added. */
void stats_set_details(struct stats *t, bool on);
/* What is added from now on is counted by observers, on whom nothing depends: it has no part in the
 * digest. */
void stats_set_observed(struct stats *t);
void stats_add(struct stats *t, const char *path, const struct stat_row *rows, size_t n,
               const void *base);
/* One of several alike (SMs, slices): values of all that join under one path with the same rows are
 * summed (means and histograms merged, series added).  `instance` names this one where details
 * are asked for: "l2[3]" joins "l2" as l2[3].hits, "sm[3]" joins "l1" as l1.sm[3].hits. */
void stats_join(struct stats *t, const char *path, const char *instance,
                const struct stat_row *rows, size_t n, const void *base);
void stats_write_text(const struct stats *t, FILE *out);
/* {"noc.request.flits": 123, "noc.request.hops": {"mean":..,"n":..,"min":..,"max":..}, ...} */
void stats_write_json(const struct stats *t, struct json *j);
/* The description of every row (for `heddle list stats`). */
void stats_describe(const struct stats *t, FILE *out);
void stats_names(const struct stats *t, FILE *out); /* one per line */
const char *stats_kind_name(enum stat_kind k);      /* "counter" */
void stats_each(const struct stats *t,
                void (*each)(void *context, const char *name, const struct stat_row *row),
                void *context);

/* The same for two runs whose names and values are the same; series, which repeat what counters
 * say, details and what observers count are left out, so that asking for them changes nothing. */
uint64_t stats_digest(const struct stats *t);

#endif
