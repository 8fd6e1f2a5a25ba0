/* lab.h - a network under synthetic traffic: built from a configuration, run, measured, freed.
 *
 * A lab is a value: several can live in one process, each in its own thread. */
#ifndef HEDDLE_LAB_LAB_H
#define HEDDLE_LAB_LAB_H

#include "noc/net.h"
#include "noc/topology.h"
#include "sim/config.h"

#define NOC_ROWS(F, id)                                                                            \
    F(id, STR, topology, "mesh", 0, 0, "", "topology (heddle list topologies)")                    \
    F(id, CHOICE, networks, "one", 0, 0, "one|two",                                                \
      "one network for everything, or separate request and reply networks")                        \
    F(id, INT, classes, "0", 0, 8, "",                                                             \
      "message classes (virtual networks); 0: as many as the traffic needs")                       \
    F(id, INT, width, "32", 1, 4096, "byte", "channel width, the size of a flit")                  \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e11, "Hz", "network clock")                                 \
    F(id, INT, port_depth, "4", 2, 1024, "packet", "injection port of a node")
CFG_STRUCT(noc, NOC_ROWS)
extern const struct cfg_section noc_section;

#define MEASURE_ROWS(F, id)                                                                        \
    F(id, INT, seed, "1", 0, 9e15, "", "seed of all random draws")                                 \
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
    F(id, INT, watchdog, "20000", 0, 1e12, "cycle",                                                \
      "how often to look for a deadlock; 0: only "                                                 \
      "when nothing moves any more")                                                               \
    F(id, INT, series, "0", 0, 1e9, "cycle", "period of the time series; 0: none")
CFG_STRUCT(measure, MEASURE_ROWS)
extern const struct cfg_section measure_section;

/* The sections of networks and traffic, into `all`; returns how many. */
int lab_sections(const struct cfg_section **all, int room);
/* A configuration with every section that `heddle noc` knows, at its defaults. */
struct config *lab_config(struct arena *a);

struct lab_options {
    bool no_skip;
    bool check;
    bool reversed;    /* tick components in the opposite order; must change nothing */
    bool slow_router; /* use the router with all options even where the plain one would do */
};

struct lab;

/* The graphs of a configuration, without a simulation: for printing and drawing. */
struct lab_graphs {
    const struct topology *topology;
    struct topology_nodes nodes;
    int n;
    struct graph *graph[2];
    const char *name[2];
};
bool lab_graphs(const struct config *cfg, struct arena *a, struct lab_graphs *g, struct err *e);

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
const struct lab_graphs *lab_graphs_of(const struct lab *l);
const struct noc *lab_network(const struct lab *l, int i);

#endif
