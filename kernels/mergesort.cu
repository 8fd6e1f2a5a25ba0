/* mergesort.cu - keys with values sorted by merging (CUDA SDK mergeSort).
 *
 * The original (after Satish, Harris and Garland): CTAs of 512 threads sort tiles of 1024 in
 * shared memory, where each element finds its place in the other run by binary search.  Then
 * runs are merged in pairs, in four launches a level: every 128th element of a run is a sample,
 * which is ranked in both runs by binary search in global memory (256 threads a CTA); samples of
 * both runs are merged, which cuts the pair into intervals of at most 128 elements of each run
 * (256 threads, once for each run); a CTA of 128 threads merges an interval in shared memory.
 *
 * Ours takes powers of two only, and ascending order only. */
#include "heddle_cuda.h"

#define TILE 1024
#define SAMPLE 128

/* How many of n sorted keys are below `key`; with `or_equal`: at most it.  `top` is a power of two
 * that is not below n. */
HD_DEVICE unsigned count_below(unsigned key, const unsigned *keys, unsigned n, unsigned top,
                               bool or_equal)
{
    unsigned found = 0;
    if (n == 0)
        return 0;
    for (unsigned step = top; step > 0; step >>= 1) {
        unsigned next = min(found + step, n);
        if (keys[next - 1] < key || (or_equal && keys[next - 1] == key))
            found = next;
    }
    return found;
}

extern "C" __global__ void merge_sort_shared(unsigned *keys_out, unsigned *values_out,
                                             const unsigned *keys_in, const unsigned *values_in)
{
    __shared__ unsigned keys[TILE];
    __shared__ unsigned values[TILE];
    const unsigned t = threadIdx.x, at = blockIdx.x * TILE + t;

    keys[t] = keys_in[at];
    values[t] = values_in[at];
    keys[t + TILE / 2] = keys_in[at + TILE / 2];
    values[t + TILE / 2] = values_in[at + TILE / 2];
    for (unsigned run = 1; run < TILE; run <<= 1) {
        unsigned i = t & (run - 1);
        unsigned *first = keys + 2 * (t - i), *second = first + run;
        __syncthreads();
        unsigned key_a = first[i], value_a = values[2 * (t - i) + i];
        unsigned key_b = second[i], value_b = values[2 * (t - i) + run + i];
        unsigned place_a = count_below(key_a, second, run, run, false) + i;
        unsigned place_b = count_below(key_b, first, run, run, true) + i;
        __syncthreads();
        first[place_a] = key_a;
        values[2 * (t - i) + place_a] = value_a;
        first[place_b] = key_b;
        values[2 * (t - i) + place_b] = value_b;
    }
    __syncthreads();
    keys_out[at] = keys[t];
    values_out[at] = values[t];
    keys_out[at + TILE / 2] = keys[t + TILE / 2];
    values_out[at + TILE / 2] = values[t + TILE / 2];
}

/* For each sample of a pair of runs: how many elements of the first and of the second run come
 * before it.  Samples of the first run stand before those of the second. */
extern "C" __global__ void rank_samples(unsigned *ranks_a, unsigned *ranks_b, const unsigned *keys,
                                        unsigned run, unsigned samples)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= samples)
        return;
    const unsigned per_run = run / SAMPLE, i = t & (per_run - 1);
    const unsigned pair = (t - i) * 2 * SAMPLE, at = pair / SAMPLE + i;
    const unsigned *first = keys + pair, *second = first + run;

    ranks_a[at] = i * SAMPLE;
    ranks_b[at] = count_below(first[i * SAMPLE], second, run, run, false);
    ranks_b[at + per_run] = i * SAMPLE;
    ranks_a[at + per_run] = count_below(second[i * SAMPLE], first, run, run, true);
}

/* Where intervals end in one of the runs: the ranks of both runs' samples, merged. */
extern "C" __global__ void merge_ranks(unsigned *limits, const unsigned *ranks, unsigned run,
                                       unsigned samples)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= samples)
        return;
    const unsigned per_run = run / SAMPLE, i = t & (per_run - 1);
    const unsigned *first = ranks + 2 * (t - i), *second = first + per_run;
    unsigned *out = limits + 2 * (t - i);

    out[count_below(first[i], second, per_run, per_run, false) + i] = first[i];
    out[count_below(second[i], first, per_run, per_run, true) + i] = second[i];
}

extern "C" __global__ void merge_intervals(unsigned *keys_out, unsigned *values_out,
                                           const unsigned *keys_in, const unsigned *values_in,
                                           const unsigned *limits_a, const unsigned *limits_b,
                                           unsigned run)
{
    __shared__ unsigned keys[2 * SAMPLE];
    __shared__ unsigned values[2 * SAMPLE];
    __shared__ unsigned from_a, from_b, n_a, n_b;
    const unsigned interval = blockIdx.x & (2 * (run / SAMPLE) - 1);
    const unsigned pair = (blockIdx.x - interval) * SAMPLE, t = threadIdx.x;

    keys_in += pair;
    values_in += pair;
    keys_out += pair;
    values_out += pair;
    if (t == 0) {
        bool is_last = interval == 2 * (run / SAMPLE) - 1;
        from_a = limits_a[blockIdx.x];
        from_b = limits_b[blockIdx.x];
        n_a = (is_last ? run : limits_a[blockIdx.x + 1]) - from_a;
        n_b = (is_last ? run : limits_b[blockIdx.x + 1]) - from_b;
    }
    __syncthreads();
    if (t < n_a) {
        keys[t] = keys_in[from_a + t];
        values[t] = values_in[from_a + t];
    }
    if (t < n_b) {
        keys[SAMPLE + t] = keys_in[run + from_b + t];
        values[SAMPLE + t] = values_in[run + from_b + t];
    }
    __syncthreads();
    unsigned key_a, value_a, place_a, key_b, value_b, place_b;
    if (t < n_a) {
        key_a = keys[t];
        value_a = values[t];
        place_a = t + count_below(key_a, keys + SAMPLE, n_b, SAMPLE, false);
    }
    if (t < n_b) {
        key_b = keys[SAMPLE + t];
        value_b = values[SAMPLE + t];
        place_b = t + count_below(key_b, keys, n_a, SAMPLE, true);
    }
    __syncthreads();
    if (t < n_a) {
        keys[place_a] = key_a;
        values[place_a] = value_a;
    }
    if (t < n_b) {
        keys[place_b] = key_b;
        values[place_b] = value_b;
    }
    __syncthreads();
    const unsigned to = from_a + from_b;
    for (unsigned i = t; i < n_a + n_b; i += SAMPLE) {
        keys_out[to + i] = keys[i];
        values_out[to + i] = values[i];
    }
}
