/* trace.h - a recorded file read back: every operation of every warp, counted and digested. */
#ifndef HEDDLE_CLI_TRACE_H
#define HEDDLE_CLI_TRACE_H

#include <stdio.h>

#include "base/err.h"
#include "cli/tally.h"

struct trace {
    const char *workload; /* what was recorded */
    struct tally tally;
    uint64_t file_bytes;
    uint64_t digest; /* of all kernels in order: names, shapes, operations and addresses */
};

/* Reads all of the file, which checks all of its checksums. */
bool trace_read(const char *path, struct arena *a, struct trace *t, struct err *e);

/* What `heddle record` shows: kernels, instructions, bytes. */
void trace_print_sizes(const struct trace *t, struct arena *a, FILE *out);
/* What `heddle run --trace` shows: instructions by unit, accesses and their sectors. */
void trace_print_units(const struct trace *t, struct arena *a, FILE *out);
bool trace_json(const struct trace *t, const char *path, struct err *e);

#endif
