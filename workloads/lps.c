/* lps.c - LPS of the ISPASS-2009 suite: Laplace's equation; see kernels/laplace3d.cu.
 *
 * The original's volume is 100x100x100, zero inside and one on the borders, and it does one
 * iteration; ours has random values, so that a wrong neighbour shows.  Rows have 128 floats there
 * and here (cudaMallocPitch). */
#include "workload.h"

enum { BX = 32, BY = 4, SEGMENT = 64, VALUE_STREAM = 0 };

struct volume {
    int nx, ny, nz, iterations;
};

static size_t at(const struct volume *v, size_t pitch, int x, int y, int z)
{
    return ((size_t)z * (size_t)v->ny + (size_t)y) * pitch + (size_t)x;
}

static void iterate(const struct volume *v, size_t pitch, const float *from, float *to)
{
    for (int z = 0; z < v->nz; z++) {
        for (int y = 0; y < v->ny; y++) {
            for (int x = 0; x < v->nx; x++) {
                size_t i = at(v, pitch, x, y, z), plane = at(v, pitch, 0, 0, 1);
                bool is_border =
                    x % (v->nx - 1) == 0 || y % (v->ny - 1) == 0 || z % (v->nz - 1) == 0;
                to[i] = is_border ? from[i]
                                  : (from[i - 1] + from[i + 1] + from[i - pitch] + from[i + pitch] +
                                     from[i - plane] + from[i + plane]) *
                                        (1.0f / 6.0f);
            }
        }
    }
}

static bool launch(struct work *w, const struct volume *v, size_t pitch, hd_ptr from, hd_ptr to,
                   struct hd_error *e)
{
    struct hd_dim grid = {(uint32_t)(v->nx + BX - 1) / BX, (uint32_t)(v->ny + BY - 1) / BY, 1};
    struct hd_args a = {0};
    hd_arg_i32(&a, v->nx);
    hd_arg_i32(&a, v->ny);
    hd_arg_i32(&a, v->nz);
    hd_arg_i32(&a, (int32_t)pitch);
    hd_arg_ptr(&a, from);
    hd_arg_ptr(&a, to);
    return work_launch(w, "laplace3d", grid, (struct hd_dim){BX, BY, 1}, 0, &a, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct volume volumes[SIZES] = {[SIZE_TINY] = {40, 20, 12, 2},
                                                 [SIZE_SMALL] = {100, 100, 100, 1},
                                                 [SIZE_STUDY] = {100, 100, 100, 6},
                                                 [SIZE_PAPER] = {100, 100, 100, 1},
                                                 [SIZE_FEW] = {96, 64, 100, 1}};
    const struct volume *v = &volumes[w->size];
    size_t pitch = ((size_t)v->nx + SEGMENT - 1) / SEGMENT * SEGMENT;
    size_t count = at(v, pitch, 0, 0, v->nz), bytes = count * sizeof(float);
    float *u = work_alloc(w, bytes), *next = work_alloc(w, bytes), *got = work_alloc(w, bytes);
    for (size_t i = 0; i < count; i++)
        u[i] = i % pitch < (size_t)v->nx ? work_random_f32(w, VALUE_STREAM, i, 0.0f, 1.0f) : 0.0f;
    hd_ptr from = work_upload(w, u, bytes, e), to = work_device(w, bytes, e);
    if (!from || !to || !hd_memset(w->device, to, 0, bytes, e))
        return false;
    for (int i = 0; i < v->iterations; i++) {
        if (!launch(w, v, pitch, from, to, e))
            return false;
        if (w->verify)
            iterate(v, pitch, u, next);
        hd_ptr device = from;
        float *host = u;
        from = to, to = device;
        u = next, next = host;
    }
    return work_download(w, got, from, bytes, e) &&
           (!w->verify || work_same_f32("u", got, u, count, e));
}

const struct workload workload_lps = {
    .name = "LPS",
    .suite = "ISPASS-2009",
    .papers = "coalesce",
    .stands_for = "LPS: Laplace's equation in 3D, three planes with frame in shared memory",
    .kernels = "laplace3d",
    .inputs =
        {
            [SIZE_TINY] = "40x20x12, 2 iterations",
            [SIZE_SMALL] = "100x100x100, 1 iteration",
            [SIZE_STUDY] = "100x100x100, 6 iterations",
            [SIZE_PAPER] = "100x100x100, 1 iteration",
            [SIZE_FEW] = "96x64x100, 1 iteration: 48 CTAs",
        },
    .run = run,
};
