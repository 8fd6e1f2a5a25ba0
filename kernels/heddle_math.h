/* heddle_math.h - mathematics that gives the same bits in a kernel and on the host.
 *
 * A kernel is checked bit for bit against a reference in C; a device library (libdevice) and the
 * host's libm would differ in the last place.  These functions use only operations that IEEE 754
 * rounds correctly (add, multiply, divide, fma, sqrt), in one order, so both sides agree, as long
 * as the compiler contracts nothing by itself: -ffp-contract=off, with hm_fmaf where a fused
 * multiply-add is meant.  Errors against the true value, in units of the last place, are below 1 for
 * hm_expf, hm_logf and hm_exp2f, 2 for hm_tanhf and hm_log2f, 4 for the inverses of sine and tangent;
 * whatever is exact in mathematics (floor, fmod, ...) is exact here.  heddle_trig.h has sines, heddle_math64.h double precision;
 * both come with this header. */
#ifndef HEDDLE_KERNELS_MATH_H
#define HEDDLE_KERNELS_MATH_H

#if defined(__CUDA__) || defined(__CUDACC__)
#define HM_FN static __attribute__((host)) __attribute__((device)) inline
#else
#define HM_FN static inline
#endif

#define HM_INFINITY (__builtin_inff())
#define HM_NAN (__builtin_nanf(""))

HM_FN float hm_fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

HM_FN double hm_fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

HM_FN float hm_fabsf(float x)
{
    return __builtin_fabsf(x);
}

/* nvcc has the names of CUDA for what clang has builtins for. */
#if defined(__CUDA_ARCH__) && defined(__NVCC__)
#define HM_SQRT_F32(x) __fsqrt_rn(x)
#define HM_SQRT_F64(x) __dsqrt_rn(x)
#elif defined(__CUDA_ARCH__)
#define HM_SQRT_F32(x) __nvvm_sqrt_rn_f(x)
#define HM_SQRT_F64(x) __nvvm_sqrt_rn_d(x)
#else
#define HM_SQRT_F32(x) __builtin_sqrtf(x)
#define HM_SQRT_F64(x) __builtin_sqrt(x)
#endif

HM_FN float hm_sqrtf(float x)
{
    return HM_SQRT_F32(x);
}

/* The instruction rsqrt.approx, which heddle rounds once. */
HM_FN float hm_rsqrtf(float x)
{
#ifdef __CUDA_ARCH__
    float r;
    asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
#else
    return (float)(1 / __builtin_sqrt((double)x));
#endif
}

HM_FN float hm_copysignf(float x, float sign)
{
    return __builtin_copysignf(x, sign);
}

HM_FN float hm_floorf(float x)
{
    return __builtin_floorf(x);
}

HM_FN float hm_ceilf(float x)
{
    return __builtin_ceilf(x);
}

HM_FN float hm_truncf(float x)
{
    return __builtin_truncf(x);
}

/* To the nearest integral value, ties away from zero. */
HM_FN float hm_roundf(float x)
{
    float t = hm_truncf(x);
    return hm_copysignf(hm_fabsf(x - t) >= 0.5f ? hm_fabsf(t) + 1.0f : t, x);
}

/* A number beats a NaN; -0 is less than +0. */
#if defined(__CUDA_ARCH__) && defined(__NVCC__)
#define HM_LESSER(suffix, a, b) fmin(a, b)
#define HM_GREATER(suffix, a, b) fmax(a, b)
#elif defined(__CUDA_ARCH__)
#define HM_LESSER(suffix, a, b) __nvvm_fmin_##suffix(a, b)
#define HM_GREATER(suffix, a, b) __nvvm_fmax_##suffix(a, b)
#else
#define HM_LESSER(suffix, a, b)                                                                    \
    ((a) < (b) || (b) != (b) || ((a) == (b) && __builtin_signbit(a)) ? (a) : (b))
#define HM_GREATER(suffix, a, b)                                                                   \
    ((a) > (b) || (b) != (b) || ((a) == (b) && __builtin_signbit(b)) ? (a) : (b))
#endif

HM_FN float hm_fminf(float a, float b)
{
    return HM_LESSER(f, a, b);
}

HM_FN float hm_fmaxf(float a, float b)
{
    return HM_GREATER(f, a, b);
}

