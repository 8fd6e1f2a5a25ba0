/* How many CTAs an SM holds, and which resource allows no more. */
#include "check.h"
#include "cta/occupancy.h"

static const struct occupancy_limits fermi = {.threads = 1536,
                                              .warps = 48,
                                              .ctas = 8,
                                              .registers = 32768,
                                              .register_unit = 4,
                                              .shared = 49152};

static struct stream_kernel kernel(uint32_t threads, uint32_t regs, uint32_t shared)
{
    return (struct stream_kernel){.name = "k",
                                  .grid = {1, 1, 1},
                                  .block = {threads, 1, 1},
                                  .registers = {regs},
                                  .shared_bytes = shared};
}

static void holds(const struct occupancy_limits *sm, struct stream_kernel k, uint32_t ctas,
                  const char *limit)
{
    struct occupancy o;
    struct err e = {0};
    CHECK(occupancy_of(sm, &k, &o, &e));
    CHECK_EQ(o.ctas, ctas);
    CHECK_STR(o.limit, limit);
}

static void each_resource_can_be_the_limit(void)
{
    struct occupancy_limits few_warps = fermi;
    few_warps.warps = 16;
    holds(&fermi, kernel(256, 8, 0), 6, "threads");
    holds(&few_warps, kernel(128, 8, 0), 4, "warps");
    holds(&fermi, kernel(64, 8, 0), 8, "CTAs");
    holds(&fermi, kernel(256, 32, 0), 4, "registers");
    holds(&fermi, kernel(64, 8, 10000), 4, "shared memory");
}

static void a_resource_that_is_not_used_is_no_limit(void)
{
    struct occupancy_limits none = fermi;
    none.shared = 0;
    holds(&none, kernel(64, 0, 0), 8, "CTAs");
}

static void registers_are_rounded_up_per_thread_and_allocated_per_warp(void)
{
    struct occupancy o;
    struct err e = {0};
    struct stream_kernel k = kernel(33, 21, 0);
    CHECK(occupancy_of(&fermi, &k, &o, &e));
    CHECK_EQ(o.registers, 2 * 32 * 24);
    holds(&fermi, kernel(256, 21, 0), 5, "registers"); /* 24 x 256: 5.3; of 21 it would be 6 */
    holds(&fermi, kernel(256, 20, 0), 6, "threads");
}

static void the_count_that_goes_before_is_taken(void)
{
    static const struct {
        uint32_t registers[STREAM_COUNTS];
        bool no_assembler;
        const char *registers_of;
        uint32_t taken;
        const char *from;
    } cases[] = {
        {{20, 0, 0}, false, NULL, 20, "liveness"}, {{20, 30, 0}, false, "", 30, "ptxas"},
        {{20, 30, 0}, true, "", 20, "liveness"},   {{20, 30, 40}, false, "", 40, "given"},
        {{20, 30, 40}, true, "", 40, "given"},     {{20, 30, 40}, true, "k=9", 9, "set"},
        {{20, 30, 0}, false, "l=9", 30, "ptxas"},  {{20, 30, 0}, false, "kk=9,k=10", 10, "set"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct occupancy_limits sm = fermi;
        struct stream_kernel k = kernel(32, 0, 0);
        struct occupancy o;
        struct err e = {0};
        memcpy(k.registers, cases[i].registers, sizeof k.registers);
        sm.no_assembler = cases[i].no_assembler;
        sm.registers_of = cases[i].registers_of;
        CHECK(occupancy_of(&sm, &k, &o, &e));
        CHECK_EQ(o.regs_per_thread, cases[i].taken);
        CHECK_STR(o.regs_from, cases[i].from);
        CHECK_EQ(o.registers, 32 * ((cases[i].taken + 3) / 4 * 4));
    }
}

static void threads_count_in_whole_warps(void)
{
    struct occupancy_limits small = fermi;
    small.threads = 96;
    small.warps = 48;
    holds(&small, kernel(33, 8, 0), 1, "threads");
}

static void exactly_as_much_as_there_is_fits(void)
{
    holds(&fermi, kernel(1024, 32, 49152), 1, "threads");
    holds(&fermi, kernel(512, 32, 0), 2, "registers");
    holds(&fermi, kernel(64, 8, 49152), 1, "shared memory");
}

static void too_many_registers_are_capped(void)
{
    holds(&fermi, kernel(512, 128, 0), 1, "registers (capped)");
    struct occupancy o;
    struct err e = {0};
    struct stream_kernel k = kernel(512, 128, 0);
    CHECK(occupancy_of(&fermi, &k, &o, &e));
    CHECK_EQ(o.registers, 65536);
}

static void refuses(struct stream_kernel k, const char *text)
{
    struct occupancy o;
    struct err e = {0};
    struct occupancy_limits sm = fermi;
    sm.threads = 512;
    sm.warps = 16;
    CHECK(!occupancy_of(&sm, &k, &o, &e));
    CHECK_EQ(e.status, STATUS_BAD_INPUT);
    CHECK_STR(e.text, text);
}

static void a_cta_that_is_larger_than_an_sm_is_refused_by_one_line(void)
{
    refuses(kernel(513, 8, 0),
            "kernel k: a CTA needs 544 (threads), an SM of this machine has 512");
    refuses(kernel(32, 8, 49153),
            "kernel k: a CTA needs 49153 (shared memory), an SM of this machine has 49152");
}

CHECK_MAIN("occupancy", TEST(each_resource_can_be_the_limit),
           TEST(a_resource_that_is_not_used_is_no_limit), TEST(the_count_that_goes_before_is_taken),
           TEST(registers_are_rounded_up_per_thread_and_allocated_per_warp),
           TEST(threads_count_in_whole_warps), TEST(exactly_as_much_as_there_is_fits),
           TEST(too_many_registers_are_capped),
           TEST(a_cta_that_is_larger_than_an_sm_is_refused_by_one_line))
