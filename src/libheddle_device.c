/* libheddle_device.c - the public interface of devices (heddle/device.h), in terms of src/host. */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"
#include "host/host.h"
#include "libheddle_error.h"
#include "libheddle_gpu.h"
#include "stream/source.h"

struct hd_device {
    struct arena *arena;
    struct host *host;
    struct hd_device_options options;
    struct stream_driver *driver; /* that gets the streams of launches, or NULL */
    const int *stop;              /* of a hd_watch, or NULL */
};

struct hd_stream {
    struct hd_device *device;
};

static struct hd_module *as_module(struct host_module *m)
{
    return (struct hd_module *)m;
}
static struct host_module *of_module(struct hd_module *m)
{
    return (struct host_module *)m;
}

static const struct host_function *of_function(const struct hd_function *f)
{
    return (const struct host_function *)f;
}

_Static_assert((int)HD_BY_LIVENESS == COUNT_LIVENESS && (int)HD_BY_ASSEMBLER == COUNT_ASSEMBLER &&
                   (int)HD_GIVEN == COUNT_GIVEN,
               "the two sides name counts alike");
_Static_assert(HD_PARAMETER_BYTES == CODE_MAX_PARAM_BYTES,
               "what a kernel can declare can be given to it");

/* --- device ----------------------------------------------------------------------------------- */

static void print(void *context, const char *text, size_t n)
{
    struct hd_device *d = context;
    if (d->options.print)
        d->options.print(d->options.context, text, n);
    else
        fwrite(text, 1, n, stdout);
}

static struct hd_dim as_dim(const uint32_t v[3])
{
    return (struct hd_dim){v[0], v[1], v[2]};
}

static void launched(void *context, const struct host_launch_info *i)
{
    struct hd_device *d = context;
    if (!d->options.launched)
        return;
    enum stream_count count = stream_best_count(i->registers, false);
    struct hd_launch_info info = {.kernel = i->code->name,
                                  .grid = as_dim(i->grid),
                                  .block = as_dim(i->block),
                                  .regs_per_thread = i->registers[count],
                                  .regs_from = (enum hd_register_count)count,
                                  .shared_bytes = i->shared_bytes,
                                  .local_bytes = i->code->local_bytes,
                                  .warp_insns = i->warp_insns,
                                  .thread_insns = i->thread_insns,
                                  .global_loads = i->global_loads,
                                  .global_stores = i->global_stores,
                                  .shared_accesses = i->shared_accesses,
                                  .atomics = i->atomics,
                                  .stream_bytes = i->stream_bytes,
                                  .has_grid_spin = i->has_grid_spin,
                                  .wall_s = i->wall_s,
                                  .insns = i->code->ninsns,
                                  .assembled = stream_assembled_total(&i->code->assembled),
                                  .assembled_insns = i->assembled_insns};
    d->options.launched(d->options.context, &info);
}

static bool was_stopped(const struct hd_device *d)
{
    return d->stop && __atomic_load_n(d->stop, __ATOMIC_RELAXED);
}

static bool is_stopped(void *context)
{
    const struct hd_device *d = context;
    return was_stopped(d) || (d->driver && stream_driver_is_stopped(d->driver));
}

static void progress(void *context, uint64_t done, uint64_t ctas)
{
    struct hd_device *d = context;
    d->options.progress(d->options.context, done, ctas);
}

struct hd_device *hd_device_new(const struct hd_device_options *o, struct hd_error *e)
{
    struct err err = {0};
    struct arena *a = arena_new();
    struct hd_device *d = ARENA_NEW(a, struct hd_device);
    d->arena = a;
    if (o)
        d->options = *o;
    if (d->options.gpu)
        d->stop = libheddle_stop(d->options.gpu);
    struct host_options ho = {.check = d->options.check,
                              .no_stream = d->options.no_stream,
                              .portable = d->options.portable,
                              .max_insns = d->options.max_insns,
                              .memory_bytes = d->options.memory_bytes,
                              .spool_bytes = d->options.spool_bytes,
                              .regs_per_thread = d->options.regs_per_thread,
                              .print = print,
                              .launched = launched,
                              .progress = d->options.progress ? progress : NULL,
                              .is_stopped = is_stopped,
                              .context = d};
    d->host = host_new(&ho, &err);
    if (pass(&err, e))
        return d;
    arena_free(a);
    return NULL;
}

