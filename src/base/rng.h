/* rng.h - counter-based random numbers.
 *
 * A draw is a pure function of (key, counter): there is no state to advance, so the order in
 * which components draw cannot matter and nothing depends on how often one was ticked.  A key
 * names a stream (seed and component); the counter names the packet and the draw within it.
 * The mixing function is the 64-bit finaliser of SplitMix (Steele, Lea, Flood, OOPSLA 2014). */
#ifndef HEDDLE_BASE_RNG_H
#define HEDDLE_BASE_RNG_H

#include <stdint.h>

static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t rng_key(uint64_t seed, uint64_t stream)
{
    return rng_mix(rng_mix(seed + 0x9e3779b97f4a7c15u) + stream * 0xd1342543de82ef95u + 1);
}

static inline uint64_t rng_at(uint64_t key, uint64_t counter)
{
    return rng_mix(key + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, n); the bias of n / 2^32 is far below anything a simulation can resolve. */
static inline uint32_t rng_below(uint64_t draw, uint32_t n)
{
    return (uint32_t)(((draw >> 32) * n) >> 32);
}

/* Uniform in [0, 1). */
static inline double rng_unit(uint64_t draw)
{
    return (double)(draw >> 11) * 0x1p-53;
}

#endif
