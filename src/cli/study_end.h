/* study_end.h - the beginning and the end of a study, wherever its runs are done: the database knows
 * what it belongs to; results are judged, written and shown. */
#ifndef HEDDLE_CLI_STUDY_END_H
#define HEDDLE_CLI_STUDY_END_H

#include "cli/study_ask.h"

/* Whatever can be refused is refused here, and the database knows what it belongs to.  `command`
 * is what makes the study again. */
bool study_end_prepare(const struct study_ask *o, const char *command, struct arena *a,
                       struct study_note *note, struct err *e);
/* Runs that were done anew are noted as done now, at `host`. */
bool study_end_judge(const struct study_ask *o, const struct study *s, const struct study_plan *p,
                     const char *host, struct study_note *note, struct arena *a,
                     struct study_result *r, struct err *e);
/* Puts shards that tasks have left in the study's folder into its database. */
struct gather_result;
bool study_end_take_shards(const struct study_ask *o, struct arena *a, struct gather_result *r,
                           struct err *e);

#endif
