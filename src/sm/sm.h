/* sm.h - a streaming multiprocessor: resident warps, instruction buffers, scoreboards, warp
 * schedulers, pipelines and barriers around a load/store unit.
 *
 *   fetch -> instruction buffer -> scheduler (scoreboard, pipeline free?) -> pipeline -> write-back
 *                                                                        \-> load/store unit
 *
 * An instruction issued at t with latency L can be followed at t + L by one that needs its result.
 * docs/model/sm.md says what is modelled and what is not. */
#ifndef HEDDLE_SM_SM_H
#define HEDDLE_SM_SM_H

#include "l1/lsu.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/port.h"
#include "sim/stats.h"
#include "stream/resident.h"

#define SM_ROWS(F, id)                                                                             \
    F(id, INT, threads, "1536", 32, 2048, "thread", "resident on an SM")                           \
    F(id, INT, warps, "0", 0, 64, "warp", "resident on an SM; 0: threads / 32")                    \
    F(id, INT, ctas, "8", 1, 64, "CTA", "resident on an SM")                                       \
    F(id, INT, registers, "32768", 32, 1e6, "register", "of an SM, 32 bits each")                  \
    F(id, INT, register_unit, "4", 1, 256, "register",                                             \
      "a thread's registers are rounded up to this")                                               \
    F(id, CHOICE, register_count, "assembler", 0, 0, "assembler|liveness",                         \
      "registers of a thread: assembler's where known, or always liveness")                        \
    F(id, STR, registers_of, "", 0, 0, "",                                                         \
      "KERNEL=N,...: registers of a thread for these kernels")                                     \
    F(id, INT, shared, "48K", 0, 1e6, "byte", "shared memory of an SM")                            \
    F(id, INT, schedulers, "2", 1, 4, "scheduler", "each has every n-th warp")                     \
    F(id, STR, scheduler, "gto", 0, 0, "", "order of warps (heddle list policies)")                \
    F(id, INT, issue_width, "1", 1, 4, "instruction", "of one warp, per scheduler and cycle")      \
    F(id, INT, simd, "32", 1, 32, "lane",                                                          \
      "per cycle: a warp takes 32 / simd cycles of a pipeline")                                    \
    F(id, INT, ibuffer, "2", 1, 16, "instruction",                                                 \
      "fetched at a time for one warp, within a block")                                            \
    F(id, INT, fetch_warps, "1", 1, 8, "warp", "for which instructions are fetched per cycle")     \
    F(id, INT, fetch_latency, "2", 1, 15, "cycle", "from an empty buffer's turn to issue")         \
    F(id, INT, sp_units, "2", 1, 8, "pipeline", "integer, single precision, control")              \
    F(id, INT, int_units, "0", 0, 8, "pipeline",                                                   \
      "integers but multiplications, compares of floats; 0: done by the SP pipelines, as are "     \
      "branches, which take none else")                                                            \
    F(id, INT, dp_units, "0", 0, 8, "pipeline", "double precision; 0: done by the SP pipelines")   \
    F(id, INT, sfu_units, "1", 1, 8, "pipeline", "special functions, divisions")                   \
    F(id, BOOL, fair, "false", 0, 0, "",                                                           \
      "schedulers go first in turn, cycle by cycle; else always in the order of their numbers")    \
    F(id, BOOL, drain, "true", 0, 0, "", "a CTA keeps its place until its stores are answered")    \
    F(id, CHOICE, instructions, "ptx", 0, 0, "ptx|assembled",                                      \
      "issued: those of PTX, or what an assembler makes of them")                                  \
    F(id, BOOL, barrel, "false", 0, 0, "",                                                         \
      "a warp's next instruction waits until the last one has its result; as in GPGPU-Sim 2")      \
    F(id, BOOL, watch_available, "false", 0, 0, "",                                                \
      "count available warps: those that could issue, as each cycle begins to issue")
CFG_STRUCT(sm, SM_ROWS)
extern const struct cfg_section sm_section;

