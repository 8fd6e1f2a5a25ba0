/* study_rig.h - studies from text, and made-up results for them.
 *
 *     struct study_rig r;
 *     study_rig_open(&r, STUDY_RIG_HEAD "figures: {f: {expr: ipc}}\n", NULL);
 *     CHECK(r.study != NULL);
 *     study_rig_close(&r); */
#ifndef RIG_STUDY_RIG_H
#define RIG_STUDY_RIG_H

#include "study/job.h"
#include "study/verdict_priv.h"

/* Three variants, three workloads, one metric: all that figures need. */
#define STUDY_RIG_HEAD                                                                             \
    "machine: icc60\n"                                                                             \
    "size: tiny\n"                                                                                 \
    "workloads: [HS, BT, BP]\n"                                                                    \
    "variants:\n"                                                                                  \
    "  rr: {}\n"                                                                                   \
    "  icc: {base: rr, set: {l1.mshrs: 16}}\n"                                                     \
    "  big: {base: icc, set: {l1.size: 64K}}\n"                                                    \
    "metrics:\n"                                                                                   \
    "  speedup: {expr: ipc / base.ipc, unit: x}\n"

struct study_rig {
    struct arena *arena;
    struct study *study; /* NULL: refused */
    struct err err;
    char path[64]; /* of the file, which is gone */
};

void study_rig_open(struct study_rig *r, const char *text, const struct study_options *o);
void study_rig_close(struct study_rig *r);
/* Whether it was refused with a message that begins with "FILE<begin>" and has `has` in it. */
bool study_rig_refuses(const char *text, const char *begin, const char *has);
/* Machines and networks of the source tree, for study_plan; kernels that say BAD in their name
 * cannot be launched. */
extern const struct study_above study_rig_above;

#endif
