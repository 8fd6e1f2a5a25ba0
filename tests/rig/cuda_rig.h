/* cuda_rig.h - runs kernels of tests/kernels as each compiler makes them. */
#ifndef RIG_CUDA_RIG_H
#define RIG_CUDA_RIG_H

#include "heddle/heddle.h"

struct cuda_rig {
    struct hd_device *device;
    struct hd_module *module;
    struct hd_args args;
};

/* The folders of HEDDLE_TEST_KERNELS that have a PTX of this name; at least clang's O0 and O3. */
uint32_t cuda_rig_compilers(const char *name, const char *folders[3]);
struct cuda_rig cuda_rig_new(const char *folder, const char *name);
void cuda_rig_free(struct cuda_rig *r);

/* A buffer that is the kernel's next parameter; without data it is zero.  It lives with the rig. */
hd_ptr cuda_rig_buffer(struct cuda_rig *r, const void *data, uint64_t bytes);
void cuda_rig_download(struct cuda_rig *r, void *to, hd_ptr from, uint64_t bytes);
/* Launches with the parameters collected so far, and forgets them. */
void cuda_rig_launch(struct cuda_rig *r, const char *kernel, struct hd_dim grid,
                     struct hd_dim block, uint32_t shared);

#endif
