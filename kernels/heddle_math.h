/* heddle_math.h - mathematics that gives the same bits in a kernel and on the host.
 *
 * A kernel is checked bit for bit against a reference in C; a device library (libdevice) and the
 * host's libm would differ in the last place.  These functions use only operations that IEEE 754
 * rounds correctly (add, multiply, divide, fma, sqrt), in one order, so both sides agree, as long
 * as the compiler contracts nothing by itself: -ffp-contract=off, with hm_fmaf where a fused
 * multiply-add is meant.  Errors against the true value are below 1 unit in the last place for
 * hm_expf and hm_logf, 2 for hm_tanhf. */
#ifndef HEDDLE_KERNELS_MATH_H
#define HEDDLE_KERNELS_MATH_H

#ifdef __CUDA__
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

#ifdef __CUDA_ARCH__
HM_FN float hm_sqrtf(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
#else
HM_FN float hm_sqrtf(float x)
{
    return __builtin_sqrtf(x);
}
#endif

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

#endif
