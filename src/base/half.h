/* half.h - 16-bit floating-point formats, by integer arithmetic: the same bits on every host. */
#ifndef HEDDLE_BASE_HALF_H
#define HEDDLE_BASE_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_from_bits32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t half_bits32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* f16 to f32, exact.  Subnormals: their value is an integer multiple of 2^-24. */
static inline float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ff;
    if (exponent == 31)
        return half_from_bits32(sign | (fraction ? 0x7fffffffu : 0x7f800000u));
    if (exponent == 0) {
        float magnitude = (float)fraction * 0x1p-24f;
        return half_from_bits32(sign | half_bits32(magnitude));
    }
    return half_from_bits32(sign | (exponent + 112) << 23 | fraction << 13);
}

/* `value` >> `shift` (1 to 31) rounded to nearest, ties to even. */
static inline uint32_t half_round_shift(uint32_t value, uint32_t shift)
{
    uint32_t kept = value >> shift, rest = value & ((1u << shift) - 1), tie = 1u << (shift - 1);
    return kept + (rest > tie || (rest == tie && (kept & 1)));
}

/* f32 to f16, to nearest even; NaN becomes 0x7fff. */
static inline uint16_t half_from_float(float f)
{
    uint32_t bits = half_bits32(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fff;
    if (magnitude >= 0x477ff000) /* rounds to at least 2^16 */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude >= 0x38800000) /* a rounding carry runs into the exponent, as it should */
        return (uint16_t)(sign | half_round_shift(magnitude - 0x38000000, 13));
    uint32_t exponent = magnitude >> 23;
    if (exponent < 102) /* below half of the least subnormal */
        return (uint16_t)sign;
    uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
    return (uint16_t)(sign | half_round_shift(significand, 126 - exponent));
}

static inline float half_brain_to_float(uint16_t b)
{
    return half_from_bits32((uint32_t)b << 16);
}

/* f32 to bf16, to nearest even; NaN becomes 0x7fff. */
static inline uint16_t half_brain_from_float(float f)
{
    uint32_t bits = half_bits32(f);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)half_round_shift(bits, 16);
}

#endif
