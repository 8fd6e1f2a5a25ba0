/* pattern.h - the plug-point for traffic patterns: who sends to whom.
 *
 * Sources and sinks are numbered 0..n-1 in the order of their nodes.  A pattern maps a source
 * and a random draw to a sink; it says beforehand whether it fits the numbers at hand. */
#ifndef HEDDLE_TRAFFIC_PATTERN_H
#define HEDDLE_TRAFFIC_PATTERN_H

#include "base/rng.h"
#include "sim/config.h"

#define TRAFFIC_ROWS(F, id)                                                                        \
    F(id, STR, pattern, "uniform", 0, 0, "", "traffic pattern (heddle list traffic)")              \
    F(id, REAL, rate, "0.1", 0, 64, "flit", "offered load, flits per source node and cycle")       \
    F(id, LIST, sizes, "1", 1, 65535, "flit", "packet sizes")                                      \
    F(id, LIST, shares, "", 1, 1000000, "", "relative frequencies of the sizes; empty: equal")     \
    F(id, CHOICE, process, "bernoulli", 0, 0, "bernoulli|bursty", "injection process")             \
    F(id, REAL, burst_on, "20", 1, 1000000, "cycle", "mean length of a burst (bursty)")            \
    F(id, REAL, burst_off, "60", 1, 1000000, "cycle", "mean length of a pause (bursty)")           \
    F(id, LIST, hotspots, "", 0, 1048576, "sink", "sinks that the hotspot pattern sends to")       \
    F(id, LIST, weights, "", 1, 1000000, "", "relative frequencies of the hotspots; empty: equal") \
    F(id, REAL, hotspot_share, "1", 0, 1, "",                                                      \
      "part of hotspot traffic that goes to hotspots; "                                            \
      "the rest is uniform")                                                                       \
    F(id, REAL, mc_share, "0.9", 0, 1, "",                                                         \
      "part of mixed traffic that goes to memory nodes; the rest goes to other cores")             \
    F(id, INT, row, "0", 0, 1048576, "node",                                                       \
      "row length for transpose, neighbour and tornado; 0: square "                                \
      "root of the nodes for transpose, no rows for the others")
CFG_STRUCT(traffic, TRAFFIC_ROWS)
extern const struct cfg_section traffic_section;

/* Which nodes a pattern joins. */
enum pattern_ends {
    ENDS_ALL,           /* every source and every sink of the network */
    ENDS_MANY_TO_FEW,   /* cores to memory nodes */
    ENDS_FEW_TO_MANY,   /* memory nodes to cores */
    ENDS_CORES,         /* cores to memory nodes, which are the first sinks, and to cores */
    ENDS_REQUEST_REPLY, /* closed loop, see reqrep.h */
};

struct pattern_ctx {
    const struct traffic_spec *spec;
    uint32_t nsources, nsinks;
    uint32_t nmems; /* of the sinks, for ENDS_CORES */
    uint32_t row;
    uint32_t bits;              /* log2 of nsinks where it is a power of two */
    const uint64_t *cumulative; /* of the hotspot weights */
};

struct pattern {
    const char *name;
    const char *alias; /* other names it goes by, "a|b", or NULL */
    const char *help;
    enum pattern_ends ends;
    /* Completes *x; NULL: always fits. */
    bool (*fit)(struct pattern_ctx *x, const struct config *cfg, struct arena *a, struct err *e);
    uint32_t (*sink)(const struct pattern_ctx *x, uint32_t source, uint64_t draw);
};

extern const struct pattern *const pattern_all[];
extern const int pattern_count;
extern const struct pattern pattern_request_reply;
const struct pattern *pattern_find(const struct config *cfg, struct err *e);

#endif
