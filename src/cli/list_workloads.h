/* list_workloads.h - heddle list workloads. */
#ifndef HEDDLE_CLI_LIST_WORKLOADS_H
#define HEDDLE_CLI_LIST_WORKLOADS_H

#include "base/err.h"

/* `size` and `json` may be NULL: tiny, and a table for people.  A workload that cannot be executed
 * is shown with the reason, and is an error when all have been shown. */
bool list_workloads(bool names_only, const char *size, const char *json, struct err *e);

#endif
