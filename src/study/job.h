/* job.h - the runs that a study needs, each once. */
#ifndef HEDDLE_STUDY_JOB_H
#define HEDDLE_STUDY_JOB_H

#include "sim/config.h"
#include "study/study.h"

struct study_job {
    uint64_t key;   /* of all that the result depends on: model, configuration, stream */
    uint64_t asked; /* of the question alone, whatever model answers it */
    uint32_t variant, workload;    /* indices; the first pair that needs it */
    const struct study_kind *kind; /* that of the row, or the one that prices it */
    const char *row;               /* "HS@study", "cost", for people */
    const char *label;             /* "icc/HS@study" */
    struct config *config;         /* machine file and sets, loaded and checked */
    double cost;                   /* guessed seconds, for the order: longest first */
};

struct study_plan {
    uint32_t njobs;
    struct study_job *jobs;
    const char *idle; /* settings without effect, for people; "": none */
    uint32_t
        *of; /* [variant * nworkloads + workload]: its job, or UINT32_MAX when no figure asks */
    uint32_t *cost; /* the same: the job that has its values cost.NAME; NULL: nobody asks */
};

/* What lies above this layer. */
struct study_above {
    /* The file of a machine or network by its name. */
    const char *(*machine)(struct arena *a, const char *name, struct err *e);
    const char *(*network)(struct arena *a, const char *name, struct err *e);
    /* Whether somebody's PTX and launch file (of `p`) can be executed, as far as that can be told
     * without doing it. */
    bool (*check)(const struct study_program *p, uint64_t seed, struct err *e);
};

bool study_plan(struct arena *a, const struct study *s, const struct study_above *above,
                struct study_plan *p, struct err *e);
/* The same where nothing may be buildable as some variants say: these have no runs, and
 * refused[variant] says why; NULL: it can be built. */
bool study_plan_buildable(struct arena *a, const struct study *s, const struct study_above *above,
                          struct study_plan *p, const char **refused, struct err *e);
/* Only the runs of some pairs (`wanted`, [variant * nworkloads + workload]), of those that figures ask
 * for: a part of a study without the work of planning all of it. */
bool study_plan_pairs(struct arena *a, const struct study *s, const struct study_above *above,
                      const bool *wanted, struct study_plan *p, struct err *e);
/* The job that has the value of this name for a pair; UINT32_MAX: none. */
uint32_t study_plan_job(const struct study_plan *p, uint32_t pair, const char *name);

#endif
