#include "check.h"

#include "rig/lane_rig.h"

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

#define s16(x) ((int64_t)(int16_t)(x))
#define u16(x) ((uint64_t)(uint16_t)(x))
#define s32(x) ((int64_t)(int32_t)(x))
#define u32(x) ((uint64_t)(uint32_t)(x))
#define s64(x) ((int64_t)(x))
#define u64(x) ((uint64_t)(x))
#define s24(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define u24(x) ((x)&0xffffff)

static int64_t clamped(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

static void sums_and_differences_wrap(void)
{
    LANE_RIG_EXPECT("add.s16", a + b);
    LANE_RIG_EXPECT("add.u16", a + b);
    LANE_RIG_EXPECT("add.s32", a + b);
    LANE_RIG_EXPECT("add.u32", a + b);
    LANE_RIG_EXPECT("add.s64", a + b);
    LANE_RIG_EXPECT("add.u64", a + b);
    LANE_RIG_EXPECT("sub.s16", a - b);
    LANE_RIG_EXPECT("sub.u16", a - b);
    LANE_RIG_EXPECT("sub.s32", a - b);
    LANE_RIG_EXPECT("sub.u32", a - b);
    LANE_RIG_EXPECT("sub.s64", a - b);
    LANE_RIG_EXPECT("sub.u64", a - b);
    LANE_RIG_EXPECT("add.u16x2", u16(a + b) | u16((a >> 16) + (b >> 16)) << 16);
    LANE_RIG_EXPECT("add.s16x2", u16(a + b) | u16((a >> 16) + (b >> 16)) << 16);
    LANE_RIG_EXPECT("neg.s16", 0 - a);
    LANE_RIG_EXPECT("neg.s32", 0 - a);
    LANE_RIG_EXPECT("neg.s64", 0 - a);
    CHECK_EQ(lane_rig_2("add.s32", 0x7fffffff, 1), 0x80000000);
    CHECK_EQ(lane_rig_2("add.u16x2", 0xffff0001, 0x0001ffff), 0);
}

static void saturation_stops_at_the_ends(void)
{
    LANE_RIG_EXPECT("add.sat.s32", clamped(s32(a) + s32(b)));
    LANE_RIG_EXPECT("sub.sat.s32", clamped(s32(a) - s32(b)));
    LANE_RIG_EXPECT("mad.hi.sat.s32", clamped((s32(a) * s32(b) >> 32) + s32(c)));
    LANE_RIG_EXPECT("mad24.hi.sat.s32", clamped((s24(a) * s24(b) >> 16) + s32(c)));
    CHECK_EQ(lane_rig_2("add.sat.s32", 0x7fffffff, 1), 0x7fffffff);
    CHECK_EQ(lane_rig_2("sub.sat.s32", 0x80000000, 1), 0x80000000);
}

static void products_have_low_high_and_wide_forms(void)
{
    LANE_RIG_EXPECT("mul.lo.s16", a * b);
    LANE_RIG_EXPECT("mul.lo.u16", a * b);
    LANE_RIG_EXPECT("mul.lo.s32", a * b);
    LANE_RIG_EXPECT("mul.lo.u32", a * b);
    LANE_RIG_EXPECT("mul.lo.s64", a * b);
    LANE_RIG_EXPECT("mul.lo.u64", a * b);
    LANE_RIG_EXPECT("mul.hi.s16", s16(a) * s16(b) >> 16);
    LANE_RIG_EXPECT("mul.hi.u16", u16(a) * u16(b) >> 16);
    LANE_RIG_EXPECT("mul.hi.s32", s32(a) * s32(b) >> 32);
    LANE_RIG_EXPECT("mul.hi.u32", u32(a) * u32(b) >> 32);
    LANE_RIG_EXPECT("mul.hi.s64", (s128)s64(a) * s64(b) >> 64);
    LANE_RIG_EXPECT("mul.hi.u64", (u128)a * b >> 64);
    LANE_RIG_EXPECT("mul.wide.s16", s16(a) * s16(b));
    LANE_RIG_EXPECT("mul.wide.u16", u16(a) * u16(b));
    LANE_RIG_EXPECT("mul.wide.s32", s32(a) * s32(b));
    LANE_RIG_EXPECT("mul.wide.u32", u32(a) * u32(b));
    LANE_RIG_EXPECT("mul24.lo.s32", s24(a) * s24(b));
    LANE_RIG_EXPECT("mul24.lo.u32", u24(a) * u24(b));
    LANE_RIG_EXPECT("mul24.hi.s32", s24(a) * s24(b) >> 16);
    LANE_RIG_EXPECT("mul24.hi.u32", u24(a) * u24(b) >> 16);
}

static void products_are_summed(void)
{
    LANE_RIG_EXPECT("mad.lo.s16", a * b + c);
    LANE_RIG_EXPECT("mad.lo.u16", a * b + c);
    LANE_RIG_EXPECT("mad.lo.s32", a * b + c);
    LANE_RIG_EXPECT("mad.lo.u32", a * b + c);
    LANE_RIG_EXPECT("mad.lo.s64", a * b + c);
    LANE_RIG_EXPECT("mad.lo.u64", a * b + c);
    LANE_RIG_EXPECT("mad.hi.s16", (uint64_t)(s16(a) * s16(b) >> 16) + c);
    LANE_RIG_EXPECT("mad.hi.u16", (u16(a) * u16(b) >> 16) + c);
    LANE_RIG_EXPECT("mad.hi.s32", (uint64_t)(s32(a) * s32(b) >> 32) + c);
    LANE_RIG_EXPECT("mad.hi.u32", (u32(a) * u32(b) >> 32) + c);
    LANE_RIG_EXPECT("mad.hi.s64", (uint64_t)((s128)s64(a) * s64(b) >> 64) + c);
    LANE_RIG_EXPECT("mad.hi.u64", (uint64_t)((u128)a * b >> 64) + c);
    LANE_RIG_EXPECT("mad.wide.s16", (uint64_t)(s16(a) * s16(b)) + c);
    LANE_RIG_EXPECT("mad.wide.u16", u16(a) * u16(b) + c);
    LANE_RIG_EXPECT("mad.wide.s32", (uint64_t)(s32(a) * s32(b)) + c);
    LANE_RIG_EXPECT("mad.wide.u32", u32(a) * u32(b) + c);
    LANE_RIG_EXPECT("mad24.lo.s32", (uint64_t)(s24(a) * s24(b)) + c);
    LANE_RIG_EXPECT("mad24.lo.u32", u24(a) * u24(b) + c);
    LANE_RIG_EXPECT("mad24.hi.s32", (uint64_t)(s24(a) * s24(b) >> 16) + c);
    LANE_RIG_EXPECT("mad24.hi.u32", (u24(a) * u24(b) >> 16) + c);
}

/* What a carry instruction does on random lanes, against 128-bit arithmetic. */
static void check_carry(const char *opcode, int bits, bool is_sub, bool takes, bool keeps,
                        uint64_t (*first)(uint64_t a, uint64_t b))
{
    const u128 one = 1, mask = (one << bits) - 1;
    for (int round = 0; round < 30; round++) {
        struct lane_rig_round r;
        lane_rig_begin(&r, opcode, round);
        for (int l = 0; l < WARP_LANES; l++) {
            if (!(r.exec >> l & 1))
                continue;
            u128 in = takes ? r.rig.carry_in >> l & 1 : 0;
            u128 x = first ? first(r.src[0][l], r.src[1][l]) & mask : r.src[0][l] & mask;
            u128 y = r.src[first ? 2 : 1][l] & mask;
            u128 result = is_sub ? x - y - in : x + y + in;
            CHECK(r.rig.dst[0][l] == (uint64_t)(result & mask));
            uint32_t out = (uint32_t)(result >> bits & 1);
            CHECK_EQ(r.rig.carry >> l & 1, keeps ? out : r.rig.carry_in >> l & 1);
        }
    }
}

static uint64_t low(uint64_t a, uint64_t b)
{
    return a * b;
}
static uint64_t high_s32(uint64_t a, uint64_t b)
{
    return (uint64_t)(s32(a) * s32(b) >> 32);
}
static uint64_t high_u32(uint64_t a, uint64_t b)
{
    return u32(a) * u32(b) >> 32;
}
static uint64_t high_s64(uint64_t a, uint64_t b)
{
    return (uint64_t)((s128)s64(a) * s64(b) >> 64);
}
static uint64_t high_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((u128)a * b >> 64);
}

