/* launch_file.c - reads a launch file: each section in turn, names resolved as they are met. */
#include "cli/launch_file.h"

#include <string.h>

#include "base/str.h"
#include "stream/stream.h"

static bool read_uint(const struct tree *t, uint64_t most, uint64_t *v, struct err *e)
{
    int64_t n;
    if (t->kind != TREE_SCALAR || !str_to_int(t->text, &n) || n < 0 || (uint64_t)n > most)
        return tree_refuse(t, e, "expected a number from 0 to %llu", (unsigned long long)most);
    *v = (uint64_t)n;
    return true;
}

/* A section and its kind; an absent one is empty. */
static bool section(const struct tree *top, const char *name, enum tree_kind kind,
                    const struct tree **first, uint32_t *n, struct err *e)
{
    const struct tree *t = tree_get(top, name);
    *first = t ? t->first : NULL;
    *n = t ? t->n : 0;
    if (t && t->kind != kind)
        return tree_refuse(t, e, "expected a %s", kind == TREE_MAP ? "map of names" : "list");
    for (const struct tree *c = *first; c; c = c->next)
        if (c->kind != TREE_MAP)
            return tree_refuse(c, e, "expected a map ({key: value, ...})");
    return true;
}

/* ---- what has a name ----------------------------------------------------------------------- */

#define MAX_COUNT (UINT64_MAX >> 8)

static bool read_buffer(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_buffer *b = &f->buffers[index];
    const struct tree *count = tree_get(t, "count");
    b->at = t;
    if (!tree_knows(t, "type|count|" VALUES_KEYS, e))
        return false;
    const struct value_type *type = values_type(t, e);
    if (!type || !values_read(f->arena, t, type, f->seed, index, &b->values, e))
        return false;
    b->count = b->values.nlisted;
    if (count && !read_uint(count, MAX_COUNT, &b->count, e))
        return false;
    if (b->count == 0)
        return tree_refuse(t, e, "expected \"count\", the number of elements, at least 1");
    return b->count >= b->values.nlisted ||
           tree_refuse(t, e, "%llu values for %llu elements", (unsigned long long)b->values.nlisted,
                       (unsigned long long)b->count);
}

/* One value, or several of one type: a struct or a vector by value. */
static bool read_scalar(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_scalar *s = &f->scalars[index];
    const struct tree *align = tree_get(t, "align");
    struct values v;
    s->at = t;
    if (!tree_knows(t, "type|value|data|align", e))
        return false;
    const struct value_type *type = values_type(t, e);
    if (!type || !values_read(f->arena, t, type, f->seed, index, &v, e))
        return false;
    uint64_t n = v.source == VALUES_LISTED ? v.nlisted : 1, aligned = type->bytes;
    if (!tree_get(t, "value") && n == 1 && v.source != VALUES_LISTED)
        return tree_refuse(t, e, "expected \"value\" (or \"data\", a list of values)");
    if (align && (!read_uint(align, 256, &aligned, e) || aligned == 0 || aligned & (aligned - 1)))
        return tree_refuse(align, e, "expected a power of two up to 256");
    if (n == 0 || n * type->bytes > HD_PARAMETER_BYTES)
        return tree_refuse(t, e, "expected 1 to %d bytes of values", HD_PARAMETER_BYTES);
    uint8_t *data = arena_alloc(f->arena, (size_t)n * type->bytes);
    values_fill(&v, 0, n, data);
    s->data = data;
    s->bytes = (uint32_t)(n * type->bytes);
    s->align = (uint32_t)aligned;
    return true;
}

static bool find_buffer(const struct launch_file *f, const struct tree *t, uint32_t *index,
                        struct err *e)
{
    if (t->kind != TREE_SCALAR)
        return tree_refuse(t, e, "expected the name of a buffer");
    struct str_hint hint = str_hint(t->text);
    for (*index = 0; *index < f->nbuffers; ++*index) {
        if (strcmp(f->buffers[*index].at->key, t->text) == 0)
            return true;
        str_hint_offer(&hint, f->buffers[*index].at->key);
    }
    return tree_refuse(t, e, "no buffer \"%s\"%s", t->text, str_hint_text(&hint, ""));
}

static bool read_texture(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_texture *x = &f->textures[index];
    const struct tree *buffer = tree_get(t, "buffer");
    x->at = t;
    if (!buffer)
        return tree_refuse(t, e, "expected \"buffer\", where the texels are");
    return find_buffer(f, buffer, &x->buffer, e) &&
           launch_texture_read(t, &f->buffers[x->buffer], x, e);
}

static bool read_symbol(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_symbol *s = &f->symbols[index];
    s->at = t;
    if (!tree_knows(t, "type|" VALUES_KEYS, e))
        return false;
    const struct value_type *type = values_type(t, e);
    return type && values_read(f->arena, t, type, f->seed, f->nbuffers + index, &s->values, e);
}

