/* sweep_child.h - what the processes of a sweep do: record a program, or replay it on a machine;
 * and the file by which a replay tells its statistics. */
#ifndef HEDDLE_CLI_SWEEP_CHILD_H
#define HEDDLE_CLI_SWEEP_CHILD_H

#include "cli/sweep.h"

struct sweep_child {
    const struct sweep *sweep;
    const struct sweep_run *run; /* to replay; NULL: to record */
    const char *stream;          /* of the program */
    const char *result;          /* file of the statistics */
};

bool sweep_child_do(void *child, struct err *e); /* a body of process.h */
/* What a replay left. */
bool sweep_child_read(struct sweep_run *r, const char *result, struct arena *a, struct err *e);

#endif
