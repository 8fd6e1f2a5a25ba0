/* launch_run.c - does what a launch file says: fills memory, launches, compares, dumps. */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/infile.h"
#include "cli/launch_file.h"

enum { CHUNK = 8192 }; /* elements that are held on the host at once */

struct runner {
    const struct launch_file *file;
    struct hd_device *device;
    struct hd_module *module;
    hd_ptr *buffers;
    hd_texture *textures;
    uint8_t got[CHUNK * 8], want[CHUNK * 8];
};

/* The device's complaint about what line `at` asks for. */
static bool blame(const struct tree *at, const struct hd_error *he, struct err *e)
{
    if (he->status == HD_BAD_INPUT)
        return tree_refuse(at, e, "%s", he->text);
    return err_set(e, (enum status)he->status, "%s", he->text);
}

static uint64_t chunk_at(uint64_t first, uint64_t count)
{
    return count - first < CHUNK ? count - first : CHUNK;
}

/* ---- in ------------------------------------------------------------------------------------ */

static bool fill(struct runner *r, const struct tree *at, hd_ptr to, const struct values *v,
                 uint64_t count, struct err *e)
{
    struct hd_error he = {0};
    for (uint64_t i = 0; i < count; i += CHUNK) {
        uint64_t n = chunk_at(i, count);
        values_fill(v, i, n, r->want);
        if (!hd_upload(r->device, to + i * v->type->bytes, r->want, n * v->type->bytes, &he))
            return blame(at, &he, e);
    }
    return true;
}

static bool make_buffers(struct runner *r, struct err *e)
{
    struct hd_error he = {0};
    for (uint32_t i = 0; i < r->file->nbuffers; i++) {
        const struct launch_buffer *b = &r->file->buffers[i];
        if (!hd_malloc(r->device, &r->buffers[i], b->count * b->values.type->bytes, &he))
            return blame(b->at, &he, e);
        if (!fill(r, b->at, r->buffers[i], &b->values, b->count, e))
            return false;
    }
    return true;
}

static bool make_textures(struct runner *r, struct err *e)
{
    struct hd_error he = {0};
    for (uint32_t i = 0; i < r->file->ntextures; i++) {
        const struct launch_texture *x = &r->file->textures[i];
        struct hd_texture_desc d = x->desc;
        d.address = r->buffers[x->buffer];
        if (!hd_texture_new(r->device, &d, &r->textures[i], &he))
            return blame(x->at, &he, e);
    }
    return true;
}

static bool set_symbols(struct runner *r, struct err *e)
{
    struct hd_error he = {0};
    for (uint32_t i = 0; i < r->file->nsymbols; i++) {
        const struct launch_symbol *s = &r->file->symbols[i];
        hd_ptr address;
        uint64_t bytes;
        if (!hd_module_symbol(r->module, s->at->key, &address, &bytes, &he))
            return blame(s->at, &he, e);
        uint64_t fits = bytes / s->values.type->bytes;
        uint64_t count = s->values.source == VALUES_LISTED ? s->values.nlisted : fits;
        if (count > fits)
            return tree_refuse(s->at, e, "%llu values for a variable of %llu bytes",
                               (unsigned long long)count, (unsigned long long)bytes);
        if (!fill(r, s->at, address, &s->values, count, e))
            return false;
    }
    return true;
}

static bool set_registers(struct runner *r, struct err *e)
{
    struct hd_error he = {0};
    for (uint32_t i = 0; i < r->file->nregisters; i++) {
        const struct launch_registers *x = &r->file->registers[i];
        if (!hd_module_set_registers(r->module, x->at->key, HD_GIVEN, x->n, &he))
            return blame(x->at, &he, e);
    }
    return true;
}

/* ---- launches ------------------------------------------------------------------------------ */

static void take_args(const struct runner *r, const struct launch *l, struct hd_args *args)
{
    for (uint32_t i = 0; i < l->nargs; i++) {
        uint32_t index = l->args[i].index;
        const struct launch_scalar *s = &r->file->scalars[index];
        if (l->args[i].kind == LAUNCH_BUFFER)
            hd_arg_ptr(args, r->buffers[index]);
        else if (l->args[i].kind == LAUNCH_TEXTURE)
            hd_arg_ptr(args, r->textures[index]);
        else
            hd_arg(args, s->data, s->bytes, s->align);
    }
}

static bool launch_one(struct runner *r, const struct launch *l, struct err *e)
{
    struct hd_error he = {0};
    struct hd_args args = {0};
    take_args(r, l, &args);
    const struct hd_function *f = hd_module_function(r->module, l->kernel, &he);
    bool ok = f && hd_launch(r->device, f, l->grid, l->block, l->shared_bytes, &args, NULL, &he);
    return ok || blame(l->at, &he, e);
}

static bool check_launch(const struct runner *r, const struct launch *l, struct err *e)
{
    struct hd_error he = {0};
    struct hd_args args = {0};
    const struct hd_function *f = hd_module_function(r->module, l->kernel, &he);
    if (!f)
        return blame(l->at, &he, e);
    take_args(r, l, &args);
    struct hd_function_info info = hd_function_info(f);
    return args.bytes == info.param_bytes ||
           tree_refuse(l->at, e, "kernel %s: %u bytes of parameters given, it has %u", info.name,
                       args.bytes, info.param_bytes);
}

