/* icc.h - intra-cluster coalescing: the merge table and the coalesced cache (CC) of a cluster.
 *
 *                    +-> CC: recently coalesced lines --hit--> response bus
 *   request of an SM +-> merge table: lines on their way --merge--> waits for the answer
 *                    +-> network, with an entry (tracked) or without
 *
 * The structure alone, without time: cluster_icc.c puts it between SMs and network.  A request is
 * first looked up, which changes nothing, and then taken with what was found.
 *
 * Nobody may read something older than a write of this cluster that was acknowledged before he
 * asked.  So a write closes the entry of its line and takes the line out of CC, when it leaves and
 * again when its acknowledgement comes back: into a closed entry nobody merges, and it does not
 * fill CC.  docs/model/icc.md has the argument. */
#ifndef HEDDLE_CLUSTER_ICC_H
#define HEDDLE_CLUSTER_ICC_H

#include "cache/follow.h"
#include "cache/mshr.h"
#include "mem/program.h"
#include "mem/request.h"
#include "sim/config.h"
#include "sim/stats.h"

#define ICC_ROWS(F, id)                                                                            \
    F(id, BOOL, enabled, "false", 0, 0, "", "L1 misses of a cluster's SMs are merged")             \
    F(id, INT, entries, "48", 0, 4096, "entry", "of the merge table; 0: none")                     \
    F(id, INT, cc_lines, "0", 0, 4096, "line", "of the coalesced cache; 0: none")                  \
    F(id, STR, replacement, "lru", 0, 0, "", "of the coalesced cache (heddle list policies)")      \
    F(id, INT, latency, "1", 0, 1000, "cycle", "added to the way from an SM to its cluster")       \
    F(id, BOOL, broadcast, "true", 0, 0, "", "one bus cycle answers all SMs; false: one each")     \
    F(id, INT, hit_queue, "8", 1, 4096, "request", "hits in CC that wait for the response bus")
CFG_STRUCT(icc, ICC_ROWS)
extern const struct cfg_section icc_section;

/* What becomes of a request.  Those from ICC_BYPASS on are not looked up. */
enum icc_verdict {
    ICC_HIT,     /* CC has it */
    ICC_MERGE,   /* it waits for the answer of another */
    ICC_TRACK,   /* it gets an entry and is sent */
    ICC_FULL,    /* sent without an entry: there is none free, */
    ICC_STALE,   /* ... its line's entry is closed, */
    ICC_PARTIAL, /* ... or asks for other sectors, or for this SM already, */
    ICC_REFUSED, /* ... or the policy of CC lets it pass */
    ICC_BYPASS,  /* loads by the L1 */
    ICC_SPACE,   /* reads that are not of global memory */
    ICC_WRITE,
    ICC_ATOMIC, /* reductions, too */
    ICC_VERDICTS,
};

#define ICC_STATS(S, id)                                                                           \
    S(id, COUNTER, lookups, "request", "L1 misses of global reads that were looked up")            \
    S(id, COUNTER, cc_hits, "request", "answered by the coalesced cache")                          \
    S(id, COUNTER, merges, "request", "that waited for the answer of another SM's")                \
    S(id, COUNTER, allocations, "request", "sent, with an entry of the merge table")               \
    S(id, COUNTER, pass_full, "request", "sent without an entry: the table was full")              \
    S(id, COUNTER, pass_stale, "request", "... their line was written since its entry was made")   \
    S(id, COUNTER, pass_partial, "request", "... their line's entry could not answer them")        \
    S(id, COUNTER, pass_bypass, "request", "not looked up: global loads by the L1")                \
    S(id, COUNTER, pass_space, "request", "... reads of other spaces")                             \
    S(id, COUNTER, pass_write, "request", "... writes")                                            \
    S(id, COUNTER, pass_atomic, "request", "... atomics and reductions")                           \
    S(id, COUNTER, broadcasts, "answer", "that were for more than one SM")                         \
    S(id, MEAN, requesters, "SM", "that an answer with an entry was for")                          \
    S(id, COUNTER, cc_fills, "line", "brought into the coalesced cache")                           \
    S(id, COUNTER, cc_evictions, "line", "that had to go for another")                             \
    S(id, COUNTER, cc_invalidations, "line", "dropped since the cluster wrote them")               \
    S(id, COUNTER, cc_flushed, "line", "dropped between kernels")                                  \
    S(id, COUNTER, no_fill, "answer", "for more than one SM, not kept: the line was written")
STATS_STRUCT(icc, ICC_STATS)

/* Joins "icc" where the policy of CC may refuse to keep a line. */
#define ICC_REFUSED_STATS(S, id)                                                                   \
    S(id, COUNTER, pass_policy, "request", "sent without an entry: by the policy of CC")           \
    S(id, COUNTER, cc_unkept, "answer", "for more than one SM, not kept: by the policy of CC")
STATS_STRUCT(icc_refused, ICC_REFUSED_STATS)

struct icc {
    bool has_table, has_cc;
    uint32_t waiting;  /* merged requests that have no answer yet */
    struct mshr table; /* a waiter is icc_waiter(); the first is the one that was sent */
    bool *is_closed;   /* [entry] */
    struct tags cc;    /* one set */
    struct icc_stats stats;
    struct icc_refused_stats refused;
};

struct icc_look {
    enum icc_verdict verdict;
    uint32_t at; /* entry of the table, or line of CC */
};

/* Blames settings that make no sense together. */
bool icc_check(const struct config *cfg, struct err *e);
struct icc_options {
    const struct icc_spec *spec;
    uint32_t nsms;
    uint32_t first_sm;        /* over all clusters */
    const char *path;         /* of the cluster */
    const struct config *cfg; /* parameters of the policy of CC */
};
struct icc *icc_new(struct arena *a, const struct icc_options *opt);

/* Changes nothing.  Here and below `now` is for the policy of CC. */
struct icc_look icc_look(const struct icc *c, const struct request *r, hd_cycle now);
/* Does what icc_look found just now.  A hit gets the version of its line, which several SMs use;
 * what is tracked gets its flag. */
void icc_take(struct icc *c, const struct icc_look *look, struct request *r, uint32_t id,
              hd_cycle now);

static inline uint64_t icc_waiter(const struct request *r, uint32_t id)
{
    return (uint64_t)r->sm << 32 | id;
}

static inline uint32_t icc_waiter_id(uint64_t waiter)
{
    return (uint32_t)waiter;
}

/* The entry of an answer that is tracked. */
uint32_t icc_entry(const struct icc *c, uint64_t line);
/* The answer of the entry has come, that of request r: CC is filled if it is worth it, the entry is
 * free.  Its waiters are no longer the table's. */
void icc_answer(struct icc *c, uint32_t entry, const struct request *r, hd_cycle now);
/* A write or atomic of the cluster leaves, or is acknowledged. */
void icc_written(struct icc *c, uint64_t line);
/* Between kernels of a program: CC has none of its lines, what is on its way is for those who wait
 * and nobody else. */
void icc_invalidate(struct icc *c, uint32_t program);

bool icc_audit(const struct icc *c, const struct request *pool, const char *path, struct err *e);
void icc_add_stats(const struct icc *c, const char *instance, struct stats *tree);

#endif
