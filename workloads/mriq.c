/* mriq.c - MRI-Q of Parboil: scanner configuration for image reconstruction; see kernels/mriq.cu.
 *
 * The original reads voxels and samples of a trajectory from files: 32x32x32 voxels and 3,072
 * samples, or 64x64x64 and 2,048.  Ours has a grid of voxels in the unit cube, and samples drawn
 * from the seed within a cube of 32 turns.  As in the original, the squared magnitudes come back to
 * the host, which puts them in constant memory with the samples, 1,024 at a time. */
#include "workload.h"

#include "fast_math.h"

enum { AT_ONCE = 1024, MAGNITUDE_THREADS = 512, Q_THREADS = 256, K_STREAM = 0, PHI_STREAM = 1 };

struct scan {
    uint32_t nx, ny, nz, samples; /* whole CTAs of voxels; samples are even in number */
};

struct sample {
    float kx, ky, kz, magnitude;
};

struct voxels {
    uint32_t n;
    float *x, *y, *z;
};

struct device_voxels {
    hd_ptr x, y, z, real, imaginary;
};

static struct voxels make_voxels(struct work *w, const struct scan *s)
{
    struct voxels v = {.n = s->nx * s->ny * s->nz};
    v.x = work_alloc(w, v.n * sizeof *v.x);
    v.y = work_alloc(w, v.n * sizeof *v.y);
    v.z = work_alloc(w, v.n * sizeof *v.z);
    for (uint32_t i = 0; i < v.n; i++) {
        v.x[i] = (float)(i % s->nx) / (float)s->nx - 0.5f;
        v.y[i] = (float)(i / s->nx % s->ny) / (float)s->ny - 0.5f;
        v.z[i] = (float)(i / s->nx / s->ny) / (float)s->nz - 0.5f;
    }
    return v;
}

static float *random_floats(struct work *w, uint32_t stream, uint32_t n, float size)
{
    float *x = work_alloc(w, n * sizeof *x);
    for (uint32_t i = 0; i < n; i++)
        x[i] = work_random_f32(w, stream, i, -size, size);
    return x;
}

/* On the device, and compared with the host's. */
static bool square_magnitudes(struct work *w, uint32_t n, float *magnitude, struct hd_error *e)
{
    float *real = random_floats(w, PHI_STREAM, n, 1.0f);
    float *imaginary = random_floats(w, PHI_STREAM + 1, n, 1.0f);
    float *want = work_alloc(w, n * sizeof *want);
    hd_ptr to = work_device(w, n * sizeof *magnitude, e);
    struct hd_args a = {0};
    hd_arg_ptr(&a, work_upload(w, real, n * sizeof *real, e));
    hd_arg_ptr(&a, work_upload(w, imaginary, n * sizeof *imaginary, e));
    hd_arg_ptr(&a, to);
    hd_arg_u32(&a, n);
    struct hd_dim grid = {(n + MAGNITUDE_THREADS - 1) / MAGNITUDE_THREADS, 1, 1};
    if (e->status != HD_DONE ||
        !work_launch(w, "ComputePhiMag_GPU", grid, (struct hd_dim){MAGNITUDE_THREADS, 1, 1}, 0, &a,
                     e) ||
        !work_download(w, magnitude, to, n * sizeof *magnitude, e))
        return false;
    for (uint32_t i = 0; i < n; i++)
        want[i] = hm_fmaf(imaginary[i], imaginary[i], real[i] * real[i]);
    return !w->verify || work_same_f32("magnitude", magnitude, want, n, e);
}

static bool make_samples(struct work *w, uint32_t n, struct sample *sample, struct hd_error *e)
{
    float *magnitude = work_alloc(w, n * sizeof *magnitude);
    if (!square_magnitudes(w, n, magnitude, e))
        return false;
    const float *k = random_floats(w, K_STREAM, 3 * n, 16.0f);
    for (uint32_t i = 0; i < n; i++)
        sample[i] = (struct sample){k[i], k[n + i], k[2 * n + i], magnitude[i]};
    return true;
}

static bool upload(struct work *w, const struct voxels *v, struct device_voxels *d,
                   struct hd_error *e)
{
    *d = (struct device_voxels){
        .x = work_upload(w, v->x, v->n * sizeof *v->x, e),
        .y = work_upload(w, v->y, v->n * sizeof *v->y, e),
        .z = work_upload(w, v->z, v->n * sizeof *v->z, e),
        .real = work_device(w, v->n * sizeof(float), e),
        .imaginary = work_device(w, v->n * sizeof(float), e),
    };
    return d->x && d->y && d->z && d->real && d->imaginary;
}

