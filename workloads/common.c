/* common.c - what drivers have in common: memory, launches, random inputs, comparisons. */
#include "workload.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/rng.h"
#include "memory.h"

bool work_fail(struct hd_error *e, const char *fmt, ...)
{
    if (e->status != HD_DONE)
        return false;
    e->status = HD_FAILED;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, ap);
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

hd_ptr work_upload(struct work *w, const void *data, uint64_t bytes, struct hd_error *e)
{
    hd_ptr p = work_device(w, bytes, e);
    return p && hd_upload(w->device, p, data, bytes, e) ? p : 0;
}

bool work_download(struct work *w, void *to, hd_ptr from, uint64_t bytes, struct hd_error *e)
{
    return hd_download(w->device, to, from, bytes, e);
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

bool work_same_f32(const char *what, const float *got, const float *want, size_t n,
                   struct hd_error *e)
{
    for (size_t i = 0; i < n; i++) {
        bool same = memcmp(&got[i], &want[i], sizeof got[i]) == 0;
        if (!same && !(isnan(got[i]) && isnan(want[i])))
            return work_fail(e, "%s[%zu] is %.9g, not %.9g", what, i, (double)got[i],
                             (double)want[i]);
    }
    return true;
}

bool work_same_i32(const char *what, const int32_t *got, const int32_t *want, size_t n,
                   struct hd_error *e)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] != want[i])
            return work_fail(e, "%s[%zu] is %d, not %d", what, i, got[i], want[i]);
    return true;
}

bool work_symbol(struct work *w, const char *name, const void *data, uint64_t bytes,
                 struct hd_error *e)
{
    hd_ptr at;
    uint64_t n;
    return hd_module_symbol(w->module, name, &at, &n, e) &&
           hd_upload(w->device, at, data, bytes, e);
}