void hd_device_free(struct hd_device *d)
{
    if (!d)
        return;
    host_free(d->host);
    arena_free(d->arena);
}

void hd_device_watch(struct hd_device *d, const int *stop)
{
    d->stop = stop;
}

/* --- memory ----------------------------------------------------------------------------------- */

bool hd_malloc(struct hd_device *d, hd_ptr *p, uint64_t bytes, struct hd_error *e)
{
    struct err err = {0};
    *p = devmem_alloc(host_memory(d->host), bytes, &err);
    return pass(&err, e);
}

bool hd_free(struct hd_device *d, hd_ptr p, struct hd_error *e)
{
    struct err err = {0};
    if (p)
        devmem_release(host_memory(d->host), p, &err);
    return pass(&err, e);
}

bool hd_upload(struct hd_device *d, hd_ptr to, const void *from, uint64_t bytes, struct hd_error *e)
{
    struct err err = {0};
    devmem_write(host_memory(d->host), to, from, bytes, &err);
    return pass(&err, e);
}

bool hd_download(struct hd_device *d, void *to, hd_ptr from, uint64_t bytes, struct hd_error *e)
{
    struct err err = {0};
    devmem_read(host_memory(d->host), to, from, bytes, &err);
    return pass(&err, e);
}

bool hd_copy(struct hd_device *d, hd_ptr to, hd_ptr from, uint64_t bytes, struct hd_error *e)
{
    struct err err = {0};
    devmem_copy(host_memory(d->host), to, from, bytes, &err);
    return pass(&err, e);
}

bool hd_memset(struct hd_device *d, hd_ptr to, uint8_t value, uint64_t bytes, struct hd_error *e)
{
    struct err err = {0};
    devmem_set(host_memory(d->host), to, value, bytes, &err);
    return pass(&err, e);
}

uint64_t hd_memory_used(const struct hd_device *d)
{
    return devmem_live_bytes(host_memory(d->host));
}

/* --- modules ---------------------------------------------------------------------------------- */

struct hd_module *hd_module_load(struct hd_device *d, const char *name, const char *text,
                                 size_t length, struct hd_error *e)
{
    struct err err = {0};
    struct host_module *m = host_module_load(d->host, name, text, length, &err);
    pass(&err, e);
    return as_module(m);
}

static char *read_whole(struct arena *a, const char *path, size_t *length, struct err *e)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        err_set(e, STATUS_BAD_INPUT, "%s: cannot read", path);
        if (f)
            fclose(f);
        return NULL;
    }
    long size = ftell(f);
    rewind(f);
    char *text = arena_alloc(a, size > 0 ? (size_t)size : 1);
    *length = size > 0 ? fread(text, 1, (size_t)size, f) : 0;
    bool ok = size >= 0 && *length == (size_t)size && !ferror(f);
    fclose(f);
    if (!ok)
        err_set(e, STATUS_BAD_INPUT, "%s: cannot read", path);
    return ok ? text : NULL;
}

struct hd_module *hd_module_load_file(struct hd_device *d, const char *path, struct hd_error *e)
{
    struct err err = {0};
    struct arena *a = arena_new();
    size_t length = 0;
    struct host_module *m = NULL;
    char *text = read_whole(a, path, &length, &err);
    if (text)
        m = host_module_load(d->host, path, text, length, &err);
    arena_free(a);
    pass(&err, e);
    return as_module(m);
}

const struct hd_function *hd_module_function(struct hd_module *m, const char *name,
                                             struct hd_error *e)
{
    struct err err = {0};
    const struct host_function *f = host_module_function(of_module(m), name, &err);
    pass(&err, e);
    return (const struct hd_function *)f;
}

