/* energy_gpuwattch.c - the bill of GPUWattch: events of the statistics at the effective energies of
 * a GTX480, scaled by the rules of power/gpuwattch.h.
 *
 * Events are counted as GPGPU-Sim counts them for GPUWattch (power_stat.h, shader.cc): accesses
 * that find their line on its way are hits, atomics are reads of the L2, a flit is paid once per
 * network.  Lanes that are off cost half of those that are on, three quarters in special function
 * units, as much in the pipeline.  Integer and special instructions keep their units busy for
 * several cycles, as incexecstat has it.
 *
 * Not in it, as in GPUWattch: leakage by itself, DRAM standby and refresh, how many routers a flit
 * passes.  Not counted by the simulator: misses of the instruction cache. */
#include "cluster/icc.h"
#include "dram/mc.h"
#include "l1/lsu.h"
#include "l2/slice.h"
#include "machine/energy_build.h"
#include "power/gpuwattch.h"

#define SOURCE "GPUWattch, GTX480: "
#define INT_CYCLES 32.0                        /* incexecstat: INT__OP */
#define SFU_CYCLES ((25.0 + 35 + 12 + 35) / 4) /* mean of square root, log, sine, exponential */

enum scaling { AS_IT_IS, BY_FLIT, BY_BURST, BY_CHIPS };

struct line {
    const char *name, *unit, *counts;
    enum energy_part part;
    enum gpuwattch_event event;
    double cycles; /* of the unit, per count; 0: 1 */
    enum scaling scaling;
};

/* 16 issued + 0.5 threads: the lanes that are on, and half of the 32 that are not. */
static const struct line lines[] = {
    {"instruction_buffer", "warp instruction", "sm.issued", ENERGY_SM, GPUWATTCH_TOT_INST, 0, 0},
    {"schedule", "warp instruction", "sm.issued - sm.issued_control", ENERGY_SM, GPUWATTCH_FP_INT,
     0, 0},
    {"fetch", "fetch", "sm.fetches", ENERGY_SM, GPUWATTCH_IC_H, 0, 0},
    {"register_read", "operand", "sm.register_reads", ENERGY_SM, GPUWATTCH_REG_RD, 0, 0},
    {"register_write", "operand", "sm.register_writes", ENERGY_SM, GPUWATTCH_REG_WR, 0, 0},
    {"other_operand", "operand", "sm.other_operands", ENERGY_SM, GPUWATTCH_NON_REG_OPs, 0, 0},
    {"int", "lane", "16 sm.issued_int + 0.5 sm.threads_int", ENERGY_SM, GPUWATTCH_SP_ACC,
     INT_CYCLES, 0},
    {"fp", "lane",
     "16 sm.issued_fp32 + 0.5 sm.threads_fp32 + 16 sm.issued_fp64 + 0.5 sm.threads_fp64 + "
     "16 sm.issued_fp16 + 0.5 sm.threads_fp16",
     ENERGY_SM, GPUWATTCH_FPU_ACC, 0, 0},
    {"sfu", "lane", "24 sm.issued_sfu + 0.25 sm.threads_sfu", ENERGY_SM, GPUWATTCH_SFU_ACC,
     SFU_CYCLES, 0},
    {"l1_read_hit", "access", "l1.global.hits + l1.global.merges + l1.local.hits + l1.local.merges",
     ENERGY_L1, GPUWATTCH_DC_RH, 0, 0},
    {"l1_read_miss", "access", "l1.global.misses + l1.local.misses", ENERGY_L1, GPUWATTCH_DC_RM, 0,
     0},
    {"texture_hit", "access", "tex.hits + tex.merges", ENERGY_L1, GPUWATTCH_TC_H, 0, 0},
    {"texture_miss", "access", "tex.misses", ENERGY_L1, GPUWATTCH_TC_M, 0, 0},
    {"constant_hit", "access", "const.hits + const.merges", ENERGY_L1, GPUWATTCH_CC_H, 0, 0},
    {"constant_miss", "access", "const.misses", ENERGY_L1, GPUWATTCH_CC_M, 0, 0},
    {"shared_memory", "cycle", "shared.cycles", ENERGY_L1, GPUWATTCH_SHRD_ACC, 0, 0},
    {"flit", "flit", "noc.*.flits_in", ENERGY_NOC, GPUWATTCH_NOC_A, 0, BY_FLIT},
    {"dram_read", "burst", "dram.read_bursts", ENERGY_DRAM, GPUWATTCH_MEM_RD, 0, BY_BURST},
    {"dram_write", "burst", "dram.write_bursts", ENERGY_DRAM, GPUWATTCH_MEM_WR, 0, BY_BURST},
    {"dram_precharge", "bank", "dram.precharges", ENERGY_DRAM, GPUWATTCH_MEM_PRE, 0, BY_CHIPS},
};

static const struct line l2_lines[] = {
    {"l2_read_hit", "access", "l2.read_hits + l2.read_merges + l2.atomic_hits + l2.atomic_merges",
     ENERGY_L2, GPUWATTCH_L2_RH, 0, 0},
    {"l2_read_miss", "access", "l2.read_misses + l2.atomic_misses", ENERGY_L2, GPUWATTCH_L2_RM, 0,
     0},
    {"l2_write_hit", "access", "l2.write_hits + l2.write_merges", ENERGY_L2, GPUWATTCH_L2_WH, 0, 0},
    {"l2_write_miss", "access", "l2.write_misses", ENERGY_L2, GPUWATTCH_L2_WM, 0, 0},
};

