#include "check.h"

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

static double f16_of(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 0x3ff);
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

static double bf16_of(uint64_t bits)
{
    return (double)f32_of(bits << 16);
}

static float flushed(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* What a comparison says of two numbers, given how they are ordered. */
static bool holds(const char *cmp, bool is_less, bool is_equal, bool is_nan)
{
    static const struct {
        const char *name;
        bool less, equal, greater, unordered;
    } table[] = {
        {"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},
        {"gt", 0, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"lo", 1, 0, 0, 0},  {"ls", 1, 1, 0, 0},
        {"hi", 0, 0, 1, 0},  {"hs", 0, 1, 1, 0},  {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1},
        {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1}, {"geu", 0, 1, 1, 1},
        {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
        if (strcmp(table[k].name, cmp) == 0)
            return is_nan     ? table[k].unordered
                   : is_equal ? table[k].equal
                   : is_less  ? table[k].less
                              : table[k].greater;
    CHECK_STR(cmp, "a comparison");
    return false;
}

static bool compare_lane(const char *cmp, const char *type, bool ftz, uint64_t a, uint64_t b)
{
    int bits = atoi(type + strcspn(type, "0123456789"));
    if (strchr(type, 'f')) {
        double x = strcmp(type, "f64") == 0   ? f64_of(a)
                   : strcmp(type, "f32") == 0 ? (double)(ftz ? flushed(f32_of(a)) : f32_of(a))
                   : type[0] == 'b'           ? bf16_of(a)
                                              : f16_of(a);
        double y = strcmp(type, "f64") == 0   ? f64_of(b)
                   : strcmp(type, "f32") == 0 ? (double)(ftz ? flushed(f32_of(b)) : f32_of(b))
                   : type[0] == 'b'           ? bf16_of(b)
                                              : f16_of(b);
        return holds(cmp, x < y, x == y, isnan(x) || isnan(y));
    }
    a <<= 64 - bits;
    b <<= 64 - bits;
    return holds(cmp, type[0] == 's' ? (int64_t)a < (int64_t)b : a < b, a == b, false);
}

/* Lanes that often hold equal numbers. */
static void sources(uint64_t src[LANE_RIG_SOURCES][WARP_LANES], uint64_t seed)
{
    lane_rig_random(src, LANE_RIG_SOURCES, seed);
    for (int l = 0; l < WARP_LANES; l += 3)
        src[1][l] = src[0][l];
}

static void check_setp(const char *cmp, const char *type, bool ftz)
{
    static const char *const bools[] = {"", ".and", ".or", ".xor"};
    for (int k = 0; k < 8; k++) {
        char opcode[64];
        struct lane_rig r = {0};
        uint64_t src[LANE_RIG_SOURCES][WARP_LANES];
        uint32_t exec = k < 4 ? UINT32_MAX : 0x5a5affff;
        sources(src, (uint64_t)k);
        snprintf(opcode, sizeof opcode, "setp.%s%s%s.%s", cmp, bools[k % 4], ftz ? ".ftz" : "",
                 type);
        lane_rig_run(&r, opcode, (const uint64_t(*)[WARP_LANES])src, exec);
        for (int l = 0; l < WARP_LANES; l++) {
            bool t = compare_lane(cmp, type, ftz, src[0][l], src[1][l]), c = src[2][l] & 1;
            bool p[2] = {t, !t};
            for (int q = 0; q < 2 && exec >> l & 1; q++)
                CHECK_EQ(r.pred[q] >> l & 1, k % 4 == 0   ? p[q]
                                             : k % 4 == 1 ? p[q] && c
                                             : k % 4 == 2 ? p[q] || c
                                                          : p[q] != c);
        }
    }
}

static const char *const float_compares[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                             "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

static void setp_compares_integers(void)
{
    static const char *const compares[] = {"eq", "ne", "lt", "le", "gt",
                                           "ge", "lo", "ls", "hi", "hs"};
    static const char *const types[] = {"b16", "b32", "b64", "s16", "s32",
                                        "s64", "u16", "u32", "u64"};
    for (int t = 0; t < 9; t++)
        for (int c = 0; c < (types[t][0] == 'b' ? 2 : types[t][0] == 's' ? 6 : 10); c++)
            check_setp(compares[c], types[t], false);
}

static void setp_compares_floats_ordered_and_unordered(void)
{
    static const char *const types[] = {"f32", "f64", "f16", "bf16"};
    for (int t = 0; t < 4; t++)
        for (int c = 0; c < 14; c++)
            check_setp(float_compares[c], types[t], false);
    for (int c = 0; c < 14; c++)
        check_setp(float_compares[c], "f32", true);
}

static void ftz_takes_subnormal_numbers_for_zero(void)
{
    struct lane_rig r = {0};
    uint64_t src[LANE_RIG_SOURCES][WARP_LANES] = {{1}, {0x80000002}};
    lane_rig_run(&r, "setp.eq.ftz.f32", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.pred[0], 1);
    lane_rig_run(&r, "setp.eq.f32", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.pred[0], 0);
    lane_rig_run(&r, "setp.eq.ftz.f16", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.pred[0], 1);
    lane_rig_run(&r, "setp.eq.f16", (const uint64_t(*)[WARP_LANES])src, 1);
    CHECK_EQ(r.pred[0], 0);
}

static void setp_of_pairs_gives_one_predicate_for_each(void)
{
    static const char *const types[] = {"f16", "bf16"};
    for (int k = 0; k < 28; k++) {
        char opcode[64];
        struct lane_rig r = {0};
        uint64_t src[LANE_RIG_SOURCES][WARP_LANES];
        const char *type = types[k / 14], *cmp = float_compares[k % 14];
        sources(src, (uint64_t)k);
        snprintf(opcode, sizeof opcode, "setp.%s.%sx2", cmp, type);
        lane_rig_run(&r, opcode, (const uint64_t(*)[WARP_LANES])src, UINT32_MAX);
        for (int l = 0; l < WARP_LANES; l++)
            for (int q = 0; q < 2; q++)
                CHECK_EQ(r.pred[q] >> l & 1, compare_lane(cmp, type, false, src[0][l] >> (16 * q),
                                                          src[1][l] >> (16 * q)));
    }
}

static void set_writes_ones_or_one(void)
{
    static const struct {
        const char *type;
        uint64_t is_true;
    } results[] = {{"u32", 0xffffffff},
                   {"s32", 0xffffffff},
                   {"f32", 0x3f800000},
                   {"f16", 0x3c00},
                   {"bf16", 0x3f80}};
    static const char *const types[] = {"f32", "f64", "f16", "bf16", "s16",
                                        "s32", "s64", "u16", "u32",  "u64"};
    for (int k = 0; k < 5 * 10 * 6; k++) {
        char opcode[64];
        const char *cmp = float_compares[k / 50], *type = types[k / 5 % 10];
        snprintf(opcode, sizeof opcode, "set.%s.%s.%s", cmp, results[k % 5].type, type);
        LANE_RIG_EXPECT(opcode, compare_lane(cmp, type, false, a, b) ? results[k % 5].is_true : 0);
    }
    LANE_RIG_EXPECT("set.ltu.u32.f32", compare_lane("ltu", "f32", false, a, b) ? UINT32_MAX : 0);
    LANE_RIG_EXPECT("set.nan.ftz.s32.f32", compare_lane("nan", "f32", true, a, b) ? UINT32_MAX : 0);
    LANE_RIG_EXPECT("set.lo.u32.u32", (uint32_t)a < (uint32_t)b ? UINT32_MAX : 0);
    LANE_RIG_EXPECT("set.lt.and.f32.s32", (int32_t)a < (int32_t)b && c & 1 ? 0x3f800000 : 0);
    LANE_RIG_EXPECT("set.lt.xor.u32.s32", ((int32_t)a < (int32_t)b) != (c & 1) ? UINT32_MAX : 0);
    LANE_RIG_EXPECT("set.gt.f16x2.f16x2", (f16_of(a) > f16_of(b) ? 0x3c00 : 0) |
                                              (f16_of(a >> 16) > f16_of(b >> 16) ? 0x3c000000 : 0));
    LANE_RIG_EXPECT("set.neu.u16.f16", f16_of(a) != f16_of(b) ? 0xffff : 0);
}

static void selection_by_predicate_and_by_sign(void)
{
    static const char *const types[] = {"b16", "s16", "u16", "b32", "s32", "u32",
                                        "f32", "b64", "s64", "u64", "f64"};
    for (int k = 0; k < 11; k++) {
        char opcode[64];
        snprintf(opcode, sizeof opcode, "selp.%s", types[k]);
        LANE_RIG_EXPECT(opcode, c & 1 ? a : b);
        snprintf(opcode, sizeof opcode, "slct.%s.s32", types[k]);
        LANE_RIG_EXPECT(opcode, (int32_t)c >= 0 ? a : b);
        snprintf(opcode, sizeof opcode, "slct.%s.f32", types[k]);
        LANE_RIG_EXPECT(opcode, f32_of(c) >= 0 ? a : b);
        snprintf(opcode, sizeof opcode, "slct.ftz.%s.f32", types[k]);
        LANE_RIG_EXPECT(opcode, flushed(f32_of(c)) >= 0 ? a : b);
    }
    CHECK_EQ(lane_rig_3("slct.b32.f32", 1, 2, 0x80000000), 1); /* -0 */
    CHECK_EQ(lane_rig_3("slct.b32.f32", 1, 2, 0x7fc00000), 2); /* NaN */
    CHECK_EQ(lane_rig_3("slct.b32.f32", 1, 2, 0x80000001), 2);
    CHECK_EQ(lane_rig_3("slct.ftz.b32.f32", 1, 2, 0x80000001), 1);
}

static void testp_tells_kinds_of_numbers(void)
{
    LANE_RIG_EXPECT("testp.finite.f32", isfinite(f32_of(a)));
    LANE_RIG_EXPECT("testp.infinite.f32", isinf(f32_of(a)) != 0);
    LANE_RIG_EXPECT("testp.number.f32", !isnan(f32_of(a)));
    LANE_RIG_EXPECT("testp.notanumber.f32", isnan(f32_of(a)) != 0);
    LANE_RIG_EXPECT("testp.normal.f32", isnormal(f32_of(a)) != 0);
    LANE_RIG_EXPECT("testp.subnormal.f32", fpclassify(f32_of(a)) == FP_SUBNORMAL);
    LANE_RIG_EXPECT("testp.finite.f64", isfinite(f64_of(a)));
    LANE_RIG_EXPECT("testp.infinite.f64", isinf(f64_of(a)) != 0);
    LANE_RIG_EXPECT("testp.number.f64", !isnan(f64_of(a)));
    LANE_RIG_EXPECT("testp.notanumber.f64", isnan(f64_of(a)) != 0);
    LANE_RIG_EXPECT("testp.normal.f64", isnormal(f64_of(a)) != 0);
    LANE_RIG_EXPECT("testp.subnormal.f64", fpclassify(f64_of(a)) == FP_SUBNORMAL);
}

CHECK_MAIN("lanes_compare", TEST(setp_compares_integers),
           TEST(setp_compares_floats_ordered_and_unordered),
           TEST(ftz_takes_subnormal_numbers_for_zero),
           TEST(setp_of_pairs_gives_one_predicate_for_each), TEST(set_writes_ones_or_one),
           TEST(selection_by_predicate_and_by_sign), TEST(testp_tells_kinds_of_numbers))
