/* recordings.h - the recordings that the missing runs of a study replay. */
#ifndef HEDDLE_STUDY_RECORDINGS_H
#define HEDDLE_STUDY_RECORDINGS_H

#include "study/done.h"

struct recording {
    uint32_t workload, program; /* the first that has it */
    const struct study_program *of;
    const char *path;
    bool is_needed; /* by a run that is missing, or has failed */
    uint64_t insns; /* 0: it is not there */
};

struct recordings {
    struct recording *all; /* each stream once, in the order of the study; no user's recordings */
    uint32_t n;
    uint32_t **of; /* [workload][program]: which of them; UINT32_MAX: a user's */
};

/* `d` may be NULL: every run is missing. */
void recordings_find(struct arena *a, const struct study *s, const struct study_plan *p,
                     const struct done *d, const char *streams, struct recordings *r);

#endif
