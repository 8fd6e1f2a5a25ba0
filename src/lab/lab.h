/* lab.h - a network under synthetic traffic: built from a configuration, run, measured, freed.
 *
 * A lab is a value: several can live in one process, each in its own thread. */
#ifndef HEDDLE_LAB_LAB_H
#define HEDDLE_LAB_LAB_H

#include "fabric/fabric.h"
#include "noc/net.h"
#include "sim/config.h"

#define MEASURE_ROWS(F, id)                                                                        \
    F(id, INT, warmup, "0", 0, 1e12, "cycle",                                                      \
      "cycles before measuring; 0: until load and "                                                \
      "latency are steady")                                                                        \
    F(id, INT, cycles, "0", 0, 1e12, "cycle",                                                      \
      "cycles to measure; 0: until the confidence "                                                \
      "interval is narrow enough")                                                                 \
    F(id, INT, batch, "1000", 10, 1e9, "cycle", "length of one batch of the batch means")          \
    F(id, REAL, ci, "0.01", 0.0001, 1, "", "95 % confidence interval to reach, relative")          \
    F(id, INT, max_batches, "200", 10, 1e6, "", "batches after which to stop anyway")              \
    F(id, REAL, settle, "3", 1, 1e6, "",                                                           \
      "a load settles up to this multiple of the zero-load latency")                               \
    F(id, INT, max_cycles, "0", 0, 1e15, "cycle", "budget of a point; 0: none")                    \
    F(id, REAL, step, "0.005", 0.0001, 0.5, "flit/cycle", "to which saturation is searched")       \
    F(id, INT, series, "0", 0, 1e9, "cycle", "period of the time series; 0: none")
CFG_STRUCT(measure, MEASURE_ROWS)
extern const struct cfg_section measure_section;

/* The sections that only the lab has, which go on with traffic: LAB_SECTIONS of them, into `all`. */
enum { LAB_SECTIONS = 3 };
int lab_sections(const struct cfg_section **all);
/* A configuration with every section that `heddle noc` knows, at its defaults. */
struct config *lab_config(struct arena *a);

struct lab_options {
    bool no_skip;
    bool check;
    bool reversed;    /* tick components in the opposite order; must change nothing */
    bool slow_router; /* use the router with all options even where the plain one would do */
    const int
        *stop; /* STATUS_STOPPED soon after another thread made it other than 0; may be NULL */
};

struct lab;

struct lab *lab_new(const struct config *cfg, double rate, struct lab_options opt, struct err *e);
void lab_free(struct lab *l);

/* Runs to the given cycle; false with *e set when a check failed, a deadlock was found or the
 * cycle budget is used up. */
bool lab_run(struct lab *l, hd_cycle until, struct err *e);
hd_cycle lab_now(const struct lab *l);
/* The highest load, up to 1 flit per source and cycle, that the traffic can offer. */
double lab_max_rate(const struct config *cfg);
/* No new packets; runs until the networks are empty (at most `limit` cycles) and audits. */
bool lab_drain(struct lab *l, uint64_t limit, struct err *e);

/* Packets born in [from, to) are measured; a new `from` forgets what was measured before. */
void lab_measure(struct lab *l, hd_cycle from, hd_cycle to);
/* Whether every packet born in the closed window has arrived. */
bool lab_is_complete(const struct lab *l);

/* Sums over the networks, since the beginning. */
struct lab_totals {
    uint64_t packets_out, flits_in, flits_out, flit_hops, digest;
    uint64_t latency_n, latency_sum; /* measured packets */
    uint64_t hops_n, hops_sum, queueing_n, queueing_sum;
};
struct lab_totals lab_totals(const struct lab *l);
uint32_t lab_nsources(const struct lab *l); /* sources of traffic: cores in a closed loop */
uint32_t lab_source(const struct lab *l, uint32_t i); /* node of a source */
uint64_t lab_flits_from(const struct lab *l, uint32_t node);
void lab_latency(const struct lab *l, struct stat_hist *merged);
const struct stat_hist *lab_round_trip(const struct lab *l); /* NULL for open loop */
void lab_add_stats(const struct lab *l, struct stats *tree);
const struct config *lab_config_of(const struct lab *l);
const struct fabric *lab_fabric(const struct lab *l);
const struct noc *lab_network(const struct lab *l, int i);

#endif
