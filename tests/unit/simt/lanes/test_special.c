/* The approximations of f32 against long double libm, and the tables of special values. */
#include "check.h"

#include "base/rng.h"
#include "rig/lane_rig.h"

#define ALL UINT32_MAX
#define NAN32 0x7fffffffu
#define INF32 0x7f800000u
#define SIGN 0x80000000u
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

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

struct bound {
    const char *opcode;
    long double (*exact)(long double x);
    double from, to;           /* uniform over this range */
    double absolute, relative; /* the larger of the two is allowed */
};

static long double rsqrt_exact(long double x)
{
    return 1 / sqrtl(x);
}

static void check_bound(const struct bound *b, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        uint64_t src[1][WARP_LANES];
        struct lane_rig r = {0};
        for (int l = 0; l < WARP_LANES; l++) {
            double u = rng_unit(rng_at((uint64_t)round, (uint64_t)l));
            src[0][l] = to_bits((float)(b->from + u * (b->to - b->from)));
        }
        lane_rig_run(&r, b->opcode, src, ALL);
        for (int l = 0; l < WARP_LANES; l++) {
            long double want = b->exact((long double)from_bits(src[0][l]));
            double error = (double)fabsl((long double)from_bits(r.dst[0][l]) - want);
            double allowed = fmax(b->absolute, b->relative * (double)fabsl(want));
            if (!(error <= allowed))
                print_error("%s of %a: %a, not %La: ", b->opcode, (double)from_bits(src[0][l]),
                            (double)from_bits(r.dst[0][l]), want);
            CHECK(error <= allowed);
        }
    }
}

#define CLOSE 0x1.01p-24

/* Far inside PTX's bounds: half of the last place, and what double precision leaves over. */
static void functions_are_within_their_bounds(void)
{
    static const struct bound bounds[] = {
        {"sin.approx.f32", sinl, -3.15, 3.15, 0x1p-30, CLOSE},
        {"cos.approx.f32", cosl, -3.15, 3.15, 0x1p-30, CLOSE},
        {"sin.approx.f32", sinl, -1e-3, 1e-3, 0, CLOSE},
        {"sin.approx.f32", sinl, -100000, 100000, 0x1p-22, 0},
        {"cos.approx.f32", cosl, -100000, 100000, 0x1p-22, 0},
        {"sin.approx.ftz.f32", sinl, -7, 7, 0x1p-22, 0},
        {"cos.approx.ftz.f32", cosl, -7, 7, 0x1p-22, 0},
        {"lg2.approx.f32", log2l, 0, 4, 0x1p-149, CLOSE},
        {"lg2.approx.f32", log2l, 0.999, 1.001, 0, CLOSE},
        {"lg2.approx.f32", log2l, 0, 3e38, 0, CLOSE},
        {"lg2.approx.f32", log2l, 1e-45, 1e-38, 0, CLOSE}, /* subnormal inputs */
        {"lg2.approx.ftz.f32", log2l, 0.001, 4, 0, CLOSE},
        {"ex2.approx.f32", exp2l, -126, 128, 0, CLOSE},
        {"ex2.approx.f32", exp2l, -160, -120, 0x1p-149, CLOSE}, /* subnormal results */
        {"ex2.approx.f32", exp2l, -1e-30, 1e-30, 0, CLOSE},
        {"ex2.approx.ftz.f32", exp2l, -126, 127, 0, CLOSE},
        {"tanh.approx.f32", tanhl, -12, 12, 0, CLOSE},
        {"tanh.approx.f32", tanhl, -0.002, 0.002, 0, CLOSE},
        {"tanh.approx.f32", tanhl, -1e-38, 1e-38, 0x1p-149, CLOSE},
        {"rsqrt.approx.f32", rsqrt_exact, 1e-45, 1e-38, 0, CLOSE},
        {"rsqrt.approx.f32", rsqrt_exact, 1e-10, 4, 0, CLOSE},
        {"rsqrt.approx.f32", rsqrt_exact, 4, 3e38, 0, CLOSE},
        {"rsqrt.approx.ftz.f32", rsqrt_exact, 1e-10, 4, 0, CLOSE},
    };
    for (int k = 0; k < COUNT(bounds); k++)
        check_bound(&bounds[k], 100);
}

static void check_table(const char *opcode, const uint32_t (*row)[2], int n)
{
    for (int k = 0; k < n; k++) {
        uint32_t got = (uint32_t)lane_rig_1(opcode, row[k][0]);
        if (got != row[k][1])
            print_error("%s of %08x: ", opcode, row[k][0]);
        CHECK_EQ(got, row[k][1]);
    }
}

#define TABLE(opcode, ...)                                                                         \
    do {                                                                                           \
        static const uint32_t table_[][2] = {__VA_ARGS__};                                         \
        check_table(opcode, table_, COUNT(table_));                                                \
    } while (0)

enum { ONE = 0x3f800000, LARGEST_SUBNORMAL = 0x007fffff };

