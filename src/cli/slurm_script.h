/* slurm_script.h - the scripts that a study is submitted as. */
#ifndef HEDDLE_CLI_SLURM_SCRIPT_H
#define HEDDLE_CLI_SLURM_SCRIPT_H

#include <stdio.h>

#include "cli/study_ask.h"

enum slurm_step { STEP_RECORD, STEP_RUN, STEP_GATHER };
enum { SLURM_STEPS = 3 };

struct slurm_script {
    const struct study_ask *ask;
    const char *name;                /* of the jobs */
    const char *program, *folder;    /* heddle, and where it was called */
    const char *out, *db, *manifest; /* full paths */
};

const char *slurm_script_word(enum slurm_step step); /* "record", "run", "gather" */
void slurm_script_write(const struct slurm_script *x, enum slurm_step step, FILE *f);

#endif
