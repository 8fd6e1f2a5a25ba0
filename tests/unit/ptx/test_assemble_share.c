/* What is computed twice is computed once, where the first time is on every way to the second. */
#include "check.h"
#include "rig/asm_rig.h"

static void the_same_of_the_same_is_shared(void)
{
    CHECK_SLOTS("add.s32 %a1, %i, 5; add.s32 %a2, %i, 5; "
                "st.global.u32 [%at], %a1; st.global.u32 [%at+4], %a2;",
                "ittx");
    CHECK_SLOTS("mov.u32 %a1, %ctaid.x; mov.u32 %a2, %ctaid.x; "
                "st.global.u32 [%at], %a1; st.global.u32 [%at+4], %a2;",
                "sttx");
}

static void the_order_of_a_sum_does_not_matter(void)
{
    CHECK_SLOTS("ld.global.u32 %a0, [%at]; add.s32 %a1, %i, %a0; "
                "add.s32 %a2, %a0, %i; sub.s32 %a3, %i, %a0; sub.s32 %a4, %a0, %i;"
                "st.global.v4.u32 [%at], {%a1, %a2, %a3, %a4};",
                "giimtx");
}

static void other_operations_and_operands_are_not_shared(void)
{
    CHECK_SLOTS("add.s32 %a1, %i, 5; add.s32 %a2, %i, 6; sub.s32 %a3, %i, 5; "
                "st.global.v2.u32 [%at], {%a1, %a2}; st.global.u32 [%at+8], %a3;",
                "iimttx");
}

static void a_block_on_the_way_shares_and_one_beside_does_not(void)
{
    CHECK_SLOTS("ld.global.u32 %a0, [%at]; setp.gt.u32 %p1, %a0, 5;\n"
                "add.s32 %a1, %i, 5; st.global.u32 [%at], %a1; @%p1 bra L;\n"
                "add.s32 %a2, %i, 5; atom.global.add.u32 %a3, [%at], %a2; L:",
                "giitj a x");
    CHECK_SLOTS("ld.global.u32 %a0, [%at]; setp.gt.u32 %p1, %a0, 5; @%p1 bra L;\n"
                "add.s32 %a1, %i, 5; atom.global.add.u32 %a3, [%at], %a1; L:\n"
                "add.s32 %a2, %i, 5; st.global.u32 [%at], %a2;",
                "gijjj ia jitx");
}

CHECK_MAIN("assemble_share", TEST(the_same_of_the_same_is_shared),
           TEST(the_order_of_a_sum_does_not_matter),
           TEST(other_operations_and_operands_are_not_shared),
           TEST(a_block_on_the_way_shares_and_one_beside_does_not))
