/* workload_rig.h - workloads as sources of kernels, as the program makes them. */
#ifndef HEDDLE_RIG_WORKLOAD_RIG_H
#define HEDDLE_RIG_WORKLOAD_RIG_H

#include "stream/source.h"
#include "workload.h"

/* Executed at size tiny, outputs not checked.  `keeps`: the source can restart. */
struct stream_source *workload_rig_source(const char *name, bool keeps);

/* The same with arguments, outputs checked; it must live as long as the source. */
struct workload_rig {
    const char *workload, *args;
};
struct stream_source *workload_rig_source_with(const struct workload_rig *w);

#endif
