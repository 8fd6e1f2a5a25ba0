/* gaussian.c - GAUSSIAN: Rodinia gaussian; see kernels/gaussian.cu.
 *
 * The matrix is the one that the original makes for -s: 10 exp(-0.01 |i - j|), which is positive
 * definite and needs no pivots.  The seed adds up to 1 to the diagonal and draws the right-hand
 * side.  As in the original the device eliminates; back substitution is the host's, and is left
 * out here.  The suite's largest matrix has 1024 rows.  A study keeps it, and with it the grids,
 * the footprint and how the part that is still worked on shrinks, but takes a sample of the
 * steps: the host eliminates between them. */
#include "../kernels/heddle_math.h"
#include "workload.h"

enum { THREADS = 512, TILE = 4, DIAGONAL_STREAM = 0, RIGHT_STREAM = 1 };

struct system {
    uint32_t n;
    size_t bytes; /* of the matrix */
    float *a, *b, *m;
    hd_ptr a_d, b_d, m_d;
};

static struct system make_system(struct work *w, uint32_t n)
{
    struct system s = {.n = n, .bytes = (size_t)n * n * sizeof(float)};
    s.a = work_alloc(w, s.bytes);
    s.m = work_alloc(w, s.bytes);
    s.b = work_alloc(w, n * sizeof *s.b);
    float *by_distance = work_alloc(w, n * sizeof *by_distance);
    for (uint32_t i = 0; i < n; i++)
        by_distance[i] = 10.0f * hm_expf(-0.01f * (float)i);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            s.a[(size_t)i * n + j] = by_distance[i > j ? i - j : j - i];
        s.a[(size_t)i * n + i] += work_random_f32(w, DIAGONAL_STREAM, i, 0.0f, 1.0f);
        s.b[i] = work_random_f32(w, RIGHT_STREAM, i, 0.5f, 1.5f);
    }
    return s;
}

static bool allocate(struct work *w, struct system *s, struct hd_error *e)
{
    s->a_d = work_device(w, s->bytes, e);
    s->m_d = work_device(w, s->bytes, e);
    s->b_d = work_device(w, s->n * sizeof *s->b, e);
    return s->a_d && s->m_d && s->b_d;
}

static bool upload(struct work *w, const struct system *s, struct hd_error *e)
{
    return hd_upload(w->device, s->a_d, s->a, s->bytes, e) &&
           hd_upload(w->device, s->m_d, s->m, s->bytes, e) &&
           hd_upload(w->device, s->b_d, s->b, s->n * sizeof *s->b, e);
}

static bool step(struct work *w, const struct system *s, uint32_t t, struct hd_error *e)
{
    uint32_t tiles = (s->n + TILE - 1) / TILE;
    struct hd_args divide = {0}, subtract = {0};
    hd_arg_ptr(&divide, s->m_d);
    hd_arg_ptr(&divide, s->a_d);
    hd_arg_i32(&divide, (int32_t)s->n);
    hd_arg_i32(&divide, (int32_t)t);
    hd_arg_ptr(&subtract, s->m_d);
    hd_arg_ptr(&subtract, s->a_d);
    hd_arg_ptr(&subtract, s->b_d);
    hd_arg_i32(&subtract, (int32_t)s->n);
    hd_arg_i32(&subtract, (int32_t)t);
    return work_launch(w, "Fan1", (struct hd_dim){(s->n + THREADS - 1) / THREADS, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &divide, e) &&
           work_launch(w, "Fan2", (struct hd_dim){tiles, tiles, 1}, (struct hd_dim){TILE, TILE, 1},
                       0, &subtract, e);
}

/* Step t on the host. */
static void eliminate(struct system *s, size_t t)
{
    const float *pivot = s->a + t * s->n;
    for (size_t i = t + 1; i < s->n; i++) {
        float *row = s->a + i * s->n;
        float multiplier = row[t] / pivot[t];
        s->m[i * s->n + t] = multiplier;
        for (size_t j = t; j < s->n; j++)
            row[j] = hm_fmaf(-multiplier, pivot[j], row[j]);
        s->b[i] = hm_fmaf(-multiplier, s->b[t], s->b[i]);
    }
}

static bool check(struct work *w, const struct system *s, float *got, struct hd_error *e)
{
    size_t n = s->bytes / sizeof *got;
    return work_download(w, got, s->m_d, s->bytes, e) &&
           work_same_f32("multiplier", got, s->m, n, e) &&
           work_download(w, got, s->a_d, s->bytes, e) && work_same_f32("matrix", got, s->a, n, e) &&
           work_download(w, got, s->b_d, s->n * sizeof *got, e) &&
           work_same_f32("right-hand side", got, s->b, s->n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t n, every; /* which steps are the device's */
    } sizes[SIZES] = {
        [SIZE_TINY] = {42, 1},    [SIZE_SMALL] = {128, 1}, [SIZE_STUDY] = {1024, 96},
        [SIZE_PAPER] = {1024, 1}, [SIZE_FEW] = {32, 1},
    };
    uint32_t every = sizes[w->size].every;
    struct system s = make_system(w, sizes[w->size].n);
    float *got = work_alloc(w, s.bytes);
    bool ok = allocate(w, &s, e);
    for (uint32_t t = 0; t + 1 < s.n && ok; t++) {
        bool on_device = t % every == 0;
        if (on_device)
            ok = (t > 0 && every == 1) || upload(w, &s, e);
        if (on_device && ok)
            ok = step(w, &s, t, e);
        if (w->verify || every > 1)
            eliminate(&s, t);
        if (on_device && w->verify && ok)
            ok = check(w, &s, got, e);
    }
    return ok;
}

const struct workload workload_gaussian = {
    .name = "GAUSSIAN",
    .suite = "Rodinia",
    .stands_for = "gaussian: elimination, a column per two launches, CTAs of 4x4 threads",
    .papers = "sharing",
    .kernels = "gaussian",
    .inputs =
        {
            [SIZE_TINY] = "42x42 matrix",
            [SIZE_SMALL] = "128x128 matrix",
            [SIZE_STUDY] = "every 96th of 1023 steps of a 1024x1024 matrix",
            [SIZE_PAPER] = "1024x1024 matrix",
            [SIZE_FEW] = "32x32 matrix",
        },
    .run = run,
};
