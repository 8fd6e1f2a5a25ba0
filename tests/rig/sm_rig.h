/* sm_rig.h - kernels written by hand, and one SM between a host that starts their CTAs and a memory
 * that answers every request after the same time.
 *
 *     struct kernel_rig *k = kernel_rig_new("k", 2, 64);       2 CTAs of 64 threads
 *     kernel_rig_block(k);                                     block 0 ...
 *     kernel_rig_add(k, kernel_rig_int(1, 2));                 r1 = f(r2)
 *     kernel_rig_add(k, kernel_rig_load(3, 0x1000));
 *     sm_rig_open(r, &(struct sm_rig_options){.kernel = k, ...});
 *
 * Every warp goes through all blocks once unless kernel_rig_path says otherwise. */
#ifndef HEDDLE_TESTS_RIG_SM_RIG_H
#define HEDDLE_TESTS_RIG_SM_RIG_H

#include "machine/machine.h"
#include "sim/engine.h"
#include "sm/sm_priv.h"
#include "stream/store.h"

/* ---- kernels ---- */

enum { KERNEL_RIG_INSNS = 1024, KERNEL_RIG_BLOCKS = 64, KERNEL_RIG_STEPS = 64 };

struct kernel_rig_insn {
    struct stream_insn s;
    uint32_t guard;      /* lanes of INSN_GUARDED */
    uint64_t ctas;       /* ... bit per CTA in which it is on at all; 0: in all */
    uint64_t base;       /* address of lane 0 in CTA 0 */
    int64_t stride;      /* from lane to lane */
    uint64_t per_cta;    /* ... from CTA to CTA */
    uint64_t per_warp;   /* ... from warp to warp of a CTA */
    uint32_t id, amount; /* of INSN_BAR */
};

struct kernel_rig_step {
    uint32_t block, mask;
};

struct kernel_rig {
    struct arena *arena;
    struct stream_kernel k;
    struct stream_insn insn[KERNEL_RIG_INSNS];
    struct kernel_rig_insn told[KERNEL_RIG_INSNS];
    struct stream_block block[KERNEL_RIG_BLOCKS];
    struct kernel_rig_step path[STREAM_MAX_WARPS][KERNEL_RIG_STEPS];
    uint32_t steps[STREAM_MAX_WARPS]; /* 0: all blocks, once */
    bool is_empty[STREAM_MAX_WARPS];  /* the warp has no instructions at all */
};

struct kernel_rig *kernel_rig_new(const char *name, uint32_t ctas, uint32_t threads);
void kernel_rig_free(struct kernel_rig *k);
void kernel_rig_block(struct kernel_rig *k);
void kernel_rig_add(struct kernel_rig *k, struct kernel_rig_insn in);
/* The warp enters this block next, instead of going through all. */
void kernel_rig_path(struct kernel_rig *k, uint32_t warp, uint32_t block);
/* The whole grid, as the timing core reads it. */
struct stream_store *kernel_rig_store(struct kernel_rig *k);
/* The same as one more kernel of a file. */
void kernel_rig_record(struct kernel_rig *k, struct stream_file_writer *f);

struct kernel_rig_insn kernel_rig_op(uint8_t unit, uint8_t opclass, uint16_t dst, uint16_t src);
struct kernel_rig_insn kernel_rig_int(uint16_t dst, uint16_t src);
struct kernel_rig_insn kernel_rig_load(uint16_t dst, uint64_t base);
struct kernel_rig_insn kernel_rig_store_to(uint16_t src, uint64_t base);
struct kernel_rig_insn kernel_rig_bar(uint32_t id, uint32_t threads, bool waits);
struct kernel_rig_insn kernel_rig_fence(void);
struct kernel_rig_insn kernel_rig_exit(void);
struct kernel_rig_insn kernel_rig_guarded(struct kernel_rig_insn in, uint16_t pred, uint32_t lanes);
/* On in these CTAs only: bit per CTA. */
struct kernel_rig_insn kernel_rig_only(uint64_t ctas, struct kernel_rig_insn in);

/* ---- a small machine ---- */

/* 2 clusters of 2 SMs, 2 L2 slices, one clock; then what `set` says (NULL-ended, may be NULL). */
struct config *machine_rig_config(struct arena *a, const char *const *set);
/* Loads, sums, stores, 20 CTAs of 4 warps: every CTA has lines of its own and some that all read. */
struct stream_store *machine_rig_kernel(const char *name, uint64_t base);

/* ---- one SM ---- */

enum { SM_RIG_REQUESTS = 64, SM_RIG_CTAS = 64, SM_RIG_EVENTS = 16384 };

struct sm_rig_host { /* starts CTAs as contexts get free, those of one kernel in their order */
    struct component c;
    struct port start, done;
    struct cta_start *cta;
    uint32_t ncta, next, contexts, burst; /* burst: most per cycle */
    uint64_t free;
    struct sm_rig_ended {
        hd_cycle at;
        uint32_t cta, context;
    } ended[SM_RIG_CTAS];
    uint32_t nended;
    uint64_t owing; /* CTAs that ended with stores of their program under way: a bit each */
    hd_cycle settled[SM_RIG_CTAS]; /* [nsettled]: when there were none any more */
    uint32_t nsettled;
    uint32_t of_context[MAX_CONTEXTS];
};

struct sm_rig_memory {
    struct component c;
    struct port out, in;
    uint64_t latency, every;
    struct {
        hd_cycle due;
        uint64_t id;
    } held[SM_RIG_REQUESTS];
    uint32_t head, tail;
};

struct sm_rig_issue { /* a cycle in which something was issued */
    hd_cycle at;
    uint32_t n;   /* warp instructions */
    int32_t slot; /* of the warp, when there is one scheduler; -1: its CTA is gone */
};

struct sm_rig_options {
    struct kernel_rig *kernel;
    const char *const *set; /* NULL-ended: "sm.schedulers=1" */
    uint64_t latency;       /* of the memory; 0: 100 */
    uint64_t every;         /* cycles between requests that it takes; 0: 1 */
    uint32_t contexts;      /* CTAs at once; 0: 8 */
    uint32_t burst;         /* CTAs started per cycle; 0: 1 */
    struct engine_options engine;
};

struct sm_rig {
    struct arena *arena;
    struct config *cfg;
    struct engine *engine;
    struct request_pool pool;
    struct stats *stats;
    struct sm *sm;
    struct sm_rig_host host;
    struct sm_rig_memory memory;
    struct sm_rig_issue *issue;
    uint32_t nissues;
};

void sm_rig_open(struct sm_rig *r, const struct sm_rig_options *opt);
void sm_rig_close(struct sm_rig *r);
/* To the end of all CTAs, without looking; false when it got stuck (*e says how). */
bool sm_rig_finish(struct sm_rig *r, struct err *e);
/* The same, cycle by cycle, noting what is issued when. */
void sm_rig_watch(struct sm_rig *r);
/* The cycle of the i-th cycle with an issue, counted from the first one. */
uint64_t sm_rig_when(const struct sm_rig *r, uint32_t i);
uint64_t sm_rig_digest(struct sm_rig *r); /* of all statistics */
/* Whether scheduler cycles are exactly those with an issue and those with a reason for none. */
bool sm_rig_adds_up(struct sm_rig *r);

#endif