static void the_carry_is_written_by_cc_and_taken_by_c(void)
{
    check_carry("add.cc.u32", 32, false, false, true, NULL);
    check_carry("add.cc.s32", 32, false, false, true, NULL);
    check_carry("add.cc.u64", 64, false, false, true, NULL);
    check_carry("add.cc.s64", 64, false, false, true, NULL);
    check_carry("addc.u32", 32, false, true, false, NULL);
    check_carry("addc.s32", 32, false, true, false, NULL);
    check_carry("addc.cc.u32", 32, false, true, true, NULL);
    check_carry("addc.cc.s64", 64, false, true, true, NULL);
    check_carry("addc.u64", 64, false, true, false, NULL);
    check_carry("sub.cc.u32", 32, true, false, true, NULL);
    check_carry("sub.cc.s64", 64, true, false, true, NULL);
    check_carry("subc.u32", 32, true, true, false, NULL);
    check_carry("subc.cc.s32", 32, true, true, true, NULL);
    check_carry("subc.cc.u64", 64, true, true, true, NULL);
    check_carry("add.u32", 32, false, false, false, NULL);
}

static void mad_has_carry_forms(void)
{
    check_carry("mad.lo.cc.u32", 32, false, false, true, low);
    check_carry("mad.lo.cc.s64", 64, false, false, true, low);
    check_carry("mad.hi.cc.u32", 32, false, false, true, high_u32);
    check_carry("mad.hi.cc.s32", 32, false, false, true, high_s32);
    check_carry("mad.hi.cc.s64", 64, false, false, true, high_s64);
    check_carry("madc.lo.u32", 32, false, true, false, low);
    check_carry("madc.lo.cc.s32", 32, false, true, true, low);
    check_carry("madc.hi.u32", 32, false, true, false, high_u32);
    check_carry("madc.hi.cc.u32", 32, false, true, true, high_u32);
    check_carry("madc.hi.cc.s32", 32, false, true, true, high_s32);
    check_carry("madc.hi.cc.u64", 64, false, true, true, high_u64);
    check_carry("madc.lo.cc.u64", 64, false, true, true, low);
}

