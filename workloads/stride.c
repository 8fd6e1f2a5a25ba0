/* stride.c - STRIDE: loads whose lanes are apart: sectors per request, and what they cost.
 *
 * Three launches: one reads the buffer, so that the L2 holds what it can of it, the second makes `loads` loads a thread, the third twice as many;
 * the third less the second is what `loads` take. */
#include "workload.h"

enum { LANES = 32, WORD = 4 };
enum { STRIDE, FOOTPRINT, CTAS, BLOCK, LOADS };

static const struct workload_arg args[] = {
    {"stride", {32, 8, 8, 8, 8}, WORD, 4096, WORD, NULL, "B", "from one lane's word to the next's"},
    {"footprint",
     {256 << 10, 4 << 20, 4 << 20, 64 << 20, 1 << 20},
     128 << 10,
     1ll << 30,
     128 << 10,
     NULL,
     "B",
     "of the buffer, less what no whole load fits into"},
    {"ctas", {4, 80, 80, 80, 40}, 1, 65535, 1, NULL, "CTA", "one for each SM, say"},
    {"block", {256, 256, 256, 256, 256}, LANES, 1024, LANES, NULL, "thread", "of a CTA"},
    {"loads", {8, 16, 64, 64, 16}, 1, 1 << 16, 1, NULL, "load", "of a thread, that are timed"},
    {0}};

struct reading {
    uint32_t n, stride; /* words */
    uint32_t ctas, block;
    hd_ptr buffer, sums;
};

static uint32_t element(uint32_t i)
{
    return i * 2654435761u;
}

static bool check(struct work *w, const struct reading *r, uint32_t first, uint32_t loads,
                  struct hd_error *e)
{
    size_t threads = (size_t)r->ctas * r->block, bytes = threads * sizeof(uint32_t);
    uint32_t *got = work_alloc(w, bytes), *want = work_alloc(w, bytes);
    uint32_t cover = LANES * r->stride, chunks = r->n / cover;
    uint64_t warps = threads / LANES;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t i = first; i < first + loads; i++) {
            uint64_t chunk = (i * warps + t / LANES) % chunks;
            want[t] += element((uint32_t)chunk * cover + t % LANES * r->stride);
        }
    return work_download(w, got, r->sums, bytes, e) && work_same_u32("sum", got, want, threads, e);
}

static bool read(struct work *w, const struct reading *r, uint32_t first, uint32_t loads,
                 struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, r->buffer);
    hd_arg_u32(&a, r->n);
    hd_arg_u32(&a, r->stride);
    hd_arg_u32(&a, first);
    hd_arg_u32(&a, loads);
    hd_arg_ptr(&a, r->sums);
    return work_launch(w, "stride_read", (struct hd_dim){r->ctas, 1, 1},
                       (struct hd_dim){r->block, 1, 1}, 0, &a, e) &&
           (!w->verify || check(w, r, first, loads, e));
}

static bool touch(struct work *w, const struct reading *r, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, r->buffer);
    hd_arg_u32(&a, r->n);
    hd_arg_ptr(&a, r->sums);
    return work_launch(w, "touch", (struct hd_dim){r->ctas, 1, 1}, (struct hd_dim){r->block, 1, 1},
                       0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct reading r = {.stride = (uint32_t)w->args[STRIDE] / WORD,
                        .ctas = (uint32_t)w->args[CTAS],
                        .block = (uint32_t)w->args[BLOCK]};
    uint32_t cover = LANES * r.stride, loads = (uint32_t)w->args[LOADS];
    r.n = (uint32_t)(w->args[FOOTPRINT] / WORD) / cover * cover;
    if (r.n == 0)
        return work_refuse(e, "STRIDE: a footprint of %lld bytes holds no load of stride %lld",
                           (long long)w->args[FOOTPRINT], (long long)w->args[STRIDE]);
    uint32_t *buffer = work_alloc(w, (size_t)r.n * WORD);
    for (uint32_t i = 0; i < r.n; i++)
        buffer[i] = element(i);
    r.buffer = work_upload(w, buffer, (uint64_t)r.n * WORD, e);
    r.sums = work_device(w, (uint64_t)r.ctas * r.block * WORD, e);
    return r.buffer && r.sums && touch(w, &r, e) && read(w, &r, 0, loads, e) &&
           read(w, &r, loads, 2 * loads, e);
}

const struct workload workload_stride = {
    .name = "STRIDE",
    .suite = "Micro",
    .stands_for = "strides: global loads whose lanes are apart, sectors per request",
    .papers = "",
    .kernels = "stride",
    .inputs = {"lanes 32 bytes apart, 256 KiB", "lanes 8 bytes apart, 4 MiB",
               "lanes 8 bytes apart, 4 MiB", "lanes 8 bytes apart, 64 MiB",
               "lanes 8 bytes apart, 1 MiB"},
    .args = args,
    .run = run,
};
