/* Sums and shifts on the multiply-add pipeline. */
#include "check.h"
#include "rig/asm_rig.h"

#define LOADS "ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4]; "
#define STORES                                                                                     \
    "st.global.v2.u32 [%at], {%a3, %a4}; st.global.v2.u32 [%at+8], {%a5, %a6}; "                   \
    "st.global.u32 [%at+16], %a7;"

static void sums_go_to_the_pipeline_that_has_less_to_do(void)
{
    /* One product in the head: the first two sums make it two to one, then they take turns. */
    CHECK_SLOTS(LOADS "add.s32 %a3, %a1, 1; add.s32 %a4, %a1, 2; add.s32 %a5, %a2, 3; "
                      "sub.s32 %a6, %a1, %a2; add.s32 %a7, %a1, %a2; " STORES,
                "ggiimimtttx");
    CHECK_SLOTS(LOADS "shl.b32 %a3, %a1, 1; shl.b32 %a4, %a1, 2; shl.b32 %a5, %a2, 3; "
                      "shl.b32 %a6, %a1, 4; shl.b32 %a7, %a1, 5; " STORES,
                "ggiimimtttx");
}

static void what_only_one_of_them_does_stays(void)
{
    CHECK_SLOTS(LOADS "xor.b32 %a3, %a1, 1; min.s32 %a4, %a1, 2; shl.b32 %a5, %a2, %a1; "
                      "shr.u32 %a6, %a1, %a2; and.b32 %a7, %a1, %a2; " STORES,
                "ggiiiiitttx");
    /* Three operands, and halves of 64 bits. */
    CHECK_SLOTS(LOADS
                "xor.b32 %a3, %a1, 1; xor.b32 %a4, %a1, 2; xor.b32 %a5, %a1, 3; "
                "add.s32 %a8, %a1, %a2; add.s32 %a6, %a8, %i; ld.global.u64 %d1, [%at+8]; "
                "add.s64 %d2, %d1, %d1; st.global.u64 [%at+24], %d2; mov.u32 %a7, %a1; " STORES,
                "ggiiiigiittttx");
}

static void floats_are_on_the_multiply_add_pipeline_too(void)
{
    CHECK_SLOTS(LOADS "ld.global.f32 %f1, [%at]; fma.rn.f32 %f2, %f1, %f1, %f1; "
                      "fma.rn.f32 %f3, %f2, %f1, %f1; st.global.v2.f32 [%at+24], {%f2, %f3};\n"
                      "add.s32 %a3, %a1, 1; add.s32 %a4, %a1, 2; mov.u32 %a5, %a1; mov.u32 %a6, "
                      "%a1; mov.u32 %a7, %a1; " STORES,
                "gggffiittttx");
}

CHECK_MAIN("assemble_balance", TEST(sums_go_to_the_pipeline_that_has_less_to_do),
           TEST(what_only_one_of_them_does_stays),
           TEST(floats_are_on_the_multiply_add_pipeline_too))