#define QUOTIENT(T) (T(b) == 0 ? UINT64_MAX : (uint64_t)((s128)T(a) / (s128)T(b)))
#define REMAINDER(T) (T(b) == 0 ? UINT64_MAX : (uint64_t)((s128)T(a) % (s128)T(b)))

static void division_truncates_and_never_traps(void)
{
    LANE_RIG_EXPECT("div.s16", QUOTIENT(s16));
    LANE_RIG_EXPECT("div.u16", QUOTIENT(u16));
    LANE_RIG_EXPECT("div.s32", QUOTIENT(s32));
    LANE_RIG_EXPECT("div.u32", QUOTIENT(u32));
    LANE_RIG_EXPECT("div.s64", QUOTIENT(s64));
    LANE_RIG_EXPECT("div.u64", QUOTIENT(u64));
    LANE_RIG_EXPECT("rem.s16", REMAINDER(s16));
    LANE_RIG_EXPECT("rem.u16", REMAINDER(u16));
    LANE_RIG_EXPECT("rem.s32", REMAINDER(s32));
    LANE_RIG_EXPECT("rem.u32", REMAINDER(u32));
    LANE_RIG_EXPECT("rem.s64", REMAINDER(s64));
    LANE_RIG_EXPECT("rem.u64", REMAINDER(u64));
    CHECK_EQ(lane_rig_2("div.s32", 0x80000000, 0xffffffff), 0x80000000);
    CHECK_EQ(lane_rig_2("rem.s32", 0x80000000, 0xffffffff), 0);
    CHECK_EQ(lane_rig_2("div.u32", 7, 0), 0xffffffff);
    CHECK_EQ(lane_rig_2("rem.u32", 7, 0), 0xffffffff);
    CHECK(lane_rig_2("div.s64", (uint64_t)INT64_MIN, UINT64_MAX) == (uint64_t)INT64_MIN);
    CHECK_EQ(lane_rig_2("rem.s64", (uint64_t)INT64_MIN, UINT64_MAX), 0);
    CHECK_EQ(lane_rig_2("div.s32", (uint32_t)-7, 2), (uint32_t)-3);
    CHECK_EQ(lane_rig_2("rem.s32", (uint32_t)-7, 2), (uint32_t)-1);
}

