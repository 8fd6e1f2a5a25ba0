/* policy_clusters.h - clusters take turns, and in each its SMs, as in GPGPU-Sim: whose turn it is of
 * those that can take a CTA now. */
#ifndef HEDDLE_CTA_POLICY_CLUSTERS_H
#define HEDDLE_CTA_POLICY_CLUSTERS_H

#include "cta/policy.h"

struct policy_clusters;

struct policy_clusters *policy_clusters_new(struct arena *a, const struct cta_view *v);
/* The SM of the kernel whose turn it is of those for which `can_take` says true, or UINT32_MAX. The
 * turn then is its successor's, in the next cluster and in its own. */
uint32_t policy_clusters_next(struct policy_clusters *c, const struct cta_view *v,
                              bool (*can_take)(const void *state, const struct cta_view *v,
                                               uint32_t sm),
                              const void *state);

#endif
