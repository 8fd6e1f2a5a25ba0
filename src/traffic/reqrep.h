/* reqrep.h - closed-loop request-reply traffic with finite endpoints.
 *
 * A core has at most `outstanding` transactions under way; while it is at its limit, or while its
 * port is full, its clock stands still, so at most one transaction waits at the core.  A read is a
 * short request and a long reply, a write the other way round.  A memory node holds `slots`
 * requests, takes one per cycle, and answers each `service` cycles later; when its replies cannot
 * leave, it stops taking requests and the request network backs up.  With mc_share < 1 the rest of
 * the requests goes to other cores, which answer like memory nodes.
 *
 * The two directions are two networks, or two message classes of one. */
#ifndef HEDDLE_TRAFFIC_REQREP_H
#define HEDDLE_TRAFFIC_REQREP_H

#include "noc/net.h"
#include "noc/topology.h"
#include "traffic/arrival.h"

#define REQREP_ROWS(F, id)                                                                         \
    F(id, INT, outstanding, "64", 1, 65535, "", "transactions a core may have under way")          \
    F(id, REAL, read_share, "0.7", 0, 1, "", "part of the transactions that are reads")            \
    F(id, REAL, mc_share, "1", 0, 1, "", "part of the requests that go to memory nodes")           \
    F(id, INT, short_flits, "1", 1, 4096, "flit", "read request and write acknowledgement")        \
    F(id, INT, long_flits, "5", 1, 4096, "flit", "read reply and write request")                   \
    F(id, INT, service, "20", 1, 100000, "cycle", "time from taking a request to its reply")       \
    F(id, INT, slots, "32", 1, 4096, "", "requests a memory node holds")
CFG_STRUCT(reqrep, REQREP_ROWS)
extern const struct cfg_section reqrep_section;

#define REQREP_STATS(S, id)                                                                        \
    S(id, COUNTER, issued, "transaction", "transactions begun")                                    \
    S(id, COUNTER, finished, "transaction", "transactions answered")                               \
    S(id, COUNTER, reads, "transaction", "reads among those begun")                                \
    S(id, HIST, round_trip, "cycle", "birth of the request to last flit of the reply, measured")
STATS_STRUCT(reqrep, REQREP_STATS)

struct reqrep;

struct reqrep_options {
    struct noc *request, *reply; /* may be the same network */
    uint32_t request_class, reply_class;
    struct packet_pool *pool;
    const struct reqrep_spec *spec;
    const struct topology_nodes *nodes;
    const struct arrival_model *arrivals;
    uint64_t seed;
};

struct reqrep *reqrep_new(struct arena *a, const struct reqrep_options *opt);
struct component *reqrep_component(struct reqrep *r);
void reqrep_stop(struct reqrep *r, hd_cycle at); /* no transaction is born from then on */
void reqrep_measure(struct reqrep *r, hd_cycle from, hd_cycle to);
const struct reqrep_stats *reqrep_stats(const struct reqrep *r);
void reqrep_add_stats(const struct reqrep *r, struct stats *tree);
/* Packets that can be alive outside the networks. */
uint64_t reqrep_packet_bound(const struct reqrep_spec *s, const struct topology_nodes *n);

#endif
