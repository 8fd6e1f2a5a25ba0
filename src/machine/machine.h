/* machine.h - a whole GPU: CTA dispatcher, SMs, clusters, networks, L2 slices, memory controllers.
 *
 * Built from a configuration, fed with the streams of kernels, run, sampled, freed.  A machine is
 * a value: several can live in one process. */
#ifndef HEDDLE_MACHINE_MACHINE_H
#define HEDDLE_MACHINE_MACHINE_H

#include "cta/sms.h"
#include "fabric/fabric.h"
#include "mem/program.h"
#include "sim/config.h"
#include "sim/stats.h"
#include "stream/source.h"

#define GPU_ROWS(F, id)                                                                            \
    F(id, INT, clusters, "12", 1, 4096, "cluster", "each is one node of the networks")             \
    F(id, INT, sms_per_cluster, "5", 1, 1024, "SM", "that share their cluster's port")             \
    F(id, INT, sms, "0", 0, 65535, "SM",                                                           \
      "of all clusters, dealt out evenly; 0: clusters x sms_per_cluster")                          \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e11, "Hz", "of SMs and clusters")                           \
    F(id, STR, cta_scheduler, "rr", 0, 0, "", "who gets which CTA (heddle list policies)")         \
    F(id, STR, partition, "contiguous", 0, 0, "",                                                  \
      "who gets which SMs when several programs run at once (heddle list policies)")               \
    F(id, INT, cta_rate, "1", 1, 1024, "CTA", "started per cluster and cycle")                     \
    F(id, INT, launch_latency, "0", 0, 1e9, "cycle", "before the first CTA of a kernel")           \
    F(id, INT, cta_latency, "1", 1, 1e6, "cycle",                                                  \
      "from the decision to start a CTA to its first fetch")                                       \
    F(id, BOOL, flush, "false", 0, 0, "",                                                          \
      "before each kernel the L2 forgets everything, too, as profilers have it; what only it had " \
      "is in memory then, at no cost (one program at a time)")                                     \
    F(id, REAL, paper_dram_gbs, "0", 0, 1e6, "GB/s",                                               \
      "DRAM peak named by the paper, printed beside")                                              \
    F(id, STR, chip, "", 0, 0, "",                                                                 \
      "that it is like: heddle characterise puts its measurements beside; empty: none")            \
    F(id, INT, sm_first, "0", 0, 65535, "SM", "first SM that kernels run on")                      \
    F(id, INT, sm_count, "0", 0, 65536, "SM", "number of SMs that kernels run on; 0: all")
CFG_STRUCT(gpu, GPU_ROWS)
extern const struct cfg_section gpu_section;

static inline int64_t gpu_sms(const struct gpu_spec *s) /* in all clusters */
{
    return s->sms ? s->sms : s->clusters * s->sms_per_cluster;
}

static inline int64_t gpu_kernel_sms(const struct gpu_spec *s) /* that kernels run on */
{
    return s->sm_count ? s->sm_count : gpu_sms(s) - s->sm_first;
}

/* The sections of machines and their networks, into `all`; returns how many. */
int machine_sections(const struct cfg_section **all, int room);
/* A configuration with all of them, at its defaults; it says why it has none of synthetic traffic. */
struct config *machine_config(struct arena *a);

/* Sizes of the network that nobody gave are made those of the machine; for a loaded configuration. */
void machine_fit(struct config *cfg);

struct machine;

struct machine_progress {
    uint64_t cycles, warp_insns, thread_insns;
    uint64_t ctas_done, ctas; /* of all kernels so far */
};

struct machine_options {
    bool no_skip, check, reversed;
    uint32_t threads;               /* 0 or 1: one */
    bool only_idle;                 /* of them, no more than idle processors */
    uint64_t max_cycles, max_insns; /* SM cycles, warp instructions; 0: no limit */
    uint64_t series_period;         /* SM cycles between samples; 0: none */
    bool details;                   /* statistics of every instance too */
    uint32_t nprograms;             /* that will run at once; 0: one, which is not counted apart */
    const int
        *stop; /* STATUS_STOPPED soon after another thread made it other than 0; may be NULL */
    void (*progress)(void *context, const struct machine_progress *p); /* now and then */
    /* A CTA has ended; times in SM cycles. */
    void (*cta_done)(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end);
    void (*sampled)(void *context, uint64_t cycle); /* after each series period */
    void *context;
};

/* What is known about a kernel that has run. */
struct machine_kernel {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t regs_per_thread; /* before rounding */
    const char *regs_from;    /* who counted them: "ptxas", "liveness", "given", "set" */
    uint32_t ctas_per_sm;
    uint64_t ptx_insns;  /* warp instructions of its PTX, whatever the machine issues for them */
    const char *limit;   /* the resource that allows no more */
    double waves;        /* CTAs / (SMs * ctas_per_sm) */
    uint64_t begin, end; /* SM cycles */
    uint64_t ctas, ctas_done;
    uint32_t program;                      /* that it belongs to */
    struct stats_snapshot *before, *after; /* NULL where other programs ran at the same time */
};

/* Refuses what cannot work with one line, naming file, line and key. */
struct machine *machine_new(const struct config *cfg, const struct machine_options *opt,
                            struct err *e);
void machine_free(struct machine *m);

/* Times one kernel from its start to its last CTA.  STATUS_BUDGET when a limit was reached: the
 * statistics are those of the part that ran, and nothing can follow on this machine. */
bool machine_run(struct machine *m, const struct stream_store *kernel, struct err *e);
/* All kernels of a source, one after another. */
bool machine_run_source(struct machine *m, struct stream_source *s, struct err *e);

/* Several programs at once: the kernels of each one after another, on SMs of its own. */
struct machine_programs {
    struct stream_source *source[MAX_PROGRAMS];
    uint32_t n;               /* at most machine_options.nprograms, or 1 */
    const struct sm_set *sms; /* [n], disjoint; NULL: as gpu.partition deals them out */
    uint64_t window; /* programs restart until this many cycles are over; 0: each runs once */
};
/* When a window ends, kernels are left where they are and nothing can follow. */
bool machine_run_programs(struct machine *m, const struct machine_programs *p, struct err *e);

/* What is known about a program that has run. */
struct machine_program {
    const struct sm_set *sms; /* that belong to it */
    uint64_t kernels, runs;   /* kernels begun; times that it came to its end */
    uint64_t end;        /* SM cycles from the start to its first end; 0: it did not come to it */
    uint64_t warp_insns; /* where programs are counted apart: issued, the last of them ... */
    uint64_t last_issue; /* ... in this cycle, counted from the start */
};
const struct machine_program *machine_program(const struct machine *m, uint32_t i);
/* After the last kernel: write-backs and the like settle; conservation is checked. */
bool machine_finish(struct machine *m, struct err *e);

const struct stats *machine_stats(const struct machine *m); /* brought up to date */
uint64_t machine_cycles(const struct machine *m);
uint64_t machine_digest(const struct machine *m);
uint32_t machine_nkernels(const struct machine *m);
const struct machine_kernel *machine_kernel(const struct machine *m, uint32_t i);
/* The networks (one, or request and reply), and the flits per cycle of theirs on an output port,
 * or into an input port from its nodes. */
const struct fabric *machine_fabric(const struct machine *m);
double machine_out_load(const struct machine *m, int net, uint32_t port);
double machine_in_load(const struct machine *m, int net, uint32_t port);
const struct config *machine_config_of(const struct machine *m);

#endif
