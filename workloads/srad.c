/* srad.c - SRAD: Rodinia srad, version 2.
 *
 * As in the original, the image is exp of random numbers in [0, 1), the first rows and columns
 * (0..127) are the region whose statistics steer the diffusion, lambda is 0.5, and the image goes
 * to the device and back in every iteration, between which the host computes the statistics.  Ours
 * draws the numbers from the seed. */
#include "workload.h"

#include "../kernels/heddle_math.h"

enum { TILE = 16, REGION = 128, ITERATIONS = 2 };
#define LAMBDA 0.5f

struct image {
    int n; /* pixels in each direction */
    size_t pixels, bytes;
    float *j, *c; /* image, diffusion coefficients */
    float *d[4];  /* differences: E W N S */
};

static struct image make_image(struct work *w)
{
    static const int sizes[SIZES] = {64, 512, 1024, 2048, 128};
    struct image m = {.n = sizes[w->size]};
    m.pixels = (size_t)m.n * (size_t)m.n;
    m.bytes = m.pixels * sizeof(float);
    m.j = work_alloc(w, m.bytes);
    m.c = work_alloc(w, m.bytes);
    for (int i = 0; i < 4; i++)
        m.d[i] = work_alloc(w, m.bytes);
    for (size_t i = 0; i < m.pixels; i++)
        m.j[i] = hm_expf(work_random_f32(w, 0, i, 0.0f, 1.0f));
    return m;
}

/* Squared coefficient of variation of the region. */
static float speckle(const struct image *m)
{
    int side = m->n < REGION ? m->n : REGION;
    float sum = 0, sum2 = 0, size = (float)(side * side);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            float v = m->j[y * m->n + x];
            sum += v;
            sum2 += v * v;
        }
    }
    float mean = sum / size;
    float variance = sum2 / size - mean * mean;
    return variance / (mean * mean);
}

static float coefficient(float jc, const float d[4], float q0sqr)
{
    float e = d[0], w = d[1], n = d[2], s = d[3];
    float g2 = hm_fmaf(e, e, hm_fmaf(w, w, hm_fmaf(s, s, n * n))) / (jc * jc);
    float l = (n + s + w + e) / jc;
    float num = (float)hm_fma(-1.0 / 16.0, (double)(l * l), 0.5 * (double)g2);
    float den = (float)hm_fma(0.25, l, 1.0);
    float qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    float c = (float)(1.0 / (1.0 + (double)den));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

/* One iteration; a neighbour beyond the edge is the pixel itself. */
static void reference(struct image *m, float q0sqr)
{
    int n = m->n;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            int at = y * n + x;
            float jc = m->j[at];
            float d[4] = {m->j[x < n - 1 ? at + 1 : at] - jc, m->j[x > 0 ? at - 1 : at] - jc,
                          m->j[y > 0 ? at - n : at] - jc, m->j[y < n - 1 ? at + n : at] - jc};
            m->c[at] = coefficient(jc, d, q0sqr);
            for (int i = 0; i < 4; i++)
                m->d[i][at] = d[i];
        }
    }
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            int at = y * n + x;
            float cc = m->c[at];
            float ce = m->c[x < n - 1 ? at + 1 : at], cs = m->c[y < n - 1 ? at + n : at];
            float sum = hm_fmaf(cc, m->d[2][at], cs * m->d[3][at]);
            sum = hm_fmaf(ce, m->d[0][at], hm_fmaf(cc, m->d[1][at], sum));
            m->j[at] = (float)hm_fma(0.25 * (double)LAMBDA, sum, m->j[at]);
        }
    }
}

struct on_device {
    hd_ptr j, c, d[4];
};

static bool launch(struct work *w, const char *kernel, const struct image *m,
                   const struct on_device *p, float last, struct hd_error *e)
{
    uint32_t blocks = (uint32_t)(m->n / TILE);
    struct hd_args a = {0};
    for (int i = 0; i < 4; i++)
        hd_arg_ptr(&a, p->d[i]);
    hd_arg_ptr(&a, p->j);
    hd_arg_ptr(&a, p->c);
    hd_arg_i32(&a, m->n);
    hd_arg_f32(&a, last);
    return work_launch(w, kernel, (struct hd_dim){blocks, blocks, 1},
                       (struct hd_dim){TILE, TILE, 1}, 0, &a, e);
}

/* The device's results against the reference's. */
static bool verify(struct work *w, const struct image *m, const struct on_device *p, float *got,
                   struct hd_error *e)
{
    static const char *const names[4] = {"east", "west", "north", "south"};
    for (int i = 0; i < 4; i++)
        if (!work_download(w, got, p->d[i], m->bytes, e) ||
            !work_same_f32(names[i], got, m->d[i], m->pixels, e))
            return false;
    return work_download(w, got, p->c, m->bytes, e) &&
           work_same_f32("coefficient", got, m->c, m->pixels, e) &&
           work_download(w, got, p->j, m->bytes, e) &&
           work_same_f32("pixel", got, m->j, m->pixels, e);
}

static bool iterate(struct work *w, struct image *m, const struct on_device *p, float *scratch,
                    struct hd_error *e)
{
    float q0sqr = speckle(m);
    if (!hd_upload(w->device, p->j, m->j, m->bytes, e) ||
        !launch(w, "srad_cuda_1", m, p, q0sqr, e) || !launch(w, "srad_cuda_2", m, p, LAMBDA, e))
        return false;
    if (!w->verify)
        return work_download(w, m->j, p->j, m->bytes, e);
    reference(m, q0sqr);
    return verify(w, m, p, scratch, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    struct image m = make_image(w);
    float *scratch = work_alloc(w, m.bytes);
    struct on_device p = {.j = work_device(w, m.bytes, e), .c = work_device(w, m.bytes, e)};
    bool ok = p.j && p.c;
    for (int i = 0; i < 4; i++) {
        p.d[i] = work_device(w, m.bytes, e);
        ok = ok && p.d[i];
    }
    for (int i = 0; i < ITERATIONS && ok; i++)
        ok = iterate(w, &m, &p, scratch, e);
    return ok;
}

const struct workload workload_srad = {
    .name = "SRAD",
    .suite = "Rodinia",
    .stands_for = "srad v2: anisotropic diffusion of an image, 16x16 tiles with halo",
    .papers = "icc cdxbar",
    .kernels = "srad",
    .inputs = {"64x64 image, 2 iterations", "512x512 image, 2 iterations",
               "1024x1024 image, 2 iterations", "2048x2048 image, 2 iterations",
               "128x128 image, 2 iterations"},
    .run = run,
};
