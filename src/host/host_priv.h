/* host_priv.h - shared by the files of src/host. */
#ifndef HEDDLE_HOST_HOST_PRIV_H
#define HEDDLE_HOST_HOST_PRIV_H

#include "host/host.h"
#include "stream/store.h"

struct host {
    struct arena *arena;
    struct host_options options;
    struct devmem *mem;
    struct texture_table *textures;
    struct host_module *modules;
    struct stream_file_writer *recorder; /* NULL: streams are spooled in memory */
    uint64_t insns_left;
};

struct host_symbol {
    const struct ast_var *var;
    uint64_t address, bytes;
};

struct host_function {
    struct host_function *next;
    const struct host_module *module;
    const struct code *code;
    uint32_t number; /* among the module's functions */
};

struct host_module {
    struct host_module *next;
    struct host *host;
    struct arena *arena;
    const struct ast_module *ast;
    struct host_symbol *symbols;
    uint32_t nsymbols;
    uint32_t (*registers)[STREAM_COUNTS]; /* by function; the count of liveness is the code's */
    struct host_function *functions;      /* lowered so far */
};

void host_module_free(struct host_module *m);

#endif
