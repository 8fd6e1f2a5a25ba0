/* exec.h - the state that instruction handlers work on.  Private to src/simt. */
#ifndef HEDDLE_SIMT_EXEC_H
#define HEDDLE_SIMT_EXEC_H

#include <stdarg.h>

#include "dev/devmem.h"
#include "dev/texture.h"
#include "ptx/code.h"
#include "stream/writer.h"

enum { MAX_WARPS = 32, MAX_BARRIERS = 16 }; /* per CTA: 1024 threads */

/* A warp executes path[depth - 1]; the others wait for it.  Paths that part at a branch lie above
 * a holder, which stands at the place where they meet with the lanes of all of them. */
struct path {
    uint32_t block;      /* where these lanes are, or go on */
    uint32_t reconverge; /* arriving at this block ends the path; NO_BLOCK: only ret and exit do */
    uint32_t mask;
    uint32_t call; /* number of enclosing calls: ret ends paths of the innermost one */
};

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_SPINS, WARP_DONE };

struct warp {
    /* what handlers touch */
    uint8_t *file;   /* units */
    uint32_t *pred;  /* lane masks; pred[PRED_FALSE] = 0, pred[PRED_TRUE] = ~0 */
    uint32_t exec;   /* lanes that execute the current instruction; never 0 when fn is called */
    uint32_t active; /* lanes of the current block */
    uint32_t carry;  /* condition code, one bit per lane */
    uint32_t id;     /* in the CTA */
    struct stream_writer *out; /* NULL: no stream wanted */
    struct cta *cta;
    struct grid *grid;
    uint8_t *local; /* lane l's local memory at local + l * local_stride */
    uint64_t local_stride;
    uint64_t executed; /* warp instructions, for %clock */
    uint64_t clock_reads;
    /* what warp.c and cta.c keep */
    uint64_t executed_threads;
    uint32_t live;  /* lanes that have not exited */
    uint32_t depth; /* paths in use */
    uint32_t max_depth;
    enum warp_state state;
    bool is_paused; /* WARP_SPINS, but may go on without a change in memory */
    struct path *paths;
    uint32_t bar_id, bar_block, bar_mask; /* where it waits, and with which lanes */
    struct spin *spin;
};

struct barrier {
    uint32_t arrived, expected; /* threads; expected 0: the whole CTA */
    uint32_t count, all, any;   /* of the reduction */
};

struct cta {
    struct grid *grid;
    uint32_t id, ctaid[3];
    uint32_t nwarps, nthreads;
    uint8_t *shared;         /* grid->shared_bytes bytes */
    uint8_t *shared_written; /* --check: one byte per byte, 1 when written; else NULL */
    struct barrier barrier[MAX_BARRIERS];
    struct warp warp[MAX_WARPS];
    struct stream_writer *writers; /* one per warp, or NULL */
    uint64_t waits_since;          /* grid->changes when nothing could go on */
    bool is_paused;                /* set aside, but some warp may go on */
    struct cta *next;              /* in a list of the grid */
};

/* Where the last access of an instruction went: most accesses of it go there again. */
struct range_cache {
    uint64_t lo, hi;
};

struct grid {
    const struct code *code;
    struct devmem *mem;
    uint8_t *host; /* devmem_host(mem): host + address is the byte's place */
    const struct texture_table *textures;
    const uint8_t *params;
    uint32_t param_bytes, shared_bytes, dynamic_shared_bytes; /* shared: both kinds */
    uint64_t workspace;                                       /* as in simt_launch */
    uint32_t grid[3], block[3];
    bool check;
    uint64_t changes; /* stores, and atomics that changed something; see spin.c */
    uint64_t budget;  /* warp instructions left until exec_refill is asked ... */
    uint64_t reserve; /* ... which takes from these */
    const struct simt_launch *launch;
    uint64_t *block_count;     /* how often each block was entered */
    struct range_cache *cache; /* one per instruction (index insn.id) */
    bool has_fault;
    struct err fault;
    void (*print)(void *context, const char *text, size_t n); /* vprintf */
    void *print_context;
};

/* Stops the launch (first fault wins): kernel, PTX line, source line, CTA, thread, `what`, and
 * when `has_address` the address.  The handler returns normally; control stops at the block's end. */
void exec_fault(struct warp *w, const struct insn *i, uint32_t lane, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* The same for what is no access of one lane. */
void exec_stop(struct grid *g, enum status status, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether there are so many warp instructions left, after those of the budget; else the launch stops. */
bool exec_refill(struct grid *g, uint32_t insns);
/* " at file.ptx:12 (source.cu:7)" for messages. */
void exec_place(const struct grid *g, uint32_t insn, char *text, size_t n);

/* warp.c: executes until the warp is done, waits, spins, or the launch has a fault. */
void warp_run(struct warp *w);
void warp_start(struct warp *w, uint32_t lanes);
void warp_leave_barrier(struct warp *w); /* goes on behind it */

/* spin.c: whether the warp is where it was before, with the same state, and nothing in memory has
 * changed since: it will go on like that until another warp stores something. */
struct spin *spin_new(struct arena *a, const struct code *c, uint32_t max_depth);
void spin_reset(struct spin *s, uint64_t executed);
uint64_t spin_due(const struct spin *s); /* instructions executed at which to look */
enum spin_result {
    SPIN_NONE,
    SPIN_FOUND,
    SPIN_LONG, /* it has run for so long that the others should have a turn, just in case */
};
enum spin_result spin_check(struct warp *w);

#endif
