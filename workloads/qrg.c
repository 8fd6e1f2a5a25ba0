/* qrg.c - QRG: CUDA SDK quasirandomGenerator.
 *
 * The original makes 1,048,576 numbers in three dimensions, then turns random integers and then
 * evenly spaced ones into normal variates, 20 times over; ours does each once.  Its table of
 * directions is Niederreiter's, from polynomials over the field of two elements; ours has random
 * words with their leading bits as a generator's must be (a matrix with ones on its diagonal):
 * what is read does not depend on them.  The grid is the original's but for `tiny` and `few`. */
#include "workload.h"

#include "fast_math.h"

enum { DIMENSIONS = 3, BITS = 31, THREADS = 128, TABLE_STREAM = 0, INTEGER_STREAM = 1 };

struct shape {
    uint32_t n, ctas;
};

static void make_directions(const struct work *w, uint32_t table[DIMENSIONS][BITS])
{
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        for (uint32_t bit = 0; bit < BITS; bit++) {
            uint32_t lead = 1u << (BITS - 1 - bit);
            uint32_t word = (uint32_t)work_random(w, TABLE_STREAM, d * BITS + bit);
            table[d][bit] = lead | (word & ~(2 * lead - 1) & 0x7fffffffu);
        }
    }
}

static void quasirandom(float *out, uint32_t table[DIMENSIONS][BITS], uint32_t n)
{
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t x = 0;
            for (uint32_t rest = i; rest; rest &= rest - 1)
                x ^= table[d][__builtin_ctz(rest)];
            out[(size_t)d * n + i] = (float)(x + 1) * 0x1p-31f;
        }
    }
}

static float polynomial(const float *factors, int n, float x)
{
    float sum = factors[0];
    for (int i = 1; i < n; i++)
        sum = hm_fmaf(sum, x, factors[i]);
    return sum;
}

/* Moro, "The full Monte", Risk 8 (1995). */
static float moro(uint32_t u)
{
    static const float top[] = {-25.44106049637f, 41.39119773534f, -18.61500062529f,
                                2.50662823884f};
    static const float bottom[] = {3.13082909833f, -21.06224101826f, 23.08336743743f,
                                   -8.4735109309f, 1.0f};
    static const float tail[] = {3.960315187e-7f,    2.888167364e-7f,     3.21767881768e-5f,
                                 3.951896511919e-4f, 3.8405729373609e-3f, 2.76438810333863e-2f,
                                 0.160797971491821f, 0.976169019091719f,  0.337475482272615f};
    uint32_t below = u < 0x80000000u ? u : ~u;
    float p = hm_fmaf((float)below, 0x1p-32f, 0x1p-33f), y = p - 0.5f;
    float x = y > -0.42f ? y * polynomial(top, 4, y * y) / polynomial(bottom, 5, y * y)
                         : -polynomial(tail, 9, hm_fast_logf(-hm_fast_logf(p)));
    return u < 0x80000000u ? x : -x;
}

static bool launch_inverse(struct work *w, const struct shape *s, hd_ptr out, hd_ptr in,
                           struct hd_error *e)
{
    struct hd_args a = {0};
    hd_arg_ptr(&a, out);
    hd_arg_ptr(&a, in);
    hd_arg_u32(&a, s->n);
    return work_launch(w, "inverse_normal", (struct hd_dim){s->ctas, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

/* Integers, or evenly spaced ones where `in` is NULL. */
static bool check_inverse(struct work *w, hd_ptr out, const uint32_t *in, uint32_t n,
                          struct hd_error *e)
{
    float *got = work_alloc(w, n * sizeof *got), *want = work_alloc(w, n * sizeof *want);
    if (!work_download(w, got, out, n * sizeof *got, e))
        return false;
    for (uint32_t i = 0; w->verify && i < n; i++)
        want[i] = moro(in ? in[i] : (i + 1) * (UINT32_MAX / (n + 1)));
    return !w->verify || work_same_f32("normal variate", got, want, n, e);
}

static bool run_generator(struct work *w, const struct shape *s, hd_ptr out, struct hd_error *e)
{
    uint32_t table[DIMENSIONS][BITS];
    size_t count = (size_t)DIMENSIONS * s->n, bytes = count * sizeof(float);
    struct hd_args a = {0};
    make_directions(w, table);
    hd_arg_ptr(&a, out);
    hd_arg_u32(&a, 0);
    hd_arg_u32(&a, s->n);
    float *got = work_alloc(w, bytes), *want = work_alloc(w, bytes);
    if (!work_symbol(w, "directions", table, sizeof table, e) ||
        !work_launch(w, "quasirandom", (struct hd_dim){s->ctas, 1, 1},
                     (struct hd_dim){THREADS, DIMENSIONS, 1}, 0, &a, e) ||
        !work_download(w, got, out, bytes, e))
        return false;
    if (w->verify)
        quasirandom(want, table, s->n);
    return !w->verify || work_same_f32("quasirandom", got, want, count, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct shape sizes[SIZES] = {[SIZE_TINY] = {2048, 16},
                                              [SIZE_SMALL] = {1 << 17, 128},
                                              [SIZE_STUDY] = {1 << 19, 128},
                                              [SIZE_PAPER] = {1 << 20, 128},
                                              [SIZE_FEW] = {1 << 17, 48}};
    const struct shape *s = &sizes[w->size];
    uint32_t *integers = work_alloc(w, s->n * sizeof *integers);
    for (uint32_t i = 0; i < s->n; i++)
        integers[i] = (uint32_t)work_random(w, INTEGER_STREAM, i);
    hd_ptr in = work_upload(w, integers, s->n * sizeof *integers, e);
    hd_ptr out = work_device(w, (uint64_t)DIMENSIONS * s->n * sizeof(float), e);
    return in && out && run_generator(w, s, out, e) && launch_inverse(w, s, out, in, e) &&
           check_inverse(w, out, integers, s->n, e) && launch_inverse(w, s, out, 0, e) &&
           check_inverse(w, out, NULL, s->n, e);
}

const struct workload workload_qrg = {
    .name = "QRG",
    .suite = "CUDA SDK",
    .papers = "cdxbar",
    .stands_for = "quasirandomGenerator: numbers from a table in constant memory, and Moro's "
                  "inversion",
    .kernels = "quasirandom",
    .inputs =
        {
            [SIZE_TINY] = "2,048 numbers in 3 dimensions, 16 CTAs",
            [SIZE_SMALL] = "131,072 numbers in 3 dimensions",
            [SIZE_STUDY] = "524,288 numbers in 3 dimensions",
            [SIZE_PAPER] = "1,048,576 numbers in 3 dimensions",
            [SIZE_FEW] = "131,072 numbers in 3 dimensions, 48 CTAs",
        },
    .run = run,
};
