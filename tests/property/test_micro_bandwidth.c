/* Bandwidth: each bound of the memory system is reached in a machine in which nothing else binds,
 * and the throughput of misses follows Little's law.  Rates are differences of two run times, so
 * that beginning and end do not count.  docs/model/micro.md has the bounds. */
#include "check.h"

#include "cluster/cluster.h"
#include "dram/mc.h"
#include "l2/slice.h"
#include "rig/machine_rig.h"

enum { LOADS = 16 }; /* of a warp that may be under way */

/* Lane l of load i of loop n of a warp reads the line whose number is the sum of these. */
struct lines {
    uint64_t cta, warp, loop, load, lane;
};

static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    const struct lines *s = context;
    a->base = LINE_BYTES *
              (at->cta * s->cta + at->warp * s->warp + at->loop * s->loop + at->insn * s->load);
    a->pattern = s->lane ? PATTERN_STRIDE : PATTERN_UNIFORM;
    a->stride = (int64_t)(LINE_BYTES * s->lane);
}

static uint64_t stream(struct machine_rig *r, const struct lines *s, uint32_t loops, uint32_t ctas,
                       uint32_t warps)
{
    struct stream_insn in[LOADS];
    for (uint16_t i = 0; i < LOADS; i++)
        in[i] = machine_rig_load(STREAM_GLOBAL, (uint16_t)(i + 1), REG_NONE);
    struct machine_rig_kernel k = {.insn = in,
                                   .ninsns = LOADS,
                                   .loops = loops,
                                   .ctas = ctas,
                                   .warps = warps,
                                   .address = address,
                                   .context = s};
    return machine_rig_run(r, &k);
}

/* ---- networks ---- */

/* A cluster per slice, which reads from that slice only: no two meet in the crossbar.  The slices
 * have all lines (the first run brings them). */
static void hits_of_the_l2_fill_the_reply_channels(void)
{
    static const struct {
        const char *width;
        uint32_t flits;
    } of[] = {{"noc.width=32", 5}, {"noc.width=64", 3}, {"noc.width=136", 1}};
    enum { PAIRS = 4, WARPS = 16, CHUNK = 2, PAGE = PAIRS * CHUNK };
    /* Chunks of two lines: cluster c reads the lines of chunk c of every page. */
    const struct lines s = {.cta = CHUNK, .warp = 2 * PAGE, .load = 4 * PAGE};
    for (int i = 0; i < 3; i++) {
        struct machine_rig r;
        char settings[256];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=4 mc.channels=4 noc.topology=xbar xbar.inputs=4 xbar.outputs=4 "
                 "l1.enabled=false l1.pending=512 sm.scheduler=lrr router.depth=64 %s",
                 of[i].width);
        machine_rig_open(&r, machine_rig_small, settings);
        stream(&r, &s, 1, PAIRS, WARPS);
        uint64_t few = stream(&r, &s, 4, PAIRS, WARPS), many = stream(&r, &s, 12, PAIRS, WARPS);
        CHECK_NEAR(machine_rig_stat(&r, "l2.read_misses"), 0, 0);
        double lines = 8.0 * LOADS * WARPS, bound = lines * of[i].flits;
        printf("replies of %u flits: %.1f %% of the payload bound\n", of[i].flits,
               100 * bound / (double)(many - few));
        CHECK(many - few >= bound);
        CHECK((double)(many - few) <= bound / 0.95);
        machine_rig_close(&r);
    }
}

/* ---- DRAM ---- */

/* One SM that has a line looked up per cycle and never waits for MSHRs; consecutive accesses are
 * s.lane lines apart. */
static double cycles_per_line(const char *settings, const struct lines *s)
{
    struct machine_rig r;
    char all[512];
    snprintf(all, sizeof all,
             "l1.enabled=false l1.requests=4096 l2.mshrs=1024 l2.ways=1024 l2.size=1M mc.queue=64 "
             "%s",
             settings);
    machine_rig_open(&r, machine_rig_small, all);
    uint64_t few = stream(&r, s, 2, 1, 1);
    machine_rig_close(&r);
    machine_rig_open(&r, machine_rig_small, all);
    uint64_t many = stream(&r, s, 10, 1, 1);
    CHECK_NEAR(machine_rig_stat(&r, "l2.read_hits"), 0, 0);
    machine_rig_close(&r);
    return (double)(many - few) / (8 * LOADS * WARP_LANES);
}

static void check_dram(const char *name, const char *settings, uint64_t apart, double bound)
{
    const struct lines s = {.lane = apart, .load = 32 * apart, .loop = 32 * LOADS * apart};
    double cycles = cycles_per_line(settings, &s);
    printf("%s: %.3f cycles per line, bound %.3f\n", name, cycles, bound);
    CHECK(cycles >= bound * 0.999);
    CHECK(cycles <= bound / 0.95);
}

