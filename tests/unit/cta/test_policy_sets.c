/* CTA schedulers on clusters of unequal size and on any set of SMs, against slow models written from
 * docs/model/dispatch.md: each looks through all SMs for the one that comes first. */
#include "base/rng.h"
#include "check.h"
#include "rig/cta_rig.h"

enum { NOBODY = UINT32_MAX };

struct model {
    const struct cta_rig *r;
    struct cta_rig_shape shape;
    uint32_t room[CTA_RIG_SMS], served[CTA_RIG_SMS];
    uint32_t turn;                 /* SM or cluster that is first to be asked */
    uint32_t turn_of[CTA_RIG_SMS]; /* [cluster]: SM */
    uint32_t next_of[CTA_RIG_SMS]; /* [cluster]: CTA of its pool */
    uint32_t owed_to[CTA_RIG_SMS]; /* [cluster]: the SM that has had the first of a pair */
    uint32_t started, sm[CTA_RIG_CTAS];
};

static uint32_t nsms(const struct model *m)
{
    return m->r->clusters.nsms;
}

static uint32_t cluster_of(const struct model *m, uint32_t sm)
{
    return m->r->clusters.of[sm];
}

/* How many SMs or clusters come before x when `turn` is first. */
static uint32_t behind(uint32_t x, uint32_t turn, uint32_t n)
{
    return (x + n - turn) % n;
}

static void give(struct model *m, uint32_t cta, uint32_t sm)
{
    uint32_t c = cluster_of(m, sm);
    m->sm[cta] = sm;
    m->room[sm]--;
    m->served[c]++;
    m->turn_of[c] = sm + 1;
    m->started++;
}

/* Of the cluster's SMs with so much room the one whose turn it is. */
static uint32_t in_cluster(const struct model *m, uint32_t cluster, uint32_t room)
{
    uint32_t best = NOBODY;
    for (uint32_t sm = 0; sm < nsms(m); sm++)
        if (cluster_of(m, sm) == cluster && m->room[sm] >= room &&
            (best == NOBODY ||
             behind(sm, m->turn_of[cluster], nsms(m)) < behind(best, m->turn_of[cluster], nsms(m))))
            best = sm;
    return best;
}

/* Clusters in turn, in each its SMs in turn; one that has had its CTAs of the cycle is passed
 * over. */
static bool step_rr(struct model *m)
{
    uint32_t n = m->shape.clusters;
    for (uint32_t k = 0; m->started < m->shape.ctas && k < n; k++) {
        uint32_t c = (m->turn + k) % n, sm = in_cluster(m, c, 1);
        if (sm == NOBODY || (m->shape.rate && m->served[c] >= m->shape.rate))
            continue;
        give(m, m->started, sm);
        m->turn = (c + 1) % n;
        return true;
    }
    return false;
}

/* All SMs in turn; the rate moves nobody. */
static bool step_global_rr(struct model *m)
{
    uint32_t best = NOBODY;
    for (uint32_t sm = 0; sm < nsms(m); sm++)
        if (m->room[sm] &&
            (best == NOBODY || behind(sm, m->turn, nsms(m)) < behind(best, m->turn, nsms(m))))
            best = sm;
    if (best == NOBODY || m->started == m->shape.ctas)
        return false;
    m->turn = (best + 1) % nsms(m);
    give(m, m->started, best);
    return true;
}

/* The cluster with the lowest number that has room, its SMs in turn. */
static bool step_greedy(struct model *m)
{
    for (uint32_t c = 0; m->started < m->shape.ctas && c < m->shape.clusters; c++) {
        uint32_t sm = in_cluster(m, c, 1);
        if (sm == NOBODY)
            continue;
        give(m, m->started, sm);
        return true;
    }
    return false;
}

/* The pool of a cluster: an equal share of all CTAs, the first ones larger, of those clusters that
 * have an SM of the kernel. */
static void pool_of(const struct model *m, uint32_t cluster, uint32_t *first, uint32_t *end)
{
    uint32_t n = 0, mine = NOBODY;
    for (uint32_t c = 0; c < m->shape.clusters; c++) {
        bool has = false;
        for (uint32_t sm = 0; sm < nsms(m); sm++)
            has = has || (cluster_of(m, sm) == c && sm_set_has(&m->r->sms, sm));
        if (c == cluster && has)
            mine = n;
        n += has;
    }
    *first = *end = 0;
    for (uint32_t i = 0; mine != NOBODY && i <= mine; i++) {
        *first = *end;
        *end += m->shape.ctas / n + (i < m->shape.ctas % n);
    }
}

