/* Sharing-aware and block CTA scheduling against a slow model, written from the sharing paper (sections
 * IV and VII.A) and docs/model/dispatch.md: lists of CTAs that are looked through every time.
 *
 * Grids, clusters, sets of SMs, contexts, rates and parameters are random; so is the order in which
 * CTAs end, guests that take contexts, other programs that are served first, and CTAs that are lent. */
#include "base/rng.h"
#include "check.h"
#include "rig/cta_rig.h"

enum { NOBODY = UINT32_MAX, PATIENCE = 20000 };

/* ---- the model ---- */

struct list {
    uint32_t n, cta[CTA_RIG_CTAS];
};

struct rules {
    const char *policy;
    enum { COUNT, ROWS, BLOCKS } kind;
    bool adapts;
    uint32_t ctas;
    bool first_round; /* or: a set at the start */
};

struct model {
    struct rules rules;
    uint32_t grid[3], nctas, contexts, rate;
    const struct cta_rig *r; /* for clusters and SMs */
    struct list pending;     /* no SM has begun its group */
    struct list own[CTA_RIG_SMS];
    bool has_had_one[CTA_RIG_SMS];
    uint32_t room[CTA_RIG_SMS], served[CTA_RIG_SMS];
    uint32_t turn, turn_of[CTA_RIG_SMS]; /* cluster; of each cluster, SM */
    uint32_t groups, begun;              /* in the kernel; of them begun */
    uint32_t sm[CTA_RIG_CTAS];
};

/* The group that a CTA belongs to. */
static uint32_t group_of(const struct model *m, uint32_t cta)
{
    uint32_t row = 0, id = 0;
    if (m->rules.kind != ROWS)
        return cta / m->rules.ctas;
    for (uint32_t z = 0; z < m->grid[2]; z++)
        for (uint32_t y = 0; y < m->grid[1]; y++, row++)
            for (uint32_t x = 0; x < m->grid[0]; x++, id++)
                if (id == cta)
                    return row;
    return NOBODY;
}

static uint32_t groups_in(const struct model *m, const struct list *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++)
        n += i == 0 || group_of(m, l->cta[i]) != group_of(m, l->cta[i - 1]);
    return n;
}

static uint32_t take_first(struct list *l)
{
    uint32_t cta = l->cta[0];
    l->n--;
    for (uint32_t i = 0; i < l->n; i++)
        l->cta[i] = l->cta[i + 1];
    return cta;
}

static void move_first(struct list *to, struct list *from)
{
    to->cta[to->n++] = take_first(from);
}

static uint32_t block_of(const struct model *m)
{
    return m->rules.ctas < m->contexts ? m->rules.ctas : m->contexts;
}

/* A sequential set at the start: what an SM holds, but no more than its share. */
static uint32_t set_of(const struct model *m)
{
    uint32_t share = 0;
    while (share * m->r->sms.n < m->nctas)
        share++;
    return share < m->contexts ? share : m->contexts;
}

static void begin_block(struct model *m, uint32_t sm)
{
    bool is_set = m->rules.first_round && !m->has_had_one[sm];
    uint32_t n = is_set ? set_of(m) : block_of(m);
    for (uint32_t i = 0; i < n && m->pending.n; i++)
        move_first(&m->own[sm], &m->pending);
}

static void begin_group(struct model *m, uint32_t sm)
{
    uint32_t sms = m->r->sms.n, group = group_of(m, m->pending.cta[0]);
    bool is_first_round = m->rules.first_round && m->groups >= sms && m->begun < sms;
    if (m->rules.adapts && !is_first_round && groups_in(m, &m->pending) < sms) {
        move_first(&m->own[sm], &m->pending);
        return;
    }
    m->begun++;
    while (m->pending.n && group_of(m, m->pending.cta[0]) == group)
        move_first(&m->own[sm], &m->pending);
}

