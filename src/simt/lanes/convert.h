/* convert.h - the 16-bit floats of one lane as f32, written so that loops over them vectorise. */
#ifndef HEDDLE_SIMT_LANES_CONVERT_H
#define HEDDLE_SIMT_LANES_CONVERT_H

#include "simt/lanes/fp.h"

/* The low 16 bits of h.  Read as the top of an f32 they are 2^112 times too small, subnormal
 * numbers included; NaN is the hardware's. */
static inline float convert_f16(uint32_t h)
{
    uint32_t size = (h & 0x7fff) << 13, sign = (h & 0x8000) << 16;
    uint32_t finite = fp_bits32(fp_from32(size) * 0x1p112f) | sign;
    uint32_t infinite = sign | 0x7f800000;
    uint32_t special = size > 0x0f800000 ? 0x7fffffff : infinite;
    return fp_from32(size >= 0x0f800000 ? special : finite);
}

static inline float convert_bf16(uint32_t h)
{
    return fp_canonical(fp_from32(h << 16));
}

/* To nearest even.  A subnormal result is summed to a number whose last place is its own: the
 * sum rounds it. */
static inline uint32_t convert_to_f16(float x)
{
    uint32_t bits = fp_bits32(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    uint32_t normal = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
    uint32_t subnormal = fp_bits32(fp_from32(size) + 0.5f) - 0x3f000000;
    uint32_t finite = size < 0x38800000 ? subnormal : normal;
    uint32_t number = size >= 0x477ff000 ? 0x7c00 : finite;
    return size > 0x7f800000 ? 0x7fff : sign | number;
}

static inline uint32_t convert_to_bf16(float x)
{
    uint32_t bits = fp_bits32(x), nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : nearest;
}

#endif
