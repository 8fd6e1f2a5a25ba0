/* The mathematics of kernels is as exact as its headers say: against the host's long double. */
#include "check.h"

#include "../../../kernels/heddle_math.h"
#include "base/rng.h"

static uint64_t bits_of(uint32_t i)
{
    return rng_at(rng_key(1, 0), i);
}

/* Bits of any kind (every third), else within [lo, hi]. */
static float f32_of(uint32_t i, float lo, float hi)
{
    uint64_t bits = bits_of(i);
    return i % 3 == 0 ? hm_from_bits((uint32_t)bits)
                      : lo + (hi - lo) * (float)(bits >> 40) * 0x1p-24f;
}

static double f64_of(uint32_t i, double lo, double hi)
{
    uint64_t bits = bits_of(i);
    return i % 3 == 0 ? hm_from_bits64(bits) : lo + (hi - lo) * (double)(bits >> 11) * 0x1p-53;
}

/* The error in units of the last place of a number of `digits` bits and this least exponent. */
static double ulps(long double got, long double truth, int digits, int least)
{
    int exponent;
    if (isnan(got) || isnan(truth))
        return isnan(got) && isnan(truth) ? 0 : HUGE_VAL;
    if (got == truth)
        return 0;
    frexpl(truth, &exponent);
    exponent = exponent > least ? exponent : least;
    if (isinf(got) || isinf(truth)) /* beyond the largest number is infinite */
        return isinf(got) && exponent > 2 - least ? 0 : HUGE_VAL;
    return (double)(fabsl(got - truth) / ldexpl(1, exponent - digits));
}

enum { TRIALS = 60000 };

struct unary {
    const char *name;
    float (*fn)(float);
    long double (*truth)(long double);
    float lo, hi;
    double most;
};

static void functions_of_floats_err_by_less_than_they_may(void)
{
    static const struct unary all[] = {
        {"expf", hm_expf, expl, -104, 89, 1},    {"exp2f", hm_exp2f, exp2l, -150, 128, 1},
        {"logf", hm_logf, logl, 0, 3, 1},        {"log2f", hm_log2f, log2l, 0, 3, 2},
        {"tanhf", hm_tanhf, tanhl, -12, 12, 2},  {"sinf", hm_sinf, sinl, -20, 20, 3},
        {"cosf", hm_cosf, cosl, -20, 20, 3},     {"tanf", hm_tanf, tanl, -20, 20, 4},
        {"atanf", hm_atanf, atanl, -3, 3, 4},    {"acosf", hm_acosf, acosl, -1, 1, 4},
        {"asinf", hm_asinf, asinl, -1, 1, 4},    {"sqrtf", hm_sqrtf, sqrtl, 0, 9, 0.501},
        {"floorf", hm_floorf, floorl, -9, 9, 0}, {"ceilf", hm_ceilf, ceill, -9, 9, 0},
        {"truncf", hm_truncf, truncl, -9, 9, 0}, {"rintf", hm_rintf, nearbyintl, -9, 9, 0},
        {"roundf", hm_roundf, roundl, -9, 9, 0},
    };
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        double worst = 0;
        for (uint32_t i = 0; i < TRIALS; i++) {
            float x = f32_of(i, all[f].lo, all[f].hi);
            worst = fmax(worst, ulps(all[f].fn(x), all[f].truth((long double)x), 24, -125));
        }
        if (worst > all[f].most)
            print_error("%s: %g\n", all[f].name, worst);
        CHECK(worst <= all[f].most);
    }
}

static void sines_of_small_angles_err_by_less_than_two_units(void)
{
    for (uint32_t i = 1; i < TRIALS; i += 3) {
        float x = f32_of(i, -99999, 99999);
        double y = f64_of(i, -999999, 999999);
        CHECK(ulps(hm_sinf(x), sinl((long double)x), 24, -125) < 2);
        CHECK(ulps(hm_cosf(x), cosl((long double)x), 24, -125) < 2);
        CHECK(ulps(hm_sin(y), sinl((long double)y), 53, -1021) < 2);
        CHECK(ulps(hm_cos(y), cosl((long double)y), 53, -1021) < 2);
    }
}

