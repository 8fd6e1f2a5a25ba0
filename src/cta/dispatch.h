/* dispatch.h - the CTA dispatcher: kernels in, CTAs out to the SMs, as a CTA scheduler says.
 *
 * It hands the SMs the streams of their CTAs, copied out of the kernel's store. */
#ifndef HEDDLE_CTA_DISPATCH_H
#define HEDDLE_CTA_DISPATCH_H

#include "analysis/sharing.h"
#include "cta/occupancy.h"
#include "cta/partition.h"
#include "cta/policy.h"
#include "mem/program.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/port.h"
#include "stream/resident.h"

struct dispatch_options {
    const char *path;
    const struct config *cfg;
    const struct cta_policy *policy;
    const struct sm_clusters *clusters; /* which outlive the dispatcher */
    uint32_t rate;                      /* CTAs per cluster and cycle */
    uint32_t start_latency;             /* cycles from here to an SM; 0: one */
    struct occupancy_limits limits;
    /* A CTA has ended; times in its own cycles.  May be NULL. */
    void (*cta_done)(void *context, uint32_t sm, uint32_t slot, const char *kernel, uint32_t cta,
                     uint64_t begin, uint64_t end);
    void *context;
    void (*kernel_done)(void *context); /* the last CTA of a kernel has ended; may be NULL */
    void *kernel_done_context;
    struct sharing *sharing; /* told how long each CTA took; NULL: nobody is */
};

struct dispatch_kernel {
    const struct stream_store *store;
    const void *program; /* for the SMs */
    hd_cycle begin;      /* not before this cycle */
    uint16_t number;     /* of the launch */
};

/* Programs that run at once, one kernel of each at a time; all that is pointed to outlives them. */
struct dispatch_programs {
    uint32_t n;
    const struct sm_set *sms;          /* [n]: that belong to each; disjoint */
    const struct partition *partition; /* that dealt them out; NULL: nobody has guests */
    void *partition_state;
    struct partition_view partition_view; /* but for .programs */
};

struct dispatch;
struct dispatch *dispatch_new(struct arena *a, const struct dispatch_options *opt);
void dispatch_free(struct dispatch *d); /* what is not in the arena */
struct component *dispatch_component(struct dispatch *d);
/* Joins an SM (all of them, before the first cycle). */
void dispatch_connect(struct dispatch *d, struct arena *a, uint32_t sm, struct component *c,
                      uint32_t slot, struct port **start, struct port **done);

/* Who will run; nobody runs now. */
void dispatch_set_programs(struct dispatch *d, const struct dispatch_programs *p);
/* The next kernel of a program, which has none; *o says how many CTAs fit an SM. */
bool dispatch_begin(struct dispatch *d, uint32_t program, const struct dispatch_kernel *k,
                    struct occupancy *o, struct err *e);
/* Whether all CTAs of the program's kernel have ended; *at: when. */
bool dispatch_is_done(const struct dispatch *d, uint32_t program, hd_cycle *at);
uint64_t dispatch_ctas_done(const struct dispatch *d, uint32_t program);
/* Forgets the program's kernel, which is done (or given up). */
void dispatch_end(struct dispatch *d, uint32_t program);
/* Reading a stream failed: the run is over. */
bool dispatch_failed(const struct dispatch *d, struct err *e);

#endif