bool hd_module_symbol(struct hd_module *m, const char *name, hd_ptr *address, uint64_t *bytes,
                      struct hd_error *e)
{
    struct err err = {0};
    host_module_symbol(of_module(m), name, address, bytes, &err);
    return pass(&err, e);
}

bool hd_module_set_registers(struct hd_module *m, const char *kernel, enum hd_register_count count,
                             uint32_t registers, struct hd_error *e)
{
    struct err err = {0};
    if (count != HD_BY_ASSEMBLER && count != HD_GIVEN)
        err_set(&err, STATUS_BAD_INPUT, "kernel %s: liveness counts its registers by itself",
                kernel);
    else if (registers > STREAM_MAX_REGISTERS)
        err_set(&err, STATUS_BAD_INPUT, "kernel %s: %u registers per thread, at most %d", kernel,
                registers, STREAM_MAX_REGISTERS);
    else
        host_module_set_registers(of_module(m), kernel, (enum stream_count)count, registers, &err);
    return pass(&err, e);
}

struct hd_function_info hd_function_info(const struct hd_function *f)
{
    const struct code *c = host_function_code(of_function(f));
    uint32_t most = 1024, registers[STREAM_COUNTS];
    host_function_registers(of_function(f), registers);
    enum stream_count count = stream_best_count(registers, false);
    if (c->maxntid[0])
        most = c->maxntid[0] * (c->maxntid[1] ? c->maxntid[1] : 1) *
               (c->maxntid[2] ? c->maxntid[2] : 1);
    return (struct hd_function_info){.name = c->name,
                                     .regs_per_thread = registers[count],
                                     .regs_from = (enum hd_register_count)count,
                                     .shared_bytes = c->shared_bytes,
                                     .local_bytes = c->local_bytes,
                                     .param_bytes = c->param_bytes,
                                     .max_threads = most < 1024 ? most : 1024,
                                     .insns = c->ninsns};
}

static const char *type_name(enum ast_type t)
{
    static const char *const names[] = {
        [TYPE_NONE] = "",        [TYPE_PRED] = "pred", [TYPE_B8] = "b8",     [TYPE_B16] = "b16",
        [TYPE_B32] = "b32",      [TYPE_B64] = "b64",   [TYPE_B128] = "b128", [TYPE_U8] = "u8",
        [TYPE_U16] = "u16",      [TYPE_U32] = "u32",   [TYPE_U64] = "u64",   [TYPE_S8] = "s8",
        [TYPE_S16] = "s16",      [TYPE_S32] = "s32",   [TYPE_S64] = "s64",   [TYPE_F16] = "f16",
        [TYPE_F16X2] = "f16x2",  [TYPE_F32] = "f32",   [TYPE_F64] = "f64",   [TYPE_BF16] = "bf16",
        [TYPE_BF16X2] = "bf16x2"};
    return names[t];
}

bool hd_function_parameter(const struct hd_function *f, uint32_t i, struct hd_parameter_info *p)
{
    const struct code *c = host_function_code(of_function(f));
    for (uint32_t k = 0; k < c->ast->nfuncs; k++) {
        const struct ast_func *fn = &c->ast->funcs[k];
        if (!fn->is_entry || strcmp(fn->name, c->name) != 0 || i >= fn->nparams)
            continue;
        const struct ast_var *v = &fn->params[i];
        uint32_t element = ast_type_bytes(v->type) * v->vec;
        *p = (struct hd_parameter_info){.type = type_name(v->type),
                                        .count = v->count * v->vec,
                                        .bytes = (uint32_t)(element * v->count),
                                        .align = v->align ? v->align : element};
        return true;
    }
    return false;
}

/* --- streams and launches --------------------------------------------------------------------- */

struct hd_stream *hd_stream_new(struct hd_device *d, struct hd_error *e)
{
    struct hd_stream *s = ARENA_NEW(d->arena, struct hd_stream);
    s->device = d;
    pass(&(struct err){0}, e);
    return s;
}

void hd_stream_free(struct hd_stream *s)
{
    (void)s; /* its memory is the device's */
}

