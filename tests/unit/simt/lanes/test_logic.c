#include "check.h"

#include "rig/lane_rig.h"

#define u32(x) ((uint64_t)(uint32_t)(x))

static void bitwise_operations(void)
{
    LANE_RIG_EXPECT("and.b16", a & b);
    LANE_RIG_EXPECT("and.b32", a & b);
    LANE_RIG_EXPECT("and.b64", a & b);
    LANE_RIG_EXPECT("or.b16", a | b);
    LANE_RIG_EXPECT("or.b32", a | b);
    LANE_RIG_EXPECT("or.b64", a | b);
    LANE_RIG_EXPECT("xor.b16", a ^ b);
    LANE_RIG_EXPECT("xor.b32", a ^ b);
    LANE_RIG_EXPECT("xor.b64", a ^ b);
    LANE_RIG_EXPECT("not.b16", ~a);
    LANE_RIG_EXPECT("not.b32", ~a);
    LANE_RIG_EXPECT("not.b64", ~a);
    LANE_RIG_EXPECT("cnot.b16", (uint16_t)a == 0);
    LANE_RIG_EXPECT("cnot.b32", (uint32_t)a == 0);
    LANE_RIG_EXPECT("cnot.b64", a == 0);
    CHECK_EQ(lane_rig_1("cnot.b16", 0x10000), 1);
}

static void predicates_are_combined(void)
{
    LANE_RIG_EXPECT("and.pred", a & b & 1);
    LANE_RIG_EXPECT("or.pred", (a | b) & 1);
    LANE_RIG_EXPECT("xor.pred", (a ^ b) & 1);
    LANE_RIG_EXPECT("not.pred", ~a & 1);
}

static uint64_t looked_up(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
    uint64_t r = 0;
    for (int k = 0; k < 32; k++)
        r |= (table >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1) << k;
    return r;
}

static void lop3_is_a_table_of_three_bits(void)
{
    const uint64_t x = 0xf0f0f0f0, y = 0xcccccccc, z = 0xaaaaaaaa;
    for (uint64_t table = 0; table < 256; table++)
        CHECK_EQ(lane_rig_4("lop3.b32", x, y, z, table), looked_up(x, y, z, table));
    CHECK_EQ(lane_rig_4("lop3.b32", x, y, z, 0x96), x ^ y ^ z);
    LANE_RIG_EXPECT("lop3.b32", looked_up(a, b, c, at_.src[3][0] & 255));
}

static void lop3_may_write_a_predicate(void)
{
    for (int round = 0; round < 10; round++) {
        struct lane_rig_round r[2];
        lane_rig_begin(&r[0], "lop3.and.b32", round);
        lane_rig_begin(&r[1], "lop3.or.b32", round);
        for (int l = 0; l < WARP_LANES; l++) {
            uint64_t value =
                looked_up(r[0].src[0][l], r[0].src[1][l], r[0].src[2][l], r[0].src[3][0] & 255);
            uint64_t given = r[0].src[4][l] & 1;
            if (!(r[0].exec >> l & 1))
                continue;
            CHECK_EQ(r[0].rig.dst[0][l], value);
            CHECK_EQ(r[0].rig.pred[0] >> l & 1, value != 0 && given);
            CHECK_EQ(r[1].rig.pred[0] >> l & 1, value != 0 || given);
        }
    }
}