/* ---- out ----------------------------------------------------------------------------------- */

struct difference {
    uint64_t n, index;
    char got[40], want[40]; /* of the first */
};

static bool compare(struct runner *r, const struct launch_expect *x, struct difference *diff,
                    struct err *e)
{
    const struct launch_buffer *b = &r->file->buffers[x->buffer];
    const struct value_type *type = b->values.type;
    struct hd_error he = {0};
    for (uint64_t first = 0; first < b->count; first += CHUNK) {
        uint64_t n = chunk_at(first, b->count);
        hd_ptr from = r->buffers[x->buffer] + first * type->bytes;
        if (!hd_download(r->device, r->got, from, n * type->bytes, &he))
            return blame(x->at, &he, e);
        values_fill(&x->values, first, n, r->want);
        for (uint64_t i = 0; i < n; i++) {
            const uint8_t *got = r->got + i * type->bytes, *want = r->want + i * type->bytes;
            if (values_near(type, got, want, x->absolute, x->relative) || diff->n++ > 0)
                continue;
            diff->index = first + i;
            values_print(type, got, diff->got, sizeof diff->got);
            values_print(type, want, diff->want, sizeof diff->want);
        }
    }
    return true;
}

static bool check(struct runner *r, const struct launch_expect *x, struct err *e)
{
    const struct launch_buffer *b = &r->file->buffers[x->buffer];
    struct difference diff = {0};
    if (!compare(r, x, &diff, e))
        return false;
    if (diff.n == 0)
        return true;
    return err_set(e, STATUS_FAILED, "%s:%d: %s[%llu] is %s, expected %s; %llu of %llu differ",
                   x->at->file, x->at->line, b->at->key, (unsigned long long)diff.index, diff.got,
                   diff.want, (unsigned long long)diff.n, (unsigned long long)b->count);
}

static bool write_values(FILE *out, bool is_text, const struct value_type *type,
                         const uint8_t *from, uint64_t n)
{
    if (!is_text)
        return fwrite(from, type->bytes, (size_t)n, out) == (size_t)n;
    for (uint64_t i = 0; i < n; i++) {
        char text[40];
        values_print(type, from + i * type->bytes, text, sizeof text);
        fprintf(out, "%s\n", text);
    }
    return !ferror(out);
}

static bool dump(struct runner *r, const struct launch_dump *x, struct err *e)
{
    const struct launch_buffer *b = &r->file->buffers[x->buffer];
    const struct value_type *type = b->values.type;
    struct hd_error he = {0};
    struct outfile out;
    bool is_text = infile_has_suffix(x->path, ".txt");
    if (!outfile_open(&out, x->path, e))
        return false;
    for (uint64_t first = 0; first < b->count; first += CHUNK) {
        uint64_t n = chunk_at(first, b->count);
        hd_ptr from = r->buffers[x->buffer] + first * type->bytes;
        bool ok =
            hd_download(r->device, r->got, from, n * type->bytes, &he) || blame(x->at, &he, e);
        if (ok && !write_values(out.f, is_text, type, r->got, n))
            ok = err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", x->path, strerror(errno));
        if (!ok) {
            outfile_discard(&out);
            return false;
        }
    }
    return outfile_commit(&out, e);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Dumps come first: a wrong result is when one wants to look at them. */
static bool run(struct runner *r, bool verify, struct err *e)
{
    const struct launch_file *f = r->file;
    if (!make_buffers(r, e) || !make_textures(r, e) || !set_symbols(r, e) || !set_registers(r, e))
        return false;
    for (uint32_t i = 0; i < f->nlaunches; i++)
        if (!launch_one(r, &f->launches[i], e))
            return false;
    for (uint32_t i = 0; i < f->ndumps; i++)
        if (!dump(r, &f->dumps[i], e))
            return false;
    for (uint32_t i = 0; verify && i < f->nexpects; i++)
        if (!check(r, &f->expects[i], e))
            return false;
    return true;
}

static struct runner *new_runner(const struct launch_file *f, struct hd_module *m)
{
    struct runner *r = ARENA_NEW(f->arena, struct runner);
    r->file = f;
    r->module = m;
    r->buffers = ARENA_ARRAY(f->arena, hd_ptr, f->nbuffers + 1);
    r->textures = ARENA_ARRAY(f->arena, hd_texture, f->ntextures + 1);
    return r;
}

bool launch_file_check(const struct launch_file *f, struct hd_module *m, struct err *e)
{
    struct hd_error he = {0};
    hd_ptr address;
    uint64_t bytes;
    const struct runner *r = new_runner(f, m);
    for (uint32_t i = 0; i < f->nlaunches; i++)
        if (!check_launch(r, &f->launches[i], e))
            return false;
    for (uint32_t i = 0; i < f->nsymbols; i++)
        if (!hd_module_symbol(m, f->symbols[i].at->key, &address, &bytes, &he))
            return blame(f->symbols[i].at, &he, e);
    return true;
}

bool launch_file_run(const struct launch_file *f, struct hd_device *d, struct hd_module *m,
                     bool verify, struct err *e)
{
    struct runner *r = new_runner(f, m);
    r->device = d;
    return run(r, verify, e);
}
