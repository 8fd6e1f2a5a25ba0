/* policy_rr.c - round robin in two levels, as GPGPU-Sim and the baseline of the ICC paper (section
 * 3.2) do it: CTAs in linear order go to the clusters in turn, within a cluster to its SMs in
 * turn; when a CTA ends, the next one goes to where there is room. */
#include "cta/policy.h"

struct rr {
    uint32_t next_cta, next_cluster;
    uint32_t *next_sm; /* [cluster]: index into the kernel's SMs in it */
};

static void *begin(struct arena *a, const struct cta_view *v, const struct config *cfg)
{
    (void)cfg;
    struct rr *r = ARENA_NEW(a, struct rr);
    r->next_sm = ARENA_ARRAY(a, uint32_t, v->clusters->nclusters);
    return r;
}

/* An SM of the cluster that can take a CTA, from the one whose turn it is on, which is then the next
 * one's; or UINT32_MAX. */
static uint32_t take_sm(struct rr *r, const struct cta_view *v, uint32_t cluster)
{
    const uint32_t *sm = v->sms->sm + v->sms->first[cluster];
    uint32_t n = v->sms->first[cluster + 1] - v->sms->first[cluster];
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = (r->next_sm[cluster] + k) % n;
        if (!cta_can_take(v, sm[i]))
            continue;
        r->next_sm[cluster] = (i + 1) % n;
        return sm[i];
    }
    return UINT32_MAX;
}

static bool next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct rr *r = state;
    uint32_t n = v->clusters->nclusters;
    for (uint32_t k = 0; r->next_cta < v->nctas && k < n; k++) {
        uint32_t cluster = (r->next_cluster + k) % n;
        uint32_t sm = take_sm(r, v, cluster);
        if (sm == UINT32_MAX)
            continue;
        *pick = (struct cta_pick){sm, r->next_cta++};
        r->next_cluster = (cluster + 1) % n;
        return true;
    }
    return false;
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
