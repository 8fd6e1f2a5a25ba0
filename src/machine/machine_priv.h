/* machine_priv.h - shared by the files of src/machine. */
#ifndef HEDDLE_MACHINE_MACHINE_PRIV_H
#define HEDDLE_MACHINE_MACHINE_PRIV_H

#include "analysis/meetings.h"
#include "analysis/sharing.h"
#include "cluster/cluster.h"
#include "cta/dispatch.h"
#include "dram/mc.h"
#include "l2/slice.h"
#include "machine/machine.h"
#include "mem/addrmap.h"
#include "noc/net.h"
#include "sim/clock.h"
#include "sim/engine.h"
#include "sim/stats_snapshot.h"
#include "sm/program.h"
#include "sm/sm.h"

/* Where SMs keep local memory, and kernels their parameters: above all device memory. */
#define LOCAL_BASE (1ull << 48)
#define LOCAL_SHIFT 31 /* room of an SM */
#define PARAM_BASE (1ull << 50)

enum domain { DOMAIN_SM, DOMAIN_NOC, DOMAIN_L2, DOMAIN_DRAM, DOMAINS };

struct machine {
    struct arena *arena;
    const struct config *cfg;
    const struct gpu_spec *gpu;
    struct machine_options opt;
    struct clock_plan clocks;
    struct engine *engine;
    struct fabric graphs;
    struct noc *net[2]; /* request, reply; the same one when there is one */
    struct addrmap map;
    struct request_pool pool;
    struct sm_clusters clusters;
    struct sm_set kernel_sms; /* that kernels run on */
    const struct partition *partition;
    void *partition_state;
    struct sm_set program_sms[MAX_PROGRAMS]; /* as dealt out by it */
    struct machine_program program[MAX_PROGRAMS];
    uint32_t nclusters, nsms, nslices, nchannels;
    struct dispatch *dispatch;
    struct sm **sm;
    struct cluster **cluster;
    struct slice **slice;
    struct mc **mc;
    struct sharing *sharing;    /* NULL: off */
    struct meetings **meetings; /* by slice; NULL: off */
    struct stats *stats;
    uint32_t nkernels, kernels_room;
    struct machine_kernel **kernel;
    bool is_given_up; /* a run did not come to its end: nothing can follow it */
    uint64_t end;     /* SM cycle at which the last kernel ended */
    uint64_t next_sample;
};

/* wire.c: checks the configuration and builds everything. */
bool wire_machine(struct machine *m, struct err *e);
/* programs.c: who gets which SMs. */
bool programs_deal(struct machine *m, struct err *e);
/* machine.c: in SM cycles. */
uint64_t machine_now(const struct machine *m);
/* Runs until something happened that somebody should look at, at most until cycle `until`. */
bool machine_step(struct machine *m, uint64_t until, struct err *e);
/* Tells how far it is; false with *e set: a limit was reached. */
bool machine_is_in_budget(struct machine *m, struct err *e);
bool machine_refuse_given_up(struct err *e);
/* conserve.c: after the last request has been answered. */
bool conserve_check(const struct machine *m, struct err *e);

#endif
