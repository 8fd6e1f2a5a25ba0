/* launch.cu - CTAs that do little: what their start and end take.
 *
 * A thread makes `work` multiply-adds, each of what the last one gave, and ends; only one that finds a
 * value that is never there writes it down. */
#include "heddle_cuda.h"

extern "C" __global__ void launch_ctas(unsigned work, unsigned *never)
{
    unsigned x = threadIdx.x;
#pragma unroll 1
    for (unsigned i = 0; i < work; i++)
        x = x * 12u + 4u; /* a multiple of 4 but for the first */
    if (x == 0xffffffffu)
        *never = x;
}
