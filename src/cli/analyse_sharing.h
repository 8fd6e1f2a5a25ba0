/* analyse_sharing.h - what analysis/sharing.h saw, as tables. */
#ifndef HEDDLE_CLI_ANALYSE_SHARING_H
#define HEDDLE_CLI_ANALYSE_SHARING_H

#include "cli/run_report.h"

void analyse_sharing_print(const struct run_report *r, struct arena *a, FILE *out);

#endif
