/* histogram.cu - how often each of 64 values occurs among bytes (CUDA SDK histogram, 64 bins).
 *
 * The original: a value is the upper six bits of a byte.  CTAs of 64 threads have 4 KB of shared
 * memory, a byte for every bin and thread, so that nobody needs an atomic: rows are bins, and a
 * thread's column is chosen so that lanes that follow one another are in different words.  Data
 * come 16 bytes a thread, at most 15 times a CTA, or a byte could overflow.  Then each thread adds
 * up one bin's row, byte by byte, beginning at another word than its neighbours, and the CTA's 64
 * sums are written; a second kernel, a CTA of 256 for each bin, adds up the CTAs'.
 *
 * Ours differs in nothing that the memory sees. */
#include "heddle_cuda.h"

#define BINS 64
#define THREADS 64
#define BANKS 16 /* that the columns are laid out for */
#define MERGE_THREADS 256

/* The four bytes of a word into a thread's column. */
HD_DEVICE void count_word(unsigned char *column, unsigned word)
{
    column[(word >> 2 & BINS - 1) * THREADS]++;
    column[(word >> 10 & BINS - 1) * THREADS]++;
    column[(word >> 18 & BINS - 1) * THREADS]++;
    column[(word >> 26) * THREADS]++;
}

extern "C" __global__ void histogram64Kernel(unsigned *partial, const uint4 *data, unsigned n)
{
    __shared__ unsigned counts[BINS * THREADS / 4];
    unsigned char *const bytes = (unsigned char *)counts;
    unsigned char *const column =
        bytes + ((threadIdx.x & BANKS - 1) << 2 | (threadIdx.x & 3 * BANKS) / BANKS);

#pragma unroll
    for (unsigned i = 0; i < BINS / 4; i++)
        counts[threadIdx.x + i * THREADS] = 0;
    __syncthreads();
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < n;
         at += blockDim.x * gridDim.x) {
        const uint4 some = data[at];
        count_word(column, some.x);
        count_word(column, some.y);
        count_word(column, some.z);
        count_word(column, some.w);
    }
    __syncthreads();

    const unsigned char *const row = bytes + threadIdx.x * THREADS;
    unsigned sum = 0, at = 4 * (threadIdx.x & BANKS - 1);
#pragma unroll
    for (unsigned i = 0; i < THREADS / 4; i++) {
        sum += (unsigned)row[at] + row[at + 1] + row[at + 2] + row[at + 3];
        at = at + 4 & THREADS - 1;
    }
    partial[blockIdx.x * BINS + threadIdx.x] = sum;
}

extern "C" __global__ void mergeHistogram64Kernel(unsigned *histogram, const unsigned *partial,
                                                  unsigned count)
{
    __shared__ unsigned sums[MERGE_THREADS];
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += MERGE_THREADS)
        sum += partial[blockIdx.x + i * BINS];
    sums[threadIdx.x] = sum;
    for (unsigned half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        histogram[blockIdx.x] = sums[0];
}
