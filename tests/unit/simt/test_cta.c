#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

static void a_barrier_lets_no_warp_read_before_all_have_written(void)
{
    uint32_t d[256] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(".shared .align 4 .b8 s[1024]; .reg .b32 %a, %v, %o;\n"
                               "shl.b32 %a, %tid, 2; mov.u32 %o, s; add.u32 %a, %a, %o;\n"
                               "st.shared.u32 [%a], %gid;\n"
                               "bar.sync 0;\n"
                               "sub.u32 %v, 255, %tid; shl.b32 %v, %v, 2; add.u32 %v, %v, %o;\n"
                               "ld.shared.u32 %v, [%v];\n"
                               "st.global.u32 [%at], %v; ret;"),
            .block = 256,
            .check = true},
        d, 256);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 256; i++)
        CHECK_EQ(d[i], 255 - i);
}

static void barriers_in_a_loop_count_anew_each_time(void)
{
    /* Each round every thread adds its right neighbour's value of the round before. */
    uint32_t d[64] = {0}, want[64], old[64];
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(
                ".shared .align 4 .b8 s[256]; .reg .b32 %a, %b, %v, %w, %i; .reg .pred %p;\n"
                "shl.b32 %a, %tid, 2; add.u32 %b, %tid, 1; and.b32 %b, %b, 63; shl.b32 %b, %b, 2;\n"
                "mov.u32 %v, %tid; mov.u32 %i, 0;\n"
                "LOOP: st.shared.u32 [%a], %v; bar.sync 1;\n"
                "ld.shared.u32 %w, [%b]; bar.sync 1;\n"
                "add.u32 %v, %v, %w; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 5; @%p bra LOOP;\n"
                "st.global.u32 [%at], %v; ret;"),
            .block = 64},
        d, 64);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 64; i++)
        want[i] = i;
    for (int round = 0; round < 5; round++) {
        memcpy(old, want, sizeof old);
        for (uint32_t i = 0; i < 64; i++)
            want[i] += old[(i + 1) & 63];
    }
    for (uint32_t i = 0; i < 64; i++)
        CHECK_EQ(d[i], want[i]);
}

static void warps_that_have_exited_are_not_waited_for(void)
{
    uint32_t d[128] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; setp.ge.u32 %p, %tid, 64; @%p exit;\n"
                                             "bar.sync 0; st.global.u32 [%at], 1; ret;"),
                          .block = 128},
        d, 128);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0] + d[63], 2);
    CHECK_EQ(d[64] + d[127], 0);
}

static void a_barrier_for_some_threads_pairs_producers_and_consumers(void)
{
    /* Warp 0 produces and only arrives; warp 1 waits; warps 2 and 3 do not take part. */
    uint32_t d[128] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(
                ".shared .align 4 .b8 s[128]; .reg .b32 %a, %w, %v; .reg .pred %p;\n"
                "shr.u32 %w, %tid, 5; and.b32 %a, %tid, 31; shl.b32 %a, %a, 2;\n"
                "setp.eq.u32 %p, %w, 1; @%p bra CONSUME;\n"
                "setp.ne.u32 %p, %w, 0; @%p exit;\n"
                "add.u32 %v, %tid, 100; st.shared.u32 [%a], %v; bar.arrive 3, 64; exit;\n"
                "CONSUME: bar.sync 3, 64; ld.shared.u32 %v, [%a]; st.global.u32 [%at], %v; ret;"),
            .block = 128,
            .check = true},
        d, 128);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 32; i++)
        CHECK_EQ(d[32 + i], 100 + i);
}

static void a_reducing_barrier_counts_all_and_any(void)
{
    uint32_t d[96] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(
                                      ".reg .pred %p, %q, %a, %o; .reg .b32 %c, %v;\n"
                                      "setp.lt.u32 %p, %tid, 40; setp.lt.u32 %q, %tid, 96;\n"
                                      "barrier.red.popc.u32 %c, 0, %p;\n"
                                      "bar.red.and.pred %a, 0, %q; @!%a add.u32 %c, %c, 1000;\n"
                                      "bar.red.or.pred %o, 2, !%q; @%o add.u32 %c, %c, 2000;\n"
                                      "bar.cta.red.and.pred %a, 0, %p; @!%a add.u32 %c, %c, 4000;\n"
                                      "st.global.u32 [%at], %c; ret;"),
                                  .block = 96},
                d, 96);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 96; i++)
        CHECK_EQ(d[i], 4040);
}

