/* The order of instructions within a block. */
#include "check.h"
#include "rig/asm_rig.h"

/* The letters of the only block. */
static const char *slots_of(struct asm_rig *r, const char *body)
{
    *r = asm_rig_new(body);
    return asm_rig_slots(r);
}

#define CHECK_ORDER(body, want)                                                                    \
    do {                                                                                           \
        struct asm_rig rig_;                                                                       \
        CHECK_STR(slots_of(&rig_, body), want);                                                    \
        asm_rig_free(&rig_);                                                                       \
    } while (0)

static void loads_go_ahead_of_what_uses_others(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at]; add.rn.f32 %f2, %f1, %f1;\n"
                "ld.global.f32 %f3, [%at+4]; add.rn.f32 %f4, %f3, %f2;\n"
                "st.global.f32 [%at], %f4;",
                "rsrmggfftx");
}

static void loads_pass_stores_to_another_space(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at]; st.shared.f32 [s], %f1;\n"
                "ld.global.f32 %f2, [%at+4]; st.shared.f32 [s+4], %f2;\n"
                "ld.global.f32 %f3, [%at+8]; st.shared.f32 [s+8], %f3;",
                "rsrmgggtttx");
}

static void what_depends_on_another_comes_behind_it(void)
{
    /* The sum takes the old %a1: what writes it anew has to wait. */
    CHECK_ORDER("ld.global.u32 %a1, [%at]; ld.global.u32 %a2, [%at+4];\n"
                "mul.lo.s32 %a3, %a1, %a2; popc.b32 %a1, %a2; xor.b32 %a4, %a3, %a1;\n"
                "st.global.u32 [%at], %a4;",
                "rsrmggmsitx");
}

static void the_longest_way_goes_first(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at]; add.rn.f32 %f2, %f1, 0f40000000;\n"
                "ex2.approx.ftz.f32 %f3, %f1; mul.rn.f32 %f4, %f2, %f3;\n"
                "st.global.f32 [%at], %f4;",
                "rsrmgsfftx");
}

static void nothing_moves_past_a_branch_of_a_sequence(void)
{
    /* An exact division has a branch to its slow way: loads behind it stay there. */
    struct asm_rig r;
    const char *slots = slots_of(&r, "ld.global.f32 %f1, [%at]; div.rn.f32 %f2, %f1, 0f40400000;\n"
                                     "ld.global.f32 %f3, [%at+4]; add.rn.f32 %f4, %f3, %f2;\n"
                                     "st.global.f32 [%at], %f4;");
    const char *branch = strrchr(slots, 'j');
    CHECK(branch && strrchr(slots, 'g') > branch && strchr(slots, 'g') < branch);
    asm_rig_free(&r);
}

/* As many loads as there are registers for, each used far behind it. */
static void loads_wait_when_the_registers_are_in_use(void)
{
    struct arena *a = arena_new();
    const char *body = "mov.f32 %f0, 0f00000000;\n";
    for (int i = 1; i < 56; i++)
        body = arena_printf(
            a, "%sld.global.f32 %%f%d, [%%at+%d]; fma.rn.f32 %%f0, %%f%d, %%f%d, %%f0;\n", body, i,
            16 * i, i, i);
    struct asm_rig r;
    const char *slots = slots_of(&r, arena_printf(a, "%sst.global.f32 [%%at], %%f0;", body));
    uint32_t ahead = 0, most = 0;
    for (const char *s = slots; *s; s++) {
        ahead += *s == 'g';
        ahead -= *s == 'f';
        most = ahead > most ? ahead : most;
    }
    CHECK(most >= 8);
    CHECK(most <= (r.code->regs_per_thread + 7) / 8 * 8);
    asm_rig_free(&r);
    arena_free(a);
}

static void windows_of_payloads_are_bounded(void)
{
    struct arena *a = arena_new();
    const char *body = "";
    for (int i = 0; i < 56; i++)
        body = arena_printf(a, "%sld.global.f32 %%f%d, [%%at+%d]; st.shared.f32 [s+%d], %%f%d;\n",
                            body, i, 4 * i, 4 * i, i);
    struct asm_rig r = asm_rig_new(body);
    const struct stream_assembled *v = &r.code->assembled;
    uint32_t most = 0;
    for (uint32_t i = 0; i < v->ninsns; i++)
        most = v->insns[i].turn > most ? v->insns[i].turn : most;
    CHECK(most > 1 && most <= STREAM_WINDOW);
    asm_rig_free(&r);
    arena_free(a);
}

static void a_window_has_what_is_out_of_turn_and_no_more(void)
{
    struct asm_rig r = asm_rig_new("ld.global.f32 %f1, [%at]; st.global.f32 [%at], %f1;\n"
                                   "ld.global.f32 %f2, [%at]; st.shared.f32 [s], %f2;\n"
                                   "ld.global.f32 %f3, [%at+8]; st.shared.f32 [s+4], %f3;");
    static const uint8_t want[] = {0, 4, 1, 2, 3, 0};
    const struct stream_assembled *v = &r.code->assembled;
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->ninsns; i++)
        if (v->insns[i].flags & INSN_MEM)
            CHECK_EQ(v->insns[i].turn, want[n++]);
    CHECK_EQ(n, 6);
    asm_rig_free(&r);
}

CHECK_MAIN("assemble_schedule", TEST(loads_go_ahead_of_what_uses_others),
           TEST(loads_pass_stores_to_another_space), TEST(what_depends_on_another_comes_behind_it),
           TEST(the_longest_way_goes_first), TEST(nothing_moves_past_a_branch_of_a_sequence),
           TEST(loads_wait_when_the_registers_are_in_use), TEST(windows_of_payloads_are_bounded),
           TEST(a_window_has_what_is_out_of_turn_and_no_more))
