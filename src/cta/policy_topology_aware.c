/* policy_topology_aware.c - topology-aware scheduling of one kernel (CD-Xbar paper, section 3.5, Fig.
 * 7a): CTAs are dealt out over the local crossbars first, a CTA to the first SM of each, then to the
 * second of each, and so on until every SM has one; then again, as long as there is room.
 *
 * Local crossbars are groups of SMs that meet at the first router of the network, so it works on
 * any; where each SM has a router of its own, as in a mesh, it is global_rr.  What happens when a
 * CTA ends is not in the paper: turns go on, as in GPGPU-Sim.  Several kernels: the partition of the
 * same name. */
#include "cta/policy_turns.h"

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    return policy_turns_begin(a, v, sm_set_spread(a, v->clusters, v->sms));
}

const struct cta_policy cta_policy_topology_aware = {
    .name = "topology_aware",
    .help = "over local crossbars, then over their SMs",
    .begin = begin,
    .next = policy_turns_next,
    .lend = policy_turns_lend,
};