static void warps_at_different_barriers_are_a_deadlock_with_places(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; setp.lt.u32 %p, %tid, 32; @%p bra A;\n"
                                             "bar.sync 1; ret;\n"
                                             "A: bar.sync 2; ret;"),
                          .block = 64},
        d, 64);
    CHECK_EQ(r.e.status, STATUS_DEADLOCK);
    CHECK_STR(r.e.text, "kernel k, CTA (0,0,0): barriers never complete: warp 0 at barrier 2 "
                        "(test.ptx:12), warp 1 at barrier 1 (test.ptx:11)");
}

static void a_barrier_in_divergent_code_is_found_under_check(void)
{
    uint32_t d[32] = {0};
    struct ptx_case c = {.text =
                             PTX_KERNEL(".reg .pred %p; setp.lt.u32 %p, %tid, 7; @!%p bra OUT;\n"
                                        "bar.sync 0;\n"
                                        "OUT: st.global.u32 [%at], 1; ret;")};
    CHECK(ptx_run(c, d, 32).ok);
    c.check = true;
    struct ptx_result r = ptx_run(c, d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK(strstr(r.e.text, "divergent") != NULL);
}

static void threads_that_return_before_a_barrier_are_no_misuse(void)
{
    uint32_t d[64] = {0};
    const char *const ways[] = {
        PTX_KERNEL(".reg .pred %p; setp.ge.u32 %p, %tid, 40; @%p bra LAST;\n"
                   "bar.sync 0; st.global.u32 [%at], 1; bar.sync 0; LAST: ret;"),
        PTX_KERNEL(".reg .pred %p; setp.ge.u32 %p, %tid, 40; @!%p bra BODY; ret;\n"
                   "BODY: bar.sync 0; st.global.u32 [%at], 1; bar.sync 0; ret;"),
        PTX_KERNEL(".reg .pred %p; setp.ge.u32 %p, %tid, 40; @%p ret;\n"
                   "bar.sync 0; st.global.u32 [%at], 1; bar.sync 0; ret;"),
    };
    for (int i = 0; i < 3; i++) {
        struct ptx_result r =
            ptx_run((struct ptx_case){.text = ways[i], .block = 64, .check = true}, d, 64);
        CHECK_STR(r.e.text, "");
        CHECK_EQ(d[39], 1);
        CHECK_EQ(d[40], 0);
    }
}

static void barrier_operands_out_of_range_are_faults(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL("bar.sync 16; ret;")}, d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    r = ptx_run((struct ptx_case){.text = PTX_KERNEL("bar.sync 0, 33; ret;")}, d, 32);
    CHECK_EQ(r.e.status, STATUS_FAILED);
}

static void special_registers_say_where_a_thread_is(void)
{
    uint32_t d[3 * 64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(
                ".reg .b32 %v, %x; .reg .pred %p;\n"
                "mov.u32 %v, %laneid; mov.u32 %x, %warpid; mad.lo.u32 %v, %x, 32, %v;\n"
                "mov.u32 %x, %nctaid.x; mad.lo.u32 %v, %x, 1000, %v;\n"
                "mov.u32 %x, %ctaid.x; mad.lo.u32 %v, %x, 10000, %v;\n"
                "mov.u32 %x, %lanemask_lt; popc.b32 %x, %x; mad.lo.u32 %v, %x, 100000, %v;\n"
                "mov.u32 %x, %ntid.y; mad.lo.u32 %v, %x, 10000000, %v;\n"
                "st.global.u32 [%at], %v; ret;"),
            .grid = 3,
            .block = 64},
        d, 192);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 192; i++)
        CHECK_EQ(d[i], i % 64 + 3000 + i / 64 * 10000 + i % 32 * 100000 + 10000000);
}

