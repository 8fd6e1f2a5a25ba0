/* simt.h - executes one kernel launch: every CTA in order of its linear id, warp by warp, and
 * hands over each CTA's stream when the CTA is done.
 *
 * The result depends on the launch and on memory alone.  CTAs that wait for memory that another
 * one will write (found by spin.c) are set aside until something has changed; the launch is then
 * flagged has_grid_spin. */
#ifndef HEDDLE_SIMT_SIMT_H
#define HEDDLE_SIMT_SIMT_H

#include "dev/devmem.h"
#include "dev/texture.h"
#include "ptx/code.h"
#include "stream/writer.h"

/* The handlers for this host; `portable`: those that every host has. */
const struct op_set *simt_ops(bool portable);

struct simt_launch {
    const struct code *code;
    struct devmem *mem;
    const struct texture_table *textures;
    const uint8_t *params; /* code->param_bytes bytes */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    uint64_t workspace; /* device memory in which a cooperative grid meets; 0: none is used */
    bool check;
    uint64_t max_insns; /* warp instructions; UINT64_MAX: no limit */
    void (*print)(void *context, const char *text, size_t n);
    void *print_context;
    /* Whether nobody wants to know any more: asked now and then; may be NULL. */
    bool (*is_stopped)(void *context);
    void *stop_context;
    /* Takes the streams of a finished CTA; NULL: no stream is made. */
    bool (*cta_done)(void *context, uint32_t cta, const struct stream_writer *warps,
                     uint32_t nwarps, struct err *e);
    void *cta_context;
    void (*progress)(void *context, uint64_t ctas_done,
                     uint64_t ctas); /* after each; may be NULL */
    void *progress_context;
    uint64_t *block_count; /* code->nblocks counters, added to: warps that entered each block */
};

struct simt_result {
    uint64_t warp_insns, thread_insns;
    bool has_grid_spin;
};

bool simt_run(const struct simt_launch *l, struct simt_result *r, struct err *e);

#endif