static bool step_pool(struct model *m, uint32_t block)
{
    for (uint32_t c = 0; c < m->shape.clusters; c++) {
        uint32_t first, end;
        pool_of(m, c, &first, &end);
        if (first + m->next_of[c] >= end)
            continue;
        uint32_t sm = m->owed_to[c] != NOBODY ? m->owed_to[c] : in_cluster(m, c, block);
        if (sm == NOBODY)
            continue;
        m->owed_to[c] = block == 2 && m->owed_to[c] == NOBODY ? sm : NOBODY;
        give(m, first + m->next_of[c]++, sm);
        return true;
    }
    return false;
}

static bool step_distributed(struct model *m)
{
    return step_pool(m, 1);
}

static bool step_distributed_block(struct model *m)
{
    return step_pool(m, m->shape.contexts < 2 ? 1 : 2);
}

static const struct {
    const char *name;
    bool (*step)(struct model *m);
} policies[] = {{"rr", step_rr},
                {"global_rr", step_global_rr},
                {"greedy", step_greedy},
                {"distributed", step_distributed},
                {"distributed_block", step_distributed_block}};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static void open_model(struct model *m, const struct cta_rig *r, const struct cta_rig_shape *s)
{
    *m = (struct model){.r = r, .shape = *s};
    for (uint32_t i = 0; i < r->sms.n; i++)
        m->room[r->sms.sm[i]] = s->contexts;
    for (uint32_t c = 0; c < s->clusters; c++) {
        m->turn_of[c] = r->clusters.first[c];
        m->owed_to[c] = NOBODY;
    }
    for (uint32_t i = 0; i < s->ctas; i++)
        m->sm[i] = CTA_RIG_NOWHERE;
}

/* Cycles, until nothing is started any more. */
static void settle(struct model *m, bool (*step)(struct model *m))
{
    uint32_t before;
    do {
        before = m->started;
        memset(m->served, 0, sizeof m->served);
        while (step(m))
            ;
    } while (m->started > before);
}

static uint32_t draw(uint64_t *rng, uint32_t below)
{
    return rng_below(rng_at(80, (*rng)++), below);
}

static struct cta_rig_shape draw_shape(uint64_t *rng)
{
    struct cta_rig_shape s = {.clusters = 1 + draw(rng, 9),
                              .contexts = 1 + draw(rng, 5),
                              .ctas = 1 + draw(rng, 300),
                              .rate = draw(rng, 4)};
    s.all = s.clusters + draw(rng, CTA_RIG_SMS - s.clusters + 1);
    if (draw(rng, 4)) { /* one SM of four, and one in any case */
        uint64_t one_in_four = rng_at(24, *rng) & rng_at(25, *rng);
        s.only = (s.all < 64 ? (1ull << s.all) - 1 : UINT64_MAX) & one_in_four;
        s.only |= 1ull << draw(rng, s.all);
    }
    return s;
}

static void end_some(struct cta_rig *r, struct model *m, uint64_t *rng)
{
    uint32_t one_in = 1 + draw(rng, 6);
    for (uint32_t i = 0; i < r->v.nctas; i++) {
        if (r->cta[i].sm == CTA_RIG_NOWHERE || r->cta[i].has_ended || draw(rng, one_in))
            continue;
        cta_rig_end(r, i);
        m->room[r->cta[i].sm]++;
    }
}

static void every_scheduler_keeps_its_order_on_unequal_clusters_and_scattered_sms(void)
{
    uint64_t rng = 0;
    for (uint32_t i = 0; i < 150 * POLICIES; i++) {
        struct cta_rig_shape s = draw_shape(&rng);
        struct cta_rig r;
        struct model m;
        cta_rig_open(&r, policies[i % POLICIES].name, &s);
        open_model(&m, &r, &s);
        while (r.nended < s.ctas) {
            cta_rig_settle(&r);
            settle(&m, policies[i % POLICIES].step);
            for (uint32_t k = 0; k < s.ctas; k++)
                CHECK_EQ(r.cta[k].sm, m.sm[k]);
            end_some(&r, &m, &rng);
        }
        cta_rig_close(&r);
    }
}

CHECK_MAIN("policy_sets",
           TEST(every_scheduler_keeps_its_order_on_unequal_clusters_and_scattered_sms))
