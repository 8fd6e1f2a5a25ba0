/* lsu_priv.h - the inside of a load/store unit.  Private to src/l1.
 *
 *   lsu.c          issue, queue, the head's turn, completion of loads
 *   lsu_cache.c    lookups, MSHRs, fills, local write-back
 *   lsu_request.c  requests out, answers in
 *   lsu_watch.c    what an observer is told */
#ifndef HEDDLE_L1_LSU_PRIV_H
#define HEDDLE_L1_LSU_PRIV_H

#include "cache/follow.h"
#include "cache/mshr.h"
#include "l1/coalesce.h"
#include "l1/lsu.h"
#include "l1/lsu_stats.h"

enum lsu_stall { /* why the head stays */
                 STALL_NONE,
                 STALL_MSHR,
                 STALL_MERGE,
                 STALL_WAY,
                 STALL_REQUEST,
                 STALL_PORT,
};

enum lsu_action { /* what is done with each access of an address set */
                  ACTION_NOTHING,
                  ACTION_SHARED,
                  ACTION_LOAD, /* through a cache */
                  ACTION_PASS, /* a load by the L1 */
                  ACTION_STORE,
                  ACTION_LOCAL_STORE,
                  ACTION_ATOMIC,
                  ACTION_REDUCE,
};

enum lsu_cache_id { CACHE_L1, CACHE_CONST, CACHE_TEX, CACHES };
enum { LOADS_GLOBAL, LOADS_LOCAL, LOADS_CONST, LOADS_TEX, LOADS, LOADS_SHARED = LOADS };

enum { LSU_ACCESSES = STREAM_MAX_SETS * COALESCE_LOCAL };
#define LSU_NONE UINT16_MAX

/* No part of an SM's cycle, which is one function (sm/issue.c): what is done for observers, policies and some
 * machines only, since it would be slower for all of them; and what is long, since the host decodes the cycle of each
 * SM anew, and has room for some 32 KB of it. */
#define LSU_APART __attribute__((noinline))

struct lsu_set {
    uint8_t action, space, cache, loads; /* enums of the above; space: enum stream_space */
    uint32_t accesses;                   /* ACTION_SHARED: cycles */
};

/* What to do by space and by the flags of an instruction: INSN_LOAD, INSN_STORE, INSN_ATOMIC and
 * INSN_BYPASS_L1 are neighbouring bits. */
enum { PLAN_SHIFT = 4, PLANS = 16 };
_Static_assert(INSN_LOAD == 1 << PLAN_SHIFT && INSN_STORE == 2 << PLAN_SHIFT &&
                   INSN_ATOMIC == 4 << PLAN_SHIFT && INSN_BYPASS_L1 == 8 << PLAN_SHIFT,
               "flags in the order of plans");

struct lsu_owner { /* of a warp, and of what it has issued, which may be here when it has ended */
    uint32_t cta;
    uint16_t kernel;
    uint8_t program;
};

struct lsu_insn {  /* in the queue; its accesses are at the same place in lsu.access */
    uint16_t load; /* in the table of pending loads, or LSU_NONE */
    uint8_t warp, size, set, nsets;
    uint16_t next; /* access, over all sets */
    uint32_t left; /* of the current set */
    struct lsu_owner owner;
    struct lsu_set sets[STREAM_MAX_SETS];
};

struct lsu_load {            /* a pending load, or atomic with a result */
    hd_cycle issued, usable; /* usable: of what is there so far */
    uint32_t insn;
    uint16_t left; /* accesses that are not there; next free one in the free list */
    uint8_t warp, loads;
};

struct lsu_home {   /* of a resident warp */
    uint64_t local; /* address of word 0 of its local memory */
    uint64_t base;  /* of its program's memory */
    struct lsu_owner owner;
    uint32_t outstanding; /* instructions, and stores that are not acknowledged */
};

struct lsu_cache {
    struct tags tags;
    struct mshr mshr; /* by address of the cache's line; a waiter is words << 16 | load */
    bool *is_stale;   /* [MSHR]: memory has changed since it was asked, the answer is not kept */
    uint8_t *writer;  /* [line of the tags]: the warp that wrote it last, of one that is dirty; of
                         the L1 only, as no other is written */
    uint32_t line_bytes, latency;
    bool is_sectored, fill_allocates;
    uint8_t index; /* enum lsu_cache_id */
    hd_cycle settled;
    struct cache_stats stats;
};

/* An observer, and what it has seen of the counters of loads; who counts sectors. */
struct lsu_watch {
    struct sharing_sm *sharing; /* NULL: none */
    uint64_t hits[LOADS], misses[LOADS], merges[LOADS];
    bool counts_sectors;
    struct lsu_sector_stats sectors;
};

