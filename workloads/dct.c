/* dct.c - DCT of the CUDA SDK (dct8x8): an image is transformed in blocks of 8x8, quantised and
 * transformed back, in three ways; see kernels/dct8x8.cu.
 *
 * The original's image is 512x512, which fits a study; of the original's repetitions for timing
 * (the second forward transform runs 100 times) only the paper size has more than one.  The
 * pixels are random, quantisation is JPEG's table for luminance. */
#include <math.h>

#include "../kernels/heddle_math.h"
#include "workload.h"

enum { N = 8, BLOCK = N * N };

struct image {
    uint32_t width, height, repeats;
};

static size_t pixels(struct image m)
{
    return (size_t)m.width * m.height;
}

struct tables {
    float cosines[BLOCK]; /* [sample][frequency] */
    int32_t fixed[BLOCK]; /* the same times 2^FRACTION */
    int16_t quantum[BLOCK];
};
enum { FRACTION = 13 };

static const int16_t *jpeg_luminance(void)
{
    static const int16_t table[BLOCK] = {
        16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
        14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
        18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    };
    return table;
}

/* cos((2 sample + 1) frequency pi / 16) / 2, by symmetry from an eighth of the circle. */
static void make_tables(struct tables *t)
{
    static const float half_cosine[N] = {0,
                                         0.490392640f,
                                         0.461939766f,
                                         0.415734806f,
                                         0.353553391f,
                                         0.277785117f,
                                         0.191341716f,
                                         0.0975451610f};
    static const int32_t half_cosine_fixed[N] = {0, 4017, 3784, 3406, 2896, 2276, 1567, 799};
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t sample = i / N, frequency = i % N;
        uint32_t angle = frequency == 0 ? 4 : (2 * sample + 1) * frequency % 32;
        if (angle > 16)
            angle = 32 - angle;
        bool is_negative = angle > 8;
        if (is_negative)
            angle = 16 - angle;
        t->cosines[i] = is_negative ? -half_cosine[angle] : half_cosine[angle];
        t->fixed[i] = is_negative ? -half_cosine_fixed[angle] : half_cosine_fixed[angle];
    }
    memcpy(t->quantum, jpeg_luminance(), sizeof t->quantum);
}

/* --- references: one block in place, rows `stride` apart ------------------------------------- */

typedef void block_fn(const struct tables *t, bool is_forward, void *block, size_t stride);

static void by_definition(const struct tables *t, bool is_forward, void *block, size_t stride)
{
    float *b = block, half_done[BLOCK];
    const size_t across = is_forward ? N : 1, along = is_forward ? 1 : N;
    for (size_t i = 0; i < BLOCK; i++) {
        float sum = 0;
        for (size_t k = 0; k < N; k++)
            sum = hm_fmaf(t->cosines[k * across + i / N * along], b[k * stride + i % N], sum);
        half_done[i] = sum;
    }
    for (size_t i = 0; i < BLOCK; i++) {
        float sum = 0;
        for (size_t k = 0; k < N; k++)
            sum = hm_fmaf(half_done[i / N * N + k], t->cosines[k * across + i % N * along], sum);
        b[i / N * stride + i % N] = sum;
    }
}

#define NORM 0.353553391f /* sqrt(1/8) */
#define C1 1.38703985f    /* sqrt(2) cos(k pi / 16) */
#define C2 1.30656296f
#define C3 1.17587560f
#define C5 0.785694958f
#define C6 0.541196100f
#define C7 0.275899379f

static void odd_part(const float in[N / 2], float out[N / 2])
{
    static const float c[N / 2][N / 2] = {
        {C1, C3, C5, C7}, {C3, -C7, -C1, -C5}, {C5, -C1, C7, C3}, {C7, -C5, C3, -C1}};
    for (size_t i = 0; i < N / 2; i++) {
        out[i] = c[i][0] * in[0];
        for (size_t k = 1; k < N / 2; k++)
            out[i] = hm_fmaf(c[i][k], in[k], out[i]);
    }
}

