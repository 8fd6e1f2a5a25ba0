/* Bandwidth again, for what was taken from GPGPU-Sim: ports of the L2's data array, queues between
 * slices and memory, writes sent through, response FIFOs, bank groups, controllers that keep the
 * order.  Each bound is derived here, and reached; docs/model/micro.md has the table. */
#include "check.h"

#include "mem/request.h"
#include "rig/machine_rig.h"

enum { ACCESSES = 16 }; /* of a warp that may be under way */

/* Lane l of access i of loop n of a warp is in the line whose number is the sum of these. */
struct lines {
    uint64_t cta, warp, loop, insn, lane;
};

static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    const struct lines *s = context;
    a->base = LINE_BYTES *
              (at->cta * s->cta + at->warp * s->warp + at->loop * s->loop + at->insn * s->insn);
    a->pattern = PATTERN_STRIDE;
    a->stride = s->lane ? (int64_t)(LINE_BYTES * s->lane) : 4;
}

static struct stream_insn store(void)
{
    struct stream_insn in = machine_rig_load(STREAM_GLOBAL, REG_NONE, REG_NONE);
    in.flags = INSN_MEM | INSN_STORE;
    in.opclass = OPCLASS_STORE;
    return in;
}

static uint64_t run(struct machine_rig *r, const struct lines *s, bool stores, uint32_t loops,
                    uint32_t ctas, uint32_t warps)
{
    struct stream_insn in[ACCESSES];
    for (uint16_t i = 0; i < ACCESSES; i++)
        in[i] = stores ? store() : machine_rig_load(STREAM_GLOBAL, (uint16_t)(i + 1), REG_NONE);
    struct machine_rig_kernel k = {.insn = in,
                                   .ninsns = ACCESSES,
                                   .loops = loops,
                                   .ctas = ctas,
                                   .warps = warps,
                                   .address = address,
                                   .context = s};
    return machine_rig_run(r, &k);
}

/* `cycles` per line are no fewer than the bound and no more than a hundredth above it. */
static void check_bound(const char *name, double cycles, double bound)
{
    printf("%s: %.3f cycles per line, bound %.3f, %.1f %%\n", name, cycles, bound,
           100 * bound / cycles);
    CHECK(cycles >= bound * 0.999);
    CHECK(cycles <= bound * 1.01);
}

/* ---- hits of the L2 ---- */

/* A cluster per slice, which reads from that slice only: no two meet in the crossbar.  Cycles per
 * line when all lines are in the slices. */
static double cycles_per_hit(const char *settings)
{
    enum { PAIRS = 4, WARPS = 16, CHUNK = 2, PAGE = PAIRS * CHUNK };
    const struct lines s = {.cta = CHUNK, .warp = 2 * PAGE, .insn = 4 * PAGE};
    struct machine_rig r;
    char all[512];
    snprintf(all, sizeof all,
             "gpu.clusters=4 mc.channels=4 noc.topology=xbar xbar.inputs=4 xbar.outputs=4 "
             "l1.enabled=false l1.pending=512 sm.scheduler=lrr %s",
             settings);
    machine_rig_open(&r, machine_rig_small, all);
    run(&r, &s, false, 1, PAIRS, WARPS);
    uint64_t few = run(&r, &s, false, 4, PAIRS, WARPS);
    uint64_t many = run(&r, &s, false, 36, PAIRS, WARPS);
    CHECK_NEAR(machine_rig_stat(&r, "l2.read_misses"), 0, 0);
    machine_rig_close(&r);
    return (double)(many - few) / (32.0 * ACCESSES * WARPS);
}

/* A packet of f flits holds a VC of its channel until its tail has the switch; then the next one is
 * routed and gets the VC, which takes it as many cycles as these stages have.  VCs overlap.  (Not so
 * with vc_delay > 1: who bids while others are being allocated can find its VC taken, and bids again.) */
