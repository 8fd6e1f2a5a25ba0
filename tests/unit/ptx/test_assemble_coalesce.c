/* Copies between registers that can be one. */
#include "check.h"
#include "rig/asm_rig.h"

static void the_value_of_a_loop_is_one_register(void)
{
    CHECK_SLOTS("mov.u32 %a1, %i; L: add.s32 %a2, %a1, 3; mov.u32 %a1, %a2;\n"
                "st.global.u32 [%at], %a1; setp.lt.u32 %p1, %a1, 99; @%p1 bra L;",
                " itij x");
}

static void two_values_that_are_needed_at_once_are_two(void)
{
    /* The old and the new one, in a sum and by itself. */
    CHECK_SLOTS("mov.u32 %a1, %i; L: add.s32 %a2, %a1, 3;\n"
                "st.global.u32 [%at], %a2; setp.lt.u32 %p1, %a2, 99;\n"
                "atom.global.add.u32 %a3, [%at], %a1; add.s32 %a4, %a2, %a1;\n"
                "mov.u32 %a1, %a2; st.global.u32 [%at], %a4; @%p1 bra L;",
                " itiamrtj x");
    CHECK_SLOTS("mov.u32 %a1, %i; L: add.s32 %a2, %a1, 3; mov.u32 %a5, %a1;\n"
                "mov.u32 %a1, %a2; st.global.u32 [%at], %a5;\n"
                "setp.lt.u32 %p1, %a1, 99; @%p1 bra L;",
                " irrtij x");
}

CHECK_MAIN("assemble_coalesce", TEST(the_value_of_a_loop_is_one_register),
           TEST(two_values_that_are_needed_at_once_are_two))
