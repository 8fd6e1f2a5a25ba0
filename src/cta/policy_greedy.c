/* policy_greedy.c - greedy clustering (ICC paper, section 4.1): CTAs in linear order go to the
 * SMs of the first cluster in turn until it holds no more, then to the next cluster.
 *
 * The paper does not say who is first when, later on, several clusters have room at once: here it
 * is the one with the lowest number.  The dispatch rate delays CTAs but moves none to another
 * SM. */
#include "cta/policy_plan.h"

struct greedy {
    uint32_t next_cta;
    uint32_t *next_sm; /* [cluster]: index into the kernel's SMs in it */
    struct policy_plan *plan;
};

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    struct greedy *g = ARENA_NEW(a, struct greedy);
    g->next_sm = ARENA_ARRAY(a, uint32_t, v->clusters->nclusters);
    g->plan = policy_plan_new(a, v);
    return g;
}

static bool plan_in(struct greedy *g, const struct cta_view *v, uint32_t cluster)
{
    const uint32_t *sm = v->sms->sm + v->sms->first[cluster];
    uint32_t n = v->sms->first[cluster + 1] - v->sms->first[cluster];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = g->next_sm[cluster] + k;
        i = i < n ? i : i - n;
        if (!policy_plan_has_room(g->plan, v, sm[i]))
            continue;
        policy_plan_add(g->plan, v, (struct cta_pick){sm[i], g->next_cta++});
        g->next_sm[cluster] = i + 1 < n ? i + 1 : 0;
        return true;
    }
    return false;
}

static bool next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct greedy *g = state;
    for (uint32_t c = 0; c < v->clusters->nclusters; c++)
        while (g->next_cta < v->nctas && plan_in(g, v, c))
            ;
    return policy_plan_take(g->plan, v, pick);
}

/* Those that are planned stay where they are planned. */
static bool lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct greedy *r = state;
    (void)sm;
    *cta = r->next_cta;
    r->next_cta += r->next_cta < v->nctas;
    return *cta < v->nctas;
}

const struct cta_policy cta_policy_greedy = {.name = "greedy",
                                             .alias = "greedy_clustering",
                                             .help = "fills one cluster after the other",
                                             .begin = begin,
                                             .next = next,
                                             .lend = lend};