/* What a launch did goes to the device's machine, or to who asks the driver for it. */
static void hand_on(struct hd_device *d, struct stream_store *stream, struct err *e)
{
    if (d->driver) {
        stream_driver_offer(d->driver, stream, e);
        return;
    }
    machine_run(libheddle_machine(d->options.gpu), stream, e);
    stream_store_free(stream);
}

void libheddle_drive(struct hd_device *d, struct stream_driver *driver)
{
    d->driver = driver;
}

bool hd_launch(struct hd_device *d, const struct hd_function *f, struct hd_dim grid,
               struct hd_dim block, uint32_t dynamic_shared_bytes, const struct hd_args *args,
               struct hd_stream *stream, struct hd_error *e)
{
    struct err err = {0};
    (void)stream; /* executed at once: the order of the calls is an order of every stream */
    if (args && args->bytes > HD_PARAMETER_BYTES) {
        err_set(&err, STATUS_BAD_INPUT, "kernel %s: more than %d bytes of parameters given",
                host_function_code(of_function(f))->name, HD_PARAMETER_BYTES);
        return pass(&err, e);
    }
    struct host_launch l = {.function = of_function(f),
                            .grid = {grid.x, grid.y, grid.z},
                            .block = {block.x, block.y, block.z},
                            .dynamic_shared_bytes = dynamic_shared_bytes,
                            .params = args ? args->data : NULL,
                            .param_bytes = args ? args->bytes : 0};
    struct stream_store *done = NULL;
    bool is_timed = d->options.gpu || d->driver;
    if (host_launch(d->host, &l, is_timed ? &done : NULL, &err)) {
        if (is_timed)
            hand_on(d, done, &err);
    } else if (err.status == STATUS_BUDGET && was_stopped(d)) {
        err.status = STATUS_STOPPED; /* it was said to mean that nobody wants to know */
    }
    return pass(&err, e);
}

bool hd_stream_sync(struct hd_stream *s, struct hd_error *e)
{
    (void)s;
    return pass(&(struct err){0}, e);
}

bool hd_device_sync(struct hd_device *d, struct hd_error *e)
{
    (void)d;
    return pass(&(struct err){0}, e);
}

/* --- textures and recording ------------------------------------------------------------------- */

bool hd_texture_new(struct hd_device *d, const struct hd_texture_desc *t, hd_texture *handle,
                    struct hd_error *e)
{
    struct err err = {0};
    struct texture tex = {.address = t->address,
                          .width = t->width,
                          .height = t->height,
                          .depth = t->depth,
                          .layers = t->layers,
                          .pitch_bytes = t->pitch_bytes,
                          .channels = (uint8_t)t->channels,
                          .bits = (uint8_t)t->bits,
                          .format = (uint8_t)t->kind,
                          .filter = (uint8_t)t->filter,
                          .is_normalized_coords = t->normalized_coords,
                          .reads_normalized_float = t->normalized_float,
                          .is_linear_memory = t->is_linear_memory};
    if (tex.pitch_bytes == 0)
        tex.pitch_bytes = (uint64_t)t->width * t->channels * t->bits / 8;
    for (int k = 0; k < 3; k++)
        tex.addressing[k] = (uint8_t)t->addressing[k];
    memcpy(tex.border, t->border, sizeof tex.border);
    *handle = texture_table_add(host_textures(d->host), &tex, &err);
    return pass(&err, e);
}

bool hd_texture_free(struct hd_device *d, hd_texture handle, struct hd_error *e)
{
    struct err err = {0};
    texture_table_remove(host_textures(d->host), handle, &err);
    return pass(&err, e);
}

bool hd_record_begin(struct hd_device *d, const char *path, const char *workload,
                     struct hd_error *e)
{
    struct err err = {0};
    host_record_begin(d->host, path, workload, &err);
    return pass(&err, e);
}

bool hd_record_end(struct hd_device *d, struct hd_error *e)
{
    struct err err = {0};
    host_record_end(d->host, &err);
    return pass(&err, e);
}
