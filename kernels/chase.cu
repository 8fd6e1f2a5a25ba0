/* chase.cu - one thread follows pointers: what a load takes when the next one needs it.
 *
 * Each pointer is 8 bytes of a ring that the driver has laid out.  The loads are in assembly, so that
 * they are loads of global memory, one after another, in every compiler; the loop's own instructions
 * do not need what is loaded and are done while a load is under way.
 *
 * `touch` reads the buffer with many threads, once. */
#include "heddle_cuda.h"

static __device__ __forceinline__ unsigned long long follow(unsigned long long at)
{
    unsigned long long next;
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    return next;
}

extern "C" __global__ void chase(unsigned long long at, unsigned steps, unsigned long long *end)
{
    unsigned i = 0;
    for (; i + 8 <= steps; i += 8) {
        at = follow(at);
        at = follow(at);
        at = follow(at);
        at = follow(at);
        at = follow(at);
        at = follow(at);
        at = follow(at);
        at = follow(at);
    }
    for (; i < steps; i++)
        at = follow(at);
    *end = at;
}

extern "C" __global__ void touch(const unsigned long long *buffer, unsigned n,
                                 unsigned long long *sums)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long sum = 0;
    for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
        sum += buffer[i];
    sums[thread] = sum;
}
