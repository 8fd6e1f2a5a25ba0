/* net.h - one physical network as a component: terminals outside, routers inside.
 *
 * A node sends by pushing packet handles into its injection port (one per node and message
 * class) and receives from its ejection port, if it has one; without one the network itself is
 * the sink.  Latency is counted from packet.born to the arrival of the last flit. */
#ifndef HEDDLE_NOC_NET_H
#define HEDDLE_NOC_NET_H

#include "noc/extension.h"
#include "noc/graph.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/packet.h"
#include "sim/port.h"
#include "sim/stats.h"

#define ROUTER_ROWS(F, id)                                                                         \
    F(id, INT, vcs, "4", 1, 32, "VC", "virtual channels per input port")                           \
    F(id, INT, depth, "8", 1, 4096, "flit", "buffer of one virtual channel")                       \
    F(id, INT, routing_delay, "1", 0, 16, "cycle", "route computation; 0: lookahead routing")      \
    F(id, INT, vc_delay, "1", 1, 16, "cycle", "VC allocation")                                     \
    F(id, INT, sw_delay, "1", 1, 16, "cycle", "switch allocation")                                 \
    F(id, INT, alloc_extra, "0", 0, 16, "cycle",                                                   \
      "added to both allocators (a slow, large switch)")                                           \
    F(id, BOOL, alloc_holds, "false", 0, 0, "",                                                    \
      "allocators of several cycles keep switch input, output and VC all the while")               \
    F(id, INT, st_delay, "1", 0, 16, "cycle", "switch traversal; 0: in the cycle of the grant")    \
    F(id, INT, credit_delay, "0", 0, 256, "cycle", "processing of a credit that has arrived")      \
    F(id, CHOICE, vc_allocator, "islip", 0, 0, "islip|separable", "VC allocator")                  \
    F(id, CHOICE, sw_allocator, "islip", 0, 0, "islip|separable", "switch allocator")              \
    F(id, INT, iterations, "1", 1, 8, "", "iterations of both allocators")                         \
    F(id, CHOICE, arbiter, "rr", 0, 0, "rr|matrix", "arbiters inside the allocators")              \
    F(id, BOOL, speculative, "false", 0, 0, "", "bid for the switch while bidding for a VC")       \
    F(id, INT, input_speedup, "1", 1, 32, "lane", "switch inputs per input port, VCs interleaved") \
    F(id, REAL, internal_speedup, "1", 1, 8, "", "router steps per network cycle")                 \
    F(id, STR, extension, "none", 0, 0, "", "router extension (heddle list policies)")
CFG_STRUCT(router, ROUTER_ROWS)
extern const struct cfg_section router_section;

#define NOC_STATS(S, id)                                                                           \
    S(id, COUNTER, packets_in, "packet", "packets whose head entered the network")                 \
    S(id, COUNTER, packets_out, "packet", "packets that left it whole")                            \
    S(id, COUNTER, flits_in, "flit", "flits that entered the network")                             \
    S(id, COUNTER, flits_out, "flit", "flits that left it")                                        \
    S(id, COUNTER, digest, "", "order-free hash of who got what when")                             \
    S(id, MEAN, hops, "router", "routers a measured packet traversed")                             \
    S(id, MEAN, queueing, "cycle", "time a measured packet waited at its source")                  \
    S(id, HIST, latency, "cycle", "birth to last flit of the measured packets")                    \
    S(id, SERIES, delivered, "flit", "flits delivered per period")
STATS_STRUCT(noc, NOC_STATS)

struct noc;

struct noc_options {
    const char *path;
    const struct graph *graph;
    const struct router_spec *router;
    struct packet_pool *pool;
    uint32_t classes; /* message classes */
    uint32_t port_depth;
    uint64_t seed;
    bool no_skip;
    bool slow_router;          /* for comparing the two routers */
    uint64_t series_period;    /* 0: no time series */
    const struct config *cfg;  /* parameters of a router extension; NULL: without one */
    struct packet_sense sense; /* for router extensions; of == NULL: packets mean nothing */
};

/* Refuses what cannot work (O1TURN on one VC, ...) by blaming a parameter of cfg. */
bool noc_check(const struct config *cfg, const struct graph *g, uint32_t classes, struct err *e);
struct noc *noc_new(struct arena *a, const struct noc_options *opt);
struct component *noc_component(struct noc *n);

/* The port a node pushes into; its writer is given once, before the first cycle. */
struct port *noc_inject_port(struct noc *n, uint32_t node, uint32_t cls);
void noc_set_writer(struct noc *n, uint32_t node, struct component *writer, uint32_t slot);
/* Gives the ejection channel of `node` bounded FIFOs, one per class, that `reader` pops; nodes
 * that share the channel share them, and the first call counts. */
void noc_attach_reader(struct noc *n, struct arena *a, uint32_t node, uint32_t depth,
                       struct component *reader, uint32_t slot);
struct port *noc_eject_port(struct noc *n, uint32_t node, uint32_t cls);
/* The vertex of a node's injection channel in the wait-for graph. */
uint64_t noc_inject_vertex(const struct noc *n, uint32_t node);

/* Packets born in [from, to) are measured; a new `from` forgets what was measured before. */
void noc_measure(struct noc *n, hd_cycle from, hd_cycle to);

const struct noc_stats *noc_stats(const struct noc *n);
void noc_add_stats(const struct noc *n, struct stats *tree);
uint64_t noc_flits_from(const struct noc *n, uint32_t node); /* delivered, by source */
/* Flits per cycle that output port `out` sent, those on its channel (of all its writers), and those
 * into input port `in` from its nodes, since measuring began. */
double noc_out_load(const struct noc *n, uint32_t out);
double noc_channel_load(const struct noc *n, uint32_t out);
/* Flits per cycle into the channel of a ring that `station` reads, since then. */
double noc_ring_load(const struct noc *n, uint32_t station);
/* What measured packets that took the ring spent, in all, waiting for tokens and on it; slots with
 * data over slots, since then.  False: there is no ring. */
struct noc_ring_times {
    uint64_t packets, token_wait, ring;
    uint64_t flight; /* of the latter, what an empty ring takes, with the port of the station */
    double used;
};
bool noc_ring_times(const struct noc *n, struct noc_ring_times *t);
double noc_in_load(const struct noc *n, uint32_t in);
uint64_t noc_flit_hops(const struct noc *n); /* over all output ports of routers */
/* Flits fewer (or, below 0, more) than were injected, for a router extension merged packets. */
int64_t noc_merged_flits(const struct noc *n);
/* Upper bound of packets alive in the network and its ports, for sizing the pool. */
uint64_t noc_packet_bound(const struct config *cfg, const struct graph *g, uint32_t classes,
                          uint32_t port_depth);
/* Zero-load latency of a packet over h routers: what the configured delays add up to, and the time
 * in which the right to write a shared channel comes from elsewhere. */
uint64_t noc_zero_load(const struct graph *g, const struct router_spec *r, uint32_t src,
                       uint32_t dst, uint32_t flits);
/* The mean of it over packets of which mean hops and mean flits are known, where all links between
 * routers are alike, and all links of nodes. */
double noc_zero_load_mean(const struct graph *g, const struct router_spec *r, double hops,
                          double flits);

#endif
