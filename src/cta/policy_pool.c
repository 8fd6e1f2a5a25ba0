/* policy_pool.c - CTAs in linear order are split evenly over the clusters that have SMs of the
 * kernel (ICC paper, section 4.1, after MCM-GPU), the first pools one larger when the split is
 * uneven.  A cluster takes CTAs from its own pool only, in blocks (section 5, after BCS), its SMs
 * in turn.
 *
 * A cluster that is smaller, or of which the kernel has only some SMs, gets a pool as large as the
 * others: the paper has no such case.  Not modelled, as in the paper: helping a cluster whose pool is not empty
 * yet. */
#include "cta/policy_pool.h"

struct pool {
    const uint32_t *sm; /* [n]: the kernel's SMs of a cluster */
    uint32_t n;
    uint32_t turn;      /* index of the SM whose turn it is, or who is owed the rest of its block */
    uint32_t owed;      /* CTAs of a block that has begun */
    uint32_t next, end; /* CTAs */
};

struct pools {
    uint32_t block, n;
    struct pool *pool; /* [n]: of each cluster that has SMs of the kernel */
};

void *policy_pool_begin(struct arena *a, const struct cta_view *v, uint32_t block)
{
    struct pools *s = ARENA_NEW(a, struct pools);
    s->block = block;
    s->pool = ARENA_ARRAY(a, struct pool, v->clusters->nclusters);
    for (uint32_t c = 0; c < v->clusters->nclusters; c++) {
        uint32_t first = v->sms->first[c], n = v->sms->first[c + 1] - first;
        if (n > 0)
            s->pool[s->n++] = (struct pool){.sm = v->sms->sm + first, .n = n};
    }
    uint32_t each = v->nctas / s->n, larger = v->nctas % s->n;
    for (uint32_t i = 0, cta = 0; i < s->n; i++) {
        s->pool[i].next = cta;
        cta += each + (i < larger);
        s->pool[i].end = cta;
    }
    return s;
}

/* Gives the turn to the next SM that has room for a block; false: none. */
static bool find_sm(const struct pools *s, const struct cta_view *v, struct pool *p)
{
    for (uint32_t k = 0; k < p->n; k++) {
        uint32_t i = p->turn + k < p->n ? p->turn + k : p->turn + k - p->n;
        if (cta_can_take(v, p->sm[i]) && v->room[p->sm[i]] >= s->block) {
            p->turn = i;
            return true;
        }
    }
    return false;
}

bool policy_pool_next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct pools *s = state;
    for (uint32_t i = 0; i < s->n; i++) {
        struct pool *p = &s->pool[i];
        if (p->next == p->end || !(p->owed ? cta_can_take(v, p->sm[p->turn]) : find_sm(s, v, p)))
            continue;
        p->owed = (p->owed ? p->owed : s->block) - 1;
        *pick = (struct cta_pick){p->sm[p->turn], p->next++};
        if (p->owed == 0)
            p->turn = p->turn + 1 < p->n ? p->turn + 1 : 0;
        return true;
    }
    return false;
}

/* The last CTA of the pool that has most left: those before it stay neighbours. */
bool policy_pool_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct pools *s = state;
    struct pool *most = &s->pool[0];
    (void)v;
    (void)sm;
    for (uint32_t i = 1; i < s->n; i++)
        if (s->pool[i].end - s->pool[i].next > most->end - most->next)
            most = &s->pool[i];
    if (most->next == most->end)
        return false;
    *cta = --most->end;
    return true;
}
