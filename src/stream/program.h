/* program.h - the static side of a kernel: checked, copied, written, read.  Private to
 * src/stream. */
#ifndef HEDDLE_STREAM_PROGRAM_H
#define HEDDLE_STREAM_PROGRAM_H

#include "base/arena.h"
#include "base/bytes.h"
#include "stream/stream.h"

/* What is wrong with it, so that a reader or the timing core would go astray; NULL: nothing. */
const char *program_problem(const struct stream_kernel *k);
struct stream_kernel program_copy(struct arena *a, const struct stream_kernel *k);

/* Without has_grid_spin, which is known only when the kernel has been executed. */
void program_put(struct bytes *b, const struct stream_kernel *k);
/* NULL and *k in `a`, or what is wrong. */
const char *program_take(struct bytes_in *in, struct arena *a, struct stream_kernel *k);

#endif
