/* stream_rig.h - random kernels and the streams of their warps, each a function of a seed: they
 * can be written, and told again to be compared with what is read. */
#ifndef HEDDLE_TESTS_RIG_STREAM_RIG_H
#define HEDDLE_TESTS_RIG_STREAM_RIG_H

#include "base/arena.h"
#include "stream/store.h"

/* A kernel with `blocks` blocks, the given number of CTAs and of threads in each. */
struct stream_kernel stream_rig_kernel(struct arena *a, uint64_t seed, uint32_t blocks,
                                       uint32_t ctas, uint32_t threads);

/* Writes the stream of one warp, of up to `length` blocks. */
void stream_rig_write(const struct stream_kernel *k, uint64_t seed, uint32_t cta, uint32_t warp,
                      uint32_t length, struct stream_writer *w);

/* Whether the warp reads back, operation by operation and lane by lane, as it was written. */
bool stream_rig_agrees(const struct stream_kernel *k, uint64_t seed, uint32_t cta, uint32_t warp,
                       uint32_t length, const struct stream_warp *bytes);

/* All CTAs and warps of a store. */
bool stream_rig_store_agrees(const struct stream_store *s, uint64_t seed, uint32_t length,
                             struct err *e);

/* Adds CTA after CTA, in order or shuffled, to a store or a file (the other is NULL). */
bool stream_rig_fill(struct stream_store *s, struct stream_file_writer *f,
                     const struct stream_kernel *k, uint64_t seed, uint32_t length,
                     bool is_shuffled, struct err *e);

/* A file of `kernels` random kernels, with seeds from `seed` on. */
bool stream_rig_record(const char *path, uint64_t seed, uint32_t kernels, uint32_t ctas,
                       uint32_t length, struct err *e);

/* A name in a fresh directory of its own; removed with all that is in it. */
const char *stream_rig_path(struct arena *a);
void stream_rig_remove(const char *path);

#endif
