#include "check.h"

#include "rig/lane_rig.h"

static void registers_are_copied(void)
{
    static const char *const opcodes[] = {"mov.b16", "mov.u16", "mov.s16", "mov.b32",
                                          "mov.u32", "mov.s32", "mov.f32", "mov.b64",
                                          "mov.u64", "mov.s64", "mov.f64"};
    for (size_t k = 0; k < sizeof opcodes / sizeof opcodes[0]; k++)
        LANE_RIG_EXPECT(opcodes[k], a);
    LANE_RIG_EXPECT("mov.pred", a & 1);
}

static void vectors_are_packed(void)
{
    LANE_RIG_EXPECT("pack2.b32", (a & 0xffff) | b << 16);
    LANE_RIG_EXPECT("pack2.b64", (uint32_t)a | b << 32);
    LANE_RIG_EXPECT("pack4.b64", (a & 0xffff) | (b & 0xffff) << 16 | (c & 0xffff) << 32 | d << 48);
}

static void vectors_are_unpacked(void)
{
    static const struct {
        const char *opcode;
        int parts, bits;
    } forms[] = {{"unpack2.b32", 2, 16}, {"unpack2.b64", 2, 32}, {"unpack4.b64", 4, 16}};
    for (int f = 0; f < 3; f++)
        for (int round = 0; round < 10; round++) {
            struct lane_rig_round r;
            lane_rig_begin(&r, forms[f].opcode, round);
            for (int l = 0; l < WARP_LANES; l++)
                for (int k = 0; k < forms[f].parts; k++)
                    if (r.exec >> l & 1)
                        CHECK_EQ(r.rig.dst[k][l], r.src[0][l] >> (k * forms[f].bits) &
                                                      ((1ull << forms[f].bits) - 1));
        }
}

static void sixty_four_bit_registers_have_halves(void)
{
    LANE_RIG_EXPECT("narrow.b32", a);
    LANE_RIG_EXPECT("widen.u64", (uint32_t)a);
    LANE_RIG_EXPECT("widen.s64", (int64_t)(int32_t)a);
}

static void the_clock_counts_instructions(void)
{
    struct lane_rig r = {.executed = 0x123456789a};
    uint64_t src[LANE_RIG_SOURCES][WARP_LANES] = {{0}};
    lane_rig_run(&r, "clock.u64", (const uint64_t(*)[WARP_LANES])src, 0xff);
    CHECK_EQ(r.dst[0][3], 0x123456789a);
    lane_rig_run(&r, "clock.u32", (const uint64_t(*)[WARP_LANES])src, UINT32_MAX);
    CHECK_EQ(r.dst[0][31], 0x3456789a);
}

CHECK_MAIN("lanes_move", TEST(registers_are_copied), TEST(vectors_are_packed),
           TEST(vectors_are_unpacked), TEST(sixty_four_bit_registers_have_halves),
           TEST(the_clock_counts_instructions))
