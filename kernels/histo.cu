/* histo.cu - a large histogram, most of the input in few bins, which saturate at 255 (Parboil
 * histo).
 *
 * The original: four kernels, repeated.  A range is as many bins as fit in shared memory: 24 K with
 * 768 threads, 48 K with 1,024, or, as here, 16 K with 512, which every GPU has room for.
 * - prescan, 64 CTAs of 512: each reads an eighth of its part of the image and estimates where the
 *   mean plus and minus ten deviations lie, in ranges of 16 K bins; atomics find the extremes.
 * - intermediates, 16 lines of the image a CTA, two columns a thread: turns every pixel's bin into
 *   four bytes: range, word's row and column in shared memory, and shift.
 * - main, 14 CTAs of 512 for every range found: scans all pixels and counts those of its range in
 *   16 KB of shared memory, four bins a word, by atomics; a count that runs over into the
 *   next byte is mended in global memory.  The first range's CTAs count, by global atomics on
 *   16-bit bins, what lies in no range.
 * - final, 42 CTAs of 512: adds the 14 partial histograms and what ran over, saturates, and clears.
 *
 * Ours differs in that the four bytes are made and read as a word, in a loop over the bytes that a
 * carry runs through, and in barriers of the warp where the original counts on lanes in step. */
#include "heddle_cuda.h"

#define KIB 16
#define WORDS_PER_ROW 256
#define RANGE_BINS (KIB * 1024)
#define RANGE_WORDS (RANGE_BINS / 4)
#define PARTS 14 /* CTAs along x of main */
#define PRESCAN_THREADS 512
#define LINES 16 /* of a CTA of intermediates */

/* --- prescan --------------------------------------------------------------------------------- */

/* Adds up both arrays pairwise, to their first elements. */
HD_DEVICE void add_up(float *means, float *deviations)
{
    unsigned tid = threadIdx.x;
    for (unsigned half = PRESCAN_THREADS / 2; half > 0; half /= 2) {
        if (half >= 32)
            __syncthreads();
        else
            __syncwarp();
        if (tid < half) {
            means[tid] += means[tid + half];
            deviations[tid] += deviations[tid + half];
        }
    }
}

extern "C" __global__ void histo_prescan_kernel(const unsigned *input, int size, unsigned *minmax)
{
    __shared__ float means[PRESCAN_THREADS], deviations[PRESCAN_THREADS];
    int stride = size / (int)gridDim.x, first = (int)blockIdx.x * stride, end = first + stride / 8;

    float mean = 0.0f, deviation = 0.0f;
    unsigned count = 0;
    for (int i = first + (int)threadIdx.x; i < end; i += (int)blockDim.x) {
        mean += (float)input[i];
        count++;
    }
    mean /= (float)count;
    for (int i = first + (int)threadIdx.x; i < end; i += (int)blockDim.x) {
        float off = (float)input[i] - mean;
        deviation = fmaf(off, off, deviation);
    }
    means[threadIdx.x] = mean;
    deviations[threadIdx.x] = sqrtf(deviation / (float)count);
    add_up(means, deviations);
    if (threadIdx.x == 0) {
        mean = means[0] / PRESCAN_THREADS;
        deviation = deviations[0] / PRESCAN_THREADS;
        atomicMin(&minmax[0], (unsigned)fmaf(-10.0f, deviation, mean) / RANGE_BINS);
        atomicMax(&minmax[1], (unsigned)fmaf(10.0f, deviation, mean) / RANGE_BINS);
    }
}

/* --- intermediates --------------------------------------------------------------------------- */

HD_DEVICE unsigned mapping_of(unsigned bin)
{
    unsigned range = bin / RANGE_BINS & 255, row = bin / 1024 % KIB, column = bin / 4 % 256;
    return range | row << 8 | column << 16 | bin % 4 * 8 << 24;
}

extern "C" __global__ void histo_intermediates_kernel(const uint2 *input, unsigned width,
                                                      unsigned pitch, unsigned *mappings)
{
    unsigned line = LINES * blockIdx.x;
    const uint2 *from = input + line * pitch + threadIdx.x;
    unsigned *to = mappings + line * width + threadIdx.x;
    bool is_odd_end = width % 2 == 1 && threadIdx.x == blockDim.x - 1;
#pragma unroll
    for (int i = 0; i < LINES; i++) {
        uint2 bins = *from;
        to[0] = mapping_of(bins.x);
        if (!is_odd_end)
            to[blockDim.x] = mapping_of(bins.y);
        from += pitch;
        to += width;
    }
}

