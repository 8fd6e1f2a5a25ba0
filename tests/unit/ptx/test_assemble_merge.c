/* Loads of neighbouring words that become one. */
#include "check.h"
#include "rig/asm_rig.h"

/* The sizes of the loads that are left, one letter each: x is 16. */
static void check_sizes(const char *body, const char *want, const char *file, int line)
{
    struct asm_rig r = asm_rig_new(body);
    const struct stream_assembled *v = &r.code->assembled;
    char got[64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->ninsns && n < sizeof got - 1; i++) {
        if (!(v->insns[i].flags & INSN_LOAD))
            continue;
        if (v->insns[i].unit != UNIT_NONE)
            got[n++] = v->insns[i].size == 16 ? 'x' : (char)('0' + v->insns[i].size);
    }
    got[n] = 0;
    check_str_(got, want, body, file, line);
    asm_rig_free(&r);
}
#define CHECK_SIZES(body, want) check_sizes((body), (want), __FILE__, __LINE__)

#define SUM2 "add.f32 %f9, %f1, %f2; st.global.f32 [%at], %f9;\n"
#define SUM4                                                                                       \
    "add.f32 %f9, %f1, %f2; add.f32 %f8, %f3, %f4; add.f32 %f7, %f8, %f9; st.global.f32 [%at], "   \
    "%f7;\n"
#define SHARED "mov.u64 %d1, s; add.s64 %d2, %d1, %off;\n"

static void constants_are_loaded_in_pairs(void)
{
    CHECK_SIZES("ld.const.f32 %f1, [%off]; ld.const.f32 %f2, [%off+4];" SUM2, "8");
    CHECK_SIZES("ld.const.f32 %f1, [%off]; ld.const.f32 %f2, [%off+4];\n"
                "ld.const.f32 %f3, [%off+8]; ld.const.f32 %f4, [%off+12];" SUM4,
                "88");
    /* whichever comes first */
    CHECK_SIZES("ld.const.f32 %f4, [%off+8]; ld.const.f32 %f3, [%off+4];\n"
                "ld.const.f32 %f2, [%off]; ld.const.f32 %f1, [%off+12];" SUM4,
                "88");
}

static void shared_memory_up_to_four_words_at_once(void)
{
    CHECK_SIZES(SHARED "ld.shared.f32 %f1, [%d2]; ld.shared.f32 %f2, [%d2+4];\n"
                       "ld.shared.f32 %f3, [%d2+8]; ld.shared.f32 %f4, [%d2+12];" SUM4,
                "x");
    CHECK_SIZES(SHARED "ld.shared.f32 %f1, [%d2]; ld.shared.f32 %f2, [%d2+4];\n"
                       "ld.shared.f32 %f3, [%d2+8];" SUM4,
                "84");
}

static void all_results_are_written_by_the_one_that_is_left(void)
{
    struct asm_rig r =
        asm_rig_new(SHARED "ld.shared.f32 %f1, [%d2]; ld.shared.f32 %f2, [%d2+4];\n"
                           "ld.shared.f32 %f3, [%d2+8]; ld.shared.f32 %f4, [%d2+12];" SUM4);
    const struct stream_assembled *v = &r.code->assembled;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < v->ninsns; i++) {
        if (!(v->insns[i].flags & INSN_LOAD))
            continue;
        bool is_part = v->insns[i].unit == UNIT_NONE;
        for (int d = 0; d < 4; d++)
            CHECK((v->insns[i].dst[d] == REG_NONE) == is_part);
        parts += is_part;
    }
    CHECK_EQ(parts, 3);
    asm_rig_free(&r);
}

static void alignment_must_be_known(void)
{
    CHECK_SIZES("ld.const.f32 %f1, [%off+4]; ld.const.f32 %f2, [%off+8];" SUM2, "44");
    CHECK_SIZES("mul.wide.u32 %d3, %i, 4;\n"
                "ld.const.f32 %f1, [%d3]; ld.const.f32 %f2, [%d3+4];" SUM2,
                "44");
    CHECK_SIZES("ld.global.f32 %f1, [%at]; ld.global.f32 %f2, [%at+4];" SUM2, "44");
}

static void a_value_around_a_loop_has_the_alignment_of_its_steps(void)
{
    CHECK_SIZES("mov.u64 %d1, 0; mov.f32 %f9, 0f00000000;\n"
                "L: ld.const.f32 %f1, [%d1+8]; ld.const.f32 %f2, [%d1+12];\n"
                "fma.rn.f32 %f9, %f1, %f2, %f9; add.s64 %d1, %d1, 16; setp.lt.s64 %p1, %d1, 256;\n"
                "@%p1 bra L; st.global.f32 [%at], %f9;",
                "8");
    CHECK_SIZES("mov.u64 %d1, 0; mov.f32 %f9, 0f00000000;\n"
                "L: ld.const.f32 %f1, [%d1+8]; ld.const.f32 %f2, [%d1+12];\n"
                "fma.rn.f32 %f9, %f1, %f2, %f9; add.s64 %d1, %d1, 12; setp.lt.s64 %p1, %d1, 256;\n"
                "@%p1 bra L; st.global.f32 [%at], %f9;",
                "44");
}

static void nothing_between_may_be_in_the_way(void)
{
    CHECK_SIZES(SHARED "ld.shared.f32 %f1, [%d2]; st.shared.u32 [s+4], %i;\n"
                       "ld.shared.f32 %f2, [%d2+4];" SUM2,
                "44"); /* it is stored to */
    CHECK_SIZES("ld.const.f32 %f1, [%off]; st.shared.u32 [s+4], %i;\n"
                "ld.const.f32 %f2, [%off+4];" SUM2,
                "8"); /* constants are not */
    CHECK_SIZES("mov.f32 %f2, 0f3f800000; ld.const.f32 %f1, [%off]; add.f32 %f3, %f1, %f2;\n"
                "ld.const.f32 %f2, [%off+4]; add.f32 %f2, %f2, %f3;" SUM2,
                "44"); /* the old value is wanted */
    CHECK_SIZES("@%p1 ld.const.f32 %f1, [%off]; ld.const.f32 %f2, [%off+4];" SUM2, "44");
}

CHECK_MAIN("assemble_merge", TEST(constants_are_loaded_in_pairs),
           TEST(shared_memory_up_to_four_words_at_once),
           TEST(all_results_are_written_by_the_one_that_is_left), TEST(alignment_must_be_known),
           TEST(a_value_around_a_loop_has_the_alignment_of_its_steps),
           TEST(nothing_between_may_be_in_the_way))
