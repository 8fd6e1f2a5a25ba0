/* The Merged Table against a slow model of it, written from section 2.1 of the packet coalescing paper:
 *
 *   "Coalescer stores this packet to the Merged Table [...] indexed by the MC id, bank id, and row id.
 *   If a new packet arrives that can be merged with another packet already in the Merged Table, the
 *   headers of the two packets are merged [...] Their payloads are concatenated.  Scheduler checks in
 *   every cycle if there is any packet in the Merged Table whose held time has expired."
 *
 * and from what is right where this breaks: the earliest deadline counts, no packet waits for room, a
 * write flushes.  The model has one list of groups, looks at every cycle, and is told nothing but when
 * packets come to the front of their VCs and when a group has left.  It says who is taken, who
 * travels with whom, in which order, and how long all have waited. */
#include "check.h"

#include "base/rng.h"
#include "noc/aside.h"
#include "rig/coalesce_rig.h"

enum { SOURCES = 6, DST = 6, PACKETS = 1300, MOST = 8 };

/* ---- the model ---- */

struct member {
    uint32_t src, serial;
    hd_cycle deadline, front;
    uint32_t line;
};

struct group {
    uint32_t row, n, place;
    struct member of[MOST];
    bool is_gone;
};

struct rules {
    uint32_t entries, buffer, most;
    bool evicts, waits_full;
};

struct model {
    struct rules rules;
    struct group group[PACKETS]; /* all that ever were */
    uint32_t ngroups, flits, promised;
    uint64_t waited;
    hd_cycle seen; /* every cycle up to this one has been looked at */
};

static uint32_t held(const struct model *m)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < m->ngroups; g++)
        n += !m->group[g].is_gone;
    return n;
}

static void go(struct model *m, struct group *g, hd_cycle now)
{
    g->is_gone = true;
    for (uint32_t i = 0; i < g->n; i++)
        m->waited += now - g->of[i].front;
}

static hd_cycle deadline(const struct group *g)
{
    hd_cycle first = HD_NEVER;
    for (uint32_t i = 0; i < g->n; i++)
        first = g->of[i].deadline < first ? g->of[i].deadline : first;
    return first;
}

static void look_up_to(struct model *m, hd_cycle to)
{
    for (; m->seen < to; m->seen++)
        for (uint32_t g = 0; g < m->ngroups; g++)
            if (!m->group[g].is_gone && deadline(&m->group[g]) <= m->seen + 1)
                go(m, &m->group[g], m->seen + 1);
}

/* Groups have no order in the table but that of their places; there is at most one of a row that is not
 * full, unless a full one waits. */
static struct group *group_of(struct model *m, uint32_t row)
{
    for (uint32_t g = 0; g < m->ngroups; g++)
        if (!m->group[g].is_gone && m->group[g].row == row && m->group[g].n < m->rules.most)
            return &m->group[g];
    return NULL;
}

/* The first place of the table that no group has. */
static uint32_t free_place(const struct model *m)
{
    uint32_t place = 0;
    for (uint32_t g = 0; g < m->ngroups; g++)
        if (!m->group[g].is_gone && m->group[g].place == place) {
            place++;
            g = UINT32_MAX; /* from the start: places are in no order */
        }
    return place;
}

/* Of groups that are due together the one in the first place. */
static struct group *due_first(struct model *m)
{
    struct group *first = NULL;
    for (uint32_t g = 0; g < m->ngroups; g++) {
        struct group *x = &m->group[g];
        if (x->is_gone)
            continue;
        if (!first || deadline(x) < deadline(first) ||
            (deadline(x) == deadline(first) && x->place < first->place))
            first = x;
    }
    return first;
}

/* Whether a read is taken; *placed: a place in the table is kept for it. */
static bool model_arrive(struct model *m, uint32_t row, hd_cycle now, hd_cycle until, bool *placed)
{
    look_up_to(m, now - 1);
    bool joins = group_of(m, row) != NULL;
    *placed = false;
    if (until <= now || m->flits + 1 > m->rules.buffer)
        return false;
    if (!joins && held(m) + m->promised >= m->rules.entries && m->rules.evicts && due_first(m))
        go(m, due_first(m), now);
    if (!joins && held(m) + m->promised >= m->rules.entries)
        return false;
    m->flits++;
    m->promised += !joins;
    *placed = !joins;
    return true;
}

