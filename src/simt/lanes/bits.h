/* bits.h - bit counting and bit fields of one lane, written so that loops over them vectorise. */
#ifndef HEDDLE_SIMT_LANES_BITS_H
#define HEDDLE_SIMT_LANES_BITS_H

#include <stdint.h>

static inline uint32_t bits_count_32(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x += x >> 8;
    return (x + (x >> 16)) & 63;
}

static inline uint32_t bits_count_64(uint64_t x)
{
    return bits_count_32((uint32_t)x) + bits_count_32((uint32_t)(x >> 32));
}

/* Leading zeros: those left when the highest one is smeared downwards. */
static inline uint32_t bits_leading_32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return bits_count_32(~x);
}

static inline uint32_t bits_leading_64(uint64_t x)
{
    uint32_t high = bits_leading_32((uint32_t)(x >> 32)), low = bits_leading_32((uint32_t)x);
    return high == 32 ? 32 + low : high;
}

static inline uint32_t bits_reverse_32(uint32_t x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    return x << 16 | x >> 16;
}

static inline uint64_t bits_reverse_64(uint64_t x)
{
    return (uint64_t)bits_reverse_32((uint32_t)x) << 32 | bits_reverse_32((uint32_t)(x >> 32));
}

/* bfind: the highest bit that is not a copy of the sign; all ones when there is none. */
static inline uint32_t bits_find_u32(uint32_t x)
{
    return 31 - bits_leading_32(x);
}

static inline uint32_t bits_find_s32(uint32_t x)
{
    return bits_find_u32(x >> 31 ? ~x : x);
}

static inline uint32_t bits_find_u64(uint64_t x)
{
    return 63 - bits_leading_64(x);
}

static inline uint32_t bits_find_s64(uint64_t x)
{
    return bits_find_u64(x >> 63 ? ~x : x);
}

/* bfind.shiftamt: how far to shift left to bring that bit to the top. */
static inline uint32_t bits_shift_amount(uint32_t found, uint32_t top)
{
    return found == UINT32_MAX ? found : top - found;
}

/* fns: the n-th set bit from `base` upwards (offset > 0) or downwards; the bit itself for 0. */
static inline uint32_t bits_find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
    int64_t left = offset < 0 ? -(int64_t)offset : offset, step = offset < 0 ? -1 : 1;
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int64_t at = base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}

/* `length` ones from bit 0. */
static inline uint32_t bits_ones_32(uint32_t length)
{
    return length > 31 ? UINT32_MAX : (1u << (length & 31)) - 1;
}

static inline uint64_t bits_ones_64(uint32_t length)
{
    return length > 63 ? UINT64_MAX : ((uint64_t)1 << (length & 63)) - 1;
}

/* Shifts that give 0 (or the sign) from the width on. */
static inline uint32_t bits_left_32(uint32_t x, uint32_t by)
{
    return by > 31 ? 0 : x << (by & 31);
}

static inline uint64_t bits_left_64(uint64_t x, uint32_t by)
{
    return by > 63 ? 0 : x << (by & 63);
}

static inline uint32_t bits_right_u32(uint32_t x, uint32_t by)
{
    return by > 31 ? 0 : x >> (by & 31);
}

static inline uint64_t bits_right_u64(uint64_t x, uint32_t by)
{
    return by > 63 ? 0 : x >> (by & 63);
}

static inline uint32_t bits_right_s32(uint32_t x, uint32_t by)
{
    return (uint32_t)((int32_t)x >> (by > 31 ? 31 : by));
}

/* There is no vector instruction for it: the sign is put in by hand. */
static inline uint64_t bits_right_s64(uint64_t x, uint32_t by)
{
    uint64_t sign = 0 - (x >> 63);
    return (bits_right_u64(x ^ sign, by)) ^ sign;
}

/* bfe; position and length are the low bytes of their operands. */
static inline uint32_t bits_extract_u32(uint32_t x, uint32_t at, uint32_t length)
{
    return bits_right_u32(x, at & 255) & bits_ones_32(length & 255);
}

static inline uint64_t bits_extract_u64(uint64_t x, uint32_t at, uint32_t length)
{
    return bits_right_u64(x, at & 255) & bits_ones_64(length & 255);
}

static inline uint32_t bits_extract_s32(uint32_t x, uint32_t at, uint32_t length)
{
    uint32_t n = length & 255, spare = n > 31 ? 0 : 32 - n;
    uint32_t field = bits_right_s32(x, at & 255);
    return bits_right_s32(bits_left_32(field, spare), spare);
}

static inline uint64_t bits_extract_s64(uint64_t x, uint32_t at, uint32_t length)
{
    uint32_t n = length & 255, spare = n > 63 ? 0 : 64 - n;
    uint64_t field = bits_right_s64(x, at & 255);
    return bits_right_s64(bits_left_64(field, spare), spare);
}

/* bfi */
static inline uint32_t bits_insert_32(uint32_t x, uint32_t into, uint32_t at, uint32_t length)
{
    uint32_t field = bits_left_32(bits_ones_32(length & 255), at & 255);
    return (into & ~field) | (bits_left_32(x, at & 255) & field);
}

static inline uint64_t bits_insert_64(uint64_t x, uint64_t into, uint32_t at, uint32_t length)
{
    uint64_t field = bits_left_64(bits_ones_64(length & 255), at & 255);
    return (into & ~field) | (bits_left_64(x, at & 255) & field);
}

/* bmsk: `width` ones from bit `at`; .wrap takes both modulo 32. */
static inline uint32_t bits_mask_clamp(uint32_t at, uint32_t width)
{
    return bits_left_32(bits_ones_32(width), at);
}

static inline uint32_t bits_mask_wrap(uint32_t at, uint32_t width)
{
    return bits_mask_clamp(at & 31, width & 31);
}

/* szext: the low n bits, extended. */
static inline uint32_t bits_extend_u32(uint32_t x, uint32_t n)
{
    return x & bits_ones_32(n);
}

static inline uint32_t bits_extend_s32(uint32_t x, uint32_t n)
{
    uint32_t spare = n > 31 ? 0 : 32 - n;
    return bits_right_s32(bits_left_32(x, spare), spare);
}

#endif
