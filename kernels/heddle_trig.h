/* heddle_trig.h - sines and cosines: the same bits in a kernel and on the host (heddle_math.h).
 *
 * An angle is taken modulo pi/2, by pi/2 in three parts where it is small, by the bits of 2/pi that
 * matter where it is large, so that every argument has its right result.  Errors against the true
 * value are below 2 units in the last place where angles are small, 3 where they are large, 4 for hm_tanf.  The
 * sine of -0 is +0. */
#ifndef HEDDLE_KERNELS_TRIG_H
#define HEDDLE_KERNELS_TRIG_H

/* Bits 64 k + 1 ... 64 k + 64 after the binary point of 2/pi, for k from -1. */
HM_FN unsigned long long hm_two_over_pi(int k)
{
    static const unsigned long long words[] = {
        0,
        0xa2f9836e4e441529ull,
        0xfc2757d1f534ddc0ull,
        0xdb6295993c439041ull,
        0xfe5163abdebbc561ull,
        0xb7246e3a424dd2e0ull,
        0x06492eea09d1921cull,
        0xfe1deb1cb129a73eull,
        0xe88235f52ebb4484ull,
        0xe99c7026b45f7e41ull,
        0x3991d639835339f4ull,
        0x9c845f8bbdf9283bull,
        0x1ff897ffde05980full,
        0xef2f118b5a0a6d1full,
        0x6d367ecf27cb09b7ull,
        0x4f463f669e5fea2dull,
        0x7527bac7ebe5f17bull,
        0x3d0739f78a5292eaull,
        0x6bfb5fb11f8d5d08ull,
        0x56033046fc7b6babull,
        0xf0cfbc209af4361dull,
    };
    return words[k + 1];
}

/* The 64 bits of 2/pi after the first `at` (at least -64). */
HM_FN unsigned long long hm_two_over_pi_from(int at)
{
    int word = (at + 64) / 64 - 1, shift = (at + 64) % 64;
    unsigned long long first = hm_two_over_pi(word);
    return shift == 0 ? first : first << shift | hm_two_over_pi(word + 1) >> (64 - shift);
}

HM_FN unsigned long long hm_mulhi64(unsigned long long a, unsigned long long b)
{
    unsigned long long a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    unsigned long long middle = a1 * b0 + (a0 * b0 >> 32);
    unsigned long long other = a0 * b1 + (middle & 0xffffffffu);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

struct hm_angle {
    int quadrant;                 /* modulo 4 */
    int is_negative;              /* of the rest, which is within half a quadrant */
    unsigned long long high, low; /* the rest's magnitude: 128 bits after the point, in quadrants */
};

/* mantissa * 2^exponent in quadrants: its product with 2/pi, of which whole turns are left out from
 * the beginning. */
HM_FN struct hm_angle hm_reduce(unsigned long long mantissa, int exponent)
{
    int at = exponent - 2; /* earlier bits of 2/pi make whole turns */
    unsigned long long w0 = hm_two_over_pi_from(at), w1 = hm_two_over_pi_from(at + 64);
    unsigned long long w2 = hm_two_over_pi_from(at + 128);
    unsigned long long p1 = w1 * mantissa, p2 = hm_mulhi64(w2, mantissa);
    unsigned long long p0 = w0 * mantissa + hm_mulhi64(w1, mantissa);
    p1 += p2;
    p0 += p1 < p2;
    struct hm_angle a = {(int)(p0 >> 62), 0, p0 << 2 | p1 >> 62, p1 << 2};
    if (a.high >> 63) {
        a.quadrant = (a.quadrant + 1) & 3;
        a.is_negative = 1;
        a.low = 0 - a.low;
        a.high = 0 - a.high - (a.low != 0);
    }
    return a;
}

/* Shifts the rest left until its first bit is set; by how much. */
HM_FN int hm_normalise(struct hm_angle *a)
{
    int shift = 0;
    while (shift < 128 && !(a->high >> 63)) {
        a->high = a->high << 1 | a->low >> 63;
        a->low <<= 1;
        shift++;
    }
    return shift;
}

/* --- single precision ------------------------------------------------------------------------ */

/* x without whole quarters of a turn; how many, modulo 4. */
HM_FN int hm_quarters(float x, float *rest)
{
    if (hm_fabsf(x) < 100000.0f) {
        float n = hm_rintf(x * 0.636619772f);
        float r = hm_fmaf(n, -1.57079625f, x);
        r = hm_fmaf(n, -7.54978942e-8f, r);
        *rest = hm_fmaf(n, -5.39030253e-15f, r);
        return (int)n & 3;
    }
    unsigned bits = hm_bits(x);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        *rest = HM_NAN;
        return 0;
    }
    struct hm_angle a = hm_reduce((bits & 0x7fffffu) | 0x800000u, (int)(bits >> 23 & 255) - 150);
    int shift = hm_normalise(&a);
    float f = (float)a.high * 0x1p-64f;
    float r = hm_scale(hm_fmaf(f, 1.57079637f, f * -4.37113883e-8f), -shift);
    int is_negative = a.is_negative ^ (int)(bits >> 31);
    *rest = is_negative ? -r : r;
    return bits >> 31 ? -a.quadrant & 3 : a.quadrant;
}

