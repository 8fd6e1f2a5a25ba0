/* cachebw.cu - CTAs that all read one buffer again and again: the bandwidth of whatever holds it.
 *
 * The buffer is read as two streams of floats, half a buffer apart, and their products are summed.  A
 * warp reads four lines of each stream (each load is one line), then goes on behind the lines of the
 * CTA's other warps; at the end of a half it begins anew.  All loads of a round are before the sums,
 * so that a warp has eight of them under way.
 *
 * `touch` brings a buffer into the L2: CTAs read different parts of it, once. */
#include "heddle_cuda.h"

#define LINES 4
#define LANES 32

/* `half`: floats of a half; `first`: where the walk begins in it; rounds of 4 lines per warp. */
extern "C" __global__ void cache_read(const float *buffer, unsigned half, unsigned first,
                                      unsigned rounds, float *sums)
{
    unsigned warp = threadIdx.x / LANES, lane = threadIdx.x % LANES, warps = blockDim.x / LANES;
    unsigned at = (first + warp * LINES * LANES) % half, step = warps * LINES * LANES % half;
    const float *a = buffer + at + lane, *end = buffer + half;
    float sum = 0.0f;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
        const float *b = a + half;
        float x0 = a[0], y0 = b[0];
        float x1 = a[LANES], y1 = b[LANES];
        float x2 = a[2 * LANES], y2 = b[2 * LANES];
        float x3 = a[3 * LANES], y3 = b[3 * LANES];
        a += step;
        a = a >= end ? a - half : a;
        sum = fmaf(x0, y0, sum);
        sum = fmaf(x1, y1, sum);
        sum = fmaf(x2, y2, sum);
        sum = fmaf(x3, y3, sum);
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void touch(const float *buffer, unsigned n, float *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
        sum += buffer[i];
    sums[thread] = sum;
}