static void a_channel_of_few_vcs_waits_between_packets(void)
{
    static const struct {
        int width, flits;
    } of[] = {{32, 5}, {64, 3}, {136, 1}};
    static const struct {
        int vcs, routing, vc;
    } routers[] = {{1, 0, 1}, {2, 0, 1}, {4, 0, 1}, {1, 1, 1}, {2, 1, 1}, {4, 1, 1},
                   {1, 0, 2}, {1, 2, 1}, {2, 2, 1}, {4, 2, 1}, {1, 1, 3}};
    for (size_t i = 0; i < sizeof routers / sizeof routers[0] * 3; i++) {
        const int flits = of[i % 3].flits, vcs = routers[i / 3].vcs;
        const int stages = routers[i / 3].routing + routers[i / 3].vc;
        char settings[256], name[96];
        snprintf(settings, sizeof settings,
                 "noc.width=%d router.vcs=%d router.depth=16 router.routing_delay=%d "
                 "router.vc_delay=%d",
                 of[i % 3].width, vcs, routers[i / 3].routing, routers[i / 3].vc);
        snprintf(name, sizeof name, "replies of %d flits, %d VCs, %d stages", flits, vcs, stages);
        check_bound(name, cycles_per_hit(settings), fmax(flits, (flits + stages) / (double)vcs));
    }
}

/* Replies of one flit, so that only the port binds. */
#define ONE_FLIT "noc.width=136 router.depth=64 router.vcs=4 "

static void hits_of_the_l2_move_as_many_bytes_as_its_data_ports(void)
{
    static const int ports[] = {0, 128, 100, 64, 32, 16, 4};
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        char settings[128], name[64];
        snprintf(settings, sizeof settings, ONE_FLIT "l2.port_bytes=%d", ports[i]);
        snprintf(name, sizeof name, "hits, port of %d bytes", ports[i]);
        check_bound(name, cycles_per_hit(settings),
                    ports[i] ? ceil(LINE_BYTES / (double)ports[i]) : 1);
    }
}

/* A gate that shuts when Q requests wait for the tags leaves the pipeline of L cycles empty behind
 * those that are in it.  It opens when one of Q has gone to the tags.  L cycles later, with the tags
 * idle by then, a request comes there every cycle and goes on every c, as long as it takes the port;
 * the gate shuts in the cycle k after that in which k - floor(k / c) is Q.  L + k have come in, and
 * it opens again when the one is at the tags that has Q - 1 behind it: L + (L + k - Q) c later. */
static double gated(int latency, int queue, int c)
{
    int k = 0;
    while (k - k / c < queue)
        k++;
    return (latency + (latency + k - queue) * c) / (double)(latency + k);
}

static void a_gate_before_the_pipeline_leaves_bubbles(void)
{
    static const struct {
        int port, queue;
    } of[] = {{64, 8}, {32, 8}, {16, 8}, {32, 4}, {32, 16}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        char settings[160], name[64];
        snprintf(settings, sizeof settings,
                 ONE_FLIT "l2.gated=true l2.latency=120 l2.port_bytes=%d l2.input_queue=%d",
                 of[i].port, of[i].queue);
        snprintf(name, sizeof name, "hits, port of %d bytes, gate at %d", of[i].port, of[i].queue);
        double cycles = cycles_per_hit(settings),
               sum = gated(120, of[i].queue, LINE_BYTES / of[i].port);
        printf("%s: %.3f cycles per line, sum %.3f\n", name, cycles, sum);
        CHECK_NEAR(cycles, sum, 0.005 * sum); /* the run is no whole number of periods */
    }
}

/* ---- a stream from DRAM ---- */

/* One SM that has a line looked up per cycle and never waits for MSHRs; lines in a row.  The shorter
 * run has met every bank. */
static double cycles_per_line(const char *yaml, const char *settings)
{
    const struct lines s = {.lane = 1, .insn = 32, .loop = 32 * ACCESSES};
    struct machine_rig r;
    char all[512];
    uint64_t taken[2];
    snprintf(all, sizeof all,
             "l1.enabled=false l1.requests=4096 l2.mshrs=1024 l2.ways=1024 l2.size=1M mc.queue=64 "
             "%s",
             settings);
    for (uint32_t i = 0; i < 2; i++) {
        machine_rig_open(&r, yaml, all);
        taken[i] = run(&r, &s, false, i ? 10 : 2, 1, 1);
        CHECK_NEAR(machine_rig_stat(&r, "l2.read_hits"), 0, 0);
        machine_rig_close(&r);
    }
    return (double)(taken[1] - taken[0]) / (8 * ACCESSES * WARP_LANES);
}

