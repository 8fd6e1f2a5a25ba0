/* policy_turns.c - see policy_turns.h. */
#include "cta/policy_turns.h"

#include "cta/policy_plan.h"

struct turns {
    const uint32_t *order;
    uint32_t next_cta, next_sm; /* next_sm: index into the order */
    struct policy_plan *plan;
};

void *policy_turns_begin(struct arena *a, const struct cta_view *v, const uint32_t *order)
{
    struct turns *t = ARENA_NEW(a, struct turns);
    *t = (struct turns){.order = order, .plan = policy_plan_new(a, v)};
    return t;
}

static bool plan_one(struct turns *t, const struct cta_view *v)
{
    uint32_t n = v->sms->n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = t->next_sm + k;
        i = i < n ? i : i - n;
        if (!policy_plan_has_room(t->plan, v, t->order[i]))
            continue;
        policy_plan_add(t->plan, v, (struct cta_pick){t->order[i], t->next_cta++});
        t->next_sm = i + 1 < n ? i + 1 : 0;
        return true;
    }
    return false;
}

bool policy_turns_next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct turns *t = state;
    while (t->next_cta < v->nctas && plan_one(t, v))
        ;
    return policy_plan_take(t->plan, v, pick);
}

/* Those that are planned stay where they are planned. */
bool policy_turns_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct turns *t = state;
    (void)sm;
    *cta = t->next_cta;
    t->next_cta += t->next_cta < v->nctas;
    return *cta < v->nctas;
}
