/* lsu_rig.c - see lsu_rig.h. */
#include "rig/lsu_rig.h"

#include "base/rng.h"
#include "check.h"

/* ---- the SM ---- */

static void note_events(struct lsu_rig_sm *s, hd_cycle now)
{
    uint16_t i = completions_take(&s->completions, now);
    while (i != COMPLETION_NONE) {
        const struct completion *c = &s->completions.at[i];
        CHECK(s->nevents < s->max_events);
        s->event[s->nevents++] = (struct lsu_rig_event){now, c->warp, c->insn};
        i = completions_release(&s->completions, i);
    }
}

static hd_cycle issue(struct lsu_rig_sm *s, hd_cycle now)
{
    if (s->next == s->nsteps)
        return HD_NEVER;
    const struct lsu_rig_step *step = &s->step[s->next];
    if (step->at > now)
        return step->at;
    if (!lsu_can_issue(s->lsu))
        return HD_NEVER;
    lsu_issue(s->lsu, now, step->warp, &step->insn, &step->op);
    lsu_await(s->lsu, step->warp);
    s->issued[s->next++] = now;
    return now + 1;
}

static hd_cycle earlier(hd_cycle a, hd_cycle b)
{
    return a < b ? a : b;
}

static hd_cycle tick_sm(struct component *c, hd_cycle now)
{
    struct lsu_rig_sm *s = (struct lsu_rig_sm *)c;
    note_events(s, now);
    hd_cycle next = lsu_tick(s->lsu, now);
    next = earlier(next, issue(s, now));
    return earlier(next, completions_next(&s->completions, now));
}

static void settle_sm(struct component *c, hd_cycle now)
{
    lsu_settle(((struct lsu_rig_sm *)c)->lsu, now);
}

static bool audit_sm(const struct component *c, struct err *e)
{
    return lsu_audit(((const struct lsu_rig_sm *)c)->lsu, e);
}

static uint64_t live_sm(const struct component *c)
{
    const struct lsu_rig_sm *s = (const struct lsu_rig_sm *)c;
    return lsu_live(s->lsu) + (s->nsteps - s->next);
}

static void waits_sm(const struct component *c, struct waitgraph *g)
{
    lsu_waits(((const struct lsu_rig_sm *)c)->lsu, g, 0);
}

static const struct component_ops sm_ops = {.kind = "sm",
                                            .tick = tick_sm,
                                            .settle = settle_sm,
                                            .audit = audit_sm,
                                            .waits = waits_sm,
                                            .live = live_sm};

/* ---- the memory ---- */

uint64_t lsu_rig_delay(uint64_t latency, uint64_t spread, uint64_t line)
{
    return latency + (spread ? rng_mix(line) % spread : 0);
}

bool lsu_rig_says_shared(uint32_t shared, uint32_t n)
{
    return (rng_mix(n) & 255) < shared;
}

static void take_request(struct lsu_rig_memory *m, hd_cycle now)
{
    uint32_t id = (uint32_t)port_pop(m->from, now);
    struct request *r = &m->pool->at[id];
    request_mark(r, PART_SM, now * m->c.period);
    CHECK(m->nheld < RIG_REQUESTS && m->nseen < m->max_seen);
    m->seen[m->nseen] = *r;
    if (lsu_rig_says_shared(m->shared, m->nseen++))
        r->flags |= REQUEST_SHARED;
    m->held[m->nheld++] =
        (struct lsu_rig_held){now + lsu_rig_delay(m->latency, m->spread, r->line), id};
}

static uint32_t first_due(const struct lsu_rig_memory *m)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < m->nheld; i++)
        if (m->held[i].due < m->held[best].due)
            best = i;
    return best;
}

static void give_answer(struct lsu_rig_memory *m, hd_cycle now, uint32_t i)
{
    request_mark(&m->pool->at[m->held[i].id], PART_DRAM, now * m->c.period);
    port_push(m->to, now, m->held[i].id);
    m->nheld--;
    for (; i < m->nheld; i++)
        m->held[i] = m->held[i + 1];
}

static hd_cycle tick_memory(struct component *c, hd_cycle now)
{
    struct lsu_rig_memory *m = (struct lsu_rig_memory *)c;
    if (m->nheld && m->held[first_due(m)].due <= now)
        give_answer(m, now, first_due(m));
    if (port_has(m->from, now) && now % m->every == 0)
        take_request(m, now);
    hd_cycle next = port_ready(m->from);
    next = next < now + 1 ? now + 1 : next;
    if (next != HD_NEVER)
        next = (next + m->every - 1) / m->every * m->every;
    if (m->nheld)
        next = earlier(next, m->held[first_due(m)].due);
    return next > now ? next : now + 1;
}

static const struct component_ops memory_ops = {.kind = "memory", .tick = tick_memory};

/* ---- all of it ---- */

static void build_lsu(struct lsu_rig *r, uint32_t requests)
{
    struct arena *a = r->arena;
    struct err e = {0};
    CHECK(lsu_check(r->cfg, &e));
    request_pool_init(&r->pool, a, 100 + requests);
    completions_init(&r->sm.completions, a, lsu_max_completions(r->cfg, RIG_WARPS));
    r->sm.lsu = lsu_new(a, &(struct lsu_options){.cfg = r->cfg,
                                                 .owner = &r->sm.c,
                                                 .pool = request_pool_part(&r->pool, 100, requests),
                                                 .completions = &r->sm.completions,
                                                 .sm = 7,
                                                 .max_warps = RIG_WARPS,
                                                 .local_base = RIG_LOCAL_BASE,
                                                 .param_base = RIG_PARAM_BASE});
    for (uint32_t w = 0; w < RIG_WARPS; w++)
        lsu_set_warp(r->sm.lsu, w, &(struct lsu_warp){10 + w, 3, 62, 0});
}

