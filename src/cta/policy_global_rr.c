/* policy_global_rr.c - round robin in one level (ICC paper, section 4.1): CTAs in linear order go
 * to the SMs in turn, those of a cluster one after the other, then on to the next cluster; when a
 * CTA ends, the next one goes to where there is room, from the SM whose turn it is on.  The
 * dispatch rate delays CTAs but moves none to another SM. */
#include "cta/policy_plan.h"

struct global_rr {
    uint32_t next_cta, next_sm; /* next_sm: index into the kernel's SMs */
    struct policy_plan *plan;
};

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    struct global_rr *r = ARENA_NEW(a, struct global_rr);
    r->plan = policy_plan_new(a, v);
    return r;
}

static bool plan_one(struct global_rr *r, const struct cta_view *v)
{
    uint32_t n = v->sms->n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = r->next_sm + k;
        i = i < n ? i : i - n;
        if (!policy_plan_has_room(r->plan, v, v->sms->sm[i]))
            continue;
        policy_plan_add(r->plan, v, (struct cta_pick){v->sms->sm[i], r->next_cta++});
        r->next_sm = i + 1 < n ? i + 1 : 0;
        return true;
    }
    return false;
}

static bool next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct global_rr *r = state;
    while (r->next_cta < v->nctas && plan_one(r, v))
        ;
    return policy_plan_take(r->plan, v, pick);
}

/* Those that are planned stay where they are planned. */
static bool lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct global_rr *r = state;
    (void)sm;
    *cta = r->next_cta;
    r->next_cta += r->next_cta < v->nctas;
    return *cta < v->nctas;
}

const struct cta_policy cta_policy_global_rr = {.name = "global_rr",
                                                .alias = "one_level_rr",
                                                .help = "round robin over all SMs",
                                                .begin = begin,
                                                .next = next,
                                                .lend = lend};
