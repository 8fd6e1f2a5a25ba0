/* lsu.h - an SM's load/store unit with everything behind it: coalescer, shared memory, L1 data,
 * constant and texture caches, MSHRs, and the way to the cluster.  It is a part of the SM (function
 * calls, no ports inside), ticked by it.
 *
 *   issue -> queue -> one access per cycle of the head, in order:
 *              shared: its bank-conflict degree in cycles
 *              constant, parameter: one distinct word per cycle, broadcast to the lanes
 *              texture: one line per cycle, texture cache
 *              global, local: one 128-byte line per cycle, L1
 *
 * Times: an instruction issued at t is looked at from t + 1 on.  An access looked at in cycle c
 * that hits is usable at c - 1 + latency, so that an L1 hit issued at t into an empty unit can
 * be used at t + l1.latency exactly; a shared access of degree d at t + shared.latency + d - 1.
 * A fill popped in cycle c is usable at c + l1.fill_latency.
 *
 * The SM is told through its completions (completion.h): an instruction with destinations when its
 * last access is there; COMPLETION_QUIET, for who has asked with lsu_await, at the cycle after a
 * warp's last load, store or atomic was answered. */
#ifndef HEDDLE_L1_LSU_H
#define HEDDLE_L1_LSU_H

#include "analysis/sharing.h"
#include "l1/completion.h"
#include "mem/program.h"
#include "mem/request.h"
#include "sim/config.h"
#include "sim/port.h"
#include "sim/stats.h"
#include "stream/reader.h"

#define SHARED_ROWS(F, id)                                                                         \
    F(id, INT, banks, "32", 1, 32, "bank", "of shared memory: 32, or 16 served per half warp")     \
    F(id, INT, latency, "26", 2, 500, "cycle", "load to use without conflicts")
CFG_STRUCT(shared, SHARED_ROWS)
extern const struct cfg_section shared_section;

#define L1_ROWS(F, id)                                                                             \
    F(id, BOOL, enabled, "true", 0, 0, "",                                                         \
      "false: global loads pass by the L1 (local ones use it)")                                    \
    F(id, INT, size, "16K", 128, 1e9, "byte", "L1 data cache of an SM")                            \
    F(id, INT, ways, "4", 1, 1024, "line", "associativity; size must be a multiple of ways lines") \
    F(id, LIST, carveouts, "", 0, 1e9, "byte",                                                     \
      "sizes of shared memory, as 0,8K,16K: size is one memory for both, of which each kernel's "  \
      "shared memory takes the smallest that it fits; empty: the L1 has all of size")              \
    F(id, BOOL, hashed, "true", 0, 0, "", "sets are chosen by a hash of the address")              \
    F(id, BOOL, masked, "false", 0, 0, "",                                                         \
      "sets are chosen by the line number anded with (sets - 1), as in GPGPU-Sim 3.2.2, which "    \
      "reaches only a part of the sets if their number is no power of two")                        \
    F(id, STR, replacement, "lru", 0, 0, "", "cache policy (heddle list policies)")                \
    F(id, INT, latency, "35", 2, 500, "cycle", "load to use of a hit")                             \
    F(id, INT, fill_latency, "1", 1, 500, "cycle", "from the arrival of a line to its use")        \
    F(id, INT, mshrs, "32", 1, 4096, "entry", "lines on their way")                                \
    F(id, INT, merges, "8", 1, 1024, "access", "that one MSHR holds")                              \
    F(id, CHOICE, allocate, "miss", 0, 0, "miss|fill",                                             \
      "a line is given to a load when it misses, or when its data comes")                          \
    F(id, CHOICE, write_hit, "evict", 0, 0, "evict|update",                                        \
      "what a global store (written through) does to a line that it hits")                         \
    F(id, CHOICE, write_miss, "none", 0, 0, "none|allocate",                                       \
      "a global store that finds no line takes none, or one for its words if it can at once")      \
    F(id, BOOL, sectored, "false", 0, 0, "", "fetch only the 32-byte sectors that are asked for")  \
    F(id, BOOL, count_sectors, "false", 0, 0, "",                                                  \
      "count the 32-byte sectors that global loads look up, as profilers do; changes no cycle")    \
    F(id, INT, queue, "2", 1, 64, "instruction", "memory instructions in the load/store unit")     \
    F(id, INT, pending, "128", 1, 4096, "load", "memory instructions of an SM that wait for data") \
    F(id, INT, requests, "1024", 8, 16384, "request", "of an SM under way: misses, stores, atomics")
CFG_STRUCT(l1, L1_ROWS)
extern const struct cfg_section l1_section;

#define CONSTANT_ROWS(F, id)                                                                       \
    F(id, INT, size, "8K", 64, 1e9, "byte", "constant cache of an SM")                             \
    F(id, INT, line, "64", 32, 128, "byte", "32, 64 or 128")                                       \
    F(id, INT, ways, "2", 1, 1024, "line", "associativity")                                        \
    F(id, STR, replacement, "lru", 0, 0, "", "cache policy (heddle list policies)")                \
    F(id, INT, latency, "8", 2, 500, "cycle", "load to use of a hit, all lanes at one address")    \
    F(id, INT, mshrs, "2", 1, 4096, "entry", "lines on their way")                                 \
    F(id, INT, merges, "32", 1, 1024, "access", "that one MSHR holds")
