/* machine_rig.h - small kernels told instruction by instruction, run on a machine given as YAML.
 *
 * A kernel is one block of instructions that each warp goes through a number of times; a callback
 * gives the addresses of its memory instructions.
 *
 *     struct machine_rig r;
 *     machine_rig_open(&r, "base: icc60.yaml", "l1.latency=20 l2.mshrs=64");
 *     uint64_t cycles = machine_rig_run(&r, &kernel);
 *     double hits = machine_rig_stat(&r, "l1.global.hits");         (of the last kernel)
 *     machine_rig_close(&r);
 *
 * What cannot be built or run fails the test. */
#ifndef RIG_MACHINE_RIG_H
#define RIG_MACHINE_RIG_H

#include "machine/machine.h"
#include "sim/stats_snapshot.h"

/* One SM, one slice, one channel, an ideal network, all on one clock; instructions are always
 * there.  A row of DRAM is 64 lines, and consecutive lines fill one row after the other. */
extern const char machine_rig_small[];

struct machine_rig {
    struct arena *arena;
    struct config *cfg;
    struct machine *machine;
    struct err err;
    const struct stats_snapshot *counted; /* by the last kernel */
    uint64_t cta_end[64];                 /* of the last kernel: SM cycles since its begin */
};

/* `settings` are assignments separated by blanks.  `base:` in the text is relative to machines/. */
void machine_rig_open(struct machine_rig *r, const char *yaml, const char *settings);
/* The same, run in another way: not checked, every cycle ticked, in threads. */
void machine_rig_open_as(struct machine_rig *r, const char *yaml, const char *settings,
                         const struct machine_options *as);
void machine_rig_close(struct machine_rig *r); /* also checks that everything was conserved */

struct machine_rig_at {
    uint32_t cta, warp, loop, insn; /* insn: in the block */
};

struct machine_rig_kernel {
    const struct stream_insn *insn; /* the block */
    uint32_t ninsns, loops;
    uint32_t ctas, warps; /* 0: one; warps of each CTA */
    uint32_t mask;        /* active lanes; 0: all */
    /* a->pattern, base, stride and addr; the rest is given.  NULL: lane l reads word l at 0. */
    void (*address)(const void *context, const struct machine_rig_at *at, struct stream_access *a);
    /* How often this warp goes through the block; NULL: `loops`. */
    uint32_t (*loops_of)(const void *context, uint32_t cta, uint32_t warp);
    const void *context;
};

/* SM cycles from the kernel's begin to its end. */
uint64_t machine_rig_run(struct machine_rig *r, const struct machine_rig_kernel *k);
double machine_rig_stat(const struct machine_rig *r, const char *name);

/* Instructions; REG_NONE where there is no register. */
struct stream_insn machine_rig_load(enum stream_space space, uint16_t dst, uint16_t src);
struct stream_insn machine_rig_op(enum stream_unit unit, enum stream_opclass opclass, uint16_t dst,
                                  uint16_t src);

/* SM cycles that every kernel takes beside those from the first issue to the last result: the
 * dispatcher's port, the first fetch, the port back, and the cycle in which the dispatcher learns
 * of the end. */
uint64_t machine_rig_overhead(const struct machine_rig *r);

#endif
