#include "check.h"
#include "rig/ptx_rig.h"

#include <string.h>

#define LANES 32

static void lanes_that_part_at_a_branch_each_take_their_own_way(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; .reg .b32 %v;\n"
                                                     "setp.lt.u32 %p, %tid, 10;\n"
                                                     "@%p bra LOW;\n"
                                                     "add.u32 %v, %tid, 1000;\n"
                                                     "bra MEET;\n"
                                                     "LOW: add.u32 %v, %tid, 2000;\n"
                                                     "MEET: st.global.u32 [%at], %v;\n"
                                                     "ret;")},
                d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i + (i < 10 ? 2000 : 1000));
}

static void the_store_behind_a_branch_is_executed_once_for_all_lanes(void)
{
    uint32_t d[LANES] = {0}, one[LANES] = {0};
    const char *text = PTX_KERNEL(".reg .pred %p; .reg .b32 %v;\n"
                                  "setp.lt.u32 %p, %tid, 10;\n"
                                  "@%p bra LOW;\n"
                                  "add.u32 %v, %tid, 1;\n"
                                  "bra MEET;\n"
                                  "LOW: add.u32 %v, %tid, 2;\n"
                                  "MEET: st.global.u32 [%at], %v;\n"
                                  "ret;");
    struct ptx_result both = ptx_run((struct ptx_case){.text = text}, d, LANES);
    struct ptx_result few = ptx_run((struct ptx_case){.text = text, .block = 8}, one, LANES);
    CHECK(both.ok && few.ok);
    /* Divergence adds only the other side: add and bra. */
    CHECK_EQ(both.info.warp_insns, few.info.warp_insns + 2);
    CHECK_EQ(both.info.global_stores, 1);
}

static void a_loop_runs_as_often_as_its_longest_lane(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; .reg .b32 %i, %s;\n"
                                                     "mov.u32 %i, 0; mov.u32 %s, 0;\n"
                                                     "LOOP: add.u32 %s, %s, %i;\n"
                                                     "add.u32 %i, %i, 1;\n"
                                                     "setp.le.u32 %p, %i, %tid;\n"
                                                     "@%p bra LOOP;\n"
                                                     "st.global.u32 [%at], %s; ret;")},
                d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i * (i + 1) / 2);
    CHECK_EQ(r.info.warp_insns, 8 + 2 + 32 * 4 + 2);
}

static void loops_in_loops_with_continue_and_break_agree_with_c(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text =
                PTX_KERNEL(".reg .pred %p; .reg .b32 %i, %j, %s, %t;\n"
                           "mov.u32 %i, 0; mov.u32 %s, 0;\n"
                           "OUTER: mov.u32 %j, 0;\n"
                           "INNER: add.u32 %t, %i, %j; add.u32 %t, %t, %tid; rem.u32 %t, %t, 5;\n"
                           "setp.eq.u32 %p, %t, 0; @%p bra NEXT;\n" /* continue */
                           "add.u32 %s, %s, %t;\n"
                           "setp.gt.u32 %p, %s, 90; @%p bra DONE;\n" /* break out of both */
                           "setp.eq.u32 %p, %t, 3; @%p bra LEAVE;\n" /* break */
                           "NEXT: add.u32 %j, %j, 1; setp.lt.u32 %p, %j, 7; @%p bra INNER;\n"
                           "LEAVE: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %tid; @%p bra OUTER;\n"
                           "DONE: st.global.u32 [%at], %s; ret;")},
        d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t tid = 0; tid < LANES; tid++) {
        uint32_t s = 0, i = 0;
        do {
            for (uint32_t j = 0; j < 7; j++) {
                uint32_t t = (i + j + tid) % 5;
                if (t == 0)
                    continue;
                s += t;
                if (s > 90)
                    goto done;
                if (t == 3)
                    break;
            }
        } while (++i < tid);
    done:
        CHECK_EQ(d[tid], s);
    }
}

static void lanes_that_exit_early_leave_the_others_running(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; .reg .b32 %i;\n"
                                                     "mov.u32 %i, 0;\n"
                                                     "LOOP: st.global.u32 [%at], %i;\n"
                                                     "setp.ge.u32 %p, %i, %tid;\n"
                                                     "@%p exit;\n"
                                                     "add.u32 %i, %i, 1;\n"
                                                     "bra LOOP;")},
                d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i);
}

