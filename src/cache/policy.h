/* policy.h - the plug-point for cache policies: which line gives way, what is kept, what passes by.
 *
 * L1 data, constant and texture caches, the coalesced cache of a cluster and L2 slices each follow
 * one, with a state of its own per cache.  A policy sees every line, the set that it is in, and who
 * asks for it; and whether it is a use of a line that is there or on its way (`used`), the gift of a
 * line to an address (`filled`), or the answer to a miss (`came`).  It decides:
 *
 *   passes   the request takes no line and no MSHR: it goes down by itself and its answer fills
 *            nothing.  Asked when a line is neither there nor on its way; atomics are never asked
 *            about, as they are performed in the cache.
 *   keeps    false: no line is given for this.  What is fetched goes to those who wait, a write goes
 *            down.  Asked when a line would be given, before a victim is chosen: on a miss, or,
 *            where lines are given to data that has come, then.
 *   victim   the way of the set that gives way.  Asked when no way is invalid; RESERVED lines (on
 *            their way) may not be chosen (cache_may_leave), and one that may is there.
 *   is_shared   what the answer that an L2 slice is making of this line says (ask.is_shared of
 *            those on its way).
 *
 * A request that has to wait for something else is tried again later, any number of times, so these
 * leave the state as it is (it is const).  What changes it is told once, when it is done: a draw of
 * random numbers, or the ageing of a set, belongs into `filled`.
 *
 * Lines are numbered set * ways + way; per-line and per-set state is allocated by `init`.  All
 * functions may be NULL: without `victim` the least recently used line gives way, without `keeps`
 * all is kept, without `passes` nothing passes.
 *
 * To add one: a file with a struct cache_policy, a line in policies.def. */
#ifndef HEDDLE_CACHE_POLICY_H
#define HEDDLE_CACHE_POLICY_H

#include "base/arena.h"
#include "cache/tags.h"
#include "mem/program.h"
#include "mem/request.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/stats.h"
#include "stream/stream.h"

struct cache_shape {
    uint32_t sets, ways;
    uint32_t sms;      /* who asks has a number below this */
    uint64_t instance; /* another one for every cache of a machine: a stream of random numbers */
    const struct tags *tags; /* its lines, to look at: states, addresses, order of use */
};

/* Who asks for what. */
struct cache_ask {
    uint64_t line; /* its address */
    hd_cycle now;  /* of the clock of the cache */
    uint32_t set;
    uint32_t cta;    /* linear id in its grid */
    uint32_t waited; /* `came`: accesses that wait no longer */
    uint16_t sm, kernel;
    uint8_t program;
    uint8_t space;  /* enum stream_space */
    uint8_t kind;   /* enum request_kind */
    bool is_shared; /* where an answer has come: it says so */
};

/* The lines of a set, all RESERVED or VALID. */
struct cache_set {
    uint32_t first, ways;         /* first: number of the line of way 0 */
    const struct tags_line *line; /* [ways] */
};

static inline bool cache_may_leave(const struct cache_set *s, uint32_t way)
{
    return s->line[way].state != TAG_RESERVED;
}

struct cache_policy {
    const char *name, *help;
    const struct cfg_section *section; /* NULL: it has no parameters */
    /* Blames parameters that make no sense together. */
    bool (*check)(const struct config *cfg, struct err *e);
    /* The state of one cache. */
    void *(*init)(struct arena *a, const struct cache_shape *shape, const struct config *cfg);
    bool (*passes)(const void *state, const struct cache_ask *ask);
    bool (*keeps)(const void *state, const struct cache_ask *ask);
    uint32_t (*victim)(const void *state, const struct cache_ask *ask, const struct cache_set *set);
    bool (*is_shared)(const void *state, uint32_t line);
    void (*used)(void *state, const struct cache_ask *ask, uint32_t line);
    /* What was there leaves.  The tags are still as they were when the victim was chosen. */
    void (*filled)(void *state, const struct cache_ask *ask, uint32_t line);
    /* Of caches whose misses are answered by others: data has come, into this line, or TAGS_NONE. */
    void (*came)(void *state, const struct cache_ask *ask, uint32_t line);
    void (*refused)(void *state, const struct cache_ask *ask); /* `keeps` said no, and so it was */
    void (*dropped)(void *state, uint32_t line);               /* it is invalid from now on */
    /* Of an L2, which keeps its lines: a kernel of the program begins.  Settled just before. */
    void (*launched)(void *state, uint32_t program);
    /* Sums over time are to be right up to the start of `now`. */
    void (*settle)(void *state, hd_cycle now);
    /* Joins statistics of its own, below those of the cache: "l1", "l2", ... */
    void (*add_stats)(const void *state, const char *cache, const char *instance,
                      struct stats *tree);
    bool (*audit)(const void *state, struct err *e); /* what must always hold */
    /* What each line of such a cache stores beside those of an LRU cache; who asks has a number below
     * `sms`. */
    uint32_t (*line_bits)(const struct config *cfg, uint32_t sms);
};

extern const struct cache_policy *const cache_policy_all[];
extern const int cache_policy_count;
const struct cache_policy *cache_policy_find(const char *name);

/* The sections of all policies that have one; returns how many. */
int cache_policy_sections(const struct cfg_section **all, int room);
/* Blames `replacement` of the section of a cache when there is no such policy, or what the policy
 * itself blames. */
bool cache_policy_check(const struct config *cfg, const struct cfg_section *cache,
                        const char *replacement, struct err *e);

/* Whether it may refuse to keep a line, or to take a request at all. */
static inline bool cache_policy_refuses(const struct cache_policy *p)
{
    return p && (p->passes || p->keeps);
}

static inline struct cache_ask cache_ask_of(const struct request *r, uint64_t line, uint32_t set,
                                            hd_cycle now)
{
    return (struct cache_ask){.line = line,
                              .now = now,
                              .set = set,
                              .cta = r->cta,
                              .sm = r->sm,
                              .kernel = r->kernel,
                              .program = (uint8_t)program_of(r->line),
                              .space = r->space,
                              .kind = r->kind,
                              .is_shared = r->flags & REQUEST_SHARED};
}

#endif
