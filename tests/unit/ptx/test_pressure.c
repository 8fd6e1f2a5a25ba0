/* Registers that an assembler would need: one case for each thing it does about PTX.
 *
 * Values are kept apart by a loop that does nothing (KEEP): what is made before it and used
 * after it lives through it, wherever instructions are moved. */
#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

#define KEEP "L: setp.gt.u32 %p, %tid, 100; @%p bra L;\n"

/* As PTX_KERNEL_HEAD, but as compilers write it: every register is written once. */
static const char head[] =
    PTX_HEAD ".shared .align 4 .b8 s[256];\n.visible .entry k(.param .u64 p_buf)\n{\n"
             ".reg .b64 %raw, %buf, %off, %at, %d<99>; .reg .b32 %tid, %a<99>; .reg .f32 %f<99>;\n"
             ".reg .pred %p;\n"
             "ld.param.u64 %raw, [p_buf]; cvta.to.global.u64 %buf, %raw; mov.u32 %tid, %tid.x;\n"
             "mul.wide.u32 %off, %tid, 4; add.s64 %at, %buf, %off;\n";

/* Registers of a kernel that makes values (`before`), keeps them and uses them (`after`). */
static uint32_t count(const char *before, const char *after)
{
    char text[16384];
    uint32_t d[64] = {0};
    snprintf(text, sizeof text, "%s%s%s%s%s ret;\n}\n", head, before, KEEP, after,
             "st.global.u32 [%at], %tid;");
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 64);
    CHECK_STR(r.e.text, "");
    return r.regs_per_thread;
}

/* %at (a pair), %tid and the stack pointer. */
enum { ALWAYS = 4 };

static void values_that_are_kept_count(void)
{
    CHECK_EQ(count("", ""), ALWAYS);
    CHECK_EQ(count("add.u32 %a0, %tid, 1; mul.lo.u32 %a1, %tid, %tid;",
                   "st.global.u32 [%at], %a0; st.global.u32 [%at], %a1;"),
             ALWAYS + 2);
    CHECK_EQ(count("mul.wide.u32 %d0, %tid, %tid;", "st.global.u64 [%buf], %d0;"), ALWAYS + 2);
}

static void what_can_be_read_in_place_does_not(void)
{
    CHECK_EQ(count("mov.u32 %a0, 77; mov.f32 %f0, 0f3F800000; mov.u32 %a1, %nctaid.x;\n"
                   "mov.u64 %d0, s; ld.param.u64 %d1, [p_buf]; cvta.to.global.u64 %d2, %d1;",
                   "st.global.u32 [%at], %a0; st.global.f32 [%at], %f0; st.global.u32 [%at], %a1;\n"
                   "st.shared.u32 [%d0], %a0; st.global.u32 [%d2], %a0;"),
             ALWAYS);
    /* Where a thread is has to be read once. */
    CHECK_EQ(count("mov.u32 %a0, %ctaid.y;", "st.global.u32 [%at], %a0;"), ALWAYS + 1);
}

static void what_becomes_part_of_its_users_does_not(void)
{
    CHECK_EQ(count("add.s64 %d0, %at, 4096;", "ld.global.u32 %a0, [%d0+-4096];\n"
                                              "st.global.u32 [%at], %a0;"),
             ALWAYS + 1); /* the loaded value; %d0 as well would be 6 */
    CHECK_EQ(count("cvt.rn.f32.u32 %f0, %tid; neg.f32 %f1, %f0;",
                   "st.global.f32 [%at], %f0; st.global.f32 [%at], %f1;"),
             ALWAYS + 1);
    /* An index is scaled by the addition that makes an address of it: through the loop go no pairs
     * but %at, and behind it two addresses at a time. */
    CHECK_EQ(count("mul.wide.u32 %d0, %tid, 4; mul.wide.u32 %d1, %tid, 8; cvt.u64.u32 %d2, %tid;",
                   "add.s64 %d3, %buf, %d0; st.global.u32 [%d3], %tid;\n"
                   "shl.b64 %d4, %d2, 2; add.s64 %d5, %buf, %d4; st.global.u32 [%d5], %tid;\n"
                   "@%p bra N; add.s64 %d6, %buf, %d1; @%p st.global.u32 [%d6], %tid; N:"),
             ALWAYS + 4);
}

