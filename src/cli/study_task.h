/* study_task.h - what one task of a cluster does: a part of a study's recordings or runs, these into
 * a shard of its own. */
#ifndef HEDDLE_CLI_STUDY_TASK_H
#define HEDDLE_CLI_STUDY_TASK_H

#include "cli/study_ask.h"

study_act study_task;   /* --task FILE:K */
study_act study_shard;  /* --shard K/N */
study_act study_record; /* --record K/N */

#endif