static const struct line store_lines[] = {
    {"l1_write_hit", "access", "l1.store_hits + l1.local_store_hits", ENERGY_L1, GPUWATTCH_DC_WH, 0,
     0},
    {"l1_write_miss", "access", "l1.store_accesses - l1.store_hits + l1.local_store_misses",
     ENERGY_L1, GPUWATTCH_DC_WM, 0, 0},
};

/* Where global memory passes by the L1, its stores do, too. */
static const struct line local_store_lines[] = {
    {"l1_write_hit", "access", "l1.local_store_hits", ENERGY_L1, GPUWATTCH_DC_WH, 0, 0},
    {"l1_write_miss", "access", "l1.local_store_misses", ENERGY_L1, GPUWATTCH_DC_WM, 0, 0},
};

/* GPUWattch knows no such units: the nearest of its events stand for them, as upper bounds. */
static const struct line icc_lines[] = {
    {"merge_table", "request", "icc.lookups", ENERGY_OTHER, GPUWATTCH_L2_RM, 0, 0},
    {"coalesced_cache_hit", "request", "icc.cc_hits", ENERGY_OTHER, GPUWATTCH_CC_H, 0, 0},
    {"coalesced_cache_fill", "line", "icc.cc_fills", ENERGY_OTHER, GPUWATTCH_CC_H, 0, 0},
};

/* Flits of networks whose channels differ in width are not alike. */
static bool has_own_widths(const struct energy_builder *b)
{
    for (int i = 0; i < b->graphs->n; i++)
        if (b->graphs->graph[i]->flit_bytes)
            return true;
    return false;
}

static void add_flits(struct energy_builder *b, const struct line *l)
{
    for (int i = 0; i < b->graphs->n; i++) {
        const char *net = b->graphs->name[i];
        energy_add(b, &(struct energy_item){
                          .name = arena_printf(b->arena, "flit.%s", net),
                          .part = l->part,
                          .unit = l->unit,
                          .counts = arena_printf(b->arena, "%s.flits_in", net),
                          .source = arena_printf(b->arena, SOURCE "%s, x width/32 B",
                                                 gpuwattch_rows[l->event].name),
                          .each = gpuwattch_flit(fabric_flit_bytes(b->cfg, b->graphs->graph[i]))});
    }
}

static double each(const struct energy_builder *b, const struct line *l)
{
    const struct noc_spec *noc = config_get(b->cfg, &noc_section);
    const struct dram_spec *dram = config_get(b->cfg, &dram_section);
    if (l->scaling == BY_FLIT)
        return gpuwattch_flit((double)noc->width);
    if (l->scaling == BY_BURST)
        return gpuwattch_burst(l->event, dram_burst_bytes(dram));
    if (l->scaling == BY_CHIPS)
        return gpuwattch_precharge((double)dram->bus_bits);
    return gpuwattch_rows[l->event].effective * (l->cycles > 0 ? l->cycles : 1);
}

static void add_lines(struct energy_builder *b, const struct line *l, size_t n)
{
    static const char *const rule[] = {[AS_IT_IS] = "",
                                       [BY_FLIT] = ", x width/32 B",
                                       [BY_BURST] = ", x burst/64 B",
                                       [BY_CHIPS] = ", x bus/64 bits"};
    for (; n > 0; l++, n--) {
        if (l->scaling == BY_FLIT && has_own_widths(b)) {
            add_flits(b, l);
            continue;
        }
        struct energy_item item = {.name = l->name,
                                   .part = l->part,
                                   .unit = l->unit,
                                   .counts = l->counts,
                                   .each = each(b, l)};
        item.source =
            arena_printf(b->arena, SOURCE "%s%s", gpuwattch_rows[l->event].name, rule[l->scaling]);
        if (l->cycles > 0)
            item.source = arena_printf(b->arena, "%s, %g cycles", item.source, l->cycles);
        energy_add(b, &item);
    }
}

bool energy_gpuwattch40_add(struct energy_builder *b, struct err *e)
{
    (void)e;
    const struct gpu_spec *gpu = config_get(b->cfg, &gpu_section);
    const struct icc_spec *icc = config_get(b->cfg, &icc_section);
    const struct l1_spec *l1 = config_get(b->cfg, &l1_section);
    const struct l2_spec *l2 = config_get(b->cfg, &l2_section);
    long long sms = gpu_sms(gpu);
    add_lines(b, lines, sizeof lines / sizeof lines[0]);
    add_lines(b, l1->enabled ? store_lines : local_store_lines,
              sizeof store_lines / sizeof store_lines[0]);
    if (l2->enabled)
        add_lines(b, l2_lines, sizeof l2_lines / sizeof l2_lines[0]);
    if (icc->enabled)
        add_lines(b, icc_lines, sizeof icc_lines / sizeof icc_lines[0]);
    energy_add(b, &(struct energy_item){.name = "pipeline",
                                        .part = ENERGY_SM,
                                        .unit = "lane",
                                        .counts = "32 sm.issued",
                                        .source = SOURCE "PIPE_A by lane, on or off",
                                        .each = gpuwattch_pipeline()});
    energy_add(b, &(struct energy_item){
                      .name = "idle_sm",
                      .part = ENERGY_SM,
                      .unit = "SM cycle",
                      .counts = arena_printf(b->arena, "%lld cycles - sm.active_cycles", sms),
                      .source = SOURCE "idle_core_power, 1.59 W",
                      .each = gpuwattch_idle() / gpu->clock,
                      .is_static = true});
    energy_add(b, &(struct energy_item){.name = "constant",
                                        .part = ENERGY_OTHER,
                                        .unit = "s",
                                        .counts = "seconds",
                                        .source = SOURCE "CONST_DYNAMICN, 11 W x SMs/15",
                                        .each = gpuwattch_constant() * (double)sms,
                                        .is_static = true});
    return true;
}