static void a_jump_table_sends_every_lane_to_its_target(void)
{
    uint32_t d[LANES] = {0};
    const char *text = PTX_KERNEL(".reg .b32 %i, %v;\n"
                                  "TABLE: .branchtargets A, B, C;\n"
                                  "rem.u32 %i, %tid, 3;\n"
                                  "brx.idx %i, TABLE;\n"
                                  "A: mov.u32 %v, 10; bra OUT;\n"
                                  "B: mov.u32 %v, 20; bra OUT;\n"
                                  "C: mov.u32 %v, 30;\n"
                                  "OUT: st.global.u32 [%at], %v; ret;");
    struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], 10 * (i % 3 + 1));
    CHECK_EQ(r.info.global_stores, 1);
}

static void a_jump_past_its_table_is_a_fault(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL("TABLE: .branchtargets A, A;\n"
                                                     "brx.idx %tid, TABLE;\n"
                                                     "A: ret;")},
                d, LANES);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK(strstr(r.e.text, "thread (2,0,0)") != NULL);
}

static void guards_keep_single_instructions_from_lanes(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p; .reg .b32 %v;\n"
                                                     "mov.u32 %v, 7;\n"
                                                     "setp.lt.u32 %p, %tid, 4;\n"
                                                     "@%p mov.u32 %v, 8;\n"
                                                     "@!%p add.u32 %v, %v, %tid;\n"
                                                     "st.global.u32 [%at], %v; ret;")},
                d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i < 4 ? 8 : 7 + i);
}

static void a_trap_names_kernel_line_cta_and_thread(void)
{
    uint32_t d[64] = {0};
    struct ptx_result r = ptx_run((struct ptx_case){.text = PTX_KERNEL(".reg .pred %p;\n"
                                                                       "setp.eq.u32 %p, %gid, 37;\n"
                                                                       "@%p trap;\n"
                                                                       "ret;"),
                                                    .grid = 2},
                                  d, 64);
    CHECK_EQ(r.e.status, STATUS_FAILED);
    CHECK_STR(r.e.text, "test.ptx:12: kernel k, CTA (1,0,0), thread (5,0,0): trap");
}

static void a_warp_with_fewer_threads_than_lanes_has_only_those(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r =
        ptx_run((struct ptx_case){.text = PTX_KERNEL("st.global.u32 [%at], 1; ret;"), .block = 5},
                d, LANES);
    CHECK(r.ok);
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i < 5);
    CHECK_EQ(r.info.thread_insns, 5 * r.info.warp_insns);
}

static void an_instruction_budget_ends_an_endless_loop(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_KERNEL(".reg .b32 %i; mov.u32 %i, 0;\n"
                               "LOOP: add.u32 %i, %i, 1; st.global.u32 [%at], %i; bra LOOP;"),
            .max_insns = 100000},
        d, LANES);
    CHECK_EQ(r.e.status, STATUS_BUDGET);
}

static void a_lock_taken_by_one_lane_of_a_warp_is_passed_on_to_all(void)
{
    /* Under a plain reconvergence stack the winners would wait for the spinning losers. */
    uint32_t d[LANES] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 lock; .global .u32 count;\n",
                ".reg .pred %p; .reg .b32 %o, %c;\n"
                "TRY: atom.global.cas.b32 %o, [lock], 0, 1;\n"
                "setp.ne.u32 %p, %o, 0;\n"
                "@%p bra TRY;\n"
                "ld.global.u32 %c, [count]; add.u32 %c, %c, 1; st.global.u32 [count], %c;\n"
                "st.global.u32 [%at], %c;\n"
                "atom.global.exch.b32 %o, [lock], 0;\n"
                "ret;")},
        d, LANES);
    CHECK_STR(r.e.text, "");
    uint32_t seen = 0;
    for (uint32_t i = 0; i < LANES; i++)
        seen |= d[i] >= 1 && d[i] <= 32 ? 1u << (d[i] - 1) : 0;
    CHECK_EQ(seen, UINT32_MAX);
}

