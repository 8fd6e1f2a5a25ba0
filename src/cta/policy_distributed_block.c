/* policy_distributed_block.c - distributed-block scheduling (ICC paper, section 5): pools per
 * cluster, given out in blocks of neighbours, by two as in the paper, to an SM that has as many
 * contexts free.  The last CTAs of a pool that are no whole block wait for as many contexts.
 *
 * An SM that holds fewer CTAs than a block never has so many contexts free: blocks then are as
 * large as it holds, one by one for a single context; the paper does not say. */
#include "cta/policy_pool.h"
#include "sim/config.h"

#define DISTRIBUTED_BLOCK_ROWS(F, id)                                                              \
    F(id, INT, ctas, "2", 1, 64, "CTA", "of a block, which goes to one SM")
CFG_STRUCT(distributed_block, DISTRIBUTED_BLOCK_ROWS)
CFG_SECTION(distributed_block, DISTRIBUTED_BLOCK_ROWS, "CTA scheduler distributed_block")

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct distributed_block_spec *s = config_get(cfg, &distributed_block_section);
    return policy_pool_begin(a, v, s->ctas < v->contexts ? (uint32_t)s->ctas : v->contexts);
}

const struct cta_policy cta_policy_distributed_block = {
    .name = "distributed_block",
    .help = "the same, in pairs to SMs with two free contexts",
    .section = &distributed_block_section,
    .begin = begin,
    .next = policy_pool_next,
    .lend = policy_pool_lend};
