/* atomics.cu - additions to global memory by all threads: to one word, to the words of one line, or to
 * a line for each warp. */
#include "heddle_cuda.h"

#define LANES 32

/* A thread adds 1 to the word `lane * lane_step + warp * warp_step`, and needs what was there. */
extern "C" __global__ void atomic_add(unsigned *words, unsigned lane_step, unsigned warp_step,
                                      unsigned rounds, unsigned *seen)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, most = 0;
    unsigned *p = words + thread % LANES * lane_step + thread / LANES * warp_step;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
        unsigned before = atomicAdd(p, 1u);
        most = before > most ? before : most;
    }
    seen[thread] = most;
}
