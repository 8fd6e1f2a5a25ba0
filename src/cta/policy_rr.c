/* policy_rr.c - round robin in two levels, as GPGPU-Sim and the baseline of the ICC paper (section
 * 3.2) do it: CTAs in linear order go to the clusters in turn, within a cluster to its SMs in
 * turn; when a CTA ends, the next one goes to where there is room. */
#include "cta/policy_clusters.h"

struct rr {
    uint32_t next_cta;
    struct policy_clusters *turns;
};

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    struct rr *r = ARENA_NEW(a, struct rr);
    r->turns = policy_clusters_new(a, v);
    return r;
}

static bool can_take(const void *state, const struct cta_view *v, uint32_t sm)
{
    (void)state;
    return cta_can_take(v, sm);
}

static bool next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct rr *r = state;
    if (r->next_cta == v->nctas)
        return false;
    pick->sm = policy_clusters_next(r->turns, v, can_take, r);
    if (pick->sm == UINT32_MAX)
        return false;
    pick->cta = r->next_cta++;
    return true;
}

static bool lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct rr *r = state;
    (void)sm;
    *cta = r->next_cta;
    r->next_cta += r->next_cta < v->nctas;
    return *cta < v->nctas;
}

const struct cta_policy cta_policy_rr = {.name = "rr",
                                         .alias = "two_level_rr",
                                         .help = "round robin over clusters, then over their SMs",
                                         .begin = begin,
                                         .next = next,
                                         .lend = lend};