#define PIPE_ROWS(F, id)                                                                           \
    F(id, INT, int_latency, "4", 1, 900, "cycle", "integer add, logic, compare, move")             \
    F(id, INT, int_interval, "1", 1, 900, "cycle", "between two of them in a pipeline")            \
    F(id, INT, int_mul_latency, "4", 1, 900, "cycle", "integer multiply")                          \
    F(id, INT, int_mul_interval, "2", 1, 900, "cycle", "")                                         \
    F(id, INT, int_mad_latency, "5", 1, 900, "cycle", "integer multiply-add")                      \
    F(id, INT, int_mad_interval, "1", 1, 900, "cycle", "")                                         \
    F(id, INT, int_div_latency, "145", 1, 900, "cycle", "integer division, remainder")             \
    F(id, INT, int_div_interval, "8", 1, 900, "cycle", "")                                         \
    F(id, INT, fp32_latency, "4", 1, 900, "cycle", "single precision add, compare, conversion")    \
    F(id, INT, fp32_interval, "1", 1, 900, "cycle", "")                                            \
    F(id, INT, fp32_mul_latency, "4", 1, 900, "cycle", "single precision multiply")                \
    F(id, INT, fp32_mul_interval, "1", 1, 900, "cycle", "")                                        \
    F(id, INT, fp32_mad_latency, "5", 1, 900, "cycle", "single precision multiply-add")            \
    F(id, INT, fp32_mad_interval, "1", 1, 900, "cycle", "")                                        \
    F(id, INT, fp32_div_latency, "39", 1, 900, "cycle", "single precision division, square root")  \
    F(id, INT, fp32_div_interval, "4", 1, 900, "cycle", "")                                        \
    F(id, INT, fp64_latency, "8", 1, 900, "cycle", "double precision add, compare, conversion")    \
    F(id, INT, fp64_interval, "8", 1, 900, "cycle", "")                                            \
    F(id, INT, fp64_mul_latency, "8", 1, 900, "cycle", "double precision multiply")                \
    F(id, INT, fp64_mul_interval, "8", 1, 900, "cycle", "")                                        \
    F(id, INT, fp64_mad_latency, "8", 1, 900, "cycle", "double precision multiply-add")            \
    F(id, INT, fp64_mad_interval, "8", 1, 900, "cycle", "")                                        \
    F(id, INT, fp64_div_latency, "330", 1, 900, "cycle", "double precision division, square root") \
    F(id, INT, fp64_div_interval, "130", 1, 900, "cycle", "")                                      \
    F(id, INT, special_latency, "39", 1, 900, "cycle", "approximate 1/x, sin, log2, ...")          \
    F(id, INT, special_interval, "4", 1, 900, "cycle", "")                                         \
    F(id, INT, shuffle_latency, "26", 1, 900, "cycle", "shuffle, vote, match")                     \
    F(id, INT, shuffle_interval, "1", 1, 900, "cycle", "")                                         \
    F(id, INT, control_interval, "1", 1, 900, "cycle", "branches, calls")
CFG_STRUCT(pipe, PIPE_ROWS)
extern const struct cfg_section pipe_section;

struct sm;
struct sm_program; /* program.h */

struct sm_options {
    const char *path; /* "sm[17]" */
    const struct config *cfg;
    uint32_t index; /* over all clusters */
    struct request_pool pool;
    uint64_t local_base, param_base;
    struct sharing_sm *sharing; /* NULL: nobody looks on */
    bool tells_warps;           /* requests carry how many of its warps could issue */
};

/* Unknown schedulers, sizes that make no sense. */
bool sm_check(const struct config *cfg, struct err *e);
struct sm *sm_new(struct arena *a, const struct sm_options *opt);
struct component *sm_component(struct sm *s);

/* Slots by which its ports know an SM. */
enum { SM_SLOT_CLUSTER, SM_SLOT_DISPATCH };
void sm_connect_cluster(struct sm *s, struct port *out, struct port *in);
/* CTAs to start come by `start` (pointers to struct cta_start); the context numbers of finished
 * ones go by `done`. */
void sm_connect_dispatch(struct sm *s, struct port *start, struct port *done);
/* Between kernels of a program, which has no CTA here: caches forget what is the program's. */
void sm_invalidate(struct sm *s, uint32_t program);
void sm_carve(struct sm *s, uint64_t shared_bytes); /* see lsu_carve */
/* The stream of a warp turned out to be damaged. */
bool sm_is_broken(const struct sm *s);
uint64_t sm_issued(const struct sm *s); /* warp instructions so far, for budgets and progress */
uint64_t sm_thread_insns(const struct sm *s);
/* From now on, which is before the first cycle, programs are also counted apart. */
void sm_count_programs(struct sm *s, struct arena *a);
uint64_t sm_issued_of(const struct sm *s, uint32_t program);
hd_cycle sm_last_issue_of(const struct sm *s, uint32_t program); /* 0: none yet */
void sm_add_stats(const struct sm *s, struct stats *tree);
void sm_add_observed(const struct sm *s, struct stats *tree); /* what is watched, if anything */
/* What one of several programs did: "path.issued", ..., and of its load/store unit and caches. */
void sm_add_program_stats(const struct sm *s, struct stats *tree, uint32_t program,
                          const char *path, const char *l1_path);

#endif
