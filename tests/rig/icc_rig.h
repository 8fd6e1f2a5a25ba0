/* icc_rig.h - a cluster with intra-cluster coalescing between mock SMs and a mock memory.
 *
 * A bench has SMs and a network that do nothing by themselves: the test moves the items.
 *
 *     struct icc_bench b;
 *     icc_bench_open(&b, &(struct icc_spec){.enabled = true, .entries = 4}, 3);
 *     uint32_t first = icc_bench_read(&b, now, sm, line);
 *     icc_bench_run(&b, now, until);              (ticks the cluster at every cycle)
 *     icc_bench_answer(&b, now, first, version);
 *
 * A rig runs by itself, in an engine: SMs send random reads, writes, atomics; memory performs them
 * after random times, in order or not, and answers after random times, never in order.  Every line
 * has a version, also written by others.  It checks by itself that each request is answered once
 * and that no read is older than it may be. */
#ifndef RIG_ICC_RIG_H
#define RIG_ICC_RIG_H

#include "cluster/cluster.h"
#include "rig/toy_rig.h"
#include "sim/engine.h"

/* The value of a counter, or of `field` ("mean", "n") of a mean, by its full name. */
double icc_rig_value(const struct cluster *c, const char *name, const char *field);

/* ---- by hand ---- */

enum { ICC_BENCH_SMS = 8, ICC_BENCH_FIRST = 10 };

struct icc_bench {
    struct arena *arena;
    struct cluster *cluster;
    struct component *c;
    struct cluster_spec spec;
    struct icc_spec icc;
    struct addrmap map;
    struct request_pool pool;
    struct toy_sleeper net, sm[ICC_BENCH_SMS];
    struct port inject, eject, *out[ICC_BENCH_SMS], *in[ICC_BENCH_SMS];
    hd_cycle wants; /* what the last tick returned */
};

/* Checks of versions are on; the injection port has room for 4. */
void icc_bench_open(struct icc_bench *b, const struct icc_spec *icc, uint32_t nsms);
void icc_bench_close(struct icc_bench *b); /* after an audit */
/* `like` gives kind, line and whatever is not that of a read of all sectors. */
uint32_t icc_bench_ask(struct icc_bench *b, hd_cycle now, uint32_t sm, const struct request *like);
uint32_t icc_bench_read(struct icc_bench *b, hd_cycle now, uint32_t sm, uint64_t line);
uint32_t icc_bench_write(struct icc_bench *b, hd_cycle now, uint32_t sm, uint64_t line);
void icc_bench_run(struct icc_bench *b, hd_cycle from, hd_cycle until); /* until: not included */
/* What the network gets: the number of a request, or PACKET_NONE. */
uint32_t icc_bench_sent(struct icc_bench *b, hd_cycle now);
void icc_bench_answer(struct icc_bench *b, hd_cycle now, uint32_t id, uint32_t version);
/* What an SM gets, or PACKET_NONE; the request is given back. */
uint32_t icc_bench_got(struct icc_bench *b, hd_cycle now, uint32_t sm);
uint64_t icc_bench_stat(struct icc_bench *b, const char *name); /* "icc.merges" */

/* ---- by itself ---- */

struct icc_rig_options {
    const char *icc;         /* settings, "enabled=true entries=2 pass.mode=keep"; NULL: no ICC */
    uint32_t nsms, requests; /* requests: of each SM */
    uint32_t lines;          /* that are asked for */
    uint32_t gap;            /* most cycles between two requests of an SM */
    uint64_t seed;
    uint64_t memory_period; /* 0: the SMs' own, 2 ticks */
    bool in_order;          /* memory performs requests in the order in which they left */
    bool is_sectored;       /* L1s ask for single sectors */
    bool skip, reversed;
};

struct icc_rig_result {
    uint64_t digest;   /* of all answers, their times and all statistics */
    uint64_t answered; /* requests */
    uint64_t merged, hit, sent, reads, stale, partial, full, invalidated;
};

/* Anything that must not be fails the test. */
struct icc_rig_result icc_rig_run(const struct icc_rig_options *opt);

#endif