static bool can_take(const struct model *m, uint32_t sm)
{
    uint32_t needed = m->own[sm].n || m->rules.kind != BLOCKS ? 1 : block_of(m);
    return m->room[sm] >= needed && m->served[m->r->clusters.of[sm]] < m->rate &&
           (m->own[sm].n || m->pending.n);
}

/* The SM of the cluster whose turn it is of those that can take a CTA. */
static uint32_t next_in(const struct model *m, uint32_t cluster)
{
    uint32_t n = m->r->clusters.nsms;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t sm = (m->turn_of[cluster] + k) % n;
        if (m->r->clusters.of[sm] == cluster && sm_set_has(&m->r->sms, sm) && can_take(m, sm))
            return sm;
    }
    return NOBODY;
}

static bool step(struct model *m)
{
    uint32_t n = m->r->clusters.nclusters, cluster = m->turn, sm = NOBODY;
    for (uint32_t k = 0; k < n && sm == NOBODY; k++) {
        cluster = (m->turn + k) % n;
        sm = next_in(m, cluster);
    }
    if (sm == NOBODY)
        return false;
    if (!m->own[sm].n && m->rules.kind == BLOCKS)
        begin_block(m, sm);
    else if (!m->own[sm].n)
        begin_group(m, sm);
    m->has_had_one[sm] = true;
    m->sm[take_first(&m->own[sm])] = sm;
    m->room[sm]--;
    m->served[cluster]++;
    m->turn_of[cluster] = sm + 1;
    m->turn = (cluster + 1) % n;
    return true;
}

/* The last of those that nobody has begun, else of the longest list. */
static uint32_t lend(struct model *m)
{
    struct list *from = &m->pending;
    for (uint32_t sm = 0; !m->pending.n && sm < m->r->clusters.nsms; sm++)
        from = m->own[sm].n > from->n ? &m->own[sm] : from;
    if (!from->n)
        return CTA_RIG_NOWHERE;
    uint32_t cta = from->cta[--from->n];
    m->sm[cta] = CTA_RIG_ABROAD;
    return cta;
}

/* ---- shapes ---- */

static const struct rules policies[] = {{.policy = "q8", .kind = COUNT},
                                        {.policy = "q16", .kind = COUNT},
                                        {.policy = "qx", .kind = ROWS},
                                        {.policy = "q8_adpt", .kind = COUNT, .adapts = true},
                                        {.policy = "q16_adpt", .kind = COUNT, .adapts = true},
                                        {.policy = "qx_adpt", .kind = ROWS, .adapts = true},
                                        {.policy = "bcs", .kind = BLOCKS}};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static uint32_t draw(uint64_t *rng, uint32_t below)
{
    return rng_below(rng_at(17, (*rng)++), below);
}

static void draw_grid(uint64_t *rng, uint32_t grid[3])
{
    uint32_t dimensions = 1 + draw(rng, 3);
    grid[0] = 1 + draw(rng, dimensions == 1 ? CTA_RIG_CTAS : dimensions == 2 ? 40 : 8);
    grid[1] = dimensions < 2 ? 1 : 1 + draw(rng, dimensions == 2 ? 12 : 8);
    grid[2] = dimensions < 3 ? 1 : 1 + draw(rng, 8);
    if (draw(rng, 8) == 0 && dimensions == 2) { /* a column */
        grid[1] = grid[0];
        grid[0] = 1;
    }
}

static struct cta_rig_shape draw_shape(uint64_t *rng)
{
    struct cta_rig_shape s = {
        .clusters = 1 + draw(rng, 9), .contexts = 1 + draw(rng, 8), .rate = draw(rng, 4)};
    s.all = s.clusters + draw(rng, draw(rng, 2) ? 12 : CTA_RIG_SMS - s.clusters + 1);
    if (draw(rng, 3) == 0) { /* one SM of four, and one in any case */
        s.only =
            (s.all < 64 ? (1ull << s.all) - 1 : UINT64_MAX) & rng_at(24, *rng) & rng_at(25, *rng);
        s.only |= 1ull << draw(rng, s.all);
    }
    draw_grid(rng, s.grid);
    s.ctas = s.grid[0] * s.grid[1] * s.grid[2];
    return s;
}

