#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

#define WAIT_FOR(place, value)                                                                     \
    "SPIN: ld.volatile.global.u32 %v, [" place "]; setp.ne.u32 %p, %v, " value "; @%p bra SPIN;\n"

static void ctas_execute_in_order_of_their_ids(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 turn;\n",
                ".reg .b32 %v; atom.global.add.u32 %v, [turn], 1; st.global.u32 [%at], %v; ret;"),
            .grid = 64,
            .block = 1},
        d, 64);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < 64; i++)
        CHECK_EQ(d[i], i);
    CHECK(!r.info.has_grid_spin);
}

static void a_cta_that_waits_for_a_later_one_is_set_aside_and_flagged(void)
{
    uint32_t d[4] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 flag;\n",
                ".reg .pred %p; .reg .b32 %v;\n"
                "setp.eq.u32 %p, %gid, 3; @%p bra SET;\n" WAIT_FOR(
                    "flag", "7") "add.u32 %v, %v, %gid; st.global.u32 [%at], %v; ret;\n"
                                 "SET: st.global.u32 [flag], 7; st.global.u32 [%at], 1; ret;"),
            .grid = 4,
            .block = 1},
        d, 4);
    CHECK_STR(r.e.text, "");
    CHECK(r.info.has_grid_spin);
    CHECK_EQ(d[0], 7);
    CHECK_EQ(d[1], 8);
    CHECK_EQ(d[2], 9);
    CHECK_EQ(d[3], 1);
}

/* The barrier of a cooperative launch: the last CTA to arrive lets all go. */
static void a_barrier_of_the_whole_grid_works_many_times(void)
{
    uint32_t d[8 * 64] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text =
                PTX_WITH(".global .u32 arrived;\n",
                         ".reg .pred %p; .reg .b32 %v, %o, %round, %goal; \n"
                         "mov.u32 %round, 1;\n"
                         "ROUND: bar.sync 0; setp.ne.u32 %p, %tid, 0; @%p bra WAITED;\n"
                         "mul.lo.u32 %goal, %round, 8;\n"
                         "atom.global.add.u32 %o, [arrived], 1;\n"
                         "SPIN: ld.volatile.global.u32 %v, [arrived]; nanosleep.u32 20;\n"
                         "setp.lt.u32 %p, %v, %goal; @%p bra SPIN;\n"
                         "WAITED: bar.sync 0; ld.global.u32 %v, [%at]; add.u32 %v, %v, %round;\n"
                         "st.global.u32 [%at], %v; add.u32 %round, %round, 1;\n"
                         "setp.le.u32 %p, %round, 5; @%p bra ROUND; ret;"),
            .grid = 8,
            .block = 64},
        d, 512);
    CHECK_STR(r.e.text, "");
    CHECK(r.info.has_grid_spin);
    for (uint32_t i = 0; i < 512; i++)
        CHECK_EQ(d[i], 15);
}

static void warps_of_one_cta_may_wait_for_one_another(void)
{
    uint32_t d[128] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(
                ".shared .align 4 .u32 flag; .reg .pred %p; .reg .b32 %v;\n"
                "setp.ge.u32 %p, %tid, 96; @%p bra SET;\n"
                "SPIN: ld.volatile.shared.u32 %v, [flag]; setp.eq.u32 %p, %v, 0; @%p bra SPIN;\n"
                "st.global.u32 [%at], %v; ret;\n"
                "SET: st.volatile.shared.u32 [flag], 5; ret;"),
            .block = 128},
        d, 128);
    CHECK_STR(r.e.text, "");
    CHECK(!r.info.has_grid_spin);
    CHECK_EQ(d[0] + d[95], 10);
}

