/* policy_q16.c - sharing-aware CTA scheduling (sharing paper, section IV; q16 of its section VII.A):
 * groups of 16 neighbours, each for one SM. */
#include "cta/policy_groups.h"
#include "sim/config.h"

#define Q16_ROWS(F, id) POLICY_GROUPS_CTAS(F, id, "16")
CFG_STRUCT(q16, Q16_ROWS)
CFG_SECTION(q16, Q16_ROWS, "CTA scheduler q16")

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct q16_spec *s = config_get(cfg, &q16_section);
    return policy_groups_begin_q(a, v, (uint32_t)s->ctas);
}

const struct cta_policy cta_policy_q16 = {.name = "q16",
                                          .help = "groups of 16 neighbours, each for one SM",
                                          .section = &q16_section,
                                          .begin = begin,
                                          .next = policy_groups_next,
                                          .lend = policy_groups_lend};
