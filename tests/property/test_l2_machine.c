/* Every kind of L2 in a whole machine whose SMs read, write and update the same few lines in every
 * way: nothing is lost or older than what was acknowledged (the machine's own checks), and DRAM has
 * seen just the transfers that the slices have sent. */
#include "check.h"

#include "base/rng.h"
#include "mem/request.h"
#include "rig/machine_rig.h"

#define MACHINE                                                                                    \
    "gpu.clusters=4 mc.channels=2 noc.topology=xbar xbar.inputs=4 xbar.outputs=2 "                 \
    "dram.bus_bits=32 "                                                                            \
    "map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS l2.size=4K l2.ways=4 "

static const char *const kinds[] = {
    "",
    "l2.write_fetch=false",
    "l2.sectored=true",
    "l2.sectored=true l2.write_fetch=false",
    "l2.write_through=true",
    "l2.write_through=true l2.write_fetch=false",
    "l2.write_through=true l2.sectored=true",
    "l2.write_through=true l2.sectored=true l2.write_fetch=false",
    "l2.sectored=true l2.sector_fetches=true",
    "l2.sectored=true l2.sector_fetches=true l2.write_fetch=false l2.port_bytes=32",
    "l2.sectored=true l2.sector_fetches=true l2.write_through=true l2.memory_queue=1 "
    "l2.miss_queue=3 l2.fill_queue=1",
    "l2.sectored=true l2.sector_fetches=true l2.replacement=pass pass.spaces=all pass.mode=no_line",
    "l2.port_bytes=32 l2.latency_clock=sm l2.clock=700MHz",
    "l2.memory_queue=8 l2.fill_queue=8 l2.gated=true l2.input_queue=8",
    "l2.memory_queue=1 l2.miss_queue=3 l2.fill_queue=1 l2.gated=true l2.input_queue=1 "
    "l2.port_bytes=8 l2.write_through=true",
    "l2.replacement=pass pass.spaces=all pass.mode=no_line",
    "l2.replacement=pass pass.spaces=all pass.mode=no_line l2.sectored=true l2.write_fetch=false",
    "l2.replacement=pass pass.spaces=all pass.mode=no_mshr l2.passing=3",
    "l2.replacement=pass pass.spaces=global pass.kinds=read|atomic pass.mode=no_mshr",
    "l2.enabled=false",
    "l2.enabled=false l2.memory_queue=2 l2.miss_queue=3 l2.fill_queue=1 l2.gated=true",
    "l2.enabled=false l2.mshrs=1 l2.writebacks=1 l2.miss_queue=1 l2.input_queue=1 l2.reply_queue=1",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
static const char *const l1s[] = {"", "l1.sectored=true", "l1.enabled=false"};

enum { INSNS = 8, CTAS = 8, WARPS = 4, LOOPS = 6, LINES = 150 };

static struct stream_insn of_memory(uint32_t flags, enum stream_opclass opclass, uint16_t dst)
{
    struct stream_insn in = machine_rig_load(STREAM_GLOBAL, dst, REG_NONE);
    in.flags = (uint16_t)(INSN_MEM | flags);
    in.opclass = (uint8_t)opclass;
    return in;
}

/* Lanes at one word, at a row of words, or each anywhere. */
static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    uint64_t where = at->cta * 1000003ull + at->warp * 10007 + at->loop * 101 + at->insn;
    uint64_t key = rng_key(*(const uint64_t *)context, where), bits = rng_at(key, 0);
    uint64_t line = rng_below(rng_at(key, 1), LINES) * LINE_BYTES;
    a->base = line + (bits >> 8 & 31) * 4;
    a->pattern = bits & 3 ? PATTERN_UNIFORM : PATTERN_STRIDE;
    a->stride = 4;
    if ((bits & 12) != 0)
        return;
    a->pattern = PATTERN_LANES;
    for (uint32_t l = 0; l < WARP_LANES; l++) /* of four lines */
        a->addr[l] = line + (rng_at(key, 2 + l) & 127) * 4;
}

static void run_random(struct machine_rig *r, uint64_t seed)
{
    const struct stream_insn in[INSNS] = {
        machine_rig_load(STREAM_GLOBAL, 1, REG_NONE),
        of_memory(INSN_STORE, OPCLASS_STORE, REG_NONE),
        machine_rig_load(STREAM_GLOBAL, 2, REG_NONE),
        of_memory(INSN_ATOMIC | INSN_LOAD, OPCLASS_ATOMIC, 3),
        machine_rig_load(STREAM_TEX, 4, REG_NONE),
        of_memory(INSN_ATOMIC, OPCLASS_ATOMIC, REG_NONE),
        machine_rig_load(STREAM_GLOBAL, 5, REG_NONE),
        of_memory(INSN_STORE, OPCLASS_STORE, REG_NONE),
    };
    machine_rig_run(r, &(struct machine_rig_kernel){.insn = in,
                                                    .ninsns = INSNS,
                                                    .loops = LOOPS,
                                                    .ctas = CTAS,
                                                    .warps = WARPS,
                                                    .address = address,
                                                    .context = &seed});
}

static double stat(const struct machine_rig *r, const char *name)
{
    return machine_rig_stat(r, name);
}

/* With writes sent through, lines may be on their way when the last write is acknowledged. */
static void check_transfers(const struct machine_rig *r, bool has_l2, bool is_through)
{
    double reads = stat(r, "l2.read_hits") + stat(r, "l2.read_misses") + stat(r, "l2.read_merges");
    double writes =
        stat(r, "l2.write_hits") + stat(r, "l2.write_misses") + stat(r, "l2.write_merges");
    double atomics =
        stat(r, "l2.atomic_hits") + stat(r, "l2.atomic_misses") + stat(r, "l2.atomic_merges");
    CHECK(reads > 0 && writes > 0 && atomics > 0);
    if (!is_through)
        CHECK_NEAR(stat(r, "dram.reads"), stat(r, "l2.fetches"), 0);
    if (has_l2)
        return;
    CHECK_NEAR(stat(r, "dram.reads"), reads + atomics, 0);
    CHECK_NEAR(stat(r, "l2.throughs"), writes + atomics, 0);
    CHECK_NEAR(stat(r, "l2.writebacks"), 0, 0);
    CHECK_NEAR(stat(r, "l2.read_misses"), reads, 0);
}

static void nothing_is_lost_or_old_with_any_l2(void)
{
    for (int k = 0; k < KINDS; k++) {
        for (uint64_t i = 0; i < 3; i++) {
            struct machine_rig r;
            char settings[512];
            snprintf(settings, sizeof settings, MACHINE "%s %s", kinds[k], l1s[i]);
            machine_rig_open(&r, machine_rig_small, settings);
            run_random(&r, 10 * i);
            run_random(&r, 10 * i + 1); /* what the first has left is there */
            check_transfers(&r, strstr(kinds[k], "enabled=false") == NULL,
                            strstr(kinds[k], "through") != NULL);
            machine_rig_close(&r);
        }
    }
}

CHECK_MAIN("l2_machine", TEST(nothing_is_lost_or_old_with_any_l2))