static void check_stream(const char *name, const char *settings, double bound)
{
    check_bound(name, cycles_per_line(machine_rig_small, settings), bound);
}

static void fills_move_as_many_bytes_as_their_ports(void)
{
    check_stream("fills, port of 64 bytes", "l2.port_bytes=64", 2);
    check_stream("fills, port of 32 bytes", "l2.port_bytes=32", 4);
    check_stream("fills, port of 16 bytes", "l2.port_bytes=16", 8);
    check_stream("fills, two ports of 32 bytes", "mc.channels=2 ideal.mems=2 l2.port_bytes=32", 2);
    check_stream("fills, two ports of 32 bytes, one channel",
                 "l2.slices_per_channel=2 ideal.mems=2 l2.port_bytes=32", 2);
    check_stream("fills, port of 32 bytes, short queues",
                 "l2.port_bytes=32 l2.memory_queue=2 l2.fill_queue=2", 4);
}

/* A line per command cycle. */
#define FAST_DRAM "dram.bus_bits=256 dram.burst=4 dram.tccd=1 dram.trrd=1 dram.dual_command=true "

/* A port of depth d and latency l has each place taken for l + 1 cycles: l until the reader has it,
 * one until the writer sees that it is free.  So d places give d / (l + 1) transfers per cycle, one
 * at most.  To the controller l is 1, and back mc.reply_latency; on its way back a transfer takes no
 * place of fill_queue, which makes d = fill_queue + l - 1. */
static void queues_to_and_from_memory_have_the_rate_of_ports(void)
{
    check_stream("no limits", FAST_DRAM, 1);
    check_stream("miss queue of 1", FAST_DRAM "l2.miss_queue=1", 2);
    check_stream("miss queue of 2", FAST_DRAM "l2.miss_queue=2", 1);
    check_stream("memory queue of 1", FAST_DRAM "l2.memory_queue=1", 2);
    check_stream("memory queue of 2", FAST_DRAM "l2.memory_queue=2", 1);
    check_stream("fill queue of 1", FAST_DRAM "l2.fill_queue=1", 2);
    check_stream("fill queue of 2", FAST_DRAM "l2.fill_queue=2", 1);
    check_stream("fill queue of 1, 3 cycles", FAST_DRAM "l2.fill_queue=1 mc.reply_latency=3",
                 4 / 3.0);
    check_stream("fill queue of 1, 9 cycles", FAST_DRAM "l2.fill_queue=1 mc.reply_latency=9",
                 10 / 9.0);
    check_stream("fill queue of 2, 9 cycles", FAST_DRAM "l2.fill_queue=2 mc.reply_latency=9", 1);
    check_stream("gated", FAST_DRAM "l2.gated=true l2.memory_queue=8 l2.fill_queue=8", 1);
}

/* ---- bank groups, orders ---- */

#define GROUPS "dram.groups=4 dram.tccdl=3 dram.group_bits="
/* Of base/gddr5_x4.yaml: two lines, the other bank of a pair; 64 such, the next pair. */
#define PAIRS_OF_BANKS " map.order=RRRRRRRRRRRRBBBCCCCCBCSSSSSSS "

/* `run` lines in a row are in one group and come every tCCDL = 3 cycles.  When the first of the next
 * group comes into a queue of q transfers, q - 1 of this one are there; while its row is opened,
 * 25 cycles, 8 of these go.  From then on both groups take turns, two lines in 4 cycles instead of
 * 6, until the q - 9 are gone; and the last change of group takes 2 cycles instead of 3. */
static double with_groups(int q, int run)
{
    return 3 - (2 * (q - 9) + 1) / (double)run;
}

/* A channel of the 322 machines: groups of neighbours, pairs of banks, a queue of 16. */
static const char channel_322[] =
    "base: base/gddr5_x4.yaml\n"
    "gpu: {clusters: 1, sms_per_cluster: 1, clock: 1GHz}\n"
    "sm: {ibuffer: 16, fetch_latency: 1, fetch_warps: 8, schedulers: 1}\n"
    "noc: {topology: ideal, networks: two, width: 64, clock: 1GHz}\n"
    "ideal: {cores: 1, mems: 1, latency: 5}\n"
    "l2: {clock: 1GHz}\n"
    "mc: {channels: 1}\n"
    "dram: {clock: 1GHz}\n";

