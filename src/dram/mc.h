/* mc.h - a memory controller and its DRAM channel.
 *
 *   slice ports -> fixed latency -> queue -> scheduler -> one command per cycle -> banks, data bus
 *
 * Schedulers are registered in schedulers.def: serial, FIFO, banked FIFO, FR-FCFS. */
#ifndef HEDDLE_DRAM_MC_H
#define HEDDLE_DRAM_MC_H

#include "mem/addrmap.h"
#include "mem/transfer.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/port.h"
#include "sim/stats.h"

#define MC_ROWS(F, id)                                                                             \
    F(id, INT, channels, "8", 1, 1024, "channel", "memory controllers, one DRAM channel each")     \
    F(id, STR, scheduler, "frfcfs", 0, 0, "", "of commands (heddle list policies)")                \
    F(id, INT, queue, "32", 1, 4096, "transfer", "that the scheduler chooses from")                \
    F(id, INT, bank_queue, "0", 0, 4096, "transfer",                                               \
      "a queue of its own for each bank, of this size; 0: mc.queue, shared as the scheduler says") \
    F(id, INT, staging, "0", 0, 4096, "transfer",                                                  \
      "reads, and as many writes, that wait before the queue; writes go in batches; 0: none wait") \
    F(id, INT, drain_above, "8", 0, 4096, "transfer",                                              \
      "writes that wait, more than which begin a batch when the queue is empty; or mc.staging")    \
    F(id, INT, drain_after, "200", 0, 1e6, "cycle",                                                \
      "for which a write has waited that begins a batch in any case")                              \
    F(id, INT, latency, "100", 0, 10000, "cycle", "of latency_clock: from the slice to the queue") \
    F(id, CHOICE, latency_clock, "dram", 0, 0, "dram|sm",                                          \
      "latency counts cycles of the command clock, or of the SMs (rounded up to command cycles)")  \
    F(id, INT, reply_latency, "1", 1, 10000, "cycle", "of the L2, from the last beat to the slice")
CFG_STRUCT(mc, MC_ROWS)
extern const struct cfg_section mc_section;

#define DRAM_ROWS(F, id)                                                                           \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e11, "Hz", "command clock")                                 \
    F(id, INT, banks, "16", 1, 256, "bank", "per channel")                                         \
    F(id, INT, groups, "1", 1, 64, "group", "bank groups; 1: off")                                 \
    F(id, CHOICE, group_bits, "low", 0, 0, "low|high",                                             \
      "bits of a bank's number that are its group's; high: as in GPGPU-Sim 3.2.2")                 \
    F(id, INT, bus_bits, "128", 8, 8192, "bit", "data bus of a channel")                           \
    F(id, INT, burst, "8", 1, 64, "beat", "burst length")                                          \
    F(id, INT, beats_per_cycle, "4", 1, 16, "beat", "data rate over the command clock")            \
    F(id, INT, tcl, "12", 1, 1000, "cycle", "read command to data")                                \
    F(id, INT, twl, "4", 1, 1000, "cycle", "write command to data")                                \
    F(id, INT, trcd, "12", 1, 1000, "cycle", "activate to column command")                         \
    F(id, INT, trp, "12", 1, 1000, "cycle", "precharge to activate")                               \
    F(id, INT, tras, "28", 1, 1000, "cycle", "activate to precharge")                              \
    F(id, INT, trc, "40", 1, 1000, "cycle", "activate to activate, same bank")                     \
    F(id, INT, trrd, "6", 1, 1000, "cycle", "activate to activate, other bank")                    \
    F(id, INT, trrdl, "0", 0, 1000, "cycle", "the same within a bank group; 0: as trrd")           \
    F(id, INT, tfaw, "0", 0, 10000, "cycle", "window of four activates; 0: off")                   \
    F(id, INT, tccd, "2", 1, 1000, "cycle", "column command to column command")                    \
    F(id, INT, tccdl, "0", 0, 1000, "cycle", "the same within a bank group; 0: as tccd")           \
    F(id, INT, twr, "12", 1, 1000, "cycle", "end of write data to precharge")                      \
    F(id, INT, twtr, "5", 1, 1000, "cycle", "end of write data to read command")                   \
    F(id, INT, trtp, "2", 1, 1000, "cycle", "read command to precharge")                           \
    F(id, INT, trtrs, "2", 0, 1000, "cycle", "gap on the bus when reads turn to writes")           \
    F(id, INT, trefi, "0", 0, 1e9, "cycle", "between refreshes of all banks; 0: none")             \
    F(id, INT, trfc, "0", 0, 1e6, "cycle", "for which a refresh keeps the banks busy")             \
    F(id, BOOL, dual_command, "false", 0, 0, "",                                                   \
      "row and column commands have a slot each per cycle; else they share one")
CFG_STRUCT(dram, DRAM_ROWS)
extern const struct cfg_section dram_section;

static inline uint32_t dram_burst_bytes(const struct dram_spec *s)
{
    return (uint32_t)(s->bus_bits / 8 * s->burst);
}
/* Bytes per second of all `channels`. */
static inline double dram_peak(const struct dram_spec *s, int64_t channels)
{
    return (double)channels * (double)s->bus_bits / 8 * (double)s->beats_per_cycle * s->clock;
}

struct mc;

struct mc_options {
    const char *path;         /* "mc[2]" */
    const struct config *cfg; /* mc_section, dram_section */
    const struct addrmap *map;
    uint32_t channel, nslices;
    uint64_t sm_period, period; /* in ticks: of the SMs, of the command clock */
    bool check; /* keep versions of what DRAM holds; check that nothing overtakes its own line */
};

/* Sizes that make no sense, unknown schedulers (with the nearest name). */
bool mc_check(const struct config *cfg, uint64_t sm_period, uint64_t period, struct err *e);
struct mc *mc_new(struct arena *a, const struct mc_options *opt);
void mc_free(struct mc *m); /* what is not in the arena: versions */
/* Its vertex number i in the wait-for graph is the port from slice i. */
struct component *mc_component(struct mc *m);
/* A slice as its controller sees it. */
struct mc_slice {
    struct component *c;
    uint32_t slot;          /* by which it knows its ports */
    struct transfer *table; /* its transfers */
    uint32_t ntransfers;
    uint32_t to_depth;   /* of the port from the slice */
    uint32_t from_depth; /* answers that wait for the slice, those on their way apart; 0: all */
};
/* Joins slice number `i`.  The ports: *to is written by the slice, *from read by it. */
void mc_connect(struct mc *m, struct arena *a, uint32_t i, const struct mc_slice *slice,
                struct port **to, struct port **from);
/* Summed over all channels as "dram"; sums over time are right once settled. */
/* Memory has this version of the line from now on, without a transfer (L2 slices are flushed). */
void mc_flush(struct mc *m, uint64_t line, uint32_t version);
void mc_add_stats(const struct mc *m, struct stats *tree);
void mc_count_programs(struct mc *m, struct arena *a); /* apart, from now on */
void mc_add_program_stats(const struct mc *m, struct stats *tree, uint32_t program,
                          const char *path); /* of one of several programs */

#endif
