/* policy_qx.c - sharing-aware CTA scheduling (sharing paper, section IV; qx of its section VII.A):
 * groups of gridDim.x neighbours, which are a row of the grid, each for one SM.
 *
 * Taken by its words: a grid of one row is one group, and runs on one SM. */
#include "cta/policy_groups.h"

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    return policy_groups_begin_q(a, v, v->grid[0]);
}

const struct cta_policy cta_policy_qx = {.name = "qx",
                                         .help = "rows of the grid, each for one SM",
                                         .begin = begin,
                                         .next = policy_groups_next,
                                         .lend = policy_groups_lend};
