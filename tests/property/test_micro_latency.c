/* Load-to-use latency of every level of the memory, by pointer chase: one thread, each load needs
 * the one before.  It is what the configured delays add up to, to the cycle (docs/model/micro.md):
 * nothing is hidden between the components, whatever the network and the clocks.
 *
 * Times are followed along the way of one load, each in the cycles of the clock that it is in; a
 * port to another clock shows what was written at the reader's first edge after it. */
#include "check.h"

#include "cluster/cluster.h"
#include "dram/mc.h"
#include "l1/lsu.h"
#include "l2/slice.h"
#include "rig/machine_rig.h"
#include "sim/clock.h"
#include "sm/sm.h"

/* ---- what the delays add up to ---- */

enum { SM, NOC, L2, DRAM, CLOCKS };
enum { ROW_OPEN, ROW_CLOSED, ROW_OTHER }; /* as a transfer finds its bank */

struct way {
    uint64_t period[CLOCKS];
    uint64_t request, reply; /* through the networks, without ports */
    uint64_t fetch;
    const struct l1_spec *l1;
    const struct cluster_spec *cluster;
    const struct l2_spec *l2;
    const struct mc_spec *mc;
    const struct dram_spec *dram;
};

static struct way way_of(const struct machine_rig *r)
{
    const struct gpu_spec *gpu = config_get(r->cfg, &gpu_section);
    const struct noc_spec *noc = config_get(r->cfg, &noc_section);
    const struct router_spec *router = config_get(r->cfg, &router_section);
    const struct sm_spec *sm = config_get(r->cfg, &sm_section);
    struct way w = {.fetch = (uint64_t)sm->fetch_latency,
                    .l1 = config_get(r->cfg, &l1_section),
                    .cluster = config_get(r->cfg, &cluster_section),
                    .l2 = config_get(r->cfg, &l2_section),
                    .mc = config_get(r->cfg, &mc_section),
                    .dram = config_get(r->cfg, &dram_section)};
    struct clock_plan p;
    struct lab_graphs g;
    struct err e = {0};
    CHECK(
        clock_plan(&p, (double[]){gpu->clock, noc->clock, w.l2->clock, w.dram->clock}, CLOCKS, &e));
    CHECK(lab_graphs(r->cfg, r->arena, &g, &e));
    uint32_t core = g.nodes.cores[0], mem = g.nodes.mems[0];
    uint32_t flits = (uint32_t)((REQUEST_HEADER_BYTES + LINE_BYTES + noc->width - 1) / noc->width);
    memcpy(w.period, p.period, sizeof w.period);
    w.request = noc_zero_load(g.graph[0], router, core, mem, 1);
    w.reply = noc_zero_load(g.graph[g.n - 1], router, mem, core, flits);
    return w;
}

/* What is pushed at `t` of one clock into a port to another: when it is seen. */
static uint64_t port(const struct way *w, uint64_t t, int from, int to, int64_t latency)
{
    return t * w->period[from] / w->period[to] + (uint64_t)latency;
}

/* Command cycles that last no less than the latency, which may be told in cycles of the SMs. */
static int64_t mc_latency(const struct way *w)
{
    const bool of_sm = strcmp(w->mc->latency_clock, "sm") == 0;
    const uint64_t ticks = (uint64_t)w->mc->latency * w->period[of_sm ? SM : DRAM];
    int64_t cycles = 0;
    while ((uint64_t)cycles * w->period[DRAM] < ticks)
        cycles++;
    return cycles;
}

static uint64_t through_dram(const struct way *w, uint64_t tags, int row)
{
    const struct dram_spec *d = w->dram;
    int64_t burst = (d->burst + d->beats_per_cycle - 1) / d->beats_per_cycle;
    int64_t bursts = LINE_BYTES / dram_burst_bytes(d), column = burst > d->tccd ? burst : d->tccd;
    int64_t opening = row == ROW_OPEN ? 0 : row == ROW_CLOSED ? d->trcd : d->trp + d->trcd;
    uint64_t taken = port(w, tags, L2, DRAM, 1);
    /* The 1: what enters the queue competes for the command bus from the next cycle on. */
    uint64_t done =
        taken + (uint64_t)(mc_latency(w) + 1 + opening + (bursts - 1) * column + d->tcl + burst);
    return port(w, done, DRAM, L2, w->mc->reply_latency) + (uint64_t)w->l2->fill_latency;
}

/* A load that misses the L1, issued at t: when its result can be used.  row < 0: it hits the L2. */
static uint64_t use_of_miss(const struct way *w, uint64_t t, int row)
{
    uint64_t at_cluster = t + 1 + (uint64_t)w->cluster->request_latency;
    uint64_t delivered = port(w, at_cluster, SM, NOC, 1) + w->request;
    uint64_t tags = port(w, delivered, NOC, L2, 1) + (uint64_t)w->l2->latency;
    uint64_t reply = row < 0 ? tags + (uint64_t)w->l2->hit_latency : through_dram(w, tags, row);
    uint64_t back = port(w, reply, L2, NOC, 1) + w->reply;
    return port(w, back, NOC, SM, 1) + (uint64_t)(w->cluster->reply_latency + w->l1->fill_latency);
}

