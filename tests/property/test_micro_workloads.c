/* The microbenchmarks measure what the machine was told to be: the last launch of each less the one
 * before comes to the configured delays and rates (docs/model/micro.md). */
#include "check.h"

#include <math.h>

#include "l1/lsu.h"
#include "rig/chase_rig.h"
#include "rig/workload_rig.h"

/* Cycles that the last launch takes longer than the one before. */
static uint64_t marginal(struct machine_rig *r, const char *workload, const char *args)
{
    struct workload_rig w = {workload, args};
    struct err e = {0};
    struct stream_source *s = workload_rig_source_with(&w);
    CHECK(machine_run_source(r->machine, s, &e));
    CHECK_STR(e.text, "");
    stream_source_free(s);
    uint32_t n = machine_nkernels(r->machine);
    const struct machine_kernel *last = machine_kernel(r->machine, n - 1);
    const struct machine_kernel *before = machine_kernel(r->machine, n - 2);
    return (last->end - last->begin) - (before->end - before->begin);
}

static void a_chase_within_the_l1_takes_its_latency_a_step(void)
{
    static const char *const settings[] = {"l1.size=16K l1.ways=4 l1.latency=28",
                                           "l1.size=16K l1.ways=4 l1.latency=82",
                                           "l1.size=16K l1.ways=4 l1.latency=35 l1.sectored=true"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct machine_rig r;
        machine_rig_open(&r, machine_rig_small, settings[i]);
        const struct l1_spec *l1 = config_get(r.cfg, &l1_section);
        uint64_t cycles = marginal(&r, "CHASE", "footprint=8K,steps=300,warmup=4096");
        CHECK_EQ(cycles, 300 * (uint64_t)l1->latency);
        machine_rig_close(&r);
    }
}

static void a_chase_within_the_l2_takes_the_sum_of_the_delays_a_step(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, "l1.size=4K l1.ways=4 l2.size=256K l2.ways=16");
    uint64_t cycles = marginal(&r, "CHASE", "footprint=64K,steps=400,warmup=2048");
    uint64_t of_101 = chase_rig_sum(&r, STREAM_GLOBAL, 101, IN_L2, IN_L2);
    uint64_t of_1 = chase_rig_sum(&r, STREAM_GLOBAL, 1, IN_L2, IN_L2);
    CHECK_EQ(cycles, 4 * (of_101 - of_1));
    machine_rig_close(&r);
}

/* A large one is not read before, nor walked to its end: no line is met twice. */
static void a_chase_beyond_the_l2_misses_with_every_step(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, "l1.size=4K l1.ways=4 l2.size=32K l2.ways=16");
    marginal(&r, "CHASE", "footprint=256M,steps=200,warmup=100");
    struct stats_snapshot *s = stats_snapshot(machine_stats(r.machine), r.arena);
    CHECK(stats_snapshot_value(s, "l2.read_hits") == 0);
    CHECK(stats_snapshot_value(s, "l2.read_misses") == 500);
    machine_rig_close(&r);
}

static void conflicts_of_a_degree_take_as_many_cycles_a_load(void)
{
    for (uint32_t degree = 8; degree <= 32; degree *= 2) {
        struct machine_rig r;
        char args[64];
        machine_rig_open(&r, "base: icc60.yaml", "");
        snprintf(args, sizeof args, "degree=%u,ctas=1,block=256,rounds=16", degree);
        uint64_t loads = 16 * 8 * 256 / 32;
        double each = (double)marginal(&r, "BANKS", args) / (double)loads;
        if (fabs(each / degree - 1) >= 0.02)
            print_error("degree %u: %g cycles a load\n", degree, each);
        CHECK(fabs(each / degree - 1) < 0.02);
        machine_rig_close(&r);
    }
}

static void a_load_at_a_stride_asks_for_as_many_sectors_as_its_lanes_touch(void)
{
    static const uint32_t stride[] = {4, 8, 16, 32, 64}, sectors[] = {4, 8, 16, 32, 32};
    for (size_t i = 0; i < sizeof stride / sizeof stride[0]; i++) {
        struct machine_rig r;
        char args[64];
        machine_rig_open(&r, machine_rig_small, "l1.sectored=true");
        snprintf(args, sizeof args, "stride=%u,ctas=1,block=64,loads=8,footprint=128K", stride[i]);
        marginal(&r, "STRIDE", args);
        uint32_t n = machine_nkernels(r.machine);
        const struct machine_kernel *last = machine_kernel(r.machine, n - 1);
        struct stats_snapshot *s = stats_snapshot_clone(last->after, r.arena);
        stats_snapshot_subtract(s, last->before);
        CHECK(stats_snapshot_value(s, "l1.global.sectors") ==
              sectors[i] * stats_snapshot_value(s, "l1.global.instructions"));
        machine_rig_close(&r);
    }
}

static void ctas_that_do_nothing_start_at_the_dispatchers_rate(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, "sm.ctas=32");
    uint64_t none = marginal(&r, "LAUNCH", "ctas=256,block=32,work=0");
    uint64_t some = marginal(&r, "LAUNCH", "ctas=256,block=32,work=64");
    CHECK(none >= 256);
    CHECK(some > none);
    machine_rig_close(&r);
}

CHECK_MAIN("micro_workloads", TEST(a_chase_within_the_l1_takes_its_latency_a_step),
           TEST(a_chase_within_the_l2_takes_the_sum_of_the_delays_a_step),
           TEST(a_chase_beyond_the_l2_misses_with_every_step),
           TEST(conflicts_of_a_degree_take_as_many_cycles_a_load),
           TEST(a_load_at_a_stride_asks_for_as_many_sectors_as_its_lanes_touch),
           TEST(ctas_that_do_nothing_start_at_the_dispatchers_rate))
