/* policy_plan.c - a queue per cluster between a CTA scheduler's decision and the start of the CTA.
 *
 * It stands for the work distributor's own queues, one per cluster, which the ICC paper does not
 * describe.  Not modelled: a bound on their length other than the contexts of the cluster's SMs. */
#include "cta/policy_plan.h"

#include "base/err.h"

struct queue {
    uint32_t head, n;
};

struct policy_plan {
    uint32_t room; /* of a queue: all contexts of a cluster */
    uint32_t planned;
    struct queue *queue;   /* [cluster] */
    struct cta_pick *pick; /* [cluster][room], rings */
    uint32_t *of_sm;       /* [SM]: CTAs planned for it */
};

struct policy_plan *policy_plan_new(struct arena *a, const struct cta_view *v)
{
    struct policy_plan *p = ARENA_NEW(a, struct policy_plan);
    p->room = v->sms_per_cluster * v->contexts;
    p->queue = ARENA_ARRAY(a, struct queue, v->nclusters);
    p->pick = ARENA_ARRAY(a, struct cta_pick, (size_t)v->nclusters * p->room);
    p->of_sm = ARENA_ARRAY(a, uint32_t, (size_t)v->nclusters * v->sms_per_cluster);
    return p;
}

bool policy_plan_has_room(const struct policy_plan *p, const struct cta_view *v, uint32_t sm)
{
    return sm >= v->sm_first && sm - v->sm_first < v->sm_count && v->room[sm] > p->of_sm[sm];
}

void policy_plan_add(struct policy_plan *p, const struct cta_view *v, struct cta_pick pick)
{
    uint32_t cluster = pick.sm / v->sms_per_cluster;
    struct queue *q = &p->queue[cluster];
    HD_ASSERT(q->n < p->room, "cluster %u: more CTAs planned than contexts", cluster);
    uint32_t tail = q->head + q->n++;
    p->pick[(size_t)cluster * p->room + (tail < p->room ? tail : tail - p->room)] = pick;
    p->of_sm[pick.sm]++;
    p->planned++;
}

bool policy_plan_take(struct policy_plan *p, const struct cta_view *v, struct cta_pick *pick)
{
    for (uint32_t c = 0; p->planned && c < v->nclusters; c++) {
        struct queue *q = &p->queue[c];
        if (q->n == 0 || v->served[c] >= v->rate)
            continue;
        *pick = p->pick[(size_t)c * p->room + q->head];
        q->head = q->head + 1 < p->room ? q->head + 1 : 0;
        q->n--;
        p->of_sm[pick->sm]--;
        p->planned--;
        return true;
    }
    return false;
}
