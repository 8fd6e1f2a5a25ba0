/* analyse_meetings.h - what analysis/meetings.h saw, as a table. */
#ifndef HEDDLE_CLI_ANALYSE_MEETINGS_H
#define HEDDLE_CLI_ANALYSE_MEETINGS_H

#include "cli/run_report.h"

void analyse_meetings_print(const struct run_report *r, struct arena *a, FILE *out);

#endif