/* Quotients are computed in double: those next to an integer are the dangerous ones. */
static void quotients_near_an_integer_are_exact(void)
{
    for (uint64_t by = 1; by < 3000000000; by = by * 3 + 1)
        for (uint64_t k = 1; k * by < UINT32_MAX; k = k * 5 + 2) {
            CHECK_EQ(lane_rig_2("div.u32", k * by - 1, by), k - 1);
            CHECK_EQ(lane_rig_2("div.u32", k * by, by), k);
        }
    CHECK_EQ(lane_rig_2("div.u32", 0xffffffff, 1), 0xffffffff);
    CHECK_EQ(lane_rig_2("div.u32", 0xfffffffe, 0xffffffff), 0);
}

static void absolute_values_minima_and_maxima(void)
{
#define LESSER(T) (T(a) < T(b) ? T(a) : T(b))
#define GREATER(T) (T(a) > T(b) ? T(a) : T(b))
#define RAMP(x) ((x) > 0 ? (x) : 0)
    LANE_RIG_EXPECT("abs.s16", s16(a) < 0 ? -s16(a) : s16(a));
    LANE_RIG_EXPECT("abs.s32", s32(a) < 0 ? -s32(a) : s32(a));
    LANE_RIG_EXPECT("abs.s64", s64(a) < 0 ? 0 - a : a);
    LANE_RIG_EXPECT("min.s16", LESSER(s16));
    LANE_RIG_EXPECT("min.u16", LESSER(u16));
    LANE_RIG_EXPECT("min.s32", LESSER(s32));
    LANE_RIG_EXPECT("min.u32", LESSER(u32));
    LANE_RIG_EXPECT("min.s64", LESSER(s64));
    LANE_RIG_EXPECT("min.u64", LESSER(u64));
    LANE_RIG_EXPECT("max.s16", GREATER(s16));
    LANE_RIG_EXPECT("max.u16", GREATER(u16));
    LANE_RIG_EXPECT("max.s32", GREATER(s32));
    LANE_RIG_EXPECT("max.u32", GREATER(u32));
    LANE_RIG_EXPECT("max.s64", GREATER(s64));
    LANE_RIG_EXPECT("max.u64", GREATER(u64));
    LANE_RIG_EXPECT("min.relu.s32", RAMP(LESSER(s32)));
    LANE_RIG_EXPECT("max.relu.s32", RAMP(GREATER(s32)));
    CHECK_EQ(lane_rig_1("abs.s32", 0x80000000), 0x80000000);
    CHECK_EQ(lane_rig_2("min.s16x2", 0x80000001, 0x0001ffff), 0x8000ffff);
    CHECK_EQ(lane_rig_2("min.u16x2", 0x80000001, 0x0001ffff), 0x00010001);
    CHECK_EQ(lane_rig_2("max.s16x2", 0x80000001, 0x0001ffff), 0x00010001);
    CHECK_EQ(lane_rig_2("max.u16x2", 0x80000001, 0x0001ffff), 0x8000ffff);
    CHECK_EQ(lane_rig_2("min.relu.s16x2", 0x80000001, 0x00010002), 0x00000001);
    CHECK_EQ(lane_rig_2("max.relu.s16x2", 0x8000fffe, 0x0001ffff), 0x00010000);
}

