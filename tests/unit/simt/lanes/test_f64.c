/* Double precision against the host's own arithmetic in all four roundings, and constants. */
#include "check.h"

#include <fenv.h>

#include "rig/fp_rig.h"
#include "rig/lane_rig.h"

#define ALL UINT32_MAX
#define DEFAULT_NAN 0xfff8000000000000u
#define QUIET 0x0008000000000000u
#define INF64 0x7ff0000000000000u
#define MAX64 0x7fefffffffffffffu
#define SIGN 0x8000000000000000u
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

struct op {
    const char *name;
    int n;
    double (*host)(double a, double b, double c);
};

/* volatile: nothing is computed before or after the rounding is set */
#define HOST(name, expression)                                                                     \
    static double name(double a, double b, double c)                                               \
    {                                                                                              \
        volatile double x = a, y = b, z = c, r;                                                    \
        (void)y, (void)z;                                                                          \
        r = expression;                                                                            \
        return r;                                                                                  \
    }

HOST(host_add, x + y)
HOST(host_sub, x - y)
HOST(host_mul, x *y)
HOST(host_fma, fma(x, y, z))
HOST(host_div, x / y)
HOST(host_rcp, 1 / x)
HOST(host_sqrt, sqrt(x))

static const struct op ops[] = {
    {"add", 2, host_add}, {"sub", 2, host_sub}, {"mul", 2, host_mul}, {"fma", 3, host_fma},
    {"mad", 3, host_fma}, {"div", 2, host_div}, {"rcp", 1, host_rcp}, {"sqrt", 1, host_sqrt},
};

static const struct rounding {
    const char *name;
    int mode;
} roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

static bool is_nan(uint64_t bits)
{
    return (bits & ~SIGN) > INF64;
}

static uint64_t expected(const struct op *op, int mode, const uint64_t operand[3])
{
    fesetround(mode);
    double r = op->host(from_bits(operand[0]), from_bits(operand[1]), from_bits(operand[2]));
    fesetround(FE_TONEAREST);
    if (!isnan(r))
        return to_bits(r);
    for (int k = 0; k < op->n; k++)
        if (is_nan(operand[k]))
            return operand[k] | QUIET;
    return DEFAULT_NAN;
}

static void compare_with_host(const struct op *op, const struct rounding *rounding, int rounds)
{
    char text[64];
    snprintf(text, sizeof text, "%s.%s.f64", op->name, rounding->name);
    for (int round = 0; round < rounds; round++) {
        uint64_t src[3][WARP_LANES];
        struct lane_rig r = {0};
        uint32_t exec = round % 3 ? ALL : (uint32_t)rng_at(9, (uint64_t)round) | 1;
        fp_rig_fill(src, 3, &fp_rig_f64, (uint64_t)round + 1000);
        lane_rig_run(&r, text, src, exec);
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t operand[3] = {src[0][l], src[1][l], src[2][l]};
            uint64_t want = expected(op, rounding->mode, operand);
            if (!(exec >> l & 1))
                continue;
            if (r.dst[0][l] != want)
                print_error("%s of %016llx %016llx %016llx: ", text, (unsigned long long)operand[0],
                            (unsigned long long)operand[1], (unsigned long long)operand[2]);
            CHECK_EQ(r.dst[0][l], want);
        }
    }
}

static void every_rounding_of_every_operation_is_that_of_the_host(void)
{
    for (int k = 0; k < COUNT(ops); k++)
        for (int m = 0; m < COUNT(roundings); m++)
            compare_with_host(&ops[k], &roundings[m], 300);
}

static void ties_go_to_even_and_directed_roundings_do_not(void)
{
    uint64_t one = to_bits(1), half_step = to_bits(0x1p-53), next = to_bits(1 + 0x1p-52);
    CHECK_EQ(lane_rig_2("add.f64", one, half_step), one);
    CHECK_EQ(lane_rig_2("add.f64", next, half_step), to_bits(1 + 0x1p-51));
    CHECK_EQ(lane_rig_2("add.rp.f64", one, half_step), next);
    CHECK_EQ(lane_rig_2("add.rp.f64", one, 1), next);
    CHECK_EQ(lane_rig_2("sub.rz.f64", one, 1), to_bits(1 - 0x1p-53));
    CHECK_EQ(lane_rig_2("mul.rm.f64", 1, to_bits(-0.5)), SIGN | 1);
    CHECK_EQ(lane_rig_2("mul.rz.f64", 1, to_bits(-0.5)), SIGN);
    CHECK_EQ(lane_rig_2("div.rp.f64", one, to_bits(3)), to_bits(0x1.5555555555556p-2));
    CHECK_EQ(lane_rig_2("div.rm.f64", one, to_bits(3)), to_bits(0x1.5555555555555p-2));
    CHECK_EQ(lane_rig_1("sqrt.rp.f64", to_bits(4)), to_bits(2));
    CHECK_EQ(lane_rig_1("sqrt.rm.f64", to_bits(2)), to_bits(0x1.6a09e667f3bccp0));
    CHECK_EQ(lane_rig_1("sqrt.rp.f64", to_bits(2)), to_bits(0x1.6a09e667f3bcdp0));
}

