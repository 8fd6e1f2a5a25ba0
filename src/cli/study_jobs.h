/* study_jobs.h - the jobs that a study has been submitted as, in the file cluster/jobs of its folder.
 *
 * Every submission has a name of its own, which all its jobs have in Slurm, too: it is written down
 * before the first is submitted, so that none can get lost.  Ids alone would not do: clusters use
 * them again. */
#ifndef HEDDLE_CLI_STUDY_JOBS_H
#define HEDDLE_CLI_STUDY_JOBS_H

#include "cli/study_ask.h"

/* The folder "cluster". */
const char *study_jobs_folder(struct arena *a, const struct study_ask *o);
/* A new name. */
const char *study_jobs_name(struct arena *a, const struct study_ask *o, const struct study *s);
/* Adds a line. */
bool study_jobs_note(struct arena *a, const struct study_ask *o, const char *line, struct err *e);
/* All names, with commas between them; NULL: it never was submitted. */
const char *study_jobs_names(struct arena *a, const struct study_ask *o);
/* The gather has come to its end with all runs done: nothing is owed to the last submission. */
bool study_jobs_settle(struct arena *a, const struct study_ask *o, struct err *e);
/* Whether a submission's gather is yet to come to its end. */
bool study_jobs_owe(struct arena *a, const struct study_ask *o);
/* --cancel: the jobs of these names. */
study_act study_jobs_cancel;

#endif
