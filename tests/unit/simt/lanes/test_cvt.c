#include "check.h"

#include <fenv.h>

#include "rig/lane_rig.h"

static float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

static double f64_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t bits_f32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(f) ? 0x7fffffff : bits;
}

static uint64_t bits_f64(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static float flushed(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* The 16-bit formats, by definition. */
static double half_of(uint64_t bits, bool is_brain)
{
    const int width = is_brain ? 7 : 10, most = is_brain ? 255 : 31, bias = is_brain ? 127 : 15;
    int exponent = (int)(bits >> width) & most, fraction = (int)bits & ((1 << width) - 1);
    double size = exponent == most ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0  ? ldexp(fraction, 1 - bias - width)
                                   : ldexp(fraction + (1 << width), exponent - bias - width);
    return bits & 0x8000 ? -size : size;
}

/* x in such a format: the two neighbours are searched for among all its numbers. */
static uint64_t bits_half(double x, bool is_brain, int rounding)
{
    if (isnan(x))
        return 0x7fff;
    const uint64_t infinity = is_brain ? 0x7f80 : 0x7c00, sign = signbit(x) ? 0x8000 : 0;
    double size = fabs(x);
    uint64_t low = 0, high = infinity;
    while (high - low > 1) {
        uint64_t mid = (low + high) / 2;
        *(half_of(mid, is_brain) <= size ? &low : &high) = mid;
    }
    if (isinf(x))
        return sign | infinity;
    /* the step above the largest number is as wide as the one below it */
    double below = half_of(low, is_brain);
    double step =
        high == infinity ? below - half_of(low - 1, is_brain) : half_of(high, is_brain) - below;
    bool goes_up = false;
    if (size > below)
        goes_up = rounding == FE_TONEAREST
                      ? size - below > step / 2 || (size - below == step / 2 && low & 1)
                  : rounding == FE_UPWARD   ? !sign
                  : rounding == FE_DOWNWARD ? sign != 0
                                            : false;
    return sign | (goes_up ? low + 1 : low);
}

static const struct {
    const char *name;
    int mode;
} roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/* By the host, in another rounding mode; volatile, or the compiler rounds beforehand. */
static uint64_t f32_rounded(long double value, int mode)
{
    volatile long double exact = value;
    fesetround(mode);
    volatile float result = (float)exact;
    fesetround(FE_TONEAREST);
    return bits_f32(result);
}

static uint64_t f64_rounded(long double value, int mode)
{
    volatile long double exact = value;
    fesetround(mode);
    volatile double result = (double)exact;
    fesetround(FE_TONEAREST);
    return bits_f64(result);
}

static long double integer_of(uint64_t bits, const char *type)
{
    int unused = 64 - atoi(type + 1);
    return type[0] == 's' ? (long double)((int64_t)(bits << unused) >> unused)
                          : (long double)(bits << unused >> unused);
}

static const char *const integers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

static long double lowest(const char *type)
{
    return type[0] == 's' ? -ldexpl(1, atoi(type + 1) - 1) : 0;
}

static long double highest(const char *type)
{
    return ldexpl(1, atoi(type + 1) - (type[0] == 's')) - 1;
}

static uint64_t bits_of(long double x)
{
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static void integers_are_extended_cut_or_clamped(void)
{
    for (int k = 0; k < 64; k++) {
        char plain[64], sat[64];
        const char *to = integers[k / 8], *from = integers[k % 8];
        const int unused = 64 - atoi(to + 1);
        snprintf(plain, sizeof plain, "cvt.%s.%s", to, from);
        snprintf(sat, sizeof sat, "cvt.sat.%s.%s", to, from);
        for (int round = 0; round < 10; round++) {
            struct lane_rig_round r[2];
            lane_rig_begin(&r[0], plain, round);
            lane_rig_begin(&r[1], sat, round);
            const uint64_t all = r[0].rig.desc.operands[0] == 'D' ? UINT64_MAX : UINT32_MAX;
            for (int l = 0; l < WARP_LANES; l++) {
                long double x = integer_of(r[0].src[0][l], from);
                uint64_t cut = bits_of(x) << unused;
                cut = to[0] == 's' ? (uint64_t)((int64_t)cut >> unused) : cut >> unused;
                if (!(r[0].exec >> l & 1))
                    continue;
                CHECK(r[0].rig.raw[0][l] == (cut & all));
                x = x < lowest(to) ? lowest(to) : x > highest(to) ? highest(to) : x;
                CHECK(r[1].rig.raw[0][l] == (bits_of(x) & all));
            }
        }
    }
}

static void integers_become_floats_in_every_rounding(void)
{
    for (int k = 0; k < 32; k++) {
        char opcode[64];
        const char *from = integers[k / 4], *how = roundings[k % 4].name;
        const int mode = roundings[k % 4].mode;
        snprintf(opcode, sizeof opcode, "cvt.%s.f32.%s", how, from);
        LANE_RIG_EXPECT(opcode, f32_rounded(integer_of(a, from), mode));
        snprintf(opcode, sizeof opcode, "cvt.%s.f64.%s", how, from);
        LANE_RIG_EXPECT(opcode, f64_rounded(integer_of(a, from), mode));
        if (atoi(from + 1) < 64) { /* exact in the oracle's double */
            snprintf(opcode, sizeof opcode, "cvt.%s.f16.%s", how, from);
            LANE_RIG_EXPECT(opcode, bits_half((double)integer_of(a, from), false, mode));
            snprintf(opcode, sizeof opcode, "cvt.%s.bf16.%s", how, from);
            LANE_RIG_EXPECT(opcode, bits_half((double)integer_of(a, from), true, mode));
        }
    }
    CHECK_EQ(lane_rig_1("cvt.rn.f32.u64", UINT64_MAX), 0x5f800000);
    CHECK_EQ(lane_rig_1("cvt.rz.f32.u64", UINT64_MAX), 0x5f7fffff);
    CHECK_EQ(lane_rig_1("cvt.rm.f32.s32", 0x80000001), 0xcf000000);
    CHECK_EQ(lane_rig_1("cvt.rz.f32.s32", 0x80000001), 0xceffffff);
    CHECK_EQ(lane_rig_1("cvt.rp.f32.s32", 0), 0);
    CHECK_EQ(lane_rig_1("cvt.rn.f16.s64", 65520), 0x7c00);
    CHECK_EQ(lane_rig_1("cvt.rz.f16.u64", UINT64_MAX), 0x7bff);
    CHECK_EQ(lane_rig_1("cvt.rn.sat.f32.s32", 7), 0x3f800000);
    CHECK_EQ(lane_rig_1("cvt.rn.sat.f32.s32", (uint32_t)-7), 0);
}

static uint64_t integer_from(long double x, const char *how, const char *to, bool is_f64)
{
    if (isnan(x))
        return is_f64 || atoi(to + 1) == 64 ? (uint64_t)1 << (atoi(to + 1) - 1) : 0;
    x = how[1] == 'n' ? rintl(x) : how[1] == 'm' ? floorl(x) : how[1] == 'p' ? ceill(x) : truncl(x);
    x = x < lowest(to) ? lowest(to) : x > highest(to) ? highest(to) : x;
    return bits_of(x);
}

static void floats_become_integers_clamped(void)
{
    static const char *const how[] = {"rni", "rzi", "rmi", "rpi"};
    for (int k = 0; k < 32; k++) {
        char opcode[64];
        const char *to = integers[k / 4], *mode = how[k % 4];
        const uint64_t mask = atoi(to + 1) == 8 ? 0xff : UINT64_MAX;
        snprintf(opcode, sizeof opcode, "cvt.%s.%s.f32", mode, to);
        LANE_RIG_EXPECT(opcode, integer_from((long double)f32_of(a), mode, to, false));
        snprintf(opcode, sizeof opcode, "cvt.%s.ftz.%s.f32", mode, to);
        LANE_RIG_EXPECT(opcode, integer_from((long double)flushed(f32_of(a)), mode, to, false));
        snprintf(opcode, sizeof opcode, "cvt.%s.%s.f16", mode, to);
        LANE_RIG_EXPECT(opcode, integer_from(half_of(a, false), mode, to, false));
        snprintf(opcode, sizeof opcode, "cvt.%s.%s.bf16", mode, to);
        LANE_RIG_EXPECT(opcode, integer_from(half_of(a, true), mode, to, false));
        for (int round = 0; round < 12; round++) { /* s8 of NaN is -128, as 8 bits say it */
            struct lane_rig_round r;
            snprintf(opcode, sizeof opcode, "cvt.%s.%s.f64", mode, to);
            lane_rig_begin(&r, opcode, round);
            for (int l = 0; l < WARP_LANES; l++)
                if (r.exec >> l & 1) {
                    const uint64_t bits = r.rig.dst[0][l] & mask;
                    uint64_t want = integer_from((long double)f64_of(r.src[0][l]), mode, to, true);
                    want &= mask & (r.rig.desc.operands[0] == 'H'   ? 0xffff
                                    : r.rig.desc.operands[0] == 'W' ? UINT32_MAX
                                                                    : UINT64_MAX);
                    CHECK(bits == want);
                }
        }
    }
}

static void the_ends_of_the_integers(void)
{
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f32", bits_f32(0x1p31f)), 0x7fffffff);
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f32", bits_f32(-0x1p31f)), 0x80000000);
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f32", bits_f32(-INFINITY)), 0x80000000);
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f32", 0x7fc00000), 0);
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f64", 0x7ff8000000000000), 0x80000000);
    CHECK(lane_rig_1("cvt.rzi.s64.f32", 0x7fc00000) == (uint64_t)INT64_MIN);
    CHECK(lane_rig_1("cvt.rzi.u64.f64", 0xfff8000000000000) == (uint64_t)INT64_MIN);
    CHECK_EQ(lane_rig_1("cvt.rzi.u32.f32", bits_f32(0x1.fffffep31f)), 0xffffff00);
    CHECK_EQ(lane_rig_1("cvt.rzi.u32.f32", bits_f32(0x1p32f)), 0xffffffff);
    CHECK_EQ(lane_rig_1("cvt.rzi.u32.f32", bits_f32(-5.f)), 0);
    CHECK_EQ(lane_rig_1("cvt.rni.s32.f32", bits_f32(2.5f)), 2);
    CHECK_EQ(lane_rig_1("cvt.rni.s32.f32", bits_f32(-3.5f)), (uint32_t)-4);
    CHECK_EQ(lane_rig_1("cvt.rzi.s32.f64", bits_f64(2147483647.9)), 0x7fffffff);
    CHECK_EQ(lane_rig_1("cvt.rni.s32.f64", bits_f64(2147483647.5)), 0x7fffffff);
    CHECK(lane_rig_1("cvt.rzi.u64.f64", bits_f64(0x1p64)) == UINT64_MAX);
    CHECK(lane_rig_1("cvt.rzi.u64.f64", bits_f64(0x1.fffffffffffffp63)) == 0xfffffffffffff800);
    CHECK_EQ(lane_rig_1("cvt.rpi.s32.f32", 1), 1);
    CHECK_EQ(lane_rig_1("cvt.rpi.ftz.s32.f32", 1), 0);
}

static void every_half_has_its_value(void)
{
    for (uint64_t h = 0; h < 0x10000; h += WARP_LANES) {
        struct lane_rig r = {0};
        uint64_t src[LANE_RIG_SOURCES][WARP_LANES] = {{0}};
        for (uint64_t l = 0; l < WARP_LANES; l++)
            src[0][l] = 0xabcd0000 | (h + l);
        lane_rig_run(&r, "cvt.f32.f16", (const uint64_t(*)[WARP_LANES])src, UINT32_MAX);
        for (uint64_t l = 0; l < WARP_LANES; l++)
            CHECK_EQ(r.dst[0][l], bits_f32((float)half_of(h + l, false)));
        lane_rig_run(&r, "cvt.f32.bf16", (const uint64_t(*)[WARP_LANES])src, UINT32_MAX);
        for (uint64_t l = 0; l < WARP_LANES; l++)
            CHECK_EQ(r.dst[0][l], bits_f32((float)half_of(h + l, true)));
    }
    LANE_RIG_EXPECT("cvt.f64.f16",
                    isnan(half_of(a, false)) ? 0x7fffffffe0000000 : bits_f64(half_of(a, false)));
}

static void halves_are_rounded_in_every_way(void)
{
    for (int k = 0; k < 4; k++) {
        char opcode[64];
        const char *how = roundings[k].name;
        const int mode = roundings[k].mode;
        snprintf(opcode, sizeof opcode, "cvt.%s.f16.f32", how);
        LANE_RIG_EXPECT(opcode, bits_half((double)f32_of(a), false, mode));
        snprintf(opcode, sizeof opcode, "cvt.%s.bf16.f32", how);
        LANE_RIG_EXPECT(opcode, bits_half((double)f32_of(a), true, mode));
        snprintf(opcode, sizeof opcode, "cvt.%s.f16.f64", how);
        LANE_RIG_EXPECT(opcode, bits_half(f64_of(a), false, mode));
        snprintf(opcode, sizeof opcode, "cvt.%s.bf16.f64", how);
        LANE_RIG_EXPECT(opcode, bits_half(f64_of(a), true, mode));
        for (uint64_t h = 0; h < 0x7c00; h += 37) /* at, just below and just above each tie */
            for (int away = -1; away <= 1; away++) {
                double tie = (half_of(h, false) + half_of(h + 1, false)) / 2;
                float x = h == 0x7bff ? 65520.f : (float)tie;
                x = away < 0 ? nextafterf(x, 0) : away > 0 ? nextafterf(x, INFINITY) : x;
                snprintf(opcode, sizeof opcode, "cvt.%s.f16.f32", how);
                CHECK_EQ(lane_rig_1(opcode, bits_f32(x)), bits_half((double)x, false, mode));
                CHECK_EQ(lane_rig_1(opcode, bits_f32(-x)), bits_half((double)-x, false, mode));
            }
    }
    CHECK_EQ(lane_rig_1("cvt.rn.f16.f32", bits_f32(65519.99f)), 0x7bff);
    CHECK_EQ(lane_rig_1("cvt.rn.f16.f32", bits_f32(65520.f)), 0x7c00);
    CHECK_EQ(lane_rig_1("cvt.rz.f16.f32", bits_f32(1e9f)), 0x7bff);
    CHECK_EQ(lane_rig_1("cvt.rn.f16.f32", 0xff800001), 0x7fff);
    CHECK_EQ(lane_rig_1("cvt.rn.relu.f16.f32", bits_f32(-2.f)), 0);
    CHECK_EQ(lane_rig_1("cvt.rn.sat.f16.f32", bits_f32(2.f)), 0x3c00);
    CHECK_EQ(lane_rig_1("cvt.rn.sat.f16.f32", 0x7fc00000), 0);
}

static void pairs_take_the_first_number_in_their_upper_half(void)
{
#define PAIR(brain, mode)                                                                          \
    bits_half((double)f32_of(a), brain, mode) << 16 | bits_half((double)f32_of(b), brain, mode)
    LANE_RIG_EXPECT("cvt.rn.f16x2.f32", PAIR(false, FE_TONEAREST));
    LANE_RIG_EXPECT("cvt.rz.f16x2.f32", PAIR(false, FE_TOWARDZERO));
    LANE_RIG_EXPECT("cvt.rn.bf16x2.f32", PAIR(true, FE_TONEAREST));
    LANE_RIG_EXPECT("cvt.rz.bf16x2.f32", PAIR(true, FE_TOWARDZERO));
    CHECK_EQ(lane_rig_2("cvt.rn.relu.f16x2.f32", bits_f32(-1), bits_f32(1)), 0x00003c00);
    CHECK_EQ(lane_rig_2("cvt.rn.relu.bf16x2.f32", bits_f32(1), 0x7fc00000), 0x3f807fff);
}

static void doubles_become_floats_in_every_rounding(void)
{
    for (int k = 0; k < 4; k++) {
        char opcode[64];
        const int mode = roundings[k].mode;
        snprintf(opcode, sizeof opcode, "cvt.%s.f32.f64", roundings[k].name);
        LANE_RIG_EXPECT(opcode, f32_rounded((long double)f64_of(a), mode));
        snprintf(opcode, sizeof opcode, "cvt.%s.ftz.f32.f64", roundings[k].name);
        LANE_RIG_EXPECT(opcode,
                        bits_f32(flushed(f32_of(f32_rounded((long double)f64_of(a), mode)))));
    }
    CHECK_EQ(lane_rig_1("cvt.rz.f32.f64", bits_f64(1e300)), 0x7f7fffff);
    CHECK_EQ(lane_rig_1("cvt.rp.f32.f64", bits_f64(1e-300)), 1);
    CHECK_EQ(lane_rig_1("cvt.rp.f32.f64", bits_f64(-1e-300)), 0x80000000);
    CHECK_EQ(lane_rig_1("cvt.rn.sat.f32.f64", bits_f64(1.5)), 0x3f800000);
    LANE_RIG_EXPECT("cvt.f64.f32", bits_f64((double)f32_of(a)));
    LANE_RIG_EXPECT("cvt.ftz.f64.f32", bits_f64((double)flushed(f32_of(a))));
    LANE_RIG_EXPECT("cvt.sat.f64.f32", bits_f64(fmax(0, fmin(1, (double)f32_of(a)))) &
                                           (isnan(f32_of(a)) ? 0 : INT64_MAX));
}

static void floats_are_rounded_to_integral_values(void)
{
    LANE_RIG_EXPECT("cvt.rni.f32.f32", bits_f32(rintf(f32_of(a))));
    LANE_RIG_EXPECT("cvt.rmi.f32.f32", bits_f32(floorf(f32_of(a))));
    LANE_RIG_EXPECT("cvt.rpi.f32.f32", bits_f32(ceilf(f32_of(a))));
    LANE_RIG_EXPECT("cvt.rzi.f32.f32", bits_f32(truncf(f32_of(a))));
    LANE_RIG_EXPECT("cvt.rpi.ftz.f32.f32", bits_f32(ceilf(flushed(f32_of(a)))));
    LANE_RIG_EXPECT("cvt.f32.f32", bits_f32(f32_of(a)));
    LANE_RIG_EXPECT("cvt.ftz.f32.f32", bits_f32(flushed(f32_of(a))));
    LANE_RIG_EXPECT("cvt.sat.f32.f32",
                    isnan(f32_of(a)) ? 0 : bits_f32(fmaxf(0, fminf(1, f32_of(a)))) & 0x7fffffff);
#define QUIET(x) (isnan(f64_of(a)) ? a | 0x0008000000000000 : bits_f64(x))
    LANE_RIG_EXPECT("cvt.rni.f64.f64", QUIET(rint(f64_of(a))));
    LANE_RIG_EXPECT("cvt.rmi.f64.f64", QUIET(floor(f64_of(a))));
    LANE_RIG_EXPECT("cvt.rpi.f64.f64", QUIET(ceil(f64_of(a))));
    LANE_RIG_EXPECT("cvt.rzi.f64.f64", QUIET(trunc(f64_of(a))));
    LANE_RIG_EXPECT("cvt.rmi.f16.f16", bits_half(floor(half_of(a, false)), false, FE_TONEAREST));
    LANE_RIG_EXPECT("cvt.rpi.bf16.bf16", bits_half(ceil(half_of(a, true)), true, FE_TONEAREST));
    CHECK_EQ(lane_rig_1("cvt.rpi.f32.f32", bits_f32(-0.5f)), 0x80000000);
}

static int64_t clamp(uint64_t x, int64_t low, int64_t high)
{
    int64_t v = (int32_t)x;
    return v < low ? low : v > high ? high : v;
}

static void packing_clamps_two_numbers_and_keeps_a_third(void)
{
#define PACKED(bits, low, high)                                                                    \
    ((uint64_t)clamp(a, low, high) & ((1 << bits) - 1)) << bits |                                  \
        ((uint64_t)clamp(b, low, high) & ((1 << bits) - 1))
    LANE_RIG_EXPECT("cvt.pack.sat.s16.s32", PACKED(16, -32768, 32767));
    LANE_RIG_EXPECT("cvt.pack.sat.u16.s32", PACKED(16, 0, 65535));
    LANE_RIG_EXPECT("cvt.pack.sat.s8.s32.b32", (PACKED(8, -128, 127)) | c << 16);
    LANE_RIG_EXPECT("cvt.pack.sat.u8.s32.b32", (PACKED(8, 0, 255)) | c << 16);
    LANE_RIG_EXPECT("cvt.pack.sat.s4.s32.b32", (PACKED(4, -8, 7)) | c << 8);
    LANE_RIG_EXPECT("cvt.pack.sat.u4.s32.b32", (PACKED(4, 0, 15)) | c << 8);
    LANE_RIG_EXPECT("cvt.pack.sat.s2.s32.b32", (PACKED(2, -2, 1)) | c << 4);
    LANE_RIG_EXPECT("cvt.pack.sat.u2.s32.b32", (PACKED(2, 0, 3)) | c << 4);
}

static void tf32_keeps_ten_bits_of_fraction(void)
{
    CHECK_EQ(lane_rig_1("cvt.rna.tf32.f32", 0x3f801000), 0x3f802000);
    CHECK_EQ(lane_rig_1("cvt.rna.tf32.f32", 0xbf800fff), 0xbf800000);
    CHECK_EQ(lane_rig_1("cvt.rna.tf32.f32", 0x7f7fffff), 0x7f800000);
    CHECK_EQ(lane_rig_1("cvt.rna.tf32.f32", 0xff800001), 0x7fffffff);
}

static void narrow_results_are_extended_to_the_lane(void)
{
    struct lane_rig r = {0};
    uint64_t src[LANE_RIG_SOURCES][WARP_LANES] = {{0xff80}};
    lane_rig_run(&r, "cvt.s16.s8", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.raw[0][0], 0xffffff80);
    CHECK(r.desc.is_relaxed && r.desc.is_signed);
    lane_rig_run(&r, "cvt.u16.s8", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.raw[0][0], 0xff80);
    CHECK(r.desc.is_relaxed && !r.desc.is_signed);
    src[0][0] = bits_f32(-300);
    lane_rig_run(&r, "cvt.rzi.s8.f32", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.raw[0][0], 0xffffff80);
}

CHECK_MAIN("lanes_cvt", TEST(integers_are_extended_cut_or_clamped),
           TEST(integers_become_floats_in_every_rounding), TEST(floats_become_integers_clamped),
           TEST(the_ends_of_the_integers), TEST(every_half_has_its_value),
           TEST(halves_are_rounded_in_every_way),
           TEST(pairs_take_the_first_number_in_their_upper_half),
           TEST(doubles_become_floats_in_every_rounding),
           TEST(floats_are_rounded_to_integral_values),
           TEST(packing_clamps_two_numbers_and_keeps_a_third),
           TEST(tf32_keeps_ten_bits_of_fraction), TEST(narrow_results_are_extended_to_the_lane))
