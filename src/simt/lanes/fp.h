/* fp.h - what the files of floating-point handlers share: bits and numbers, NaNs, and which
 * modifiers an instruction has.  Everything but the reading of modifiers is made for lane loops.
 *
 * Which NaN an x86 instruction returns depends on the order of its operands, and that order is the
 * compiler's choice.  So results never show it: f32 has the hardware's one NaN, 0x7fffffff, and
 * f64, where PTX preserves payloads, the first operand that is a NaN. */
#ifndef HEDDLE_SIMT_LANES_FP_H
#define HEDDLE_SIMT_LANES_FP_H

#include "simt/lanes/forms.h"
#include "simt/lanes/softfp.h"

static inline uint32_t fp_bits32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float fp_from32(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t fp_bits64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double fp_from64(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define FP_SIGN32 0x80000000u
#define FP_SIGN64 0x8000000000000000u
#define FP_QUIET64 0x0008000000000000u

static inline float fp_canonical(float x)
{
    return x == x ? x : fp_from32(0x7fffffff);
}

/* What .ftz makes of x; limit is the smallest magnitude that stays (fp_ftz_limit). */
static inline float fp_flush(float x, int32_t limit)
{
    uint32_t bits = fp_bits32(x);
    return fp_from32((int32_t)(bits & ~FP_SIGN32) < limit ? bits & FP_SIGN32 : bits);
}

static inline int32_t fp_ftz_limit(uint32_t mod)
{
    return mod & MOD_FTZ ? 0x00800000 : 0;
}

static inline float fp_saturated(float x)
{
    float below_one = x < 1 ? x : 1;
    return x > 0 ? below_one : 0; /* NaN, too, becomes +0 */
}

/* The result of an f32 operation as its modifiers want it. */
static inline float fp_finished(float x, int32_t limit, bool sat)
{
    float result = fp_flush(fp_canonical(x), limit), clamped = fp_saturated(result);
    return sat ? clamped : result;
}

/* The result of an f64 operation on x, y, z. */
static inline double fp_settled(double result, double x, double y, double z)
{
    double nan = z != z ? z : fp_from64(0xfff8000000000000);
    nan = y != y ? y : nan;
    nan = x != x ? x : nan;
    return result == result ? result : fp_from64(fp_bits64(nan) | FP_QUIET64);
}

static inline bool fp_is_directed(uint32_t mod)
{
    return (mod & (MOD_RZ | MOD_RM | MOD_RP)) != 0;
}

static inline enum softfp_round fp_round(uint32_t mod)
{
    return mod & MOD_RZ   ? SOFTFP_TO_ZERO
           : mod & MOD_RM ? SOFTFP_DOWN
           : mod & MOD_RP ? SOFTFP_UP
                          : SOFTFP_NEAREST;
}

#endif
