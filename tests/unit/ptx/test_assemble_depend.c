/* What must not be exchanged: accesses by their lines in the order in which they are issued. */
#include "check.h"
#include "rig/asm_rig.h"

/* A letter for each access, after its line of the body: a, b, c ... */
static void check_order(const char *body, const char *want, const char *file, int line)
{
    struct asm_rig r = asm_rig_new(body);
    const struct stream_assembled *v = &r.code->assembled;
    char got[64];
    uint32_t n = 0, head = 1;
    for (const char *s = ASM_HEAD; *s; s++)
        head += *s == '\n';
    for (uint32_t i = 0; i < v->ninsns && n < sizeof got - 1; i++)
        if (v->insns[i].flags & INSN_MEM)
            got[n++] = (char)('a' + (v->insns[i].line - head));
    got[n] = 0;
    check_str_(got, want, body, file, line);
    asm_rig_free(&r);
}
#define CHECK_ORDER(body, want) check_order((body), (want), __FILE__, __LINE__)

static void loads_do_not_pass_stores_that_they_may_depend_on(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.global.f32 [%at+4], %f1;\n"
                "ld.global.f32 %f2, [%buf];\nst.shared.f32 [s], %f2;",
                "abcd");
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.shared.f32 [s], %f1;\n"
                "ld.global.f32 %f2, [%buf];\nst.shared.f32 [s+4], %f2;",
                "cabd"); /* its address is there first */
}

static void other_offsets_of_the_same_base_are_apart(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.global.f32 [%at+4], %f1;\n"
                "ld.global.f32 %f2, [%at+8];\nst.global.f32 [%at+12], %f2;",
                "acbd");
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.global.f32 [%at+4], %f1;\n"
                "ld.global.f64 %g2, [%at];\nst.shared.f64 [s], %g2;",
                "abcd"); /* it includes what is stored */
}

static void a_base_that_is_written_is_another(void)
{
    CHECK_ORDER("ld.global.u64 %d1, [%at];\nst.global.u64 [%at+8], %d1;\n"
                "add.s64 %at, %at, %d1;\nld.global.u64 %d2, [%at];\nst.shared.u64 [s], %d2;",
                "abde");
}

static void what_nobody_writes_passes_everything(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.global.f32 [%at+4], %f1;\n"
                "ld.global.nc.f32 %f2, [%buf];\nst.shared.f32 [s], %f2;",
                "cabd");
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nred.global.add.f32 [%at], %f1;\n"
                "ld.const.f32 %f2, [%off];\nst.shared.f32 [s], %f2;",
                "cabd");
}

static void generic_addresses_may_be_anywhere(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.shared.f32 [s], %f1;\n"
                "ld.f32 %f2, [%raw];\nst.shared.f32 [s+4], %f2;",
                "abcd");
}

static void stores_stay_in_their_order(void)
{
    CHECK_ORDER("ld.global.f32 %f1, [%at];\nst.global.f32 [%at+4], %f1;\nst.shared.u32 [s], %i;",
                "abc");
}

static void atomics_and_volatile_accesses_keep_their_place(void)
{
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nred.global.add.u32 [%at+4], %a1;\n"
                "ld.global.u32 %a2, [%at+8];\nst.shared.u32 [s], %a2;",
                "abcd");
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nst.volatile.shared.u32 [s], %a1;\n"
                "ld.global.u32 %a2, [%at+8];\nst.shared.u32 [s+4], %a2;",
                "abcd");
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nst.shared.u32 [s], %a1;\n"
                "ld.volatile.global.u32 %a2, [%at+8];\nst.shared.u32 [s+4], %a2;",
                "abcd");
}

static void variables_in_shared_memory_are_apart(void)
{
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nst.shared.u32 [s], %a1;\n"
                "ld.shared.u32 %a2, [t];\nst.global.u32 [%at+4], %a2;",
                "cabd");
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nst.shared.u32 [s], %a1;\n"
                "ld.shared.u32 %a2, [s];\nst.global.u32 [%at+4], %a2;",
                "abcd");
}

static void a_guarded_load_waits_for_its_guard_and_the_old_value(void)
{
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nsetp.gt.u32 %p1, %a1, 7;\n"
                "@%p1 ld.global.u32 %a2, [%at+4];\nld.global.u32 %a3, [%at+8];\n"
                "st.shared.v2.u32 [s], {%a2, %a3};",
                "adce");
    CHECK_ORDER("ld.global.u32 %a1, [%at];\nsetp.gt.u32 %p1, %i, 7;\n"
                "@%p1 ld.global.u32 %a1, [%at+4];\nst.shared.u32 [s], %a1;",
                "acd");
}

CHECK_MAIN("assemble_depend", TEST(loads_do_not_pass_stores_that_they_may_depend_on),
           TEST(other_offsets_of_the_same_base_are_apart), TEST(a_base_that_is_written_is_another),
           TEST(what_nobody_writes_passes_everything), TEST(generic_addresses_may_be_anywhere),
           TEST(stores_stay_in_their_order), TEST(atomics_and_volatile_accesses_keep_their_place),
           TEST(variables_in_shared_memory_are_apart),
           TEST(a_guarded_load_waits_for_its_guard_and_the_old_value))