static void shifts_by_the_width_or_more_leave_nothing_but_the_sign(void)
{
#define LEFT(bits) (u32(b) >= bits ? 0 : a << u32(b))
#define RIGHT(T, bits) ((T)a >> (u32(b) >= bits ? bits - 1 : u32(b)))
#define RIGHT_U(T, bits) (u32(b) >= bits ? 0 : (T)a >> u32(b))
    LANE_RIG_EXPECT("shl.b16", LEFT(16));
    LANE_RIG_EXPECT("shl.b32", LEFT(32));
    LANE_RIG_EXPECT("shl.b64", LEFT(64));
    LANE_RIG_EXPECT("shr.u16", RIGHT_U(uint16_t, 16));
    LANE_RIG_EXPECT("shr.u32", RIGHT_U(uint32_t, 32));
    LANE_RIG_EXPECT("shr.u64", RIGHT_U(uint64_t, 64));
    LANE_RIG_EXPECT("shr.b16", RIGHT_U(uint16_t, 16));
    LANE_RIG_EXPECT("shr.b32", RIGHT_U(uint32_t, 32));
    LANE_RIG_EXPECT("shr.b64", RIGHT_U(uint64_t, 64));
    LANE_RIG_EXPECT("shr.s16", RIGHT(int16_t, 16));
    LANE_RIG_EXPECT("shr.s32", RIGHT(int32_t, 32));
    LANE_RIG_EXPECT("shr.s64", RIGHT(int64_t, 64));
    for (uint64_t by = 0; by < 70; by++) {
        const uint64_t x = 0x89abcdef87654321;
        CHECK_EQ(lane_rig_2("shl.b16", x, by), by > 15 ? 0 : x << by & 0xffff);
        CHECK_EQ(lane_rig_2("shl.b32", x, by), by > 31 ? 0 : u32(x << by));
        CHECK_EQ(lane_rig_2("shr.s32", x, by), u32((int32_t)x >> (by > 31 ? 31 : by)));
        CHECK_EQ(lane_rig_2("shr.s16", x | 0x8000, by),
                 ((int16_t)(x | 0x8000) >> (by > 15 ? 15 : by)) & 0xffff);
        CHECK(lane_rig_2("shr.s64", x, by) == (uint64_t)((int64_t)x >> (by > 63 ? 63 : by)));
    }
}

static void funnel_shifts_take_their_bits_from_both(void)
{
#define BOTH (u32(b) << 32 | u32(a))
    for (uint64_t by = 0; by < 70; by++) {
        const uint64_t a = 0x12345678, b = 0x9abcdef0;
        uint64_t clamped = by > 32 ? 32 : by, wrapped = by & 31;
        CHECK_EQ(lane_rig_3("shf.l.wrap.b32", a, b, by), BOTH << wrapped >> 32);
        CHECK_EQ(lane_rig_3("shf.r.wrap.b32", a, b, by), u32(BOTH >> wrapped));
        CHECK_EQ(lane_rig_3("shf.l.clamp.b32", a, b, by), BOTH << clamped >> 32);
        CHECK_EQ(lane_rig_3("shf.r.clamp.b32", a, b, by), u32(BOTH >> clamped));
    }
    LANE_RIG_EXPECT("shf.l.wrap.b32", BOTH << (c & 31) >> 32);
    LANE_RIG_EXPECT("shf.r.clamp.b32", BOTH >> (u32(c) > 32 ? 32 : u32(c)));
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t selectors)
{
    uint64_t r = 0;
    for (int k = 0; k < 4; k++) {
        uint64_t s = selectors >> (4 * k) & 15;
        uint64_t byte = (u32(b) << 32 | u32(a)) >> (8 * (s & 7)) & 255;
        r |= (s & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * k);
    }
    return r;
}

static void bytes_are_permuted(void)
{
    LANE_RIG_EXPECT("prmt.b32", permuted(a, b, c));
    const uint64_t x = 0x83828180, y = 0x07060504;
    CHECK_EQ(lane_rig_3("prmt.b32", x, y, 0x7531), 0x07058381);
    CHECK_EQ(lane_rig_3("prmt.b32", x, y, 0xf9b8), 0x00ffffff);
    static const struct {
        const char *opcode;
        uint64_t list[4];
    } modes[] = {
        {"prmt.b32.f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
        {"prmt.b32.b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"prmt.b32.rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
        {"prmt.b32.ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"prmt.b32.ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
        {"prmt.b32.rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
    };
    for (int m = 0; m < 6; m++)
        for (uint64_t k = 0; k < 8; k++)
            CHECK_EQ(lane_rig_3(modes[m].opcode, x, y, k), permuted(x, y, modes[m].list[k & 3]));
}

CHECK_MAIN("lanes_logic", TEST(bitwise_operations), TEST(predicates_are_combined),
           TEST(lop3_is_a_table_of_three_bits), TEST(lop3_may_write_a_predicate),
           TEST(shifts_by_the_width_or_more_leave_nothing_but_the_sign),
           TEST(funnel_shifts_take_their_bits_from_both), TEST(bytes_are_permuted))