static void differences_are_summed(void)
{
#define SAD(T) ((T(a) > T(b) ? a - b : b - a) + c)
    LANE_RIG_EXPECT("sad.s16", SAD(s16));
    LANE_RIG_EXPECT("sad.u16", SAD(u16));
    LANE_RIG_EXPECT("sad.s32", SAD(s32));
    LANE_RIG_EXPECT("sad.u32", SAD(u32));
    LANE_RIG_EXPECT("sad.s64", SAD(s64));
    LANE_RIG_EXPECT("sad.u64", SAD(u64));
}

static uint64_t highest(uint64_t x, int bits)
{
    for (int k = bits - 1; k >= 0; k--)
        if (x >> k & 1)
            return (uint64_t)k;
    return UINT64_MAX;
}

static uint64_t reversed(uint64_t x, int bits)
{
    uint64_t r = 0;
    for (int k = 0; k < bits; k++)
        r |= (x >> k & 1) << (bits - 1 - k);
    return r;
}

static void bits_are_counted_and_found(void)
{
#define MAGNITUDE(T) (T(a) < 0 ? ~a : a)
#define TO_TOP(found, top) ((found) == UINT64_MAX ? UINT64_MAX : (top) - (found))
    LANE_RIG_EXPECT("popc.b32", __builtin_popcountll(u32(a)));
    LANE_RIG_EXPECT("popc.b64", __builtin_popcountll(a));
    LANE_RIG_EXPECT("clz.b32", 31 - highest(a, 32));
    LANE_RIG_EXPECT("clz.b64", 63 - highest(a, 64));
    LANE_RIG_EXPECT("brev.b32", reversed(a, 32));
    LANE_RIG_EXPECT("brev.b64", reversed(a, 64));
    LANE_RIG_EXPECT("bfind.u32", highest(a, 32));
    LANE_RIG_EXPECT("bfind.s32", highest(MAGNITUDE(s32), 32));
    LANE_RIG_EXPECT("bfind.u64", highest(a, 64));
    LANE_RIG_EXPECT("bfind.s64", highest(MAGNITUDE(s64), 64));
    LANE_RIG_EXPECT("bfind.shiftamt.u32", TO_TOP(highest(a, 32), 31));
    LANE_RIG_EXPECT("bfind.shiftamt.s32", TO_TOP(highest(MAGNITUDE(s32), 32), 31));
    LANE_RIG_EXPECT("bfind.shiftamt.u64", TO_TOP(highest(a, 64), 63));
    LANE_RIG_EXPECT("bfind.shiftamt.s64", TO_TOP(highest(MAGNITUDE(s64), 64), 63));
    CHECK_EQ(lane_rig_1("clz.b32", 0), 32);
    CHECK_EQ(lane_rig_1("clz.b64", 0), 64);
    CHECK_EQ(lane_rig_1("bfind.s32", 0xffffffff), 0xffffffff);
    CHECK_EQ(lane_rig_1("bfind.shiftamt.u32", 0), 0xffffffff);
    CHECK_EQ(lane_rig_1("bfind.shiftamt.u32", 1), 31);
}

