/* banks.cu - loads of shared memory in which so many lanes want different words of one bank.
 *
 * Lane l reads word l / degree of row l % degree, rows of 32 words: `degree` lanes are in a bank, for
 * every degree from 1 to 32.  Of eight loads one is used, so that they wait for nothing else. */
#include "heddle_cuda.h"

#define LANES 32

extern "C" __global__ void bank_read(unsigned degree, unsigned rounds, unsigned *sums)
{
    __shared__ volatile unsigned rows[LANES * LANES];
    unsigned lane = threadIdx.x % LANES, sum = 0;
    for (unsigned i = threadIdx.x; i < LANES * LANES; i += blockDim.x)
        rows[i] = i;
    __syncthreads();
    unsigned word = lane % degree * LANES + lane / degree;
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
        (void)rows[word], (void)rows[word], (void)rows[word], (void)rows[word];
        (void)rows[word], (void)rows[word], (void)rows[word];
        sum += rows[word];
    }
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
