/* energy_structural.c - the structural bill: what each part of the machine costs at power.node.
 *
 * Networks: energy_network.c.  Memories: energy_arrays.c.  Here: DRAM chips (power/dram_energy),
 * memory controllers and what an SM does to an instruction, by published energies of operations,
 * carried to the node.  Static power of SMs is that of AccelWattch's QV100, a measured 12 nm part,
 * at every node.  It was measured of the whole chip: at 12 and 7 nm, leakage of L2 and networks is
 * in it; at the nodes of the papers they have lines of their own.
 *
 * Nothing here comes from GPUWattch's regression: of its tables only McPAT's own energies are used.
 * Not modelled: divergence inside of units, operand collectors, misses of the instruction cache. */
#include <math.h>
#include <stdlib.h>

#include "dram/mc.h"
#include "fabric/netcost.h"
#include "machine/energy_arrays.h"
#include "machine/energy_build.h"
#include "machine/energy_network.h"
#include "power/dram_energy.h"
#include "power/gpuwattch.h"
#include "power/tech.h"
#include "sm/sm.h"

/* A process that energies were published for. */
struct process {
    const char *source;
    double nm, vdd;
};
/* McPAT at 40 nm: between the 1.0 V of 45 nm and the 0.9 V of 32 nm. */
static const struct process mcpat = {"McPAT, GTX480 at 40 nm", 40, 0.96};
/* M. Horowitz, "Computing's energy problem", ISSCC 2014: 45 nm, 0.9 V. */
static const struct process horowitz = {"Horowitz, ISSCC 2014, 45 nm", 45, 0.9};
/* S. Keckler et al., "GPUs and the future of parallel computing", IEEE Micro 31(5), 2011. */
static const struct process keckler = {"Keckler et al., IEEE Micro 2011, 40 nm", 40, 0.9};

#define FINFETS 22 /* nm, below which node names are no lengths, and static power was measured */
#define PICO 1e-12
#define NANO 1e-9
#define FP32 (0.9 + 3.7) /* pJ: add and multiply, so that a multiply-add is one */
#define FP32_AT_7 (0.38 + 1.31)
#define FP16 (0.4 + 1.1)
#define FP64 50.0       /* pJ of a fused multiply-add */
#define SFU (2 * FP32)  /* as McPAT's complex unit to its FPU: 94.8 to 46.2 */
#define CONTROLLER 4.19 /* nJ for 64 bytes: MEM_RD less the 77.47 nJ that are the chips' */

/* AccelWattch, QV100 (Kandiah et al., MICRO 2021), 80 SMs: static power of the chip with one lane
 * of integer and floating-point work, and with each more; an SM without work; what is always
 * there. */
#define QV100_SMS 80.0
#define ACTIVE_SM ((18.6179906 + 31 * 0.645228013) / QV100_SMS)
#define IDLE_SM 0.28279166
#define CONSTANT (32.32522272 / QV100_SMS)

struct structural {
    struct energy_builder *b;
    const struct tech *tech;
};

/* Down to 22 nm, capacitance goes with the feature size.  Below, names of nodes are no lengths, and
 * energies go by what was published of both ends: a single-precision addition and multiplication take
 * 4.6 pJ at 45 nm and 1.69 pJ at 7 nm, voltage and all (N. Jouppi et al., "Ten lessons from three
 * generations shaped Google's TPUv4i", ISCA 2021, table 2: Horowitz's table for 7 nm). */
static double at_node(const struct structural *x, const struct process *p)
{
    if (x->tech->nm < FINFETS)
        return pow(x->tech->nm / p->nm, log(FP32 / FP32_AT_7) / log(45.0 / 7));
    double v = x->tech->vdd / p->vdd;
    return x->tech->nm / p->nm * v * v;
}

/* ---- SMs ------------------------------------------------------------------------------------- */

/* McPAT's fetch is of two instructions; where one brings more, as many of it as instructions need. */
static const char *fetches(const struct structural *x)
{
    const struct sm_spec *sm = config_get(x->b->cfg, &sm_section);
    return sm->ibuffer > 2 ? "0.5 sm.issued" : "sm.fetches";
}