static void ctas_that_wait_for_what_nobody_writes_are_diagnosed(void)
{
    uint32_t d[4] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(".global .u32 flag;\n",
                             ".reg .pred %p; .reg .b32 %v;\n" WAIT_FOR("flag", "7") "ret;"),
            .grid = 4,
            .block = 1},
        d, 4);
    CHECK_EQ(r.e.status, STATUS_DEADLOCK);
    CHECK_STR(r.e.text, "kernel k: 4 CTAs wait for memory that none of them will write; the first: "
                        "CTA (0,0,0) warp 0 at test.ptx:12");
}

static void a_poll_that_counts_its_rounds_lets_the_others_have_a_turn(void)
{
    uint32_t d[3] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_WITH(".global .u32 flag;\n",
                                           ".reg .pred %p; .reg .b32 %v, %i; mov.u32 %i, 0;\n"
                                           "setp.eq.u32 %p, %gid, 2; @%p bra SET;\n"
                                           "SPIN: add.u32 %i, %i, 1; ld.volatile.global.u32 %v, "
                                           "[flag]; setp.eq.u32 %p, %v, 0;\n"
                                           "@%p bra SPIN; st.global.u32 [%at], %v; ret;\n"
                                           "SET: st.global.u32 [flag], 7; ret;"),
                          .grid = 3,
                          .block = 1,
                          .no_stream = true},
        d, 3);
    CHECK_STR(r.e.text, "");
    CHECK(r.info.has_grid_spin);
    CHECK_EQ(d[0] + d[1], 14);
}

static void a_poll_that_keeps_its_variables_in_local_memory_is_a_spin(void)
{
    /* As compilers write it without optimisation: every variable behind a generic pointer. */
    uint32_t d[3] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 flag;\n",
                ".local .align 4 .b8 stack[8]; .reg .b64 %s; .reg .pred %p; .reg .b32 %v;\n"
                "mov.u64 %s, stack; cvta.local.u64 %s, %s; setp.eq.u32 %p, %gid, 2; @%p bra SET;\n"
                "SPIN: st.u32 [%s], 0; ld.volatile.global.u32 %v, [flag]; st.u32 [%s], %v;\n"
                "ld.u32 %v, [%s]; setp.eq.u32 %p, %v, 0; @%p bra SPIN; st.global.u32 [%at], %v; "
                "ret;\n"
                "SET: st.global.u32 [flag], 7; ret;"),
            .grid = 3,
            .block = 1},
        d, 3);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0] + d[1], 14);
    CHECK(r.info.warp_insns < 100000);
}

static void a_long_loop_that_only_computes_is_no_spin(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(".reg .pred %p; .reg .b32 %i, %v; mov.u32 %i, 0; mov.u32 %v, %tid;\n"
                               "LOOP: mad.lo.u32 %v, %v, 1664525, 1013904223; add.u32 %i, %i, 1;\n"
                               "setp.lt.u32 %p, %i, 300000; @%p bra LOOP;\n"
                               "st.global.u32 [%at], %v; ret;"),
            .no_stream = true},
        d, 32);
    CHECK_STR(r.e.text, "");
    uint32_t v = 5;
    for (int i = 0; i < 300000; i++)
        v = v * 1664525 + 1013904223;
    CHECK_EQ(d[5], v);
    CHECK(!r.info.has_grid_spin);
}

static void a_loop_that_returns_to_an_old_state_but_stores_is_no_spin(void)
{
    /* The registers repeat every 4 rounds while a counter in memory ends the loop. */
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 count;\n",
                ".reg .pred %p; .reg .b32 %i, %v; mov.u32 %i, 0;\n"
                "LOOP: add.u32 %i, %i, 1; and.b32 %i, %i, 3; mov.u32 %v, 0;\n"
                "ld.global.u32 %v, [count]; add.u32 %v, %v, 1; st.global.u32 [count], %v;\n"
                "setp.lt.u32 %p, %v, 20000; mov.u32 %v, 0; @%p bra LOOP;\n"
                "st.global.u32 [%at], %i; ret;"),
            .no_stream = true,
            .block = 1},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0], 20000 & 3);
}