static void model_taken(struct model *m, uint32_t row, const struct member *who, hd_cycle now,
                        bool placed)
{
    look_up_to(m, now);
    struct group *g = group_of(m, row);
    m->promised -= placed;
    if (!g) {
        bool fits = placed || held(m) + m->promised < m->rules.entries;
        uint32_t place = free_place(m);
        g = &m->group[m->ngroups++];
        *g = (struct group){.row = row, .place = place, .is_gone = !fits};
        m->waited += fits ? 0 : now - who->front;
    }
    g->of[g->n++] = *who;
    if (g->is_gone)
        return;
    if (deadline(g) <= now || (g->n == m->rules.most && !m->rules.waits_full))
        go(m, g, now);
}

static void model_write(struct model *m, uint32_t row, uint32_t line, hd_cycle now)
{
    look_up_to(m, now - 1);
    for (uint32_t k = 0; k < m->ngroups; k++) {
        struct group *g = &m->group[k];
        bool has_line = false;
        for (uint32_t i = 0; i < g->n; i++)
            has_line |= g->of[i].line == line;
        if (!g->is_gone && g->row == row && has_line)
            go(m, g, now);
    }
}

/* ---- beside the router ---- */

struct spy {
    const struct router_extension *real;
    void *state;
    struct net_rig *rig;
    struct model model;
    struct member member[PACKETS]; /* by packet of the pool */
    bool placed[PACKETS], follows[PACKETS];
    uint32_t size[PACKETS], nsizes; /* of the packets that arrived, in order */
};

static struct router_extension spied;

static struct extension_verdict spy_arrive(void *state, const struct extension_at *at)
{
    struct spy *s = state;
    const struct packet *p = &s->rig->pool.at[at->packet];
    struct packet_meaning w = coalesce_rig_meaning(s->rig, at->packet);
    struct extension_verdict v = s->real->arrive(s->state, at);
    CHECK(at->packet < PACKETS);
    s->follows[at->packet] = !w.is_read;
    if (!w.is_read) {
        model_write(&s->model, (uint32_t)w.row, (uint32_t)w.line, at->now);
        s->model.flits += v.fate == EXTENSION_TAKE ? p->flits : 0;
        return v;
    }
    hd_cycle until = at->came + 9;
    s->member[at->packet] = (struct member){p->src, p->serial, until, at->now, (uint32_t)w.line};
    bool takes = model_arrive(&s->model, (uint32_t)w.row, at->now, until, &s->placed[at->packet]);
    if (!takes && v.fate == EXTENSION_TAKE) { /* behind a write of its line that leaves */
        s->follows[at->packet] = true;
        s->model.flits += p->flits;
        return v;
    }
    CHECK_EQ(v.fate == EXTENSION_TAKE, takes);
    return v;
}

static void spy_taken(void *state, const struct extension_at *at)
{
    struct spy *s = state;
    struct packet_meaning w = coalesce_rig_meaning(s->rig, at->packet);
    if (s->follows[at->packet])
        look_up_to(&s->model, at->now);
    else
        model_taken(&s->model, (uint32_t)w.row, &s->member[at->packet], at->now,
                    s->placed[at->packet]);
    s->real->taken(s->state, at);
}

static void spy_left(void *state, uint32_t router, uint32_t packet)
{
    struct spy *s = state;
    s->model.flits -= extension_flits(s->rig->noc, packet);
    s->real->left(s->state, router, packet);
}

static void spy_departed(void *state, uint32_t router, uint32_t packet)
{
    struct spy *s = state;
    s->real->departed(s->state, router, packet);
}

static void spy_arrived(void *state, uint32_t packet)
{
    struct spy *s = state;
    s->size[s->nsizes++] = extension_count(s->rig->noc, packet);
    s->real->arrived(s->state, packet);
}

static void spy_tick(void *state, hd_cycle now)
{
    struct spy *s = state;
    s->real->tick(s->state, now);
}

static enum extension_grant spy_grant(void *state, uint32_t packet)
{
    struct spy *s = state;
    return s->real->grant(s->state, packet);
}

static void spy_each(const void *state, void (*show)(void *ctx, uint32_t packet), void *ctx)
{
    const struct spy *s = state;
    s->real->each(s->state, show, ctx);
}