static void a_stream_over_neighbouring_banks_has_two_thirds_of_the_peak_if_they_share_a_group(void)
{
    for (int q = 16; q <= 64; q *= 2) {
        char settings[128], name[64];
        snprintf(settings, sizeof settings, GROUPS "high" PAIRS_OF_BANKS "mc.queue=%d", q);
        snprintf(name, sizeof name, "pairs of banks in a group, queue of %d", q);
        check_stream(name, settings, with_groups(q, 4 * 64));
        snprintf(settings, sizeof settings, GROUPS "high mc.queue=%d", q);
        snprintf(name, sizeof name, "bank by bank, groups of neighbours, queue of %d", q);
        check_stream(name, settings, with_groups(q, 4 * 64));
        snprintf(settings, sizeof settings, GROUPS "low" PAIRS_OF_BANKS "mc.queue=%d", q);
        snprintf(name, sizeof name, "pairs of banks of two groups, queue of %d", q);
        check_stream(name, settings, 2);
    }
    check_bound("GDDR5 of the 322 machines", cycles_per_line(channel_322, "mc.queue=16"),
                with_groups(16, 4 * 64));
    check_bound("the same, neighbours in different groups",
                cycles_per_line(channel_322, "mc.queue=16 dram.group_bits=low"), 2);
    check_stream("bank by bank, neighbours in different groups, queue of 16",
                 GROUPS "low mc.queue=16", with_groups(16, 64));
    check_stream("bank by bank, neighbours in different groups, queue of 32",
                 GROUPS "low mc.queue=32", with_groups(32, 64));
}

/* A new row: precharge in the cycle after a read command, tRP, tRCD; 25 cycles to its first read.
 * `serial` begins when the last read of the row before has gone.  `fifo` lets a transfer of another
 * bank go past the last one of a row, and so begins when the last but one has gone. */
static void controllers_that_keep_the_order_open_a_row_at_the_end_of_the_one_before(void)
{
    enum { NEW_ROW = 1 + 12 + 12 };
    check_stream("serial, rows of 64 lines", "mc.scheduler=serial", (63 * 2 + NEW_ROW) / 64.0);
    check_stream("fifo, rows of 64 lines", "mc.scheduler=fifo", (62 * 2 + NEW_ROW) / 64.0);
    check_stream("serial, pairs of banks", "mc.scheduler=serial" PAIRS_OF_BANKS,
                 (63 * 2 + NEW_ROW) / 64.0);
    check_stream("fifo, pairs of banks", "mc.scheduler=fifo" PAIRS_OF_BANKS,
                 (62 * 2 + NEW_ROW) / 64.0);
    /* Two lines of a bank and group 3 cycles apart, then the other group: 64 times 3, 62 times 2.
     * `fifo` has the first of the other group go past the second. */
    check_stream("serial, groups low", "mc.scheduler=serial " GROUPS "low" PAIRS_OF_BANKS,
                 (64 * 3 + 62 * 2 + 2 * NEW_ROW) / 128.0);
    check_stream("fifo, groups low", "mc.scheduler=fifo " GROUPS "low" PAIRS_OF_BANKS,
                 (62 * 2 + NEW_ROW) / 64.0);
    check_stream("serial, groups high", "mc.scheduler=serial " GROUPS "high" PAIRS_OF_BANKS,
                 (63 * 3 + NEW_ROW) / 64.0);
    check_stream("fifo, groups high", "mc.scheduler=fifo " GROUPS "high" PAIRS_OF_BANKS,
                 (62 * 3 + NEW_ROW) / 64.0);
}

/* ---- writes ---- */

static double stat(const struct machine_rig *r, const char *name)
{
    return machine_rig_stat(r, name);
}

struct written {
    double cycles;                              /* of the kernel */
    double reads, writes, writebacks, throughs; /* until nothing that was written is left */
};

static void count(struct written *w, const struct machine_rig *r)
{
    w->reads += stat(r, "dram.reads") - stat(r, "l2.read_misses");
    w->writes += stat(r, "dram.writes");
    w->writebacks += stat(r, "l2.writebacks");
    w->throughs += stat(r, "l2.throughs");
}

