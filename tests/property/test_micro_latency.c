/* Load-to-use latency of every level of the memory, by pointer chase.  It is what the configured
 * delays add up to, to the cycle (rig/chase_rig.c, docs/model/micro.md): nothing is hidden between
 * the components, whatever the network and the clocks. */
#include "check.h"

#include "l1/lsu.h"
#include "l2/slice.h"
#include "rig/chase_rig.h"

static uint64_t chase(struct machine_rig *r, uint32_t loads, uint64_t stride)
{
    return chase_rig_run(r, STREAM_GLOBAL, loads, stride);
}

/* What a chase takes whose first load finds its line as `first` says and the others as `rest`. */
static uint64_t expected(const struct machine_rig *r, uint32_t loads, enum chase_rig_place first,
                         enum chase_rig_place rest)
{
    return chase_rig_sum(r, STREAM_GLOBAL, loads, first, rest);
}

struct chase_case {
    const char *name;
    uint64_t stride;
    enum chase_rig_place first, rest;
    enum chase_rig_place again; /* all of them, when the chase is repeated without an L2 */
};

/* Rows are of 64 lines, and neighbouring rows in different banks (16 of them). */
static const struct chase_case dram_cases[] = {
    {"row hits", 128, ROW_CLOSED, ROW_OPEN, ROW_OPEN},
    {"closed banks", 64 * 128, ROW_CLOSED, ROW_CLOSED, ROW_OPEN},
    {"row conflicts", 16 * 64 * 128, ROW_CLOSED, ROW_OTHER, ROW_OTHER},
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
        const struct l2_spec *l2 = config_get(r.cfg, &l2_section);
        enum chase_rig_place again = l2->enabled ? IN_L2 : c->again;
        sum = expected(&r, LOADS, again, again);
        if (warm != sum)
            print_error("%s, %s again\n", settings, c->name);
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
        CHECK_EQ(few, expected(&r, 1, IN_L2, IN_L2) + 9 * (uint64_t)l1->latency);
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
        "l1.sectored=true",
        "l1.sectored=true l2.sectored=true dram.bus_bits=32 "
        "map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS",
        /* Queues and ports limit rates and delay nobody who comes alone. */
        "l2.port_bytes=4",
        "l2.memory_queue=1 l2.miss_queue=2 l2.fill_queue=1 l2.gated=true l2.input_queue=1",
        "l2.write_through=true l2.memory_queue=8 l2.fill_queue=8 mc.reply_latency=9",
        "cluster.response_fifo=1 cluster.response_queue=2 cluster.reply_latency=4",
        "dram.groups=4 dram.group_bits=high dram.tccdl=3",
        "l1.masked=true l1.hashed=false",
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

/* Some that are multiples of each other, some that are not. */
static const char *const clock_sets[] = {
    CLOCKS_ARE("1GHz", "1GHz", "1GHz", "1GHz"),
    CLOCKS_ARE("2GHz", "1GHz", "1GHz", "1GHz"),
    CLOCKS_ARE("1GHz", "2GHz", "2GHz", "3GHz"),
    CLOCKS_ARE("1.4GHz", "700MHz", "700MHz", "924MHz"),
    CLOCKS_ARE("325MHz", "650MHz", "650MHz", "800MHz"),
    CLOCKS_ARE("1.4GHz", "1.9GHz", "1.4GHz", "1.75GHz"),
    CLOCKS_ARE("1.13GHz", "910MHz", "770MHz", "1.31GHz"),
};
enum { CLOCK_SETS = sizeof clock_sets / sizeof clock_sets[0] };

static void a_controller_can_count_cycles_of_the_sms(void)
{
    static const int latencies[] = {0, 1, 30, 100, 257};
    for (int i = 0; i < CLOCK_SETS; i++) {
        for (size_t k = 0; k < sizeof latencies / sizeof latencies[0]; k++) {
            char settings[256];
            for (int of_sm = 0; of_sm < 2; of_sm++) {
                snprintf(settings, sizeof settings, "%s mc.latency=%d mc.latency_clock=%s",
                         clock_sets[i], latencies[k], of_sm ? "sm" : "dram");
                check_chases(machine_rig_small, settings);
            }
        }
    }
}

static void an_l2_can_count_cycles_of_the_sms(void)
{
    static const int latencies[] = {1, 2, 37, 120};
    for (int i = 0; i < CLOCK_SETS; i++) {
        for (size_t k = 0; k < sizeof latencies / sizeof latencies[0]; k++) {
            char settings[256];
            snprintf(settings, sizeof settings, "%s l2.latency=%d l2.latency_clock=sm",
                     clock_sets[i], latencies[k]);
            check_chases(machine_rig_small, settings);
        }
    }
}

/* 120 cycles of the SMs are 120 of them whatever the L2's clock, where this is a multiple. */
static void a_faster_l2_does_not_shorten_what_is_told_in_cycles_of_the_sms(void)
{
    static const char *const clocks[] = {"l2.clock=1GHz", "l2.clock=2GHz", "l2.clock=4GHz"};
    uint64_t taken[2][3];
    for (int of_sm = 0; of_sm < 2; of_sm++) {
        for (int i = 0; i < 3; i++) {
            struct machine_rig r;
            char settings[96];
            snprintf(settings, sizeof settings, "%s l2.latency=120 l2.latency_clock=%s", clocks[i],
                     of_sm ? "sm" : "l2");
            machine_rig_open(&r, machine_rig_small, settings);
            chase(&r, 10, 128);
            taken[of_sm][i] = chase(&r, 10, 128);
            machine_rig_close(&r);
        }
    }
    /* A port before the 120 and the hit after them take an L2 cycle each: 2, 1 and 1/2 of the
     * network's, and the reply is seen at its next edge after that, at 3, 2 and 1. */
    CHECK_EQ(taken[1][0] - taken[1][1], 10);
    CHECK_EQ(taken[1][1] - taken[1][2], 10);
    CHECK_EQ(taken[0][0] - taken[0][1], 10 * (60 + 1));
}

static void without_an_l2_every_step_is_an_access_to_dram(void)
{
    static const char *const settings[] = {
        "",
        "mc.scheduler=fifo l2.latency=7 l2.fill_latency=20 mc.reply_latency=4",
        "l1.sectored=true dram.bus_bits=32 map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS",
        "l2.memory_queue=8 l2.fill_queue=8 l2.port_bytes=4",
        XBAR "l1.enabled=false l1.sectored=true noc.width=32",
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        char all[256];
        snprintf(all, sizeof all, "l2.enabled=false %s", settings[i]);
        check_chases(machine_rig_small, all);
    }
    for (int i = 0; i < CLOCK_SETS; i++) {
        for (int of_sm = 0; of_sm < 4; of_sm++) { /* each of the two latencies */
            char all[256];
            snprintf(all, sizeof all, "l2.enabled=false %s l2.latency_clock=%s mc.latency_clock=%s",
                     clock_sets[i], of_sm & 1 ? "sm" : "l2", of_sm & 2 ? "sm" : "dram");
            check_chases(machine_rig_small, all);
        }
    }
}

/* A texture cache asks for its own line, which is a part of the L2's: fewer flits come back, and
 * without an L2, or with sectors in it, fewer bursts from DRAM. */
static void a_texture_miss_asks_for_a_line_of_its_cache(void)
{
    static const int lines[] = {32, 64, 128};
    static const char *const l2s[] = {"", "l2.sectored=true", "l2.enabled=false"};
    for (int i = 0; i < 9; i++) {
        struct machine_rig r;
        char settings[256];
        snprintf(settings, sizeof settings,
                 XBAR "noc.width=32 dram.bus_bits=32 map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS "
                      "texture.line=%d %s",
                 lines[i % 3], l2s[i / 3]);
        machine_rig_open(&r, machine_rig_small, settings);
        uint64_t cold = chase_rig_run(&r, STREAM_TEX, LOADS, 128);
        CHECK_EQ(cold, chase_rig_sum(&r, STREAM_TEX, LOADS, ROW_CLOSED, ROW_OPEN));
        CHECK_NEAR(machine_rig_stat(&r, "dram.read_bytes"),
                   LOADS * (i / 3 == 0 ? LINE_BYTES : lines[i % 3]), 0);
        machine_rig_close(&r);
    }
}

static void round_and_round(const void *context, const struct machine_rig_at *at,
                            struct stream_access *a)
{
    a->pattern = PATTERN_UNIFORM;
    a->base = at->loop % *(const uint32_t *)context * LINE_BYTES;
}

/* A chase that goes twice through `lines` lines: whether the second time hits, all or none. */
static bool hits_again(const char *settings, uint32_t lines)
{
    struct machine_rig r;
    struct stream_insn load = machine_rig_load(STREAM_GLOBAL, 1, 1);
    struct machine_rig_kernel k = {.insn = &load,
                                   .ninsns = 1,
                                   .loops = 2 * lines,
                                   .mask = 1,
                                   .address = round_and_round,
                                   .context = &lines};
    machine_rig_open(&r, machine_rig_small, settings);
    const struct l1_spec *l1 = config_get(r.cfg, &l1_section);
    machine_rig_run(&r, &k); /* the lines come into the L2 */
    uint64_t twice = machine_rig_run(&r, &k), hits = lines * (uint64_t)l1->latency;
    bool all = twice == expected(&r, lines, IN_L2, IN_L2) + hits;
    if (!all)
        CHECK_EQ(twice, expected(&r, 2 * lines, IN_L2, IN_L2));
    CHECK_NEAR(machine_rig_stat(&r, "l1.global.hits"), all ? lines : 0, 0);
    machine_rig_close(&r);
    return all;
}

/* Of 96 sets the mask 95 = 1011111b reaches 64.  Lines in a row: 256 of them fill these with four
 * each; the 128 after them make it six in each, and four ways that are used in turn keep none. */
static void a_masked_index_leaves_a_third_of_96_sets_unused(void)
{
    CHECK(hits_again("l1.size=48K l1.hashed=false", 384));
    CHECK(hits_again("l1.size=48K l1.hashed=false l1.masked=true", 256));
    CHECK(!hits_again("l1.size=48K l1.hashed=false l1.masked=true", 384));
    CHECK(hits_again("l1.size=32K l1.hashed=false l1.masked=true", 256));
}

CHECK_MAIN("micro_latency", TEST(an_l1_hit_takes_its_latency),
           TEST(an_l2_hit_and_a_dram_access_take_the_sum_of_their_delays),
           TEST(chases_take_their_sums_on_one_clock),
           TEST(chases_take_their_sums_through_every_network),
           TEST(chases_take_their_sums_across_clocks),
           TEST(a_controller_can_count_cycles_of_the_sms), TEST(an_l2_can_count_cycles_of_the_sms),
           TEST(a_faster_l2_does_not_shorten_what_is_told_in_cycles_of_the_sms),
           TEST(without_an_l2_every_step_is_an_access_to_dram),
           TEST(a_texture_miss_asks_for_a_line_of_its_cache),
           TEST(a_masked_index_leaves_a_third_of_96_sets_unused))
