/* policy_clusters.c - see policy_clusters.h. */
#include "cta/policy_clusters.h"

struct policy_clusters {
    uint32_t next_cluster;
    uint32_t *next_sm; /* [cluster]: index into the kernel's SMs in it */
};

struct policy_clusters *policy_clusters_new(struct arena *a, const struct cta_view *v)
{
    struct policy_clusters *c = ARENA_NEW(a, struct policy_clusters);
    c->next_sm = ARENA_ARRAY(a, uint32_t, v->clusters->nclusters);
    return c;
}

uint32_t policy_clusters_next(struct policy_clusters *c, const struct cta_view *v,
                              bool (*can_take)(const void *state, const struct cta_view *v,
                                               uint32_t sm),
                              const void *state)
{
    uint32_t nclusters = v->clusters->nclusters;
    for (uint32_t k = 0; k < nclusters; k++) {
        uint32_t cluster = (c->next_cluster + k) % nclusters;
        const uint32_t *sm = v->sms->sm + v->sms->first[cluster];
        uint32_t n = v->sms->first[cluster + 1] - v->sms->first[cluster];
        for (uint32_t j = 0; j < n; j++) {
            uint32_t i = (c->next_sm[cluster] + j) % n;
            if (!can_take(state, v, sm[i]))
                continue;
            c->next_sm[cluster] = (i + 1) % n;
            c->next_cluster = (cluster + 1) % nclusters;
            return sm[i];
        }
    }
    return UINT32_MAX;
}
