/* Registers of the assembled view: what waits for what. */
#include "check.h"
#include "rig/asm_rig.h"

#define HEAD "rsrm" /* the stack pointer, then the number of the thread, which takes longest */

static bool reads(const struct stream_insn *i, uint16_t reg)
{
    for (int s = 0; s < 6; s++)
        if (i->src[s] == reg)
            return true;
    return false;
}

/* The instruction at a place behind the head. */
static const struct stream_insn *at(const struct asm_rig *r, uint32_t k)
{
    return &r->code->assembled.insns[sizeof HEAD - 1 + k];
}

static void slots_of_a_sequence_wait_for_each_other(void)
{
    struct asm_rig r = asm_rig_new("ld.global.f32 %f1, [%at]; ex2.approx.f32 %f2, %f1; "
                                   "st.global.f32 [%at], %f2;");
    CHECK_STR(asm_rig_slots(&r), HEAD "gcfsftx");
    for (uint32_t k = 2; k <= 4; k++) {
        CHECK_EQ(at(&r, k)->dst[0], at(&r, 1)->dst[0]);
        CHECK(reads(at(&r, k), at(&r, 1)->dst[0]));
    }
    CHECK(reads(at(&r, 1), at(&r, 0)->dst[0]));
    CHECK(reads(at(&r, 5), at(&r, 4)->dst[0]));
    asm_rig_free(&r);
}

static void halves_are_words_and_carry(void)
{
    struct asm_rig r = asm_rig_new("ld.global.u64 %d1, [%at]; add.s64 %d2, %d1, %d1; "
                                   "and.b64 %d3, %d2, %d1; st.global.u64 [%at], %d3;");
    CHECK_STR(asm_rig_slots(&r), HEAD "giiiitx");
    uint16_t loaded = at(&r, 0)->dst[0], sum = at(&r, 1)->dst[0], both = at(&r, 3)->dst[0];
    CHECK(loaded & REG_WIDE);
    CHECK(!(sum & REG_WIDE));
    CHECK_EQ(at(&r, 2)->dst[0], sum + 1);
    uint16_t low = (uint16_t)(loaded - REG_WIDE);
    CHECK(reads(at(&r, 1), low));
    CHECK(reads(at(&r, 2), (uint16_t)(low + 1)));
    CHECK(reads(at(&r, 2), sum)); /* the carry */
    CHECK_EQ(at(&r, 4)->dst[0], both + 1);
    CHECK(!reads(at(&r, 4), both)); /* logic has none */
    CHECK(reads(at(&r, 5), both | REG_WIDE));
    asm_rig_free(&r);
}

static void a_fused_instruction_reads_what_both_read(void)
{
    struct asm_rig r = asm_rig_new("ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4]; "
                                   "mul.lo.s32 %a3, %a1, %a2; add.s32 %a4, %a3, %i; "
                                   "st.global.u32 [%at], %a4;");
    CHECK_STR(asm_rig_slots(&r), HEAD "ggmtx");
    CHECK(reads(at(&r, 2), at(&r, 0)->dst[0]));
    CHECK(reads(at(&r, 2), at(&r, 1)->dst[0]));
    CHECK(reads(at(&r, 2), r.code->assembled.insns[1].dst[0])); /* the thread's number */
    asm_rig_free(&r);
}

static void lines_are_those_of_the_ptx(void)
{
    struct asm_rig r = asm_rig_new("\n\nadd.s32 %a1, %i, 1;\nst.global.u32 [%at], %a1;");
    CHECK_EQ(at(&r, 1)->line, at(&r, 0)->line + 1);
    asm_rig_free(&r);
}

CHECK_MAIN("assemble_emit", TEST(slots_of_a_sequence_wait_for_each_other),
           TEST(halves_are_words_and_carry), TEST(a_fused_instruction_reads_what_both_read),
           TEST(lines_are_those_of_the_ptx))
