/* fast_math.h - the fast forms of kernels/heddle_fast.h for references: the same bits.
 *
 * The functions are the executor's own, so a check against them tells whether a kernel uses the
 * instruction rightly, not whether the instruction is right; the executor's tests do that. */
#ifndef HEDDLE_WORKLOADS_FAST_MATH_H
#define HEDDLE_WORKLOADS_FAST_MATH_H

#include "../kernels/heddle_math.h"
#include "simt/lanes/approx.h"

static inline float hm_fast_exp2f(float x)
{
    return (float)approx_exp2((double)x);
}

static inline float hm_fast_log2f(float x)
{
    return (float)approx_log2((double)x);
}

static inline float hm_fast_sinf(float x)
{
    return (float)approx_sine((double)x, 0);
}

static inline float hm_fast_cosf(float x)
{
    return (float)approx_sine((double)x, 1);
}

static inline float hm_fast_expf(float x)
{
    return hm_fast_exp2f(x * 1.44269502f);
}

static inline float hm_fast_logf(float x)
{
    return hm_fast_log2f(x) * 0.693147182f;
}

/* 0 where the divisor is beyond 2^126, whose reciprocal the unit takes as 0. */
static inline float hm_fast_dividef(float x, float y)
{
    return hm_fabsf(y) > 0x1p126f ? x / hm_copysignf(HM_INFINITY, y) : x / y;
}

/* Into [0, 1]; NaN is 0. */
static inline float hm_saturatef(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

#endif
