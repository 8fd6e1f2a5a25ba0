/* cachebw.cu - CTAs that all read one buffer again and again: the bandwidth of whatever holds it.
 *
 * The buffer is read as two streams of floats, half a buffer apart, and their products are summed.  A
 * warp reads eight lines of each stream (each load is one line), then goes on behind the lines of the
 * CTA's other warps; at the end of a half it begins anew.  All loads of a round are before the sums,
 * so that a warp has sixteen of them under way.
 *
 * `touch` brings a buffer into the L2: CTAs read different parts of it, once. */
#include "heddle_cuda.h"

#define LINES 8
#define LANES 32

struct walk {
    const float *at, *end;
    unsigned half, step; /* floats */
};

static __device__ __forceinline__ float read_rounds(struct walk &w, unsigned rounds, float sum)
{
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
        const float *a = w.at, *b = a + w.half;
        float x0 = a[0], y0 = b[0];
        float x1 = a[LANES], y1 = b[LANES];
        float x2 = a[2 * LANES], y2 = b[2 * LANES];
        float x3 = a[3 * LANES], y3 = b[3 * LANES];
        float x4 = a[4 * LANES], y4 = b[4 * LANES];
        float x5 = a[5 * LANES], y5 = b[5 * LANES];
        float x6 = a[6 * LANES], y6 = b[6 * LANES];
        float x7 = a[7 * LANES], y7 = b[7 * LANES];
        a += w.step;
        w.at = a >= w.end ? a - w.half : a;
        sum = fmaf(x0, y0, sum);
        sum = fmaf(x1, y1, sum);
        sum = fmaf(x2, y2, sum);
        sum = fmaf(x3, y3, sum);
        sum = fmaf(x4, y4, sum);
        sum = fmaf(x5, y5, sum);
        sum = fmaf(x6, y6, sum);
        sum = fmaf(x7, y7, sum);
    }
    return sum;
}

/* `half`: floats of a half; `first`: where the walk begins in it; then rounds of 8 lines per warp, and
 * more of them when all warps of the CTA have done the first. */
extern "C" __global__ void cache_read(const float *buffer, unsigned half, unsigned first,
                                      unsigned warmup, unsigned rounds, float *sums)
{
    unsigned warp = threadIdx.x / LANES, lane = threadIdx.x % LANES, warps = blockDim.x / LANES;
    unsigned at = (first + warp * LINES * LANES) % half;
    struct walk w = {buffer + at + lane, buffer + half, half, warps * LINES * LANES % half};
    float sum = read_rounds(w, warmup, 0.0f);
    __syncthreads();
    sums[blockIdx.x * blockDim.x + threadIdx.x] = read_rounds(w, rounds, sum);
}

extern "C" __global__ void touch(const float *buffer, unsigned n, float *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
        sum += buffer[i];
    sums[thread] = sum;
}
