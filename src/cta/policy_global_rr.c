/* policy_global_rr.c - round robin in one level (ICC paper, section 4.1): CTAs in linear order go
 * to the SMs in turn, those of a cluster one after the other, then on to the next cluster. */
#include "cta/policy_turns.h"

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    return policy_turns_begin(a, v, v->sms->sm);
}

const struct cta_policy cta_policy_global_rr = {.name = "global_rr",
                                                .alias = "one_level_rr",
                                                .help = "round robin over all SMs",
                                                .begin = begin,
                                                .next = policy_turns_next,
                                                .lend = policy_turns_lend};
