/* histogram.c - HISTOGRAM: CUDA SDK histogram, 64 bins; see kernels/histogram.cu.
 *
 * The original counts 64 MB of random bytes, again and again; ours counts them once. */
#include "workload.h"

enum { BINS = 64, THREADS = 64, MERGE_THREADS = 256, ITEM = 16 };
/* A thread's counts are bytes. */
enum { MOST_BYTES = 255 / ITEM * ITEM * THREADS }; /* that a CTA counts */

static uint8_t *make_data(struct work *w, uint32_t bytes)
{
    uint8_t *data = work_alloc(w, bytes);
    for (uint32_t i = 0; i < bytes; i += 8) {
        uint64_t some = work_random(w, 0, i);
        memcpy(data + i, &some, sizeof some);
    }
    return data;
}

static bool count(struct work *w, hd_ptr data, uint32_t bytes, hd_ptr partial, uint32_t ctas,
                  struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, partial);
    hd_arg_ptr(&a, data);
    hd_arg_u32(&a, bytes / ITEM);
    return work_launch(w, "histogram64Kernel", (struct hd_dim){ctas, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool merge(struct work *w, hd_ptr histogram, hd_ptr partial, uint32_t ctas,
                  struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, histogram);
    hd_arg_ptr(&a, partial);
    hd_arg_u32(&a, ctas);
    return work_launch(w, "mergeHistogram64Kernel", (struct hd_dim){BINS, 1, 1},
                       (struct hd_dim){MERGE_THREADS, 1, 1}, 0, &a, e);
}

static bool check(struct work *w, const uint8_t *data, uint32_t bytes, hd_ptr histogram,
                  struct hd_error *e)
{
    uint32_t got[BINS], want[BINS] = {0};
    for (uint32_t i = 0; i < bytes; i++)
        want[data[i] >> 2]++;
    return work_download(w, got, histogram, sizeof got, e) &&
           work_same_u32("histogram", got, want, BINS, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t sizes[SIZES] = {
        [SIZE_TINY] = 400000,    [SIZE_SMALL] = 8 << 20,       [SIZE_STUDY] = 64 << 20,
        [SIZE_PAPER] = 64 << 20, [SIZE_FEW] = 48 * MOST_BYTES, [SIZE_CHIP] = 64 << 20,
    };
    const uint32_t bytes = sizes[w->size], ctas = (bytes + MOST_BYTES - 1) / MOST_BYTES;
    const uint8_t *host = make_data(w, bytes);
    hd_ptr data = work_upload(w, host, bytes, e);
    hd_ptr partial = work_device(w, (uint64_t)ctas * BINS * sizeof(uint32_t), e);
    hd_ptr histogram = work_device(w, BINS * sizeof(uint32_t), e);
    return data && partial && histogram && count(w, data, bytes, partial, ctas, e) &&
           merge(w, histogram, partial, ctas, e) &&
           (!w->verify || check(w, host, bytes, histogram, e));
}

const struct workload workload_histogram = {
    .name = "HISTOGRAM",
    .suite = "CUDA SDK",
    .stands_for = "histogram: 64 bins, bytes of shared memory for each bin and thread",
    .papers = "",
    .kernels = "histogram",
    .inputs =
        {
            [SIZE_TINY] = "400,000 bytes",
            [SIZE_SMALL] = "8 MiB",
            [SIZE_STUDY] = "64 MiB",
            [SIZE_PAPER] = "64 MiB",
            [SIZE_FEW] = "737,280 bytes",
            [SIZE_CHIP] = "64 MiB",
        },
    .run = run,
};
