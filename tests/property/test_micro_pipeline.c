/* Pipelines: instructions that need one another are a latency apart; those that do not share the
 * pipelines of their kind, each of which takes one per initiation interval; a machine with fewer
 * lanes than a warp needs that many times more passes. */
#include "check.h"

#include "rig/machine_rig.h"
#include "sm/sm.h"

struct class
{
    const char *name; /* of its parameters */
    enum stream_unit unit;
    enum stream_opclass opclass;
};

static const struct class classes[] = {
    {"int", UNIT_INT, OPCLASS_SIMPLE},         {"int_mul", UNIT_INT, OPCLASS_MUL},
    {"int_mad", UNIT_INT, OPCLASS_FMA},        {"int_div", UNIT_INT, OPCLASS_DIV},
    {"fp32", UNIT_FP32, OPCLASS_SIMPLE},       {"fp32", UNIT_FP32, OPCLASS_CVT},
    {"fp32_mul", UNIT_FP32, OPCLASS_MUL},      {"fp32_mad", UNIT_FP32, OPCLASS_FMA},
    {"fp32_div", UNIT_FP32, OPCLASS_FDIV},     {"fp32_mad", UNIT_FP16, OPCLASS_FMA},
    {"fp64", UNIT_FP64, OPCLASS_SIMPLE},       {"fp64_mul", UNIT_FP64, OPCLASS_MUL},
    {"fp64_mad", UNIT_FP64, OPCLASS_FMA},      {"fp64_div", UNIT_FP64, OPCLASS_FDIV},
    {"special", UNIT_SFU, OPCLASS_SPECIAL},    {"shuffle", UNIT_INT, OPCLASS_SHUFFLE},
    {"control", UNIT_CONTROL, OPCLASS_BRANCH}, /* the last: it writes nothing, and has no latency */
};
enum { CLASSES = sizeof classes / sizeof classes[0], WRITING = CLASSES - 1 };

struct pipes {
    uint32_t latency, interval, units, simd, dp;
};

static void open_with(struct machine_rig *r, const char *name, struct pipes p)
{
    char settings[256], latency[64] = "";
    if (strcmp(name, "control") != 0)
        snprintf(latency, sizeof latency, "pipe.%s_latency=%u ", name, p.latency);
    snprintf(settings, sizeof settings,
             "%spipe.%s_interval=%u sm.sp_units=%u sm.sfu_units=%u sm.dp_units=%u "
             "sm.simd=%u sm.schedulers=4",
             latency, name, p.interval, p.units, p.units, p.dp, p.simd);
    machine_rig_open(r, machine_rig_small, settings);
}

static uint64_t run_chain(struct machine_rig *r, struct stream_insn insn, uint32_t length)
{
    struct machine_rig_kernel k = {.insn = &insn, .ninsns = 1, .loops = length};
    return machine_rig_run(r, &k);
}

/* The cycles of `more` more instructions of each warp.  The first run only leaves the pipelines as
 * the others do: a kernel can end while they are still taken. */
static uint64_t cycles_of(struct machine_rig *r, struct machine_rig_kernel k, uint32_t more)
{
    machine_rig_run(r, &k);
    uint64_t few = machine_rig_run(r, &k);
    k.loops += more;
    return machine_rig_run(r, &k) - few;
}

static uint64_t cycles_of_one(struct machine_rig *r, struct stream_insn in, uint32_t more)
{
    struct machine_rig_kernel k = {.insn = &in, .ninsns = 1, .loops = 10, .warps = 4};
    return cycles_of(r, k, more);
}

static void a_chain_takes_its_latency_per_instruction(void)
{
    static const struct pipes pipes[] = {{1, 1, 1, 32, 1}, {9, 2, 2, 32, 1}, {131, 7, 1, 32, 0}};
    for (int c = 0; c < WRITING; c++) {
        for (int p = 0; p < 3; p++) {
            struct machine_rig r;
            uint32_t n = 25, apart = pipes[p].latency;
            open_with(&r, classes[c].name, pipes[p]);
            struct stream_insn in = machine_rig_op(classes[c].unit, classes[c].opclass, 1, 1);
            CHECK_EQ(run_chain(&r, in, n), machine_rig_overhead(&r) + n * apart);
            machine_rig_close(&r);
        }
    }
}

/* Four warps, one per scheduler; p.units pipelines take `units` of them per interval. */
static void independent_instructions_take_their_interval_over_the_units(void)
{
    static const struct pipes pipes[] = {{9, 1, 1, 32, 1},
                                         {9, 1, 2, 32, 2},
                                         {40, 8, 1, 32, 1},
                                         {12, 6, 2, 32, 0},
                                         {12, 4, 4, 32, 4}};
    for (int c = 0; c < CLASSES; c++) {
        for (int p = 0; p < 5; p++) {
            struct machine_rig r;
            struct stream_insn in =
                machine_rig_op(classes[c].unit, classes[c].opclass, REG_NONE, REG_NONE);
            open_with(&r, classes[c].name, pipes[p]);
            CHECK_EQ(cycles_of_one(&r, in, 50) * pipes[p].units, 4 * 50 * pipes[p].interval);
            machine_rig_close(&r);
        }
    }
}