/* ---- chases ---- */

static void next_line(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    a->pattern = PATTERN_UNIFORM;
    a->base = at->loop * *(const uint64_t *)context;
}

static uint64_t chase(struct machine_rig *r, uint32_t loads, uint64_t stride)
{
    struct stream_insn load = machine_rig_load(STREAM_GLOBAL, 1, 1);
    struct machine_rig_kernel k = {.insn = &load,
                                   .ninsns = 1,
                                   .loops = loads,
                                   .mask = 1,
                                   .address = next_line,
                                   .context = &stride};
    return machine_rig_run(r, &k);
}

static uint64_t begin_of_last(const struct machine_rig *r)
{
    return machine_kernel(r->machine, machine_nkernels(r->machine) - 1)->begin;
}

/* What a chase takes whose first load finds its row as `first` says and the others as `rest`. */
static uint64_t expected(const struct machine_rig *r, uint32_t loads, int first, int rest)
{
    struct way w = way_of(r);
    uint64_t begin = begin_of_last(r), t = begin + 1 + w.fetch;
    for (uint32_t i = 0; i < loads; i++)
        t = use_of_miss(&w, t, i ? rest : first);
    return t + 2 - begin;
}

struct chase_case {
    const char *name;
    uint64_t stride;
    int first, rest;
};

/* Rows are of 64 lines, and neighbouring rows in different banks (16 of them). */
static const struct chase_case dram_cases[] = {
    {"row hits", 128, ROW_CLOSED, ROW_OPEN},
    {"closed banks", 64 * 128, ROW_CLOSED, ROW_CLOSED},
    {"row conflicts", 16 * 64 * 128, ROW_CLOSED, ROW_OTHER},
};

enum { LOADS = 15 };

static void check_chases(const char *yaml, const char *settings)
{
    for (size_t i = 0; i < sizeof dram_cases / sizeof dram_cases[0]; i++) {
        const struct chase_case *c = &dram_cases[i];
        struct machine_rig r;
        machine_rig_open(&r, yaml, settings);
        uint64_t cold = chase(&r, LOADS, c->stride), sum = expected(&r, LOADS, c->first, c->rest);
        if (cold != sum)
            print_error("%s, %s\n", settings, c->name);
        CHECK_EQ(cold, sum);
        uint64_t warm = chase(&r, LOADS, c->stride);
        sum = expected(&r, LOADS, -1, -1);
        if (warm != sum)
            print_error("%s, L2 hits\n", settings);
        CHECK_EQ(warm, sum);
        machine_rig_close(&r);
    }
}

/* ---- tests ---- */

static void an_l1_hit_takes_its_latency(void)
{
    static const char *const latencies[] = {"l1.latency=2", "l1.latency=35", "l1.latency=82"};
    for (int i = 0; i < 3; i++) {
        struct machine_rig r;
        machine_rig_open(&r, machine_rig_small, latencies[i]);
        const struct l1_spec *l1 = config_get(r.cfg, &l1_section);
        chase(&r, 1, 0); /* the line comes into the L2 */
        uint64_t many = chase(&r, 110, 0), few = chase(&r, 10, 0);
        CHECK_EQ(many - few, 100 * l1->latency);
        CHECK_EQ(few, expected(&r, 1, -1, -1) + 9 * (uint64_t)l1->latency);
        machine_rig_close(&r);
    }
}

/* On one clock the way is a plain sum, and the same for every load. */
static void an_l2_hit_and_a_dram_access_take_the_sum_of_their_delays(void)
{
    const uint64_t row = 64 * 128, burst = 2;
    const uint64_t ways = 1 + 3 + (1 + 7 + 1) + 50 + (1 + 7 + 1) + 5 + 13;
    const uint64_t hit = 11, dram = 1 + 20 + 1 + 14 + 12 + burst + 4 + 9;
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small,
                     "cluster.request_latency=3 ideal.latency=7 l2.latency=50 l2.hit_latency=11 "
                     "cluster.reply_latency=5 l1.fill_latency=13 mc.latency=20 mc.reply_latency=4 "
                     "l2.fill_latency=9 dram.tcl=12 dram.trcd=14");
    uint64_t cold = chase(&r, 10, row), warm = chase(&r, 10, row), warm_half = chase(&r, 5, row);
    CHECK_EQ(cold, machine_rig_overhead(&r) + 10 * (ways + dram));
    CHECK_EQ(warm, machine_rig_overhead(&r) + 10 * (ways + hit));
    CHECK_EQ(warm - warm_half, 5 * (ways + hit));
    machine_rig_close(&r);
}