/* --- main ------------------------------------------------------------------------------------ */

HD_DEVICE unsigned bin_of(unsigned mapping)
{
    return (mapping & 255) * RANGE_BINS + (mapping >> 8 & 255) * 1024 + (mapping >> 16 & 255) * 4 +
           (mapping >> 24) / 8;
}

/* Two bins a word.  A few threads may see a count below 255 at once: it may end a little above. */
HD_DEVICE void count_in_global(unsigned *histo, unsigned mapping)
{
    unsigned bin = bin_of(mapping), shift = bin % 2 * 16;
    if ((histo[bin / 2] >> shift & 0xffff) < 255)
        atomicAdd(&histo[bin / 2], 1u << shift);
}

/* A byte that was 255 is 0 now, and has carried: it is owed 256, the next byte has one too many,
 * or, if it was 255, is owed 255 and has carried in turn. */
HD_DEVICE void count_in_shared(unsigned *overflow, unsigned *words, unsigned mapping)
{
    unsigned shift = mapping >> 24;
    unsigned word = (mapping >> 8 & 255) * WORDS_PER_ROW + (mapping >> 16 & 255);
    unsigned before = atomicAdd(&words[word], 1u << shift) >> shift;
    if ((before & 255) != 255)
        return;
    unsigned bin = bin_of(mapping);
    atomicAdd(&overflow[bin], 256u);
    for (shift += 8; shift < 32 && (before & 255) == 255; shift += 8) {
        before >>= 8;
        bin++;
        atomicAdd(&overflow[bin], (before & 255) == 255 ? 255u : ~0u);
    }
}

extern "C" __global__ void histo_main_kernel(const unsigned *mappings, unsigned pixels,
                                             unsigned range_min, unsigned range_max, unsigned bins,
                                             unsigned *parts, unsigned *histo, unsigned *overflow)
{
    __shared__ unsigned words[RANGE_WORDS];
    unsigned my_range = range_min + blockIdx.y;
    for (unsigned i = threadIdx.x; i < RANGE_WORDS; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels;
         i += blockDim.x * gridDim.x) {
        unsigned mapping = mappings[i], range = mapping & 255;
        if (range == my_range)
            count_in_shared(overflow, words, mapping);
        if (blockIdx.y == 0 && (range < range_min || range > range_max))
            count_in_global(histo, mapping);
    }
    __syncthreads();
    unsigned *to = parts + blockIdx.x * (bins / 4) + my_range * RANGE_WORDS;
    for (unsigned i = threadIdx.x; i < RANGE_WORDS; i += blockDim.x)
        to[i] = words[i];
}

/* --- final ----------------------------------------------------------------------------------- */

HD_DEVICE unsigned saturated(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return min(a, 255u) | min(b, 255u) << 8 | min(c, 255u) << 16 | min(d, 255u) << 24;
}

/* Groups of four bins that were counted in global memory, two a word. */
HD_DEVICE void finish_global(unsigned from, unsigned to, uint2 *histo, unsigned *final)
{
    for (unsigned i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to;
         i += gridDim.x * blockDim.x) {
        uint2 n = histo[i];
        histo[i] = {0, 0};
        final[i] = saturated(n.x & 0xffff, n.x >> 16, n.y & 0xffff, n.y >> 16);
    }
}

/* Groups of four bins that were counted in shared memory. */
HD_DEVICE void finish_shared(unsigned from, unsigned to, unsigned bins, const unsigned *parts,
                             uint4 *overflow, unsigned *final)
{
    for (unsigned i = from + blockIdx.x * blockDim.x + threadIdx.x; i < to;
         i += gridDim.x * blockDim.x) {
        uint4 n = overflow[i];
        overflow[i] = {0, 0, 0, 0};
#pragma unroll
        for (unsigned p = 0; p < PARTS; p++) {
            unsigned four = parts[i + p * (bins / 4)];
            n.x += four & 255;
            n.y += four >> 8 & 255;
            n.z += four >> 16 & 255;
            n.w += four >> 24;
        }
        final[i] = saturated(n.x, n.y, n.z, n.w);
    }
}

extern "C" __global__ void histo_final_kernel(unsigned range_min, unsigned range_max, unsigned bins,
                                              const unsigned *parts, uint2 *histo, uint4 *overflow,
                                              unsigned *final)
{
    unsigned low = range_min * RANGE_WORDS, high = (range_max + 1) * RANGE_WORDS;
    finish_global(0, low, histo, final);
    finish_shared(low, high, bins, parts, overflow, final);
    finish_global(high, bins / 4, histo, final);
}