static void the_stream_and_the_results_do_not_depend_on_the_handlers(void)
{
    uint32_t d[64] = {0}, p[64] = {0};
    struct ptx_case c = {
        .text = PTX_KERNEL(
            ".reg .f32 %f; .reg .b32 %v; cvt.rn.f32.u32 %f, %gid; sqrt.rn.f32 %f, %f;\n"
            "fma.rn.f32 %f, %f, %f, 0f3F800000; mov.b32 %v, %f; st.global.u32 [%at], %v; ret;"),
        .grid = 2};
    struct ptx_result a = ptx_run(c, d, 64);
    c.portable = true;
    struct ptx_result b = ptx_run(c, p, 64);
    CHECK(a.ok && b.ok);
    CHECK(memcmp(d, p, sizeof d) == 0);
    CHECK_EQ(a.info.stream_bytes, b.info.stream_bytes);
    CHECK(a.info.stream_bytes > 0);
}

/* In each the registers repeat, and yet there is an end. */
static void loops_that_count_elsewhere_than_in_registers_are_no_spins(void)
{
    static const char *const text[] = {
        PTX_KERNEL(".local .align 4 .b8 c[4]; .reg .pred %p; .reg .b32 %i, %j;\n"
                   "LOOP: ld.local.u32 %i, [c]; add.u32 %j, %i, 1; st.local.u32 [c], %j;\n"
                   "setp.lt.u32 %p, %j, 20000; mov.u32 %i, 0; mov.u32 %j, 0; @%p bra LOOP;\n"
                   "st.global.u32 [%at], 5; ret;"),
        PTX_KERNEL(".reg .pred %p; .reg .b32 %i;\n"
                   "LOOP: mov.u32 %i, %clock; setp.lt.u32 %p, %i, 50000; mov.u32 %i, 0;\n"
                   "@%p bra LOOP; st.global.u32 [%at], 5; ret;"),
        /* the other warp counts the rounds */
        PTX_KERNEL(".shared .align 4 .u32 f; .reg .pred %p; .reg .b32 %i, %v; mov.u32 %i, 0;\n"
                   "setp.ge.u32 %p, %tid, 32; @%p bra COUNT;\n"
                   "WAIT: bar.sync 0; bar.sync 1; ld.volatile.shared.u32 %v, [f];\n"
                   "setp.eq.u32 %p, %v, 0; @%p bra WAIT; st.global.u32 [%at], %v; ret;\n"
                   "COUNT: bar.sync 0; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 9000; @%p bra ON;\n"
                   "st.shared.u32 [f], 5;\n"
                   "ON: bar.sync 1; @%p bra COUNT; ret;"),
    };
    for (int k = 0; k < 3; k++) {
        uint32_t d[64] = {0};
        struct ptx_result r = ptx_run(
            (struct ptx_case){.text = text[k], .block = k == 2 ? 64 : 32, .no_stream = true}, d,
            64);
        CHECK_STR(r.e.text, "");
        CHECK_EQ(d[0], 5);
    }
}

CHECK_MAIN("grid", TEST(ctas_execute_in_order_of_their_ids),
           TEST(a_cta_that_waits_for_a_later_one_is_set_aside_and_flagged),
           TEST(a_barrier_of_the_whole_grid_works_many_times),
           TEST(warps_of_one_cta_may_wait_for_one_another),
           TEST(ctas_that_wait_for_what_nobody_writes_are_diagnosed),
           TEST(a_poll_that_counts_its_rounds_lets_the_others_have_a_turn),
           TEST(a_poll_that_keeps_its_variables_in_local_memory_is_a_spin),
           TEST(a_long_loop_that_only_computes_is_no_spin),
           TEST(a_loop_that_returns_to_an_old_state_but_stores_is_no_spin),
           TEST(the_stream_and_the_results_do_not_depend_on_the_handlers),
           TEST(loops_that_count_elsewhere_than_in_registers_are_no_spins))
