#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

static void run_ok(const char *text, uint32_t *d, uint32_t n)
{
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, n);
    CHECK_STR(r.e.text, "");
}

static void refused(const char *text, const char *message)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK_STR(r.e.text, message);
}

/* --- names ------------------------------------------------------------------------------------ */

static void an_inner_register_hides_an_outer_one_of_the_same_name(void)
{
    uint32_t d[32] = {0};
    run_ok(PTX_KERNEL(".reg .b32 %v; mov.u32 %v, 1; { .reg .b32 %v; mov.u32 %v, 2;\n"
                      "{ .reg .b64 %v; mov.u64 %v, 3; } st.global.u32 [%at], %v; }\n"
                      "ld.global.u32 %n, [%at]; add.u32 %n, %n, %v; st.global.u32 [%at], %n; ret;"),
           d, 32);
    CHECK_EQ(d[0], 3);
}

static void labels_may_repeat_in_different_scopes(void)
{
    uint32_t d[32] = {0};
    run_ok(PTX_KERNEL(".reg .b32 %v; .reg .pred %p; mov.u32 %v, 0;\n"
                      "{ L: add.u32 %v, %v, 1; setp.lt.u32 %p, %v, 5; @%p bra L; }\n"
                      "{ L: add.u32 %v, %v, 10; setp.lt.u32 %p, %v, 50; @%p bra L; }\n"
                      "st.global.u32 [%at], %v; ret;"),
           d, 32);
    CHECK_EQ(d[0], 55);
}

static void ranges_whose_names_end_in_digits_do_not_collide(void)
{
    uint32_t d[32] = {0};
    run_ok(PTX_KERNEL(".reg .b32 %a<20>, %a1<5>; mov.u32 %a12, 7; mov.u32 %a3, 2;\n"
                      "add.u32 %a3, %a3, %a12; st.global.u32 [%at], %a3; ret;"),
           d, 32);
    CHECK_EQ(d[0], 9);
}

static void vector_registers_have_components(void)
{
    uint32_t d[32] = {1, 2, 3, 4};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(
                ".reg .v4 .b32 %v; ld.global.v4.u32 %v, [%buf]; add.u32 %v.x, %v.x, %v.w;\n"
                "st.global.v2.u32 [%buf], {%v.x, %v.z}; ret;"),
            .block = 1},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0], 5);
    CHECK_EQ(d[1], 3);
}

static void names_that_are_not_declared_are_refused_with_their_line(void)
{
    refused(PTX_KERNEL("\nadd.u32 %x, %tid, 1; ret;"),
            "test.ptx:11: destination %x is no declared register");
    refused(PTX_KERNEL("\nadd.u32 %n, %y, 1; ret;"), "test.ptx:11: register %y is not declared");
    refused(PTX_KERNEL("ld.global.u32 %n, [nowhere]; ret;"),
            "test.ptx:10: \"nowhere\" is not declared");
    refused(PTX_KERNEL("bra NOWHERE;"), "test.ptx:10: label NOWHERE is not there");
    refused(PTX_KERNEL("@%n bra L; L: ret;"), "test.ptx:10: guard %n is no predicate");
    refused(PTX_KERNEL(".reg .b32 %n; ret;"), "test.ptx:10: \"%n\" is declared twice");
    refused(PTX_KERNEL("L: L: ret;"), "test.ptx:10: label L is there twice");
}

static void wrong_operands_are_refused(void)
{
    refused(PTX_KERNEL("add.u32 %n, %off, 1; ret;"),
            "test.ptx:10: %off: expected a register of at most 32 bits");
    refused(PTX_KERNEL("add.u64 %off, %n, 1; ret;"), "test.ptx:10: %n: expected a 64-bit register");
    refused(PTX_KERNEL("add.u32 %n, %n; ret;"), "test.ptx:10: \"add.u32\" has too few operands");
    refused(PTX_KERNEL("add.u32 %n, %n, 1, 2; ret;"),
            "test.ptx:10: \"add.u32\" has too many operands");
    refused(PTX_KERNEL("ld.global.v2.u32 {%n}, [%at]; ret;"),
            "test.ptx:10: expected a vector of 2 registers, found 1");
    refused(PTX_KERNEL("ld.shared.u32 %n, [p_buf]; ret;"),
            "test.ptx:10: p_buf is a variable of another space than this instruction accesses");
    refused(PTX_KERNEL("ld.param.u32 %n, [p_buf+8]; ret;"),
            "test.ptx:10: parameter p_buf has 8 bytes");
    refused(PTX_KERNEL("st.param.u32 [p_buf], %n; ret;"),
            "test.ptx:10: a kernel cannot write its parameters");
}

