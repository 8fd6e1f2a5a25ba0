/* memory.h - what a run has allocated; made and freed by workload_run, filled by work_*. */
#ifndef HEDDLE_WORKLOADS_MEMORY_H
#define HEDDLE_WORKLOADS_MEMORY_H

#include "base/arena.h"
#include "heddle/heddle.h"

struct work_buffer {
    hd_ptr address;
    struct work_buffer *next;
};

struct work_texture {
    hd_texture handle;
    struct work_texture *next;
};

struct work_memory {
    struct arena *host;
    struct work_buffer *device; /* latest first */
    struct work_texture *textures;
};

#endif