static void chases_take_their_sums_on_one_clock(void)
{
    static const char *const settings[] = {
        "",
        "ideal.latency=1 l2.latency=1 mc.latency=0 cluster.request_latency=9 l1.fill_latency=40",
        "ideal.latency=40 l2.hit_latency=100 l2.fill_latency=77 mc.reply_latency=31 mc.latency=1",
        "dram.bus_bits=64 dram.tccd=5 dram.trcd=20 dram.trp=17 dram.tcl=3 "
        "map.order=RRRRRRRRRRRRRRBBBBCCCCCCCSSSSSS",
        "dram.bus_bits=32 dram.burst=8 dram.beats_per_cycle=2 cluster.reply_latency=6 "
        "map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS",
        "mc.scheduler=serial",
        "mc.scheduler=fifo",
        "mc.scheduler=banked_fifo",
        "l1.enabled=false",
        "l1.allocate=fill l1.sectored=false sm.fetch_latency=4 sm.ibuffer=1",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        check_chases(machine_rig_small, settings[i]);
}

#define XBAR "noc.topology=xbar xbar.inputs=1 xbar.outputs=1 "
#define MESH "noc.topology=mesh mesh.width=4 mesh.height=3 mesh.cores=1 mesh.mem=10 "

static void chases_take_their_sums_through_every_network(void)
{
    static const char *const settings[] = {
        XBAR,
        XBAR "router.routing_delay=0 router.internal_speedup=2 router.vcs=1 router.depth=64",
        XBAR "noc.width=32 router.alloc_extra=2 xbar.terminal_latency=7",
        XBAR "noc.width=136",
        MESH,
        MESH "noc.width=16 router.depth=64 mesh.link_latency=3",
        MESH "router.speculative=true router.routing_delay=0 noc.networks=one",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        check_chases(machine_rig_small, settings[i]);
}

#define CLOCKS_ARE(sm, noc, l2, dram)                                                              \
    "gpu.clock=" sm " noc.clock=" noc " l2.clock=" l2 " dram.clock=" dram " "

static void chases_take_their_sums_across_clocks(void)
{
    static const char *const settings[] = {
        CLOCKS_ARE("2GHz", "1GHz", "1GHz", "1GHz"),
        CLOCKS_ARE("1GHz", "2GHz", "2GHz", "2GHz"),
        CLOCKS_ARE("1GHz", "2GHz", "1GHz", "2GHz"),
        CLOCKS_ARE("2GHz", "1GHz", "2GHz", "1GHz") "mc.reply_latency=3 l2.latency=33",
        CLOCKS_ARE("1.4GHz", "700MHz", "700MHz", "924MHz"),
        CLOCKS_ARE("325MHz", "650MHz", "650MHz", "800MHz"),
        CLOCKS_ARE("1.4GHz", "700MHz", "700MHz", "924MHz") XBAR,
        CLOCKS_ARE("325MHz", "650MHz", "650MHz", "800MHz") MESH,
        CLOCKS_ARE("1.4GHz", "1.9GHz", "1.4GHz", "1.75GHz") MESH,
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        check_chases(machine_rig_small, settings[i]);
}

static void a_controller_can_count_cycles_of_the_sms(void)
{
    static const char *const clocks[] = {
        CLOCKS_ARE("1GHz", "1GHz", "1GHz", "1GHz"),
        CLOCKS_ARE("2GHz", "1GHz", "1GHz", "1GHz"),
        CLOCKS_ARE("1GHz", "2GHz", "2GHz", "3GHz"),
        CLOCKS_ARE("1.4GHz", "700MHz", "700MHz", "924MHz"),
        CLOCKS_ARE("325MHz", "650MHz", "650MHz", "800MHz"),
        CLOCKS_ARE("1.4GHz", "1.9GHz", "1.4GHz", "1.75GHz"),
        CLOCKS_ARE("1.13GHz", "910MHz", "770MHz", "1.31GHz"),
    };
    static const char *const latencies[] = {"mc.latency=0", "mc.latency=1", "mc.latency=30",
                                            "mc.latency=100", "mc.latency=257"};
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        for (size_t k = 0; k < sizeof latencies / sizeof latencies[0]; k++) {
            char settings[256];
            for (int of_sm = 0; of_sm < 2; of_sm++) {
                snprintf(settings, sizeof settings, "%s%s mc.latency_clock=%s", clocks[i],
                         latencies[k], of_sm ? "sm" : "dram");
                check_chases(machine_rig_small, settings);
            }
        }
    }
}

/* All in slice 0: 8 slices of 256 bytes in turn. */
static void an_l2_hit_of_icc60_takes_147_cycles(void)
{
    struct machine_rig r;
    machine_rig_open(&r, "base: icc60.yaml", "");
    chase(&r, 20, 2048);
    uint64_t many = chase(&r, 20, 2048), few = chase(&r, 10, 2048);
    CHECK_EQ(many - few, 10 * (1 + 4 + (1 + 6 + 1) + 120 + 1 + (1 + 8 + 1) + 1 + 2));
    machine_rig_close(&r);
}

CHECK_MAIN("micro_latency", TEST(an_l1_hit_takes_its_latency),
           TEST(an_l2_hit_and_a_dram_access_take_the_sum_of_their_delays),
           TEST(chases_take_their_sums_on_one_clock),
           TEST(chases_take_their_sums_through_every_network),
           TEST(chases_take_their_sums_across_clocks),
           TEST(a_controller_can_count_cycles_of_the_sms),
           TEST(an_l2_hit_of_icc60_takes_147_cycles))
