/* Copies, parameters and conversions vanish; so does what nobody needs. */
#include "check.h"
#include "rig/asm_rig.h"

static void copies_vanish(void)
{
    CHECK_SLOTS("mov.u32 %a1, %i; mov.u32 %a2, %a1; st.global.u32 [%at], %a2;", "tx");
    CHECK_SLOTS("mov.u64 %d1, %at; cvta.to.global.u64 %d2, %d1; "
                "st.global.u32 [%d2], %i;",
                "tx");
}

static void a_copy_of_what_changes_does_not(void)
{
    /* %a2 is the old %a1 when the new one is there. */
    CHECK_SLOTS("mov.u32 %a1, %i; L: mov.u32 %a2, %a1; add.s32 %a1, %a1, 1;\n"
                "st.global.u32 [%at], %a2; setp.lt.u32 %p1, %a1, 9; @%p1 bra L;",
                " ritij x");
}

static void parameters_and_sizes_of_the_grid_are_operands(void)
{
    CHECK_SLOTS("add.s32 %a1, %i, %n; st.global.u32 [%at], %a1;", "itx");
    CHECK_SLOTS("mov.u32 %a1, %ntid.x; add.s32 %a2, %i, %a1; "
                "st.global.u32 [%at], %a2;",
                "itx");
}

static void special_registers_are_read_by_an_instruction(void)
{
    CHECK_SLOTS("mov.u32 %a1, %ctaid.x; st.global.u32 [%at], %a1;", "stx");
}

static void halves_of_a_register_are_registers(void)
{
    CHECK_SLOTS("ld.global.u64 %d1, [%at]; mov.b64 {%a1, %a2}, %d1; "
                "add.s32 %a3, %a1, %a2; st.global.u32 [%at], %a3;",
                "gitx");
    CHECK_SLOTS("ld.global.u64 %d1, [%at]; cvt.u32.u64 %a1, %d1; "
                "st.global.u32 [%at], %a1;",
                "gtx");
}

static void the_upper_half_that_nobody_wants_is_not_computed(void)
{
    const char *make = "ld.global.u64 %d1, [%at]; add.s64 %d2, %d1, %d1; ";
    struct arena *a = arena_new();
    CHECK_SLOTS(arena_printf(a, "%sst.global.u64 [%%at], %%d2;", make), "giitx");
    CHECK_SLOTS(arena_printf(a, "%sst.shared.u32 [%%d2], %%i;", make), "gitx");
    CHECK_SLOTS(arena_printf(a,
                             "%scvt.u32.u64 %%a1, %%d2; "
                             "st.global.u32 [%%at], %%a1;",
                             make),
                "gitx");
    arena_free(a);
}

static void indices_are_extended_where_they_are_added(void)
{
    CHECK_SLOTS("ld.global.u32 %a1, [%at]; cvt.s64.s32 %d1, %a1; "
                "add.s64 %d2, %at, %d1; st.global.u32 [%d2], %i;",
                "giitx");
    CHECK_SLOTS("ld.global.u32 %a1, [%at]; cvt.u64.u32 %d1, %a1; "
                "st.global.u64 [%at], %d1;",
                "gtx");
    CHECK_SLOTS("ld.global.u32 %a1, [%at]; cvt.s64.s32 %d1, %a1; "
                "st.global.u64 [%at], %d1;",
                "gitx");
}

static void what_nobody_needs_is_gone(void)
{
    CHECK_SLOTS("add.s32 %a1, %i, 1; mul.lo.s32 %a2, %a1, %a1; "
                "st.global.u32 [%at], %i;",
                "tx");
    /* ... but what has effects, or a payload, stays. */
    CHECK_SLOTS("ld.global.u32 %a1, [%at]; atom.global.add.u32 %a2, [%at], 1; "
                "st.global.u32 [%at], %i;",
                "gratx");
}

static void a_value_made_of_itself_stands_for_nothing(void)
{
    /* Nobody writes it, but it can be written: what is never set has some value. */
    CHECK_SLOTS("mov.u32 %a1, %a1; mov.u32 %a2, %a3; mov.u32 %a3, %a2; neg.f32 %f1, %f1;\n"
                "add.s64 %d1, %d1, 0; add.s64 %d2, %d3, 4; add.s64 %d3, %d2, -4;\n"
                "add.rn.f32 %f2, %f1, %f1; st.global.f32 [%at], %f2;\n"
                "st.global.u32 [%d1], %a1; st.global.u32 [%d2], %a2; st.global.u32 [%d3], %a3;",
                "iiiiffttttx");
}

CHECK_MAIN("assemble_values", TEST(copies_vanish), TEST(a_copy_of_what_changes_does_not),
           TEST(parameters_and_sizes_of_the_grid_are_operands),
           TEST(special_registers_are_read_by_an_instruction),
           TEST(halves_of_a_register_are_registers),
           TEST(the_upper_half_that_nobody_wants_is_not_computed),
           TEST(indices_are_extended_where_they_are_added), TEST(what_nobody_needs_is_gone),
           TEST(a_value_made_of_itself_stands_for_nothing))