/* Whole lines in a row, each written once; then so many others are read that none of these is left.
 * What is still on its way at the end of the first kernel is counted with the second. */
static struct written write_lines(const char *settings, uint32_t loops)
{
    const struct lines s = {.insn = 1, .loop = ACCESSES};
    const struct lines others = {.insn = 32, .lane = 1, .loop = 32 * ACCESSES, .cta = 1 << 20};
    struct machine_rig r;
    struct written w = {0};
    char all[512];
    snprintf(all, sizeof all,
             "l1.enabled=false l1.requests=4096 l2.mshrs=256 l2.ways=512 l2.size=64K mc.queue=64 "
             "l2.writebacks=512 l2.miss_queue=16 %s",
             settings);
    machine_rig_open(&r, machine_rig_small, all);
    w.cycles = (double)run(&r, &s, true, loops, 1, 1);
    CHECK_NEAR(stat(&r, "l2.write_misses"), loops * ACCESSES, 0);
    count(&w, &r);
    run(&r, &others, false, 2, 2, 1);
    CHECK_NEAR(stat(&r, "l2.read_hits"), 0, 0);
    count(&w, &r);
    machine_rig_close(&r);
    return w;
}

enum { FEW = 40, MANY = 200 }; /* loops */

struct per_line { /* written */
    int reads, writebacks, throughs;
    double cycles; /* 0: write-backs come late, some after the end of the kernel */
};

static void check_writes(const char *settings, struct per_line line)
{
    struct written few = write_lines(settings, FEW), many = write_lines(settings, MANY);
    CHECK_NEAR(many.reads, line.reads * MANY * ACCESSES, 0);
    CHECK_NEAR(many.writes, MANY * ACCESSES, 0);
    CHECK_NEAR(many.writebacks, line.writebacks * MANY * ACCESSES, 0);
    CHECK_NEAR(many.throughs, line.throughs * MANY * ACCESSES, 0);
    if (line.cycles > 0)
        check_bound(settings, (many.cycles - few.cycles) / ((MANY - FEW) * ACCESSES), line.cycles);
}

/* A column command takes 2 cycles; WL + burst + tWTR = 11 when a read follows a write, and
 * CL + burst + tRTRS - WL = 12 when a write follows a read: 19 more for both.  The queue is emptied of
 * reads before the first write can go, and of writes before the first read: so there is a pair of
 * these for as many lines as it holds (of 512, those of 256 MSHRs). */
static void a_line_written_through_costs_a_write_and_a_read_of_dram(void)
{
    const double turn = 11 + 12 - 2 * 2;
    check_writes("l2.write_through=true", (struct per_line){1, 0, 1, 4 + turn / 64});
    check_writes("l2.write_through=true mc.queue=512", (struct per_line){1, 0, 1, 4 + turn / 256});
    check_writes("l2.write_through=true l2.memory_queue=8 l2.fill_queue=8",
                 (struct per_line){1, 0, 1, 4 + turn / 64});
    /* One transfer is taken per cycle: 64 fills hold their port for 4 or 8 cycles each, then come 64
     * confirmed writes, of which 3 or 7 are taken while the last fill still has the port. */
    check_writes("l2.write_through=true l2.port_bytes=32",
                 (struct per_line){1, 0, 1, 4 + 1 - 3 / 64.});
    check_writes("l2.write_through=true l2.port_bytes=16",
                 (struct per_line){1, 0, 1, 8 + 1 - 7 / 64.});
    check_writes("l2.write_through=true l2.write_fetch=false", (struct per_line){0, 0, 1, 2});
    check_writes("l2.enabled=false", (struct per_line){0, 0, 1, 2});
    check_writes("l2.write_fetch=true", (struct per_line){1, 1, 0, 0});
    check_writes("l2.write_fetch=false", (struct per_line){0, 1, 0, 0});
}

/* ---- response FIFOs ---- */

/* SM cycles per answer through a FIFO of `depth` between two clocks, one each way per cycle: a place
 * is free at the first edge of the network after the answer was taken, and an answer is seen at the
 * first edge of the SMs after it was put there. */
