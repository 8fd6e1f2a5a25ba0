/* policy_plan.h - CTAs that have been given a place but not yet been started.
 *
 * For CTA schedulers with a strict order over all clusters.  They say where each CTA goes as soon
 * as there is room, as if any number could be started at once; the plan starts them as the
 * dispatch rate of their clusters allows, those of a cluster in the order they were given.  So the
 * rate changes when a CTA starts, never where, and no cluster waits for another one's turn. */
#ifndef HEDDLE_CTA_POLICY_PLAN_H
#define HEDDLE_CTA_POLICY_PLAN_H

#include "cta/policy.h"

struct policy_plan;

struct policy_plan *policy_plan_new(struct arena *a, const struct cta_view *v);
/* Whether the SM is the kernel's and has a context that is neither taken nor planned. */
bool policy_plan_has_room(const struct policy_plan *p, const struct cta_view *v, uint32_t sm);
void policy_plan_add(struct policy_plan *p, const struct cta_view *v, struct cta_pick pick);
/* The next planned CTA whose cluster may be served in this cycle; false: none. */
bool policy_plan_take(struct policy_plan *p, const struct cta_view *v, struct cta_pick *pick);

#endif
