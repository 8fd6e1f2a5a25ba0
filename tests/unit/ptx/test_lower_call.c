/* Calls: parameters, results, divergence between callers, calls by address. */
#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

#define TWICE                                                                                      \
    ".func (.param .b32 r) twice(.param .b32 x)\n{ .reg .b32 %a; ld.param.b32 %a, [x];\n"          \
    "add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }\n"
#define CALL_TWICE(d, a)                                                                           \
    "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0+0], " a ";\n"                              \
    "call.uni (r0), twice, (p0); ld.param.b32 " d ", [r0+0]; }\n"

static void a_function_gets_its_parameter_and_returns_a_result(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(TWICE, ".reg .b32 %v;" CALL_TWICE("%v", "%tid")
                                        CALL_TWICE("%v", "%v") "st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], 4 * i);
}

static void lanes_that_call_under_a_branch_return_to_it(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                TWICE,
                ".reg .b32 %v; .reg .pred %p; setp.lt.u32 %p, %tid, 9; mov.u32 %v, 1;\n"
                "@%p bra A; bra OUT; A:" CALL_TWICE(
                    "%v", "%tid") "OUT: add.u32 %v, %v, 100; st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], 100 + (i < 9 ? 2 * i : 1));
    CHECK_EQ(r.info.global_stores, 1);
}

static void lanes_may_return_at_different_places_of_a_function(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".func (.param .b32 r) count(.param .b32 x)\n"
                "{ .reg .b32 %a, %i; .reg .pred %p; ld.param.u32 %a, [x]; mov.u32 %i, 0;\n"
                "L: st.param.b32 [r], %i; setp.ge.u32 %p, %i, %a; @%p ret;\n"
                "add.u32 %i, %i, 1; setp.eq.u32 %p, %i, 20; @!%p bra L;\n"
                "st.param.b32 [r], 99; ret; }\n",
                ".reg .b32 %v; { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %tid;\n"
                "call (r0), count, (p0); ld.param.b32 %v, [r0]; }\n"
                "st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], i < 20 ? i : 99);
    CHECK_EQ(r.info.global_stores, 1);
}

static void functions_call_functions_and_keep_their_own_registers(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                TWICE
                ".func (.param .b64 r) sum(.param .b32 x, .param .align 8 .b8 s[16])\n"
                "{ .reg .b32 %a, %b, %c; .reg .b64 %d, %e; ld.param.b32 %a, [x]; ld.param.b32 %b, "
                "[s+4];\n" CALL_TWICE(
                    "%c",
                    "%b") "ld.param.b64 %d, [s+8]; ld.param.b32 %b, [x]; add.u32 %c, %c, %b; "
                          "add.u32 %c, %c, %a;\n"
                          "cvt.u64.u32 %e, %c; add.u64 %e, %e, %d; st.param.b64 [r], %e; ret; }\n",
                ".reg .b32 %v; .reg .b64 %w; mov.u32 %v, 7;\n"
                "{ .param .b32 p0; .param .align 8 .b8 p1[16]; .param .b64 r0;\n"
                "st.param.b32 [p0], %tid; st.param.v2.b32 [p1], {1, %tid}; st.param.b64 [p1+8], "
                "1000;\n"
                "call (r0), sum, (p0, p1); ld.param.b64 %w, [r0]; }\n"
                "cvt.u32.u64 %n, %w; add.u32 %v, %v, %n; st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], 1007 + 4 * i);
}

static void calls_by_address_reach_each_lanes_own_function(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                TWICE
                ".func (.param .b32 r) next(.param .b32 x)\n{ .reg .b32 %a; ld.param.b32 %a, [x];\n"
                "add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }\n"
                ".global .u64 table[2] = {twice, next};\n",
                ".reg .b32 %v; .reg .b64 %f, %t; .reg .pred %p;\n"
                "and.b32 %v, %tid, 1; mul.wide.u32 %t, %v, 8; mov.u64 %f, table; add.u64 %t, %t, "
                "%f;\n"
                "ld.global.u64 %f, [%t];\n"
                "{ .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %tid;\n"
                "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                "call (r0), %f, (p0), proto; ld.param.b32 %v, [r0]; }\n"
                "st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], i & 1 ? i + 1 : 2 * i);
}

