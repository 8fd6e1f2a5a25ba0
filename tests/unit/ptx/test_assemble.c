/* What an assembler makes of PTX: long operations as sequences, and what both views have in common. */
#include "check.h"
#include "rig/asm_rig.h"

#include <string.h>

#define LOADS "ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4]; "
#define LONGS "ld.global.u64 %d1, [%at]; ld.global.u64 %d2, [%at+8]; "
#define FLOATS "ld.global.f32 %f1, [%at]; ld.global.f32 %f2, [%at+4]; "
#define DOUBLES "ld.global.f64 %g1, [%at]; ld.global.f64 %g2, [%at+8]; "

static void one_instruction_of_32_bits_is_one(void)
{
    static const struct {
        const char *body, *slots;
    } rows[] = {
        {LOADS "add.s32 %a3, %a1, %a2; st.global.u32 [%at], %a3;", "ggitx"},
        {LOADS "mul.lo.s32 %a3, %a1, %a2; st.global.u32 [%at], %a3;", "ggmtx"},
        {LOADS "mad.lo.s32 %a3, %a1, %a2, %a1; st.global.u32 [%at], %a3;", "ggmtx"},
        {FLOATS "fma.rn.f32 %f3, %f1, %f2, %f1; st.global.f32 [%at], %f3;", "ggftx"},
        {FLOATS "min.f32 %f3, %f1, %f2; st.global.f32 [%at], %f3;", "ggctx"},
        {DOUBLES "add.rn.f64 %g3, %g1, %g2; st.global.f64 [%at], %g3;", "ggdtx"},
        {FLOATS "cvt.rzi.s32.f32 %a3, %f1; st.global.u32 [%at], %a3;", "ggvtx"},
        {LOADS "popc.b32 %a3, %a1; st.global.u32 [%at], %a3;", "ggstx"},
        {LOADS "setp.lt.s32 %p1, %a1, %a2; selp.b32 %a3, %a1, %a2, %p1; st.global.u32 [%at], %a3;",
         "ggiitx"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_SLOTS(rows[i].body, rows[i].slots);
}

static void integers_of_64_bits_take_two_slots_or_more(void)
{
    CHECK_SLOTS(LONGS "add.s64 %d3, %d1, %d2; st.global.u64 [%at], %d3;", "ggiitx");
    CHECK_SLOTS(LONGS "and.b64 %d3, %d1, %d2; st.global.u64 [%at], %d3;", "ggiitx");
    CHECK_SLOTS(LONGS "mul.lo.s64 %d3, %d1, %d2; st.global.u64 [%at], %d3;", "ggmmmitx");
    CHECK_SLOTS(LONGS "setp.lt.s64 %p1, %d1, %d2; selp.b64 %d3, %d1, %d2, %p1; "
                      "st.global.u64 [%at], %d3;",
                "ggiiiitx");
}

static void divisions_and_functions_are_sequences(void)
{
    CHECK_SLOTS(LOADS "div.u32 %a3, %a1, %a2; st.global.u32 [%at], %a3;", "ggviisivrmmmimimiiiitx");
    CHECK_SLOTS(FLOATS "div.rn.f32 %f3, %f1, %f2; st.global.f32 [%at], %f3;", "ggjjscfffffjjtx");
    CHECK_SLOTS(FLOATS "div.approx.ftz.f32 %f3, %f1, %f2; st.global.f32 [%at], %f3;", "ggsftx");
    CHECK_SLOTS(FLOATS "sqrt.rn.f32 %f3, %f1; st.global.f32 [%at], %f3;", "ggjjisijffffjtx");
    CHECK_SLOTS(FLOATS "ex2.approx.f32 %f3, %f1; st.global.f32 [%at], %f3;", "ggcfsftx");
    CHECK_SLOTS(FLOATS "sin.approx.f32 %f3, %f1; st.global.f32 [%at], %f3;", "ggfstx");
    /* All lanes divide the same: nobody has to wait for others. */
    CHECK_SLOTS("cvt.rn.f32.u32 %f1, %n; div.rn.f32 %f3, %f1, 0f40400000; "
                "st.global.f32 [%at], %f3;",
                "vscfffffjtx");
}

static void a_field_of_bytes_is_one_permutation(void)
{
    CHECK_SLOTS(LOADS "bfe.u32 %a3, %a1, 8, 8; st.global.u32 [%at], %a3;", "ggitx");
    CHECK_SLOTS(LOADS "bfe.u32 %a3, %a1, 5, 8; st.global.u32 [%at], %a3;", "ggiitx");
}

/* --- what both views have in common -------------------------------------------------------------- */

enum { WITH_PAYLOAD = INSN_GUARDED | INSN_MEM | INSN_MULTI | INSN_BAR };

static uint32_t payloads(const struct stream_insn *insns, struct stream_block b,
                         const struct stream_insn **found)
{
    uint32_t n = 0, open = 0, longest = 0; /* of the window */
    for (uint32_t i = b.first; i < b.first + b.count; i++) {
        if (!(insns[i].flags & WITH_PAYLOAD))
            continue;
        uint32_t turn = insns[i].turn ? insns[i].turn : 1;
        found[n + turn - 1] = &insns[i];
        longest = turn > longest ? turn : longest;
        if (++open < longest)
            continue;
        n += open;
        open = longest = 0;
    }
    CHECK_EQ(open, 0);
    return n;
}

static void every_access_is_there_in_its_turn(void)
{
    struct asm_rig r = asm_rig_new(
        LOADS "setp.gt.u32 %p1, %i, 7; @%p1 bra L; @%p1 add.s32 %a3, %a1, 1; @%p1 mov.u32 %a4, 0;\n"
              "st.shared.u32 [s], %a1; bar.sync 0; ld.shared.u32 %a5, [t]; L: red.global.add.u32 "
              "[%at], %a2;\n"
              "atom.global.add.u32 %a6, [%at+8], 1; ld.global.v2.u32 {%a7, %a8}, [%at];");
    const struct code *c = r.code;
    const struct stream_insn *x[64], *y[64];
    for (uint32_t b = 0; b < c->nblocks; b++) {
        uint32_t n = payloads(c->stream_insns, c->stream_blocks[b], x);
        CHECK_EQ(payloads(c->assembled.insns, c->assembled.blocks[b], y), n);
        for (uint32_t i = 0; i < n; i++) {
            CHECK_EQ(x[i]->flags, y[i]->flags);
            CHECK_EQ(x[i]->space, y[i]->space);
            CHECK_EQ(x[i]->size, y[i]->size);
        }
    }
    asm_rig_free(&r);
}

static void predicated_instructions_stay_as_they_are(void)
{
    /* Their payload says for which lanes: a copy among them cannot vanish. */
    CHECK_SLOTS(LOADS "setp.gt.u32 %p1, %i, 7; @%p1 mov.u32 %a1, %a2; "
                      "st.global.u32 [%at], %a1;",
                "ggirtx");
}

CHECK_MAIN("assemble", TEST(one_instruction_of_32_bits_is_one),
           TEST(integers_of_64_bits_take_two_slots_or_more),
           TEST(divisions_and_functions_are_sequences), TEST(a_field_of_bytes_is_one_permutation),
           TEST(every_access_is_there_in_its_turn), TEST(predicated_instructions_stay_as_they_are))
