#include "check.h"

#include "ptx/parse.h"
#include "ptx/uses.h"

static uint32_t uses(const char *variables, const char *body)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char *text =
        arena_printf(a,
                     ".version 7.0\n.target sm_70\n.address_size 64\n%s\n"
                     ".visible .entry k(.param .u64 p)\n{\n"
                     ".reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .f64 %%f<9>;\n%s\nret;\n}\n",
                     variables, body);
    struct ast_module *m = parse_ptx(a, "t.ptx", text, strlen(text), &e);
    if (!m)
        print_error("%s\n", e.text);
    CHECK(m != NULL);
    uint32_t bits = uses_of(m);
    arena_free(a);
    return bits;
}

static void a_kernel_of_global_and_shared_memory_uses_nothing_else(void)
{
    CHECK_EQ(uses(".visible .const .b32 c[4];", "ld.param.u64 %d1, [p]; ld.global.u32 %r1, [%d1];"
                                                "st.shared.u32 [%r2], %r1; add.f32 %r1, %r1, %r1;"),
             0);
}

static void each_instruction_tells_what_it_uses(void)
{
    CHECK_EQ(uses("", "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%d1, {%r5, %r6}];"), USES_TEXTURE);
    CHECK_EQ(uses("", "ld.local.u32 %r1, [%d1];"), USES_LOCAL);
    CHECK_EQ(uses("", "st.volatile.local.v2.u32 [%d1], {%r1, %r2};"), USES_LOCAL);
    CHECK_EQ(uses("", "atom.shared.add.u32 %r1, [%r2], %r3;"), USES_ATOMICS);
    CHECK_EQ(uses("", "red.global.add.u32 [%d2], %r3;"), USES_ATOMICS);
    CHECK_EQ(uses("", "add.f64 %f1, %f2, %f3;"), USES_FP64);
    CHECK_EQ(uses("", "cvt.f64.f32 %f1, %r1; ld.local.u32 %r1, [%d1];"), USES_FP64 | USES_LOCAL);
}

static void a_name_that_only_begins_like_it_is_another(void)
{
    CHECK_EQ(uses("", "redux.sync.add.s32 %r1, %r2, %r3;"), 0);
    CHECK_EQ(uses("", "cvta.to.local.u64 %d1, %d2;"), 0);
}

static void constants_are_those_that_others_can_see(void)
{
    CHECK_EQ(uses(".visible .const .b32 c[4];", "ld.const.u32 %r1, [c];"), USES_CONSTANT);
    CHECK_EQ(uses(".const .b32 c[4];", "ld.const.u32 %r1, [c];"), 0);
}

static void every_use_has_a_name(void)
{
    uint32_t all = 0;
    for (int i = 0; i < USES_ROWS; i++) {
        CHECK(uses_rows[i].name && uses_rows[i].help);
        all |= uses_rows[i].bit;
    }
    CHECK_EQ(all, USES_TEXTURE | USES_CONSTANT | USES_LOCAL | USES_ATOMICS | USES_FP64);
}

CHECK_MAIN("uses", TEST(a_kernel_of_global_and_shared_memory_uses_nothing_else),
           TEST(each_instruction_tells_what_it_uses),
           TEST(a_name_that_only_begins_like_it_is_another),
           TEST(constants_are_those_that_others_can_see), TEST(every_use_has_a_name))
