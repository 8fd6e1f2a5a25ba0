/* mapreduce.h - what the four MapReduce programs share: pairs, their grouping, prefix sums.
 *
 * Stands for the run-time system of Mars (He et al., PACT 2008): a thread maps one record; it maps
 * twice, first to count its pairs, then to write them where a prefix sum of the counts says, for
 * GPUs had no allocator; pairs are directories (place and size) of keys that stay in the text.
 * Mars groups pairs by sorting them by hash; ours, as later systems (MapCG and others), by a hash
 * table with open addressing in global memory: a pair takes a slot or joins one with
 * compare-and-swap, and its place in the group with an atomic addition. */
#ifndef HEDDLE_KERNELS_MAPREDUCE_H
#define HEDDLE_KERNELS_MAPREDUCE_H

#include "heddle_cuda.h"

#define SCAN_THREADS 256
#define SCAN_TILE 512
#define EMPTY (-1)

struct __attribute__((aligned(16))) pair {
    unsigned key, length; /* of the key, in the text */
    unsigned hash, value;
};

HD_DEVICE unsigned thread_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

HD_DEVICE unsigned hash_of(const char *text, unsigned length)
{
    unsigned hash = length;
    for (unsigned i = 0; i < length; i++)
        hash = (hash << 4) ^ (hash >> 28) ^ (unsigned char)text[i];
    return hash;
}

/* Neighbouring hashes differ in few bits, which is what the table is indexed by. */
HD_DEVICE unsigned spread(unsigned hash)
{
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    return hash ^ (hash >> 13);
}

HD_DEVICE bool same_key(const char *text, const pair &a, const pair &b)
{
    if (a.hash != b.hash || a.length != b.length)
        return false;
    for (unsigned i = 0; i < a.length; i++)
        if (text[a.key + i] != text[b.key + i])
            return false;
    return true;
}

/* ---- group ------------------------------------------------------------------------------------ */

/* table[slot] is the first pair of a group, or EMPTY; slots are a power of two. */
extern "C" __global__ void group_insert(const char *text, const pair *pairs, unsigned n, int *table,
                                        unsigned slots, unsigned *slot_of, unsigned *members)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    pair mine = pairs[t];
    unsigned slot = spread(mine.hash) & (slots - 1);
    for (;;) {
        int there = atomicCAS(&table[slot], EMPTY, (int)t);
        if (there == EMPTY || same_key(text, mine, pairs[there]))
            break;
        slot = (slot + 1) & (slots - 1);
    }
    slot_of[t] = slot;
    atomicAdd(&members[slot], 1u);
}

/* grouped[first[slot]...]: the pairs of a slot, in any order. */
extern "C" __global__ void group_scatter(const unsigned *slot_of, const unsigned *first,
                                         unsigned *cursors, unsigned n, unsigned *grouped)
{
    const unsigned t = thread_number();
    if (t >= n)
        return;
    unsigned slot = slot_of[t];
    grouped[first[slot] + atomicAdd(&cursors[slot], 1u)] = t;
}

/* What a thread per group adds up in a reduction. */
HD_DEVICE unsigned sum_of_group(const pair *pairs, const unsigned *grouped, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += pairs[grouped[i]].value;
    return sum;
}

/* ---- prefix sums ------------------------------------------------------------------------------ */

/* The sum of `mine` of the threads before this one; *total of all. */
HD_DEVICE unsigned scan_shared(unsigned *sums, unsigned mine, unsigned *total)
{
    const unsigned t = threadIdx.x;
    sums[t] = mine;
    __syncthreads();
    for (unsigned apart = 1; apart < SCAN_THREADS; apart <<= 1) {
        unsigned left = t >= apart ? sums[t - apart] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    *total = sums[SCAN_THREADS - 1];
    return sums[t] - mine;
}

/* Of tiles by themselves: out[i] is the sum of in[] before i in its tile. */
extern "C" __global__ void scan_tiles(unsigned *out, unsigned *tile_sums, const unsigned *in,
                                      unsigned n)
{
    __shared__ unsigned sums[SCAN_THREADS];
    const unsigned at = blockIdx.x * SCAN_TILE + 2 * threadIdx.x;
    unsigned a = at < n ? in[at] : 0, b = at + 1 < n ? in[at + 1] : 0, total;
    unsigned before = scan_shared(sums, a + b, &total);
    if (at < n)
        out[at] = before;
    if (at + 1 < n)
        out[at + 1] = before + a;
    if (threadIdx.x == 0)
        tile_sums[blockIdx.x] = total;
}

/* Of the tiles' sums, in place, by one CTA; the sum of all stands behind the last. */
extern "C" __global__ void scan_sums(unsigned *tile_sums, unsigned tiles)
{
    __shared__ unsigned sums[SCAN_THREADS];
    unsigned carry = 0;
    for (unsigned base = 0; base < tiles; base += SCAN_THREADS) {
        unsigned at = base + threadIdx.x, total;
        unsigned before = scan_shared(sums, at < tiles ? tile_sums[at] : 0, &total);
        if (at < tiles)
            tile_sums[at] = carry + before;
        carry += total;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        tile_sums[tiles] = carry;
}

extern "C" __global__ void scan_add(unsigned *out, const unsigned *tile_sums, unsigned n)
{
    const unsigned at = blockIdx.x * SCAN_TILE + 2 * threadIdx.x;
    if (at < n)
        out[at] += tile_sums[blockIdx.x];
    if (at + 1 < n)
        out[at + 1] += tile_sums[blockIdx.x];
}

#endif
