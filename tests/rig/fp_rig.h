/* fp_rig.h - operands that floating-point arithmetic finds hard.
 *
 * Among random bits: special values, neighbours of powers of two, short fractions (whose sums and
 * products are ties), exponents close enough to cancel and far enough to vanish, both ends of the
 * range.  A draw is a function of (seed, n) alone. */
#ifndef HEDDLE_TESTS_FP_RIG_H
#define HEDDLE_TESTS_FP_RIG_H

#include <stdint.h>

#include "base/rng.h"
#include "stream/stream.h"

struct fp_rig_format {
    int fraction, exponent; /* bits */
};

static const struct fp_rig_format fp_rig_f16 = {10, 5}, fp_rig_bf16 = {7, 8}, fp_rig_f32 = {23, 8},
                                  fp_rig_f64 = {52, 11};

static inline uint64_t fp_rig_special(const struct fp_rig_format *f, uint64_t r)
{
    uint64_t infinity = ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
    uint64_t least_normal = UINT64_C(1) << f->fraction, one = (infinity >> 1) & ~(least_normal - 1);
    uint64_t quiet = infinity | least_normal >> 1;
    const uint64_t value[] = {
        0,
        1,
        2,
        least_normal - 1,
        least_normal,
        least_normal + 1,
        one - 1,
        one,
        one + 1,
        infinity - 1,
        infinity,
        infinity + 1,
        quiet,
        quiet | 5,
        least_normal >> 1,
        one + least_normal,
        one - least_normal,
        infinity - 2,
    };
    return value[rng_below(r, sizeof value / sizeof value[0])];
}

static inline uint64_t fp_rig_draw(const struct fp_rig_format *f, uint64_t seed, uint64_t n)
{
    uint64_t r = rng_at(rng_key(seed, 77), n), t = rng_mix(r + 1), u = rng_mix(r + 2);
    uint64_t fraction = t & ((UINT64_C(1) << f->fraction) - 1);
    uint64_t last = (UINT64_C(1) << f->exponent) - 2, field = rng_below(u, (uint32_t)last + 1);
    uint64_t sign = (r >> 20 & 1) << (f->fraction + f->exponent);
    switch (r & 7) {
    case 0:
        return sign | fp_rig_special(f, t);
    case 1:
        break;
    case 2: /* a few bits */
        fraction &= ~UINT64_C(0) << (f->fraction - (int)(r >> 32 & 3));
        break;
    case 3: /* all bits but a few */
        fraction |= (UINT64_C(1) << (f->fraction - (int)(r >> 32 & 3))) - 1;
        break;
    case 4:
        field = rng_below(u, 4);
        break;
    case 5:
        field = last - rng_below(u, 4);
        break;
    default: /* near 1 */
        field = last / 2 + rng_below(u, 6) - 3;
        break;
    }
    if (r >> 40 & 1) /* half of the digits at most: products are exact or ties */
        fraction &= ~UINT64_C(0) << (f->fraction / 2);
    return sign | field << f->fraction | fraction;
}

static inline void fp_rig_fill(uint64_t src[][WARP_LANES], int n, const struct fp_rig_format *f,
                               uint64_t seed)
{
    for (int k = 0; k < n; k++)
        for (int l = 0; l < WARP_LANES; l++)
            src[k][l] = fp_rig_draw(f, seed, (uint64_t)(k * WARP_LANES + l));
}

#endif
