/* conv2d.c - 2DCONV of PolyBench: a 3x3 convolution of a square image; see kernels/conv2d.cu.
 *
 * Below the paper's 4096x4096 the study keeps the rows' length, and with it which CTAs are
 * neighbours and how far apart the rows of a window lie; it has half the rows. */
#include "../kernels/heddle_math.h"
#include "workload.h"

struct shape {
    uint32_t rows, columns;
};

static struct shape shape_of(enum workload_size size)
{
    static const struct shape shapes[SIZES] = {
        [SIZE_TINY] = {128, 256},    [SIZE_SMALL] = {1024, 1024}, [SIZE_STUDY] = {2048, 4096},
        [SIZE_PAPER] = {4096, 4096}, [SIZE_FEW] = {64, 256},
    };
    return shapes[size];
}

static float convolve(const float *centre, size_t columns)
{
    static const float weights[3][3] = {
        {0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f}, {0.4f, 0.7f, 0.1f}};
    const float *corner = centre - columns - 1;
    float sum = weights[0][0] * corner[0];
    for (size_t k = 1; k < 9; k++)
        sum = hm_fmaf(weights[k / 3][k % 3], corner[k / 3 * columns + k % 3], sum);
    return sum;
}

/* The border is what it was before: zero. */
static bool check(struct work *w, struct shape s, const float *image, hd_ptr result,
                  struct hd_error *e)
{
    size_t n = (size_t)s.rows * s.columns;
    float *got = work_alloc(w, n * sizeof *got);
    float *want = work_alloc(w, n * sizeof *want);
    for (size_t i = 1; i + 1 < s.rows; i++)
        for (size_t j = 1; j + 1 < s.columns; j++)
            want[i * s.columns + j] = convolve(&image[i * s.columns + j], s.columns);
    return work_download(w, got, result, n * sizeof *got, e) &&
           work_same_f32("result", got, want, n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct shape s = shape_of(w->size);
    size_t n = (size_t)s.rows * s.columns;
    float *image = work_alloc(w, n * sizeof *image);
    for (size_t i = 0; i < n; i++)
        image[i] = work_random_f32(w, 0, i, 0.0f, 1.0f);

    hd_ptr image_d = work_upload(w, image, n * sizeof *image, e);
    hd_ptr result_d = work_device(w, n * sizeof *image, e);
    if (!image_d || !result_d || !hd_memset(w->device, result_d, 0, n * sizeof *image, e))
        return false;

    struct hd_args args = {0};
    hd_arg_i32(&args, (int32_t)s.rows);
    hd_arg_i32(&args, (int32_t)s.columns);
    hd_arg_ptr(&args, image_d);
    hd_arg_ptr(&args, result_d);
    struct hd_dim grid = {(s.columns + 31) / 32, (s.rows + 7) / 8, 1};
    if (!work_launch(w, "convolution2D", grid, (struct hd_dim){32, 8, 1}, 0, &args, e))
        return false;
    return !w->verify || check(w, s, image, result_d, e);
}

const struct workload workload_conv2d = {
    .name = "2DCONV",
    .suite = "PolyBench",
    .stands_for = "2DCONV: 3x3 convolution, direct global loads",
    .papers = "icc cdxbar",
    .kernels = "conv2d",
    .inputs =
        {
            [SIZE_TINY] = "256x128 image",
            [SIZE_SMALL] = "1024x1024 image",
            [SIZE_STUDY] = "4096x2048 image",
            [SIZE_PAPER] = "4096x4096 image",
            [SIZE_FEW] = "256x64 image",
        },
    .run = run,
};
