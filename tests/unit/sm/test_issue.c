/* The cycle of an SM: scoreboard, pipelines, fetching, in cycles counted from the first issue. */
#include "base/rng.h"
#include "check.h"
#include "rig/sm_rig.h"

/* Fetching never in the way: what is measured is the scoreboard and the pipelines. */
#define NO_FETCH "sm.ibuffer=16", "sm.fetch_latency=1", "sm.schedulers=1"
static const char *const plain[] = {NO_FETCH, NULL};

static struct kernel_rig *kernel(void)
{
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    kernel_rig_block(k);
    return k;
}

static void watch(struct sm_rig *r, struct kernel_rig *k, const char *const *set)
{
    sm_rig_open(r, &(struct sm_rig_options){.kernel = k, .set = set});
    sm_rig_watch(r);
    CHECK(sm_rig_adds_up(r));
}

/* Cycles from the issue of the first of two instructions to that of the second. */
static uint64_t distance(struct kernel_rig_insn a, struct kernel_rig_insn b, const char *const *set)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    kernel_rig_add(k, a);
    kernel_rig_add(k, b);
    watch(&r, k, set);
    CHECK_EQ(r.nissues, 2);
    uint64_t d = sm_rig_when(&r, 1);
    sm_rig_close(&r);
    kernel_rig_free(k);
    return d;
}

static void a_reader_waits_for_the_latency_of_the_writer(void)
{
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(3, 1), plain), 4);
    CHECK_EQ(distance(kernel_rig_op(UNIT_INT, OPCLASS_DIV, 1, 2), kernel_rig_int(3, 1), plain),
             145);
    CHECK_EQ(distance(kernel_rig_op(UNIT_SFU, OPCLASS_SPECIAL, 1, 2), kernel_rig_int(3, 1), plain),
             39);
}

static void independent_instructions_follow_each_other(void)
{
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(3, 4), plain), 1);
}

static void a_second_write_waits_for_the_first(void)
{
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(1, 4), plain), 4);
}

static void a_write_after_a_read_does_not_wait(void)
{
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(2, 4), plain), 1);
}

static void a_wide_register_is_waited_for_by_both_halves(void)
{
    struct kernel_rig_insn wide = kernel_rig_int(REG_WIDE | 10, 2);
    CHECK_EQ(distance(wide, kernel_rig_int(3, 10), plain), 4);
    CHECK_EQ(distance(wide, kernel_rig_int(3, 11), plain), 4);
    CHECK_EQ(distance(wide, kernel_rig_int(3, 12), plain), 1);
    CHECK_EQ(distance(kernel_rig_int(11, 2), kernel_rig_int(3, REG_WIDE | 10), plain), 4);
}

static void a_guard_waits_for_its_predicate_even_when_it_is_off(void)
{
    struct kernel_rig_insn set = kernel_rig_int(REG_PRED | 1, 2);
    CHECK_EQ(distance(set, kernel_rig_guarded(kernel_rig_int(3, 4), 1, 1), plain), 4);
    CHECK_EQ(distance(set, kernel_rig_guarded(kernel_rig_int(3, 4), 1, 0), plain), 4);
    CHECK_EQ(distance(set, kernel_rig_guarded(kernel_rig_int(3, 4), 2, 1), plain), 1);
    CHECK_EQ(distance(set, kernel_rig_int(3, 1), plain), 1); /* r1 is not p1 */
}

