/* mm.c - MM: CUDA SDK matrixMul.
 *
 * The original multiplies matrices of constants, many times over, to measure time; ours multiplies
 * random ones once.  `study` is the default of the SDK since CUDA 5, `paper` that of the SDK of
 * CUDA 4, which the simulators of the papers run. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { TILE = 32 };

struct shape {
    uint32_t height, depth, width; /* A: height x depth, B: depth x width */
};

static void reference(float *c, const float *a, const float *b, const struct shape *s)
{
    for (uint32_t y = 0; y < s->height; y++)
        for (uint32_t k = 0; k < s->depth; k++)
            for (uint32_t x = 0; x < s->width; x++)
                c[y * s->width + x] = hm_fmaf(a[y * s->depth + k], b[k * s->width + x],
                                              k ? c[y * s->width + x] : 0.0f);
}

static float *random_matrix(struct work *w, uint32_t stream, size_t n)
{
    float *m = work_alloc(w, n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        m[i] = work_random_f32(w, stream, i, -1.0f, 1.0f);
    return m;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape sizes[SIZES] = {
        {64, 64, 128}, {192, 192, 384}, {320, 320, 640}, {960, 640, 640}, {256, 320, 256}};
    const struct shape *s = &sizes[w->size];
    size_t a_count = (size_t)s->height * s->depth, b_count = (size_t)s->depth * s->width;
    size_t c_count = (size_t)s->height * s->width, c_bytes = c_count * sizeof(float);
    float *a = random_matrix(w, 0, a_count), *b = random_matrix(w, 1, b_count);
    float *got = work_alloc(w, c_bytes);

    hd_ptr device_a = work_upload(w, a, a_count * sizeof(float), e);
    hd_ptr device_b = work_upload(w, b, b_count * sizeof(float), e);
    hd_ptr device_c = work_device(w, c_bytes, e);
    struct hd_args args = {0};
    hd_arg_ptr(&args, device_c);
    hd_arg_ptr(&args, device_a);
    hd_arg_ptr(&args, device_b);
    hd_arg_u32(&args, s->depth);
    hd_arg_u32(&args, s->width);
    if (!device_a || !device_b || !device_c ||
        !work_launch(w, "matrixmul", (struct hd_dim){s->width / TILE, s->height / TILE, 1},
                     (struct hd_dim){TILE, TILE, 1}, 0, &args, e) ||
        !work_download(w, got, device_c, c_bytes, e))
        return false;
    if (!w->verify)
        return true;
    float *want = work_alloc(w, c_bytes);
    reference(want, a, b, s);
    return work_same_f32("C", got, want, c_count, e);
}

const struct workload workload_mm = {
    .name = "MM",
    .suite = "CUDA SDK",
    .stands_for = "matrixMul: matrix product, 32x32 tiles in shared memory",
    .papers = "icc cdxbar",
    .kernels = "matrixmul",
    .inputs = {"64x64 by 64x128", "192x192 by 192x384", "320x320 by 320x640", "960x640 by 640x640",
               "256x320 by 320x256"},
    .run = run,
};
