/* sgemm.c - SGEMM of Parboil: a dense matrix product; see kernels/sgemm.cu.
 *
 * The original reads its matrices from files and multiplies once, with alpha 1 and beta 0.  Ours
 * makes them from the seed.  `tiny` is the suite's small input, `paper` its medium one; `study` has
 * the grid of `paper` and a third of its depth. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { TILE_N = 16, TILE_K = 8, TILE_M = TILE_N * TILE_K };

struct shape {
    uint32_t m, n, k; /* A: m x k, B: n x k, C: m x n, all column by column */
};

static float *random_matrix(struct work *w, uint32_t stream, size_t n)
{
    float *x = work_alloc(w, n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = work_random_f32(w, stream, i, -1.0f, 1.0f);
    return x;
}

/* With alpha 1 and beta 0 over a C of zeros, a sum is its last product's. */
static void reference(float *c, const float *a, const float *b, const struct shape *s)
{
    for (uint32_t j = 0; j < s->n; j++)
        for (uint32_t k = 0; k < s->k; k++)
            for (uint32_t i = 0; i < s->m; i++)
                c[j * s->m + i] = hm_fmaf(a[k * s->m + i], b[k * s->n + j], c[j * s->m + i]);
}

static bool multiply(struct work *w, const struct shape *s, hd_ptr a, hd_ptr b, hd_ptr c,
                     struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, a);
    hd_arg_u32(&args, s->m);
    hd_arg_ptr(&args, b);
    hd_arg_u32(&args, s->n);
    hd_arg_ptr(&args, c);
    hd_arg_u32(&args, s->m);
    hd_arg_u32(&args, s->k);
    hd_arg_f32(&args, 1.0f);
    hd_arg_f32(&args, 0.0f);
    return work_launch(w, "mysgemmNT", (struct hd_dim){s->m / TILE_M, s->n / TILE_N, 1},
                       (struct hd_dim){TILE_N, TILE_K, 1}, 0, &args, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape sizes[SIZES] = {
        [SIZE_TINY] = {128, 160, 96},     [SIZE_SMALL] = {512, 528, 160},
        [SIZE_STUDY] = {1024, 1056, 296}, [SIZE_PAPER] = {1024, 1056, 992},
        [SIZE_FEW] = {512, 160, 296},
    };
    const struct shape *s = &sizes[w->size];
    size_t a_count = (size_t)s->m * s->k, b_count = (size_t)s->n * s->k;
    size_t c_count = (size_t)s->m * s->n, c_bytes = c_count * sizeof(float);
    float *a = random_matrix(w, 0, a_count), *b = random_matrix(w, 1, b_count);
    float *got = work_alloc(w, c_bytes);

    hd_ptr device_a = work_upload(w, a, a_count * sizeof(float), e);
    hd_ptr device_b = work_upload(w, b, b_count * sizeof(float), e);
    hd_ptr device_c = work_device(w, c_bytes, e);
    if (!device_a || !device_b || !device_c || !multiply(w, s, device_a, device_b, device_c, e) ||
        !work_download(w, got, device_c, c_bytes, e))
        return false;
    if (!w->verify)
        return true;
    float *want = work_alloc(w, c_bytes);
    reference(want, a, b, s);
    return work_same_f32("C", got, want, c_count, e);
}

const struct workload workload_sgemm = {
    .name = "SGEMM",
    .suite = "Parboil",
    .stands_for = "sgemm: dense product, 16 sums a thread in registers, B in shared tiles",
    .papers = "",
    .kernels = "sgemm",
    .inputs =
        {
            [SIZE_TINY] = "128x96 by 96x160",
            [SIZE_SMALL] = "512x160 by 160x528",
            [SIZE_STUDY] = "1024x296 by 296x1056",
            [SIZE_PAPER] = "1024x992 by 992x1056",
            [SIZE_FEW] = "512x296 by 296x160",
        },
    .run = run,
};
