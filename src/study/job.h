/* job.h - the runs that a study needs, each once. */
#ifndef HEDDLE_STUDY_JOB_H
#define HEDDLE_STUDY_JOB_H

#include "sim/config.h"
#include "study/study.h"

struct study_job {
    uint64_t key;   /* of all that the result depends on: model, configuration, stream */
    uint64_t asked; /* of the question alone, whatever model answers it */
    uint32_t variant, workload; /* indices; the first pair that needs it */
    const char *label;          /* "icc/HS@study", for people */
    struct config *config;      /* machine file and sets, loaded and checked */
    double cost;                /* guessed seconds, for the order: longest first */
};

struct study_plan {
    uint32_t njobs;
    struct study_job *jobs;
    const char *idle; /* settings without effect, for people; "": none */
    uint32_t
        *of; /* [variant * nworkloads + workload]: its job, or UINT32_MAX when no figure asks */
};

/* `machine_path` turns the name of a machine into its file. */
bool study_plan(struct arena *a, const struct study *s,
                const char *(*machine_path)(struct arena *a, const char *name, struct err *e),
                struct study_plan *p, struct err *e);

#endif
