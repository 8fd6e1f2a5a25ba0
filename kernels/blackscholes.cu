/* blackscholes.cu - prices of European options by the formula of Black and Scholes (CUDA SDK).
 *
 * The original: a thread prices two options, read and written as pairs of floats; 128 threads a
 * CTA; three streams in, two out, nothing is read twice.  The cumulative normal distribution is a
 * polynomial of fifth degree (Abramowitz and Stegun 26.2.17).
 *
 * Ours is the same: fast logarithm, exponential, division and reciprocal root as there. */
#include "heddle_cuda.h"

/* Probability that a normal variable is below d. */
HD_DEVICE float normal_below(float d)
{
    float k = __fdividef(1.0f, fmaf(0.2316419f, fabsf(d), 1.0f));
    float poly = 1.330274429f;
    poly = fmaf(poly, k, -1.821255978f);
    poly = fmaf(poly, k, 1.781477937f);
    poly = fmaf(poly, k, -0.356563782f);
    poly = fmaf(poly, k, 0.31938153f);
    float above = 0.39894228f * __expf(-0.5f * d * d) * (k * poly);
    return d > 0 ? 1.0f - above : above;
}

HD_DEVICE void price(float *call, float *put, float stock, float strike, float years, float rate,
                     float volatility)
{
    float root = __fdividef(1.0f, rsqrtf(years));
    float d1 = __fdividef(__logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years,
                          volatility * root);
    float d2 = d1 - volatility * root;
    float below1 = normal_below(d1), below2 = normal_below(d2);
    float discount = __expf(-rate * years);
    *call = stock * below1 - strike * discount * below2;
    *put = strike * discount * (1.0f - below2) - stock * (1.0f - below1);
}

extern "C" __global__ void __launch_bounds__(128)
    black_scholes(float2 *call, float2 *put, const float2 *stock, const float2 *strike,
                  const float2 *years, float rate, float volatility, int pairs)
{
    int i = (int)(blockDim.x * blockIdx.x + threadIdx.x);
    if (i >= pairs)
        return;
    float2 s = stock[i], x = strike[i], t = years[i], c, p;
    price(&c.x, &p.x, s.x, x.x, t.x, rate, volatility);
    price(&c.y, &p.y, s.y, x.y, t.y, rate, volatility);
    call[i] = c;
    put[i] = p;
}