static void a_call_of_no_function_is_a_fault(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(TWICE, ".reg .b64 %f; mov.u64 %f, 64;\n"
                                    "proto: .callprototype _ ();\ncall %f, (), proto; ret;")},
        d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK(strstr(r.e.text, "0x40, which is no function") != NULL);
}

static void recursion_is_refused_by_name(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(".func b();\n.func a() { call b; ret; }\n.func b() { call a; ret; }\n",
                             "call a; ret;")},
        d, 32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK_STR(r.e.text,
              "test.ptx:5: function a calls itself, directly or through others: recursion "
              "is not supported");
}

static void functions_without_a_body_are_refused_by_name(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_WITH(".extern .func malloc();\n", "call malloc; ret;")}, d,
        32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(r.e.text, "malloc, which has no body") != NULL);
}

static void a_call_with_the_wrong_number_of_arguments_is_refused(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_WITH(TWICE, "call twice; ret;")}, d, 32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(r.e.text, "gives 0 parameters, the function has 1") != NULL);
}

static void registers_of_callees_count_for_the_kernel(void)
{
    uint32_t d[32] = {0};
    struct ptx_result without =
        ptx_run((struct ptx_case){.text = PTX_KERNEL("st.global.u32 [%at], %tid; ret;")}, d, 32);
    char text[8192] =
        PTX_HEAD ".func f()\n{ .reg .b32 %a<41>; .reg .b64 %p; .reg .pred %q; mov.u64 %p, 0;\n"
                 "mov.u32 %a40, %laneid;";
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "add.u32 %%a%d, %%a40, %d;", i, i);
    strcat(text, "L: setp.gt.u32 %q, %a0, 100; @%q bra L;\n");
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "st.global.u32 [%%p], %%a%d;", i);
    strcat(text, "ret; }\n" PTX_KERNEL_HEAD "call f; st.global.u32 [%at], %tid; ret;\n}\n");
    struct ptx_result with = ptx_run((struct ptx_case){.text = text}, d, 32);
    CHECK(without.regs_per_thread < 10);
    /* 40 words, what the kernel keeps over the call (the pair %at, and %tid), the stack pointer;
     * address 0 is a literal. */
    CHECK_EQ(with.regs_per_thread, 40 + 3 + 1);
}

static void parameters_in_registers_and_of_one_byte_arrive(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".func (.param .b32 r) f(.reg .u32 x, .param .b8 a, .param .b8 b)\n"
                "{ .reg .b32 %a, %b; ld.param.u8 %a, [a]; ld.param.u8 %b, [b];\n"
                "mad.lo.u32 %a, %a, 100, %b; mad.lo.u32 %a, x, 10000, %a; st.param.b32 [r], %a;\n"
                "ret; }\n",
                ".reg .b32 %v; call (%v), f, (%tid, 3, 7); st.global.u32 [%at], %v; ret;")},
        d, 32);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], i * 10000 + 307);
}

static void a_runtime_function_that_is_declared_wrongly_is_refused(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(".extern .func (.param .b8 r) vprintf(.param .b8 a);\n",
                             "{ .param .b8 x; .param .b8 y; call (y), vprintf, (x); } ret;")},
        d, 32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK(strstr(r.e.text, "vprintf") != NULL);
}

CHECK_MAIN("lower_call", TEST(a_function_gets_its_parameter_and_returns_a_result),
           TEST(lanes_that_call_under_a_branch_return_to_it),
           TEST(lanes_may_return_at_different_places_of_a_function),
           TEST(functions_call_functions_and_keep_their_own_registers),
           TEST(calls_by_address_reach_each_lanes_own_function),
           TEST(a_call_of_no_function_is_a_fault), TEST(recursion_is_refused_by_name),
           TEST(functions_without_a_body_are_refused_by_name),
           TEST(a_call_with_the_wrong_number_of_arguments_is_refused),
           TEST(registers_of_callees_count_for_the_kernel),
           TEST(parameters_in_registers_and_of_one_byte_arrive),
           TEST(a_runtime_function_that_is_declared_wrongly_is_refused))