/* sin(r + quarters * pi/2) for |r| <= pi/4 */
HM_FN float hm_sine_of(float r, int quarters)
{
    float z = r * r, p;
    if (quarters & 1) {
        p = -2.75573192e-7f; /* -1/10!, 1/8!, ..., -1/2! */
        p = hm_fmaf(p, z, 2.48015873e-5f);
        p = hm_fmaf(p, z, -1.38888889e-3f);
        p = hm_fmaf(p, z, 4.16666667e-2f);
        p = hm_fmaf(p, z, -0.5f);
        p = hm_fmaf(p, z, 1.0f);
    } else {
        p = 2.75573192e-6f; /* 1/9!, ..., -1/3! */
        p = hm_fmaf(p, z, -1.98412698e-4f);
        p = hm_fmaf(p, z, 8.33333333e-3f);
        p = hm_fmaf(p, z, -1.66666667e-1f);
        p = hm_fmaf(p * z, r, r);
    }
    return quarters & 2 ? -p : p;
}

HM_FN float hm_sinf(float x)
{
    float r;
    int quarters = hm_quarters(x, &r);
    return hm_sine_of(r, quarters);
}

HM_FN float hm_cosf(float x)
{
    float r;
    int quarters = hm_quarters(x, &r);
    return hm_sine_of(r, quarters + 1);
}

HM_FN void hm_sincosf(float x, float *sine, float *cosine)
{
    float r;
    int quarters = hm_quarters(x, &r);
    *sine = hm_sine_of(r, quarters);
    *cosine = hm_sine_of(r, quarters + 1);
}

HM_FN float hm_tanf(float x)
{
    float sine, cosine;
    hm_sincosf(x, &sine, &cosine);
    return sine / cosine;
}

/* --- double precision ------------------------------------------------------------------------ */

HM_FN int hm_quarters64(double x, double *rest)
{
    if (hm_fabs(x) < 1000000.0) {
        double n = hm_rint(x * 0.63661977236758138);
        double r = hm_fma(n, -0x1.921fb544p+0, x);
        r = hm_fma(n, -0x1.0b4611a626331p-34, r);
        *rest = hm_fma(n, -0x1.1701b839a2520p-88, r);
        return (int)n & 3;
    }
    unsigned long long bits = hm_bits64(x);
    if ((bits >> 52 & 2047) == 2047) {
        *rest = HM_NAN64;
        return 0;
    }
    struct hm_angle a = hm_reduce((bits & 0xfffffffffffffull) | 0x10000000000000ull,
                                  (int)(bits >> 52 & 2047) - 1075);
    int shift = hm_normalise(&a);
    double f = (double)a.high * 0x1p-64;
    double r = hm_scale64(hm_fma(f, 0x1.921fb54442d18p+0, f * 0x1.1a62633145c07p-54), -shift);
    int is_negative = a.is_negative ^ (int)(bits >> 63);
    *rest = is_negative ? -r : r;
    return bits >> 63 ? -a.quadrant & 3 : a.quadrant;
}

HM_FN double hm_sine_of64(double r, int quarters)
{
    double z = r * r, p;
    if (quarters & 1) {
        p = 1.0 / 20922789888000.0; /* 1/16!, ..., -1/2! */
        p = hm_fma(p, z, -1.0 / 87178291200.0);
        p = hm_fma(p, z, 1.0 / 479001600.0);
        p = hm_fma(p, z, -1.0 / 3628800.0);
        p = hm_fma(p, z, 1.0 / 40320.0);
        p = hm_fma(p, z, -1.0 / 720.0);
        p = hm_fma(p, z, 1.0 / 24.0);
        p = hm_fma(p, z, -0.5);
        p = hm_fma(p, z, 1.0);
    } else {
        p = 1.0 / 355687428096000.0; /* 1/17!, ..., -1/3! */
        p = hm_fma(p, z, -1.0 / 1307674368000.0);
        p = hm_fma(p, z, 1.0 / 6227020800.0);
        p = hm_fma(p, z, -1.0 / 39916800.0);
        p = hm_fma(p, z, 1.0 / 362880.0);
        p = hm_fma(p, z, -1.0 / 5040.0);
        p = hm_fma(p, z, 1.0 / 120.0);
        p = hm_fma(p, z, -1.0 / 6.0);
        p = hm_fma(p * z, r, r);
    }
    return quarters & 2 ? -p : p;
}

HM_FN double hm_sin(double x)
{
    double r;
    int quarters = hm_quarters64(x, &r);
    return hm_sine_of64(r, quarters);
}

HM_FN double hm_cos(double x)
{
    double r;
    int quarters = hm_quarters64(x, &r);
    return hm_sine_of64(r, quarters + 1);
}

#endif