static void unknown_opcodes_are_named(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL("frobnicate.u32 %n, %n; ret;")}, d, 32);
    CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
    CHECK(strncmp(r.e.text, "test.ptx:10: ", 13) == 0 && strstr(r.e.text, "frobnicate.u32"));
    r = ptx_run((struct ptx_case){.text = PTX_KERNEL("bar.frob 0; ret;")}, d, 32);
    CHECK_STR(r.e.text, "test.ptx:10: unknown instruction \"bar.frob\"");
}

/* --- values ----------------------------------------------------------------------------------- */

static void registers_pack_into_wider_ones_and_back(void)
{
    uint32_t d[32] = {0};
    run_ok(
        PTX_KERNEL(".reg .b16 %h<4>; .reg .b32 %v, %w; .reg .b64 %x;\n"
                   "mov.b32 {%h0, %h1}, 305419896; mov.b32 %v, {%h1, %h0};\n"
                   "mov.b64 %x, {%v, 5}; mov.b64 {%h0, %h1, %h2, %h3}, %x;\n"
                   "mov.b64 %x, {%h2, %h3, %h1, %h0}; mov.b64 {%w, %v}, %x; mov.b64 {%w, _}, %x;\n"
                   "st.global.v2.u32 [%buf], {%w, %v}; ret;"),
        d, 32);
    CHECK_EQ(d[0], 5);
    CHECK_EQ(d[1], 0x12345678);
}

static void registers_wider_than_the_access_take_its_sign(void)
{
    uint32_t d[32] = {0x80};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text =
                PTX_KERNEL(".reg .b64 %x, %y; ld.global.s8 %x, [%buf]; ld.global.u8 %y, [%buf];\n"
                           "st.global.u64 [%buf+8], %x; st.global.u64 [%buf+16], %y; st.global.u16 "
                           "[%buf+24], %x;\n"
                           "cvt.s64.s8 %x, %y; st.global.u64 [%buf+32], %x; ret;"),
            .block = 1},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[2], 0xffffff80);
    CHECK_EQ(d[3], 0xffffffff);
    CHECK_EQ(d[4], 0x80);
    CHECK_EQ(d[5], 0);
    CHECK_EQ(d[6], 0xff80);
    CHECK_EQ(d[8], 0xffffff80);
}

static void literals_of_every_kind_reach_the_instruction(void)
{
    uint32_t d[32] = {0};
    run_ok(PTX_KERNEL(".reg .f32 %f; .reg .f64 %x; .reg .b32 %v; .reg .pred %p, %q;\n"
                      "mov.f32 %f, 0f40490FDB; st.global.f32 [%buf], %f;\n"
                      "add.f32 %f, %f, 1.5; st.global.f32 [%buf+4], %f;\n"
                      "mov.f64 %x, 0d3FF8000000000000; st.global.f64 [%buf+8], %x;\n"
                      "mov.u32 %v, -3; st.global.u32 [%buf+16], %v;\n"
                      "mov.pred %p, 1; and.pred %q, %p, 0; selp.u32 %v, 1, 2, %q;\n"
                      "st.global.u32 [%buf+20], %v; ret;"),
           d, 32);
    CHECK_EQ(d[0], 0x40490fdb);
    CHECK_EQ(d[1], 0x409487ee);
    CHECK_EQ(d[3], 0x3ff80000);
    CHECK_EQ(d[4], 0xfffffffd);
    CHECK_EQ(d[5], 2);
}

