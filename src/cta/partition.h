/* partition.h - the plug-point for partitions: which SMs belong to which of several programs that
 * run at once, and who may be a guest on an SM of another.
 *
 * SMs are dealt out once, before the first kernel; every one of them has exactly one owner, and
 * every program owns at least one.  The CTA scheduler of each kernel sees the SMs of its own program
 * only.  A guest, a CTA of another program, starts on an SM only while the owner has no CTA that
 * waits to be started, and only if the partition admits it; so nobody can be kept from starting
 * for longer than the CTAs that are there take to end.
 *
 * To add one: a file with a struct partition, a line in partitions.def. */
#ifndef HEDDLE_CTA_PARTITION_H
#define HEDDLE_CTA_PARTITION_H

#include "cta/policy.h"

struct cfg_section;

struct partition_view {
    const struct sm_clusters *clusters;
    const struct sm_set *sms; /* to deal out; at least as many as programs */
    uint32_t nprograms;
    const struct cta_program *programs; /* what they are doing; all 0 before the first kernel */
};

struct partition {
    const char *name, *help;
    const struct cfg_section *section; /* parameters of its own, or NULL */
    /* Its state, or NULL where it needs none. */
    void *(*begin)(struct arena *a, const struct partition_view *v, const struct config *cfg);
    /* owner[SM] for each SM of v->sms: a program, 0 .. nprograms - 1. */
    void (*deal)(void *state, const struct partition_view *v, uint8_t *owner);
    /* Whether a CTA of program `guest` may start now on an SM of another program, which has no CTA
     * waiting; NULL: never. */
    bool (*admits)(void *state, const struct partition_view *v, uint32_t guest, uint32_t sm);
};

extern const struct partition *const partition_all[];
extern const int partition_count;
/* `admits` of those that take any guest. */
bool partition_admits_all(void *state, const struct partition_view *v, uint32_t guest, uint32_t sm);
const struct partition *partition_find(const char *name);
/* Sections of those that have one; returns how many. */
int partition_sections(const struct cfg_section **all, int room);

#endif
