/* gpuwattch.c - the GTX480 of GPUWattch: 15 SMs, 700 MHz, 40 nm, 32-byte flits, DRAM commands of
 * two chips x 4 bytes x burst of 8.
 *
 * Sources: McPAT's energies as GPGPU-Sim's gpgpu_sim_wrapper prints them for gpuwattch_gtx480.xml;
 * factors, idle_core_power and CONST_DYNAMICN from that file.  The wrapper adds no leakage: what
 * there is went into the factors, the idle SM and the constant. */
#include "power/gpuwattch.h"

#include "base/err.h"

#define NANO 1e-9
#define SMS 15.0      /* of the card */
#define CORES 16.0    /* that McPAT is asked about, and PIPE_A is the sum over */
#define SAMPLE 500.0  /* cycles */
#define FINISHED 64.0 /* lanes of an SM and cycle at duty 1: two pipelines */
#define FLIT 32.0     /* bytes */
#define COMMAND 64.0  /* bytes of a DRAM command */
#define CHANNEL 64.0  /* bits of its bus */
#define IDLE 1.59     /* W, idle_core_power */
#define CONSTANT 11.0 /* W, CONST_DYNAMICN: what constant power comes to at least */

const struct gpuwattch_row gpuwattch_rows[GPUWATTCH_N] = {
#define E(name, base, factor, what) {#name, what, (base)*NANO, (base) * (factor)*NANO},
    GPUWATTCH_EVENTS(E)
#undef E
};

double gpuwattch_flit(double bytes)
{
    return gpuwattch_rows[GPUWATTCH_NOC_A].effective * bytes / FLIT;
}

double gpuwattch_burst(enum gpuwattch_event what, double bytes)
{
    HD_ASSERT(what == GPUWATTCH_MEM_RD || what == GPUWATTCH_MEM_WR, "event %d has no bytes",
              (int)what);
    return gpuwattch_rows[what].effective * bytes / COMMAND;
}

double gpuwattch_precharge(double bus_bits)
{
    return gpuwattch_rows[GPUWATTCH_MEM_PRE].effective * bus_bits / CHANNEL;
}

double gpuwattch_pipeline(void)
{
    return gpuwattch_rows[GPUWATTCH_PIPE_A].effective / (SMS * SAMPLE * FINISHED);
}

double gpuwattch_pipeline_base(void)
{
    return gpuwattch_rows[GPUWATTCH_PIPE_A].base / (CORES * SAMPLE * FINISHED);
}

double gpuwattch_idle(void)
{
    return IDLE;
}

double gpuwattch_constant(void)
{
    return CONSTANT / SMS;
}
