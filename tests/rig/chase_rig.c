/* chase_rig.c - see chase_rig.h. */
#include "rig/chase_rig.h"

#include "check.h"
#include "cluster/cluster.h"
#include "dram/mc.h"
#include "l1/lsu.h"
#include "l2/slice.h"
#include "sim/clock.h"
#include "sm/sm.h"

/* ---- what the delays add up to ---- */

enum { SM, NOC, L2, DRAM, CLOCKS };

struct way {
    uint64_t period[CLOCKS];
    uint64_t request, reply; /* through the networks, without ports */
    uint64_t fetch;
    int64_t fetched; /* bytes that a miss of the L2 reads from DRAM */
    const struct l1_spec *l1;
    const struct cluster_spec *cluster;
    const struct l2_spec *l2;
    const struct mc_spec *mc;
    const struct dram_spec *dram;
};

/* What one thread's load of a word asks for: a line of its cache, or the sector of the word. */
static int64_t asked_for(const struct machine_rig *r, enum stream_space space)
{
    const struct l1_spec *l1 = config_get(r->cfg, &l1_section);
    const struct texture_spec *texture = config_get(r->cfg, &texture_section);
    return space == STREAM_TEX ? texture->line : l1->sectored ? SECTOR_BYTES : LINE_BYTES;
}

static struct way way_of(const struct machine_rig *r, enum stream_space space)
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
    struct fabric g;
    struct err e = {0};
    CHECK(
        clock_plan(&p, (double[]){gpu->clock, noc->clock, w.l2->clock, w.dram->clock}, CLOCKS, &e));
    CHECK(fabric_of(r->cfg, r->arena, &g, &e));
    uint32_t core = g.nodes.cores[0], mem = g.nodes.mems[0];
    int64_t bytes = asked_for(r, space), message = REQUEST_HEADER_BYTES + bytes;
    uint32_t flits = (uint32_t)((message + noc->width - 1) / noc->width);
    w.fetched = w.l2->enabled && !w.l2->sectored ? LINE_BYTES : bytes;
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

/* Cycles of a clock that last no less than a latency, which may be told in cycles of the SMs. */
static int64_t cycles_of(const struct way *w, int64_t latency, const char *told_in, int clock)
{
    const uint64_t ticks = (uint64_t)latency * w->period[strcmp(told_in, "sm") == 0 ? SM : clock];
    int64_t cycles = 0;
    while ((uint64_t)cycles * w->period[clock] < ticks)
        cycles++;
    return cycles;
}

static uint64_t through_dram(const struct way *w, uint64_t tags, enum chase_rig_place row)
{
    const struct dram_spec *d = w->dram;
    int64_t burst = (d->burst + d->beats_per_cycle - 1) / d->beats_per_cycle;
    int64_t bytes = dram_burst_bytes(d), bursts = (w->fetched + bytes - 1) / bytes;
    int64_t column = burst > d->tccd ? burst : d->tccd;
    int64_t before = cycles_of(w, w->mc->latency, w->mc->latency_clock, DRAM);
    int64_t opening = row == ROW_OPEN ? 0 : row == ROW_CLOSED ? d->trcd : d->trp + d->trcd;
    uint64_t taken = port(w, tags, L2, DRAM, 1);
    /* The 1: what enters the queue competes for the command bus from the next cycle on. */
    uint64_t done =
        taken + (uint64_t)(before + 1 + opening + (bursts - 1) * column + d->tcl + burst);
    return port(w, done, DRAM, L2, w->mc->reply_latency) + (uint64_t)w->l2->fill_latency;
}

/* A load that misses the L1, issued at t: when its result can be used. */
static uint64_t use_of_miss(const struct way *w, uint64_t t, enum chase_rig_place row)
{
    uint64_t at_cluster = t + 1 + (uint64_t)w->cluster->request_latency;
    uint64_t delivered = port(w, at_cluster, SM, NOC, 1) + w->request;
    int64_t pipeline = cycles_of(w, w->l2->latency, w->l2->latency_clock, L2);
    uint64_t tags = port(w, delivered, NOC, L2, 1) + (uint64_t)pipeline;
    uint64_t reply =
        row == IN_L2 ? tags + (uint64_t)w->l2->hit_latency : through_dram(w, tags, row);
    uint64_t back = port(w, reply, L2, NOC, 1) + w->reply;
    return port(w, back, NOC, SM, 1) + (uint64_t)(w->cluster->reply_latency + w->l1->fill_latency);
}

/* ---- chases ---- */

static void next_line(const void *context, const struct machine_rig_at *at, struct stream_access *a)
{
    a->pattern = PATTERN_UNIFORM;
    a->base = at->loop * *(const uint64_t *)context;
}

uint64_t chase_rig_run(struct machine_rig *r, enum stream_space space, uint32_t loads,
                       uint64_t stride)
{
    struct stream_insn load = machine_rig_load(space, 1, 1);
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

uint64_t chase_rig_sum(const struct machine_rig *r, enum stream_space space, uint32_t loads,
                       enum chase_rig_place first, enum chase_rig_place rest)
{
    struct way w = way_of(r, space);
    uint64_t begin = begin_of_last(r), t = begin + 1 + w.fetch;
    for (uint32_t i = 0; i < loads; i++)
        t = use_of_miss(&w, t, i ? rest : first);
    return t + 2 - begin;
}