/* ---- registers ------------------------------------------------------------------------------ */

static bool read_registers(struct launch_file *f, const struct tree *top, struct err *e)
{
    const struct tree *t = tree_get(top, "registers");
    if (t && t->kind != TREE_MAP)
        return tree_refuse(t, e, "expected a map of kernels ({saxpy: 40})");
    f->registers = ARENA_ARRAY(f->arena, struct launch_registers, t ? t->n + 1 : 1);
    for (const struct tree *c = t ? t->first : NULL; c; c = c->next) {
        uint64_t n = 0;
        if (!read_uint(c, STREAM_MAX_REGISTERS, &n, e))
            return false;
        if (n == 0)
            return tree_refuse(c, e, "expected 1 to %d registers per thread", STREAM_MAX_REGISTERS);
        f->registers[f->nregisters++] = (struct launch_registers){c, (uint32_t)n};
    }
    return true;
}

/* ---- launches ------------------------------------------------------------------------------ */

static bool read_dim(const struct tree *launch, const char *key, struct hd_dim *d, struct err *e)
{
    const struct tree *t = tree_get(launch, key);
    uint64_t v[3] = {1, 1, 1};
    uint32_t n = 0;
    if (!t)
        return tree_refuse(launch, e, "expected \"%s\": X, or [X, Y, Z]", key);
    bool ok = t->kind == TREE_SCALAR ? read_uint(t, UINT32_MAX, &v[0], e)
                                     : t->kind == TREE_LIST && t->n >= 1 && t->n <= 3;
    for (const struct tree *c = t->first; ok && c; c = c->next)
        ok = read_uint(c, UINT32_MAX, &v[n++], e);
    *d = (struct hd_dim){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
    return ok || tree_refuse(t, e, "expected X, or a list of up to three sizes");
}

static bool find_name(const struct launch_file *f, const char *name, struct launch_arg *arg)
{
    for (uint32_t i = 0; i < f->nbuffers; i++)
        if (strcmp(f->buffers[i].at->key, name) == 0) {
            *arg = (struct launch_arg){LAUNCH_BUFFER, i};
            return true;
        }
    for (uint32_t i = 0; i < f->nscalars; i++)
        if (strcmp(f->scalars[i].at->key, name) == 0) {
            *arg = (struct launch_arg){LAUNCH_SCALAR, i};
            return true;
        }
    for (uint32_t i = 0; i < f->ntextures; i++)
        if (strcmp(f->textures[i].at->key, name) == 0) {
            *arg = (struct launch_arg){LAUNCH_TEXTURE, i};
            return true;
        }
    return false;
}

static bool refuse_name(const struct launch_file *f, const struct tree *t, struct err *e)
{
    struct str_hint hint = str_hint(t->text);
    for (uint32_t i = 0; i < f->nbuffers; i++)
        str_hint_offer(&hint, f->buffers[i].at->key);
    for (uint32_t i = 0; i < f->nscalars; i++)
        str_hint_offer(&hint, f->scalars[i].at->key);
    for (uint32_t i = 0; i < f->ntextures; i++)
        str_hint_offer(&hint, f->textures[i].at->key);
    return tree_refuse(t, e, "no buffer, scalar or texture \"%s\"%s", t->text,
                       str_hint_text(&hint, ""));
}

static bool read_args(struct launch_file *f, const struct tree *t, struct launch *l, struct err *e)
{
    if (!t)
        return true;
    if (t->kind != TREE_LIST)
        return tree_refuse(t, e, "expected a list of names");
    l->args = ARENA_ARRAY(f->arena, struct launch_arg, t->n + 1);
    for (const struct tree *c = t->first; c; c = c->next) {
        if (c->kind != TREE_SCALAR)
            return tree_refuse(c, e, "expected the name of a buffer, scalar or texture");
        if (!find_name(f, c->text, &l->args[l->nargs++]))
            return refuse_name(f, c, e);
    }
    return true;
}

static bool read_launch(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch *l = &f->launches[index];
    const struct tree *kernel = tree_get(t, "kernel"), *shared = tree_get(t, "shared");
    uint64_t bytes = 0;
    l->at = t;
    if (!tree_knows(t, "kernel|grid|block|shared|args", e))
        return false;
    if (!kernel || kernel->kind != TREE_SCALAR)
        return tree_refuse(kernel ? kernel : t, e, "expected \"kernel\", the name of one");
    l->kernel = kernel->text;
    if (!read_dim(t, "grid", &l->grid, e) || !read_dim(t, "block", &l->block, e) ||
        (shared && !read_uint(shared, UINT32_MAX, &bytes, e)))
        return false;
    l->shared_bytes = (uint32_t)bytes;
    return read_args(f, tree_get(t, "args"), l, e);
}

/* ---- what comes out ------------------------------------------------------------------------ */

static bool read_bound(const struct tree *t, const char *key, double *v, struct err *e)
{
    const struct tree *c = tree_get(t, key);
    *v = 0;
    return !c || (c->text && str_to_real(c->text, v) && *v >= 0) ||
           tree_refuse(c, e, "expected a number that is not negative");
}

static bool read_expect(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_expect *x = &f->expects[index];
    const struct tree *buffer = tree_get(t, "buffer");
    x->at = t;
    if (!tree_knows(t, "buffer|abs|rel|" VALUES_KEYS, e))
        return false;
    if (!buffer)
        return tree_refuse(t, e, "expected \"buffer\", the one to look at");
    if (!find_buffer(f, buffer, &x->buffer, e))
        return false;
    const struct launch_buffer *b = &f->buffers[x->buffer];
    if (!values_read(f->arena, t, b->values.type, f->seed, x->buffer, &x->values, e) ||
        !read_bound(t, "abs", &x->absolute, e) || !read_bound(t, "rel", &x->relative, e))
        return false;
    bool is_whole = x->values.source != VALUES_LISTED || x->values.nlisted == b->count;
    return is_whole || tree_refuse(t, e, "%llu values are expected, %s has %llu",
                                   (unsigned long long)x->values.nlisted, b->at->key,
                                   (unsigned long long)b->count);
}

static bool read_dump(struct launch_file *f, const struct tree *t, uint32_t index, struct err *e)
{
    struct launch_dump *x = &f->dumps[index];
    const struct tree *buffer = tree_get(t, "buffer"), *file = tree_get(t, "file");
    x->at = t;
    if (!tree_knows(t, "buffer|file", e))
        return false;
    if (!buffer || !file || file->kind != TREE_SCALAR || *file->text == '\0')
        return tree_refuse(t, e, "expected \"buffer\" and \"file\"");
    x->path = file->text;
    return find_buffer(f, buffer, &x->buffer, e);
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool names_differ(const struct launch_file *f, struct err *e)
{
    struct launch_arg found;
    for (uint32_t i = 0; i < f->nscalars; i++)
        if (find_name(f, f->scalars[i].at->key, &found) && found.kind != LAUNCH_SCALAR)
            return tree_refuse(f->scalars[i].at, e, "a buffer has this name, too");
    for (uint32_t i = 0; i < f->ntextures; i++)
        if (find_name(f, f->textures[i].at->key, &found) && found.kind != LAUNCH_TEXTURE)
            return tree_refuse(f->textures[i].at, e, "a buffer or scalar has this name, too");
    return true;
}

typedef bool (*read_entry)(struct launch_file *f, const struct tree *t, uint32_t index,
                           struct err *e);

static bool read_entries(struct launch_file *f, const struct tree *first, read_entry read,
                         struct err *e)
{
    uint32_t index = 0;
    for (const struct tree *t = first; t; t = t->next)
        if (!read(f, t, index++, e))
            return false;
    return true;
}

#define SECTION(name, kind, type)                                                                  \
    section(top, #name, kind, &first, &f->n##name, e) &&                                           \
        (f->name = ARENA_ARRAY(f->arena, type, f->n##name + 1), true)

static bool read_sections(struct launch_file *f, const struct tree *top, struct err *e)
{
    const struct tree *first;
    return SECTION(buffers, TREE_MAP, struct launch_buffer) &&
           read_entries(f, first, read_buffer, e) &&
           SECTION(scalars, TREE_MAP, struct launch_scalar) &&
           read_entries(f, first, read_scalar, e) &&
           SECTION(textures, TREE_MAP, struct launch_texture) &&
           read_entries(f, first, read_texture, e) &&
           SECTION(symbols, TREE_MAP, struct launch_symbol) &&
           read_entries(f, first, read_symbol, e) && names_differ(f, e) &&
           read_registers(f, top, e) && SECTION(launches, TREE_LIST, struct launch) &&
           read_entries(f, first, read_launch, e) &&
           SECTION(expects, TREE_LIST, struct launch_expect) &&
           read_entries(f, first, read_expect, e) &&
           SECTION(dumps, TREE_LIST, struct launch_dump) && read_entries(f, first, read_dump, e);
}

struct launch_file *launch_file_read(struct arena *a, const char *path, uint64_t seed,
                                     struct err *e)
{
    const struct tree *top = tree_read(a, path, e);
    struct launch_file *f = ARENA_NEW(a, struct launch_file);
    f->arena = a;
    f->seed = seed;
    if (!top ||
        !tree_knows(top, "doc|buffers|scalars|textures|symbols|registers|launches|expects|dumps",
                    e) ||
        !read_sections(f, top, e))
        return NULL;
    if (f->nlaunches == 0) {
        tree_refuse(top, e, "nothing is launched: expected \"launches\"");
        return NULL;
    }
    return f;
}
