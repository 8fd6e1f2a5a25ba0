/* fuzz_exec.c - bytes as a PTX module whose every kernel is lowered and launched.
 *
 * A module may begin with a comment, "//" and one character, whose low bits choose how it is run:
 * 1 with checks, 2 without a stream, 4 with a second launch by the handlers that every host has,
 * which must leave the same memory behind.  Nothing may crash, leak or go on for ever; an error
 * must be one line.  The mutator (exec_mutator.h) changes modules line by line, so that many
 * mutants still get as far as being executed. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exec_mutator.h"
#include "host/host.h"

enum { BUFFER_BYTES = 4096, BUDGET = 20000, GRID = 2, BLOCK = 64, SHARED = 512 };
enum { RUN_CHECKED = 1, RUN_STREAMLESS = 2, RUN_TWICE = 4 };

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_error(const struct err *e)
{
    check(e->status != STATUS_DONE && e->text[0] && !strchr(e->text, '\n'));
}

static void no_print(void *context, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *(uint32_t *)context = *(uint32_t *)context * 31 + (uint8_t)text[i];
}

/* --- arguments ------------------------------------------------------------------------------- */

static uint64_t make_texture(struct host *h, uint64_t buffer)
{
    struct texture t = {.address = buffer,
                        .width = 8,
                        .height = 8,
                        .pitch_bytes = 128,
                        .channels = 4,
                        .bits = 32,
                        .format = TEX_FLOAT,
                        .addressing = {TEX_WRAP, TEX_MIRROR, TEX_CLAMP},
                        .filter = TEX_LINEAR,
                        .is_normalized_coords = true};
    struct err e = {0};
    return texture_table_add(host_textures(h), &t, &e);
}

static const struct ast_func *function_of(const struct code *c)
{
    for (uint32_t i = 0; i < c->ast->nfuncs; i++)
        if (c->ast->funcs[i].has_body && strcmp(c->ast->funcs[i].name, c->name) == 0)
            return &c->ast->funcs[i];
    return NULL;
}

/* Eight-byte words are the buffer's address or, in parameters whose name begins with t, a texture;
 * the rest of the block is small integers. */
static void fill_params(const struct code *c, uint64_t buffer, uint64_t texture, uint8_t *block)
{
    const struct ast_func *f = function_of(c);
    bool has_texture = f && f->nparams && f->params[0].name[0] == 't';
    for (uint32_t i = 0; i < c->param_bytes; i += 4) {
        uint32_t small = 5 + i;
        memcpy(block + i, &small, c->param_bytes - i < 4 ? c->param_bytes - i : 4);
    }
    uint32_t at = 0;
    for (uint32_t i = 0; f && i < f->nparams; i++) {
        bool is_wide = f->params[i].type == TYPE_U64 || f->params[i].type == TYPE_B64;
        if (is_wide)
            at = (at + 7) / 8 * 8;
        if (is_wide && !f->params[i].is_array && at + 8 <= c->param_bytes)
            memcpy(block + at, has_texture && i == 0 ? &texture : &buffer, 8);
        at += is_wide ? 8 : 4;
    }
}

/* --- running --------------------------------------------------------------------------------- */

static uint32_t digest(uint32_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = hash * 31 + ((const uint8_t *)bytes)[i];
    return hash;
}

static bool launch(struct host *h, const struct host_function *f, uint64_t buffer, uint64_t texture,
                   uint32_t *hash)
{
    static const uint32_t most_params = 1 << 16;
    const struct code *c = host_function_code(f);
    if (c->param_bytes > most_params)
        return true;
    struct arena *a = arena_new();
    uint8_t *params = arena_alloc(a, c->param_bytes);
    fill_params(c, buffer, texture, params);
    struct host_launch l = {.function = f,
                            .grid = {GRID, 1, 1},
                            .block = {BLOCK, 1, 1},
                            .dynamic_shared_bytes = SHARED,
                            .params = params,
                            .param_bytes = c->param_bytes};
    for (int d = 0; d < 3 && c->reqntid[0]; d++)
        l.block[d] = c->reqntid[d] ? c->reqntid[d] : 1;
    struct err e = {0};
    bool ok = host_launch(h, &l, NULL, &e);
    if (!ok)
        check_error(&e);
    *hash = digest(*hash, e.text, strlen(e.text));
    arena_free(a);
    return ok;
}

static uint32_t memory_digest(struct host *h, uint64_t buffer, uint32_t hash)
{
    uint8_t image[BUFFER_BYTES];
    struct err e = {0};
    check(devmem_read(host_memory(h), image, buffer, sizeof image, &e));
    return digest(hash, image, sizeof image);
}

static void run_kernels(struct host *h, struct host_module *m, const char *const *names, uint32_t n,
                        uint32_t *hash)
{
    struct err e = {0};
    uint64_t buffer = devmem_alloc(host_memory(h), BUFFER_BYTES, &e);
    uint64_t texture = make_texture(h, buffer);
    for (uint32_t i = 0; buffer && i < n; i++) {
        struct err refused = {0};
        const struct host_function *f = host_module_function(m, names[i], &refused);
        if (!f)
            check_error(&refused);
        else
            launch(h, f, buffer, texture, hash);
    }
    if (buffer)
        *hash = memory_digest(h, buffer, *hash);
}

/* The names behind ".entry", in the text itself: the module does not list them. */
enum { MAX_KERNELS = 4, MAX_NAME = 64 };
static uint32_t find_kernels(const char *text, size_t size, char names[][MAX_NAME])
{
    uint32_t n = 0;
    for (size_t i = 0; i + 7 < size && n < MAX_KERNELS; i++) {
        if (memcmp(text + i, ".entry ", 7) != 0)
            continue;
        uint32_t k = 0;
        for (i += 7; i < size && (isalnum((uint8_t)text[i]) || strchr("_$%", text[i])); i++)
            if (text[i] && k + 1 < MAX_NAME)
                names[n][k++] = text[i];
        names[n++][k] = 0;
    }
    return n;
}

static uint32_t run(const char *text, size_t size, uint32_t how, bool is_portable)
{
    uint32_t hash = 0;
    struct host_options o = {.check = how & RUN_CHECKED,
                             .no_stream = how & RUN_STREAMLESS,
                             .portable = is_portable,
                             .max_insns = BUDGET,
                             .memory_bytes = 1 << 20,
                             .print = no_print,
                             .context = &hash};
    struct err e = {0};
    struct host *h = host_new(&o, &e);
    check(h != NULL);
    struct host_module *m = host_module_load(h, "fuzz.ptx", text, size, &e);
    if (m) {
        char found[MAX_KERNELS][MAX_NAME];
        const char *names[MAX_KERNELS];
        uint32_t n = find_kernels(text, size, found);
        for (uint32_t i = 0; i < n; i++)
            names[i] = found[i];
        run_kernels(h, m, names, n, &hash);
    } else {
        check_error(&e);
    }
    host_free(h);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    uint32_t how = size > 2 && memcmp(data, "//", 2) == 0 ? data[2] : 0;
    uint32_t hash = run(text, size, how, false);
    if (how & RUN_TWICE)
        check(run(text, size, how, true) == hash);
    return 0;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    if (seed % 16 == 0 || size == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    return exec_mutate((char *)data, size, max_size, seed);
}
