/* Constants that must come to registers, once and outside of loops. */
#include "check.h"
#include "rig/asm_rig.h"

static void one_constant_is_an_operand_and_a_second_is_moved(void)
{
    CHECK_SLOTS("add.s32 %a1, %i, 7; st.global.u32 [%at], %a1;", "itx");
    CHECK_SLOTS("mad.lo.s32 %a1, %i, 7, 5; st.global.u32 [%at], %a1;", "rmtx");
    CHECK_SLOTS("mad.lo.s32 %a1, %i, 7, 0; st.global.u32 [%at], %a1;", "mtx");
}

static void what_is_stored_is_a_register(void)
{
    CHECK_SLOTS("mov.u32 %a1, 7; st.global.u32 [%at], %a1; "
                "st.global.u32 [%at+4], %a1;",
                "rttx");
    CHECK_SLOTS("mov.u32 %a1, 0; st.global.u32 [%at], %a1;", "tx");
    CHECK_SLOTS("st.global.u32 [%at], %n;", "rtx");
}

static void an_address_in_global_memory_is_two(void)
{
    CHECK_SLOTS("st.global.u32 [%at], %i; st.global.u32 [%buf], %i; "
                "st.global.u32 [%buf+4], %i;",
                "trrttx");
    CHECK_SLOTS("st.global.u32 [%at], %i; st.shared.u32 [s], %i;", "ttx");
}

static void a_constant_of_a_loop_is_moved_before_it(void)
{
    CHECK_SLOTS("mov.u32 %a1, 0; L: mov.u32 %a2, 7; st.global.u32 [%at], %a2;\n"
                "add.s32 %a1, %a1, 1; setp.lt.u32 %p1, %a1, %n; @%p1 bra L;",
                "rr tiij x");
}

CHECK_MAIN("assemble_constants", TEST(one_constant_is_an_operand_and_a_second_is_moved),
           TEST(what_is_stored_is_a_register), TEST(an_address_in_global_memory_is_two),
           TEST(a_constant_of_a_loop_is_moved_before_it))