static void addresses_of_shared_memory_have_32_bits(void)
{
    const char *make = "mul.wide.u32 %d0, %tid, 4; mov.u64 %d1, s; add.s64 %d2, %d1, %d0;";
    CHECK_EQ(count(make, "st.shared.u32 [%d2], %tid;"), ALWAYS + 1);
    CHECK_EQ(count(make, "st.shared.u32 [%d2], %tid; st.global.u64 [%buf], %d2;"), ALWAYS + 2);
}

static void predicates_do_not_count(void)
{
    CHECK_EQ(count(".reg .pred %q; setp.gt.u32 %q, %tid, 5;", "@%q st.global.u32 [%at], %tid;"),
             ALWAYS);
}

static void a_result_takes_the_place_of_an_operand(void)
{
    char text[4096] = "add.u32 %a0, %tid, 1;";
    for (int i = 0; i < 20; i++)
        sprintf(text + strlen(text), "mul.lo.u32 %%a%d, %%a%d, %%a%d;", i + 1, i, i);
    CHECK_EQ(count(text, "st.global.u32 [%at], %a20;"), ALWAYS + 1);
}

static void loads_gather_ahead_of_what_uses_them(void)
{
    char text[8192] = "";
    for (int i = 0; i < 16; i++)
        sprintf(text + strlen(text),
                "ld.global.u32 %%a%d, [%%buf+%d]; add.u32 %%a98, %%a98, %%a%d;", i, 4 * i, i);
    uint32_t few = count("", text);
    CHECK_EQ(few, ALWAYS + 16 + 1); /* and their sum */
    *text = 0;                      /* but not without end */
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text),
                "ld.global.u32 %%a%d, [%%buf+%d]; add.u32 %%a98, %%a98, %%a%d;", i, 4 * (i % 32),
                i);
    uint32_t many = count("", text);
    CHECK(many >= 40 && many <= 44);
}

static void division_is_a_subroutine(void)
{
    const char *use = "st.global.f32 [%at], %f2;";
    uint32_t product = count("cvt.rn.f32.u32 %f0, %tid; mul.rn.f32 %f2, %f0, %f0;", use);
    uint32_t quotient = count("cvt.rn.f32.u32 %f0, %tid; div.rn.f32 %f2, %f0, %f0;", use);
    CHECK(quotient >= product + 6 && quotient <= product + 9);
}

static void a_kernel_may_say_how_many_it_wants(void)
{
    char text[8192] = PTX_HEAD ".visible .entry k(.param .u64 p_buf) .maxnreg 24\n"
                               "{ .reg .b64 %b; .reg .b32 %t, %a<64>; .reg .pred %p;\n"
                               "ld.param.u64 %b, [p_buf]; mov.u32 %t, %tid.x;\n";
    uint32_t d[32] = {0};
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text), "add.u32 %%a%d, %%t, %d;", i, i);
    strcat(text, "L: setp.gt.u32 %p, %t, 100; @%p bra L;\n");
    for (int i = 0; i < 64; i++)
        sprintf(text + strlen(text), "st.global.u32 [%%b], %%a%d;", i);
    strcat(text, "ret; }\n");
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(r.regs_per_thread, 24);
}

CHECK_MAIN("pressure", TEST(values_that_are_kept_count), TEST(what_can_be_read_in_place_does_not),
           TEST(what_becomes_part_of_its_users_does_not),
           TEST(addresses_of_shared_memory_have_32_bits), TEST(predicates_do_not_count),
           TEST(a_result_takes_the_place_of_an_operand), TEST(loads_gather_ahead_of_what_uses_them),
           TEST(division_is_a_subroutine), TEST(a_kernel_may_say_how_many_it_wants))
