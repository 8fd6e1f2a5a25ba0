/* approx.h - elementary functions in double precision, for lane loops.
 *
 * No libm: its last bits differ between versions and hosts.  These are additions, multiplications
 * and selections only, hence the same everywhere, and they vectorise on any host.  Each is good to
 * about 2^-40, far better than the bounds PTX gives for what is rounded to f32 and narrower.
 * Polynomials are Taylor's: on ranges this small a few terms more cost less than tuned constants
 * would in explanation. */
#ifndef HEDDLE_SIMT_LANES_APPROX_H
#define HEDDLE_SIMT_LANES_APPROX_H

#include <math.h>

#include "simt/lanes/fp.h"

/* x + ANCHOR has the integer nearest to x in its low bits, for |x| < 2^51. */
#define APPROX_ANCHOR 0x1.8p52

static inline double approx_size(double x)
{
    return fp_from64(fp_bits64(x) & ~FP_SIGN64);
}

/* sin(x + quarters * pi/2).  Like the hardware it first divides by a whole turn: absolute errors
 * grow with |x|, and from 2^53 on nothing is left of the angle. */
static inline double approx_sine(double x, uint64_t quarters)
{
    double turns = x * 0x1.45f306dc9c883p-3; /* 1 / (2 pi) */
    double whole = (turns + APPROX_ANCHOR) - APPROX_ANCHOR;
    double none = x - x; /* 0, or NaN of infinity */
    double part = approx_size(turns) < 0x1p51 ? turns - whole : none;
    double anchored = part * 4 + APPROX_ANCHOR;
    double r = (part * 4 - (anchored - APPROX_ANCHOR)) * 0x1.921fb54442d18p0; /* pi / 2 */
    double z = r * r;

    double sine = 1.0 / 362880 - z * (1.0 / 39916800 - z * (1.0 / 6227020800));
    sine = 1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040 - z * sine));
    sine = r * (1 - z * sine);
    double cosine = 1.0 / 40320 - z * (1.0 / 3628800 - z * (1.0 / 479001600));
    cosine = 1 - z * (1.0 / 2 - z * (1.0 / 24 - z * (1.0 / 720 - z * cosine)));

    uint64_t quadrant = fp_bits64(anchored) + quarters;
    uint64_t bits = quadrant & 1 ? fp_bits64(cosine) : fp_bits64(sine);
    return fp_from64(bits ^ (quadrant & 2) << 62);
}

/* 2^x, for use within 2^-1000 .. 2^1000. */
static inline double approx_exp2(double x)
{
    double low = x < -1000 ? -1000 : x, clamped = low > 1000 ? 1000 : low;
    double anchored = clamped + APPROX_ANCHOR;
    double r = (clamped - (anchored - APPROX_ANCHOR)) * 0x1.62e42fefa39efp-1; /* ln 2 */
    double power = 1.0 / 40320 + r * (1.0 / 362880 + r * (1.0 / 3628800));
    power = 1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * power));
    power = 1 + r * (1 + r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * power))));
    return power * fp_from64((fp_bits64(anchored) + 1023) << 52);
}

/* log2(x), where x is no subnormal double. */
static inline double approx_log2(double x)
{
    /* x = m * 2^e with m from sqrt(1/2) to sqrt(2); counted from 2^1024 so that no field borrows */
    uint64_t bits = fp_bits64(x);
    uint64_t field = (bits - 0x3fe6a09e667f3bcd + (UINT64_C(1024) << 52)) >> 52;
    double m = fp_from64(bits - ((field - 1024) << 52));
    double e = fp_from64(field | 0x4330000000000000) - 0x1p52 - 1024;
    double s = (m - 1) / (m + 1), z = s * s;
    double series = 1.0 / 11 + z * (1.0 / 13 + z * (1.0 / 15 + z * (1.0 / 17)));
    series = 1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * series)));
    double log = e + (s + s * z * series) * 0x1.71547652b82fep1; /* 2 / ln 2 */
    log = x < INFINITY ? log : INFINITY;
    log = x > 0 ? log : -INFINITY;
    return x >= 0 ? log : fp_from64(0x7ff8000000000000);
}

static inline double approx_tanh(double x)
{
    double low = x < -20 ? -20 : x, clamped = low > 20 ? 20 : low;
    double power = approx_exp2(clamped * 0x1.71547652b82fep1); /* e^2x */
    double large = (power - 1) / (power + 1);
    double small = x * (1 - x * x * (1.0 / 3)); /* where the difference would cancel */
    return approx_size(x) < 0x1p-10 ? small : large;
}

#endif
