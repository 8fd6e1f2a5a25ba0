/* policy_groups.h - groups of neighbouring CTAs, each for one SM: what the sharing-aware CTA
 * schedulers (sharing paper, section IV) and block CTA scheduling have in common. */
#ifndef HEDDLE_CTA_POLICY_GROUPS_H
#define HEDDLE_CTA_POLICY_GROUPS_H

#include "cta/policy.h"

struct policy_groups_rules {
    uint32_t ctas;  /* of a group */
    uint32_t first; /* of the first group of each SM; 0: as any other */
    uint32_t room;  /* contexts that an SM must have free for a group to begin there */
    uint32_t whole; /* CTAs before this one go in groups; from here on, one by one once fewer groups
                     * than SMs are left */
};

/* A policy's state. */
void *policy_groups_begin(struct arena *a, const struct cta_view *v,
                          const struct policy_groups_rules *rules);
/* Of the sharing-aware schedulers: one that never adapts, and one that does; first_round: where there
 * are groups for all SMs, so many are whole whatever is left. */
void *policy_groups_begin_q(struct arena *a, const struct cta_view *v, uint32_t ctas);
void *policy_groups_begin_adpt(struct arena *a, const struct cta_view *v, uint32_t ctas,
                               bool first_round);
/* As in struct cta_policy. */
bool policy_groups_next(void *state, const struct cta_view *v, struct cta_pick *pick);
bool policy_groups_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta);

/* Rows of parameters. */
#define POLICY_GROUPS_CTAS(F, id, n)                                                               \
    F(id, INT, ctas, n, 1, 1e9, "CTA", "of a group of neighbours, which goes to one SM")
#define POLICY_GROUPS_ADPT(F, id)                                                                  \
    F(id, BOOL, first_round, "true", 0, 0, "",                                                     \
      "where there are groups for all SMs, so many are whole whatever is left")

#endif
