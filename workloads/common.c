/* common.c - what drivers have in common: memory, launches, random inputs, comparisons. */
#include "workload.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/rng.h"
#include "memory.h"

/* The first error is the one that is told. */
static void set_error(struct hd_error *e, enum hd_status status, const char *fmt, va_list ap)
{
    if (e->status != HD_DONE)
        return;
    e->status = status;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
}

bool work_fail(struct hd_error *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_error(e, HD_FAILED, fmt, ap);
    va_end(ap);
    return false;
}

bool work_refuse(struct hd_error *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    set_error(e, HD_BAD_INPUT, fmt, ap);
    va_end(ap);
    return false;
}

void *work_alloc(struct work *w, size_t bytes)
{
    return arena_alloc(w->memory->host, bytes);
}

hd_ptr work_device(struct work *w, uint64_t bytes, struct hd_error *e)
{
    hd_ptr p = 0;
    if (!hd_malloc(w->device, &p, bytes, e))
        return 0;
    struct work_buffer *b = ARENA_NEW(w->memory->host, struct work_buffer);
    *b = (struct work_buffer){p, w->memory->device};
    w->memory->device = b;
    return p;
}

hd_ptr work_device_pages(struct work *w, uint64_t bytes, struct hd_error *e)
{
    const uint64_t page = 2ull << 20;
    hd_ptr p = work_device(w, bytes + page, e);
    return p ? (p + page - 1) / page * page : 0;
}

hd_ptr work_upload(struct work *w, const void *data, uint64_t bytes, struct hd_error *e)
{
    hd_ptr p = work_device(w, bytes, e);
    return p && hd_upload(w->device, p, data, bytes, e) ? p : 0;
}

bool work_download(struct work *w, void *to, hd_ptr from, uint64_t bytes, struct hd_error *e)
{
    return hd_download(w->device, to, from, bytes, e);
}

bool work_symbol(struct work *w, const char *name, const void *data, uint64_t bytes,
                 struct hd_error *e)
{
    hd_ptr address;
    uint64_t size;
    if (!hd_module_symbol(w->module, name, &address, &size, e))
        return false;
    if (bytes > size)
        return work_fail(e, "%s has %llu bytes, not %llu", name, (unsigned long long)size,
                         (unsigned long long)bytes);
    return hd_upload(w->device, address, data, bytes, e);
}

hd_texture work_texture(struct work *w, const struct hd_texture_desc *t, struct hd_error *e)
{
    hd_texture handle = 0;
    if (!hd_texture_new(w->device, t, &handle, e))
        return 0;
    struct work_texture *owned = ARENA_NEW(w->memory->host, struct work_texture);
    *owned = (struct work_texture){handle, w->memory->textures};
    w->memory->textures = owned;
    return handle;
}

hd_texture work_texture_linear(struct work *w, hd_ptr address, uint32_t n, uint32_t channels,
                               uint32_t bits, enum hd_channel_kind kind, struct hd_error *e)
{
    struct hd_texture_desc t = {.address = address,
                                .width = n,
                                .channels = channels,
                                .bits = bits,
                                .kind = kind,
                                .addressing = {HD_CLAMP, HD_CLAMP, HD_CLAMP},
                                .filter = HD_POINT,
                                .is_linear_memory = true};
    return work_texture(w, &t, e);
}

bool work_launch(struct work *w, const char *kernel, struct hd_dim grid, struct hd_dim block,
                 uint32_t shared, const struct hd_args *args, struct hd_error *e)
{
    const struct hd_function *f = hd_module_function(w->module, kernel, e);
    return f && hd_launch(w->device, f, grid, block, shared, args, NULL, e);
}

uint64_t work_random(const struct work *w, uint32_t stream, uint64_t index)
{
    return rng_at(rng_key(w->seed, stream), index);
}

float work_random_f32(const struct work *w, uint32_t stream, uint64_t index, float lo, float hi)
{
    float unit = (float)(work_random(w, stream, index) >> 40) * 0x1p-24f;
    float x = lo + (hi - lo) * unit;
    return x < hi ? x : lo; /* the sum may round up to hi */
}

/* The upper half of a 64-bit product: no remainder is favoured by more than 2^-32. */
uint32_t work_random_u32(const struct work *w, uint32_t stream, uint64_t index, uint32_t below)
{
    return (uint32_t)((work_random(w, stream, index) >> 32) * below >> 32);
}

#define SAME_REAL(name, type, format)                                                              \
    bool name(const char *what, const type *got, const type *want, size_t n, struct hd_error *e)   \
    {                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            bool same = memcmp(&got[i], &want[i], sizeof got[i]) == 0;                             \
            if (!same && !(isnan(got[i]) && isnan(want[i])))                                       \
                return work_fail(e, "%s[%zu] is " format ", not " format, what, i, (double)got[i], \
                                 (double)want[i]);                                                 \
        }                                                                                          \
        return true;                                                                               \
    }
SAME_REAL(work_same_f32, float, "%.9g")
SAME_REAL(work_same_f64, double, "%.17g")

#define SAME(name, type, format, as)                                                               \
    bool name(const char *what, const type *got, const type *want, size_t n, struct hd_error *e)   \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            if (got[i] != want[i])                                                                 \
                return work_fail(e, "%s[%zu] is %" format ", not %" format, what, i, (as)got[i],   \
                                 (as)want[i]);                                                     \
        return true;                                                                               \
    }
SAME(work_same_i32, int32_t, "d", int)
SAME(work_same_u32, uint32_t, "u", unsigned)
SAME(work_same_u64, uint64_t, "llu", unsigned long long)
SAME(work_same_u8, uint8_t, "u", unsigned)