static void variables_have_addresses_in_their_spaces(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .align 4 .u32 g[4] = {1, 2, 3, 4};\n"
                ".const .align 4 .u32 c[2] = {50, 60};\n"
                ".global .u64 link = g+8;\n"
                ".shared .align 4 .b8 first[4]; .shared .align 8 .b8 second[8];\n"
                ".extern .shared .align 16 .b8 dyn[];\n",
                ".local .align 4 .b8 stack[16]; .reg .b32 %v, %a; .reg .b64 %p;\n"
                "ld.global.u32 %v, [g+4]; st.global.u32 [%buf], %v;\n"
                "ld.const.u32 %v, [c+4]; st.global.u32 [%buf+4], %v;\n"
                "ld.global.u64 %p, [link]; ld.u32 %v, [%p]; st.global.u32 [%buf+8], %v;\n"
                "mov.u32 %a, second; st.global.u32 [%buf+12], %a; mov.u32 %a, dyn;\n"
                "st.global.u32 [%buf+16], %a; st.shared.u32 [dyn+4], 9; ld.shared.u32 %v, [%a+4];\n"
                "st.global.u32 [%buf+20], %v; st.local.u32 [stack+4], 11; mov.u64 %p, stack;\n"
                "cvta.local.u64 %p, %p; ld.u32 %v, [%p+4]; st.global.u32 [%buf+24], %v;\n"
                "mov.u64 %p, dyn; cvta.shared.u64 %p, %p; ld.u32 %v, [%p+4]; st.global.u32 "
                "[%buf+28], %v;\n"
                "ret;"),
            .block = 1,
            .shared = 32},
        d, 64);
    CHECK_STR(r.e.text, "");
    const uint32_t want[] = {2, 60, 3, 0, 16, 9, 11, 9};
    for (int i = 0; i < 8; i++)
        CHECK_EQ(d[i], want[i]);
    CHECK_EQ(r.shared_bytes, 8); /* only what the kernel names */
    CHECK_EQ(r.local_bytes, 16);
}

static void parameters_can_be_read_by_a_computed_address(void)
{
    uint32_t d[32] = {0};
    run_ok(PTX_KERNEL(".reg .b64 %p; .reg .b32 %v; mov.b64 %p, p_buf; ld.param.u32 %v, [%p+4];\n"
                      "st.global.u32 [%at], %v; ret;"),
           d, 32);
    CHECK_EQ(d[0], 0x10); /* device memory begins at 0x10_0000_0000 */
}

/* --- registers -------------------------------------------------------------------------------- */

static void registers_per_thread_are_the_most_live_at_once(void)
{
    char text[16384] = PTX_HEAD PTX_KERNEL_HEAD ".reg .b32 %a<64>; .reg .pred %p;\n";
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text), "add.u32 %%a%d, %%tid, %d;", i, i);
    strcat(text, "L: setp.gt.u32 %p, %tid, 100; @%p bra L;\n"); /* they live from here to there */
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text), "st.global.u32 [%%at], %%a%d;", i);
    strcat(text, "ret;\n}\n");
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[3], 66);
    CHECK_EQ(r.regs_per_thread, 68); /* 64, the pair %at, %tid, the stack pointer */
}

static void values_that_live_through_a_loop_keep_their_registers(void)
{
    char text[16384] = PTX_HEAD PTX_KERNEL_HEAD ".reg .b32 %a<40>, %t<40>, %i; .reg .pred %p;\n";
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "mul.lo.u32 %%a%d, %%tid, %d;", i, i);
    strcat(text, "mov.u32 %i, 0; L: ");
    for (int i = 0; i < 40; i++) /* temporaries that must not take their places */
        sprintf(text + strlen(text), "add.u32 %%t%d, %%i, %d;", i, 1000 * i);
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "st.global.u32 [%%at], %%t%d;", i);
    strcat(text, "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 3; @%p bra L; mov.u32 %i, 0;\n");
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "add.u32 %%i, %%i, %%a%d;", i);
    strcat(text, "st.global.u32 [%at], %i; ret;\n}\n");
    uint32_t d[32] = {0};
    run_ok(text, d, 32);
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], i * 780);
}

static void a_guarded_write_keeps_the_old_value_alive(void)
{
    uint32_t d[32] = {0};
    run_ok(
        PTX_KERNEL(".reg .b32 %v, %t<8>; .reg .pred %p; mov.u32 %v, 5; setp.lt.u32 %p, %tid, 4;\n"
                   "add.u32 %t0, %tid, 1; add.u32 %t1, %t0, 1; add.u32 %t2, %t1, 1;\n"
                   "@%p mov.u32 %v, 6; add.u32 %v, %v, %t2; st.global.u32 [%at], %v; ret;"),
        d, 32);
    CHECK_EQ(d[0], 9);
    CHECK_EQ(d[10], 18);
}

