/* cta_rig.c - a dispatcher's side of cta/policy.h, with every pick looked at. */
#include "rig/cta_rig.h"

#include "check.h"
#include "sim/config.h"

struct config *cta_rig_config(struct arena *a)
{
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, 32);
    return config_new(a, all, cta_policy_sections(all, 32));
}

struct sm_set cta_rig_range(struct arena *a, const struct sm_clusters *c, uint32_t first,
                            uint32_t count)
{
    uint32_t *sm = ARENA_ARRAY(a, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        sm[i] = first + i;
    return sm_set_of(a, c, sm, count);
}

static struct sm_set set_of(struct cta_rig *r, const struct cta_rig_shape *s)
{
    uint32_t sm[CTA_RIG_SMS], n = 0;
    uint32_t end = s->count ? s->first + s->count : r->clusters.nsms;
    for (uint32_t i = s->first; i < end; i++)
        if (!s->only || s->only >> i & 1)
            sm[n++] = i;
    return sm_set_of(r->arena, &r->clusters, sm, n);
}

void cta_rig_open(struct cta_rig *r, const char *policy, const struct cta_rig_shape *s)
{
    uint32_t nsms = s->all ? s->all : s->clusters * s->sms;
    *r = (struct cta_rig){.policy = cta_policy_find(policy), .arena = arena_new()};
    CHECK(r->policy != NULL && nsms <= CTA_RIG_SMS && s->ctas <= CTA_RIG_CTAS);
    r->clusters = sm_clusters_deal(r->arena, nsms, s->clusters);
    uint32_t router[CTA_RIG_SMS];
    for (uint32_t i = 0; i < s->clusters && s->group; i++)
        router[i] = i / s->group;
    if (s->group)
        sm_clusters_group(r->arena, &r->clusters, router);
    r->sms = set_of(r, s);
    r->v = (struct cta_view){.clusters = &r->clusters,
                             .sms = &r->sms,
                             .contexts = s->contexts,
                             .grid = {s->ctas, 1, 1},
                             .nctas = s->ctas,
                             .room = r->room,
                             .served = r->served,
                             .rate = s->rate ? s->rate : UINT32_MAX};
    for (uint32_t i = 0; i < r->sms.n; i++)
        r->room[r->sms.sm[i]] = (uint8_t)s->contexts;
    for (uint32_t i = 0; i < s->ctas; i++)
        r->cta[i].sm = r->cta[i].at = CTA_RIG_NOWHERE;
    struct config *cfg = cta_rig_config(r->arena);
    struct err e = {0};
    CHECK(!s->set || config_set(cfg, s->set, &e));
    r->state = r->policy->begin(r->arena, &r->v, cfg);
}

void cta_rig_close(struct cta_rig *r)
{
    arena_free(r->arena);
}

uint32_t cta_rig_cycle(struct cta_rig *r)
{
    uint32_t n = 0;
    struct cta_pick p;
    memset(r->served, 0, sizeof r->served);
    for (; r->nstarted < r->v.nctas && r->policy->next(r->state, &r->v, &p); n++) {
        CHECK(p.cta < r->v.nctas);
        CHECK(cta_can_take(&r->v, p.sm));
        CHECK_EQ(r->cta[p.cta].sm, CTA_RIG_NOWHERE);
        r->cta[p.cta].sm = p.sm;
        r->cta[p.cta].at = r->now;
        r->room[p.sm]--;
        r->served[r->clusters.of[p.sm]]++;
        r->nstarted++;
    }
    r->now++;
    return n;
}

uint32_t cta_rig_settle(struct cta_rig *r)
{
    uint32_t n, all = 0;
    do
        all += n = cta_rig_cycle(r);
    while (n > 0);
    return all;
}

void cta_rig_end(struct cta_rig *r, uint32_t cta)
{
    CHECK(r->cta[cta].sm != CTA_RIG_NOWHERE && !r->cta[cta].has_ended);
    r->cta[cta].has_ended = true;
    r->nended++;
    r->room[r->cta[cta].sm]++;
    if (r->policy->ended)
        r->policy->ended(r->state, &r->v, r->cta[cta].sm, cta);
}
