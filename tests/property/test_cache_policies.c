/* Every cache policy in all caches of a machine whose SMs read and write all kinds of memory: nothing
 * is lost or older than what was acknowledged, and how the machine is run changes nothing. */
#include "check.h"

#include "base/rng.h"
#include "cache/policy.h"
#include "mem/request.h"
#include "rig/machine_rig.h"

/* Small caches with sets and ways that are no powers of two. */
#define MACHINE                                                                                    \
    "gpu.clusters=3 gpu.sms_per_cluster=4 mc.channels=2 noc.topology=xbar xbar.inputs=3 "          \
    "xbar.outputs=2 dram.bus_bits=32 map.order=RRRRRRRRRRRRRRBBBBCCCCCCCCSSSSS "                   \
    "l2.size=7680 l2.ways=6 l1.size=1920 l1.ways=5 constant.size=768 constant.ways=3 "             \
    "texture.size=1536 texture.ways=3 icc.enabled=true icc.cc_lines=5 icc.entries=12 "

static const char *const kinds[] = {
    "",
    "l1.allocate=fill l1.write_hit=update",
    "l1.sectored=true l2.sectored=true l2.write_fetch=false",
    "l1.allocate=fill l1.sectored=true l2.write_through=true icc.broadcast=false",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const char *const refusals[] = {
    "pass.spaces=all pass.mode=no_line",
    "pass.spaces=all pass.mode=no_mshr l2.passing=5",
    "pass.spaces=local|texture|const pass.mode=no_mshr",
    "pass.spaces=all pass.kinds=write|atomic|reduce pass.mode=no_mshr",
    "pass.spaces=global pass.kinds=read pass.mode=no_line",
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

enum { INSNS = 10, CTAS = 15, WARPS = 3, LOOPS = 4, LINES = 90 };

static struct stream_insn of_memory(enum stream_space space, uint32_t flags, uint16_t dst)
{
    struct stream_insn in = machine_rig_load(space, dst, REG_NONE);
    in.flags = (uint16_t)(INSN_MEM | flags);
    in.opclass = (uint8_t)(flags & INSN_ATOMIC ? OPCLASS_ATOMIC : OPCLASS_STORE);
    return in;
}

/* Local addresses are offsets in a thread's own memory; the others are lines that all SMs want. */
static void address(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    uint64_t where = at->cta * 1000003ull + at->warp * 10007 + at->loop * 101 + at->insn;
    uint64_t key = rng_key(*(const uint64_t *)context, where), bits = rng_at(key, 0);
    a->pattern = bits & 3 ? PATTERN_UNIFORM : PATTERN_STRIDE;
    a->stride = 4;
    a->base = rng_below(rng_at(key, 1), LINES) * LINE_BYTES + (bits >> 8 & 31) * 4;
    if (a->space == STREAM_LOCAL) {
        a->pattern = PATTERN_UNIFORM;
        a->base = (bits >> 8 & 3) * 4;
    }
}

struct result {
    uint64_t digest;
    double l1_hits, l2_hits;
};

static struct result run(const char *settings, const struct machine_options *as)
{
    const struct stream_insn in[INSNS] = {
        machine_rig_load(STREAM_GLOBAL, 1, REG_NONE),
        of_memory(STREAM_GLOBAL, INSN_STORE, REG_NONE),
        machine_rig_load(STREAM_LOCAL, 2, REG_NONE),
        of_memory(STREAM_LOCAL, INSN_STORE, REG_NONE),
        machine_rig_load(STREAM_TEX, 3, REG_NONE),
        machine_rig_load(STREAM_CONST, 4, REG_NONE),
        of_memory(STREAM_GLOBAL, INSN_ATOMIC | INSN_LOAD, 5),
        machine_rig_load(STREAM_GLOBAL, 6, REG_NONE),
        of_memory(STREAM_GLOBAL, INSN_ATOMIC, REG_NONE),
        machine_rig_load(STREAM_LOCAL, 7, REG_NONE),
    };
    struct machine_rig r;
    const uint64_t seed = 5;
    machine_rig_open_as(&r, machine_rig_small, settings, as);
    machine_rig_run(&r, &(struct machine_rig_kernel){.insn = in,
                                                     .ninsns = INSNS,
                                                     .loops = LOOPS,
                                                     .ctas = CTAS,
                                                     .warps = WARPS,
                                                     .address = address,
                                                     .context = &seed});
    struct result out = {machine_digest(r.machine), machine_rig_stat(&r, "l1.global.hits"),
                         machine_rig_stat(&r, "l2.read_hits")};
    machine_rig_close(&r);
    return out;
}

static struct result run_in_all_ways(const char *policy, const char *kind, const char *more)
{
    static const struct machine_options ways[] = {
        {0}, {.no_skip = true}, {.threads = 2}, {.reversed = true}};
    char settings[1024];
    snprintf(settings, sizeof settings,
             MACHINE "l1.replacement=%s constant.replacement=%s texture.replacement=%s "
                     "icc.replacement=%s l2.replacement=%s %s %s",
             policy, policy, policy, policy, policy, kind, more);
    struct result checked = run(settings, &(struct machine_options){.check = true});
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (run(settings, &ways[i]).digest != checked.digest)
            print_error("another digest: %s %s %s, way %zu\n", policy, kind, more, i);
        CHECK_EQ(run(settings, &ways[i]).digest, checked.digest);
    }
    return checked;
}

static void every_policy_gives_one_result_however_it_is_run(void)
{
    for (int k = 0; k < KINDS; k++) {
        uint64_t digests[64];
        for (int i = 0; i < cache_policy_count; i++) {
            struct result r = run_in_all_ways(cache_policy_all[i]->name, kinds[k], "");
            CHECK(r.l2_hits > 0);
            digests[i] = r.digest;
            for (int j = 0; j < i; j++)
                CHECK(digests[j] != digests[i]); /* they do differ */
        }
    }
}

static void what_gets_no_line_or_passes_by_is_conserved(void)
{
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < REFUSALS; i++)
            run_in_all_ways("pass", kinds[k], refusals[i]);
}

static void pass_with_everything_kept_is_lru(void)
{
    struct result lru = run(MACHINE, &(struct machine_options){.check = true});
    struct result keep = run(MACHINE "l1.replacement=pass texture.replacement=pass "
                                     "icc.replacement=pass pass.mode=keep pass.spaces=all",
                             &(struct machine_options){.check = true});
    CHECK_NEAR(keep.l1_hits, lru.l1_hits, 0);
    CHECK_NEAR(keep.l2_hits, lru.l2_hits, 0);
    CHECK(keep.digest != lru.digest); /* by the names of what is counted besides */
}

CHECK_MAIN("cache_policies", TEST(every_policy_gives_one_result_however_it_is_run),
           TEST(what_gets_no_line_or_passes_by_is_conserved),
           TEST(pass_with_everything_kept_is_lru))