/* The samples from `first` on, as many as fit in constant memory. */
static bool add_samples(struct work *w, const struct voxels *v, const struct device_voxels *d,
                        const struct sample *sample, uint32_t first, uint32_t n, struct hd_error *e)
{
    uint32_t some = n - first < AT_ONCE ? n - first : AT_ONCE;
    struct hd_args a = {0};
    hd_arg_u32(&a, n);
    hd_arg_u32(&a, first);
    hd_arg_ptr(&a, d->x);
    hd_arg_ptr(&a, d->y);
    hd_arg_ptr(&a, d->z);
    hd_arg_ptr(&a, d->real);
    hd_arg_ptr(&a, d->imaginary);
    return work_symbol(w, "samples", sample + first, some * sizeof *sample, e) &&
           work_launch(w, "ComputeQ_GPU", (struct hd_dim){v->n / Q_THREADS, 1, 1},
                       (struct hd_dim){Q_THREADS, 1, 1}, 0, &a, e);
}

static void reference(const struct voxels *v, const struct sample *sample, uint32_t n, float *real,
                      float *imaginary)
{
    const float two_pi = 6.28318531f;
    for (uint32_t i = 0; i < v->n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            const struct sample *s = &sample[k];
            float turns = hm_fmaf(s->kz, v->z[i], hm_fmaf(s->ky, v->y[i], s->kx * v->x[i]));
            real[i] = hm_fmaf(s->magnitude, hm_fast_cosf(two_pi * turns), real[i]);
            imaginary[i] = hm_fmaf(s->magnitude, hm_fast_sinf(two_pi * turns), imaginary[i]);
        }
    }
}

static bool check(struct work *w, const struct voxels *v, const struct device_voxels *d,
                  const struct sample *sample, uint32_t n, struct hd_error *e)
{
    size_t bytes = v->n * sizeof(float);
    float *got = work_alloc(w, bytes);
    float *real = work_alloc(w, bytes), *imaginary = work_alloc(w, bytes);
    reference(v, sample, n, real, imaginary);
    return work_download(w, got, d->real, bytes, e) &&
           work_same_f32("real part", got, real, v->n, e) &&
           work_download(w, got, d->imaginary, bytes, e) &&
           work_same_f32("imaginary part", got, imaginary, v->n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct scan sizes[SIZES] = {
        [SIZE_TINY] = {8, 8, 8, 512},      [SIZE_SMALL] = {16, 16, 16, 2048},
        [SIZE_STUDY] = {32, 32, 30, 1536}, [SIZE_PAPER] = {64, 64, 64, 2048},
        [SIZE_FEW] = {32, 32, 9, 1024},    [SIZE_CHIP] = {64, 64, 64, 1024},
    };
    const struct scan *s = &sizes[w->size];
    struct voxels v = make_voxels(w, s);
    struct sample *sample = work_alloc(w, s->samples * sizeof *sample);
    struct device_voxels d;
    if (!make_samples(w, s->samples, sample, e) || !upload(w, &v, &d, e))
        return false;
    for (uint32_t first = 0; first < s->samples; first += AT_ONCE)
        if (!add_samples(w, &v, &d, sample, first, s->samples, e))
            return false;
    return !w->verify || check(w, &v, &d, sample, s->samples, e);
}

const struct workload workload_mriq = {
    .name = "MRI-Q",
    .suite = "Parboil",
    .stands_for = "mri-q: sums of sines over samples in constant memory",
    .papers = "cdxbar",
    .kernels = "mriq",
    .inputs =
        {
            [SIZE_TINY] = "8x8x8 voxels, 512 samples",
            [SIZE_SMALL] = "16x16x16 voxels, 2,048 samples",
            [SIZE_STUDY] = "32x32x30 voxels, 1,536 samples",
            [SIZE_PAPER] = "64x64x64 voxels, 2,048 samples",
            [SIZE_FEW] = "32x32x9 voxels, 1,024 samples",
            [SIZE_CHIP] = "64x64x64 voxels, 1,024 samples: one of two launches",
        },
    .run = run,
};
