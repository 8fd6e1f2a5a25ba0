/* lsu_model.h - a slow obvious model of the load/store unit and of the memory of lsu_rig.h: every
 * cycle is gone through, everything is searched for from the start.  L1 and texture cache, sets not
 * hashed; `l1.latency` is 35, `l1.fill_latency` 2, `texture.latency` 100, `shared.latency` 26, and
 * shared accesses are without conflicts. */
#ifndef HEDDLE_TESTS_RIG_LSU_MODEL_H
#define HEDDLE_TESTS_RIG_LSU_MODEL_H

#include "rig/lsu_rig.h"

enum { LSU_MODEL_STEPS = 250, LSU_MODEL_LINES = 64, LSU_MODEL_SENT = LSU_MODEL_STEPS * 32 };

enum { MODEL_L1, MODEL_TEX, MODEL_CACHES };

struct lsu_model_shape { /* of a cache */
    uint32_t sets, ways, line, mshrs, merges;
    bool is_masked;
};

enum lsu_model_mode { MODEL_KEEPS, MODEL_NO_LINE, MODEL_NO_MSHR };

/* Sharing-aware lines of the L1, after "Power Efficient Sharing-Aware GPU Data Management" (IPDPS
 * 2017), sections V.B and VI.B. */
enum lsu_model_dead { MODEL_DEAD_OFF, MODEL_DEAD_ALL, MODEL_DEAD_PRIVATE };
struct lsu_model_sharing {
    bool is_on, allocates, replaces;
    enum lsu_model_dead dead; /* who may take a dead line: all data, or private data only */
};

struct lsu_model_shared { /* what is counted of it; [0]: private, [1]: shared */
    uint64_t fills[2], uses[2], evictions[2];
    uint64_t refused, turned, spared, marked, revived, dead_evictions, answers, waiters;
};

struct lsu_model_machine {
    struct lsu_model_shape shape[MODEL_CACHES];
    uint32_t queue, pending, depth, requests;
    bool on_fill, updates, allocates, is_sectored, enabled; /* of the L1 */
    uint64_t latency, spread, every, back;
    /* What has no line, or passes by: loads and local stores of these spaces, in these caches. */
    enum lsu_model_mode mode;
    bool refuses[MODEL_CACHES], refuses_loads, refuses_stores;
    uint32_t spaces; /* bits */
    struct lsu_model_sharing sharing;
    uint32_t shared; /* of 256 answers say so */
};

struct lsu_model_line {
    bool is_there, is_reserved, is_shared, is_dead;
    uint64_t at, used;
    uint32_t valid, dirty;
};

struct lsu_model_waiter {
    uint32_t step, words;
};

struct lsu_model_entry {
    uint64_t at;
    uint32_t sectors, nwaiters;
    bool is_stale;
    struct lsu_model_waiter waiter[4];
};

struct lsu_model_cache {
    struct lsu_model_line line[LSU_MODEL_LINES];
    struct lsu_model_entry entry[16];
    uint32_t nentries;
};

struct lsu_model_message {
    uint64_t line, time;                    /* time: of the push, or when it is due */
    uint32_t words, sectors, kind, step, n; /* n: number of the request */
    bool is_fill;                           /* of a line: that at `own` of this cache */
    uint32_t cache;
    uint64_t own;
};

struct lsu_model_counts {
    uint64_t hits[3], misses[3], merges[3], passes[3]; /* global, local, texture */
    uint64_t evictions[MODEL_CACHES], unkept[MODEL_CACHES];
    uint64_t write_backs, store_hits, store_lines, local_hits, local_misses, local_passes;
    uint64_t stall[STALL_PORT + 1];
};

struct lsu_model {
    struct lsu_model_machine m;
    const struct lsu_rig_step *step;
    struct lsu_model_cache cache[MODEL_CACHES];
    struct lsu_model_message out[16], held[64], in[256], sent[LSU_MODEL_SENT];
    uint32_t nout, nheld, nin, nsent, live;
    uint64_t clock;
    uint32_t queue[8], nqueue, next_step, loads, at_access;
    struct coalesced access[LSU_MODEL_STEPS][COALESCE_LOCAL];
    uint32_t naccesses[LSU_MODEL_STEPS], left[LSU_MODEL_STEPS];
    hd_cycle usable[LSU_MODEL_STEPS], done[LSU_MODEL_STEPS], next_at, now;
    struct lsu_model_counts n;
    struct lsu_model_shared shared;
};

/* Until nothing is left to do; m->m and m->step[LSU_MODEL_STEPS] are given, the rest is zero. */
void lsu_model_run(struct lsu_model *m);

#endif
