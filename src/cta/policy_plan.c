/* policy_plan.c - a queue per cluster between a CTA scheduler's decision and the start of the CTA.
 *
 * It stands for the work distributor's own queues, one per cluster, which the ICC paper does not
 * describe.  Not modelled: a bound on their length other than the contexts of the cluster's SMs. */
#include "cta/policy_plan.h"

#include "base/err.h"

struct queue { /* a ring; as long as the cluster's SMs have contexts for the kernel */
    struct cta_pick *pick;
    uint32_t room, head, n;
};

struct policy_plan {
    uint32_t planned;
    struct queue *queue; /* [cluster] */
    uint32_t *of_sm;     /* [SM]: CTAs planned for it */
};

struct policy_plan *policy_plan_new(struct arena *a, const struct cta_view *v)
{
    struct policy_plan *p = ARENA_NEW(a, struct policy_plan);
    p->queue = ARENA_ARRAY(a, struct queue, v->clusters->nclusters);
    p->of_sm = ARENA_ARRAY(a, uint32_t, v->clusters->nsms);
    for (uint32_t c = 0; c < v->clusters->nclusters; c++) {
        struct queue *q = &p->queue[c];
        q->room = (v->sms->first[c + 1] - v->sms->first[c]) * v->contexts;
        q->pick = ARENA_ARRAY(a, struct cta_pick, q->room);
    }
    return p;
}

bool policy_plan_has_room(const struct policy_plan *p, const struct cta_view *v, uint32_t sm)
{
    return sm_set_has(v->sms, sm) && v->room[sm] > p->of_sm[sm];
}

void policy_plan_add(struct policy_plan *p, const struct cta_view *v, struct cta_pick pick)
{
    uint32_t cluster = v->clusters->of[pick.sm];
    struct queue *q = &p->queue[cluster];
    HD_ASSERT(q->n < q->room, "cluster %u: more CTAs planned than contexts", cluster);
    uint32_t tail = q->head + q->n++;
    q->pick[tail < q->room ? tail : tail - q->room] = pick;
    p->of_sm[pick.sm]++;
    p->planned++;
}

bool policy_plan_take(struct policy_plan *p, const struct cta_view *v, struct cta_pick *pick)
{
    for (uint32_t c = 0; p->planned && c < v->clusters->nclusters; c++) {
        struct queue *q = &p->queue[c];
        if (q->n == 0 || !cta_can_take(v, q->pick[q->head].sm))
            continue;
        *pick = q->pick[q->head];
        q->head = q->head + 1 < q->room ? q->head + 1 : 0;
        q->n--;
        p->of_sm[pick->sm]--;
        p->planned--;
        return true;
    }
    return false;
}
