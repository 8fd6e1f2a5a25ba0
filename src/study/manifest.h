/* manifest.h - which task of a submission does what.
 *
 * Made once, when a study is submitted, from what was missing then, and read by every task: what a
 * task has to do does not depend on when it starts, nor on what others have done meanwhile.  A text
 * file:
 *
 *     heddle manifest 1
 *     record TASK WORKLOAD PROGRAM HASH TITLE
 *     run TASK VARIANT WORKLOAD KEY LABEL
 *
 * Numbers of workloads, programs and variants are those of the study as it is read; hashes and keys
 * say whether it still is the same study, and the same model. */
#ifndef HEDDLE_STUDY_MANIFEST_H
#define HEDDLE_STUDY_MANIFEST_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct manifest_record {
    uint32_t task, workload, program;
    uint64_t hash;
    const char *title;
};

struct manifest_run {
    uint32_t task, variant, workload;
    uint64_t key;
    const char *label;
};

struct manifest {
    uint32_t nrecords, nruns;
    struct manifest_record *records;
    struct manifest_run *runs;
};

/* Appears whole or not at all. */
bool manifest_write(const char *path, const struct manifest *m, struct err *e);
/* What one task has to do; a task that the file does not know is refused. */
bool manifest_read(struct arena *a, const char *path, uint32_t task, struct manifest *m,
                   struct err *e);

#endif