static void the_nth_set_bit_is_found(void)
{
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 0, 1), 2);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 0, 3), 5);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 4, 1), 4);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 5, 0), 5);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 6, 0), 0xffffffff);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 31, (uint32_t)-2), 5);
    CHECK_EQ(lane_rig_3("fns.b32", 0xb4, 31, (uint32_t)-5), 0xffffffff);
    CHECK_EQ(lane_rig_3("fns.b32", 0xffffffff, 5, 0x80000000), 0xffffffff);
    lane_rig_sweep("fns.b32", 10);
}

static uint64_t extracted(uint64_t x, uint64_t at, uint64_t n, int bits, bool is_signed)
{
    uint64_t r = 0, last = at + n - 1 < (uint64_t)bits ? at + n - 1 : (uint64_t)bits - 1;
    uint64_t fill = is_signed && n ? x >> last & 1 : 0;
    for (uint64_t k = 0; k < (uint64_t)bits; k++)
        r |= (k < n && at + k < (uint64_t)bits ? x >> (at + k) & 1 : fill) << k;
    return r;
}

static uint64_t inserted(uint64_t x, uint64_t into, uint64_t at, uint64_t n, int bits)
{
    for (uint64_t k = 0; k < n && at + k < (uint64_t)bits; k++)
        into = (into & ~((uint64_t)1 << (at + k))) | (x >> k & 1) << (at + k);
    return into;
}

static void bit_fields_are_extracted_and_inserted(void)
{
    LANE_RIG_EXPECT("bfe.u32", extracted(u32(a), b & 255, c & 255, 32, false));
    LANE_RIG_EXPECT("bfe.s32", extracted(u32(a), b & 255, c & 255, 32, true));
    LANE_RIG_EXPECT("bfe.u64", extracted(a, b & 255, c & 255, 64, false));
    LANE_RIG_EXPECT("bfe.s64", extracted(a, b & 255, c & 255, 64, true));
    LANE_RIG_EXPECT("bfi.b32", inserted(u32(a), b, c & 255, d & 255, 32));
    LANE_RIG_EXPECT("bfi.b64", inserted(a, b, c & 255, d & 255, 64));
    const uint64_t x = 0x89abcdef01234567;
    for (uint64_t at = 0; at < 70; at += 3)
        for (uint64_t n = 0; n < 70; n += 5) {
            CHECK(lane_rig_3("bfe.s32", x, at, n) == extracted(u32(x), at, n, 32, true));
            CHECK(lane_rig_3("bfe.u32", x, at, n) == extracted(u32(x), at, n, 32, false));
            CHECK(lane_rig_3("bfe.s64", x, at, n) == extracted(x, at, n, 64, true));
            CHECK(lane_rig_4("bfi.b32", x, 0, at, n) == inserted(u32(x), 0, at, n, 32));
            CHECK(lane_rig_4("bfi.b64", x, ~x, at, n) == inserted(x, ~x, at, n, 64));
        }
}

static void masks_and_extensions_clamp_or_wrap(void)
{
    CHECK_EQ(lane_rig_2("bmsk.clamp.b32", 4, 8), 0xff0);
    CHECK_EQ(lane_rig_2("bmsk.clamp.b32", 4, 32), 0xfffffff0);
    CHECK_EQ(lane_rig_2("bmsk.clamp.b32", 32, 4), 0);
    CHECK_EQ(lane_rig_2("bmsk.clamp.b32", 30, 9), 0xc0000000);
    CHECK_EQ(lane_rig_2("bmsk.clamp.b32", 7, 0), 0);
    CHECK_EQ(lane_rig_2("bmsk.wrap.b32", 36, 40), 0xff0);
    CHECK_EQ(lane_rig_2("bmsk.wrap.b32", 4, 32), 0);
    CHECK_EQ(lane_rig_2("szext.clamp.s32", 0xff8, 4), 0xfffffff8);
    CHECK_EQ(lane_rig_2("szext.clamp.u32", 0xff8, 4), 8);
    CHECK_EQ(lane_rig_2("szext.clamp.s32", 0x80000001, 32), 0x80000001);
    CHECK_EQ(lane_rig_2("szext.clamp.s32", 0xff8, 0), 0);
    CHECK_EQ(lane_rig_2("szext.wrap.s32", 0xff8, 36), 0xfffffff8);
    CHECK_EQ(lane_rig_2("szext.wrap.u32", 0xff8, 32), 0);
    lane_rig_sweep("bmsk.clamp.b32", 6);
    lane_rig_sweep("bmsk.wrap.b32", 6);
}