static struct rules draw_rules(uint64_t *rng, uint32_t policy)
{
    struct rules u = policies[policy];
    u.ctas = 1 + draw(rng, u.kind == BLOCKS ? 4 : draw(rng, 2) ? 5 : 30);
    u.first_round = draw(rng, 2);
    return u;
}

static const char *settings_of(const struct rules *u, struct arena *a)
{
    const char *text = u->kind == ROWS ? "" : arena_printf(a, "%s.ctas=%u", u->policy, u->ctas);
    if (u->kind == BLOCKS)
        return arena_printf(a, "%s bcs.start=%s", text, u->first_round ? "set" : "block");
    if (u->adapts)
        return arena_printf(a, "%s %s.first_round=%s", text, u->policy,
                            u->first_round ? "true" : "false");
    return text;
}

/* ---- a kernel on both ---- */

struct pair {
    struct arena *arena;
    struct cta_rig r;
    struct model m;
    uint8_t guests[CTA_RIG_SMS];
    bool is_alone; /* no other programs */
};

static void open_pair(struct pair *p, const struct rules *u, struct cta_rig_shape s)
{
    *p = (struct pair){.arena = arena_new()};
    s.set = settings_of(u, p->arena);
    cta_rig_open(&p->r, u->policy, &s);
    struct model *m = &p->m;
    *m = (struct model){.rules = *u,
                        .grid = {s.grid[0], s.grid[1], s.grid[2]},
                        .nctas = s.ctas,
                        .contexts = s.contexts,
                        .rate = s.rate ? s.rate : UINT32_MAX,
                        .r = &p->r};
    for (uint32_t i = 0; i < s.ctas; i++) {
        m->pending.cta[m->pending.n++] = i;
        m->sm[i] = CTA_RIG_NOWHERE;
    }
    m->groups = groups_in(m, &m->pending);
    for (uint32_t i = 0; i < p->r.sms.n; i++)
        m->room[p->r.sms.sm[i]] = s.contexts;
    for (uint32_t c = 0; c < s.clusters; c++)
        m->turn_of[c] = p->r.clusters.first[c];
}

static void close_pair(struct pair *p)
{
    cta_rig_close(&p->r);
    arena_free(p->arena);
}

/* Guests come and go, and other programs have been served in some clusters. */
static void disturb(struct pair *p, uint64_t *rng)
{
    for (uint32_t c = 0; c < p->r.clusters.nclusters; c++)
        p->r.served_others[c] = p->is_alone ? 0 : draw(rng, 3);
    for (uint32_t i = 0; i < p->r.sms.n && !p->is_alone; i++) {
        uint32_t sm = p->r.sms.sm[i];
        bool comes = p->m.room[sm] > 0 && draw(rng, 6) == 0;
        bool goes = p->guests[sm] > 0 && draw(rng, 4) == 0;
        p->guests[sm] = (uint8_t)(p->guests[sm] + comes - goes);
        p->r.room[sm] = (uint8_t)(p->r.room[sm] - comes + goes);
        p->m.room[sm] = p->m.room[sm] - comes + goes;
    }
    if (!p->is_alone && draw(rng, 12) == 0) {
        uint32_t cta = lend(&p->m);
        CHECK_EQ(cta_rig_lend(&p->r), cta);
    }
}

static void cycle(struct pair *p)
{
    uint32_t running = p->r.nstarted - p->r.nended, started = cta_rig_cycle(&p->r), n = 0;
    memcpy(p->m.served, p->r.served_others, sizeof p->m.served);
    while (step(&p->m))
        n++;
    CHECK_EQ(started, n);
    for (uint32_t i = 0; i < p->m.nctas; i++)
        CHECK_EQ(p->r.cta[i].sm, p->m.sm[i]);
    /* Nobody waits for anything but contexts and turns. */
    CHECK(!p->is_alone || running || started || p->r.nended == p->m.nctas);
}