static double cycles_per_answer(uint64_t noc, uint64_t sm, uint32_t depth)
{
    enum { N = 20000, MOST = 64 };
    uint64_t taken[MOST] = {0}, put = 0, last = 0, first = 0;
    for (uint32_t i = 0; i < N; i++) {
        uint64_t free = i < depth ? 0 : (taken[i % depth] / noc + 1) * noc;
        put = free > put + noc ? free : put + noc;
        uint64_t seen = (put / sm + 1) * sm;
        last = seen > last + sm ? seen : last + sm;
        taken[i % depth] = last;
        first = i ? first : last;
    }
    return (double)(last - first) / (double)sm / (N - 1);
}

/* SM cycles per answer of a cluster that asks two slices, which have all lines. */
static double answers(const char *settings, uint32_t sms)
{
    const struct lines s = {.lane = 1, .insn = 32};
    struct machine_rig r;
    char all[512];
    snprintf(
        all, sizeof all,
        "noc.topology=xbar xbar.inputs=1 xbar.outputs=2 mc.channels=2 noc.width=136 "
        "router.depth=64 router.vcs=4 l1.enabled=false l2.clock=2GHz %s gpu.sms_per_cluster=%u",
        settings, sms);
    machine_rig_open(&r, machine_rig_small, all);
    run(&r, &s, false, 1, sms, 1);
    uint64_t few = run(&r, &s, false, 2, sms, 1), many = run(&r, &s, false, 10, sms, 1);
    CHECK_NEAR(machine_rig_stat(&r, "l2.read_misses"), 0, 0);
    machine_rig_close(&r);
    return (double)(many - few) / (8 * ACCESSES * WARP_LANES * sms);
}

/* A FIFO of two gives every answer that the slower clock lets through.  So does one of a single
 * place, except on one clock: the place is seen to be free a cycle late. */
static void a_response_fifo_has_the_rate_of_a_port(void)
{
    static const struct {
        const char *clock;
        uint64_t noc, sm; /* periods */
    } of[] = {{"1GHz", 1, 1},   {"2GHz", 1, 2},    {"500MHz", 2, 1},
              {"1.5GHz", 2, 3}, {"700MHz", 10, 7}, {"1.3GHz", 10, 13}};
    CHECK_NEAR(cycles_per_answer(1, 1, 1), 2, 0.001);
    CHECK_NEAR(cycles_per_answer(1, 1, 2), 1, 0.001);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        for (uint32_t depth = 1; depth <= 3; depth++) {
            for (uint32_t sms = 1; sms <= 4; sms += 3) {
                char settings[128];
                snprintf(settings, sizeof settings, "noc.clock=%s cluster.response_fifo=%u",
                         of[i].clock, depth);
                check_bound(settings, answers(settings, sms),
                            cycles_per_answer(of[i].noc, of[i].sm, depth));
            }
        }
    }
}

/* The queue has its places besides those on the way, so that two, the fewest there are, are a depth
 * of latency + 1, which is enough for one answer per cycle. */
static void the_shortest_response_queue_takes_an_answer_per_cycle(void)
{
    for (int latency = 1; latency <= 100; latency *= 10) {
        for (uint32_t sms = 1; sms <= 4; sms += 3) {
            char settings[128];
            snprintf(settings, sizeof settings,
                     "cluster.response_fifo=2 cluster.response_queue=2 cluster.reply_latency=%d",
                     latency);
            check_bound(settings, answers(settings, sms), 1);
        }
    }
}

CHECK_MAIN("micro_rates", TEST(a_channel_of_few_vcs_waits_between_packets),
           TEST(hits_of_the_l2_move_as_many_bytes_as_its_data_ports),
           TEST(a_gate_before_the_pipeline_leaves_bubbles),
           TEST(fills_move_as_many_bytes_as_their_ports),
           TEST(queues_to_and_from_memory_have_the_rate_of_ports),
           TEST(a_stream_over_neighbouring_banks_has_two_thirds_of_the_peak_if_they_share_a_group),
           TEST(controllers_that_keep_the_order_open_a_row_at_the_end_of_the_one_before),
           TEST(a_line_written_through_costs_a_write_and_a_read_of_dram),
           TEST(a_response_fifo_has_the_rate_of_a_port),
           TEST(the_shortest_response_queue_takes_an_answer_per_cycle))
