/* sharing.h - analyses of the data that CTAs and SMs share, after "Power Efficient Sharing-Aware GPU Data
 * Management" (IPDPS 2017, sections I, III, IV and VI.C):
 *
 *   - how far apart the CTAs are that touch a block (Fig. 3), and how many SMs do (Fig. 5);
 *   - misses of the L1s and the L2 by class;
 *   - execution times of CTAs (Fig. 8);
 *   - loads of shared blocks that find their data on its way, and how long after its fill a shared block is
 *     used again.
 *
 * Observers: they have no influence on time.  Each SM and each slice has one of its own, so that they can
 * run in different threads; what the SMs noted of a kernel is put together when it ends. */
#ifndef HEDDLE_ANALYSIS_SHARING_H
#define HEDDLE_ANALYSIS_SHARING_H

#include "mem/request.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/stats.h"

#define SHARING_ROWS(F, id)                                                                        \
    F(id, BOOL, enabled, "false", 0, 0, "", "analyses of shared data, CTA times and miss classes") \
    F(id, BOOL, stores, "true", 0, 0, "", "a CTA that writes a block shares it, too")
CFG_STRUCT(sharing, SHARING_ROWS)
extern const struct cfg_section sharing_section;

struct sharing;
struct sharing_sm;
struct sharing_slice;

struct sharing_shape {
    uint32_t sms, slices;        /* slices: 0 where they are no caches */
    uint32_t l1_lines, l2_lines; /* of one SM, of one slice */
};

/* NULL when it is off. */
struct sharing *sharing_new(struct arena *a, const struct sharing_spec *spec,
                            const struct sharing_shape *shape);
void sharing_free(struct sharing *s); /* what is not in the arena; NULL is allowed */
/* The observer of an SM, or of a slice; NULL: there is none. */
struct sharing_sm *sharing_sm(struct sharing *s, uint32_t i);
struct sharing_slice *sharing_slice(struct sharing *s, uint32_t i);
void sharing_add_stats(const struct sharing *s, struct stats *tree);

/* ---- what an SM says ---- */

enum sharing_kind {
    SHARING_HIT,   /* a load through the L1 that finds its words */
    SHARING_MERGE, /* ... that waits for words on their way */
    SHARING_MISS,  /* ... that asks for them */
    SHARING_READ,  /* any other: by the L1, or through another cache */
    SHARING_WRITE, /* a store or an atomic */
};

struct sharing_touch {
    uint64_t line;
    uint32_t cta;
    enum sharing_kind kind;
    hd_cycle now;
};

/* Data that other CTAs can see (global memory, by whatever way) was touched; it came to the L1. */
void sharing_sm_touch(struct sharing_sm *w, const struct sharing_touch *t);
void sharing_sm_fill(struct sharing_sm *w, uint64_t line, hd_cycle now);
/* The L1 was asked for words; all of `brought` are there afterwards.  Loads count. */
void sharing_sm_load(struct sharing_sm *w, uint64_t line, uint32_t wanted, uint32_t brought,
                     bool is_miss);
void sharing_sm_keep(struct sharing_sm *w, uint64_t line, uint32_t words); /* a store took a line */
void sharing_sm_write(struct sharing_sm *w, uint64_t line, uint32_t words); /* ... wrote one */
void sharing_sm_drop(struct sharing_sm *w, uint64_t line);
void sharing_sm_forget(struct sharing_sm *w, uint32_t program); /* between its kernels */
void sharing_sm_resize(struct sharing_sm *w,
                       uint32_t l1_lines); /* the L1 has this many from now on */

/* ---- what a slice says ---- */

struct sharing_use {
    uint64_t line;
    uint32_t wanted, brought; /* words; wanted 0: only that the line is there */
    uint32_t sm, way;         /* way: the line of the tags that holds it, UINT32_MAX: none */
    bool is_miss;
};
void sharing_slice_use(struct sharing_slice *w, const struct sharing_use *u);

/* ---- what the dispatcher says, and who begins and ends kernels ---- */

void sharing_cta_done(struct sharing *s, uint32_t program, uint32_t cta, uint64_t cycles);
/* The kernel of the program is over (or given up), no SM works on it: it is added to the statistics.
 * `width` is that of its grid. */
void sharing_end_kernel(struct sharing *s, uint32_t program, uint32_t width);

#endif