static int64_t field(uint64_t x, int at, int bits, bool is_signed)
{
    return (int64_t)extracted(u32(x), (uint64_t)at, (uint64_t)bits, 64, false) -
           (is_signed && x >> (at + bits - 1) & 1 ? 1 << bits : 0);
}

static int64_t dot4(uint64_t a, uint64_t b, bool sa, bool sb)
{
    int64_t sum = 0;
    for (int k = 0; k < 32; k += 8)
        sum += field(a, k, 8, sa) * field(b, k, 8, sb);
    return sum;
}

static int64_t dot2(uint64_t a, uint64_t b, bool sa, bool sb)
{
    return field(a, 0, 16, sa) * field(b, 0, 8, sb) + field(a, 16, 16, sa) * field(b, 8, 8, sb);
}

static void dot_products_of_all_signs(void)
{
    LANE_RIG_EXPECT("dp4a.s32.s32", (uint64_t)dot4(a, b, true, true) + c);
    LANE_RIG_EXPECT("dp4a.s32.u32", (uint64_t)dot4(a, b, true, false) + c);
    LANE_RIG_EXPECT("dp4a.u32.s32", (uint64_t)dot4(a, b, false, true) + c);
    LANE_RIG_EXPECT("dp4a.u32.u32", (uint64_t)dot4(a, b, false, false) + c);
    LANE_RIG_EXPECT("dp2a.lo.s32.s32", (uint64_t)dot2(a, b, true, true) + c);
    LANE_RIG_EXPECT("dp2a.lo.s32.u32", (uint64_t)dot2(a, b, true, false) + c);
    LANE_RIG_EXPECT("dp2a.lo.u32.s32", (uint64_t)dot2(a, b, false, true) + c);
    LANE_RIG_EXPECT("dp2a.lo.u32.u32", (uint64_t)dot2(a, b, false, false) + c);
    LANE_RIG_EXPECT("dp2a.hi.s32.s32", (uint64_t)dot2(a, u32(b) >> 16, true, true) + c);
    LANE_RIG_EXPECT("dp2a.hi.s32.u32", (uint64_t)dot2(a, u32(b) >> 16, true, false) + c);
    LANE_RIG_EXPECT("dp2a.hi.u32.s32", (uint64_t)dot2(a, u32(b) >> 16, false, true) + c);
    LANE_RIG_EXPECT("dp2a.hi.u32.u32", (uint64_t)dot2(a, u32(b) >> 16, false, false) + c);
}

CHECK_MAIN("lanes_int", TEST(sums_and_differences_wrap), TEST(saturation_stops_at_the_ends),
           TEST(products_have_low_high_and_wide_forms), TEST(products_are_summed),
           TEST(the_carry_is_written_by_cc_and_taken_by_c), TEST(mad_has_carry_forms),
           TEST(division_truncates_and_never_traps), TEST(quotients_near_an_integer_are_exact),
           TEST(absolute_values_minima_and_maxima), TEST(differences_are_summed),
           TEST(bits_are_counted_and_found), TEST(the_nth_set_bit_is_found),
           TEST(bit_fields_are_extracted_and_inserted), TEST(masks_and_extensions_clamp_or_wrap),
           TEST(dot_products_of_all_signs))
