/* heddle_math64.h - double precision: the same bits in a kernel and on the host (heddle_math.h).
 *
 * Errors against the true value are below 1 unit in the last place for hm_exp and hm_log. */
#ifndef HEDDLE_KERNELS_MATH64_H
#define HEDDLE_KERNELS_MATH64_H

#define HM_INFINITY64 (__builtin_inf())
#define HM_NAN64 (__builtin_nan(""))

HM_FN double hm_from_bits64(unsigned long long bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

HM_FN unsigned long long hm_bits64(double x)
{
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

HM_FN double hm_fabs(double x)
{
    return __builtin_fabs(x);
}

HM_FN double hm_copysign(double x, double sign)
{
    return __builtin_copysign(x, sign);
}

HM_FN double hm_sqrt(double x)
{
    return HM_SQRT_F64(x);
}

HM_FN double hm_rsqrt(double x)
{
    return 1.0 / hm_sqrt(x);
}

HM_FN double hm_floor(double x)
{
    return __builtin_floor(x);
}

HM_FN double hm_ceil(double x)
{
    return __builtin_ceil(x);
}

HM_FN double hm_trunc(double x)
{
    return __builtin_trunc(x);
}

/* To the nearest integral value, ties to even. */
HM_FN double hm_rint(double x)
{
    const double shift = 4503599627370496.0; /* 2^52: from here on every double is integral */
    if (!(hm_fabs(x) < shift))
        return x;
    double r = x < 0 ? (x - shift) + shift : (x + shift) - shift;
    return hm_copysign(r, x);
}

HM_FN double hm_fmin(double a, double b)
{
    return HM_LESSER(d, a, b);
}

HM_FN double hm_fmax(double a, double b)
{
    return HM_GREATER(d, a, b);
}

/* x * 2^n for n in -2044..2046, in two steps so that neither factor leaves the normal range. */
HM_FN double hm_scale64(double x, int n)
{
    int half = n / 2;
    return x * hm_from_bits64((unsigned long long)(half + 1023) << 52) *
           hm_from_bits64((unsigned long long)(n - half + 1023) << 52);
}

HM_FN double hm_exp(double x)
{
    if (x != x)
        return x;
    if (x > 710.0)
        return HM_INFINITY64;
    if (x < -746.0)
        return 0.0;
    double n = hm_rint(x * 1.4426950408889634);
    double r = hm_fma(n, -0x1.62e42feep-1, x); /* ln 2 in two parts: the first ends in zeros */
    r = hm_fma(n, -0x1.a39ef35793c76p-33, r);
    double p = 1.0 / 6227020800.0; /* 1/13!, ..., 1/2! */
    p = hm_fma(p, r, 1.0 / 479001600.0);
    p = hm_fma(p, r, 1.0 / 39916800.0);
    p = hm_fma(p, r, 1.0 / 3628800.0);
    p = hm_fma(p, r, 1.0 / 362880.0);
    p = hm_fma(p, r, 1.0 / 40320.0);
    p = hm_fma(p, r, 1.0 / 5040.0);
    p = hm_fma(p, r, 1.0 / 720.0);
    p = hm_fma(p, r, 1.0 / 120.0);
    p = hm_fma(p, r, 1.0 / 24.0);
    p = hm_fma(p, r, 1.0 / 6.0);
    p = hm_fma(p, r, 0.5);
    return hm_scale64(1.0 + hm_fma(p * r, r, r), (int)n);
}

HM_FN double hm_log(double x)
{
    if (x != x || x < 0.0)
        return HM_NAN64;
    if (x == 0.0)
        return -HM_INFINITY64;
    if (x == HM_INFINITY64)
        return x;
    int e = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 4503599627370496.0;
        e = -52;
    }
    /* m in [sqrt(1/2), sqrt(2)): the exponent counts from the bits of sqrt(1/2) */
    long long above = (long long)(hm_bits64(x) - 0x3fe6a09e667f3bcdull) >> 52;
    double m = hm_from_bits64(hm_bits64(x) - ((unsigned long long)above << 52));
    double n = (double)(e + (int)above);
    double f = m - 1.0;
    double s = f / (2.0 + f); /* ln m = 2 artanh s = f - s (f - tail) */
    double z = s * s;
    double tail = 2.0 / 21.0; /* 2/21, ..., 2/3 */
    tail = hm_fma(tail, z, 2.0 / 19.0);
    tail = hm_fma(tail, z, 2.0 / 17.0);
    tail = hm_fma(tail, z, 2.0 / 15.0);
    tail = hm_fma(tail, z, 2.0 / 13.0);
    tail = hm_fma(tail, z, 2.0 / 11.0);
    tail = hm_fma(tail, z, 2.0 / 9.0);
    tail = hm_fma(tail, z, 2.0 / 7.0);
    tail = hm_fma(tail, z, 2.0 / 5.0);
    tail = hm_fma(tail, z, 2.0 / 3.0);
    tail *= z;
    double rest = hm_fma(n, 0x1.a39ef35793c76p-33, -s * (f - tail));
    return hm_fma(n, 0x1.62e42feep-1, f + rest);
}

/* x to the power of y for x > 0; the relative error grows with |y log x|. */
HM_FN double hm_pow(double x, double y)
{
    return y == 0.0 ? 1.0 : hm_exp(y * hm_log(x));
}

#endif
