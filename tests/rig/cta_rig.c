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

static void set_all(struct config *cfg, struct arena *a, const char *settings)
{
    struct err e = {0};
    char *text = arena_strdup(a, settings), *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        CHECK(config_set(cfg, w, &e));
}

void cta_rig_open(struct cta_rig *r, const char *policy, const struct cta_rig_shape *s)
{
    uint32_t nsms = s->all ? s->all : s->clusters * s->sms;
    const uint32_t row[3] = {s->ctas, 1, 1}, *grid = s->grid[0] ? s->grid : row;
    uint32_t ctas = grid[0] * grid[1] * grid[2];
    *r = (struct cta_rig){.policy = cta_policy_find(policy), .arena = arena_new()};
    CHECK(r->policy != NULL && nsms <= CTA_RIG_SMS && ctas <= CTA_RIG_CTAS);
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
                             .grid = {grid[0], grid[1], grid[2]},
                             .nctas = ctas,
                             .room = r->room,
                             .served = r->served,
                             .rate = s->rate ? s->rate : UINT32_MAX};
    for (uint32_t i = 0; i < r->sms.n; i++)
        r->room[r->sms.sm[i]] = (uint8_t)s->contexts;
    for (uint32_t i = 0; i < ctas; i++)
        r->cta[i].sm = r->cta[i].at = CTA_RIG_NOWHERE;
    struct config *cfg = cta_rig_config(r->arena);
    set_all(cfg, r->arena, s->set ? s->set : "");
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
    memcpy(r->served, r->served_others, sizeof r->served);
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

uint32_t cta_rig_lend(struct cta_rig *r)
{
    uint32_t cta;
    if (r->nstarted == r->v.nctas || !r->policy->lend(r->state, &r->v, CTA_RIG_SMS, &cta))
        return CTA_RIG_NOWHERE;
    CHECK(cta < r->v.nctas);
    CHECK_EQ(r->cta[cta].sm, CTA_RIG_NOWHERE);
    r->cta[cta].sm = CTA_RIG_ABROAD;
    r->cta[cta].at = r->now;
    r->cta[cta].has_ended = true;
    r->nstarted++;
    r->nended++;
    return cta;
}

/* --- examples --------------------------------------------------------------------------------- */

static void end_all(struct cta_rig *r, const char *ctas)
{
    for (char *end; *ctas; ctas = end + strspn(end, " "))
        cta_rig_end(r, (uint32_t)strtoul(ctas, &end, 10));
}

/* CTAs that were started since then, as in struct cta_rig_step. */
static const char *started_since(struct cta_rig *r, uint32_t since)
{
    const char *text = "";
    for (uint32_t sm = 0; sm < r->clusters.nsms; sm++) {
        const char *of_sm = "";
        for (uint32_t i = 0; i < r->v.nctas; i++)
            if (r->cta[i].sm == sm && r->cta[i].at >= since)
                of_sm = arena_printf(r->arena, "%s%s%u", of_sm, *of_sm ? "," : "", i);
        if (*of_sm)
            text = arena_printf(r->arena, "%s%s%u:%s", text, *text ? " " : "", sm, of_sm);
    }
    return text;
}

static void follow(const struct cta_rig_example *x)
{
    struct cta_rig r;
    cta_rig_open(&r, x->policy, &x->shape);
    for (const struct cta_rig_step *s = x->steps; s < x->steps + CTA_RIG_STEPS && s->starts; s++) {
        uint32_t since = r.now;
        end_all(&r, s->ends);
        cta_rig_settle(&r);
        CHECK_STR(started_since(&r, since), s->starts);
    }
    cta_rig_close(&r);
}

void cta_rig_follow(const struct cta_rig_example *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        follow(&x[i]);
}
