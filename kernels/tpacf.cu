/* tpacf.cu - how far apart the points of a sky lie, as a histogram of angles (Parboil tpacf).
 *
 * The original: sets of points on the unit sphere, the observed one first, then random ones.  A CTA
 * of 256 threads makes one histogram: of a set with itself, or of the observed set with a random
 * one.  256 points of the first set at a time lie in shared memory, each thread has one of the
 * second; the cosine of their angle is searched by bisection among 21 bounds in constant memory, so
 * that lanes read different constants.  Two threads share one of 128 histograms in shared memory,
 * counted by atomics; in the end the CTA adds them up.  Almost no global traffic.
 *
 * Ours differs in a barrier before points in shared memory are overwritten, which the original
 * lacks, and in that a thread without a point in the last round has zeros, not what its registers
 * held.  The dot product is fused multiply-adds. */
#include "heddle_cuda.h"

#define BINS 20
#define THREADS 256
#define HISTOGRAMS (THREADS / 2)

__constant__ float bin_bounds[BINS + 1]; /* cosines: they fall */

struct point {
    float x, y, z;
};

/* Between which bounds a cosine lies: below the returned one.  Beyond either end: the last bin. */
HD_DEVICE unsigned bisect(float cosine)
{
    unsigned low = 0, high = BINS;
    while (high > low + 1) {
        unsigned middle = (low + high) / 2;
        if (cosine >= bin_bounds[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Halves the number of histograms until one is left.  A round takes 256 / 64 bins. */
HD_DEVICE void add_up(unsigned counts[BINS][HISTOGRAMS])
{
    unsigned column = threadIdx.x % (HISTOGRAMS / 2), row = threadIdx.x / (HISTOGRAMS / 2);
    for (unsigned half = HISTOGRAMS / 2; half > 0; half /= 2) {
        for (unsigned bin = row; bin < BINS + row; bin += THREADS / (HISTOGRAMS / 2)) {
            __syncthreads();
            if (column < half && bin < BINS)
                counts[bin][column] += counts[bin][column + half];
        }
    }
    __syncthreads();
}

extern "C" __global__ void gen_hists(unsigned long long *histograms, const float *all_x,
                                     const float *all_y, const float *all_z, int sets, int points)
{
    __shared__ point first[THREADS];
    __shared__ unsigned counts[BINS][HISTOGRAMS];
    unsigned tid = threadIdx.x, n = (unsigned)points;
    bool is_self = blockIdx.x < (unsigned)sets + 1;
    unsigned second_at = n * (is_self ? blockIdx.x : blockIdx.x - (unsigned)sets);
    unsigned first_at = is_self ? second_at : 0;

    for (unsigned i = tid; i < BINS * HISTOGRAMS; i += THREADS)
        counts[i / HISTOGRAMS][i % HISTOGRAMS] = 0;
    for (unsigned i = 0; i < n; i += THREADS) {
        if (i + tid < n)
            first[tid] = {all_x[first_at + i + tid], all_y[first_at + i + tid],
                          all_z[first_at + i + tid]};
        __syncthreads();
        for (unsigned j = is_self ? i + 1 : 0; j < n; j += THREADS) {
            point p = {0.0f, 0.0f, 0.0f};
            if (j + tid < n)
                p = {all_x[second_at + j + tid], all_y[second_at + j + tid],
                     all_z[second_at + j + tid]};
            for (unsigned k = 0; k < THREADS && i + k < n; k++) {
                float cosine = fmaf(first[k].z, p.z, fmaf(first[k].y, p.y, first[k].x * p.x));
                unsigned bin = bisect(cosine);
                if (cosine < bin_bounds[bin] && cosine >= bin_bounds[bin + 1] &&
                    (!is_self || j + tid > i + k) && j + tid < n)
                    atomicAdd(&counts[bin][tid / 2], 1u);
            }
        }
        __syncthreads();
    }
    add_up(counts);
    if (tid < BINS)
        histograms[BINS * blockIdx.x + tid] = counts[tid][0];
}
