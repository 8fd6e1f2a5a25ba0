/* ptx_rig.h - runs a kernel given as PTX text on one buffer of 32-bit words. */
#ifndef RIG_PTX_RIG_H
#define RIG_PTX_RIG_H

#include "host/host.h"

#define PTX_HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* A kernel k(buf): %buf is the buffer, %tid the thread's number in the CTA, %gid in the grid (x
 * only), %at the address of its own word. */
#define PTX_KERNEL_HEAD                                                                            \
    ".visible .entry k(.param .u64 p_buf)\n{\n"                                                    \
    ".reg .b64 %buf, %at, %off; .reg .b32 %tid, %gid, %cta, %n;\n"                                 \
    "ld.param.u64 %buf, [p_buf]; cvta.to.global.u64 %buf, %buf;\n"                                 \
    "mov.u32 %tid, %tid.x; mov.u32 %cta, %ctaid.x; mov.u32 %n, %ntid.x;\n"                         \
    "mad.lo.u32 %gid, %cta, %n, %tid; mul.wide.u32 %off, %gid, 4; add.s64 %at, %buf, %off;\n"
#define PTX_KERNEL(body) PTX_HEAD PTX_KERNEL_HEAD body "\n}\n"
#define PTX_WITH(before, body) PTX_HEAD before PTX_KERNEL_HEAD body "\n}\n"

struct ptx_case {
    const char *text;
    uint32_t grid, block; /* 0: 1 CTA of 32 threads */
    uint32_t shared;
    bool check, portable, no_stream;
    uint64_t max_insns;
};

struct ptx_result {
    bool ok;
    struct err e;
    struct host_launch_info info;
    uint32_t regs_per_thread, shared_bytes, local_bytes;
    uint32_t ninsns, nblocks;
    char printed[4096];
    size_t nprinted;
};

/* Runs kernel k; `data` (n words) goes in and comes back. */
struct ptx_result ptx_run(struct ptx_case c, uint32_t *data, uint32_t n);

#endif