static void forward8(float *v, size_t stride)
{
    float s[N / 2], d[N / 2], odd[N / 2];
    for (size_t i = 0; i < N / 2; i++) {
        s[i] = v[i * stride] + v[(N - 1 - i) * stride];
        d[i] = v[i * stride] - v[(N - 1 - i) * stride];
    }
    odd_part(d, odd);
    float outer = s[0] + s[3], outer_d = s[0] - s[3], inner = s[1] + s[2], inner_d = s[1] - s[2];
    v[0] = NORM * (outer + inner);
    v[4 * stride] = NORM * (outer - inner);
    v[2 * stride] = NORM * hm_fmaf(C6, inner_d, C2 * outer_d);
    v[6 * stride] = NORM * hm_fmaf(-C2, inner_d, C6 * outer_d);
    for (size_t i = 0; i < N / 2; i++)
        v[(2 * i + 1) * stride] = NORM * odd[i];
}

static void inverse8(float *v, size_t stride)
{
    float y[N / 2], d[N / 2];
    for (size_t i = 0; i < N / 2; i++)
        y[i] = v[(2 * i + 1) * stride];
    odd_part(y, d);
    float sum = v[0] + v[4 * stride], difference = v[0] - v[4 * stride];
    float outer = hm_fmaf(C6, v[6 * stride], C2 * v[2 * stride]);
    float inner = hm_fmaf(-C2, v[6 * stride], C6 * v[2 * stride]);
    float s[N / 2] = {sum + outer, difference + inner, difference - inner, sum - outer};
    for (size_t i = 0; i < N / 2; i++) {
        v[i * stride] = NORM * (s[i] + d[i]);
        v[(N - 1 - i) * stride] = NORM * (s[i] - d[i]);
    }
}

static void by_eight_points(const struct tables *t, bool is_forward, void *block, size_t stride)
{
    (void)t;
    float *b = block;
    void (*transform)(float *, size_t) = is_forward ? forward8 : inverse8;
    for (size_t i = 0; i < N; i++)
        transform(b + i * stride, 1);
    for (size_t i = 0; i < N; i++)
        transform(b + i, stride);
}

/* Sums of integers are exact in any order, so the matrix serves for the kernel's butterflies. */
static void fixed8(const struct tables *t, bool is_forward, int16_t *v, size_t stride)
{
    const size_t across = is_forward ? N : 1, along = is_forward ? 1 : N;
    int32_t sums[N] = {0};
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++)
            sums[i] += t->fixed[k * across + i * along] * v[k * stride];
    for (size_t i = 0; i < N; i++)
        v[i * stride] = (int16_t)((sums[i] + (1 << (FRACTION - 1))) >> FRACTION);
}

static void by_fixed_point(const struct tables *t, bool is_forward, void *block, size_t stride)
{
    int16_t *b = block;
    for (size_t i = 0; i < N; i++)
        fixed8(t, is_forward, b + i * stride, 1);
    for (size_t i = 0; i < N; i++)
        fixed8(t, is_forward, b + i, stride);
}

static void each_block(struct image m, const struct tables *t, block_fn *fn, bool is_forward,
                       void *data, size_t element)
{
    for (size_t y = 0; y < m.height; y += N)
        for (size_t x = 0; x < m.width; x += N)
            fn(t, is_forward, (char *)data + (y * m.width + x) * element, m.width);
}

static int16_t quantum_at(struct image m, const struct tables *t, size_t i)
{
    return t->quantum[i / m.width % N * N + i % N];
}

static void quantise(struct image m, const struct tables *t, float *v)
{
    for (size_t i = 0; i < pixels(m); i++) {
        float q = quantum_at(m, t, i);
        v[i] = roundf(v[i] / q) * q;
    }
}

static void quantise_fixed(struct image m, const struct tables *t, int16_t *v)
{
    for (size_t i = 0; i < pixels(m); i++) {
        int q = quantum_at(m, t, i);
        int magnitude = ((v[i] < 0 ? -v[i] : v[i]) + q / 2) / q * q;
        v[i] = (int16_t)(v[i] < 0 ? -magnitude : magnitude);
    }
}

/* --- runs ------------------------------------------------------------------------------------ */

