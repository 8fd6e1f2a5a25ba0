/* policy_groups.c - sharing-aware CTA scheduling (sharing paper, section IV, Fig. 6): CTAs in linear
 * order are split into groups of neighbours.  Each SM has a group, with a pointer to its next CTA
 * and one to its end; when it is used up, the SM takes the next group that there is.
 *
 * SMs have their turns CTA by CTA, as in round robin; only which CTA an SM gets is another one.  So
 * at the start groups go to the SMs in turn, whatever the dispatch rate.
 *
 * Where the paper is silent: a group is taken by the SM that could start its first CTA now, not
 * as soon as the one before is used up.  "Remaining" groups are those that no SM has begun; when an
 * adaptive scheduler switches, groups that have begun stay where they are.  Not modelled, as in the
 * paper: SMs that help others with groups that have begun. */
#include "cta/policy_groups.h"

#include "cta/policy_clusters.h"

struct group {
    uint32_t next, end; /* CTAs; end 0: the SM has had none */
};

struct groups {
    struct policy_groups_rules rules;
    uint32_t next, end; /* CTAs of groups that have not begun */
    struct group *of;   /* [SM] */
    struct policy_clusters *turns;
};

static uint32_t groups_in(uint32_t n, uint32_t ctas)
{
    return n / ctas + (n % ctas > 0);
}

void *policy_groups_begin(struct arena *a, const struct cta_view *v,
                          const struct policy_groups_rules *rules)
{
    struct groups *g = ARENA_NEW(a, struct groups);
    *g = (struct groups){.rules = *rules,
                         .end = v->nctas,
                         .of = ARENA_ARRAY(a, struct group, v->clusters->nsms),
                         .turns = policy_clusters_new(a, v)};
    return g;
}

void *policy_groups_begin_q(struct arena *a, const struct cta_view *v, uint32_t ctas)
{
    const struct policy_groups_rules rules = {.ctas = ctas, .room = 1, .whole = v->nctas};
    return policy_groups_begin(a, v, &rules);
}

void *policy_groups_begin_adpt(struct arena *a, const struct cta_view *v, uint32_t ctas,
                               bool first_round)
{
    uint32_t groups = groups_in(v->nctas, ctas), n = v->sms->n;
    uint32_t round = groups > n ? n * ctas : groups == n ? v->nctas : 0;
    const struct policy_groups_rules rules = {
        .ctas = ctas, .room = 1, .whole = first_round ? round : 0};
    return policy_groups_begin(a, v, &rules);
}

static bool can_take(const void *state, const struct cta_view *v, uint32_t sm)
{
    const struct groups *g = state;
    bool goes_on = g->of[sm].next < g->of[sm].end;
    bool can_begin = g->next < g->end && v->room[sm] >= g->rules.room;
    return cta_can_take(v, sm) && (goes_on || can_begin);
}

static void begin_group(struct groups *g, const struct cta_view *v, struct group *own)
{
    const struct policy_groups_rules *r = &g->rules;
    uint32_t left = g->end - g->next;
    bool is_few = g->next >= r->whole && groups_in(left, r->ctas) < v->sms->n;
    uint32_t size = own->end == 0 && r->first ? r->first : is_few ? 1 : r->ctas;
    own->next = g->next;
    g->next += size < left ? size : left;
    own->end = g->next;
}

bool policy_groups_next(void *state, const struct cta_view *v, struct cta_pick *pick)
{
    struct groups *g = state;
    uint32_t sm = policy_clusters_next(g->turns, v, can_take, g);
    if (sm == UINT32_MAX)
        return false;
    struct group *own = &g->of[sm];
    if (own->next == own->end)
        begin_group(g, v, own);
    *pick = (struct cta_pick){sm, own->next++};
    return true;
}

/* The last CTA of those that no SM has begun, else of the fullest group: those before it stay
 * neighbours. */
bool policy_groups_lend(void *state, const struct cta_view *v, uint32_t sm, uint32_t *cta)
{
    struct groups *g = state;
    uint32_t *next = &g->next, *end = &g->end;
    (void)sm;
    for (uint32_t i = 0; g->next == g->end && i < v->sms->n; i++) {
        struct group *own = &g->of[v->sms->sm[i]];
        if (own->end - own->next > *end - *next) {
            next = &own->next;
            end = &own->end;
        }
    }
    if (*next == *end)
        return false;
    *cta = --*end;
    return true;
}