static void eight_lanes_take_four_cycles_per_warp_instruction(void)
{
    static const uint32_t lanes[] = {32, 16, 8, 4, 1};
    for (int i = 0; i < 5; i++) {
        struct machine_rig r;
        uint32_t passes = 32 / lanes[i];
        struct stream_insn free = machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, REG_NONE, REG_NONE);
        open_with(&r, "int", (struct pipes){5, 1, 1, lanes[i], 0});
        CHECK_EQ(cycles_of_one(&r, free, 50), 4 * 50 * passes);
        struct stream_insn next = machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, 1, 1);
        run_chain(&r, next, 1);
        CHECK_EQ(run_chain(&r, next, 50), machine_rig_overhead(&r) + 50 * (5 + passes - 1));
        machine_rig_close(&r);
    }
}

/* Kinds of pipelines do not hold up one another: two alternate at the pace of the slower. */
static void kinds_of_pipelines_work_side_by_side(void)
{
    struct machine_rig r;
    struct stream_insn both[2] = {machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, REG_NONE, REG_NONE),
                                  machine_rig_op(UNIT_SFU, OPCLASS_SPECIAL, REG_NONE, REG_NONE)};
    open_with(&r, "special", (struct pipes){20, 6, 1, 32, 0});
    struct machine_rig_kernel k = {.insn = both, .ninsns = 2, .warps = 4, .loops = 10};
    CHECK_EQ(cycles_of(&r, k, 50), 4 * 50 * 6);
    machine_rig_close(&r);
}

/* A buffer of two instructions, filled two cycles after it ran empty: 2 per 3 cycles of a warp. */
static void a_warp_alone_waits_for_its_instructions(void)
{
    struct machine_rig r;
    struct stream_insn ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, REG_NONE, REG_NONE);
    machine_rig_open(&r, machine_rig_small, "sm.ibuffer=2 sm.fetch_latency=2 sm.fetch_warps=1");
    struct machine_rig_kernel k = {.insn = ten, .ninsns = 10, .loops = 10};
    CHECK_EQ(cycles_of(&r, k, 20), 20 * 10 * 3 / 2);
    k.warps = 8; /* one fetch per cycle is enough for two instructions */
    CHECK_EQ(cycles_of(&r, k, 30), 8 * 30 * 10);
    machine_rig_close(&r);
}

static void two_instructions_of_a_warp_issue_at_once_if_the_scheduler_can(void)
{
    struct machine_rig r;
    struct stream_insn ten[10];
    for (int i = 0; i < 10; i++)
        ten[i] = machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, REG_NONE, REG_NONE);
    struct machine_rig_kernel k = {.insn = ten, .ninsns = 10, .loops = 10};
    machine_rig_open(&r, machine_rig_small, "sm.issue_width=2 sm.sp_units=2");
    CHECK_EQ(cycles_of(&r, k, 20), 20 * 10 / 2);
    machine_rig_close(&r);
}

/* One SP and one integer pipeline: what either takes does not hold up the other, and a product is not
 * an integer's. */
static void integers_and_floats_take_the_longer_of_their_times(void)
{
    static const struct {
        enum stream_opclass integer;
        uint32_t int_units;
        uint64_t cycles;
    } x[] = {{OPCLASS_SIMPLE, 0, 3 + 5},
             {OPCLASS_SIMPLE, 1, 5},
             {OPCLASS_MUL, 1, 2 + 5},
             {OPCLASS_FMA, 1, 1 + 5}};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        struct machine_rig r;
        char settings[128];
        const struct stream_insn two[] = {
            machine_rig_op(UNIT_FP32, OPCLASS_SIMPLE, REG_NONE, REG_NONE),
            machine_rig_op(UNIT_INT, x[i].integer, REG_NONE, REG_NONE)};
        struct machine_rig_kernel k = {.insn = two, .ninsns = 2, .loops = 10, .warps = 4};
        snprintf(settings, sizeof settings,
                 "sm.sp_units=1 sm.schedulers=4 sm.int_units=%u pipe.int_interval=3 "
                 "pipe.fp32_interval=5",
                 x[i].int_units);
        machine_rig_open(&r, machine_rig_small, settings);
        CHECK_EQ(cycles_of(&r, k, 50), 4 * 50 * x[i].cycles);
        machine_rig_close(&r);
    }
}

static void a_kernel_takes_the_time_to_start_a_cta(void)
{
    static const char *const settings[] = {"gpu.cta_latency=1", "gpu.cta_latency=2",
                                           "gpu.cta_latency=330 sm.drain=false sm.int_units=2"};
    for (int i = 0; i < 3; i++) {
        struct machine_rig r;
        struct stream_insn in = machine_rig_op(UNIT_INT, OPCLASS_SIMPLE, 1, 1);
        machine_rig_open(&r, machine_rig_small, settings[i]);
        const uint64_t latency =
            (uint64_t)((const struct pipe_spec *)config_get(r.cfg, &pipe_section))->int_latency;
        CHECK_EQ(run_chain(&r, in, 25), machine_rig_overhead(&r) + 25 * latency);
        machine_rig_close(&r);
    }
}

CHECK_MAIN("micro_pipeline", TEST(a_chain_takes_its_latency_per_instruction),
           TEST(independent_instructions_take_their_interval_over_the_units),
           TEST(eight_lanes_take_four_cycles_per_warp_instruction),
           TEST(kinds_of_pipelines_work_side_by_side),
           TEST(integers_and_floats_take_the_longer_of_their_times),
           TEST(a_kernel_takes_the_time_to_start_a_cta),
           TEST(a_warp_alone_waits_for_its_instructions),
           TEST(two_instructions_of_a_warp_issue_at_once_if_the_scheduler_can))