static void spy_stats(const void *state, const char *path, struct stats *tree)
{
    const struct spy *s = state;
    s->real->add_stats(s->state, path, tree);
}

static void spy_on(struct spy *s, struct net_rig *r)
{
    struct aside *a = r->noc->aside;
    *s = (struct spy){.real = a->ext, .state = a->state, .rig = r};
    spied = *a->ext;
    spied.arrive = spy_arrive;
    spied.taken = spy_taken;
    spied.left = spy_left;
    spied.departed = spy_departed;
    spied.arrived = spy_arrived;
    spied.tick = spy_tick;
    spied.grant = spy_grant;
    spied.each = spy_each;
    spied.add_stats = spy_stats;
    a->ext = &spied;
    a->state = s;
}

/* The group of the model that begins with this request. */
static const struct group *find_group(const struct model *m, uint32_t src, uint32_t serial)
{
    for (uint32_t g = 0; g < m->ngroups; g++)
        if (m->group[g].of[0].src == src && m->group[g].of[0].serial == serial)
            return &m->group[g];
    return NULL;
}

/* With one VC, packets arrive one after the other, the requests of each in order. */
static void check_groups(const struct spy *s)
{
    const struct net_rig *r = s->rig;
    uint32_t at = 0, big = 0;
    for (uint32_t i = 0; i < s->nsizes; at += s->size[i++]) {
        if (s->size[i] == 1)
            continue;
        const struct group *g = find_group(&s->model, r->log[at].src, r->log[at].serial);
        CHECK(g != NULL);
        CHECK_EQ(g->n, s->size[i]);
        for (uint32_t k = 0; k < g->n; k++)
            CHECK(g->of[k].src == r->log[at + k].src && g->of[k].serial == r->log[at + k].serial);
        big++;
    }
    for (uint32_t g = 0; g < s->model.ngroups; g++)
        big -= s->model.group[g].n > 1;
    CHECK_EQ(big, 0);
}

static void compare(uint64_t seed, const char *settings, struct rules rules, uint32_t rows)
{
    static struct net_rig r;
    static struct spy s;
    char all[384];
    snprintf(all, sizeof all,
             "noc.topology=xbar xbar.inputs=7 xbar.outputs=7 router.vcs=1 router.depth=4 "
             "coalesce.strategy=fixed coalesce.delay=9 %s",
             settings);
    coalesce_rig_open(&r, all, 4);
    spy_on(&s, &r);
    s.model.rules = rules;
    for (uint32_t k = 0; k < PACKETS - 200; k++) {
        uint64_t draw = rng_at(seed, k);
        struct coalesce_ask ask = {.row = (uint32_t)(draw >> 8) % rows,
                                   .line = draw >> 20 & 7,
                                   .writes = (draw >> 24 & 31) == 0};
        coalesce_rig_send(&r, 1 + k * (2 + seed % 3) + (draw >> 32) % 8, (uint32_t)(draw % SOURCES),
                          DST, ask);
    }
    CHECK_EQ(net_rig_run(&r, 1000000), ENGINE_IDLE);
    CHECK_STR(r.err.text, "");
    CHECK_EQ(r.nlog, PACKETS - 200);
    look_up_to(&s.model, net_rig_now(&r) < 100000 ? net_rig_now(&r) : 100000);
    CHECK_EQ(held(&s.model), 0);
    CHECK_EQ(s.model.flits, 0);
    check_groups(&s);
    CHECK_EQ(coalesce_rig_stat(&r, "waited"), s.model.waited);
    CHECK(coalesce_rig_stat(&r, "big_packet") > 60);
    net_rig_close(&r);
}

static void the_merged_table_does_what_a_slow_model_says(void)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        compare(seed, "coalesce.most=8", (struct rules){16, 64, 8, false, false}, 5);
        compare(seed, "coalesce.most=3 coalesce.entries=3", (struct rules){3, 64, 3, false, false},
                9);
        compare(seed, "coalesce.most=3 coalesce.entries=3 coalesce.table_full=evict",
                (struct rules){3, 64, 3, true, false}, 9);
        compare(seed, "coalesce.most=2 coalesce.buffer=4 coalesce.packet_full=wait",
                (struct rules){16, 4, 2, false, true}, 3);
    }
}

CHECK_MAIN("coalesce_model", TEST(the_merged_table_does_what_a_slow_model_says))
