/* submission.h - what is missing of a study, as tasks that take about equally long. */
#ifndef HEDDLE_STUDY_SUBMISSION_H
#define HEDDLE_STUDY_SUBMISSION_H

#include "study/manifest.h"
#include "study/recordings.h"

struct submission_options {
    uint64_t per_task;  /* runs of a task; 0: as many as take about a minute, by guess */
    uint64_t max_tasks; /* of runs; more runs a task where there would be more */
};

struct submission {
    struct manifest manifest; /* tasks 0 .. nrecord - 1 record one program each, */
    uint32_t nrecord, nrun;   /* tasks nrecord .. nrecord + nrun - 1 do runs */
    double seconds;           /* of all runs, by guess */
};

/* Seconds that each job may take: as long as its row took on average in the store, where there is
 * one (NULL: none), else by the instructions recorded, else by its size. */
const double *submission_guesses(struct arena *a, const struct study *s, const struct study_plan *p,
                                 const struct recordings *r, const char *store);
void submission_make(struct arena *a, const struct study *s, const struct study_plan *p,
                     const struct done *d, const struct recordings *r, const double *guesses,
                     const struct submission_options *o, struct submission *x);

#endif
