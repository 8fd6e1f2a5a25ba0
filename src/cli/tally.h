/* tally.h - what launches did, added up by kernel, and the progress line of long runs. */
#ifndef HEDDLE_CLI_TALLY_H
#define HEDDLE_CLI_TALLY_H

#include "base/arena.h"
#include "heddle/heddle.h"
#include "stream/stream.h"

struct tally_kernel {
    struct tally_kernel *next;
    const char *name; /* in the PTX */
    uint64_t launches;
    struct hd_dim first_grid, last_grid, block;          /* block: of the last launch */
    uint32_t regs_per_thread, shared_bytes, local_bytes; /* the most of any launch */
    enum hd_register_count regs_from;                    /* of the last launch */
    uint64_t warp_insns, thread_insns;
    uint32_t insns, assembled; /* of the text: PTX's, and those of the assembled view */
    uint64_t assembled_insns;  /* warp instructions of the latter */
    uint64_t global_loads, global_stores, shared_accesses, atomics; /* warp instructions */
    uint64_t stream_bytes;
    bool has_grid_spin;
    double wall_s;
    /* Of replayed streams only. */
    uint64_t by_unit[UNIT_COUNT];
    uint64_t accesses, sectors; /* of global memory: warp instructions, 32-byte sectors in all */
};

struct tally {
    struct arena *arena;
    const struct hd_device *device;       /* whose memory is measured at each launch; may be NULL */
    const struct stream_driver *driver;   /* says nothing unless it is waited for; may be NULL */
    struct tally_kernel *kernels, **last; /* in the order of their first launches */
    struct tally_kernel sum;
    uint64_t memory_bytes;             /* the most that was allocated during a launch */
    uint64_t expected;                 /* launches in all, where that is known; else 0 */
    double start_s, shown_s, launch_s; /* launch_s: when the current launch began */
    uint64_t ctas_seen;                /* calls of tally_progress, to look at the clock rarely */
    bool is_shown;                     /* a progress line stands on the terminal */
};

void tally_init(struct tally *t, struct arena *a);
/* The `launched` of a device, with the tally as its context. */
void tally_launched(void *tally, const struct hd_launch_info *info);
/* The `progress` of a device. */
void tally_progress(void *tally, uint64_t ctas_done, uint64_t ctas);
/* The same, for who knows more about the launch: the kernel it was counted for. */
struct tally_kernel *tally_add(struct tally *t, const struct hd_launch_info *info);
void tally_end(struct tally *t); /* wipes the progress line */

/* "saxpy" for _Z5saxpyifPfS_, unless another kernel of the tally has that plain name, too. */
const char *tally_label(const struct tally *t, const struct tally_kernel *k);
const char *tally_grid(struct arena *a, const struct tally_kernel *k); /* "63x63..1x1" */
const char *tally_dim(struct arena *a, struct hd_dim d);               /* "16x16", "256" */

const char *tally_regs_from(const struct tally_kernel *k); /* "ptxas", "liveness", "given" */

double tally_clock(void); /* seconds */

#endif