static void clocks_count_executed_instructions(void)
{
    uint32_t d[32] = {0}, again[32] = {0};
    struct ptx_case c = {.text = PTX_KERNEL(".reg .b32 %v, %w; mov.u32 %v, %clock; bar.sync 0; "
                                            "mov.u32 %w, %clock; sub.u32 %v, %w, %v;\n"
                                            "st.global.u32 [%at], %v; ret;")};
    CHECK(ptx_run(c, d, 32).ok && ptx_run(c, again, 32).ok);
    CHECK(d[0] > 0 && d[0] < 20);
    CHECK_EQ(d[0], again[0]);
}

/* Lanes 0 to 9 write, lane 3 leaves instead; what they wrote is read across the warp. */
#define WRITE_OR_LEAVE(leave)                                                                      \
    PTX_KERNEL(".shared .align 4 .b8 s[128]; .reg .pred %p, %q; .reg .b32 %a, %v;\n"               \
               "shl.b32 %a, %tid, 2; st.shared.u32 [%a], 0; bar.sync 0;\n"                         \
               "setp.ge.u32 %p, %tid, 10; @%p bra JOIN; setp.eq.u32 %q, %tid, 3; @%q " leave ";\n" \
               "st.shared.u32 [%a], 7;\n"                                                          \
               "JOIN: bar.sync 0; xor.b32 %a, %a, 124; ld.shared.u32 %v, [%a];\n"                  \
               "st.global.u32 [%at], %v;\n"                                                        \
               "LAST: ret;")

static void a_barrier_waits_for_lanes_of_the_warp_that_are_elsewhere(void)
{
    static const char *const text[] = {WRITE_OR_LEAVE("exit"), WRITE_OR_LEAVE("bra LAST")};
    for (int k = 0; k < 2; k++) {
        uint32_t d[32] = {0};
        struct ptx_result r = ptx_run((struct ptx_case){.text = text[k], .check = k == 0}, d, 32);
        CHECK_STR(r.e.text, "");
        for (uint32_t i = 0; i < 32; i++)
            CHECK_EQ(d[i], i >= 22 && i != 28 ? 7 : 0);
        CHECK_EQ(r.info.global_stores, 1);
    }
}

static void the_whole_cta_may_be_counted_or_not(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; setp.lt.u32 %p, %tid, 32;\n"
                                                     "@%p bra A; bar.sync 0, 64; bra B;\n"
                                                     "A: bar.sync 0;\n"
                                                     "B: st.global.u32 [%at], 1; ret;"),
                                  .block = 64},
                d, 64);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0] + d[63], 2);
}

static void the_size_of_dynamic_shared_memory_is_that_of_the_launch(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_KERNEL(".shared .u32 x; .reg .b32 %v; st.shared.u32 [x], 1;\n"
                                             "mov.u32 %v, %dynamic_smem_size;\n"
                                             "st.global.u32 [%at], %v; ret;"),
                          .shared = 20},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0], 20);
}

CHECK_MAIN("cta", TEST(a_barrier_lets_no_warp_read_before_all_have_written),
           TEST(barriers_in_a_loop_count_anew_each_time),
           TEST(warps_that_have_exited_are_not_waited_for),
           TEST(a_barrier_for_some_threads_pairs_producers_and_consumers),
           TEST(a_reducing_barrier_counts_all_and_any),
           TEST(warps_at_different_barriers_are_a_deadlock_with_places),
           TEST(a_barrier_in_divergent_code_is_found_under_check),
           TEST(threads_that_return_before_a_barrier_are_no_misuse),
           TEST(barrier_operands_out_of_range_are_faults),
           TEST(special_registers_say_where_a_thread_is), TEST(clocks_count_executed_instructions),
           TEST(a_barrier_waits_for_lanes_of_the_warp_that_are_elsewhere),
           TEST(the_whole_cta_may_be_counted_or_not),
           TEST(the_size_of_dynamic_shared_memory_is_that_of_the_launch))
