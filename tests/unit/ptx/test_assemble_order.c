/* The order of instructions within a block. */
#include "check.h"
#include "rig/asm_rig.h"

/* The letters of the only block. */
static const char *order_of(struct asm_rig *r, const char *body)
{
    *r = asm_rig_new(body);
    return asm_rig_slots(r);
}

static void loads_go_ahead_of_what_uses_others(void)
{
    struct asm_rig r;
    CHECK_STR(order_of(&r, "ld.global.f32 %f1, [%at]; add.rn.f32 %f2, %f1, %f1;\n"
                           "ld.global.f32 %f3, [%at+4]; add.rn.f32 %f4, %f3, %f2;\n"
                           "st.global.f32 [%at], %f4;"),
              "srrmggfftx");
    asm_rig_free(&r);
}

static void accesses_keep_their_order(void)
{
    struct asm_rig r;
    CHECK_STR(order_of(&r, "ld.global.f32 %f1, [%at]; st.global.f32 [%at+8], %f1;\n"
                           "ld.global.f32 %f2, [%at+4]; st.shared.u32 [s], %i;\n"
                           "atom.global.add.u32 %a1, [%at], %i; st.global.f32 [%at+12], %f2;"),
              "srrmgtgtatx");
    asm_rig_free(&r);
}

static void what_depends_on_another_comes_behind_it(void)
{
    struct asm_rig r;
    /* The sum takes the old %a1: what writes it anew has to wait. */
    CHECK_STR(order_of(&r, "ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4];\n"
                           "mul.lo.s32 %a3, %a1, %a2; popc.b32 %a1, %a2; xor.b32 %a4, %a3, %a1;\n"
                           "st.global.u32 [%at], %a4;"),
              "srrmggmsitx");
    asm_rig_free(&r);
}

static void the_longest_way_goes_first(void)
{
    struct asm_rig r;
    CHECK_STR(order_of(&r, "ld.global.f32 %f1, [%at]; add.rn.f32 %f2, %f1, 0f40000000;\n"
                           "ex2.approx.ftz.f32 %f3, %f1; mul.rn.f32 %f4, %f2, %f3;\n"
                           "st.global.f32 [%at], %f4;"),
              "srrmgsfftx");
    asm_rig_free(&r);
}

CHECK_MAIN("assemble_order", TEST(loads_go_ahead_of_what_uses_others),
           TEST(accesses_keep_their_order), TEST(what_depends_on_another_comes_behind_it),
           TEST(the_longest_way_goes_first))
