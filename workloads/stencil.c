/* stencil.c - STENCIL of Parboil: seven-point stencil in three dimensions; see kernels/stencil.cu.
 *
 * The original reads the volume from a file and takes 100 steps, swapping two volumes that begin
 * alike.  Ours makes it from the seed.  `paper` is the suite's default volume with all steps,
 * `study` one step of it; `few` is as wide as the suite's small volume and as deep as its default
 * one. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { THREADS_X = 32, THREADS_Y = 4, CELLS_X = 2 * THREADS_X };

struct volume {
    uint32_t nx, ny, nz, steps;
};

static const float centre = 1.0f / 6.0f, rim = 1.0f / 6.0f / 6.0f; /* the original's weights */

static void step_on_host(const struct volume *v, const float *from, float *to)
{
    size_t row = v->nx, plane = row * v->ny;
    for (size_t z = 1; z < v->nz - 1; z++) {
        for (size_t y = 1; y < v->ny - 1; y++) {
            for (size_t i = z * plane + y * row + 1; i < z * plane + (y + 1) * row - 1; i++) {
                float sum = from[i + plane] + from[i - plane] + from[i + row] + from[i - row] +
                            from[i + 1] + from[i - 1];
                to[i] = hm_fmaf(-from[i], centre, sum * rim);
            }
        }
    }
}

/* Uses both in turn; returns the one that holds the result. */
static const float *reference(const struct volume *v, float *from, float *to)
{
    for (uint32_t s = 0; s < v->steps; s++) {
        step_on_host(v, from, to);
        float *other = from;
        from = to;
        to = other;
    }
    return from;
}

static bool step(struct work *w, const struct volume *v, hd_ptr from, hd_ptr to, struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_f32(&a, centre);
    hd_arg_f32(&a, rim);
    hd_arg_ptr(&a, from);
    hd_arg_ptr(&a, to);
    hd_arg_u32(&a, v->nx);
    hd_arg_u32(&a, v->ny);
    hd_arg_u32(&a, v->nz);
    struct hd_dim grid = {(v->nx + CELLS_X - 1) / CELLS_X, (v->ny + THREADS_Y - 1) / THREADS_Y, 1};
    return work_launch(w, "block2D_hybrid_coarsen_x", grid,
                       (struct hd_dim){THREADS_X, THREADS_Y, 1},
                       CELLS_X * THREADS_Y * sizeof(float), &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct volume sizes[SIZES] = {
        [SIZE_TINY] = {128, 32, 8, 2},    [SIZE_SMALL] = {256, 240, 32, 2},
        [SIZE_STUDY] = {512, 512, 64, 1}, [SIZE_PAPER] = {512, 512, 64, 100},
        [SIZE_FEW] = {128, 128, 64, 3},
    };
    const struct volume *v = &sizes[w->size];
    size_t cells = (size_t)v->nx * v->ny * v->nz, bytes = cells * sizeof(float);
    float *first = work_alloc(w, bytes), *second = work_alloc(w, bytes);
    for (size_t i = 0; i < cells; i++)
        second[i] = first[i] = work_random_f32(w, 0, i, 0.0f, 1.0f);
    hd_ptr from = work_upload(w, first, bytes, e), to = work_upload(w, second, bytes, e);
    if (!from || !to)
        return false;
    for (uint32_t s = 0; s < v->steps; s++) {
        if (!step(w, v, from, to, e))
            return false;
        hd_ptr other = from;
        from = to;
        to = other;
    }
    float *got = work_alloc(w, bytes);
    if (!work_download(w, got, from, bytes, e))
        return false;
    return !w->verify || work_same_f32("volume", got, reference(v, first, second), cells, e);
}

const struct workload workload_stencil = {
    .name = "STENCIL",
    .suite = "Parboil",
    .stands_for = "stencil: seven points in 3D, walks z, a plane in shared memory",
    .papers = "",
    .kernels = "stencil",
    .inputs =
        {
            [SIZE_TINY] = "128x32x8, 2 steps",
            [SIZE_SMALL] = "256x240x32, 2 steps",
            [SIZE_STUDY] = "512x512x64, 1 step",
            [SIZE_PAPER] = "512x512x64, 100 steps",
            [SIZE_FEW] = "128x128x64, 3 steps",
        },
    .run = run,
};
