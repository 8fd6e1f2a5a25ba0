/* fdtd.c - FDTD of the CUDA SDK (FDTD3d): time steps of a stencil of radius 4 on a volume; see
 * kernels/fdtd3d.cu.
 *
 * The original's volume is 376x376x376 with 5 steps.  The study keeps its planes, hence grid,
 * neighbourhood of CTAs and resident CTAs, and walks through fewer of them; a plane's halos are
 * reused within a few planes, so the caches see what they see in the full volume. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum { RADIUS = 4, TILE_X = 32, TILE_Y = 16, ALIGN_FLOATS = 128 / sizeof(float) };

struct volume {
    uint32_t x, y, z, steps;
};

static size_t stride_y(struct volume v)
{
    return v.x + 2 * RADIUS;
}

static size_t stride_z(struct volume v)
{
    return stride_y(v) * (v.y + 2 * RADIUS);
}

static size_t floats(struct volume v)
{
    return stride_z(v) * (v.z + 2 * RADIUS);
}

static void step(struct volume v, const float *stencil, const float *from, float *to)
{
    const size_t sy = stride_y(v), sz = stride_z(v);
    for (size_t z = RADIUS; z < v.z + RADIUS; z++)
        for (size_t y = RADIUS; y < v.y + RADIUS; y++)
            for (size_t x = RADIUS; x < v.x + RADIUS; x++) {
                const float *p = from + z * sz + y * sy + x;
                float value = stencil[0] * p[0];
                for (size_t i = 1; i <= RADIUS; i++) {
                    float sum = p[i * sz] + p[-(ptrdiff_t)(i * sz)] + p[-(ptrdiff_t)(i * sy)] +
                                p[i * sy] + p[-(ptrdiff_t)i] + p[i];
                    value = hm_fmaf(stencil[i], sum, value);
                }
                to[p - from] = value;
            }
}

/* `input` is used up. */
static bool check(struct work *w, struct volume v, const float *stencil, float *input,
                  hd_ptr result, struct hd_error *e)
{
    size_t n = floats(v);
    float *got = work_alloc(w, n * sizeof *got);
    float *from = input, *to = work_alloc(w, n * sizeof *to);
    memcpy(to, input, n * sizeof *to);
    for (uint32_t i = 0; i < v.steps; i++) {
        step(v, stencil, from, to);
        float *swap = from;
        from = to;
        to = swap;
    }
    return work_download(w, got, result, n * sizeof *got, e) &&
           work_same_f32("volume", got, from, n, e);
}

/* As in the original the first point inside the halo starts a cache line. */
static hd_ptr upload_aligned(struct work *w, const float *data, size_t n, struct hd_error *e)
{
    const size_t padding = ALIGN_FLOATS - RADIUS;
    hd_ptr p = work_device(w, (n + padding) * sizeof *data, e);
    hd_ptr first = p + padding * sizeof *data;
    return p && hd_upload(w->device, first, data, n * sizeof *data, e) ? first : 0;
}

static bool upload_stencil(struct work *w, float stencil[RADIUS + 1], struct hd_error *e)
{
    for (int i = 0; i <= RADIUS; i++)
        stencil[i] = 0.1f;
    return work_symbol(w, "stencil", stencil, (RADIUS + 1) * sizeof *stencil, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct volume volumes[SIZES] = {
        [SIZE_TINY] = {52, 24, 16, 2},    [SIZE_SMALL] = {128, 128, 32, 3},
        [SIZE_STUDY] = {376, 376, 22, 2}, [SIZE_PAPER] = {376, 376, 376, 5},
        [SIZE_FEW] = {256, 128, 22, 2},
    };
    struct volume v = volumes[w->size];
    size_t n = floats(v);
    float stencil[RADIUS + 1];
    float *input = work_alloc(w, n * sizeof *input);
    for (size_t i = 0; i < n; i++)
        input[i] = work_random_f32(w, 0, i, 0.0f, 1.0f);

    hd_ptr from = upload_aligned(w, input, n, e), to = upload_aligned(w, input, n, e);
    if (!from || !to || !upload_stencil(w, stencil, e))
        return false;
    for (uint32_t i = 0; i < v.steps; i++) {
        struct hd_args args = {0};
        hd_arg_ptr(&args, to);
        hd_arg_ptr(&args, from);
        hd_arg_i32(&args, (int32_t)v.x);
        hd_arg_i32(&args, (int32_t)v.y);
        hd_arg_i32(&args, (int32_t)v.z);
        struct hd_dim grid = {(v.x + TILE_X - 1) / TILE_X, (v.y + TILE_Y - 1) / TILE_Y, 1};
        if (!work_launch(w, "FiniteDifferencesKernel", grid, (struct hd_dim){TILE_X, TILE_Y, 1}, 0,
                         &args, e))
            return false;
        hd_ptr swap = from;
        from = to;
        to = swap;
    }
    return !w->verify || check(w, v, stencil, input, from, e);
}

const struct workload workload_fdtd = {
    .name = "FDTD",
    .suite = "CUDA SDK",
    .stands_for = "FDTD3d: finite differences in 3D, radius 4, shared tiles with halo",
    .papers = "icc",
    .kernels = "fdtd3d",
    .inputs =
        {
            [SIZE_TINY] = "52x24x16 volume, 2 steps",
            [SIZE_SMALL] = "128x128x32 volume, 3 steps",
            [SIZE_STUDY] = "376x376x22 volume, 2 steps",
            [SIZE_PAPER] = "376x376x376 volume, 5 steps",
            [SIZE_FEW] = "256x128x22 volume, 2 steps",
        },
    .run = run,
};
