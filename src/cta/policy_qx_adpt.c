/* policy_qx_adpt.c - sharing-aware CTA scheduling (sharing paper, section IV; qx_adpt of its section
 * VII.A): groups of gridDim.x neighbours, which are a row of the grid, each for one SM, and round
 * robin once fewer groups than SMs are left. */
#include "cta/policy_groups.h"
#include "sim/config.h"

#define QX_ADPT_ROWS(F, id) POLICY_GROUPS_ADPT(F, id)
CFG_STRUCT(qx_adpt, QX_ADPT_ROWS)
CFG_SECTION(qx_adpt, QX_ADPT_ROWS, "CTA scheduler qx_adpt")

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct qx_adpt_spec *s = config_get(cfg, &qx_adpt_section);
    return policy_groups_begin_adpt(a, v, v->grid[0], s->first_round);
}

const struct cta_policy cta_policy_qx_adpt = {.name = "qx_adpt",
                                              .help = "the same, in the end round robin",
                                              .section = &qx_adpt_section,
                                              .begin = begin,
                                              .next = policy_groups_next,
                                              .lend = policy_groups_lend};