struct job {
    struct work *w;
    struct image m;
    struct tables t;
    const int16_t *source; /* pixels less 128 */
};

/* `tile` pixels per CTA. */
static bool launch(const struct job *j, const char *kernel, struct hd_dim tile, struct hd_dim block,
                   const struct hd_args *args, struct hd_error *e)
{
    struct hd_dim grid = {j->m.width / tile.x, j->m.height / tile.y, 1};
    return work_launch(j->w, kernel, grid, block, 0, args, e);
}

static bool launch_quantisation(const struct job *j, const char *kernel, hd_ptr image,
                                struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, image);
    hd_arg_i32(&args, (int32_t)j->m.width);
    return launch(j, kernel, (struct hd_dim){N, N, 1}, (struct hd_dim){N, N, 1}, &args, e);
}

static float *float_source(const struct job *j)
{
    float *v = work_alloc(j->w, pixels(j->m) * sizeof *v);
    for (size_t i = 0; i < pixels(j->m); i++)
        v[i] = j->source[i];
    return v;
}

static bool check_floats(const struct job *j, block_fn *fn, hd_ptr coefficients, hd_ptr result,
                         struct hd_error *e)
{
    size_t n = pixels(j->m);
    float *want = float_source(j), *got = work_alloc(j->w, n * sizeof *got);
    each_block(j->m, &j->t, fn, true, want, sizeof *want);
    quantise(j->m, &j->t, want);
    if (!work_download(j->w, got, coefficients, n * sizeof *got, e) ||
        !work_same_f32("coefficients", got, want, n, e))
        return false;
    each_block(j->m, &j->t, fn, false, want, sizeof *want);
    return work_download(j->w, got, result, n * sizeof *got, e) &&
           work_same_f32("image", got, want, n, e);
}

static bool launch_definition(const struct job *j, const char *kernel, hd_ptr result,
                              hd_texture source, struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, result);
    hd_arg_i32(&args, (int32_t)j->m.width);
    hd_arg_i64(&args, (int64_t)source);
    return launch(j, kernel, (struct hd_dim){N, N, 1}, (struct hd_dim){N, N, 1}, &args, e);
}

/* The texture is the source both ways: the coefficients are copied to where the image was. */
static bool run_definition(const struct job *j, struct hd_error *e)
{
    uint64_t bytes = pixels(j->m) * sizeof(float);
    hd_ptr array = work_upload(j->w, float_source(j), bytes, e);
    hd_ptr result = work_device(j->w, bytes, e);
    struct hd_texture_desc desc = {
        .address = array,
        .width = j->m.width,
        .height = j->m.height,
        .channels = 1,
        .bits = 32,
        .kind = HD_FLOAT,
        .addressing = {HD_CLAMP, HD_CLAMP, HD_CLAMP},
        .filter = HD_POINT,
    };
    hd_texture source = work_texture(j->w, &desc, e);
    if (!array || !result || !source)
        return false;
    bool ok = launch_definition(j, "CUDAkernel1DCT", result, source, e) &&
              launch_quantisation(j, "CUDAkernelQuantizationFloat", result, e) &&
              hd_copy(j->w->device, array, result, bytes, e) &&
              launch_definition(j, "CUDAkernel1IDCT", result, source, e);
    return ok && (!j->w->verify || check_floats(j, by_definition, array, result, e));
}

static bool launch_eight_points(const struct job *j, const char *kernel, hd_ptr to, hd_ptr from,
                                struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, to);
    hd_arg_ptr(&args, from);
    hd_arg_i32(&args, (int32_t)j->m.width);
    return launch(j, kernel, (struct hd_dim){32, 16, 1}, (struct hd_dim){N, 4, 2}, &args, e);
}

