/* study_slurm.h - --slurm: a study as job arrays. */
#ifndef HEDDLE_CLI_STUDY_SLURM_H
#define HEDDLE_CLI_STUDY_SLURM_H

#include "cli/study_ask.h"

enum { STUDY_SLURM_TASKS = 1000 }; /* at most, unless somebody says otherwise */

study_act study_slurm;

#endif
