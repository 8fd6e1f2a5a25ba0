/* lib.c - LIB of the ISPASS-2009 suite: paths of LIBOR rates; see kernels/libor.cu.
 *
 * The original has 80 rates, 40 steps, 15 swaptions and 4096 paths; so has `paper`; `study` has 60 of the 64 CTAs.
 * Smaller sizes have fewer rates and steps, so that the grid stays what it is. */
#include "workload.h"

#include "fast_math.h"

enum { MOST_RATES = 80, OPTIONS = 15, THREADS = 64 };

struct market {
    int rates, steps, paths, ctas;
    float delta, lambda[MOST_RATES], swap_rates[OPTIONS];
    int maturities[OPTIONS];
};

static void make_market(struct market *m)
{
    static const int of_40[OPTIONS / 3] = {4, 8, 20, 28, 40};
    m->delta = 0.25f;
    for (int i = 0; i < m->rates; i++)
        m->lambda[i] = 0.2f;
    for (int i = 0; i < OPTIONS; i++) {
        m->maturities[i] = of_40[i / 3] * m->steps / 40;
        m->swap_rates[i] = 0.045f + 0.005f * (float)(i % 3);
    }
}

/* ---- reference -------------------------------------------------------------------------------- */

static float growth(const struct market *m, float rate)
{
    return hm_fmaf(m->delta, rate, 1.0f);
}

/* all[n * rates + i]: rate i after n steps; rates of the past stay as they were. */
static void evolve(const struct market *m, int path, float *all)
{
    for (int i = 0; i < m->rates; i++)
        all[i] = 0.05f;
    for (int n = 0; n < m->steps; n++) {
        const float *before = all + n * m->rates;
        float *after = all + (n + 1) * m->rates, drift = 0.0f;
        float shock = hm_sqrtf(m->delta) * hm_fmaf(1e-5f, (float)path, 0.3f);
        for (int i = 0; i < m->rates; i++) {
            after[i] = before[i];
            if (i <= n)
                continue;
            float lam = m->lambda[i - n - 1], con = m->delta * lam;
            drift += hm_fast_dividef(con * before[i], growth(m, before[i]));
            after[i] *= hm_fast_expf(hm_fmaf(con, drift, lam * (shock - 0.5f * con)));
        }
    }
}

/* Prices of bonds and annuities of the rates after the last step; divides exactly or fast. */
static void price(const struct market *m, const float *l, bool is_fast, float *bonds, float *swaps)
{
    float b = 1.0f, s = 0.0f;
    for (int i = 0; i < m->rates - m->steps; i++) {
        float g = growth(m, l[m->steps + i]);
        b = is_fast ? hm_fast_dividef(b, g) : b / g;
        s = hm_fmaf(m->delta, b, s);
        bonds[i] = b;
        swaps[i] = s;
    }
}

static float discount(const struct market *m, const float *l)
{
    float b = 1.0f;
    for (int i = 0; i < m->steps; i++)
        b /= growth(m, l[i]);
    return b;
}

/* The sum over swaptions in the money; derivatives by bonds and annuities where asked for. */
static float exercise(const struct market *m, const float *bonds, const float *swaps,
                      float *bonds_bar, float *swaps_bar)
{
    float v = 0.0f;
    for (int i = 0; i < OPTIONS; i++) {
        int at = m->maturities[i] - 1;
        float swap = hm_fmaf(m->swap_rates[i], swaps[at], bonds[at]) - 1.0f;
        if (!(swap < 0))
            continue;
        v -= 100.0f * swap;
        swaps_bar[at] -= 100.0f * m->swap_rates[i];
        bonds_bar[at] -= 100.0f;
    }
    return v;
}

/* By the derivatives after the last step, in l_bar, to those before the first. */
static void go_back(const struct market *m, const float *all, float *l_bar)
{
    for (int n = m->steps - 1; n >= 0; n--) {
        float v = 0.0f;
        for (int i = m->rates - 1; i > n; i--) {
            float lam = m->lambda[i - n - 1], before = all[n * m->rates + i];
            float after = all[(n + 1) * m->rates + i];
            float f = hm_fast_dividef(m->delta, growth(m, before));
            v = hm_fmaf(lam * after, l_bar[i], v);
            l_bar[i] = hm_fmaf(l_bar[i], hm_fast_dividef(after, before), v * lam * f * f);
        }
    }
}

