/* Single precision against the host's own arithmetic in all four roundings, and against constants. */
#include "check.h"

#include <fenv.h>

#include "rig/fp_rig.h"
#include "rig/lane_rig.h"

#define ALL UINT32_MAX
#define NAN32 0x7fffffffu
#define INF32 0x7f800000u
#define SIGN 0x80000000u

static float from_bits(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint32_t to_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

struct op {
    const char *name;
    float (*host)(float a, float b, float c);
    bool has_sat;
};

/* volatile: nothing is computed before or after the rounding is set */
#define HOST(name, expression)                                                                     \
    static float name(float a, float b, float c)                                                   \
    {                                                                                              \
        volatile float x = a, y = b, z = c, r;                                                     \
        (void)y, (void)z;                                                                          \
        r = expression;                                                                            \
        return r;                                                                                  \
    }

HOST(host_add, x + y)
HOST(host_sub, x - y)
HOST(host_mul, x *y)
HOST(host_fma, fmaf(x, y, z))
HOST(host_div, x / y)
HOST(host_rcp, 1 / x)
HOST(host_sqrt, sqrtf(x))

static const struct op ops[] = {
    {"add", host_add, true},  {"sub", host_sub, true},    {"mul", host_mul, true},
    {"fma", host_fma, true},  {"mad", host_fma, true},    {"div", host_div, false},
    {"rcp", host_rcp, false}, {"sqrt", host_sqrt, false},
};

static const struct rounding {
    const char *name;
    int mode;
} roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static float flushed(float x, bool ftz)
{
    return ftz && fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

static uint32_t expected(const struct op *op, int mode, bool ftz, bool sat, uint64_t a, uint64_t b,
                         uint64_t c)
{
    fesetround(mode);
    float r = op->host(flushed(from_bits(a), ftz), flushed(from_bits(b), ftz),
                       flushed(from_bits(c), ftz));
    fesetround(FE_TONEAREST);
    if (sat)
        return r > 0 ? to_bits(r < 1 ? flushed(r, ftz) : 1) : 0;
    return isnan(r) ? NAN32 : to_bits(flushed(r, ftz));
}

static void compare_with_host(const struct op *op, const struct rounding *rounding, bool ftz,
                              bool sat, int rounds)
{
    char text[64];
    snprintf(text, sizeof text, "%s.%s%s%s.f32", op->name, rounding->name, ftz ? ".ftz" : "",
             sat ? ".sat" : "");
    for (int round = 0; round < rounds; round++) {
        uint64_t src[3][WARP_LANES];
        struct lane_rig r = {0};
        uint32_t exec = round % 3 ? ALL : (uint32_t)rng_at(9, (uint64_t)round) | 1;
        fp_rig_fill(src, 3, &fp_rig_f32, (uint64_t)round);
        lane_rig_run(&r, text, src, exec);
        for (int l = 0; l < WARP_LANES; l++) {
            uint32_t want = expected(op, rounding->mode, ftz, sat, src[0][l], src[1][l], src[2][l]);
            if (exec >> l & 1 && r.dst[0][l] != want)
                print_error("%s of %08llx %08llx %08llx: ", text, (unsigned long long)src[0][l],
                            (unsigned long long)src[1][l], (unsigned long long)src[2][l]);
            if (exec >> l & 1)
                CHECK_EQ(r.dst[0][l], want);
        }
    }
}

static void every_rounding_of_every_operation_is_that_of_the_host(void)
{
    for (int k = 0; k < COUNT(ops); k++)
        for (int m = 0; m < COUNT(roundings); m++)
            for (int form = 0; form < (ops[k].has_sat ? 4 : 2); form++)
                compare_with_host(&ops[k], &roundings[m], form & 1, form & 2, 150);
}

static void rounding_defaults_to_nearest(void)
{
    uint32_t a = to_bits(1), b = to_bits(0x1p-24f), next = to_bits(1 + 0x1p-23f);
    CHECK_EQ(lane_rig_2("add.f32", a, b), a); /* tie to even */
    CHECK_EQ(lane_rig_2("add.f32", next, b), to_bits(1 + 0x1p-22f));
    CHECK_EQ(lane_rig_2("add.rp.f32", a, b), next);
    CHECK_EQ(lane_rig_2("add.rz.f32", a, b), a);
    CHECK_EQ(lane_rig_2("mul.f32", 1, to_bits(0.5f)), 0);
    CHECK_EQ(lane_rig_2("mul.rp.f32", 1, to_bits(0.5f)), 1);
    CHECK_EQ(lane_rig_2("mul.rm.f32", 1, to_bits(-0.5f)), SIGN | 1);
    CHECK_EQ(lane_rig_2("sub.ftz.f32", 0x00800001, 0x00800000), 0);
    CHECK_EQ(lane_rig_2("sub.f32", 0x00800001, 0x00800000), 1);
}

static void overflow_goes_where_the_rounding_says(void)
{
    const uint32_t max = 0x7f7fffff;
    CHECK_EQ(lane_rig_2("add.f32", max, max), INF32);
    CHECK_EQ(lane_rig_2("add.rz.f32", max, max), max);
    CHECK_EQ(lane_rig_2("add.rm.f32", max, max), max);
    CHECK_EQ(lane_rig_2("add.rp.f32", max, max), INF32);
    CHECK_EQ(lane_rig_2("mul.rm.f32", max, SIGN | max), SIGN | INF32);
    CHECK_EQ(lane_rig_2("mul.rp.f32", max, SIGN | max), SIGN | max);
    CHECK_EQ(lane_rig_3("fma.rz.f32", max, max, INF32), INF32); /* exactly */
}

static void an_exact_zero_is_negative_only_when_rounding_down(void)
{
    CHECK_EQ(lane_rig_2("sub.f32", to_bits(3), to_bits(3)), 0);
    CHECK_EQ(lane_rig_2("sub.rm.f32", to_bits(3), to_bits(3)), SIGN);
    CHECK_EQ(lane_rig_2("add.rp.f32", SIGN, SIGN), SIGN);
    CHECK_EQ(lane_rig_2("add.rm.f32", SIGN, 0), SIGN);
    CHECK_EQ(lane_rig_3("fma.rm.f32", to_bits(2), to_bits(3), to_bits(-6)), SIGN);
}

static void fma_rounds_once(void)
{
    uint32_t a = to_bits(1 + 0x1p-12f), c = to_bits(-1 - 0x1p-11f);
    CHECK_EQ(lane_rig_3("fma.rn.f32", a, a, c), to_bits(0x1p-24f));
    CHECK_EQ(lane_rig_3("mad.f32", a, a, c), to_bits(0x1p-24f));
    CHECK_EQ(lane_rig_3("fma.rp.f32", to_bits(1), to_bits(1), 1), to_bits(1 + 0x1p-23f));
    CHECK_EQ(lane_rig_3("fma.rz.f32", to_bits(1), to_bits(1), SIGN | 1), to_bits(1 - 0x1p-24f));
}

static void every_nan_is_the_canonical_one(void)
{
    const uint32_t nan = 0xffc12345, signalling = 0x7f800001;
    CHECK_EQ(lane_rig_2("add.f32", nan, to_bits(1)), NAN32);
    CHECK_EQ(lane_rig_2("sub.f32", to_bits(1), signalling), NAN32);
    CHECK_EQ(lane_rig_2("sub.f32", INF32, INF32), NAN32);
    CHECK_EQ(lane_rig_2("mul.f32", 0, INF32), NAN32);
    CHECK_EQ(lane_rig_2("mul.rz.f32", 0, INF32), NAN32);
    CHECK_EQ(lane_rig_2("div.rn.f32", 0, SIGN), NAN32);
    CHECK_EQ(lane_rig_2("div.rm.f32", INF32, INF32), NAN32);
    CHECK_EQ(lane_rig_1("sqrt.rn.f32", to_bits(-1)), NAN32);
    CHECK_EQ(lane_rig_1("sqrt.rp.f32", to_bits(-1)), NAN32);
    CHECK_EQ(lane_rig_1("sqrt.rz.f32", SIGN), SIGN);
    CHECK_EQ(lane_rig_2("add.sat.f32", nan, nan), 0);
    CHECK_EQ(lane_rig_2("add.rz.sat.f32", INF32, SIGN | INF32), 0);
}

static void saturation_clamps_to_zero_and_one(void)
{
    CHECK_EQ(lane_rig_2("add.sat.f32", to_bits(0.5f), to_bits(0.25f)), to_bits(0.75f));
    CHECK_EQ(lane_rig_2("add.sat.f32", to_bits(0.5f), to_bits(0.75f)), to_bits(1));
    CHECK_EQ(lane_rig_2("add.sat.f32", to_bits(0.5f), to_bits(-0.75f)), 0);
    CHECK_EQ(lane_rig_2("mul.sat.f32", to_bits(-1), 0), 0); /* -0, too */
    CHECK_EQ(lane_rig_2("mul.rp.ftz.sat.f32", INF32, INF32), to_bits(1));
    CHECK_EQ(lane_rig_3("fma.rn.sat.f32", to_bits(2), to_bits(2), to_bits(-3.5f)), to_bits(0.5f));
}

static void a_number_beats_a_nan_unless_told_otherwise(void)
{
    const uint32_t nan = 0xffc00001, one = to_bits(1), two = to_bits(2);
    CHECK_EQ(lane_rig_2("min.f32", nan, one), one);
    CHECK_EQ(lane_rig_2("min.f32", one, nan), one);
    CHECK_EQ(lane_rig_2("max.f32", nan, SIGN | INF32), SIGN | INF32);
    CHECK_EQ(lane_rig_2("max.f32", SIGN | one, nan), SIGN | one);
    CHECK_EQ(lane_rig_2("min.f32", nan, nan), NAN32);
    CHECK_EQ(lane_rig_2("max.f32", nan, nan), NAN32);
    CHECK_EQ(lane_rig_2("min.NaN.f32", nan, one), NAN32);
    CHECK_EQ(lane_rig_2("max.NaN.f32", one, nan), NAN32);
    CHECK_EQ(lane_rig_2("max.NaN.f32", one, two), two);
    CHECK_EQ(lane_rig_2("min.NaN.f32", one, two), one);
}

static void zeros_are_ordered_by_sign(void)
{
    CHECK_EQ(lane_rig_2("min.f32", 0, SIGN), SIGN);
    CHECK_EQ(lane_rig_2("min.f32", SIGN, 0), SIGN);
    CHECK_EQ(lane_rig_2("max.f32", 0, SIGN), 0);
    CHECK_EQ(lane_rig_2("max.f32", SIGN, 0), 0);
    CHECK_EQ(lane_rig_2("max.f32", SIGN, SIGN), SIGN);
    CHECK_EQ(lane_rig_2("max.ftz.f32", SIGN | 5, SIGN | 7), SIGN);
    CHECK_EQ(lane_rig_2("max.f32", SIGN | 5, SIGN | 7), SIGN | 5);
    CHECK_EQ(lane_rig_2("min.ftz.f32", 5, to_bits(1)), 0);
}

static void xorsign_abs_compares_sizes(void)
{
    const uint32_t two = to_bits(2), three = to_bits(3), nan = 0x7fc00000;
    CHECK_EQ(lane_rig_2("min.xorsign.abs.f32", SIGN | three, two), SIGN | two);
    CHECK_EQ(lane_rig_2("max.xorsign.abs.f32", SIGN | three, two), SIGN | three);
    CHECK_EQ(lane_rig_2("max.xorsign.abs.f32", SIGN | three, SIGN | two), three);
    CHECK_EQ(lane_rig_2("min.xorsign.abs.f32", SIGN | three, nan), SIGN | three);
    CHECK_EQ(lane_rig_2("min.NaN.xorsign.abs.f32", SIGN | three, nan), NAN32);
    CHECK_EQ(lane_rig_2("min.ftz.xorsign.abs.f32", SIGN | 7, two), SIGN);
}

static void signs_are_bits(void)
{
    CHECK_EQ(lane_rig_1("neg.f32", to_bits(1.5f)), to_bits(-1.5f));
    CHECK_EQ(lane_rig_1("neg.f32", 0), SIGN);
    CHECK_EQ(lane_rig_1("neg.f32", 3), SIGN | 3);
    CHECK_EQ(lane_rig_1("neg.ftz.f32", 3), SIGN);
    CHECK_EQ(lane_rig_1("neg.f32", SIGN | INF32), INF32);
    CHECK_EQ(lane_rig_1("abs.f32", to_bits(-1.5f)), to_bits(1.5f));
    CHECK_EQ(lane_rig_1("abs.f32", SIGN | 3), 3);
    CHECK_EQ(lane_rig_1("abs.ftz.f32", SIGN | 3), 0);
    CHECK_EQ(lane_rig_2("copysign.f32", SIGN, to_bits(2)), to_bits(-2));
    CHECK_EQ(lane_rig_2("copysign.f32", to_bits(1), to_bits(-2)), to_bits(2));
    CHECK_EQ(lane_rig_2("copysign.f32", to_bits(-1), 0x7fc00000), 0xffc00000);
}

static void approximate_division_takes_the_reciprocal_of_huge_divisors_as_zero(void)
{
    uint32_t huge = to_bits(0x1.8p126f), limit = to_bits(0x1p126f);
    CHECK_EQ(lane_rig_2("div.approx.f32", to_bits(0x1p126f), huge), 0);
    CHECK_EQ(lane_rig_2("div.approx.f32", to_bits(-0x1p126f), huge), SIGN);
    CHECK_EQ(lane_rig_2("div.approx.f32", INF32, huge), NAN32);
    CHECK_EQ(lane_rig_2("div.approx.f32", limit, limit), to_bits(1));
    CHECK_EQ(lane_rig_2("div.approx.f32", INF32, limit), INF32);
    CHECK_EQ(lane_rig_2("div.approx.f32", to_bits(1), INF32), 0);
    CHECK_EQ(lane_rig_2("div.approx.f32", to_bits(1), 0x7fc00000), NAN32);
    CHECK_EQ(lane_rig_2("div.approx.f32", to_bits(1), 0xffc00000), NAN32);
    CHECK_EQ(lane_rig_2("div.full.f32", huge, huge), to_bits(1));
    CHECK_EQ(lane_rig_2("div.approx.ftz.f32", to_bits(1), SIGN | 1), SIGN | INF32);
    CHECK_EQ(lane_rig_2("div.full.ftz.f32", 0x00800000, to_bits(2)), 0);
    CHECK_EQ(lane_rig_2("div.full.f32", 0x00800000, to_bits(2)), 0x00400000);
}

static void approximate_reciprocals_and_roots_keep_the_table_of_specials(void)
{
    CHECK_EQ(lane_rig_1("rcp.approx.f32", SIGN | INF32), SIGN);
    CHECK_EQ(lane_rig_1("rcp.approx.f32", SIGN), SIGN | INF32);
    CHECK_EQ(lane_rig_1("rcp.approx.f32", 0), INF32);
    CHECK_EQ(lane_rig_1("rcp.approx.ftz.f32", SIGN | 0x7fffff), SIGN | INF32);
    CHECK_EQ(lane_rig_1("rcp.approx.ftz.f32", 0x7f7fffff), 0);
    CHECK_EQ(lane_rig_1("rcp.approx.f32", 0x7f7fffff), 0x00200000);
    CHECK_EQ(lane_rig_1("sqrt.approx.f32", to_bits(-1)), NAN32);
    CHECK_EQ(lane_rig_1("sqrt.approx.f32", SIGN), SIGN);
    CHECK_EQ(lane_rig_1("sqrt.approx.f32", INF32), INF32);
    CHECK_EQ(lane_rig_1("sqrt.approx.ftz.f32", SIGN | 1), SIGN);
    CHECK_EQ(lane_rig_1("sqrt.approx.f32", 2), to_bits(0x1p-74f));
}

static void approximations_are_within_their_bounds(void)
{
    for (uint64_t round = 0; round < 300; round++) {
        uint64_t src[2][WARP_LANES];
        struct lane_rig div = {0}, rcp = {0}, root = {0};
        for (int l = 0; l < WARP_LANES; l++)
            for (int k = 0; k < 2; k++) { /* quotients stay normal */
                uint64_t r = rng_at(round * 2 + (uint64_t)k, (uint64_t)l);
                src[k][l] = (r & 0x7fffff) | (64 + rng_below(rng_mix(r), 120)) << 23;
            }
        lane_rig_run(&div, "div.approx.f32", src, ALL);
        lane_rig_run(&rcp, "rcp.approx.f32", src, ALL);
        lane_rig_run(&root, "sqrt.approx.f32", src, ALL);
        for (int l = 0; l < WARP_LANES; l++) {
            double a = (double)from_bits(src[0][l]), b = (double)from_bits(src[1][l]);
            CHECK_NEAR(from_bits(div.dst[0][l]), a / b, 0x1p-22);
            CHECK_NEAR(from_bits(rcp.dst[0][l]), 1 / a, 0x1p-23);
            CHECK_NEAR(from_bits(root.dst[0][l]), sqrt(a), 0x1p-23);
        }
    }
}

static void handlers_of_all_hosts_agree(void)
{
    static const char *const forms[] = {
        "add.f32",
        "add.ftz.f32",
        "add.sat.f32",
        "add.rz.ftz.sat.f32",
        "sub.f32",
        "sub.rp.f32",
        "mul.f32",
        "mul.ftz.sat.f32",
        "mul.rm.f32",
        "fma.rn.f32",
        "fma.rn.ftz.sat.f32",
        "fma.rm.f32",
        "mad.f32",
        "mad.rz.f32",
        "div.rn.f32",
        "div.rz.ftz.f32",
        "div.approx.f32",
        "div.approx.ftz.f32",
        "div.full.f32",
        "div.full.ftz.f32",
        "rcp.rn.f32",
        "rcp.rp.f32",
        "rcp.approx.f32",
        "rcp.approx.ftz.f32",
        "sqrt.rn.f32",
        "sqrt.rm.ftz.f32",
        "sqrt.approx.f32",
        "sqrt.approx.ftz.f32",
        "min.f32",
        "min.ftz.f32",
        "min.NaN.f32",
        "min.ftz.NaN.xorsign.abs.f32",
        "max.f32",
        "max.ftz.f32",
        "max.NaN.f32",
        "max.xorsign.abs.f32",
        "neg.f32",
        "neg.ftz.f32",
        "abs.f32",
        "abs.ftz.f32",
        "copysign.f32",
    };
    for (int k = 0; k < COUNT(forms); k++)
        lane_rig_sweep(forms[k], 200);
}

static void forms_that_do_not_exist_are_refused(void)
{
    static const char *const forms[] = {
        "add.approx.f32", "add.NaN.f32", "div.sat.f32",      "div.approx.rn.f32", "rcp.full.f32",
        "neg.sat.f32",    "min.sat.f32", "copysign.ftz.f32", "abs.rn.f32",        "sqrt.rn.rz.f32",
    };
    for (int k = 0; k < COUNT(forms); k++) {
        struct op_desc d;
        struct err e = {0};
        CHECK(!lane_rig_find(forms[k], &d, &e));
    }
}

static void approximations_go_to_the_special_function_unit(void)
{
    struct op_desc d;
    struct err e = {0};
    CHECK(lane_rig_find("div.rn.f32", &d, &e));
    CHECK_EQ(d.unit, UNIT_FP32);
    CHECK_EQ(d.opclass, OPCLASS_FDIV);
    CHECK(lane_rig_find("div.approx.ftz.f32", &d, &e));
    CHECK_EQ(d.unit, UNIT_SFU);
    CHECK(lane_rig_find("fma.rn.f32", &d, &e));
    CHECK_EQ(d.opclass, OPCLASS_FMA);
}

CHECK_MAIN("lanes_f32", TEST(every_rounding_of_every_operation_is_that_of_the_host),
           TEST(rounding_defaults_to_nearest), TEST(overflow_goes_where_the_rounding_says),
           TEST(an_exact_zero_is_negative_only_when_rounding_down), TEST(fma_rounds_once),
           TEST(every_nan_is_the_canonical_one), TEST(saturation_clamps_to_zero_and_one),
           TEST(a_number_beats_a_nan_unless_told_otherwise), TEST(zeros_are_ordered_by_sign),
           TEST(xorsign_abs_compares_sizes), TEST(signs_are_bits),
           TEST(approximate_division_takes_the_reciprocal_of_huge_divisors_as_zero),
           TEST(approximate_reciprocals_and_roots_keep_the_table_of_specials),
           TEST(approximations_are_within_their_bounds), TEST(handlers_of_all_hosts_agree),
           TEST(forms_that_do_not_exist_are_refused),
           TEST(approximations_go_to_the_special_function_unit))
