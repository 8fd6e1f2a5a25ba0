/* policy_q8_adpt.c - sharing-aware CTA scheduling (sharing paper, section IV; q8_adpt of its section
 * VII.A): groups of 8 neighbours, each for one SM, and round robin once fewer groups than SMs are
 * left. */
#include "cta/policy_groups.h"
#include "sim/config.h"

#define Q8_ADPT_ROWS(F, id)                                                                        \
    POLICY_GROUPS_CTAS(F, id, "8")                                                                 \
    POLICY_GROUPS_ADPT(F, id)
CFG_STRUCT(q8_adpt, Q8_ADPT_ROWS)
CFG_SECTION(q8_adpt, Q8_ADPT_ROWS, "CTA scheduler q8_adpt")

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct q8_adpt_spec *s = config_get(cfg, &q8_adpt_section);
    return policy_groups_begin_adpt(a, v, (uint32_t)s->ctas, s->first_round);
}

const struct cta_policy cta_policy_q8_adpt = {.name = "q8_adpt",
                                              .help = "the same, in the end round robin",
                                              .section = &q8_adpt_section,
                                              .begin = begin,
                                              .next = policy_groups_next,
                                              .lend = policy_groups_lend};
