/* stride.cu - loads of global memory whose lanes are so many words apart: sectors and lines that one
 * load asks for.
 *
 * A warp's load covers 32 x stride words; warps and their loads follow one another through the buffer,
 * in which they begin anew at its end.
 *
 * `touch` reads all of the buffer, once. */
#include "heddle_cuda.h"

#define LANES 32

/* `n`: words of the buffer, a multiple of what a load covers; `first`: loads of all warps before. */
extern "C" __global__ void stride_read(const unsigned *buffer, unsigned n, unsigned stride,
                                       unsigned first, unsigned loads, unsigned *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, cover = LANES * stride;
    unsigned warps = gridDim.x * (blockDim.x / LANES), chunks = n / cover;
    unsigned chunk = (first * warps + thread / LANES) % chunks, step = warps % chunks * cover;
    const unsigned *p = buffer + chunk * cover + threadIdx.x % LANES * stride, *end = buffer + n;
    unsigned sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < loads; i++) {
        sum += *p;
        p += step;
        p = p >= end ? p - n : p;
    }
    sums[thread] = sum;
}

extern "C" __global__ void touch(const unsigned *buffer, unsigned n, unsigned *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
        sum += buffer[i];
    sums[thread] = sum;
}
