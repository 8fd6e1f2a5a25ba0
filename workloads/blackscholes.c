/* blackscholes.c - BLACKSCHOLES: CUDA SDK BlackScholes.
 *
 * The original prices 4,000,000 options 512 times over; ours prices them once.  Ranges of prices,
 * times, rate and volatility are the original's. */
#include "workload.h"

#include "fast_math.h"

enum { THREADS = 128, PER_THREAD = 2, ARRAYS_IN = 3 };

static const float rate = 0.02f, volatility = 0.30f;

static float normal_below(float d)
{
    static const float factors[] = {1.330274429f, -1.821255978f, 1.781477937f, -0.356563782f,
                                    0.31938153f};
    float k = hm_fast_dividef(1.0f, hm_fmaf(0.2316419f, hm_fabsf(d), 1.0f)), poly = 0.0f;
    for (int i = 0; i < 5; i++)
        poly = i ? hm_fmaf(poly, k, factors[i]) : factors[i];
    float above = 0.39894228f * hm_fast_expf(-0.5f * d * d) * (k * poly);
    return d > 0 ? 1.0f - above : above;
}

static void reference(float *call, float *put, const float *stock, const float *strike,
                      const float *years, size_t n)
{
    const float drift = rate + 0.5f * volatility * volatility;
    for (size_t i = 0; i < n; i++) {
        float spread = volatility * hm_fast_dividef(1.0f, hm_rsqrtf(years[i]));
        float d1 = hm_fast_dividef(hm_fast_logf(stock[i] / strike[i]) + drift * years[i], spread);
        float below1 = normal_below(d1), below2 = normal_below(d1 - spread);
        float discounted = strike[i] * hm_fast_expf(-rate * years[i]);
        call[i] = stock[i] * below1 - discounted * below2;
        put[i] = discounted * (1.0f - below2) - stock[i] * (1.0f - below1);
    }
}

static bool launch(struct work *w, hd_ptr call, hd_ptr put, const hd_ptr *in, uint32_t options,
                   struct hd_error *e)
{
    uint32_t pairs = options / PER_THREAD;
    struct hd_args a = {0};
    hd_arg_ptr(&a, call);
    hd_arg_ptr(&a, put);
    for (int i = 0; i < ARRAYS_IN; i++)
        hd_arg_ptr(&a, in[i]);
    hd_arg_f32(&a, rate);
    hd_arg_f32(&a, volatility);
    hd_arg_u32(&a, pairs);
    return work_launch(w, "black_scholes", (struct hd_dim){(pairs + THREADS - 1) / THREADS, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e);
}

static bool check(struct work *w, hd_ptr call, hd_ptr put, float *const *in, size_t n,
                  struct hd_error *e)
{
    size_t bytes = n * sizeof(float);
    float *got = work_alloc(w, bytes), *calls = work_alloc(w, bytes), *puts = work_alloc(w, bytes);
    reference(calls, puts, in[0], in[1], in[2], n);
    return work_download(w, got, call, bytes, e) && work_same_f32("call", got, calls, n, e) &&
           work_download(w, got, put, bytes, e) && work_same_f32("put", got, puts, n, e);
}

static bool run(struct work *w, struct hd_error *e)
{
    static const uint32_t sizes[SIZES] = {[SIZE_TINY] = 8000,
                                          [SIZE_SMALL] = 400000,
                                          [SIZE_STUDY] = 2000000,
                                          [SIZE_PAPER] = 4000000,
                                          [SIZE_FEW] = 48 * THREADS * PER_THREAD};
    static const struct {
        float lo, hi;
    } ranges[ARRAYS_IN] = {{5.0f, 30.0f}, {1.0f, 100.0f}, {0.25f, 10.0f}};
    uint32_t n = sizes[w->size];
    size_t bytes = n * sizeof(float);
    float *in[ARRAYS_IN];
    hd_ptr in_d[ARRAYS_IN];
    for (uint32_t k = 0; k < ARRAYS_IN; k++) {
        in[k] = work_alloc(w, bytes);
        for (uint32_t i = 0; i < n; i++)
            in[k][i] = work_random_f32(w, k, i, ranges[k].lo, ranges[k].hi);
        in_d[k] = work_upload(w, in[k], bytes, e);
        if (!in_d[k])
            return false;
    }
    hd_ptr call = work_device(w, bytes, e), put = work_device(w, bytes, e);
    return call && put && launch(w, call, put, in_d, n, e) &&
           (!w->verify || check(w, call, put, in, n, e));
}

const struct workload workload_blackscholes = {
    .name = "BLACKSCHOLES",
    .suite = "CUDA SDK",
    .papers = "coalesce",
    .stands_for = "BlackScholes: option prices, five streams of pairs of floats",
    .kernels = "blackscholes",
    .inputs =
        {
            [SIZE_TINY] = "8,000 options",
            [SIZE_SMALL] = "400,000 options",
            [SIZE_STUDY] = "2,000,000 options",
            [SIZE_PAPER] = "4,000,000 options",
            [SIZE_FEW] = "12,288 options: 48 CTAs",
        },
    .run = run,
};
