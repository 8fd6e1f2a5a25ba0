/* gpuwattch.h - energy per event of a GTX480 at 40 nm, as GPUWattch has it (Leng et al., ISCA 2013;
 * the tables of GPGPU-Sim's SM2_GTX480), and the rules by which it is carried to other machines.
 *
 * An effective energy is what McPAT says of the access, times a factor that a regression against
 * measured power gave: a price of the event and of all that comes with it, no physical access.
 * McPAT's own figure is the physical one.  docs/model/energy.md has what each event counts. */
#ifndef HEDDLE_POWER_GPUWATTCH_H
#define HEDDLE_POWER_GPUWATTCH_H

/* name, McPAT's nJ of an access, factor of the regression, what it is */
#define GPUWATTCH_EVENTS(E)                                                                        \
    E(TOT_INST, 0.00180705, 2.00, "instruction buffer, per warp instruction")                      \
    E(FP_INT, 0.0120109, 4.57, "warp scheduler, per integer or floating-point instruction")        \
    E(IC_H, 0.0296423, 2.14, "hit in the instruction cache, per fetch")                            \
    E(IC_M, 0.0965424, 22.47, "miss in the instruction cache, per fetch")                          \
    E(DC_RH, 0.132547, 22.14, "read hit in the L1, with the coalescer")                            \
    E(DC_RM, 0.0902301, 24.66, "read miss in the L1, with the coalescer")                          \
    E(DC_WH, 0.143872, 1.53, "write hit in the L1")                                                \
    E(DC_WM, 0.0654354, 39.79, "write miss in the L1")                                             \
    E(TC_H, 0.132547, 10.21, "hit in the texture cache")                                           \
    E(TC_M, 0.0902301, 24.66, "miss in the texture cache")                                         \
    E(CC_H, 0.132547, 11.07, "hit in the constant cache")                                          \
    E(CC_M, 0.0902301, 12.33, "miss in the constant cache")                                        \
    E(SHRD_ACC, 0.30106, 7.04, "cycle of shared memory")                                           \
    E(REG_RD, 0.0519059, 0.14, "register read by a lane")                                          \
    E(REG_WR, 0.028505, 0.21, "register written by a lane")                                        \
    E(NON_REG_OPs, 0.0251216, 2.11, "operand of a lane that is no register")                       \
    E(SP_ACC, 0.00113226, 2.38, "cycle of a lane's integer unit")                                  \
    E(SFU_ACC, 0.0948075, 0.51, "cycle of a lane's special function unit")                         \
    E(FPU_ACC, 0.0462186, 0.64, "cycle of a lane's floating-point unit")                           \
    E(MEM_RD, 81.6619, 0.33, "read command: controller and chips, 64 bytes")                       \
    E(MEM_WR, 39.6621, 0.40, "write command: controller and chips, 64 bytes")                      \
    E(MEM_PRE, 38.475, 0.11, "precharge of a bank, two chips")                                     \
    E(L2_RH, 0.203411, 13.79, "read hit in the L2")                                                \
    E(L2_RM, 0.00290058, 35.18, "read miss in the L2: tags alone")                                 \
    E(L2_WH, 0.321597, 43.07, "write hit in the L2")                                               \
    E(L2_WM, 0.523131, 28.72, "write miss in the L2")                                              \
    E(NOC_A, 0.00634601, 305.48, "flit of 32 bytes through a network, however many routers")       \
    E(PIPE_A, 7076.63, 2.57, "pipelines of all SMs, always full, for a sample of 500 cycles")

enum gpuwattch_event {
#define E(name, base, factor, what) GPUWATTCH_##name,
    GPUWATTCH_EVENTS(E)
#undef E
        GPUWATTCH_N
};

struct gpuwattch_row {
    const char *name, *what;
    double base;      /* J, of McPAT */
    double effective; /* J */
};
extern const struct gpuwattch_row gpuwattch_rows[GPUWATTCH_N];

/* ---- scaling rules --------------------------------------------------------------------------- */

double gpuwattch_flit(double bytes);                             /* with its width: x bytes/32 */
double gpuwattch_burst(enum gpuwattch_event what, double bytes); /* MEM_RD, MEM_WR: x bytes/64 */
double gpuwattch_precharge(double bus_bits);                     /* with the chips: x bits/64 */

/* PIPE_A is paid by how full pipelines are: lanes of warp instructions (all 32, as lanes are not
 * clock-gated) over the 64 that an SM's two pipelines can finish in a cycle.  So each lane has its
 * share, on any machine. */
double gpuwattch_pipeline(void);
double gpuwattch_pipeline_base(void); /* the same of McPAT alone */

/* W, whatever the clock, as GPUWattch has them: an SM without warps; an SM's share of the chip's
 * constant power (11 W for 15 SMs). */
double gpuwattch_idle(void);
double gpuwattch_constant(void);

#endif
