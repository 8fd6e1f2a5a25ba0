/* policy_q8.c - sharing-aware CTA scheduling (sharing paper, section IV; q8 of its section VII.A):
 * groups of 8 neighbours, each for one SM. */
#include "cta/policy_groups.h"
#include "sim/config.h"

#define Q8_ROWS(F, id) POLICY_GROUPS_CTAS(F, id, "8")
CFG_STRUCT(q8, Q8_ROWS)
CFG_SECTION(q8, Q8_ROWS, "CTA scheduler q8")

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct q8_spec *s = config_get(cfg, &q8_section);
    return policy_groups_begin_q(a, v, (uint32_t)s->ctas);
}

const struct cta_policy cta_policy_q8 = {.name = "q8",
                                         .help = "groups of 8 neighbours, each for one SM",
                                         .section = &q8_section,
                                         .begin = begin,
                                         .next = policy_groups_next,
                                         .lend = policy_groups_lend};
