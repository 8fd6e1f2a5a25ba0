/* policy_pool.c - CTAs in linear order are split evenly over the clusters that have SMs of the
 * kernel (ICC paper, section 4.1, after MCM-GPU), the first pools one larger when the split is
 * uneven.  A cluster takes CTAs from its own pool only, in blocks (section 5, after BCS), its SMs
 * in turn.
 *
 * A cluster of which the kernel has only some SMs gets a pool as large as the others: the paper
 * has no such case.  Not modelled, as in the paper: helping a cluster whose pool is not empty
 * yet. */
#include "cta/policy_pool.h"

struct pool {
    uint32_t next, end; /* CTAs */
    uint32_t sm;        /* whose turn it is, or who is owed the rest of its block */
    uint32_t owed;      /* CTAs of a block that has begun */
};

struct pools {
    uint32_t block, first, n; /* clusters first .. first + n - 1 */
    struct pool *pool;        /* [n] */
};

void *policy_pool_begin(struct arena *a, const struct cta_view *v, uint32_t block)
{
    struct pools *s = ARENA_NEW(a, struct pools);
    s->block = block;
    s->first = v->sm_first / v->sms_per_cluster;
    s->n = (v->sm_first + v->sm_count - 1) / v->sms_per_cluster - s->first + 1;
    s->pool = ARENA_ARRAY(a, struct pool, s->n);
    uint32_t each = v->nctas / s->n, larger = v->nctas % s->n;
    for (uint32_t i = 0, cta = 0; i < s->n; i++) {
        s->pool[i].next = cta;
        cta += each + (i < larger);
        s->pool[i].end = cta;
        s->pool[i].sm = (s->first + i) * v->sms_per_cluster;
    }
    return s;
}

/* Moves p->sm to the next SM that has room for a block; false: none. */
static bool find_sm(const struct pools *s, const struct cta_view *v, struct pool *p)
{
    uint32_t n = v->sms_per_cluster, first = p->sm / n * n;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t sm = p->sm + k < first + n ? p->sm + k : p->sm + k - n;
        if (cta_can_take(v, sm) && v->room[sm] >= s->block) {
            p->sm = sm;
            return true;
        }
    }
    return false;
}

bool policy_pool_next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct pools *s = state;
    uint32_t n = v->sms_per_cluster;
    for (uint32_t i = 0; i < s->n; i++) {
        struct pool *p = &s->pool[i];
        if (p->next == p->end || v->served[s->first + i] >= v->rate)
            continue;
        if (p->owed == 0 && !find_sm(s, v, p))
            continue;
        p->owed = (p->owed ? p->owed : s->block) - 1;
        *pick = (struct cta_pick){p->sm, p->next++};
        if (p->owed == 0)
            p->sm = (p->sm + 1) % n ? p->sm + 1 : p->sm + 1 - n;
        return true;
    }
    return false;
}