static void sine_and_cosine_keep_the_table_of_specials(void)
{
    TABLE("sin.approx.f32", {SIGN | INF32, NAN32}, {SIGN, SIGN}, {0, 0}, {INF32, NAN32},
          {0xffc00001, NAN32}, {1, 1}, {SIGN | 1, SIGN | 1});
    TABLE("sin.approx.ftz.f32", {SIGN | 1, SIGN}, {LARGEST_SUBNORMAL, 0}, {SIGN, SIGN});
    TABLE("cos.approx.f32", {SIGN | INF32, NAN32}, {SIGN, ONE}, {0, ONE}, {INF32, NAN32},
          {0x7f800001, NAN32}, {1, ONE});
    TABLE("cos.approx.ftz.f32", {SIGN | 1, ONE}, {LARGEST_SUBNORMAL, ONE});
}

static void angles_without_end_still_give_sines(void)
{
    for (uint64_t n = 0; n < 2000; n++) {
        uint64_t x = rng_at(3, n) & 0x7fffffff;
        if (x >= INF32)
            continue;
        float s = from_bits(lane_rig_1("sin.approx.f32", x));
        float c = from_bits(lane_rig_1("cos.approx.f32", x));
        CHECK_NEAR(s * s + c * c, 1, 1e-6);
        CHECK(from_bits(lane_rig_1("sin.approx.f32", SIGN | x)) == -s);
    }
}

static void logarithms_keep_the_table_of_specials(void)
{
    TABLE("lg2.approx.f32", {SIGN | INF32, NAN32}, {0xbf800000, NAN32}, {SIGN, SIGN | INF32},
          {0, SIGN | INF32}, {INF32, INF32}, {0xffffffff, NAN32}, {ONE, 0}, {SIGN | 1, NAN32},
          {1, 0xc3150000 /* -149 */}, {0x00800000, 0xc2fc0000 /* -126 */});
    TABLE("lg2.approx.ftz.f32", {SIGN | 1, SIGN | INF32}, {1, SIGN | INF32}, {INF32, INF32});
}

static void exponentials_keep_the_table_of_specials(void)
{
    TABLE("ex2.approx.f32", {SIGN | INF32, 0}, {SIGN, ONE}, {0, ONE}, {INF32, INF32},
          {0x7fc00000, NAN32}, {SIGN | 1, ONE}, {LARGEST_SUBNORMAL, ONE},
          {0x43000000 /* 128 */, INF32}, {0xc3150000 /* -149 */, 1}, {0xc3200000 /* -160 */, 0},
          {0x7f7fffff, INF32}, {0xff7fffff, 0});
    TABLE("ex2.approx.ftz.f32", {0xc2fe0000 /* -127 */, 0}, {0xc2fc0000 /* -126 */, 0x00800000});
}

static void exponentials_of_integers_are_exact(void)
{
    for (int k = -149; k < 128; k++)
        CHECK_EQ(lane_rig_1("ex2.approx.f32", to_bits((float)k)), to_bits(ldexpf(1, k)));
}

static void reciprocal_roots_keep_the_table_of_specials(void)
{
    TABLE("rsqrt.approx.f32", {SIGN | INF32, NAN32}, {0xbf800000, NAN32}, {SIGN | 1, NAN32},
          {SIGN, SIGN | INF32}, {0, INF32}, {INF32, 0}, {0x7f800001, NAN32},
          {0x40800000 /* 4 */, 0x3f000000});
    TABLE("rsqrt.approx.ftz.f32", {SIGN | 1, SIGN | INF32}, {LARGEST_SUBNORMAL, INF32}, {INF32, 0});
}

static void hyperbolic_tangents_keep_the_table_of_specials(void)
{
    TABLE("tanh.approx.f32", {SIGN | INF32, 0xbf800000}, {SIGN, SIGN}, {0, 0}, {INF32, ONE},
          {0xffc00000, NAN32}, {1, 1}, {SIGN | 1, SIGN | 1}, {0x42c80000 /* 100 */, ONE});
}

static void handlers_of_all_hosts_agree(void)
{
    static const char *const forms[] = {
        "sin.approx.f32",   "sin.approx.ftz.f32",   "cos.approx.f32",  "cos.approx.ftz.f32",
        "lg2.approx.f32",   "lg2.approx.ftz.f32",   "ex2.approx.f32",  "ex2.approx.ftz.f32",
        "rsqrt.approx.f32", "rsqrt.approx.ftz.f32", "tanh.approx.f32",
    };
    for (int k = 0; k < COUNT(forms); k++)
        lane_rig_sweep(forms[k], 500);
}

static void forms_that_do_not_exist_are_refused(void)
{
    static const char *const forms[] = {"sin.rn.f32", "ex2.sat.f32", "tanh.approx.ftz.f32",
                                        "sin.approx.f64", "lg2.full.f32"};
    for (int k = 0; k < COUNT(forms); k++) {
        struct op_desc d;
        struct err e = {0};
        CHECK(!lane_rig_find(forms[k], &d, &e));
    }
}

CHECK_MAIN("lanes_special", TEST(functions_are_within_their_bounds),
           TEST(sine_and_cosine_keep_the_table_of_specials),
           TEST(angles_without_end_still_give_sines), TEST(logarithms_keep_the_table_of_specials),
           TEST(exponentials_keep_the_table_of_specials), TEST(exponentials_of_integers_are_exact),
           TEST(reciprocal_roots_keep_the_table_of_specials),
           TEST(hyperbolic_tangents_keep_the_table_of_specials), TEST(handlers_of_all_hosts_agree),
           TEST(forms_that_do_not_exist_are_refused))