static void overflow_goes_where_the_rounding_says(void)
{
    CHECK_EQ(lane_rig_2("add.f64", MAX64, MAX64), INF64);
    CHECK_EQ(lane_rig_2("add.rz.f64", MAX64, MAX64), MAX64);
    CHECK_EQ(lane_rig_2("mul.rm.f64", MAX64, MAX64), MAX64);
    CHECK_EQ(lane_rig_2("mul.rp.f64", MAX64, SIGN | MAX64), SIGN | MAX64);
    CHECK_EQ(lane_rig_2("mul.rm.f64", MAX64, SIGN | MAX64), SIGN | INF64);
    CHECK_EQ(lane_rig_2("div.rz.f64", MAX64, 1), MAX64);
    CHECK_EQ(lane_rig_1("rcp.rz.f64", 1), MAX64);
    CHECK_EQ(lane_rig_1("rcp.rz.f64", 0), INF64); /* exactly */
}

static void payloads_of_nans_are_preserved(void)
{
    const uint64_t first = 0x7ff0000000000123, second = 0xfff8000000000456, one = to_bits(1);
    CHECK_EQ(lane_rig_2("add.f64", first, second), first | QUIET);
    CHECK_EQ(lane_rig_2("add.f64", second, first), second);
    CHECK_EQ(lane_rig_2("mul.f64", one, first), first | QUIET);
    CHECK_EQ(lane_rig_2("mul.rz.f64", one, first), first | QUIET);
    CHECK_EQ(lane_rig_3("fma.rn.f64", one, one, second), second);
    CHECK_EQ(lane_rig_3("fma.rp.f64", INF64, 0, second), second);
    CHECK_EQ(lane_rig_3("fma.rn.f64", INF64, 0, one), DEFAULT_NAN);
    CHECK_EQ(lane_rig_2("sub.f64", INF64, INF64), DEFAULT_NAN);
    CHECK_EQ(lane_rig_2("div.rn.f64", 0, 0), DEFAULT_NAN);
    CHECK_EQ(lane_rig_1("sqrt.rn.f64", to_bits(-1)), DEFAULT_NAN);
    CHECK_EQ(lane_rig_1("rcp.rn.f64", second), second);
}

static void minimum_and_maximum_order_zeros_and_drop_nans(void)
{
    const uint64_t nan = 0xfff8000000000007, one = to_bits(1), two = to_bits(2);
    CHECK_EQ(lane_rig_2("min.f64", one, two), one);
    CHECK_EQ(lane_rig_2("max.f64", one, two), two);
    CHECK_EQ(lane_rig_2("min.f64", one, SIGN | two), SIGN | two);
    CHECK_EQ(lane_rig_2("min.f64", 0, SIGN), SIGN);
    CHECK_EQ(lane_rig_2("min.f64", SIGN, 0), SIGN);
    CHECK_EQ(lane_rig_2("max.f64", 0, SIGN), 0);
    CHECK_EQ(lane_rig_2("max.f64", SIGN, 0), 0);
    CHECK_EQ(lane_rig_2("min.f64", nan, one), one);
    CHECK_EQ(lane_rig_2("min.f64", one, nan), one);
    CHECK_EQ(lane_rig_2("max.f64", nan, SIGN | INF64), SIGN | INF64);
    CHECK_EQ(lane_rig_2("max.f64", SIGN | 1, nan), SIGN | 1);
    CHECK_EQ(lane_rig_2("max.f64", nan, nan), nan);
}

static void signs_are_bits(void)
{
    CHECK_EQ(lane_rig_1("neg.f64", to_bits(1.5)), to_bits(-1.5));
    CHECK_EQ(lane_rig_1("neg.f64", 0), SIGN);
    CHECK_EQ(lane_rig_1("abs.f64", SIGN | 3), 3);
    CHECK_EQ(lane_rig_1("abs.f64", SIGN | INF64), INF64);
    CHECK_EQ(lane_rig_2("copysign.f64", SIGN, to_bits(2)), to_bits(-2));
    CHECK_EQ(lane_rig_2("copysign.f64", to_bits(1), to_bits(-2)), to_bits(2));
}

static void gross_approximations_use_the_upper_half_only(void)
{
    for (uint64_t n = 0; n < 3000; n++) {
        uint64_t r = rng_at(5, n), a = (r & ~INF64 & ~SIGN) | (10 + (r >> 53) % 2020) << 52;
        uint64_t upper = a >> 32 << 32;
        uint64_t rcp = lane_rig_1("rcp.approx.ftz.f64", a);
        uint64_t root = lane_rig_1("rsqrt.approx.ftz.f64", a);
        CHECK_EQ(rcp & UINT32_MAX, 0);
        CHECK_EQ(root & UINT32_MAX, 0);
        CHECK_EQ(rcp, lane_rig_1("rcp.approx.ftz.f64", upper));
        CHECK_NEAR(from_bits(rcp), 1 / from_bits(upper), 0x1.0001p-21);
        CHECK_NEAR(from_bits(root), 1 / sqrt(from_bits(upper)), 0x1.0001p-21);
    }
}

