/* How many loops are around a block, seen in where constants are moved: in front of all of them. */
#include "check.h"
#include "rig/asm_rig.h"

#define COUNT(r, label) "add.s32 " r ", " r ", 1; setp.lt.u32 %p1, " r ", %n; @%p1 bra " label ";\n"

static void nested_loops_are_left_one_after_another(void)
{
    CHECK_SLOTS("mov.u32 %a1, %i; L: mov.u32 %a2, %a1;\n"
                "M: st.global.u32 [%at], 7;\n" COUNT("%a2", "M") COUNT("%a1", "L"),
                "r rjj tiij jiij x");
}

static void what_is_in_no_loop_stays_where_it_is(void)
{
    CHECK_SLOTS("mov.u32 %a1, %i; L: " COUNT("%a1", "L") "st.global.u32 [%at], 7;", "jj iij jrtx");
}

CHECK_MAIN("assemble_loops", TEST(nested_loops_are_left_one_after_another),
           TEST(what_is_in_no_loop_stays_where_it_is))