static bool run_eight_points(const struct job *j, struct hd_error *e)
{
    uint64_t bytes = pixels(j->m) * sizeof(float);
    hd_ptr image = work_upload(j->w, float_source(j), bytes, e);
    hd_ptr coefficients = work_device(j->w, bytes, e);
    if (!image || !coefficients)
        return false;
    for (uint32_t i = 0; i < j->m.repeats; i++)
        if (!launch_eight_points(j, "CUDAkernel2DCT", coefficients, image, e))
            return false;
    if (!launch_quantisation(j, "CUDAkernelQuantizationFloat", coefficients, e) ||
        !launch_eight_points(j, "CUDAkernel2IDCT", image, coefficients, e))
        return false;
    return !j->w->verify || check_floats(j, by_eight_points, coefficients, image, e);
}

static bool same_fixed(const struct job *j, const char *what, hd_ptr image, const int16_t *want,
                       struct hd_error *e)
{
    size_t n = pixels(j->m);
    int16_t *got = work_alloc(j->w, n * sizeof *got);
    int32_t *wide = work_alloc(j->w, 2 * n * sizeof *wide);
    if (!work_download(j->w, got, image, n * sizeof *got, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        wide[i] = got[i];
        wide[n + i] = want[i];
    }
    return work_same_i32(what, wide, wide + n, n, e);
}

static bool launch_fixed_point(const struct job *j, const char *kernel, hd_ptr image,
                               struct hd_error *e)
{
    struct hd_args args = {0};
    hd_arg_ptr(&args, image);
    hd_arg_i32(&args, (int32_t)j->m.width);
    return launch(j, kernel, (struct hd_dim){32, 32, 1}, (struct hd_dim){N, 4, 4}, &args, e);
}

/* In place, so what is between is checked between. */
static bool run_fixed_point(const struct job *j, struct hd_error *e)
{
    uint64_t bytes = pixels(j->m) * sizeof(int16_t);
    hd_ptr image = work_upload(j->w, j->source, bytes, e);
    int16_t *want = work_alloc(j->w, bytes);
    if (!image || !launch_fixed_point(j, "CUDAkernelShortDCT", image, e) ||
        !launch_quantisation(j, "CUDAkernelQuantizationShort", image, e))
        return false;
    if (j->w->verify) {
        memcpy(want, j->source, bytes);
        each_block(j->m, &j->t, by_fixed_point, true, want, sizeof *want);
        quantise_fixed(j->m, &j->t, want);
        if (!same_fixed(j, "coefficients in fixed point", image, want, e))
            return false;
        each_block(j->m, &j->t, by_fixed_point, false, want, sizeof *want);
    }
    return launch_fixed_point(j, "CUDAkernelShortIDCT", image, e) &&
           (!j->w->verify || same_fixed(j, "image in fixed point", image, want, e));
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct image images[SIZES] = {
        [SIZE_TINY] = {96, 96, 1},      [SIZE_SMALL] = {256, 256, 1}, [SIZE_STUDY] = {512, 512, 1},
        [SIZE_PAPER] = {512, 512, 100}, [SIZE_FEW] = {64, 64, 1},     [SIZE_CHIP] = {512, 512, 1},
    };
    struct job j = {.w = w, .m = images[w->size]};
    int16_t *source = work_alloc(w, pixels(j.m) * sizeof *source);
    for (size_t i = 0; i < pixels(j.m); i++)
        source[i] = (int16_t)((int)(work_random(w, 0, i) & 255) - 128);
    j.source = source;
    make_tables(&j.t);
    return work_symbol(w, "cosines", j.t.cosines, sizeof j.t.cosines, e) &&
           work_symbol(w, "quantum", j.t.quantum, sizeof j.t.quantum, e) && run_definition(&j, e) &&
           run_eight_points(&j, e) && run_fixed_point(&j, e);
}

const struct workload workload_dct = {
    .name = "DCT",
    .suite = "CUDA SDK",
    .stands_for = "dct8x8: cosine transform, quantisation and inverse, in three ways",
    .papers = "icc",
    .kernels = "dct8x8",
    .inputs =
        {
            [SIZE_TINY] = "96x96 image",
            [SIZE_SMALL] = "256x256 image",
            [SIZE_STUDY] = "512x512 image",
            [SIZE_PAPER] = "512x512 image, second transform 100 times",
            [SIZE_FEW] = "64x64 image",
            [SIZE_CHIP] = "512x512 image",
        },
    .run = run,
};