static void lanes_meet_again_behind_a_branch_that_could_trap_or_exit(void)
{
    static const char *const leave[] = {"@%q bra BAD;", "@%q trap;", "@%q exit;"};
    for (int k = 0; k < 3; k++) {
        uint32_t d[LANES] = {0};
        char text[2000];
        snprintf(text, sizeof text, "%s%s%s%s", PTX_HEAD PTX_KERNEL_HEAD,
                 ".reg .pred %p, %q; .reg .b32 %v; mov.u32 %v, 1; setp.ge.u32 %p, %tid, 10;\n"
                 "@%p bra JOIN; setp.eq.u32 %q, %tid, 100;",
                 leave[k],
                 "mov.u32 %v, 2; bra JOIN;\nBAD: trap;\n"
                 "JOIN: st.global.u32 [%at], %v; ret;\n}\n");
        struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, LANES);
        CHECK_STR(r.e.text, "");
        CHECK_EQ(d[0] + d[10], 3);
        CHECK_EQ(r.info.global_stores, 1);
    }
}

static void a_lock_taken_in_a_function_is_passed_on_to_all(void)
{
    uint32_t d[LANES] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 lock; .global .u32 count;\n"
                ".func take()\n{ .reg .pred %p; .reg .b32 %o;\n"
                "TRY: atom.global.cas.b32 %o, [lock], 0, 1; setp.ne.u32 %p, %o, 0; @%p bra TRY;\n"
                "ret; }\n",
                ".reg .b32 %o, %c; call take;\n"
                "ld.global.u32 %c, [count]; add.u32 %c, %c, 1; st.global.u32 [count], %c;\n"
                "st.global.u32 [%at], %c; atom.global.exch.b32 %o, [lock], 0; ret;"),
            .no_stream = true},
        d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i + 1);
}

static void of_several_groups_of_lanes_each_gets_its_turn(void)
{
    /* Lanes 0 and 1 spin at places of their own for what the others write where all meet. */
    uint32_t d[LANES] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){
            .text = PTX_WITH(
                ".global .u32 flag;\n",
                ".reg .pred %p, %q; .reg .b32 %v;\n"
                "setp.eq.u32 %p, %tid, 0; setp.eq.u32 %q, %tid, 1; @%p bra A; @%q bra B; bra C;\n"
                "A: ld.volatile.global.u32 %v, [flag]; setp.eq.u32 %p, %v, 0; @%p bra A; bra OUT;\n"
                "B: ld.volatile.global.u32 %v, [flag]; setp.eq.u32 %p, %v, 0; @%p bra B; bra OUT;\n"
                "C: mov.u32 %v, 1;\n"
                "OUT: st.global.u32 [flag], 5; st.global.u32 [%at], %v; ret;")},
        d, LANES);
    CHECK_STR(r.e.text, "");
    for (uint32_t i = 0; i < LANES; i++)
        CHECK_EQ(d[i], i < 2 ? 5 : 1);
}

CHECK_MAIN("warp", TEST(lanes_that_part_at_a_branch_each_take_their_own_way),
           TEST(the_store_behind_a_branch_is_executed_once_for_all_lanes),
           TEST(a_loop_runs_as_often_as_its_longest_lane),
           TEST(loops_in_loops_with_continue_and_break_agree_with_c),
           TEST(lanes_that_exit_early_leave_the_others_running),
           TEST(a_jump_table_sends_every_lane_to_its_target),
           TEST(a_jump_past_its_table_is_a_fault), TEST(guards_keep_single_instructions_from_lanes),
           TEST(a_trap_names_kernel_line_cta_and_thread),
           TEST(a_warp_with_fewer_threads_than_lanes_has_only_those),
           TEST(an_instruction_budget_ends_an_endless_loop),
           TEST(a_lock_taken_by_one_lane_of_a_warp_is_passed_on_to_all),
           TEST(lanes_meet_again_behind_a_branch_that_could_trap_or_exit),
           TEST(a_lock_taken_in_a_function_is_passed_on_to_all),
           TEST(of_several_groups_of_lanes_each_gets_its_turn))