HM_FN float hm_from_bits(unsigned bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

HM_FN unsigned hm_bits(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* To the nearest integral value, ties to even. */
HM_FN float hm_rintf(float x)
{
    const float shift = 8388608.0f; /* 2^23: from here on every float is integral */
    if (!(hm_fabsf(x) < shift))
        return x;
    float r = x < 0 ? (x - shift) + shift : (x + shift) - shift;
    return __builtin_copysignf(r, x);
}

/* x * 2^n for n in -252..254, in two steps so that neither factor leaves the normal range. */
HM_FN float hm_scale(float x, int n)
{
    int half = n / 2;
    return x * hm_from_bits((unsigned)(half + 127) << 23) *
           hm_from_bits((unsigned)(n - half + 127) << 23);
}

HM_FN float hm_expf(float x)
{
    if (x != x)
        return x;
    if (x > 89.0f)
        return HM_INFINITY;
    if (x < -104.0f)
        return 0.0f;
    float n = hm_rintf(x * 1.44269504f);
    float r = hm_fmaf(n, -0.693145752f, x); /* ln 2 in two parts: the first has zeros at its end */
    r = hm_fmaf(n, -1.42860677e-6f, r);
    float p = 1.98412698e-4f; /* 1/7!, ..., 1/1!, 1/0! */
    p = hm_fmaf(p, r, 1.38888889e-3f);
    p = hm_fmaf(p, r, 8.33333333e-3f);
    p = hm_fmaf(p, r, 4.16666667e-2f);
    p = hm_fmaf(p, r, 1.66666667e-1f);
    p = hm_fmaf(p, r, 0.5f);
    p = hm_fmaf(p, r, 1.0f);
    p = hm_fmaf(p, r, 1.0f);
    return hm_scale(p, (int)n);
}

HM_FN float hm_logf(float x)
{
    if (x != x || x < 0.0f)
        return HM_NAN;
    if (x == 0.0f)
        return -HM_INFINITY;
    if (x == HM_INFINITY)
        return x;
    int e = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        e = -23;
    }
    /* m in [sqrt(1/2), sqrt(2)): the exponent counts from the bits of sqrt(1/2) */
    int above = (int)(hm_bits(x) - 0x3f3504f3u) >> 23;
    float m = hm_from_bits(hm_bits(x) - ((unsigned)above << 23));
    float n = (float)(e + above);
    float f = m - 1.0f;
    float s = f / (2.0f + f); /* ln m = 2 artanh s = f - s (f - tail) */
    float z = s * s;
    float tail = 0.222222222f; /* 2/9, ..., 2/3 */
    tail = hm_fmaf(tail, z, 0.285714286f);
    tail = hm_fmaf(tail, z, 0.4f);
    tail = hm_fmaf(tail, z, 0.666666667f);
    tail *= z;
    float rest = hm_fmaf(n, 1.42860677e-6f, -s * (f - tail));
    return hm_fmaf(n, 0.693145752f, f + rest);
}

/* x to the power of y for x > 0; the relative error grows with |y log x|. */
HM_FN float hm_powf(float x, float y)
{
    return y == 0.0f ? 1.0f : hm_expf(y * hm_logf(x));
}

HM_FN float hm_tanhf(float x)
{
    float a = hm_fabsf(x);
    float t;
    if (a < 0.55f) {
        float z = a * a;
        float p = 2.52610920e-3f; /* (tanh a / a - 1) / z, interpolated at Chebyshev's nodes */
        p = hm_fmaf(p, z, -8.52614080e-3f);
        p = hm_fmaf(p, z, 2.18184037e-2f);
        p = hm_fmaf(p, z, -5.39646961e-2f);
        p = hm_fmaf(p, z, 1.33333242e-1f);
        p = hm_fmaf(p, z, -3.33333333e-1f);
        t = hm_fmaf(p * z, a, a);
    } else if (a < 10.0f) {
        t = 1.0f - 2.0f / (hm_expf(2.0f * a) + 1.0f);
    } else {
        t = a == a ? 1.0f : a;
    }
    return __builtin_copysignf(t, x);
}

/* 2^x */
HM_FN float hm_exp2f(float x)
{
    if (x != x)
        return x;
    if (x > 128.0f)
        return HM_INFINITY;
    if (x < -150.0f)
        return 0.0f;
    float n = hm_rintf(x);
    float r = x - n;
    float p = 1.52527339e-5f; /* ln(2)^7/7!, ..., ln 2 */
    p = hm_fmaf(p, r, 1.54035304e-4f);
    p = hm_fmaf(p, r, 1.33335581e-3f);
    p = hm_fmaf(p, r, 9.61812911e-3f);
    p = hm_fmaf(p, r, 5.55041087e-2f);
    p = hm_fmaf(p, r, 2.40226507e-1f);
    p = hm_fmaf(p, r, 6.93147181e-1f);
    p = hm_fmaf(p, r, 1.0f);
    return hm_scale(p, (int)n);
}

HM_FN float hm_log2f(float x)
{
    float l = hm_logf(x);
    return hm_fmaf(l, 1.92596299e-8f, l * 1.44269502f); /* 1 / ln 2 in two parts */
}

/* The remainder of x / y with the sign of x, exact: long division of the mantissas. */
HM_FN float hm_fmodf(float x, float y)
{
    float a = hm_fabsf(x), b = hm_fabsf(y);
    if (!(a < HM_INFINITY) || b != b || b == 0.0f)
        return HM_NAN;
    if (a < b)
        return x;
    const float tiny = 1.17549435e-38f, up = 8388608.0f; /* subnormals times 2^23 */
    unsigned bits_a = hm_bits(a < tiny ? a * up : a), bits_b = hm_bits(b < tiny ? b * up : b);
    int at = (int)(bits_a >> 23) - (a < tiny ? 23 : 0);
    const int end = (int)(bits_b >> 23) - (b < tiny ? 23 : 0);
    unsigned rest = (bits_a & 0x7fffffu) | 0x800000u, divisor = (bits_b & 0x7fffffu) | 0x800000u;
    for (; at > end; at--)
        rest = (rest >= divisor ? rest - divisor : rest) << 1;
    rest = rest >= divisor ? rest - divisor : rest;
    return hm_copysignf(hm_scale((float)rest, end - 150), x);
}

/* atan t for |t| <= tan(pi/8) by its series. */
HM_FN float hm_atan_series(float t)
{
    float z = t * t;
    float p = -4.34782609e-2f; /* -1/23, 1/21, ..., -1/3 */
    p = hm_fmaf(p, z, 4.76190476e-2f);
    p = hm_fmaf(p, z, -5.26315789e-2f);
    p = hm_fmaf(p, z, 5.88235294e-2f);
    p = hm_fmaf(p, z, -6.66666667e-2f);
    p = hm_fmaf(p, z, 7.69230769e-2f);
    p = hm_fmaf(p, z, -9.09090909e-2f);
    p = hm_fmaf(p, z, 1.11111111e-1f);
    p = hm_fmaf(p, z, -1.42857143e-1f);
    p = hm_fmaf(p, z, 2.0e-1f);
    p = hm_fmaf(p, z, -3.33333333e-1f);
    return hm_fmaf(p * z, t, t);
}

/* The angle of (x, y), both >= 0 and not both 0 or infinite: 0 to pi/2. */
HM_FN float hm_atan_quadrant(float y, float x)
{
    float small = y < x ? y : x, large = y < x ? x : y;
    float t = small / large, base = 0.0f;
    if (t > 0.414213562f) {
        t = (t - 1.0f) / (t + 1.0f);
        base = 0.785398163f;
    }
    float a = base + hm_atan_series(t);
    return y < x ? a : 1.57079633f - a;
}

HM_FN float hm_atanf(float x)
{
    float a = hm_fabsf(x);
    return x != x ? x : hm_copysignf(hm_atan_quadrant(a, 1.0f), x);
}

HM_FN float hm_atan2f(float y, float x)
{
    float a = hm_fabsf(y), b = hm_fabsf(x);
    if (y != y || x != x)
        return HM_NAN;
    float angle = a == b ? 0.785398163f : hm_atan_quadrant(a, b); /* infinities, too */
    if (a == 0.0f && b == 0.0f)
        angle = 0.0f;
    return hm_copysignf(__builtin_signbit(x) ? 3.14159265f - angle : angle, y);
}

HM_FN float hm_acosf(float x)
{
    return 2.0f * hm_atan2f(hm_sqrtf(1.0f - x), hm_sqrtf(1.0f + x));
}

HM_FN float hm_asinf(float x)
{
    return hm_atan2f(x, hm_sqrtf((1.0f - x) * (1.0f + x)));
}

#include "heddle_math64.h"
#include "heddle_trig.h"

#endif
