/* policy.h - the plug-point for CTA schedulers: which CTA goes to which SM, and when.
 *
 * A policy has a state of its own per kernel.  It is asked for the next assignment again and again,
 * in cycles in which something may have changed (the kernel began, a CTA ended, or the dispatch
 * rate held somebody back), until it has none.  It sees which SMs have room and may be served; it
 * may leave SMs empty, hold pools per cluster, wait for two free contexts, ...  Several kernels
 * that run at once each have their own state and their own set of SMs, any of the machine's, and
 * clusters need not be of one size: a policy goes through v->sms, not through numbers.
 *
 * A policy may say no for two reasons only: contexts that are taken (it is asked again when a CTA
 * ends) and clusters that have had their CTAs of this cycle (then something was started, and it is
 * asked again in the next cycle).  Whoever waits for anything else, such as a time or a number of
 * calls, is never asked again, and the machine stands still.  So when no CTA of the kernel runs and
 * no cluster has been served, there must be an assignment.  Strict orders need care: an SM must not
 * lose its turn because its cluster was served (policy_plan.h keeps the order).
 *
 * To add one: a file with a struct cta_policy, a line in policies.def. */
#ifndef HEDDLE_CTA_POLICY_H
#define HEDDLE_CTA_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "cta/sms.h"

struct cfg_section;
struct config;

/* One of the programs that run at once, as CTA schedulers and partitions see it. */
struct cta_program {
    const struct sm_set *sms; /* that belong to it */
    uint32_t waiting;         /* CTAs of its kernel that have not been started */
    uint32_t running;
    const uint8_t *held; /* [SM]: its CTAs there */
};

struct cta_view {
    const struct sm_clusters *clusters;
    const struct sm_set *sms; /* this kernel's */
    uint32_t contexts;        /* CTAs of this kernel that an SM can hold */
    uint32_t grid[3];
    uint32_t nctas;         /* in the grid; linear ids 0 .. nctas - 1 */
    const uint8_t *room;    /* [SM]: contexts that are free */
    const uint32_t *served; /* [cluster]: CTAs started this cycle */
    uint32_t rate;          /* most of them */
    uint32_t program;       /* whose kernel this is, of ... */
    uint32_t nprograms;
    const struct cta_program *programs;
};

struct cta_pick {
    uint32_t sm, cta;
};

struct cta_policy {
    const char *name, *alias, *help;   /* alias: other names, "a|b", or NULL */
    const struct cfg_section *section; /* parameters of its own; NULL: none */
    /* A kernel begins; returns the policy's state, from the arena of the kernel. */
    void *(*begin)(struct arena *a, const struct cta_view *v, const struct config *cfg);
    /* The next assignment, to an SM that cta_can_take(); false: none now. */
    bool (*next)(void *state, const struct cta_view *v, struct cta_pick *pick);
    /* A CTA of this kernel ended on `sm`, whose room is already counted; may be NULL. */
    void (*ended)(void *state, const struct cta_view *v, uint32_t sm, uint32_t cta);
    /* Gives up a CTA that has not been started to an SM of another program, which has room for it
     * (partition.h); false: none.  May be NULL: this policy's CTAs are nobody's guests. */
    bool (*lend)(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta);
};

extern const struct cta_policy *const cta_policy_all[];
extern const int cta_policy_count;
const struct cta_policy *cta_policy_find(const char *name);
/* The sections of all policies; returns their number. */
int cta_policy_sections(const struct cfg_section **all, int room);

static inline bool cta_can_take(const struct cta_view *v, uint32_t sm)
{
    return sm_set_has(v->sms, sm) && v->room[sm] > 0 && v->served[v->clusters->of[sm]] < v->rate;
}

#endif
