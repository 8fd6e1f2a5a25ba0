/* cluster_priv.h - the inside of a cluster.  Private to src/cluster.
 *
 *   cluster.c      the SMs' turns, the way out and back, checks, building
 *   cluster_icc.c  the same with a merge table and a coalesced cache (icc.h) in between
 *   locality.c     an observer of what the SMs ask for */
#ifndef HEDDLE_CLUSTER_CLUSTER_PRIV_H
#define HEDDLE_CLUSTER_CLUSTER_PRIV_H

#include "cluster/cluster.h"
#include "mem/program.h"
#include "stream/stream.h"

#define CLUSTER_STATS(S, id)                                                                       \
    S(id, COUNTER, reads, "request", "reads sent")                                                 \
    S(id, COUNTER, writes, "request", "writes sent")                                               \
    S(id, COUNTER, atomics, "request", "atomics sent whose old value comes back")                  \
    S(id, COUNTER, reductions, "request", "atomics sent without a result")                         \
    S(id, COUNTER, read_answers, "answer", "reads answered")                                       \
    S(id, COUNTER, write_answers, "answer", "writes acknowledged")                                 \
    S(id, COUNTER, atomic_answers, "answer", "atomics answered")                                   \
    S(id, COUNTER, reduction_answers, "answer", "reductions acknowledged")                         \
    S(id, COUNTER, request_bytes, "byte", "sent, headers included")                                \
    S(id, COUNTER, answer_bytes, "byte", "received, headers included")                             \
    S(id, COUNTER, request_flits, "flit", "sent")                                                  \
    S(id, COUNTER, answer_flits, "flit", "received")                                               \
    S(id, COUNTER, conflicts, "cycle", "in which a request left while other SMs had one, too")     \
    S(id, COUNTER, request_blocked, "cycle", "in which a request waited for the network's port")   \
    S(id, COUNTER, answer_blocked, "cycle", "in which an answer waited for room at its SM")
STATS_STRUCT(cluster, CLUSTER_STATS)

/* Of each program. */
#define CLUSTER_PROGRAM_STATS(S, id)                                                               \
    S(id, COUNTER, request_flits, "flit", "of this program sent")                                  \
    S(id, COUNTER, answer_flits, "flit", "of this program received")
STATS_STRUCT(cluster_program, CLUSTER_PROGRAM_STATS)

struct sm_ports {
    struct port out, in; /* as the SM sees them */
};

/* The first read that was answered with data older than this cluster knew of. */
struct stale {
    uint64_t count, line;
    hd_cycle when;
    uint32_t sm, version, floor;
};

enum bus_source { BUS_NONE, BUS_NETWORK, BUS_HITS };

/* The response bus of a cluster with ICC: one answer per cycle, from the network and from CC in
 * turn. */
struct bus {
    uint8_t grant, last; /* enum bus_source; grant: whose answer waits for room at its SM */
    bool broadcasts;
    hd_cycle used; /* when last, or HD_NEVER */
    uint32_t *hit; /* ring of requests that hit in CC */
    uint32_t hits_mask, hits_head, nhits, most_hits;
    uint32_t *rest; /* requests of the answer that holds the bus, one SM after another */
    uint32_t rest_at, nrest;
};

struct cluster {
    struct component c;
    struct port *inject, *eject;
    struct sm_ports *sm;
    uint64_t *pending, *wants; /* SMs: whose port may hold something; who has something now */
    uint32_t words, turn;      /* turn: the SM that is first to be asked */
    uint32_t serial;
    hd_cycle request_since, answer_since; /* when what is blocked now began to be, or HD_NEVER */
    struct locality *locality;            /* NULL: not asked for */
    struct versions *acknowledged;        /* NULL: no checks */
    struct cluster_options opt;
    struct stale stale;
    struct cluster_stats stats;
    struct cluster_program_stats *of; /* [MAX_PROGRAMS]; NULL: programs are not counted apart */
    struct icc *icc;                  /* NULL: none, and no bus */
    struct bus bus;
};

static inline void cluster_enter(hd_cycle *since, hd_cycle now)
{
    if (*since == HD_NEVER)
        *since = now;
}

static inline void cluster_leave(hd_cycle *since, hd_cycle now, uint64_t *sum)
{
    if (*since != HD_NEVER)
        *sum += now - *since;
    *since = HD_NEVER;
}

static inline void cluster_observe(struct cluster *c, hd_cycle now, const struct request *r)
{
    if (c->locality)
        locality_add(c->locality, r, now);
}

/* What a read must not be older than; 0 without checks. */
uint64_t cluster_floor(const struct cluster *c, const struct request *r);
/* The port to the SM that asked. */
struct port *cluster_port_to(const struct cluster *c, const struct request *r);
/* Answer `id` has come from the network: counted, not handed on. */
void cluster_count_answer(struct cluster *c, uint32_t id);
/* Hands an answer to its SM, which has room. */
void cluster_hand_on(struct cluster *c, hd_cycle now, uint32_t id);
/* How many SMs have a request now; *soonest is when the first of the others will have one. */
uint32_t cluster_find_wanting(struct cluster *c, hd_cycle now, hd_cycle *soonest);
/* Whose turn it is among those; there must be one. */
uint32_t cluster_choose(const struct cluster *c);
/* Request `id` goes to the network, which has room. */
void cluster_send(struct cluster *c, hd_cycle now, uint32_t id);
/* SM i, one of n that wanted to, was served; returns when there may be another request. */
hd_cycle cluster_served(struct cluster *c, hd_cycle now, uint32_t i, uint32_t n, hd_cycle soonest);

/* cluster_icc.c */
void cluster_icc_init(struct cluster *c, struct arena *a);
hd_cycle cluster_icc_tick(struct component *base, hd_cycle now);
uint64_t cluster_icc_live(const struct cluster *c); /* beside what ports hold */
void cluster_icc_waits(const struct component *base, struct waitgraph *g);

#endif