CFG_STRUCT(constant, CONSTANT_ROWS)
extern const struct cfg_section constant_section;

#define TEXTURE_ROWS(F, id)                                                                        \
    F(id, INT, size, "12K", 32, 1e9, "byte", "texture cache of an SM")                             \
    F(id, INT, line, "128", 32, 128, "byte", "32, 64 or 128")                                      \
    F(id, INT, ways, "24", 1, 1024, "line", "associativity")                                       \
    F(id, STR, replacement, "lru", 0, 0, "", "cache policy (heddle list policies)")                \
    F(id, INT, latency, "100", 2, 900, "cycle", "fetch to use of a hit, filtering included")       \
    F(id, INT, mshrs, "32", 1, 4096, "entry", "lines on their way")                                \
    F(id, INT, merges, "8", 1, 1024, "access", "that one MSHR holds")
CFG_STRUCT(texture, TEXTURE_ROWS)
extern const struct cfg_section texture_section;

/* Sizes that make no sense. */
bool lsu_check(const struct config *cfg, struct err *e);

struct lsu;

struct lsu_options {
    const struct config *cfg;
    struct component *owner;  /* the SM: its period gives ticks, its path names errors */
    struct request_pool pool; /* the SM's own share */
    struct completions *completions;
    uint32_t sm; /* over all clusters */
    uint32_t max_warps;
    uint64_t local_base;        /* address from which this SM's local memory is laid out */
    uint64_t param_base;        /* the same of constant memory for kernel parameters */
    struct sharing_sm *sharing; /* NULL: nobody looks on */
    /* The SM's warps that could issue: requests carry how many; NULL: they do not. */
    uint32_t (*ready_warps)(const struct component *owner);
};

/* Most completions that the unit can have due at once: what it adds to the SM's own. */
uint32_t lsu_max_completions(const struct config *cfg, uint32_t max_warps);
struct lsu *lsu_new(struct arena *a, const struct lsu_options *opt);
void lsu_connect(struct lsu *l, struct port *out, struct port *in);

/* What the SM says about a warp when it becomes resident. */
struct lsu_warp {
    uint32_t cta; /* linear id */
    uint16_t kernel;
    uint32_t local_bytes; /* per thread, of the kernel */
    uint32_t program;     /* whose memory it sees */
};
void lsu_set_warp(struct lsu *l, uint32_t warp, const struct lsu_warp *w);

/* Whether a memory instruction can be issued now (room in the queue, in the pending table). */
bool lsu_can_issue(const struct lsu *l);
/* op has op->mask != 0 and address sets (texture fetches beyond the border may have none).
 * Coalesced here, looked at from the next cycle on: the caller ticks the unit then. */
void lsu_issue(struct lsu *l, hd_cycle now, uint32_t warp, const struct stream_insn *insn,
               const struct stream_op *op);
/* Pops what has come from the cluster, works on the head of the queue, sends misses and stores.
 * Returns the next cycle at which it can do something by itself (a timed event), HD_NEVER when it
 * only waits for its ports. */
hd_cycle lsu_tick(struct lsu *l, hd_cycle now);
/* Loads, stores and atomics of the warp that have not been answered. */
/* The SM is told (COMPLETION_QUIET, once) when the warp, which has something outstanding, has
 * nothing any more. */
void lsu_await(struct lsu *l, uint32_t warp);
uint32_t lsu_outstanding(const struct lsu *l, uint32_t warp);
/* Stores, and atomics without a result, of a program that have not been answered.  Their warps may
 * have ended: one that follows in such a place has them outstanding, too. */
uint32_t lsu_posted(const struct lsu *l, uint32_t program);
bool lsu_is_idle(const struct lsu *l); /* nothing queued, nothing outstanding */
/* Between kernels of a program, which has nothing under way: L1, constant and texture caches forget
 * all that is the program's (local memory is dead with its threads: dirty lines are dropped). */
void lsu_invalidate(struct lsu *l, uint32_t program);
/* With l1.carveouts, between kernels, when no other program has lines here: the L1 has what shared
 * memory for so many bytes leaves of it.  Forgets its lines. */
void lsu_carve(struct lsu *l, uint64_t shared_bytes);

uint64_t lsu_live(const struct lsu *l);       /* requests in flight, for the watchdog */
void lsu_settle(struct lsu *l, hd_cycle now); /* stalls and occupancy, up to the start of `now` */
bool lsu_audit(const struct lsu *l, struct err *e);
/* For the owner's .waits: vertex `local` of the owner is the head of the queue, which can wait for
 * the reader of the out port, known there by the port's reader_slot. */
void lsu_waits(const struct lsu *l, struct waitgraph *g, uint64_t local);
void lsu_add_stats(const struct lsu *l, struct stats *tree);
void lsu_count_programs(struct lsu *l, struct arena *a); /* apart, from now on */
void lsu_add_program_stats(const struct lsu *l, struct stats *tree, uint32_t program,
                           const char *path);

#endif
