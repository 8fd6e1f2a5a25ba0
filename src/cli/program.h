/* program.h - one of the programs of a timed run: a workload, somebody's PTX, or a recorded file,
 * as a source of kernels. */
#ifndef HEDDLE_CLI_PROGRAM_H
#define HEDDLE_CLI_PROGRAM_H

#include "cli/execute.h"
#include "stream/source.h"

struct program {
    struct execute execute; /* what is executed, or */
    const char *trace;      /* a file of heddle record */
    /* while it is open */
    const char *title;
    struct stream_source *source;
    /* when it is closed */
    struct execution done;
    struct arena *arena; /* of the thread that executes it; freed with program_free */
};

/* Begins to execute it.  `keeps`: the source can restart. */
bool program_open(struct program *p, bool keeps, struct err *e);
void program_close(struct program *p); /* nobody asks for its kernels any more */
void program_free(struct program *p);
/* Of what its kernels follow from: PTX, inputs, or the recording. */
bool program_hash(const struct program *p, uint64_t *hash, struct err *e);

#endif
