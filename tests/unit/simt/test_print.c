#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

#define DECLARE ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
#define PRINT                                                                                      \
    "{ .param .b64 p0; .param .b64 p1; .param .b32 r0; .reg .b64 %f; mov.u64 %f, text;\n"          \
    "cvta.global.u64 %f, %f; st.param.b64 [p0], %f; st.param.b64 [p1], %g;\n"                      \
    "call.uni (r0), vprintf, (p0, p1); }\n"

static void printf_writes_every_kind_of_argument_lane_by_lane(void)
{
    /* "%d %u %x %c %5.2f %lld %s|%%" */
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                DECLARE ".global .align 1 .b8 text[] = "
                        "{37,100,32,37,117,32,37,120,32,37,99,32,37,53,46,50,102,32,"
                        "37,108,108,100,32,37,115,124,37,37,10,0};\n"
                        ".global .align 1 .b8 word[4] = {97, 98, 99, 0};\n",
                ".local .align 8 .b8 args[48]; .reg .b64 %g, %w; .reg .f64 %x; .reg .b32 %s;\n"
                "neg.s32 %s, %tid; st.local.u32 [args], %s; st.local.u32 [args+4], 4000000000;\n"
                "st.local.u32 [args+8], 255; st.local.u32 [args+12], 90; mov.f64 %x, "
                "0d4009000000000000;\n"
                "st.local.f64 [args+16], %x; mov.u64 %w, -5000000000; st.local.u64 [args+24], %w;\n"
                "mov.u64 %w, word; st.local.u64 [args+32], %w;\n"
                "mov.u64 %g, args; cvta.local.u64 %g, %g;\n" PRINT "ret;"),
            .block = 2},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_STR(r.printed, "0 4000000000 ff Z  3.12 -5000000000 abc|%\n"
                         "-1 4000000000 ff Z  3.12 -5000000000 abc|%\n");
}

static void printf_of_a_wild_pointer_is_a_fault(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text =
                PTX_WITH(DECLARE ".global .align 1 .b8 text[] = {37,115,0};\n",
                         ".local .align 8 .b8 args[8]; .reg .b64 %g; st.local.u64 [args], 4096;\n"
                         "mov.u64 %g, args; cvta.local.u64 %g, %g;\n" PRINT "ret;")},
        d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK(strstr(r.e.text, "printf") != NULL);
}

static void a_failed_assertion_stops_with_its_text(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param "
                ".b64 n,"
                " .param .b64 c);\n"
                ".global .align 1 .b8 text[] = {110,32,62,32,48,0};\n",
                ".reg .pred %p; .reg .b64 %f; setp.ne.u32 %p, %tid, 3; @%p bra OK;\n"
                "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 e; .param .b64 g;\n"
                "mov.u64 %f, text; st.param.b64 [a], %f; st.param.b64 [b], %f; st.param.b32 [c], "
                "12;\n"
                "st.param.b64 [e], %f; st.param.b64 [g], 1;\n"
                "call __assertfail, (a, b, c, e, g); }\n"
                "OK: ret;")},
        d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK(strstr(r.e.text, "thread (3,0,0): assertion failed: n > 0") != NULL);
}

CHECK_MAIN("print", TEST(printf_writes_every_kind_of_argument_lane_by_lane),
           TEST(printf_of_a_wild_pointer_is_a_fault), TEST(a_failed_assertion_stops_with_its_text))