static void an_instruction_that_is_off_has_no_effect(void)
{
    struct kernel_rig_insn off =
        kernel_rig_guarded(kernel_rig_op(UNIT_SFU, OPCLASS_SPECIAL, 1, 2), 0, 0);
    CHECK_EQ(distance(off, kernel_rig_int(3, 1), plain), 1); /* its result is not waited for */
    CHECK_EQ(distance(off, kernel_rig_op(UNIT_SFU, OPCLASS_SPECIAL, 5, 6), plain), 1);
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    kernel_rig_add(k, kernel_rig_guarded(kernel_rig_load(1, 0x1000), 0, 0));
    kernel_rig_add(k, kernel_rig_guarded(kernel_rig_bar(0, 64, true), 0, 0));
    kernel_rig_add(k, kernel_rig_guarded(kernel_rig_int(1, 2), 0, 0xff));
    watch(&r, k, plain);
    CHECK_EQ(r.sm->stats.issued, 3);
    CHECK_EQ(r.sm->stats.issued_off, 2);
    CHECK_EQ(r.sm->stats.thread_insns, 8);
    CHECK_EQ(r.sm->stats.barriers, 0);
    CHECK_EQ(r.memory.tail, 0);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void no_operation_costs_nothing(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    struct kernel_rig_insn nothing = kernel_rig_op(UNIT_NONE, 0, 1, 2);
    for (int i = 0; i < 5; i++) {
        for (int n = 0; n < i; n++)
            kernel_rig_add(k, nothing);
        kernel_rig_add(k, kernel_rig_int((uint16_t)(10 + i), 1));
    }
    kernel_rig_add(k, nothing); /* the last of the warp */
    watch(&r, k, plain);
    CHECK_EQ(r.nissues, 5);
    CHECK_EQ(sm_rig_when(&r, 4), 4);
    CHECK_EQ(r.sm->stats.issued, 5);
    CHECK_EQ(r.sm->stats.fetches, 1);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void a_pipeline_takes_one_per_interval(void)
{
    static const char *const one[] = {NO_FETCH, "sm.sp_units=1", NULL};
    static const char *const half[] = {NO_FETCH, "sm.simd=16", "sm.sp_units=1", NULL};
    static const char *const two[] = {NO_FETCH, "sm.sfu_units=2", NULL};
    struct kernel_rig_insn mul = kernel_rig_op(UNIT_INT, OPCLASS_MUL, 1, 2), other = mul;
    struct kernel_rig_insn sfu = kernel_rig_op(UNIT_SFU, OPCLASS_SPECIAL, 1, 2), second = sfu;
    other.s.dst[0] = second.s.dst[0] = 3;
    CHECK_EQ(distance(mul, other, one), 2);
    CHECK_EQ(distance(mul, kernel_rig_int(3, 4), one), 2);
    CHECK_EQ(distance(mul, other, plain), 1); /* two pipelines */
    CHECK_EQ(distance(mul, other, half), 4);
    CHECK_EQ(distance(sfu, second, plain), 4);
    CHECK_EQ(distance(sfu, second, two), 1);
    CHECK_EQ(distance(sfu, kernel_rig_int(3, 4), plain), 1); /* another kind */
}

/* Against the obvious: each pipeline has a time, and whoever comes takes one that is free. */
static void pipelines_with_work_of_several_lengths_are_free_in_the_order_of_their_ends(void)
{
    enum { N = 200, UNITS = 3 };
    static const char *const mixed[] = {NO_FETCH,
                                        "sm.sp_units=3",
                                        "pipe.int_interval=1",
                                        "pipe.int_mul_interval=9",
                                        "pipe.int_mad_interval=4",
                                        NULL};
    static const uint8_t opclass[] = {OPCLASS_SIMPLE, OPCLASS_MUL, OPCLASS_FMA};
    static const uint64_t interval[] = {1, 9, 4};
    uint64_t expected[N], free_at[UNITS] = {0}, now = 0;
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    for (uint32_t i = 0; i < N; i++, now++) {
        uint64_t kind = rng_below(rng_at(5, i), 3);
        kernel_rig_add(k, kernel_rig_op(UNIT_INT, opclass[kind], REG_NONE, REG_NONE));
        uint32_t first = 0;
        for (uint32_t u = 1; u < UNITS; u++)
            first = free_at[u] < free_at[first] ? u : first;
        expected[i] = now = free_at[first] > now ? free_at[first] : now;
        free_at[first] = now + interval[kind];
    }
    watch(&r, k, mixed);
    CHECK_EQ(r.nissues, N);
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ(sm_rig_when(&r, i), expected[i]);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void integers_do_not_wait_for_floats_where_they_have_pipelines(void)
{
    static const char *const shared[] = {NO_FETCH, "sm.sp_units=1", "pipe.fp32_interval=5",
                                         "pipe.int_interval=3", NULL};
    static const char *const apart[] = {
        NO_FETCH, "sm.sp_units=1", "sm.int_units=1", "pipe.fp32_interval=5", "pipe.int_interval=3",
        NULL};
    struct kernel_rig_insn f = kernel_rig_op(UNIT_FP32, OPCLASS_SIMPLE, 1, 2);
    struct kernel_rig_insn product = kernel_rig_op(UNIT_INT, OPCLASS_MUL, 3, 4);
    CHECK_EQ(distance(f, kernel_rig_int(3, 4), shared), 5);
    CHECK_EQ(distance(f, kernel_rig_int(3, 4), apart), 1);
    CHECK_EQ(distance(f, product, apart), 5); /* a product is not theirs */
    CHECK_EQ(distance(kernel_rig_int(5, 6), product, apart), 1);
    CHECK_EQ(distance(kernel_rig_int(5, 6), kernel_rig_int(3, 4), apart), 3);
}

static void loads_come_after_the_latency_of_the_memory(void)
{
    /* The head of the queue one cycle after the issue, the port, the memory, the port, the fill. */
    CHECK_EQ(distance(kernel_rig_load(1, 0x1000), kernel_rig_int(3, 1), plain),
             1 + 1 + 100 + 1 + 1);
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    kernel_rig_add(k, kernel_rig_load(1, 0x1000));
    kernel_rig_add(k, kernel_rig_int(2, 1));
    kernel_rig_add(k, kernel_rig_load(3, 0x1000));
    kernel_rig_add(k, kernel_rig_int(4, 3));
    watch(&r, k, plain);
    CHECK_EQ(sm_rig_when(&r, 3) - sm_rig_when(&r, 2), 35); /* l1.latency */
    CHECK_EQ(r.sm->stats.stall_mem, 103 + 34);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void two_of_a_warp_can_issue_in_a_cycle(void)
{
    static const char *const wide[] = {NO_FETCH, "sm.issue_width=2", NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    for (uint16_t i = 0; i < 4; i++)
        kernel_rig_add(k, kernel_rig_int(i, 20));
    kernel_rig_add(k, kernel_rig_int(10, 3)); /* waits */
    kernel_rig_add(k, kernel_rig_load(11, 0x1000));
    kernel_rig_add(k, kernel_rig_load(12, 0x1000)); /* one load/store unit */
    watch(&r, k, wide);
    const uint64_t at[] = {0, 1, 5, 6};
    const uint32_t n[] = {2, 2, 2, 1};
    CHECK_EQ(r.nissues, 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_EQ(sm_rig_when(&r, i), at[i]);
        CHECK_EQ(r.issue[i].n, n[i]);
    }
    CHECK_EQ(r.sm->stats.issue_cycles, 4);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

/* Of a warp alone: the last issue out of a buffer and the first out of the next are fetch_latency
 * apart; a buffer holds sm.ibuffer instructions and never reaches into another block. */
static uint64_t fetched(uint32_t buffer, uint32_t latency, uint32_t blocks, uint32_t count)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 32);
    char ibuffer[32], wait[32];
    snprintf(ibuffer, sizeof ibuffer, "sm.ibuffer=%u", buffer);
    snprintf(wait, sizeof wait, "sm.fetch_latency=%u", latency);
    const char *set[] = {ibuffer, wait, "sm.schedulers=1", NULL};
    for (uint32_t b = 0; b < blocks; b++) {
        kernel_rig_block(k);
        for (uint32_t i = 0; i < count; i++)
            kernel_rig_add(k, kernel_rig_int((uint16_t)(b * count + i), 500));
    }
    watch(&r, k, set);
    uint64_t total = sm_rig_when(&r, r.nissues - 1);
    CHECK_EQ(r.issue[0].at, 1 + latency); /* started at cycle 0, there at 1, fetched at once */
    CHECK_EQ(r.sm->stats.fetches, blocks * ((count + buffer - 1) / buffer));
    sm_rig_close(&r);
    kernel_rig_free(k);
    return total;
}

static void fetching_takes_its_time_per_buffer_and_block(void)
{
    for (uint32_t buffer = 1; buffer <= 4; buffer++)
        for (uint32_t latency = 1; latency <= 15; latency += 7)
            for (uint32_t count = 1; count <= 5; count++) {
                uint32_t fetches = 3 * ((count + buffer - 1) / buffer), insns = 3 * count;
                CHECK_EQ(fetched(buffer, latency, 3, count),
                         insns - fetches + (fetches - 1) * latency);
            }
}

static void one_warp_is_fetched_for_per_cycle_in_turn(void)
{
    static const char *const one[] = {"sm.fetch_warps=1", "sm.schedulers=1", NULL};
    static const char *const four[] = {"sm.fetch_warps=4", "sm.schedulers=4", NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel_rig_new("k", 1, 128);
    kernel_rig_block(k);
    kernel_rig_add(k, kernel_rig_int(1, 2));
    watch(&r, k, one);
    CHECK_EQ(r.nissues, 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(sm_rig_when(&r, i), i);
    sm_rig_close(&r);
    watch(&r, k, four);
    CHECK_EQ(r.issue[0].n, 2); /* two pipelines for four schedulers */
    CHECK_EQ(r.nissues, 2);
    CHECK_EQ(r.sm->stats.stall_pipe, 2);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

static void a_full_load_store_unit_stalls_for_that_reason(void)
{
    static const char *const narrow[] = {NO_FETCH, "l1.queue=1", NULL};
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    struct kernel_rig_insn scattered = kernel_rig_load(1, 0x1000), after = scattered;
    scattered.stride = 128; /* 32 lines: 32 cycles at the head */
    after.s.dst[0] = 2;
    kernel_rig_add(k, scattered);
    kernel_rig_add(k, after);
    watch(&r, k, narrow);
    CHECK_EQ(sm_rig_when(&r, 1), 32);
    CHECK_EQ(r.sm->stats.stall_lsu, 31);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

/* ---- one instruction of a warp at a time ---- */

static void in_a_barrel_every_instruction_waits_for_the_last_one(void)
{
    static const char *const barrel[] = {NO_FETCH, "sm.barrel=true", "pipe.int_latency=6", NULL};
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(3, 1), barrel), 6);
    CHECK_EQ(distance(kernel_rig_int(1, 2), kernel_rig_int(3, 4), barrel), 6);
    CHECK_EQ(distance(kernel_rig_op(UNIT_CONTROL, OPCLASS_SIMPLE, REG_NONE, 2),
                      kernel_rig_int(3, 4), barrel),
             6);
    uint64_t load = distance(kernel_rig_load(1, 0x1000), kernel_rig_int(3, 1), plain);
    CHECK_EQ(distance(kernel_rig_load(1, 0x1000), kernel_rig_int(3, 4), plain), 1);
    CHECK_EQ(distance(kernel_rig_load(1, 0x1000), kernel_rig_int(3, 4), barrel), load);
    CHECK_EQ(distance(kernel_rig_load(1, 0x1000), kernel_rig_load(3, 0x2000), barrel), load);
}

/* ---- available warps ---- */

struct available {
    uint64_t before,
        after; /* warps that could issue, summed over cycles: before, after the issue */
};

static struct available available(uint32_t warps, uint32_t insns, bool is_chain, bool no_skip)
{
    static const char *const set[] = {NO_FETCH, "sm.watch_available=true", NULL};
    struct kernel_rig *k = kernel_rig_new("k", 1, 32 * warps);
    struct sm_rig r;
    struct err e = {.text = ""};
    kernel_rig_block(k);
    for (uint32_t i = 0; i < insns; i++)
        kernel_rig_add(k, is_chain ? kernel_rig_int(1, 1) : kernel_rig_int((uint16_t)i, 40));
    sm_rig_open(&r,
                &(struct sm_rig_options){.kernel = k, .set = set, .engine = {.no_skip = no_skip}});
    CHECK(sm_rig_finish(&r, &e));
    struct component *c = sm_component(r.sm);
    c->ops->settle(c, 5000);
    struct available a = {r.sm->watch->stats.available, r.sm->stats.ready_warp_cycles};
    sm_rig_close(&r);
    kernel_rig_free(k);
    return a;
}

static void a_warp_is_available_in_the_cycle_in_which_it_issues(void)
{
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        /* Each waits four cycles for the one before: available when it issues, and then only. */
        struct available chain = available(1, 9, true, no_skip);
        CHECK_EQ(chain.before, 9);
        CHECK_EQ(chain.after, 0);
        /* Nobody waits: the next one is ready at once, but for the last. */
        struct available free_ = available(1, 9, false, no_skip);
        CHECK_EQ(free_.before, 9);
        CHECK_EQ(free_.after, 8);
    }
}

/* Two warps whose buffers fill one cycle after the other never are in each other's way. */
static void what_is_available_is_the_same_without_skipping(void)
{
    for (uint32_t warps = 1; warps <= 8; warps++) {
        struct available skipping = available(warps, 12, true, false);
        struct available always = available(warps, 12, true, true);
        CHECK_EQ(skipping.before, always.before);
        CHECK_EQ(skipping.after, always.after);
        CHECK(skipping.before >= 12 * warps);
    }
}

static void nobody_watches_unless_asked(void)
{
    struct sm_rig r;
    struct kernel_rig *k = kernel();
    kernel_rig_add(k, kernel_rig_int(1, 2));
    sm_rig_open(&r, &(struct sm_rig_options){.kernel = k, .set = plain});
    CHECK(r.sm->watch == NULL);
    CHECK(sm_component(r.sm)->ops->tick == sm_tick);
    sm_rig_close(&r);
    kernel_rig_free(k);
}

CHECK_MAIN("issue", TEST(a_reader_waits_for_the_latency_of_the_writer),
           TEST(independent_instructions_follow_each_other),
           TEST(a_second_write_waits_for_the_first), TEST(a_write_after_a_read_does_not_wait),
           TEST(a_wide_register_is_waited_for_by_both_halves),
           TEST(a_guard_waits_for_its_predicate_even_when_it_is_off),
           TEST(an_instruction_that_is_off_has_no_effect), TEST(no_operation_costs_nothing),
           TEST(a_pipeline_takes_one_per_interval),
           TEST(pipelines_with_work_of_several_lengths_are_free_in_the_order_of_their_ends),
           TEST(integers_do_not_wait_for_floats_where_they_have_pipelines),
           TEST(loads_come_after_the_latency_of_the_memory),
           TEST(two_of_a_warp_can_issue_in_a_cycle),
           TEST(fetching_takes_its_time_per_buffer_and_block),
           TEST(one_warp_is_fetched_for_per_cycle_in_turn),
           TEST(a_full_load_store_unit_stalls_for_that_reason),
           TEST(in_a_barrel_every_instruction_waits_for_the_last_one),
           TEST(a_warp_is_available_in_the_cycle_in_which_it_issues),
           TEST(what_is_available_is_the_same_without_skipping), TEST(nobody_watches_unless_asked))
