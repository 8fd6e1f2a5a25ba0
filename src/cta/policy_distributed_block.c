/* policy_distributed_block.c - distributed-block scheduling (ICC paper, section 5): pools per
 * cluster, given out in pairs of neighbours to an SM that has two contexts free.  The last CTA of
 * an odd pool waits for two contexts as well.
 *
 * An SM that holds only one CTA never has two contexts free: CTAs then go one by one, as in
 * distributed scheduling; the paper does not say. */
#include "cta/policy_pool.h"

enum { PAIR = 2 };

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    return policy_pool_begin(a, v, v->contexts < PAIR ? 1 : PAIR);
}

const struct cta_policy cta_policy_distributed_block = {
    .name = "distributed_block",
    .help = "the same, in pairs to SMs with two free contexts",
    .begin = begin,
    .next = policy_pool_next,
    .lend = policy_pool_lend};
