/* policy_turns.h - CTAs in linear order go to SMs in turn, in an order that is given; when a CTA ends,
 * the next one goes to where there is room, from the SM whose turn it is on.  The dispatch rate
 * delays CTAs but moves none to another SM. */
#ifndef HEDDLE_CTA_POLICY_TURNS_H
#define HEDDLE_CTA_POLICY_TURNS_H

#include "cta/policy.h"

/* `order` has all SMs of the kernel, each once, and outlives it. */
void *policy_turns_begin(struct arena *a, const struct cta_view *v, const uint32_t *order);
/* As in struct cta_policy. */
bool policy_turns_next(void *state, const struct cta_view *v, struct cta_pick *pick);
bool policy_turns_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta);

#endif
