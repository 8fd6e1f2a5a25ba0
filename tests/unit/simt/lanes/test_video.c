#include "check.h"

#include "rig/lane_rig.h"

#define s32(x) ((int64_t)(int32_t)(x))
#define u32(x) ((int64_t)(uint32_t)(x))

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static void scalar_forms_widen_before_they_saturate(void)
{
    LANE_RIG_EXPECT("vadd.s32.s32.s32", a + b);
    LANE_RIG_EXPECT("vadd.u32.u32.s32.sat", clamp(u32(a) + s32(b), 0, UINT32_MAX));
    LANE_RIG_EXPECT("vadd.s32.u32.u32.sat", clamp(u32(a) + u32(b), INT32_MIN, INT32_MAX));
    LANE_RIG_EXPECT("vsub.s32.u32.u32.sat", clamp(u32(a) - u32(b), INT32_MIN, INT32_MAX));
    LANE_RIG_EXPECT("vsub.u32.s32.u32", a - b);
    LANE_RIG_EXPECT("vabsdiff.u32.s32.s32", s32(a) > s32(b) ? a - b : b - a);
    LANE_RIG_EXPECT("vabsdiff.u32.u32.s32", u32(a) > s32(b) ? a - b : b - a);
    LANE_RIG_EXPECT("vmin.s32.s32.u32", s32(a) < u32(b) ? a : b);
    LANE_RIG_EXPECT("vmax.s32.s32.s32", s32(a) > s32(b) ? a : b);
    LANE_RIG_EXPECT("vset.s32.u32.lt", s32(a) < u32(b));
    LANE_RIG_EXPECT("vset.u32.u32.ge", u32(a) >= u32(b));
}

static void a_second_operation_combines_with_the_third_operand(void)
{
    LANE_RIG_EXPECT("vadd.s32.s32.s32.add", a + b + c);
    LANE_RIG_EXPECT("vadd.s32.s32.s32.min", s32(a + b) < s32(c) ? a + b : c);
    LANE_RIG_EXPECT("vadd.s32.s32.s32.max", s32(a + b) > s32(c) ? a + b : c);
    LANE_RIG_EXPECT("vsub.u32.u32.u32.max", u32(a - b) > u32(c) ? a - b : c);
    LANE_RIG_EXPECT("vset.u32.u32.eq.add", (uint64_t)((uint32_t)a == (uint32_t)b) + c);
}

static void shifts_clamp_or_wrap(void)
{
#define CLAMPED (u32(b) > 32 ? 32 : u32(b))
    LANE_RIG_EXPECT("vshl.u32.u32.u32.wrap", a << (b & 31));
    LANE_RIG_EXPECT("vshl.u32.u32.u32.clamp", a << CLAMPED);
    LANE_RIG_EXPECT("vshr.u32.u32.u32.clamp", u32(a) >> CLAMPED);
    LANE_RIG_EXPECT("vshr.s32.s32.u32.clamp", s32(a) >> CLAMPED);
    LANE_RIG_EXPECT("vshr.s32.s32.u32.wrap.add", (uint64_t)(s32(a) >> (b & 31)) + c);
}

static int64_t part(uint64_t x, int k, int bits, bool is_signed)
{
    int64_t field = (int64_t)(x >> (k * bits) & ((1u << bits) - 1));
    return is_signed && field >> (bits - 1) ? field - (1 << bits) : field;
}

/* Applies op to the parts of a and b, which are signed or not. */
static uint64_t parts(int64_t (*op)(int64_t, int64_t), uint64_t a, uint64_t b, int n,
                      bool is_signed, bool sat, const uint64_t *sum_with)
{
    const int bits = 32 / n;
    uint64_t packed = 0, sum = sum_with ? *sum_with : 0;
    for (int k = 0; k < n; k++) {
        int64_t r = op(part(a, k, bits, is_signed), part(b, k, bits, is_signed));
        if (sat)
            r = is_signed ? clamp(r, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
                          : clamp(r, 0, (1 << bits) - 1);
        packed |= ((uint64_t)r & ((1u << bits) - 1)) << (k * bits);
        sum += (uint64_t)r;
    }
    return sum_with ? sum : packed;
}

static int64_t add(int64_t x, int64_t y)
{
    return x + y;
}
static int64_t sub(int64_t x, int64_t y)
{
    return x - y;
}
static int64_t absdiff(int64_t x, int64_t y)
{
    return x > y ? x - y : y - x;
}
static int64_t avrg(int64_t x, int64_t y)
{
    return (x + y + (x + y >= 0 ? 1 : 0)) >> 1;
}
static int64_t min(int64_t x, int64_t y)
{
    return x < y ? x : y;
}
static int64_t max(int64_t x, int64_t y)
{
    return x > y ? x : y;
}
static int64_t set_ne(int64_t x, int64_t y)
{
    return x != y;
}

static void parts_are_operated_on_one_by_one(void)
{
    static const struct {
        const char *name;
        int64_t (*op)(int64_t, int64_t);
    } ops[] = {{"vadd", add},   {"vsub", sub}, {"vabsdiff", absdiff},
               {"vavrg", avrg}, {"vmin", min}, {"vmax", max}};
    for (int k = 0; k < 6 * 4; k++) {
        const int n = k & 1 ? 2 : 4;
        const bool is_signed = k & 2;
        const char *types = is_signed ? "s32.s32.s32" : "u32.u32.u32";
        char opcode[64];
        snprintf(opcode, sizeof opcode, "%s%d.%s", ops[k / 4].name, n, types);
        LANE_RIG_EXPECT(opcode, parts(ops[k / 4].op, a, b, n, is_signed, false, NULL));
        snprintf(opcode, sizeof opcode, "%s%d.%s.sat", ops[k / 4].name, n, types);
        LANE_RIG_EXPECT(opcode, parts(ops[k / 4].op, a, b, n, is_signed, true, NULL));
        snprintf(opcode, sizeof opcode, "%s%d.%s.add", ops[k / 4].name, n, types);
        LANE_RIG_EXPECT(opcode, parts(ops[k / 4].op, a, b, n, is_signed, false, &c));
    }
    LANE_RIG_EXPECT("vset4.u32.u32.ne", parts(set_ne, a, b, 4, false, false, NULL));
    LANE_RIG_EXPECT("vset2.s32.s32.ne.add", parts(set_ne, a, b, 2, true, false, &c));
    CHECK_EQ(lane_rig_3("vabsdiff4.u32.u32.u32.add", 0x01020304, 0x04030201, 10),
             10 + 3 + 1 + 1 + 3);
}

CHECK_MAIN("lanes_video", TEST(scalar_forms_widen_before_they_saturate),
           TEST(a_second_operation_combines_with_the_third_operand), TEST(shifts_clamp_or_wrap),
           TEST(parts_are_operated_on_one_by_one))
