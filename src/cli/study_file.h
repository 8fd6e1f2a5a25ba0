/* study_file.h - where studies are found, a path or a name in the data folder "studies", and what
 * they name. */
#ifndef HEDDLE_CLI_STUDY_FILE_H
#define HEDDLE_CLI_STUDY_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "study/job.h"

/* NULL with *e set, and a near name suggested, when there is none. */
const char *study_file_find(struct arena *a, const char *name, struct err *e);
/* Names of all in the folder, sorted, and how many. */
int study_file_names(struct arena *a, const char *const **names);

/* Where the machines, networks and kernels are that studies name. */
extern const struct study_above study_file_above;

#endif
