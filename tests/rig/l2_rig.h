/* l2_rig.h - one L2 slice between a network that is two ports and a memory of known latency.
 * An oracle looks on: r->oracle.unfounded counts answers with words from nowhere.
 *
 *     struct l2_rig *r = l2_rig_new("l2.size=1K l2.ways=2", &(struct l2_rig_options){0});
 *     uint32_t a = l2_rig_send(r, REQUEST_READ, 0x1000, 1, 0);
 *     CHECK(l2_rig_finish(r));
 *     CHECK_EQ(r->sent[a].answered, ...);
 *     l2_rig_free(r);
 *
 * Requests are pushed in order, one per cycle, each not before its time. */
#ifndef HEDDLE_TESTS_RIG_L2_RIG_H
#define HEDDLE_TESTS_RIG_L2_RIG_H

#include "l2/slice_priv.h"
#include "rig/l2_oracle.h"
#include "sim/engine.h"

enum { L2_RIG_REQUESTS = 1 << 14, L2_RIG_CORES = 5 };

struct l2_rig_options {
    uint32_t memory_latency; /* from the pop of a transfer to the push of its answer; 0: 20 */
    uint32_t return_latency; /* of the port from memory; 0: 1 */
    uint32_t memory_jitter;  /* as much as this later, depending on the line */
    uint32_t memory_every;   /* takes one transfer in so many cycles; 0: 1 */
    uint32_t reply_every;    /* the reply network takes one in so many cycles; 0: 1 */
    uint32_t port_depth;     /* of all ports but the miss queue; 0: 4 */
    uint64_t slice_period, network_period; /* 0: 1 */
    uint64_t sm_period;                    /* 0: that of the slice */
    bool no_skip, reversed, check;
    uint32_t mode, kinds, spaces; /* as in cache_model.h: l2.replacement=pass if not 0 */
    uint64_t audit;
    const struct addrmap *map;
};

struct l2_rig_request {
    hd_cycle at;       /* not before */
    hd_cycle asked;    /* pushed, in cycles of the network */
    hd_cycle answered; /* seen by the network, in its cycles; HD_NEVER: not yet */
    uint64_t expected; /* --check: newest version acknowledged when it was pushed */
};

struct l2_rig_transfer {
    struct transfer t;
    uint32_t index; /* in the slice's table */
    hd_cycle seen;  /* by the memory, in its cycles */
    hd_cycle returned;
};

struct l2_rig_network {
    struct component c;
    struct l2_rig *rig;
};

struct l2_rig_pending {
    hd_cycle ready;
    uint32_t index; /* of the transfer */
    uint32_t log;
};

struct l2_rig_memory {
    struct component c;
    struct l2_rig *rig;
    struct l2_rig_pending *pending;
    uint32_t n;
    struct versions *versions;
};

struct l2_rig {
    struct arena *arena;
    struct engine *engine;
    struct config *cfg;
    struct slice *slice;
    struct l2_rig_options opt;
    struct request_pool pool;
    struct port in, out, to, from;
    struct l2_rig_network network;
    struct l2_rig_memory memory;
    struct l2_rig_request *sent; /* [nsent]; the number is that of the request in the pool */
    uint32_t nsent, npushed, nanswered;
    uint32_t *answers;            /* [nanswered]: in order of arrival */
    struct l2_rig_transfer *seen; /* [nseen]: by the memory, in order of arrival */
    uint32_t nseen;
    uint32_t *fetched; /* [nfetched]: into `seen`, fetches in the order in which they went back */
    uint32_t nfetched;
    struct component_ops watched; /* the slice's, with the oracle behind every tick */
    const struct component_ops *unwatched;
    struct l2_oracle oracle;
    struct versions *acknowledged;
    uint32_t stale; /* answers older than what was acknowledged before they were asked for */
    struct err err;
};

/* Settings as on the command line, separated by blanks; they must be right. */
struct l2_rig *l2_rig_new(const char *settings, const struct l2_rig_options *opt);
void l2_rig_free(struct l2_rig *r);

/* A request as caches and SMs make them.  The words lie in the sectors; a read carries its sectors,
 * whatever the words, everything else carries its words. */
struct l2_rig_ask {
    enum request_kind kind;
    uint64_t line;
    uint32_t words;
    uint8_t sectors; /* 0: those of the words */
    uint8_t space;   /* enum stream_space */
    uint8_t flags;
};
uint32_t l2_rig_ask(struct l2_rig *r, const struct l2_rig_ask *ask, hd_cycle at);
/* The same for the sectors of the words, in global memory. */
uint32_t l2_rig_send(struct l2_rig *r, enum request_kind kind, uint64_t line, uint32_t words,
                     hd_cycle at);
/* Any request that can be asked for of the first `lines` lines: reads of whole lines, of some
 * sectors and of one, for one word or for many; writes, atomics and reductions of any words. */
struct l2_rig_ask l2_rig_random(uint64_t seed, uint64_t n, uint32_t lines);
/* On to the start of this tick; false with r->err when something is stuck or broken. */
bool l2_rig_run(struct l2_rig *r, uint64_t until);
/* Until nothing is left, then settled and audited. */
bool l2_rig_finish(struct l2_rig *r);
const struct l2_stats *l2_rig_stats(const struct l2_rig *r);
/* A hash of who was answered when, with what and how long which part took, and of the statistics;
 * after l2_rig_finish. */
uint64_t l2_rig_digest(const struct l2_rig *r);

#endif
