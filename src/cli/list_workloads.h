/* list_workloads.h - heddle list workloads. */
#ifndef HEDDLE_CLI_LIST_WORKLOADS_H
#define HEDDLE_CLI_LIST_WORKLOADS_H

#include "base/err.h"

struct list_workloads_options { /* what is NULL was not asked for */
    bool names_only;
    const char *size;          /* executes at this size: a row of figures for each */
    const char *details;       /* "HS,BFS" or "all": executes, and shows kernels */
    const char *suite, *paper; /* only workloads of it */
    const char *with;          /* "texture,fp64": only those that use all of these */
    const char *json, *csv;    /* files; they execute, too */
};

/* A workload that cannot be executed is shown with the reason, and is an error when all have been
 * shown. */
bool list_workloads(const struct list_workloads_options *o, struct err *e);

#endif
