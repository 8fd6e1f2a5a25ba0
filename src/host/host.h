/* host.h - the device as its host sees it: memory, modules, launches, recording.
 *
 * libheddle's public functions (heddle/device.h) are thin wrappers around these. */
#ifndef HEDDLE_HOST_HOST_H
#define HEDDLE_HOST_HOST_H

#include "dev/devmem.h"
#include "dev/texture.h"
#include "ptx/code.h"
#include "stream/stream.h"

struct stream_store;

struct host_launch_info {
    const struct code *code;
    uint32_t grid[3], block[3];
    uint32_t registers[STREAM_COUNTS], shared_bytes;
    uint64_t warp_insns, thread_insns;
    uint64_t assembled_insns; /* warp instructions of the assembled view; 0: there is none */
    uint64_t global_loads, global_stores, shared_accesses, atomics;
    uint64_t stream_bytes;
    bool has_grid_spin;
    double wall_s;
};

struct host_options {
    bool check, no_stream, portable; /* portable: handlers that every machine can run */
    uint64_t max_insns;              /* 0: no limit */
    uint64_t memory_bytes, spool_bytes;
    uint32_t regs_per_thread; /* given for every kernel; 0: not */
    void (*print)(void *context, const char *text, size_t n);
    void (*launched)(void *context, const struct host_launch_info *info);
    void (*progress)(void *context, uint64_t ctas_done, uint64_t ctas);
    /* Whether nobody wants what is being executed: asked after each CTA; may be NULL. */
    bool (*is_stopped)(void *context);
    void *context;
};

struct host;
struct host_module;
struct host_function;

struct host *host_new(const struct host_options *o, struct err *e);
void host_free(struct host *h);
struct devmem *host_memory(const struct host *h);
struct texture_table *host_textures(const struct host *h);
const struct host_options *host_options(const struct host *h);

/* module.c */
struct host_module *host_module_load(struct host *h, const char *name, const char *text,
                                     size_t length, struct err *e);
const struct host_function *host_module_function(struct host_module *m, const char *name,
                                                 struct err *e);
bool host_module_symbol(const struct host_module *m, const char *name, uint64_t *address,
                        uint64_t *bytes, struct err *e);
const struct code *host_function_code(const struct host_function *f);
/* Registers per thread of a kernel as somebody else counts them; 0: nobody does. */
bool host_module_set_registers(struct host_module *m, const char *kernel, enum stream_count count,
                               uint32_t registers, struct err *e);
/* All counts of a kernel. */
void host_function_registers(const struct host_function *f, uint32_t registers[STREAM_COUNTS]);

/* launch.c */
struct host_launch {
    const struct host_function *function;
    uint32_t grid[3], block[3], dynamic_shared_bytes;
    const uint8_t *params;
    uint32_t param_bytes;
};
/* Executes a kernel.  *stream, where it is asked for, then has what it did, and is the caller's. */
bool host_launch(struct host *h, const struct host_launch *l, struct stream_store **stream,
                 struct err *e);
bool host_record_begin(struct host *h, const char *path, const char *workload, struct err *e);
bool host_record_end(struct host *h, struct err *e);

#endif