static void functions_of_doubles_err_by_less_than_they_may(void)
{
    static const struct {
        const char *name;
        double (*fn)(double);
        long double (*truth)(long double);
        double lo, hi, most;
    } all[] = {
        {"exp", hm_exp, expl, -745, 709, 1},     {"log", hm_log, logl, 0, 3, 1},
        {"sqrt", hm_sqrt, sqrtl, 0, 9, 0.501},   {"floor", hm_floor, floorl, -9, 9, 0},
        {"ceil", hm_ceil, ceill, -9, 9, 0},      {"trunc", hm_trunc, truncl, -9, 9, 0},
        {"rint", hm_rint, nearbyintl, -9, 9, 0},
    };
    for (size_t f = 0; f < sizeof all / sizeof all[0]; f++) {
        double worst = 0;
        for (uint32_t i = 0; i < TRIALS; i++) {
            double x = f64_of(i, all[f].lo, all[f].hi);
            worst = fmax(worst, ulps(all[f].fn(x), all[f].truth((long double)x), 53, -1021));
        }
        if (worst > all[f].most)
            print_error("%s: %g\n", all[f].name, worst);
        CHECK(worst <= all[f].most);
    }
}

/* Angles whose distance from a multiple of pi/2 is far below their last place but one. */
static void sines_of_huge_angles_are_right(void)
{
    static const struct {
        double x, sine;
    } known[] = {
        /* to 20 digits, by arithmetic of 1,200 bits */
        {0x1.6ac5b262ca1ffp+849, 1.0},
        {0x1.0f0cf064dd592p+73, -0.85220084976718880177},
        {0x1.fffffffffffffp+1023, 0.0049619547891840617905},
        {0x1.0000000000000p+1000, -0.15920170308624243824},
        {0x1.249ad2594c37dp+332, -0.38063773100502866607},
        {0x1.e848100000000p+19, 0.14195469900074400353},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CHECK(ulps(hm_sin(known[i].x), (long double)known[i].sine, 53, -1021) < 4);
    CHECK(ulps(hm_cos(0x1.6ac5b262ca1ffp+849), -4.6871659242546276111e-19L, 53, -1021) <
          4); /* none is nearer */
    for (uint32_t i = 0; i < TRIALS; i++) {
        double x = f64_of(i, -1e18, 1e18);
        CHECK(isinf(x) || isnan(x) ||
              fabsl((long double)hm_sin(x) * (long double)hm_sin(x) +
                    (long double)hm_cos(x) * (long double)hm_cos(x) - 1) < 1e-15L);
    }
}

static void angles_of_points_are_in_their_quadrants(void)
{
    static const float ends[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, 3e38f, 1e-45f};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) {
            float got = hm_atan2f(ends[i], ends[k]);
            CHECK(ulps(got, atan2l((long double)ends[i], (long double)ends[k]), 24, -125) < 4);
            CHECK_EQ(signbit(got) != 0, signbit(ends[i]) != 0);
        }
    for (uint32_t i = 0; i < TRIALS; i++) {
        float y = f32_of(2 * i, -5, 5), x = f32_of(2 * i + 1, -5, 5);
        CHECK(ulps(hm_atan2f(y, x), atan2l((long double)y, (long double)x), 24, -125) < 4);
    }
}

static void remainders_are_exact(void)
{
    for (uint32_t i = 0; i < TRIALS; i++) {
        float x = f32_of(2 * i, -1e6f, 1e6f), y = f32_of(2 * i + 1, -3, 3);
        float got = hm_fmodf(x, y), want = fmodf(x, y);
        CHECK(hm_bits(got) == hm_bits(want) || (isnan(got) && isnan(want)));
    }
}

static void powers_err_with_the_size_of_their_exponent(void)
{
    for (uint32_t i = 0; i < TRIALS; i++) {
        double x = 0.01 + (double)(bits_of(i) >> 40) * 0x1p-20, y = f64_of(3 * i + 1, -4, 4);
        double bound = 2 + 2 * fabs(y * log(x));
        CHECK(ulps(hm_pow(x, y), powl((long double)x, (long double)y), 53, -1021) <= bound);
        CHECK(ulps(hm_powf((float)x, (float)y), powl((long double)(float)x, (long double)(float)y),
                   24, -125) <= bound);
    }
    CHECK(hm_pow(3.0, 0.0) == 1.0 && hm_powf(3.0f, 0.0f) == 1.0f);
}

CHECK_MAIN("math", TEST(functions_of_floats_err_by_less_than_they_may),
           TEST(sines_of_small_angles_err_by_less_than_two_units),
           TEST(functions_of_doubles_err_by_less_than_they_may),
           TEST(sines_of_huge_angles_are_right), TEST(angles_of_points_are_in_their_quadrants),
           TEST(remainders_are_exact), TEST(powers_err_with_the_size_of_their_exponent))