static void newton_steps_on_the_gross_reciprocal_give_the_quotient(void)
{
    for (uint64_t n = 0; n < 3000; n++) { /* as compilers divide */
        double x = 1 + rng_unit(rng_at(6, n));
        double y = from_bits(lane_rig_1("rcp.approx.ftz.f64", to_bits(x)));
        for (int step = 0; step < 2; step++)
            y = fma(y, fma(-x, y, 1), y);
        y = fma(y, fma(-x, y, 1), y);
        CHECK_EQ(to_bits(y), to_bits(1 / x));
    }
}

static void gross_approximations_keep_the_table_of_specials(void)
{
    const char *rcp = "rcp.approx.ftz.f64", *root = "rsqrt.approx.ftz.f64";
    CHECK_EQ(lane_rig_1(rcp, SIGN | INF64), SIGN);
    CHECK_EQ(lane_rig_1(rcp, SIGN | 1), SIGN | INF64);
    CHECK_EQ(lane_rig_1(rcp, SIGN), SIGN | INF64);
    CHECK_EQ(lane_rig_1(rcp, 0x000fffffffffffff), INF64);
    CHECK_EQ(lane_rig_1(rcp, INF64), 0);
    CHECK_EQ(lane_rig_1(rcp, SIGN | MAX64), SIGN); /* a subnormal result */
    CHECK(is_nan(lane_rig_1(rcp, 0x7ff0000000000001)));
    CHECK_EQ(lane_rig_1(root, SIGN | 1), SIGN | INF64);
    CHECK_EQ(lane_rig_1(root, SIGN), SIGN | INF64);
    CHECK_EQ(lane_rig_1(root, 1), INF64);
    CHECK_EQ(lane_rig_1(root, INF64), 0);
    CHECK(is_nan(lane_rig_1(root, to_bits(-1))));
    CHECK(is_nan(lane_rig_1(root, SIGN | INF64)));
    CHECK(is_nan(lane_rig_1(root, 0x7ff0000000000001)));
}

static void reciprocal_roots_are_good_to_the_last_bits(void)
{
    for (uint64_t n = 0; n < 3000; n++) {
        double x = from_bits(rng_at(7, n) & 0x7fdfffffffffffff);
        CHECK_NEAR(from_bits(lane_rig_1("rsqrt.approx.f64", to_bits(x))),
                   (double)(1 / sqrtl((long double)x)), 0x1p-51);
    }
    CHECK_EQ(lane_rig_1("rsqrt.approx.f64", 1), to_bits(0x1p537));
    CHECK_EQ(lane_rig_1("rsqrt.approx.f64", SIGN), SIGN | INF64);
    CHECK_EQ(lane_rig_1("rsqrt.approx.f64", INF64), 0);
    CHECK(is_nan(lane_rig_1("rsqrt.approx.f64", SIGN | 1)));
}

static void handlers_of_all_hosts_agree(void)
{
    static const char *const forms[] = {
        "add.f64",
        "add.rz.f64",
        "sub.f64",
        "sub.rm.f64",
        "mul.f64",
        "mul.rp.f64",
        "fma.rn.f64",
        "fma.rz.f64",
        "mad.rn.f64",
        "mad.rm.f64",
        "div.rn.f64",
        "div.rp.f64",
        "rcp.rn.f64",
        "rcp.rm.f64",
        "rcp.approx.ftz.f64",
        "sqrt.rn.f64",
        "sqrt.rz.f64",
        "rsqrt.approx.f64",
        "rsqrt.approx.ftz.f64",
        "min.f64",
        "max.f64",
        "neg.f64",
        "abs.f64",
        "copysign.f64",
    };
    for (int k = 0; k < COUNT(forms); k++)
        lane_rig_sweep(forms[k], 200);
}

static void forms_that_do_not_exist_are_refused(void)
{
    static const char *const forms[] = {"add.ftz.f64",     "add.sat.f64",  "div.approx.f64",
                                        "sqrt.approx.f64", "rsqrt.rn.f64", "min.NaN.f64",
                                        "rcp.rn.ftz.f64",  "neg.ftz.f64"};
    for (int k = 0; k < COUNT(forms); k++) {
        struct op_desc d;
        struct err e = {0};
        CHECK(!lane_rig_find(forms[k], &d, &e));
    }
}

CHECK_MAIN("lanes_f64", TEST(every_rounding_of_every_operation_is_that_of_the_host),
           TEST(ties_go_to_even_and_directed_roundings_do_not),
           TEST(overflow_goes_where_the_rounding_says), TEST(payloads_of_nans_are_preserved),
           TEST(minimum_and_maximum_order_zeros_and_drop_nans), TEST(signs_are_bits),
           TEST(gross_approximations_use_the_upper_half_only),
           TEST(newton_steps_on_the_gross_reciprocal_give_the_quotient),
           TEST(gross_approximations_keep_the_table_of_specials),
           TEST(reciprocal_roots_are_good_to_the_last_bits), TEST(handlers_of_all_hosts_agree),
           TEST(forms_that_do_not_exist_are_refused))
