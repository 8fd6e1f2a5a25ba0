/* sms.c - SMs dealt out to clusters, and sets of SMs as list and bitmap. */
#include "cta/sms.h"

#include "base/err.h"

struct sm_clusters sm_clusters_deal(struct arena *a, uint32_t nsms, uint32_t nclusters)
{
    HD_ASSERT(nclusters > 0 && nclusters <= nsms, "%u SMs in %u clusters", nsms, nclusters);
    uint16_t *of = ARENA_ARRAY(a, uint16_t, nsms);
    uint32_t *first = ARENA_ARRAY(a, uint32_t, nclusters + 1);
    uint16_t *group = ARENA_ARRAY(a, uint16_t, nclusters);
    for (uint32_t c = 0; c < nclusters; c++) {
        group[c] = (uint16_t)c;
        first[c + 1] = first[c] + nsms / nclusters + (c < nsms % nclusters);
        for (uint32_t sm = first[c]; sm < first[c + 1]; sm++)
            of[sm] = (uint16_t)c;
    }
    return (struct sm_clusters){.nsms = nsms,
                                .nclusters = nclusters,
                                .of = of,
                                .first = first,
                                .ngroups = nclusters,
                                .group = group};
}

void sm_clusters_group(struct arena *a, struct sm_clusters *c, const uint32_t *router)
{
    uint16_t *group = ARENA_ARRAY(a, uint16_t, c->nclusters);
    c->ngroups = 0;
    for (uint32_t i = 0; i < c->nclusters; i++) {
        uint32_t like = 0;
        while (router[like] != router[i])
            like++;
        group[i] = like < i ? group[like] : (uint16_t)c->ngroups++;
    }
    c->group = group;
}

struct sm_set sm_set_of(struct arena *a, const struct sm_clusters *c, const uint32_t *sm,
                        uint32_t n)
{
    uint64_t *bits = ARENA_ARRAY(a, uint64_t, (c->nsms + 63) / 64);
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(sm[i] < c->nsms, "SM %u of %u", sm[i], c->nsms);
        bits[sm[i] / 64] |= 1ull << sm[i] % 64;
    }
    uint32_t *list = ARENA_ARRAY(a, uint32_t, n);
    uint32_t *first = ARENA_ARRAY(a, uint32_t, c->nclusters + 1);
    struct sm_set s = {.sm = list, .first = first, .bits = bits};
    for (uint32_t i = 0; i < c->nsms; i++) {
        if (!sm_set_has(&s, i))
            continue;
        list[s.n++] = i;
        first[c->of[i] + 1]++;
    }
    for (uint32_t i = 0; i < c->nclusters; i++)
        first[i + 1] += first[i];
    return s;
}

const uint32_t *sm_set_spread(struct arena *a, const struct sm_clusters *c, const struct sm_set *s)
{
    uint32_t *order = ARENA_ARRAY(a, uint32_t, s->n), *taken = ARENA_ARRAY(a, uint32_t, s->n);
    uint32_t *seen = ARENA_ARRAY(a, uint32_t, c->ngroups), n = 0;
    for (uint32_t i = 0; i < s->n; i++) /* taken[i]: SMs of its group before it */
        taken[i] = seen[c->group[c->of[s->sm[i]]]]++;
    for (uint32_t rank = 0; n < s->n; rank++)
        for (uint32_t i = 0; i < s->n; i++)
            if (taken[i] == rank)
                order[n++] = s->sm[i];
    return order;
}
