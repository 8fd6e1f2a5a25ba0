/* machine_rig.c - see machine_rig.h. */
#include "rig/machine_rig.h"

#include "check.h"
#include "sm/sm.h"

const char machine_rig_small[] =
    "gpu: {clusters: 1, sms_per_cluster: 1, clock: 1GHz}\n"
    "sm: {ibuffer: 16, fetch_latency: 1, fetch_warps: 8, schedulers: 1}\n"
    "noc: {topology: ideal, networks: two, width: 64, clock: 1GHz}\n"
    "ideal: {cores: 1, mems: 1, latency: 5}\n"
    "l2: {clock: 1GHz, ways: 32}\n"
    "mc: {channels: 1}\n"
    "dram: {clock: 1GHz}\n"
    "map: {order: RRRRRRRRRRRRRRBBBBCCCCCCSSSSSSS}\n";

/* --- machines --------------------------------------------------------------------------------- */

static void cta_done(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end)
{
    struct machine_rig *r = context;
    (void)sm;
    (void)slot;
    (void)kernel;
    (void)begin;
    if (cta < 64)
        r->cta_end[cta] = end;
}

static void apply(struct machine_rig *r, const char *settings)
{
    char *text = arena_strdup(r->arena, settings), *rest = NULL;
    for (char *one = strtok_r(text, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
        config_set(r->cfg, one, &r->err);
        CHECK_STR(r->err.text, "");
    }
}

void machine_rig_open(struct machine_rig *r, const char *yaml, const char *settings)
{
    machine_rig_open_as(r, yaml, settings, &(struct machine_options){.check = true});
}

void machine_rig_open_as(struct machine_rig *r, const char *yaml, const char *settings,
                         const struct machine_options *as)
{
    static const char name[] = HEDDLE_SOURCE_DIR "/machines/rig.yaml";
    *r = (struct machine_rig){.arena = arena_new()};
    r->cfg = machine_config(r->arena);
    config_load_text(r->cfg, name, yaml, strlen(yaml), &r->err);
    CHECK_STR(r->err.text, "");
    apply(r, settings);
    struct machine_options opt = *as;
    opt.cta_done = cta_done;
    opt.context = r;
    r->machine = machine_new(r->cfg, &opt, &r->err);
    CHECK_STR(r->err.text, "");
}

void machine_rig_close(struct machine_rig *r)
{
    machine_finish(r->machine, &r->err);
    CHECK_STR(r->err.text, "");
    machine_free(r->machine);
    arena_free(r->arena);
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void word_of_lane(const void *context, const struct machine_rig_at *at,
                         struct stream_access *a)
{
    (void)context;
    (void)at;
    a->pattern = PATTERN_STRIDE;
    a->stride = 4;
}

static void write_access(const struct machine_rig_kernel *k, const struct machine_rig_at *at,
                         uint32_t mask, struct stream_writer *w)
{
    const enum stream_space space = k->insn[at->insn].space;
    struct stream_access a = {.space = (uint8_t)space, .mask = mask};
    (k->address ? k->address : word_of_lane)(k->context, at, &a);
    if (a.pattern == PATTERN_UNIFORM)
        stream_writer_uniform(w, space, a.base);
    else if (a.pattern == PATTERN_STRIDE)
        stream_writer_stride(w, space, a.base, a.stride);
    else
        stream_writer_lanes(w, space, mask, a.addr);
}

static void write_warp(const struct machine_rig_kernel *k, uint32_t cta, uint32_t warp,
                       struct stream_writer *w)
{
    uint32_t mask = k->mask ? k->mask : UINT32_MAX;
    uint32_t loops = k->loops_of ? k->loops_of(k->context, cta, warp) : k->loops;
    stream_writer_reset(w);
    for (uint32_t loop = 0; loop < loops; loop++) {
        stream_writer_block(w, 0, k->ninsns, mask);
        for (uint32_t i = 0; i < k->ninsns; i++) {
            struct machine_rig_at at = {cta, warp, loop, i};
            if (k->insn[i].flags & INSN_MEM)
                write_access(k, &at, mask, w);
        }
    }
}

static struct stream_store *store_of(struct machine_rig *r, const struct machine_rig_kernel *k)
{
    uint32_t ctas = k->ctas ? k->ctas : 1, warps = k->warps ? k->warps : 1;
    struct stream_block block = {0, k->ninsns};
    struct stream_kernel kernel = {.name = "rig",
                                   .grid = {ctas, 1, 1},
                                   .block = {warps * WARP_LANES, 1, 1},
                                   .registers = {8},
                                   .insns = k->insn,
                                   .ninsns = k->ninsns,
                                   .blocks = &block,
                                   .nblocks = 1};
    struct stream_writer w[STREAM_MAX_WARPS];
    struct stream_store *s = stream_store_new(&kernel, 1u << 30, &r->err);
    HD_ASSERT(s && warps <= STREAM_MAX_WARPS, "%s", r->err.text);
    for (uint32_t i = 0; i < warps; i++)
        stream_writer_init(&w[i]);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        for (uint32_t i = 0; i < warps; i++)
            write_warp(k, cta, i, &w[i]);
        stream_store_add(s, cta, w, warps, &r->err);
    }
    stream_store_finish(s, &r->err);
    for (uint32_t i = 0; i < warps; i++)
        stream_writer_free(&w[i]);
    return s;
}

uint64_t machine_rig_run(struct machine_rig *r, const struct machine_rig_kernel *k)
{
    struct stream_store *s = store_of(r, k);
    memset(r->cta_end, 0, sizeof r->cta_end);
    machine_run(r->machine, s, &r->err);
    stream_store_free(s);
    CHECK_STR(r->err.text, "");
    const struct machine_kernel *mk = machine_kernel(r->machine, machine_nkernels(r->machine) - 1);
    struct stats_snapshot *counted = stats_snapshot_clone(mk->after, r->arena);
    stats_snapshot_subtract(counted, mk->before);
    r->counted = counted;
    for (int i = 0; i < 64; i++)
        r->cta_end[i] -= r->cta_end[i] ? mk->begin : 0;
    return mk->end - mk->begin;
}

double machine_rig_stat(const struct machine_rig *r, const char *name)
{
    double v = stats_snapshot_value(r->counted, name);
    if (isnan(v))
        print_error("no value of %s\n", name);
    CHECK(!isnan(v));
    return v;
}

uint64_t machine_rig_overhead(const struct machine_rig *r)
{
    const struct sm_spec *s = config_get(r->cfg, &sm_section);
    const struct gpu_spec *g = config_get(r->cfg, &gpu_section);
    return (uint64_t)g->cta_latency + (uint64_t)s->fetch_latency + 1 + 1;
}

/* --- instructions ----------------------------------------------------------------------------- */

static struct stream_insn with(uint16_t dst, uint16_t src)
{
    struct stream_insn in = {.size = 4};
    memset(in.dst, 0xff, sizeof in.dst);
    memset(in.src, 0xff, sizeof in.src);
    in.dst[0] = dst;
    in.src[0] = src;
    return in;
}

struct stream_insn machine_rig_load(enum stream_space space, uint16_t dst, uint16_t src)
{
    struct stream_insn in = with(dst, src);
    in.flags = INSN_MEM | INSN_LOAD;
    in.unit = UNIT_MEM;
    in.opclass = OPCLASS_LOAD;
    in.space = (uint8_t)space;
    return in;
}

struct stream_insn machine_rig_op(enum stream_unit unit, enum stream_opclass opclass, uint16_t dst,
                                  uint16_t src)
{
    struct stream_insn in = with(dst, src);
    in.unit = (uint8_t)unit;
    in.opclass = (uint8_t)opclass;
    return in;
}
