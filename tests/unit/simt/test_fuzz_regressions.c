/* What fuzzing and other compilers' PTX have found wrong, each with the smallest kernel for it. */
#include "check.h"
#include "rig/ptx_rig.h"

/* Thread 0 of every CTA counts itself in and waits for the others; `between` stands between the
 * place where its warp meets again and the barrier. */
#define GRID_MEETING(between, barrier)                                                             \
    ".reg .pred %p, %q; .reg .b32 %v, %m;\n"                                                       \
    "mov.u32 %m, %nctaid.x;\n"                                                                     \
    "setp.ne.u32 %p, %tid, 0;\n"                                                                   \
    "@%p bra MEET;\n"                                                                              \
    "atom.global.add.u32 %v, [%buf], 1;\n"                                                         \
    "SPIN: ld.volatile.global.u32 %v, [%buf];\n"                                                   \
    "setp.lt.u32 %q, %v, %m;\n"                                                                    \
    "@%q bra SPIN;\n"                                                                              \
    "MEET:\n" between barrier "ld.volatile.global.u32 %v, [%buf];\n"                               \
    "st.global.u32 [%at+4], %v; ret;"

enum { CTAS = 8, THREADS = 64, WORDS = CTAS * THREADS + 1 };

static struct ptx_result meet(const char *text, bool check, uint32_t *data)
{
    return ptx_run((struct ptx_case){.text = text, .grid = CTAS, .block = THREADS, .check = check},
                   data, WORDS);
}

static void check_all_saw_the_whole_grid(struct ptx_result r, const uint32_t *data)
{
    CHECK_STR(r.e.text, "");
    CHECK(r.info.has_grid_spin);
    for (uint32_t i = 0; i < WORDS; i++)
        CHECK_EQ(data[i], CTAS);
}

static void lanes_wait_at_a_barrier_for_the_one_that_waits_for_the_grid(void)
{
    for (int check = 0; check < 2; check++) {
        uint32_t d[WORDS] = {0};
        check_all_saw_the_whole_grid(meet(PTX_KERNEL(GRID_MEETING("", "bar.sync 0;\n")), check, d),
                                     d);
    }
}

static void lanes_that_went_ahead_wait_at_the_next_barrier(void)
{
    for (int check = 0; check < 2; check++) {
        uint32_t d[WORDS] = {0};
        struct ptx_result r = meet(
            PTX_KERNEL(GRID_MEETING("membar.gl; mov.u32 %v, 5; bra ON;\nON:\n", "bar.sync 0;\n")),
            check, d);
        check_all_saw_the_whole_grid(r, d);
    }
}

static void a_barrier_in_a_called_function_is_waited_at_as_well(void)
{
    for (int check = 0; check < 2; check++) {
        uint32_t d[WORDS] = {0};
        struct ptx_result r = meet(PTX_WITH(".func all() { barrier.sync 0; ret; }\n",
                                            GRID_MEETING("membar.gl;\n", "call all, ();\n")),
                                   check, d);
        check_all_saw_the_whole_grid(r, d);
    }
}

/* Where a barrier is the stream says once for each warp, with all its lanes. */
static void a_warp_arrives_once_also_when_some_lanes_went_ahead(void)
{
    uint32_t d[WORDS] = {0}, e[WORDS] = {0};
    struct ptx_result waits =
        meet(PTX_KERNEL(GRID_MEETING("membar.gl;\n", "bar.sync 0; bar.sync 0;\n")), false, d);
    struct ptx_result counted = meet(
        PTX_KERNEL(GRID_MEETING("membar.gl;\n", "bar.sync 0, 64; bar.sync 1, 64;\n")), false, e);
    check_all_saw_the_whole_grid(waits, d);
    check_all_saw_the_whole_grid(counted, e);
}

/* A cooperative grid meets by the word behind the address in %envreg1 and %envreg2. */
static void a_grid_has_memory_to_meet_in(void)
{
    uint32_t d[32] = {0};
    const char *text = PTX_KERNEL(".reg .b32 %hi, %lo, %v; .reg .b64 %ws, %low;\n"
                                  "mov.u32 %hi, %envreg1; mov.u32 %lo, %envreg2;\n"
                                  "cvt.u64.u32 %ws, %hi; cvt.u64.u32 %low, %lo;\n"
                                  "bfi.b64 %ws, %ws, %low, 32, 32;\n"
                                  "atom.add.release.gpu.u32 %v, [%ws+4], 1;\n"
                                  "st.global.u32 [%at], %v; ret;");
    for (int again = 0; again < 2; again++) {
        struct ptx_result r = ptx_run((struct ptx_case){.text = text}, d, 32);
        CHECK_STR(r.e.text, "");
        for (uint32_t i = 0; i < 32; i++)
            CHECK_EQ(d[i], i);
    }
}

static void the_reserved_shared_memory_is_nobody_elses(void)
{
    uint32_t d[32] = {0};
    struct ptx_result r = ptx_run(
        (struct ptx_case){.text = PTX_KERNEL(".shared .align 4 .b8 own[8];\n"
                                             ".reg .b32 %at1, %end, %v, %w;\n"
                                             "mov.u32 %at1, %reserved_smem_offset_1;\n"
                                             "mov.u32 %end, %reserved_smem_offset_end;\n"
                                             "st.shared.u32 [own], 11; st.shared.u32 [own+4], 12;\n"
                                             "st.shared.u32 [%at1], 99;\n"
                                             "ld.shared.u32 %v, [own]; sub.u32 %w, %end, %at1;\n"
                                             "add.u32 %v, %v, %w; st.global.u32 [%at], %v; ret;"),
                          .check = true},
        d, 32);
    CHECK_STR(r.e.text, "");
    CHECK_EQ(d[0], 11 + 1024);
    CHECK_EQ(r.shared_bytes, 16 + 1024);
}

static void names_of_internal_operations_are_no_instructions(void)
{
    static const char *const bodies[] = {
        PTX_KERNEL("ldframe.u32 %tid, [0]; ret;"),
        PTX_KERNEL("stframe.u32 [0], %tid; ret;"),
        PTX_KERNEL("copyframe; ret;"),
        PTX_KERNEL("widen.u64 %off, %tid; ret;"),
        PTX_KERNEL("narrow.b32 %tid, %off; ret;"),
        PTX_KERNEL("clock.u32 %tid; ret;"),
        PTX_KERNEL("pack2.b64 %off, %tid, %tid; ret;"),
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        uint32_t d[32] = {0};
        struct ptx_result r = ptx_run((struct ptx_case){.text = bodies[i]}, d, 32);
        CHECK(!r.ok);
        CHECK_EQ(r.e.status, STATUS_BAD_INPUT);
        CHECK(strstr(r.e.text, "unknown instruction") != NULL);
    }
}

CHECK_MAIN("fuzz_regressions", TEST(lanes_wait_at_a_barrier_for_the_one_that_waits_for_the_grid),
           TEST(lanes_that_went_ahead_wait_at_the_next_barrier),
           TEST(a_barrier_in_a_called_function_is_waited_at_as_well),
           TEST(a_warp_arrives_once_also_when_some_lanes_went_ahead),
           TEST(a_grid_has_memory_to_meet_in), TEST(the_reserved_shared_memory_is_nobody_elses),
           TEST(names_of_internal_operations_are_no_instructions))