static void a_stream_of_row_hits_fills_the_data_bus(void)
{
    check_dram("row hits", "", 1, 2);
    check_dram("row hits, tCCD 3", "dram.tccd=3", 1, 3);
    check_dram("row hits, half the width",
               "dram.bus_bits=64 map.order=RRRRRRRRRRRRRRBBBBCCCCCCCSSSSSS", 1, 4);
    check_dram("row hits, two channels", "mc.channels=2 ideal.mems=2", 1, 1);
    check_dram("row hits, slow command clock", "dram.clock=500MHz", 1, 4);
}

enum { ROW = 64, ALL_BANKS = 16 * ROW }; /* lines */

static void streams_of_row_misses_reach_the_bounds_of_dram_timing(void)
{
    check_dram("one bank, tRC", "", ALL_BANKS, 40);
    check_dram("one bank, tRAS + tRP", "dram.trc=1 dram.tras=30", ALL_BANKS, 30 + 12);
    check_dram("one bank, tRCD + tRTP + tRP", "dram.trc=1 dram.tras=1 dram.trtp=9", ALL_BANKS,
               12 + 9 + 12);
    check_dram("all banks in turn, tRRD", "dram.dual_command=true", ROW, 6);
    /* With one command slot, and tRCD twice tRRD, every read command meets the activate after the
     * next and goes first, being older: activates are 6 and 7 cycles apart in turn. */
    check_dram("all banks in turn, tRRD, one command slot", "", ROW, 6.5);
    check_dram("all banks in turn, tFAW", "dram.tfaw=34", ROW, 34 / 4.0);
    check_dram("all banks in turn, tRC / banks", "dram.trc=160 dram.trrd=1", ROW, 10);
}

/* ---- MSHRs ---- */

static void misses_of_the_l1_follow_littles_law(void)
{
    /* From the lookup to the fill: what a miss holds its MSHR for. */
    const uint64_t held = 1 + (1 + 5 + 1) + 120 + 1 + (1 + 5 + 1) + 1;
    const struct lines s = {.lane = 1, .load = 32, .loop = 32 * LOADS};
    for (uint32_t mshrs = 1; mshrs <= 32; mshrs *= 2) {
        struct machine_rig r;
        char settings[64];
        snprintf(settings, sizeof settings, "l1.mshrs=%u l1.ways=128", mshrs);
        machine_rig_open(&r, machine_rig_small, settings);
        stream(&r, &s, 3, 1, 1);
        uint64_t few = stream(&r, &s, 1, 1, 1), many = stream(&r, &s, 3, 1, 1);
        double lines = 2 * LOADS * WARP_LANES, throughput = lines / (double)(many - few);
        double time = machine_rig_stat(&r, "l1.mshr_cycles") / machine_rig_stat(&r, "l1.fills");
        CHECK_NEAR(machine_rig_stat(&r, "l2.read_misses"), 0, 0);
        CHECK_NEAR(time, held, 0);
        CHECK_NEAR(throughput * time, mshrs, 0.01);
        machine_rig_close(&r);
    }
}

/* An L2 MSHR is held from the tags to the fill: the "dram" part of a request's time. */
static void misses_of_the_l2_follow_littles_law(void)
{
    const struct lines s = {.lane = 1, .load = 32, .loop = 32 * LOADS};
    for (uint32_t mshrs = 1; mshrs <= 32; mshrs *= 2) {
        struct machine_rig r;
        char settings[96];
        snprintf(settings, sizeof settings, "l2.mshrs=%u l1.enabled=false", mshrs);
        machine_rig_open(&r, machine_rig_small, settings);
        uint64_t few = stream(&r, &s, 1, 1, 1);
        machine_rig_close(&r);
        machine_rig_open(&r, machine_rig_small, settings);
        uint64_t many = stream(&r, &s, 5, 1, 1);
        double time = machine_rig_stat(&r, "l1.read.time_dram") / (5 * LOADS * WARP_LANES);
        double throughput = 4 * LOADS * WARP_LANES / (double)(many - few);
        printf("%2u L2 MSHRs: %.1f cycles each, %.2f %% of the bound\n", mshrs, time,
               100 * throughput * time / mshrs);
        CHECK_NEAR(throughput * time, mshrs, 0.01);
        machine_rig_close(&r);
    }
}

/* ---- a machine as it is ---- */

enum { CTAS = 240, WARPS = 6, GRID = CTAS * WARPS };

struct bounds { /* bytes per cycle */
    double channels, fills, dram, mshrs;
};

