/* coalesce.h - the lane addresses of a warp instruction as the accesses that a cache sees. */
#ifndef HEDDLE_L1_COALESCE_H
#define HEDDLE_L1_COALESCE_H

#include "mem/request.h"
#include "stream/stream.h"

struct coalesced {
    uint64_t line;  /* address of the 128-byte line */
    uint32_t words; /* of it; a byte counts as its word */
};

/* Most accesses of one address set: 32 lanes, or in local memory, where the words of a lane lie in
 * different lines, 32 lanes of four words. */
enum { COALESCE_LINES = WARP_LANES, COALESCE_LOCAL = 4 * WARP_LANES };

/* All of them give their accesses in the order of the lowest lane that wants them and return their
 * number.  `size` is 1 to 16 bytes per lane.  A lane is taken to lie in one line: what a misaligned
 * address would reach beyond is ignored. */

/* One access per line; at most COALESCE_LINES. */
uint32_t coalesce_lines(const struct stream_access *a, uint32_t size, struct coalesced *out);
/* One access per aligned segment of `bytes` (32 or 64): a line of a cache with shorter lines.  At
 * most COALESCE_LINES. */
uint32_t coalesce_segments(const struct stream_access *a, uint32_t size, uint32_t bytes,
                           struct coalesced *out);
/* One access per distinct item of `size` bytes (of a word, if smaller);
 * at most COALESCE_LINES. */
uint32_t coalesce_items(const struct stream_access *a, uint32_t size, struct coalesced *out);
/* One access per line of local memory, where word w of lane l is word l of line `base` + 128 w;
 * addresses are offsets.  At most COALESCE_LOCAL. */
uint32_t coalesce_local(const struct stream_access *a, uint32_t size, uint64_t base,
                        struct coalesced *out);

#endif
