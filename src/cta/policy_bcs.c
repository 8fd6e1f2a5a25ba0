/* policy_bcs.c - block CTA scheduling (M. Lee et al., HPCA 2014), as the sharing paper has it (section
 * VII.A): each SM begins with a sequential set of CTAs; from then on SMs in turn get pairs of
 * neighbours, an SM only when it has two contexts free.
 *
 * Where the paper is silent: the set is as many CTAs as an SM holds, or its equal share of the kernel
 * if that is less.  Pairs from the start, as in round robin two at a time, are the other reading.
 * The last CTA of an odd number waits for two contexts as well.  On SMs that hold fewer CTAs than a
 * block, blocks are as large as they hold. */
#include <string.h>

#include "cta/policy_groups.h"
#include "sim/config.h"

#define BCS_ROWS(F, id)                                                                            \
    F(id, INT, ctas, "2", 1, 64, "CTA", "of a block, which goes to one SM")                        \
    F(id, CHOICE, start, "set", 0, 0, "set|block",                                                 \
      "what an SM begins with: all it holds, or a block")
CFG_STRUCT(bcs, BCS_ROWS)
CFG_SECTION(bcs, BCS_ROWS, "CTA scheduler bcs")

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    const struct bcs_spec *s = config_get(cfg, &bcs_section);
    uint32_t n = v->sms->n, share = v->nctas / n + (v->nctas % n > 0);
    uint32_t block = smaller((uint32_t)s->ctas, v->contexts);
    uint32_t set = strcmp(s->start, "set") == 0 ? smaller(v->contexts, share) : 0;
    const struct policy_groups_rules rules = {
        .ctas = block, .first = set, .room = block, .whole = v->nctas};
    return policy_groups_begin(a, v, &rules);
}

const struct cta_policy cta_policy_bcs = {.name = "bcs",
                                          .help =
                                              "pairs of neighbours to SMs with two free contexts",
                                          .section = &bcs_section,
                                          .begin = begin,
                                          .next = policy_groups_next,
                                          .lend = policy_groups_lend};
