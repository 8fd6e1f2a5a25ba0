/* policy_distributed.c - distributed scheduling (ICC paper, section 4.1, after MCM-GPU): each
 * cluster has a pool of neighbouring CTAs, given to its SMs in turn. */
#include "cta/policy_pool.h"

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    return policy_pool_begin(a, v, 1);
}

const struct cta_policy cta_policy_distributed = {.name = "distributed",
                                                  .help = "a pool of neighbours per cluster",
                                                  .begin = begin,
                                                  .next = policy_pool_next,
                                                  .lend = policy_pool_lend};
