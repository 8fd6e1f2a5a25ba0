/* conv3d.c - 3DCONV of PolyBench: a 3x3x3 convolution of a cube; see kernels/conv3d.cu.
 *
 * The original's volume is a sawtooth pattern, ours is drawn from the seed: what is read and
 * written does not depend on it.  Below the suite's 256x256x256 the study keeps the planes' size,
 * and with it a launch's CTAs and what three planes take of the caches; there are half as many. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

struct shape {
    uint32_t planes, rows, columns;
};

static size_t voxels(struct shape s)
{
    return (size_t)s.planes * s.rows * s.columns;
}

/* One product of the sum: a weight, and where its voxel lies relative to the centre. */
struct tap {
    float weight;
    int plane, row, column;
};

static float convolve(const float *centre, struct shape s)
{
    static const struct tap taps[] = {
        {2, -1, -1, -1}, {4, 1, -1, -1}, {5, -1, -1, -1}, {7, 1, -1, -1}, {-8, -1, -1, -1},
        {10, 1, -1, -1}, {-3, 0, -1, 0}, {6, 0, 0, 0},    {-9, 0, 1, 0},  {2, -1, -1, 1},
        {4, 1, -1, 1},   {5, -1, 0, 1},  {7, 1, 0, 1},    {-8, -1, 1, 1}, {10, 1, 1, 1},
    };
    float sum = 0;
    for (size_t t = 0; t < sizeof taps / sizeof *taps; t++) {
        ptrdiff_t row = taps[t].plane * (ptrdiff_t)s.rows + taps[t].row;
        float voxel = centre[row * (ptrdiff_t)s.columns + taps[t].column];
        sum = t == 0 ? taps[t].weight * voxel : hm_fmaf(taps[t].weight, voxel, sum);
    }
    return sum;
}

/* The faces are what they were before: zero. */
static bool check(struct work *w, struct shape s, const float *volume, hd_ptr result,
                  struct hd_error *e)
{
    size_t n = voxels(s);
    float *got = work_alloc(w, n * sizeof *got);
    float *want = work_alloc(w, n * sizeof *want);
    for (size_t i = 1; i + 1 < s.planes; i++) {
        for (size_t j = 1; j + 1 < s.rows; j++) {
            size_t row = (i * s.rows + j) * s.columns;
            for (size_t k = 1; k + 1 < s.columns; k++)
                want[row + k] = convolve(&volume[row + k], s);
        }
    }
    return work_download(w, got, result, n * sizeof *got, e) &&
           work_same_f32("result", got, want, n, e);
}

static bool launch(struct work *w, struct shape s, hd_ptr volume, hd_ptr result, uint32_t plane,
                   struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_i32(&args, (int32_t)s.planes);
    hd_arg_i32(&args, (int32_t)s.rows);
    hd_arg_i32(&args, (int32_t)s.columns);
    hd_arg_ptr(&args, volume);
    hd_arg_ptr(&args, result);
    hd_arg_i32(&args, (int32_t)plane);
    struct hd_dim grid = {(s.columns + BLOCK_X - 1) / BLOCK_X, (s.rows + BLOCK_Y - 1) / BLOCK_Y, 1};
    return work_launch(w, "convolution3D", grid, (struct hd_dim){BLOCK_X, BLOCK_Y, 1}, 0, &args, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape shapes[SIZES] = {
        [SIZE_TINY] = {12, 64, 64},     [SIZE_SMALL] = {64, 128, 128},
        [SIZE_STUDY] = {128, 256, 256}, [SIZE_PAPER] = {256, 256, 256},
        [SIZE_FEW] = {64, 96, 128},
    };
    struct shape s = shapes[w->size];
    size_t n = voxels(s), bytes = n * sizeof(float);
    float *volume = work_alloc(w, bytes);
    for (size_t i = 0; i < n; i++)
        volume[i] = work_random_f32(w, 0, i, 0.0f, 1.0f);

    hd_ptr volume_d = work_upload(w, volume, bytes, e);
    hd_ptr result_d = work_device(w, bytes, e);
    if (!volume_d || !result_d)
        return false;
    for (uint32_t plane = 1; plane + 1 < s.planes; plane++)
        if (!launch(w, s, volume_d, result_d, plane, e))
            return false;
    return !w->verify || check(w, s, volume, result_d, e);
}

const struct workload workload_conv3d = {
    .name = "3DCONV",
    .suite = "PolyBench",
    .stands_for = "3DCONV: convolution of a volume, one launch per plane, direct global loads",
    .papers = "cdxbar",
    .kernels = "conv3d",
    .inputs =
        {
            [SIZE_TINY] = "64x64x12 volume",
            [SIZE_SMALL] = "128x128x64 volume",
            [SIZE_STUDY] = "256x256x128 volume",
            [SIZE_PAPER] = "256x256x256 volume",
            [SIZE_FEW] = "128x96x64 volume",
        },
    .run = run,
};
