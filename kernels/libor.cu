/* libor.cu - value and sensitivity of a portfolio of swaptions by Monte Carlo paths of LIBOR rates
 * (ISPASS-2009 LIB).
 *
 * The original (by M. Giles): a thread walks its own path: forward rates L of 80 intervals evolve
 * over 40 time steps; then a portfolio of 15 swaptions is valued.  A second kernel keeps all rates
 * of all steps (L2, 13 KB a thread), values, and goes back through them for the sensitivity to the
 * last rate.  All arrays are indexed by variables and therefore in local memory, which is where
 * nearly all traffic comes from; parameters are in constant memory.  64 CTAs of 64 threads.
 *
 * Ours is the same, in single precision throughout.  Random numbers are 0.3 in the original for
 * all; ours differ a little from path to path, so that a mix-up shows. */
#include "heddle_cuda.h"

#define MOST_RATES 80
#define MOST_STEPS 40
#define MOST_OPTIONS 15

__constant__ int rates, steps, options, maturities[MOST_OPTIONS];
__constant__ float delta, swap_rates[MOST_OPTIONS], lambda[MOST_RATES];

HD_DEVICE void start(float *l, float *z, int path)
{
    for (int i = 0; i < rates; i++) {
        z[i] = fmaf(1e-5f, (float)path, 0.3f);
        l[i] = 0.05f;
    }
}

/* Rates after one step. */
HD_DEVICE void evolve(float *l, float z, int step)
{
    float shock = sqrtf(delta) * z, drift = 0.0f;
    for (int i = step + 1; i < rates; i++) {
        float lam = lambda[i - step - 1], con = delta * lam;
        drift += __fdividef(con * l[i], fmaf(delta, l[i], 1.0f));
        l[i] *= __expf(fmaf(con, drift, lam * (shock - 0.5f * con)));
    }
}

/* The discount over the steps of the simulation. */
HD_DEVICE float discount(const float *l)
{
    float b = 1.0f;
    for (int n = 0; n < steps; n++)
        b /= fmaf(delta, l[n], 1.0f);
    return b;
}

HD_DEVICE float portfolio(const float *l)
{
    float bonds[MOST_STEPS], swaps[MOST_STEPS], b = 1.0f, s = 0.0f, v = 0.0f;
    for (int n = steps; n < rates; n++) {
        b /= fmaf(delta, l[n], 1.0f);
        s = fmaf(delta, b, s);
        bonds[n - steps] = b;
        swaps[n - steps] = s;
    }
    for (int i = 0; i < options; i++) {
        int m = maturities[i] - 1;
        float swap = fmaf(swap_rates[i], swaps[m], bonds[m]) - 1.0f;
        if (swap < 0)
            v -= 100.0f * swap;
    }
    return discount(l) * v;
}

/* The same value, and its derivatives by the rates; `l_bar` may be `l`. */
HD_DEVICE float portfolio_back(const float *l, float *l_bar)
{
    float bonds[MOST_STEPS], swaps[MOST_STEPS], bonds_bar[MOST_STEPS], swaps_bar[MOST_STEPS];
    float b = 1.0f, s = 0.0f, v = 0.0f;
    const int n = rates - steps;
    for (int m = 0; m < n; m++) {
        b = __fdividef(b, fmaf(delta, l[m + steps], 1.0f));
        s = fmaf(delta, b, s);
        bonds[m] = b;
        swaps[m] = s;
        bonds_bar[m] = swaps_bar[m] = 0.0f;
    }
    for (int i = 0; i < options; i++) {
        int m = maturities[i] - 1;
        float swap = fmaf(swap_rates[i], swaps[m], bonds[m]) - 1.0f;
        if (swap < 0) {
            v -= 100.0f * swap;
            swaps_bar[m] -= 100.0f * swap_rates[i];
            bonds_bar[m] -= 100.0f;
        }
    }
    for (int m = n - 1; m >= 0; m--) {
        float growth = fmaf(delta, l[m + steps], 1.0f);
        bonds_bar[m] = fmaf(delta, swaps_bar[m], bonds_bar[m]);
        l_bar[m + steps] = -bonds_bar[m] * bonds[m] * __fdividef(delta, growth);
        if (m > 0) {
            swaps_bar[m - 1] += swaps_bar[m];
            bonds_bar[m - 1] += __fdividef(bonds_bar[m], growth);
        }
    }
    b = discount(l);
    v *= b;
    for (int i = 0; i < steps; i++)
        l_bar[i] = -v * delta / fmaf(delta, l[i], 1.0f);
    for (int i = steps; i < rates; i++)
        l_bar[i] *= b;
    return v;
}

/* From the derivatives after the last step to those before the first; `all` has the rates of each
 * step, beginning with those before the first. */
HD_DEVICE void path_back(float *l_bar, const float *all)
{
    for (int n = steps - 1; n >= 0; n--) {
        const float *before = all + n * rates, *after = before + rates;
        float v = 0.0f;
        for (int i = rates - 1; i > n; i--) {
            float lam = lambda[i - n - 1];
            v = fmaf(lam * after[i], l_bar[i], v);
            float factor = __fdividef(delta, fmaf(delta, before[i], 1.0f));
            l_bar[i] = fmaf(l_bar[i], __fdividef(after[i], before[i]), v * lam * factor * factor);
        }
    }
}

extern "C" __global__ void value_paths(float *values, int paths)
{
    float l[MOST_RATES], z[MOST_RATES];
    const int stride = (int)(blockDim.x * gridDim.x);
    for (int p = (int)(blockDim.x * blockIdx.x + threadIdx.x); p < paths; p += stride) {
        start(l, z, p);
        for (int n = 0; n < steps; n++)
            evolve(l, z[n], n);
        values[p] = portfolio(l);
    }
}

extern "C" __global__ void differentiate_paths(float *values, float *derivatives, int paths)
{
    float l[MOST_RATES], z[MOST_RATES], all[MOST_RATES * (MOST_STEPS + 1)];
    const int stride = (int)(blockDim.x * gridDim.x);
    for (int p = (int)(blockDim.x * blockIdx.x + threadIdx.x); p < paths; p += stride) {
        start(l, z, p);
        for (int i = 0; i < rates; i++)
            all[i] = l[i];
        for (int n = 0; n < steps; n++) {
            evolve(l, z[n], n);
            for (int i = n + 1; i < rates; i++)
                all[(n + 1) * rates + i] = l[i];
        }
        values[p] = portfolio_back(l, l);
        path_back(l, all);
        derivatives[p] = l[rates - 1];
    }
}
