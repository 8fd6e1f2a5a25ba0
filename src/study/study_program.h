/* study_program.h - what a row of a study times: a workload of the registry, somebody's PTX under a
 * launch file, or a recording. */
#ifndef HEDDLE_STUDY_STUDY_PROGRAM_H
#define HEDDLE_STUDY_STUDY_PROGRAM_H

#include <stdint.h>

#include "base/arena.h"

struct study_program {
    const char *workload, *size; /* of the registry; or NULL, and */
    const char *args;            /* of the workload: "footprint=48K"; NULL: all at their defaults */
    const char *ptx, *launch;    /* files, as seen from here; or NULL, and */
    const char *trace;           /* a file of heddle record */
    uint64_t contents;           /* hash of these files */
    int line;                    /* of the study */
};

/* "HS@study", "CHASE@study:footprint=48K", "saxpy": for people, and in names of files. */
const char *study_program_title(struct arena *a, const struct study_program *p);
/* Of what its stream follows from: PTX, inputs, size and seed, executor and format; of a recording
 * of nothing else. */
uint64_t study_program_hash(const struct study_program *p, uint64_t seed);
/* Of the question alone, whatever executor answers it, added to h. */
uint64_t study_program_asked(uint64_t h, const struct study_program *p, uint64_t seed);
/* Where its stream is: the recording itself, or one in `folder`, whose name says what is in it, and
 * with what it follows from. */
const char *study_program_stream(struct arena *a, const char *folder, const struct study_program *p,
                                 uint64_t seed);
/* Seconds that a run may take, for want of better knowledge. */
double study_program_cost(const struct study_program *p);

#endif