static void values_of_other_lanes_survive_registers_of_another_width(void)
{
    /* The branch's target runs first; then, for the other lanes, the text before it, whose 64-bit
     * temporaries are dead before %a0 is first written there. */
    char text[16384] = PTX_HEAD PTX_KERNEL_HEAD
        ".reg .b32 %a<16>, %t<32>; .reg .b64 %b<16>, %u<32>; .reg .pred %p;\n"
        "setp.ge.u32 %p, %tid, 13; @%p bra WORDS; mov.u64 %b0, 0;\n";
    for (int i = 0; i < 32; i++)
        sprintf(text + strlen(text), "add.u64 %%u%d, %%off, %d;", i, i);
    for (int i = 0; i < 32; i++)
        sprintf(text + strlen(text), "add.u64 %%b0, %%b0, %%u%d;", i);
    strcat(text, "cvt.u32.u64 %a0, %b0; bra MEET; WORDS:");
    for (int i = 0; i < 32; i++)
        sprintf(text + strlen(text), "add.u32 %%t%d, %%tid, %d;", i, i);
    strcat(text, "mov.u32 %a0, 0;");
    for (int i = 0; i < 32; i++)
        sprintf(text + strlen(text), "add.u32 %%a0, %%a0, %%t%d;", i);
    strcat(text, "MEET: st.global.u32 [%at], %a0; ret;\n}\n");
    uint32_t d[32] = {0};
    run_ok(text, d, 32);
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], 496 + 32 * (i < 13 ? 4 * i : i));
}

/* The blocks are executed in the order A, C, B and stand as C, A, B. */
#define OUT_OF_ORDER(last)                                                                         \
    PTX_KERNEL(".reg .b32 %v, %t, %u; .reg .pred %p; setp.lt.u32 %p, %tid, 9; bra A;\n"            \
               "C: mul.lo.u32 %t, %tid, 3; add.u32 %u, %t, 1; st.global.u32 [%at+128], %u;\n"      \
               "bra B;\n"                                                                          \
               "A: add.u32 %v, %tid, 100; bra C;\n"                                                \
               "B: " last " st.global.u32 [%at], %v; ret;")

static void a_value_survives_a_block_that_stands_before_its_definition(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run((struct ptx_case){.text = OUT_OF_ORDER("")}, d, 64);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK(d[i] == 100 + i && d[32 + i] == 3 * i + 1);
}

static void where_a_guard_is_false_the_old_value_stays(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = OUT_OF_ORDER("@%p mov.u32 %v, 7;")}, d, 64);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[i], i < 9 ? 7 : 100 + i);
}

/* Every function calls the next two: as many ways through the calls as Fibonacci's numbers. */
static void calls_that_meet_again_and_again_are_laid_out_in_no_time(void)
{
    enum { FUNCTIONS = 200 };
    static const char one[] = ".func f%d()\n{ .reg .b32 %%a; call f%d; call f%d; ret; }\n";
    char *text = malloc(FUNCTIONS * sizeof one * 2);
    int n = sprintf(text, "%s.func f%d() { ret; }\n.func f%d() { ret; }\n", PTX_HEAD, FUNCTIONS,
                    FUNCTIONS + 1);
    for (int i = FUNCTIONS; i-- > 0;)
        n += sprintf(text + n, one, i, i + 2, i + 1);
    sprintf(text + n, ".visible .entry k(.param .u64 p)\n{ .reg .pred %%p; setp.eq.u32 %%p, 0, 1;\n"
                      "@%%p call f0; ret; }\n");
    uint32_t d[1] = {0};
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 1);
    free(text);
    CHECK_STR(r.e.text, "");
}

CHECK_MAIN("lower", TEST(an_inner_register_hides_an_outer_one_of_the_same_name),
           TEST(labels_may_repeat_in_different_scopes),
           TEST(ranges_whose_names_end_in_digits_do_not_collide),
           TEST(vector_registers_have_components),
           TEST(names_that_are_not_declared_are_refused_with_their_line),
           TEST(wrong_operands_are_refused), TEST(unknown_opcodes_are_named),
           TEST(registers_pack_into_wider_ones_and_back),
           TEST(registers_wider_than_the_access_take_its_sign),
           TEST(literals_of_every_kind_reach_the_instruction),
           TEST(variables_have_addresses_in_their_spaces),
           TEST(parameters_can_be_read_by_a_computed_address),
           TEST(registers_per_thread_are_the_most_live_at_once),
           TEST(values_that_live_through_a_loop_keep_their_registers),
           TEST(a_guarded_write_keeps_the_old_value_alive),
           TEST(values_of_other_lanes_survive_registers_of_another_width),
           TEST(a_value_survives_a_block_that_stands_before_its_definition),
           TEST(where_a_guard_is_false_the_old_value_stays),
           TEST(calls_that_meet_again_and_again_are_laid_out_in_no_time))