struct lsu {
    struct port *in, *out;
    struct completions *completions;
    hd_cycle next_at; /* the head is not looked at before */
    hd_cycle first;   /* when the current access was first looked at; HD_NEVER: not yet */
    hd_cycle stalled; /* since when, or settled up to when */
    uint32_t head, count, depth;
    uint8_t stall;                    /* enum lsu_stall */
    bool enabled, updates, allocates; /* allocates: global stores that miss */
    uint16_t free_load;
    uint32_t live_loads, share; /* share: requests that it may have */
    uint32_t fill_latency, shared_latency, banks;
    struct lsu_insn *queue;   /* ring of `depth` */
    struct coalesced *access; /* [depth][LSU_ACCESSES] */
    struct lsu_load *load;
    uint64_t awaited; /* warps that are to be told when they have nothing outstanding */
    uint32_t posted[MAX_PROGRAMS]; /* the same without loads, per program */
    struct lsu_home *home;         /* per warp */
    struct lsu_set plan[STREAM_SPACES][PLANS];
    struct request_pool pool;
    struct lsu_cache cache[CACHES];
    struct load_stats loads[LOADS];
    struct shared_stats shared;
    struct lsu_stats stats;
    struct lsu_refused_stats refused;
    struct lsu_write_miss_stats write_miss;
    struct trip_stats trip[REQUEST_KINDS];
    struct lsu_program_stats *of; /* [MAX_PROGRAMS]; NULL: programs are not counted apart */
    struct lsu_watch *watch;      /* NULL: none */
    uint32_t (*ready_warps)(const struct component *owner); /* NULL: requests do not carry it */
    struct component *owner;
    uint64_t local_base, param_base;
    struct cfg_list carveouts; /* none: L1 and shared memory are apart */
    uint64_t whole_bytes;      /* of both */
    uint32_t sm, max_warps, max_loads;
};

/* The access under way. */
struct lsu_look {
    hd_cycle now;
    const struct lsu_insn *insn;
    const struct lsu_set *set;
    const struct coalesced *access;
};

static inline uint32_t lsu_count_words(uint32_t words)
{
    if (words == UINT32_MAX) /* as most are */
        return LINE_WORDS;
    words -= words >> 1 & 0x55555555;
    words = (words & 0x33333333) + (words >> 2 & 0x33333333);
    return ((words + (words >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
}

/* The warp has one thing less outstanding. */
static inline void lsu_finished(struct lsu *l, hd_cycle now, uint32_t warp)
{
    struct lsu_home *home = &l->home[warp];
    HD_ASSERT(home->outstanding > 0, "%s: warp %u has nothing outstanding", l->owner->path, warp);
    if (--home->outstanding > 0 || !(l->awaited >> warp & 1))
        return;
    l->awaited &= ~(1ull << warp);
    completions_add(l->completions, now, now + 1, warp, COMPLETION_QUIET, true);
}

/* lsu.c: all accesses of a load are there. */
void lsu_complete(struct lsu *l, hd_cycle now, uint32_t load);

/* One access of a load is there, usable at `usable` > now. */
static inline void lsu_arrived(struct lsu *l, hd_cycle now, uint32_t load, hd_cycle usable)
{
    struct lsu_load *p = &l->load[load];
    HD_ASSERT(p->left > 0, "%s: pending load %u gets more than it asked for", l->owner->path, load);
    p->usable = usable > p->usable ? usable : p->usable;
    if (--p->left == 0)
        lsu_complete(l, now, load);
}

/* lsu_cache.c: STALL_NONE, or why nothing was changed. */
void lsu_cache_build(struct lsu *l, struct arena *a, const struct config *cfg);
enum lsu_stall lsu_cache_load(struct lsu *l, const struct lsu_look *k);
enum lsu_stall lsu_cache_store_local(struct lsu *l, const struct lsu_look *k);
/* A global store passes (true: it hit); what another request makes old is forgotten. */
bool lsu_cache_write(struct lsu *l, const struct lsu_look *k);
void lsu_cache_forget(struct lsu *l, uint64_t line);
void lsu_cache_fill(struct lsu *l, hd_cycle now, const struct request *r);
void lsu_cache_settle(struct lsu_cache *c, hd_cycle now);

/* lsu_request.c: room for n more requests, or what is lacking. */
enum lsu_stall lsu_request_room(struct lsu *l, hd_cycle now, uint32_t n);
/* There is room.  The access's words to or from memory, as a request of this kind; these sectors
 * of them. */
void lsu_request_send(struct lsu *l, const struct lsu_look *k, enum request_kind kind,
                      uint8_t sectors);
/* Those that a load by the L1 asks for: all, unless the cache has sectors. */
static inline uint8_t lsu_request_sectors(const struct lsu *l, const struct lsu_look *k)
{
    bool is_sectored = l->cache[k->set->cache].is_sectored;
    return is_sectored ? request_sectors_of(k->access->words) : (1 << LINE_SECTORS) - 1;
}
/* Sectors of a line into an MSHR. */
void lsu_request_line(struct lsu *l, const struct lsu_look *k, uint8_t sectors, uint32_t mshr);
void lsu_request_write_back(struct lsu *l, hd_cycle now, uint64_t line, uint32_t dirty,
                            uint32_t warp);
void lsu_request_take(struct lsu *l, hd_cycle now); /* the answer that the in port shows */

/* lsu_watch.c: an access was done; an answer has come. */
struct lsu_watch *lsu_watch_new(struct arena *a, struct sharing_sm *sharing, bool counts_sectors);
void lsu_watch_forget(struct lsu_watch *w, uint32_t program);
void lsu_watch_resize(struct lsu_watch *w, uint32_t lines);
LSU_APART void lsu_watch_access(struct lsu *l, const struct lsu_look *k);
LSU_APART void lsu_watch_answer(struct lsu *l, hd_cycle now, const struct request *r);

#endif