/* The value with the divisions of the first kernel, that of the second, and the derivative. */
static void reference(const struct market *m, int path, float *all, float results[3])
{
    const float *l = all + m->steps * m->rates;
    float bonds[MOST_RATES], swaps[MOST_RATES], bonds_bar[MOST_RATES] = {0};
    float swaps_bar[MOST_RATES] = {0}, l_bar[MOST_RATES], unused[2][MOST_RATES] = {{0}};
    evolve(m, path, all);
    float b = discount(m, l);
    price(m, l, false, bonds, swaps);
    results[0] = b * exercise(m, bonds, swaps, unused[0], unused[1]);
    price(m, l, true, bonds, swaps);
    float v = exercise(m, bonds, swaps, bonds_bar, swaps_bar) * b;
    for (int i = m->rates - m->steps - 1; i >= 0; i--) {
        float g = growth(m, l[m->steps + i]);
        bonds_bar[i] = hm_fmaf(m->delta, swaps_bar[i], bonds_bar[i]);
        l_bar[m->steps + i] = -bonds_bar[i] * bonds[i] * hm_fast_dividef(m->delta, g) * b;
        if (i > 0) {
            swaps_bar[i - 1] += swaps_bar[i];
            bonds_bar[i - 1] += hm_fast_dividef(bonds_bar[i], g);
        }
    }
    for (int i = 0; i < m->steps; i++)
        l_bar[i] = -v * m->delta / growth(m, l[i]);
    go_back(m, all, l_bar);
    results[1] = v;
    results[2] = l_bar[m->rates - 1];
}

/* ---- run -------------------------------------------------------------------------------------- */

static bool upload_market(struct work *w, const struct market *m, struct hd_error *e)
{
    const int options = OPTIONS;
    return work_symbol(w, "rates", &m->rates, sizeof m->rates, e) &&
           work_symbol(w, "steps", &m->steps, sizeof m->steps, e) &&
           work_symbol(w, "options", &options, sizeof options, e) &&
           work_symbol(w, "delta", &m->delta, sizeof m->delta, e) &&
           work_symbol(w, "maturities", m->maturities, sizeof m->maturities, e) &&
           work_symbol(w, "swap_rates", m->swap_rates, sizeof m->swap_rates, e) &&
           work_symbol(w, "lambda", m->lambda, (uint64_t)m->rates * sizeof *m->lambda, e);
}

static bool check(struct work *w, const struct market *m, const hd_ptr *outputs, struct hd_error *e)
{
    static const char *const names[3] = {"value", "value with derivative", "derivative"};
    size_t n = (size_t)m->paths, bytes = n * sizeof(float);
    float *all = work_alloc(w, (size_t)m->rates * (size_t)(m->steps + 1) * sizeof *all);
    float *got = work_alloc(w, bytes), *want[3];
    for (int k = 0; k < 3; k++)
        want[k] = work_alloc(w, bytes);
    for (int p = 0; p < m->paths; p++) {
        float results[3];
        reference(m, p, all, results);
        for (int k = 0; k < 3; k++)
            want[k][p] = results[k];
    }
    for (int k = 0; k < 3; k++)
        if (!work_download(w, got, outputs[k], bytes, e) ||
            !work_same_f32(names[k], got, want[k], n, e))
            return false;
    return true;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct market sizes[SIZES] = {
        [SIZE_TINY] = {.rates = 20, .steps = 10, .paths = 256, .ctas = 4},
        [SIZE_SMALL] = {.rates = 32, .steps = 16, .paths = 4096, .ctas = 64},
        [SIZE_STUDY] = {.rates = 80, .steps = 40, .paths = 3840, .ctas = 60},
        [SIZE_PAPER] = {.rates = 80, .steps = 40, .paths = 4096, .ctas = 64},
        [SIZE_FEW] = {.rates = 32, .steps = 16, .paths = 3072, .ctas = 48},
    };
    struct market m = sizes[w->size];
    struct hd_dim grid = {(uint32_t)m.ctas, 1, 1}, block = {THREADS, 1, 1};
    uint64_t bytes = (uint64_t)m.paths * sizeof(float);
    hd_ptr out[3];
    make_market(&m);
    for (int i = 0; i < 3; i++)
        if (!(out[i] = work_device(w, bytes, e)))
            return false;
    struct hd_args values = {0}, derivatives = {0};
    hd_arg_ptr(&values, out[0]);
    hd_arg_i32(&values, m.paths);
    hd_arg_ptr(&derivatives, out[1]);
    hd_arg_ptr(&derivatives, out[2]);
    hd_arg_i32(&derivatives, m.paths);
    return upload_market(w, &m, e) && work_launch(w, "value_paths", grid, block, 0, &values, e) &&
           work_launch(w, "differentiate_paths", grid, block, 0, &derivatives, e) &&
           (!w->verify || check(w, &m, out, e));
}

const struct workload workload_lib = {
    .name = "LIB",
    .suite = "ISPASS-2009",
    .papers = "coalesce",
    .stands_for = "LIB: Monte Carlo paths of LIBOR rates, 13 KB of local memory a thread",
    .kernels = "libor",
    .inputs =
        {
            [SIZE_TINY] = "20 rates, 10 steps, 256 paths",
            [SIZE_SMALL] = "32 rates, 16 steps, 4,096 paths",
            [SIZE_STUDY] = "80 rates, 40 steps, 3,840 paths",
            [SIZE_PAPER] = "80 rates, 40 steps, 4,096 paths",
            [SIZE_FEW] = "32 rates, 16 steps, 3,072 paths: 48 CTAs",
        },
    .run = run,
};
