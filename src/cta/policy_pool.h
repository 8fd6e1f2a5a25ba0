/* policy_pool.h - a pool of neighbouring CTAs per cluster, given out in blocks: what the
 * distributed CTA schedulers have in common. */
#ifndef HEDDLE_CTA_POLICY_POOL_H
#define HEDDLE_CTA_POLICY_POOL_H

#include "cta/policy.h"

/* A policy's state; a block of CTAs goes to one SM, and only when it has so many contexts free. */
void *policy_pool_begin(struct arena *a, const struct cta_view *v, uint32_t block);
bool policy_pool_next(void *state, const struct cta_view *v, struct cta_pick *pick);
bool policy_pool_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta);

#endif
