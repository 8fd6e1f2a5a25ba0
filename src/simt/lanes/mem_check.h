/* mem_check.h - accesses that did not fit in one known range.  Private to lanes/. */
#ifndef HEDDLE_SIMT_LANES_MEM_CHECK_H
#define HEDDLE_SIMT_LANES_MEM_CHECK_H

#include "simt/lanes/mem.h"

/* Checks r->addr of the lanes in `mask`, addresses in `space`, one by one; refreshes r->range and
 * the instruction's cache.  False after a fault. */
bool LANE(mem_check_lanes)(struct warp *w, const struct insn *i, struct reach *r, uint32_t mask,
                           enum mem_space space);
/* Generic addresses: finds the space of each lane, checks, writes one address set per space, and
 * turns r->addr into host addresses (r->host is 0 then). */
bool LANE(mem_check_generic)(struct warp *w, const struct insn *i, struct reach *r);

/* One address set of the stream. */
static inline void mem_check_put(struct stream_writer *out, const struct reach *r,
                                 enum stream_space space, uint32_t mask)
{
    if (r->pattern == PATTERN_UNIFORM)
        stream_writer_uniform(out, space, r->base);
    else if (r->pattern == PATTERN_STRIDE)
        stream_writer_stride(out, space, r->base, r->stride);
    else
        stream_writer_lanes(out, space, mask, r->addr);
}

#endif