static void add_instructions(const struct structural *x)
{
    const struct {
        const char *name, *unit, *counts;
        const struct process *process;
        double each;
    } lines[] = {
        {"fetch", "fetch", fetches(x), &mcpat, gpuwattch_rows[GPUWATTCH_IC_H].base},
        {"instruction_buffer", "warp instruction", "sm.issued", &mcpat,
         gpuwattch_rows[GPUWATTCH_TOT_INST].base},
        {"schedule", "warp instruction", "sm.issued", &mcpat,
         gpuwattch_rows[GPUWATTCH_FP_INT].base},
        {"pipeline", "instruction", "sm.thread_insns", &mcpat, gpuwattch_pipeline_base()},
        {"int", "instruction", "sm.threads_int + sm.threads_mem", &mcpat,
         gpuwattch_rows[GPUWATTCH_SP_ACC].base},
        {"fp32", "instruction", "sm.threads_fp32", &horowitz, FP32 * PICO},
        {"fp16", "instruction", "sm.threads_fp16", &horowitz, FP16 * PICO},
        {"fp64", "instruction", "sm.threads_fp64", &keckler, FP64 * PICO},
        {"sfu", "instruction", "sm.threads_sfu", &horowitz, SFU * PICO},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        energy_add(x->b,
                   &(struct energy_item){.name = lines[i].name,
                                         .part = ENERGY_SM,
                                         .unit = lines[i].unit,
                                         .counts = lines[i].counts,
                                         .source = lines[i].process->source,
                                         .each = lines[i].each * at_node(x, lines[i].process)});
}

static void add_static(const struct structural *x)
{
    const struct gpu_spec *gpu = config_get(x->b->cfg, &gpu_section);
    long long sms = gpu_sms(gpu);
    const struct {
        const char *name, *counts;
        enum energy_part part;
        double watts;
    } lines[] = {
        {"active_sm", "sm.active_cycles", ENERGY_SM, ACTIVE_SM},
        {"idle_sm", arena_printf(x->b->arena, "%lld cycles - sm.active_cycles", sms), ENERGY_SM,
         IDLE_SM},
        {"constant", arena_printf(x->b->arena, "%lld cycles", sms), ENERGY_OTHER, CONSTANT},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        energy_add(x->b, &(struct energy_item){.name = lines[i].name,
                                               .part = lines[i].part,
                                               .unit = "SM cycle",
                                               .counts = lines[i].counts,
                                               .source = "AccelWattch, QV100, by SM",
                                               .each = lines[i].watts / gpu->clock,
                                               .is_static = true});
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void add_dram_lines(const struct structural *x, const struct dram_energy *d)
{
    const struct dram_spec *dram = config_get(x->b->cfg, &dram_section);
    const struct mc_spec *mc = config_get(x->b->cfg, &mc_section);
    static const char both[] = "dram.read_bursts + dram.write_bursts";
    static const char chips[] = "power/dram_energy: currents of dram_power, Micron TN-41-01";
    double controller = CONTROLLER * NANO * dram_burst_bytes(dram) / 64 * at_node(x, &mcpat);
    const struct {
        const char *name, *unit, *counts, *source;
        double each;
        bool is_static;
    } lines[] = {
        {"dram_activate", "command", "dram.activates", chips, d->activate, false},
        {"dram_read", "burst", "dram.read_bursts", chips, d->read, false},
        {"dram_write", "burst", "dram.write_bursts", chips, d->write, false},
        {"dram_io", "burst", both, chips, d->io, false},
        {"dram_refresh", "command", "dram.refreshes", chips, d->refresh, false},
        {"dram_row_open", "cycle", "dram.row_open", chips,
         d->active > d->precharged ? (d->active - d->precharged) / dram->clock : 0, false},
        {"dram_standby", "s", "seconds", chips, d->precharged * (double)mc->channels, true},
        {"memory_controller", "burst", both, mcpat.source, controller, false},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        energy_add(x->b, &(struct energy_item){.name = lines[i].name,
                                               .part = ENERGY_DRAM,
                                               .unit = lines[i].unit,
                                               .counts = lines[i].counts,
                                               .source = lines[i].source,
                                               .each = lines[i].each,
                                               .is_static = lines[i].is_static});
}

static bool add_dram(const struct structural *x, struct err *e)
{
    const struct dram_spec *dram = config_get(x->b->cfg, &dram_section);
    struct dram_energy_spec s = {.chip = config_get(x->b->cfg, &dram_power_section),
                                 .bus_bits = (uint32_t)dram->bus_bits,
                                 .burst = (uint32_t)dram->burst,
                                 .beats_per_cycle = (uint32_t)dram->beats_per_cycle,
                                 .clock = dram->clock};
    struct dram_energy d;
    if (!dram_energy(&s, &d, e))
        return false;
    add_dram_lines(x, &d);
    return true;
}

bool energy_structural_add(struct energy_builder *b, struct err *e)
{
    const struct power_spec *p = config_get(b->cfg, &power_section);
    struct structural x = {b, tech_find((uint32_t)strtoul(p->node, NULL, 10), e)};
    if (!x.tech)
        return false;
    b->is_leakage_measured = x.tech->nm < FINFETS;
    add_instructions(&x);
    add_static(&x);
    return energy_arrays_add(b, e) && energy_network_add(b, e) && add_dram(&x, e);
}