static void build_config(struct lsu_rig *r, const char *const *set)
{
    static const struct cfg_section *const own[] = {&shared_section, &l1_section, &constant_section,
                                                    &texture_section};
    enum { OWN = 4, SECTIONS = 20 };
    struct err e = {0};
    const struct cfg_section **all = ARENA_ARRAY(r->arena, const struct cfg_section *, SECTIONS);
    memcpy(all, own, sizeof own);
    r->cfg = config_new(r->arena, all, OWN + cache_policy_sections(all + OWN, SECTIONS - OWN));
    for (; set && *set; set++)
        CHECK(config_set(r->cfg, *set, &e));
}

void lsu_rig_open(struct lsu_rig *r, const struct lsu_rig_options *opt)
{
    *r = (struct lsu_rig){.arena = arena_new()};
    struct arena *a = r->arena;
    uint32_t steps = opt->steps ? opt->steps : 64;
    build_config(r, opt->set);
    r->sm.c = (struct component){.ops = &sm_ops, .path = "sm"};
    r->memory.c = (struct component){.ops = &memory_ops, .path = "memory"};
    r->memory.latency = opt->latency;
    r->memory.spread = opt->spread;
    r->memory.every = opt->every ? opt->every : 1;
    r->memory.shared = opt->shared;
    r->memory.max_seen = steps * LSU_ACCESSES;
    r->memory.seen = ARENA_ARRAY(a, struct request, r->memory.max_seen);
    r->memory.pool = &r->pool;
    r->sm.step = ARENA_ARRAY(a, struct lsu_rig_step, steps);
    r->sm.issued = ARENA_ARRAY(a, hd_cycle, steps);
    r->sm.max_events = steps * (2 + LSU_ACCESSES);
    r->sm.event = ARENA_ARRAY(a, struct lsu_rig_event, r->sm.max_events);
    r->engine = engine_new(a, opt->engine);
    engine_add(r->engine, &r->sm.c, opt->period ? opt->period : 1);
    engine_add(r->engine, &r->memory.c, opt->period ? opt->period : 1);
    build_lsu(r, opt->requests ? opt->requests : RIG_REQUESTS);
    struct port_end sm = {&r->sm.c, 0}, memory = {&r->memory.c, 0};
    port_init(&r->out, a, opt->depth ? opt->depth : 8, 1, sm, memory);
    port_init(&r->in, a, 2 * RIG_REQUESTS, opt->back ? opt->back : 1, memory, sm);
    r->memory.from = &r->out;
    r->memory.to = &r->in;
    lsu_connect(r->sm.lsu, &r->out, &r->in);
}

void lsu_rig_close(struct lsu_rig *r)
{
    arena_free(r->arena);
}

struct lsu_rig_step *lsu_rig_add(struct lsu_rig *r, hd_cycle at, uint32_t flags, uint32_t space,
                                 uint64_t base)
{
    struct lsu_rig_step *s = &r->sm.step[r->sm.nsteps];
    s->at = at;
    s->insn.flags = (uint16_t)(flags | INSN_MEM);
    s->insn.space = (uint8_t)space;
    s->op.insn = r->sm.nsteps++;
    s->op.nsets = 1;
    s->op.access[0] =
        (struct stream_access){.pattern = PATTERN_STRIDE, .space = (uint8_t)space, .base = base};
    lsu_rig_lanes(s, 4, space == STREAM_LOCAL ? 0 : 4, UINT32_MAX);
    return s;
}

void lsu_rig_lanes(struct lsu_rig_step *s, uint32_t size, int64_t stride, uint32_t mask)
{
    s->insn.size = (uint8_t)size;
    s->op.active = s->op.mask = s->op.access[0].mask = mask;
    s->op.access[0].stride = stride;
    s->op.access[0].pattern = stride ? PATTERN_STRIDE : PATTERN_UNIFORM;
}

void lsu_rig_run(struct lsu_rig *r, hd_cycle until)
{
    struct err e = {0};
    component_wake(&r->sm.c, engine_now(r->engine));
    component_wake(&r->memory.c, engine_now(r->engine));
    enum engine_stop stop = engine_run(r->engine, until, &e);
    CHECK_STR(e.text, "");
    CHECK(stop == (until == HD_NEVER ? ENGINE_IDLE : ENGINE_REACHED) || stop == ENGINE_IDLE);
    CHECK(engine_audit(r->engine, &e));
    if (until != HD_NEVER)
        return;
    CHECK(lsu_is_idle(r->sm.lsu));
    CHECK_EQ(lsu_live(r->sm.lsu), 0);
    for (uint32_t w = 0; w < RIG_WARPS; w++)
        CHECK_EQ(lsu_outstanding(r->sm.lsu, w), 0);
    CHECK_EQ(r->sm.completions.live, 0);
}

hd_cycle lsu_rig_usable(const struct lsu_rig *r, uint32_t step)
{
    hd_cycle at = HD_NEVER;
    for (uint32_t i = 0; i < r->sm.nevents; i++)
        if (r->sm.event[i].insn == step) {
            CHECK(at == HD_NEVER);
            CHECK_EQ(r->sm.event[i].warp, r->sm.step[step].warp);
            at = r->sm.event[i].at;
        }
    return at;
}