static struct bounds bounds_of(const struct machine_rig *r, double held)
{
    const struct l2_spec *l2 = config_get(r->cfg, &l2_section);
    const struct dram_spec *dram = config_get(r->cfg, &dram_section);
    const struct gpu_spec *gpu = config_get(r->cfg, &gpu_section);
    const struct router_spec *router = config_get(r->cfg, &router_section);
    const double flits = 3, stages = (double)(router->routing_delay + router->vc_delay);
    return (struct bounds){
        .channels = 8 * LINE_BYTES / fmax(flits, (flits + stages) / (double)router->vcs),
        .fills = 8 * (double)l2->port_bytes,
        .dram = dram_peak(dram, 8) / gpu->clock * 2 / 2.941, /* its groups: test_micro_rates.c */
        .mshrs = 8 * (double)l2->mshrs * LINE_BYTES / held};
}

struct streamed { /* bytes per cycle: from DRAM, and again from the L2 */
    double cold, warm;
    double mshrs; /* what these let through */
};

/* Every thread reads words `apart` lines apart: a grid, as streaming kernels do, or more. */
static struct streamed stream_icc60(const char *settings, uint64_t apart)
{
    const struct lines s = {.cta = WARPS, .warp = 1, .load = apart};
    const double lines = LOADS * GRID;
    struct machine_rig r;
    machine_rig_open(&r, "base: icc60.yaml", settings);
    double cold = lines * LINE_BYTES / (double)stream(&r, &s, 1, CTAS, WARPS);
    double held = machine_rig_stat(&r, "l1.read.time_dram") / lines;
    double warm = lines * LINE_BYTES / (double)stream(&r, &s, 1, CTAS, WARPS);
    CHECK_NEAR(machine_rig_stat(&r, "l2.read_misses"), 0, 0);
    struct bounds b = bounds_of(&r, held);
    printf("icc60 %s, %llu lines apart, bytes per cycle: channels %.1f, ports of the L2 %.1f, "
           "DRAM %.1f, L2 MSHRs %.1f (held %.1f cycles); measured %.1f, again %.1f\n",
           settings, (unsigned long long)apart, b.channels, b.fills, b.dram, b.mshrs, held, cold,
           warm);
    CHECK(cold > 0 && cold <= fmin(fmin(b.channels, b.fills), fmin(b.dram, b.mshrs)));
    CHECK(warm > 0 && warm <= fmin(b.channels, b.fills));
    machine_rig_close(&r);
    return (struct streamed){cold, warm, b.mshrs};
}

/* How near it comes to the least of its bounds when all are there at once is for the reader to
 * judge; above it cannot be.  1440 lines are a multiple of the 96 sets of an L1: the 16 loads of a
 * warp then want the four ways of one set, and hold up all others. */
static void icc60_streams_at_a_fraction_of_its_least_bound(void)
{
    static const char *const settings[] = {"", "l2.mshrs=64"};
    for (int i = 0; i < 2; i++) {
        stream_icc60(settings[i], GRID);
        stream_icc60(settings[i], GRID + 1);
    }
}

/* With VCs nobody waits for the head of a queue, and what binds is beside the network. */
static void icc60_with_vcs_reaches_the_bounds_of_its_l2(void)
{
    struct streamed few = stream_icc60("router.vcs=8", GRID + 1);
    struct streamed more = stream_icc60("router.vcs=8 l2.mshrs=64", GRID + 1);
    CHECK_NEAR(few.cold, few.mshrs, 0.05 * few.mshrs);
    CHECK_NEAR(few.warm, 8 * 32, 0.05 * 8 * 32);
    CHECK_NEAR(more.cold, 8 * 32, 0.05 * 8 * 32);
}

/* One FIFO per slice: a reply whose cluster is taken holds up those behind it.  Of n FIFOs to k n
 * places that are wanted at random 1 + k - sqrt(1 + k^2) go on (Karol, Hluchyj and Morgan, 1987, for
 * many of them), of 8 slices to 12 clusters 69.7 %; and a packet of three flits takes four cycles. */
static void hits_of_icc60_are_bounded_by_the_heads_of_its_reply_queues(void)
{
    const double k = 12 / 8.0, bound = 8 * LINE_BYTES / 4.0 * (1 + k - sqrt(1 + k * k));
    double sum = 0;
    for (uint64_t more = 1; more <= 5; more++)
        sum += stream_icc60("", GRID + more).warm;
    printf("icc60, hits: %.1f bytes per cycle, heads of queues %.1f\n", sum / 5, bound);
    CHECK_NEAR(sum / 5, bound, 0.05 * bound);
}

CHECK_MAIN("micro_bandwidth", TEST(hits_of_the_l2_fill_the_reply_channels),
           TEST(a_stream_of_row_hits_fills_the_data_bus),
           TEST(streams_of_row_misses_reach_the_bounds_of_dram_timing),
           TEST(misses_of_the_l1_follow_littles_law), TEST(misses_of_the_l2_follow_littles_law),
           TEST(icc60_streams_at_a_fraction_of_its_least_bound),
           TEST(icc60_with_vcs_reaches_the_bounds_of_its_l2),
           TEST(hits_of_icc60_are_bounded_by_the_heads_of_its_reply_queues))
