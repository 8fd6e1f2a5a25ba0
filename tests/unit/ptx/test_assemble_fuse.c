/* Instructions of PTX that are one in hardware. */
#include "check.h"
#include "rig/asm_rig.h"

#define LOADS "ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4]; "
#define FLOATS "ld.global.f32 %f1, [%at]; ld.global.f32 %f2, [%at+4]; "
#define STORE " st.global.u32 [%at], %a9;"
#define STORE_F " st.global.f32 [%at], %f9;"

static void offsets_are_part_of_addresses(void)
{
    CHECK_SLOTS("add.s64 %d1, %at, 64; st.global.u32 [%d1], %i; "
                "add.s64 %d2, %d1, -8; st.global.u32 [%d2+4], %i;",
                "ttx");
    /* 24 bits, with a sign */
    CHECK_SLOTS("add.s64 %d1, %at, 8388607; st.global.u8 [%d1], %i;", "tx");
    CHECK_SLOTS("add.s64 %d1, %at, 8388608; st.global.u8 [%d1], %i;", "iitx");
}

static void variables_at_the_same_place_of_several_arrays_have_one_address(void)
{
    CHECK_SLOTS("mul.wide.u32 %d1, %i, 4; mov.u64 %d2, s; mov.u64 %d3, t; "
                "add.s64 %d4, %d2, %d1; add.s64 %d5, %d3, %d1;\n"
                "st.shared.u32 [%d4], %i; st.shared.u32 [%d5], %i; st.global.u32 [%at], "
                "%i;",
                "mtttx");
}

static void a_scaled_index_is_added_at_once(void)
{
    CHECK_SLOTS(LOADS "mul.wide.s32 %d1, %a1, 16; add.s64 %d2, %at, %d1; "
                      "st.global.u32 [%d2], %i;",
                "ggmtx");
    CHECK_SLOTS(LOADS "cvt.s64.s32 %d0, %a1; shl.b64 %d1, %d0, 4; "
                      "add.s64 %d2, %at, %d1; st.global.u32 [%d2], %i;",
                "ggmtx");
    /* In several sums, each time. */
    CHECK_SLOTS(LOADS "mul.wide.s32 %d1, %a1, 16; add.s64 %d2, %at, %d1; "
                      "ld.global.u64 %d4, [%at+8]; add.s64 %d3, %d4, %d1; "
                      "st.global.u32 [%d2], %i; st.global.u32 [%d3], %i;",
                "ggmgmttx");
    /* Where the product itself is wanted, it is there. */
    CHECK_SLOTS(LOADS "mul.wide.s32 %d1, %a1, 16; add.s64 %d2, %at, %d1; "
                      "st.global.u64 [%d2], %d1;",
                "ggmiitx");
}

static void products_and_sums_of_integers_are_one(void)
{
    CHECK_SLOTS(LOADS "mul.lo.s32 %a3, %a1, %a2; add.s32 %a9, %a3, %i;" STORE, "ggmtx");
    CHECK_SLOTS(LOADS "shl.b32 %a3, %a1, 3; add.s32 %a9, %a3, %a2;" STORE, "ggitx");
}

static void floats_are_fused_only_where_nothing_is_rounded_between(void)
{
    CHECK_SLOTS(FLOATS "mul.f32 %f3, %f1, %f2; add.f32 %f9, %f3, %f1;" STORE_F, "ggftx");
    CHECK_SLOTS(FLOATS "mul.rn.f32 %f3, %f1, %f2; add.rn.f32 %f9, %f3, %f1;" STORE_F, "ggfftx");
    CHECK_SLOTS(FLOATS "mul.f32 %f3, %f1, %f2; add.rn.f32 %f9, %f3, %f1;" STORE_F, "ggfftx");
}

static void sums_and_logic_have_three_operands(void)
{
    CHECK_SLOTS(LOADS "add.s32 %a3, %a1, %a2; add.s32 %a9, %a3, %i;" STORE, "ggitx");
    CHECK_SLOTS(LOADS "and.b32 %a3, %a1, %a2; xor.b32 %a9, %a3, %i;" STORE, "ggitx");
    CHECK_SLOTS(LOADS "and.b32 %a3, %a1, 15; xor.b32 %a9, %a3, 3;" STORE,
                "ggiitx"); /* two constants */
    CHECK_SLOTS(LOADS "add.s32 %a3, %a1, %a2; xor.b32 %a9, %a3, %i;" STORE, "ggiitx");
    CHECK_SLOTS(LOADS "add.s32 %a3, %a1, %a2; add.s32 %a9, %a3, %i; "
                      "st.global.u32 [%at+8], %a3;" STORE,
                "ggiittx"); /* wanted by itself as well */
}

static void two_shifts_of_32_bits_together_are_one(void)
{
    CHECK_SLOTS(LOADS "shl.b32 %a3, %a1, 5; shr.u32 %a4, %a2, 27; "
                      "or.b32 %a9, %a3, %a4;" STORE,
                "ggitx");
    CHECK_SLOTS(LOADS "shl.b32 %a3, %a1, 5; shr.u32 %a4, %a2, 26; "
                      "or.b32 %a9, %a3, %a4;" STORE,
                "ggiiitx");
}

static void comparisons_take_predicates_in(void)
{
    CHECK_SLOTS(LOADS "setp.lt.s32 %p1, %a1, %a2; setp.gt.s32 %p2, %a1, 7; "
                      "and.pred %p3, %p1, %p2; selp.b32 %a9, %a1, %a2, %p3;" STORE,
                "ggiiitx");
    CHECK_SLOTS(LOADS "setp.lt.s32 %p1, %a1, %a2; not.pred %p2, %p1; "
                      "selp.b32 %a9, %a1, %a2, %p2;" STORE,
                "ggiitx");
    CHECK_SLOTS(LOADS "and.b32 %a3, %a1, %a2; setp.ne.s32 %p1, %a3, 0; "
                      "selp.b32 %a9, %a1, %a2, %p1;" STORE,
                "ggiitx");
}

static void signs_of_floats_are_part_of_operands(void)
{
    CHECK_SLOTS(FLOATS "neg.f32 %f3, %f1; abs.f32 %f4, %f2; "
                       "fma.rn.f32 %f9, %f3, %f4, %f1;" STORE_F,
                "ggftx");
    CHECK_SLOTS(FLOATS "neg.f32 %f9, %f1;" STORE_F, "ggftx");
}

static void a_value_that_changes_in_between_is_not_taken_later(void)
{
    /* %a3 is a product of the old %a1. */
    CHECK_SLOTS(LOADS "mul.lo.s32 %a3, %a1, %a2; ld.global.u32 %a1, [%at+8]; "
                      "add.s32 %a9, %a3, %a1;" STORE,
                "ggmgitx");
}

CHECK_MAIN("assemble_fuse", TEST(offsets_are_part_of_addresses),
           TEST(variables_at_the_same_place_of_several_arrays_have_one_address),
           TEST(a_scaled_index_is_added_at_once), TEST(products_and_sums_of_integers_are_one),
           TEST(floats_are_fused_only_where_nothing_is_rounded_between),
           TEST(sums_and_logic_have_three_operands), TEST(two_shifts_of_32_bits_together_are_one),
           TEST(comparisons_take_predicates_in), TEST(signs_of_floats_are_part_of_operands),
           TEST(a_value_that_changes_in_between_is_not_taken_later))
