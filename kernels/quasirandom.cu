/* quasirandom.cu - Niederreiter's sequence and its transform to the normal distribution (CUDA SDK
 * quasirandomGenerator).
 *
 * The original: 128 CTAs of 128x3 threads walk over the numbers with the stride of the grid; the
 * second index is the dimension.  Bits of the position choose words of a table in constant memory
 * (31 per dimension), which are combined by exclusive or.  A second kernel (128 CTAs of 128) turns
 * integers into normal variates by Moro's inversion: a rational function, and a polynomial of the
 * logarithm of a logarithm in the tails, where lanes diverge.
 *
 * Ours is the same. */
#include "heddle_cuda.h"

#define DIMENSIONS 3
#define BITS 31

__constant__ unsigned directions[DIMENSIONS][BITS];

extern "C" __global__ void quasirandom(float *out, unsigned seed, unsigned n)
{
    const unsigned dimension = threadIdx.y;
    const unsigned stride = blockDim.x * gridDim.x;
    for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride) {
        unsigned result = 0, position = seed + i;
        for (int bit = 0; bit < BITS; bit++, position >>= 1)
            if (position & 1)
                result ^= directions[dimension][bit];
        out[dimension * n + i] = (float)(result + 1) * 4.6566128730773926e-10f; /* 2^-31 */
    }
}

/* The normal variate that is exceeded with the probability 1 - u / 2^32. */
HD_DEVICE float moro(unsigned u)
{
    const bool is_upper = u >= 0x80000000u;
    const float unit = 2.3283064365386963e-10f; /* 2^-32 */
    float p = fmaf((float)(is_upper ? ~u : u), unit, 0.5f * unit), y = p - 0.5f, x;
    if (y > -0.42f) {
        float r = y * y;
        float top = fmaf(fmaf(fmaf(-25.44106049637f, r, 41.39119773534f), r, -18.61500062529f), r,
                         2.50662823884f);
        float bottom =
            fmaf(fmaf(fmaf(fmaf(3.13082909833f, r, -21.06224101826f), r, 23.08336743743f), r,
                      -8.4735109309f),
                 r, 1.0f);
        x = y * top / bottom;
    } else {
        float r = __logf(-__logf(p));
        float sum = 3.960315187e-7f;
        sum = fmaf(sum, r, 2.888167364e-7f);
        sum = fmaf(sum, r, 3.21767881768e-5f);
        sum = fmaf(sum, r, 3.951896511919e-4f);
        sum = fmaf(sum, r, 3.8405729373609e-3f);
        sum = fmaf(sum, r, 2.76438810333863e-2f);
        sum = fmaf(sum, r, 0.160797971491821f);
        sum = fmaf(sum, r, 0.976169019091719f);
        sum = fmaf(sum, r, 0.337475482272615f);
        x = -sum;
    }
    return is_upper ? -x : x;
}

/* Of `in`, or, where there is none, of n values evenly spaced. */
extern "C" __global__ void inverse_normal(float *out, const unsigned *in, unsigned n)
{
    const unsigned apart = 0xffffffffu / (n + 1);
    const unsigned stride = blockDim.x * gridDim.x;
    for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += stride)
        out[i] = moro(in ? in[i] : (i + 1) * apart);
}
