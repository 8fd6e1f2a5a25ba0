/* storegpu.cu - SHA-1 of overlapping pieces of a buffer (ISPASS-2009 STO: StoreGPU, sliding window).
 *
 * The original (Al-Kiswany et al., HPDC 2008): a thread hashes the 52 bytes that begin at four
 * times its number, so that neighbouring threads read words that overlap and a warp's load is
 * coalesced; 52 bytes and the padding are one block of SHA-1.  The block's sixteen words are in
 * shared memory, 32 words apart so that lanes have banks of their own, and are turned to big endian
 * byte by byte; the schedule's ring lives there through the 80 rounds.  Four bytes of the hash are
 * written.  384 CTAs of 128 threads.
 *
 * Ours is the same; the bytes of a word are turned by shifts. */
#include "heddle_cuda.h"

#define THREADS 128
#define WORDS 16
#define PIECE_WORDS 13
#define OFFSET_WORDS 1

HD_DEVICE unsigned big_endian(unsigned v)
{
    return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
}

HD_DEVICE unsigned rotate(unsigned v, int n)
{
    return v << n | v >> (32 - n);
}

/* Word t of the schedule, from the ring of the last sixteen; `ring` has a word in every 32nd. */
HD_DEVICE unsigned schedule(unsigned *ring, int t)
{
    if (t < WORDS)
        return ring[32 * t];
    unsigned v = rotate(ring[32 * ((t - 3) & 15)] ^ ring[32 * ((t - 8) & 15)] ^
                            ring[32 * ((t - 14) & 15)] ^ ring[32 * (t & 15)],
                        1);
    ring[32 * (t & 15)] = v;
    return v;
}

HD_DEVICE unsigned mix(int t, unsigned b, unsigned c, unsigned d)
{
    if (t < 20)
        return (d ^ (b & (c ^ d))) + 0x5a827999u;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ed9eba1u;
    if (t < 60)
        return ((b & c) | (d & (b | c))) + 0x8f1bbcdcu;
    return (b ^ c ^ d) + 0xca62c1d6u;
}

/* The first word of the hash of one block. */
HD_DEVICE unsigned sha1_first(unsigned *ring)
{
    unsigned a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u, e = 0xc3d2e1f0u;
#pragma unroll
    for (int t = 0; t < 80; t++) {
        unsigned next = rotate(a, 5) + mix(t, b, c, d) + e + schedule(ring, t);
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    return a + 0x67452301u;
}

extern "C" __global__ void sha1_overlap(const unsigned *data, unsigned *hashes, unsigned n)
{
    __shared__ unsigned blocks[THREADS / 32][WORDS * 32];
    const unsigned t = blockIdx.x * THREADS + threadIdx.x;
    if (t >= n)
        return;
    unsigned *ring = &blocks[threadIdx.x / 32][threadIdx.x % 32];
    for (int i = 0; i < PIECE_WORDS; i++)
        ring[32 * i] = big_endian(data[OFFSET_WORDS * t + i]);
    ring[32 * 13] = 0x80000000u;
    ring[32 * 14] = 0;
    ring[32 * 15] = 8 * 4 * PIECE_WORDS;
    hashes[t] = big_endian(sha1_first(ring));
}