static void end_some(struct pair *p, uint64_t *rng, uint32_t one_in)
{
    for (uint32_t i = 0; i < p->m.nctas; i++) {
        uint32_t sm = p->r.cta[i].sm;
        if (sm == CTA_RIG_NOWHERE || p->r.cta[i].has_ended || draw(rng, one_in))
            continue;
        cta_rig_end(&p->r, i);
        p->m.room[sm]++;
    }
}

static void every_cta_goes_where_the_model_says_and_all_end(void)
{
    uint64_t rng = 0;
    for (uint32_t i = 0; i < 300 * POLICIES; i++) {
        struct rules u = draw_rules(&rng, i % POLICIES);
        struct pair p;
        open_pair(&p, &u, draw_shape(&rng));
        p.is_alone = draw(&rng, 2);
        uint32_t one_in = 1 + draw(&rng, 8), cycles = 0;
        while (p.r.nended < p.m.nctas) {
            CHECK(cycles++ < PATIENCE);
            disturb(&p, &rng);
            cycle(&p);
            end_some(&p, &rng, one_in);
        }
        CHECK_EQ(p.r.nstarted, p.m.nctas);
        close_pair(&p);
    }
}

/* ---- what follows from the definition ---- */

static void run_alone(struct cta_rig *r, uint64_t rng, uint32_t one_in)
{
    while (r->nended < r->v.nctas) {
        cta_rig_settle(r);
        for (uint32_t i = 0; i < r->v.nctas; i++)
            if (r->cta[i].sm != CTA_RIG_NOWHERE && !r->cta[i].has_ended && !draw(&rng, one_in))
                cta_rig_end(r, i);
    }
}

/* A row has fewer groups than there are SMs, so qx_adpt deals it out. */
static void groups_of_one_are_round_robin(void)
{
    static const struct {
        const char *policy, *set;
        uint32_t fewest_sms;
        bool is_row;
    } alike[] = {{"q8", "q8.ctas=1", 1, false},
                 {"q16_adpt", "q16_adpt.ctas=1", 1, false},
                 {"bcs", "bcs.ctas=1 bcs.start=block", 1, false},
                 {"qx_adpt", NULL, 2, true}};
    uint64_t rng = 0;
    for (int i = 0; i < 400; i++) {
        struct cta_rig_shape s = draw_shape(&rng);
        struct cta_rig a, b;
        if (alike[i % 4].is_row)
            memcpy(s.grid, (const uint32_t[3]){s.ctas, 1, 1}, sizeof s.grid);
        cta_rig_open(&a, "rr", &s);
        s.set = alike[i % 4].set;
        cta_rig_open(&b, alike[i % 4].policy, &s);
        uint32_t one_in = 1 + draw(&rng, 5);
        run_alone(&a, rng, one_in);
        run_alone(&b, rng, one_in);
        for (uint32_t k = 0; k < s.ctas && a.sms.n >= alike[i % 4].fewest_sms; k++)
            CHECK(a.cta[k].sm == b.cta[k].sm && a.cta[k].at == b.cta[k].at);
        cta_rig_close(&a);
        cta_rig_close(&b);
    }
}

static void a_row_of_the_grid_is_on_one_sm(void)
{
    uint64_t rng = 0;
    for (int i = 0; i < 200; i++) {
        struct cta_rig_shape s = draw_shape(&rng);
        struct cta_rig r;
        cta_rig_open(&r, "qx", &s);
        run_alone(&r, rng, 1 + draw(&rng, 5));
        for (uint32_t k = 0; k < s.ctas; k++)
            CHECK_EQ(r.cta[k].sm, r.cta[k - k % s.grid[0]].sm);
        cta_rig_close(&r);
    }
}

CHECK_MAIN("cta_groups", TEST(every_cta_goes_where_the_model_says_and_all_end),
           TEST(groups_of_one_are_round_robin), TEST(a_row_of_the_grid_is_on_one_sm))
