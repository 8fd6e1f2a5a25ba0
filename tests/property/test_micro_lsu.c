/* The load/store unit: what one access costs in shared memory, in the constant cache and in the L1,
 * when nothing misses.  All to the cycle: latency by chains of loads that need one another,
 * throughput by the difference of two run times. */
#include "check.h"

#include "l1/lsu.h"
#include "rig/machine_rig.h"

enum { LOADS = 16, WARPS = 8, MORE = 20 }; /* loads per warp that may be under way */

/* Round robin, so that all warps end together and none is left alone with its latency. */
#define EVEN "sm.scheduler=lrr"

struct pattern {
    uint64_t addr[WARP_LANES];
};

static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    const struct pattern *p = context;
    (void)at;
    a->pattern = PATTERN_LANES;
    memcpy(a->addr, p->addr, sizeof a->addr);
}

/* Cycles of one load when loads of all warps follow one another. */
static double cost(struct machine_rig *r, enum stream_space space, const struct pattern *p)
{
    struct stream_insn in[LOADS];
    for (uint16_t i = 0; i < LOADS; i++)
        in[i] = machine_rig_load(space, (uint16_t)(i + 1), REG_NONE);
    struct machine_rig_kernel k = {
        .insn = in, .ninsns = LOADS, .warps = WARPS, .address = address, .context = p};
    k.loops = 5;
    machine_rig_run(r, &k);
    uint64_t few = machine_rig_run(r, &k);
    k.loops = 5 + MORE;
    uint64_t many = machine_rig_run(r, &k);
    return (double)(many - few) / (MORE * LOADS * WARPS);
}

/* From issue to use. */
static double latency(struct machine_rig *r, enum stream_space space, const struct pattern *p)
{
    struct stream_insn in = machine_rig_load(space, 1, 1);
    struct machine_rig_kernel k = {
        .insn = &in, .ninsns = 1, .loops = 10, .address = address, .context = p};
    machine_rig_run(r, &k);
    uint64_t few = machine_rig_run(r, &k);
    k.loops = 110;
    return (double)(machine_rig_run(r, &k) - few) / 100;
}

static struct pattern stride(uint64_t bytes)
{
    struct pattern p;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        p.addr[l] = l * bytes;
    return p;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static void a_stride_in_shared_memory_costs_its_bank_conflicts(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN);
    const struct shared_spec *s = config_get(r.cfg, &shared_section);
    for (uint32_t words = 1; words <= 32; words++) {
        struct pattern p = stride(4ull * words);
        uint32_t degree = common_divisor(words, 32);
        CHECK_NEAR(cost(&r, STREAM_SHARED, &p), degree, 0);
        CHECK_NEAR(latency(&r, STREAM_SHARED, &p), (uint32_t)s->latency + degree - 1, 0);
    }
    machine_rig_close(&r);
}

static void every_degree_of_conflict_costs_as_many_cycles(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN " shared.latency=11");
    for (uint32_t degree = 1; degree <= 32; degree++) {
        struct pattern p;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            p.addr[l] = l < degree ? 128ull * l : 4ull * l;
        CHECK_NEAR(cost(&r, STREAM_SHARED, &p), degree, 0);
        CHECK_NEAR(latency(&r, STREAM_SHARED, &p), 11 + degree - 1, 0);
    }
    machine_rig_close(&r);
}

static void shared_memory_gives_128_bytes_per_cycle(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN);
    struct pattern p = stride(4), one = stride(0);
    CHECK_NEAR(128 / cost(&r, STREAM_SHARED, &p), 128, 0);
    CHECK_NEAR(cost(&r, STREAM_SHARED, &one), 1, 0); /* a broadcast */
    CHECK(machine_rig_stat(&r, "shared.conflict_cycles") == 0);
    machine_rig_close(&r);
}

static void sixteen_banks_serve_half_a_warp_at_a_time(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN " shared.banks=16");
    struct pattern p = stride(4), twice = stride(8);
    CHECK_NEAR(cost(&r, STREAM_SHARED, &p), 2, 0);
    CHECK_NEAR(cost(&r, STREAM_SHARED, &twice), 4, 0);
    machine_rig_close(&r);
}

static void n_distinct_constants_cost_n_cycles(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN);
    const struct constant_spec *c = config_get(r.cfg, &constant_section);
    for (uint32_t n = 1; n <= 32; n++) {
        struct pattern p;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            p.addr[l] = 4ull * (l % n);
        CHECK_NEAR(cost(&r, STREAM_CONST, &p), n, 0);
        CHECK_NEAR(latency(&r, STREAM_CONST, &p), (uint32_t)c->latency + n - 1, 0);
    }
    machine_rig_close(&r);
}

static void the_l1_gives_one_line_per_cycle(void)
{
    static const uint32_t bytes[] = {0, 4, 8, 16, 32, 64, 128};
    static const uint32_t lines[] = {1, 1, 2, 4, 8, 16, 32};
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN);
    const struct l1_spec *l1 = config_get(r.cfg, &l1_section);
    for (int i = 0; i < 7; i++) {
        struct pattern p = stride(bytes[i]);
        CHECK_NEAR(cost(&r, STREAM_GLOBAL, &p), lines[i], 0);
        CHECK_NEAR(latency(&r, STREAM_GLOBAL, &p), (uint32_t)l1->latency + lines[i] - 1, 0);
    }
    machine_rig_close(&r);
}

static void the_texture_cache_gives_one_line_per_cycle(void)
{
    struct machine_rig r;
    machine_rig_open(&r, machine_rig_small, EVEN " texture.latency=50");
    struct pattern p = stride(4), four = stride(16);
    CHECK_NEAR(cost(&r, STREAM_TEX, &p), 1, 0);
    CHECK_NEAR(cost(&r, STREAM_TEX, &four), 4, 0);
    CHECK_NEAR(latency(&r, STREAM_TEX, &four), 53, 0);
    machine_rig_close(&r);
}

CHECK_MAIN("micro_lsu", TEST(a_stride_in_shared_memory_costs_its_bank_conflicts),
           TEST(every_degree_of_conflict_costs_as_many_cycles),
           TEST(shared_memory_gives_128_bytes_per_cycle),
           TEST(sixteen_banks_serve_half_a_warp_at_a_time),
           TEST(n_distinct_constants_cost_n_cycles), TEST(the_l1_gives_one_line_per_cycle),
           TEST(the_texture_cache_gives_one_line_per_cycle))
