/* kernels.h - the PTX that cmake/kernels.cmake compiled and built in; the table is generated. */
#ifndef HEDDLE_WORKLOADS_KERNELS_H
#define HEDDLE_WORKLOADS_KERNELS_H

#include <stddef.h>

struct workload_kernels {
    const char *name; /* kernels/<name>.cu */
    const char *ptx;  /* NUL-terminated */
    size_t length;    /* without the NUL */
};

extern const struct workload_kernels workload_kernels[]; /* the last one has no name */

#endif
