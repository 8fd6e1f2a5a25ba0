/* launch_file.h - a YAML file that does what a host program would: buffers, launches, checks.
 * docs/own-kernel.md describes it. */
#ifndef HEDDLE_CLI_LAUNCH_FILE_H
#define HEDDLE_CLI_LAUNCH_FILE_H

#include "cli/values.h"
#include "heddle/heddle.h"

enum launch_name_kind { LAUNCH_BUFFER, LAUNCH_SCALAR, LAUNCH_TEXTURE };

struct launch_buffer {
    const struct tree *at;
    struct values values;
    uint64_t count;
};

struct launch_scalar {
    const struct tree *at;
    uint32_t bytes, align;
    const uint8_t *data;
};

struct launch_texture {
    const struct tree *at;
    uint32_t buffer;
    struct hd_texture_desc desc; /* without its address */
};

struct launch_symbol { /* a __device__ or __constant__ variable to be set */
    const struct tree *at;
    struct values values;
};

struct launch_arg {
    enum launch_name_kind kind;
    uint32_t index;
};

struct launch_registers { /* per thread, of the kernel that is the entry's key */
    const struct tree *at;
    uint32_t n;
};

struct launch {
    const struct tree *at;
    const char *kernel;
    struct hd_dim grid, block;
    uint32_t shared_bytes, nargs;
    struct launch_arg *args;
};

struct launch_expect {
    const struct tree *at;
    uint32_t buffer;
    struct values values;
    double absolute, relative;
};

struct launch_dump {
    const struct tree *at;
    uint32_t buffer;
    const char *path;
};

struct launch_file {
    struct arena *arena;
    uint64_t seed;
    uint32_t nbuffers, nscalars, ntextures, nsymbols, nregisters, nlaunches, nexpects, ndumps;
    struct launch_buffer *buffers;
    struct launch_scalar *scalars;
    struct launch_texture *textures;
    struct launch_symbol *symbols;
    struct launch_registers *registers;
    struct launch *launches;
    struct launch_expect *expects;
    struct launch_dump *dumps;
};

/* NULL with *e set.  `seed` is that of random buffers without their own. */
struct launch_file *launch_file_read(struct arena *a, const char *path, uint64_t seed,
                                     struct err *e);
/* Whether the module has what is launched and set, with these arguments. */
bool launch_file_check(const struct launch_file *f, struct hd_module *m, struct err *e);
/* Does it all.  Expectations are looked at only if `verify`. */
bool launch_file_run(const struct launch_file *f, struct hd_device *d, struct hd_module *m,
                     bool verify, struct err *e);

/* launch_texture.c */
bool launch_texture_read(const struct tree *t, const struct launch_buffer *b,
                         struct launch_texture *x, struct err *e);

#endif
