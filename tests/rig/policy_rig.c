#include "rig/policy_rig.h"

#include <math.h>

#include "base/rng.h"
#include "check.h"
#include "sim/stats_snapshot.h"

enum { LINE = 128, SECTIONS = 16, STEPS = 4000 };

void policy_rig_open(struct policy_rig *r, const struct policy_rig_options *opt)
{
    struct err e = {0};
    *r = (struct policy_rig){.arena = arena_new()};
    const struct cfg_section **all = ARENA_ARRAY(r->arena, const struct cfg_section *, SECTIONS);
    r->cfg = config_new(r->arena, all, cache_policy_sections(all, SECTIONS));
    for (const char *const *s = opt->set; s && *s; s++)
        CHECK(config_set(r->cfg, *s, &e));
    CHECK(cache_policy_check(r->cfg, NULL, opt->policy, &e));
    tags_init(&r->tags, r->arena, opt->made_sets ? opt->made_sets : opt->sets, opt->ways, LINE,
              false);
    follow_init(&r->tags, r->arena, opt->policy,
                &(struct follow_site){POLICY_RIG_INSTANCE, POLICY_RIG_SMS, r->cfg});
    tags_resize(&r->tags, opt->sets);
}

void policy_rig_close(struct policy_rig *r)
{
    arena_free(r->arena);
}

static struct cache_ask ask_for(const struct policy_rig *r, uint64_t line)
{
    return (struct cache_ask){.line = line * LINE, .set = tags_set(&r->tags, line * LINE)};
}

static void touch(struct policy_rig *r, const struct cache_ask *ask, uint32_t i)
{
    if (r->tags.policy)
        follow_used(&r->tags, ask, i);
    else
        tags_touch(&r->tags, i);
}

static uint32_t choose(const struct policy_rig *r, const struct cache_ask *ask)
{
    return r->tags.policy ? follow_victim(&r->tags, ask) : tags_victim_in(&r->tags, ask->set);
}

static void take(struct policy_rig *r, const struct cache_ask *ask, uint32_t i)
{
    if (r->tags.policy)
        follow_take(&r->tags, ask, i);
    else
        tags_take(&r->tags, i, ask->line);
    r->tags.line[i].state = TAG_VALID;
}

uint32_t policy_rig_use(struct policy_rig *r, uint64_t line)
{
    struct cache_ask ask = ask_for(r, line);
    uint32_t i = tags_find(&r->tags, ask.line);
    if (i != TAGS_NONE) {
        touch(r, &ask, i);
        return i % r->tags.ways;
    }
    i = choose(r, &ask);
    CHECK_EQ(choose(r, &ask), i); /* asking changes nothing */
    if (i == TAGS_NONE)
        return TAGS_NONE;
    take(r, &ask, i);
    return i % r->tags.ways;
}

uint32_t policy_rig_ask(struct policy_rig *r, uint64_t line, struct cache_ask who)
{
    struct tags *t = &r->tags;
    who.line = line * LINE;
    who.set = tags_set(t, who.line);
    uint32_t i = tags_find(t, who.line);
    if (i != TAGS_NONE) {
        follow_used(t, &who, i);
        return i % t->ways;
    }
    if (follow_passes(t, &who))
        return POLICY_RIG_PASSED;
    bool is_kept = follow_keeps(t, &who);
    CHECK_EQ(follow_keeps(t, &who), is_kept); /* asking changes nothing */
    i = is_kept ? follow_victim(t, &who) : TAGS_NONE;
    if (!is_kept)
        follow_refused(t, &who);
    else if (i != TAGS_NONE)
        take(r, &who, i);
    who.waited = 1;
    follow_came(t, &who, i);
    return is_kept ? i % t->ways : POLICY_RIG_REFUSED;
}

void policy_rig_use_all(struct policy_rig *r, const char *lines)
{
    for (; *lines; lines++)
        policy_rig_use(r, (uint64_t)*lines);
}

uint64_t policy_rig_counted(struct policy_rig *r, const char *name)
{
    struct stats *tree = stats_new(r->arena);
    follow_add_stats(&r->tags, arena_printf(r->arena, "%.2s", name), NULL, tree);
    double v = stats_snapshot_value(stats_snapshot(tree, r->arena), name);
    if (isnan(v))
        print_error("no statistic %s\n", name);
    CHECK(!isnan(v));
    return (uint64_t)v;
}

void policy_rig_hold(struct policy_rig *r, uint64_t line, bool is_held)
{
    uint32_t i = tags_find(&r->tags, line * LINE);
    r->tags.line[i].state = is_held ? TAG_RESERVED : TAG_VALID;
}

void policy_rig_drop(struct policy_rig *r, uint64_t line)
{
    tags_drop(&r->tags, tags_find(&r->tags, line * LINE));
}

const char *policy_rig_text(struct policy_rig *r, uint32_t set)
{
    char *text = ARENA_ARRAY(r->arena, char, r->tags.ways + 1);
    for (uint32_t w = 0; w < r->tags.ways; w++) {
        uint64_t tag = r->tags.tag[set * r->tags.ways + w];
        text[w] = tag ? (char)(tag - 1) : '-';
    }
    return text;
}

/* ---- beside a model ---- */

struct pair {
    struct policy_rig rig;
    const struct policy_model *m;
    uint64_t key;
};

static void drop_some(struct pair *p, uint32_t i)
{
    const struct tags *t = &p->rig.tags;
    if (t->line[i].state != TAG_VALID)
        return;
    tags_drop(&p->rig.tags, i);
    if (p->m->dropped)
        p->m->dropped(p->m->state, i / t->ways, i % t->ways);
}

static uint32_t expect_victim(struct pair *p, uint32_t set)
{
    const struct tags *t = &p->rig.tags;
    bool may_leave[POLICY_MODEL_WAYS] = {false}, can = false;
    for (uint32_t w = 0; w < t->ways; w++) {
        const struct tags_line *l = &t->line[set * t->ways + w];
        if (l->state == TAG_INVALID)
            return w;
        may_leave[w] = l->state == TAG_VALID;
        can = can || may_leave[w];
    }
    return can ? p->m->victim(p->m->state, set, may_leave) : TAGS_NONE;
}

static void step(struct pair *p, uint64_t n)
{
    struct tags *t = &p->rig.tags;
    uint64_t key = rng_key(p->key, n), what = rng_below(rng_at(key, 0), 20);
    uint32_t lines = t->sets * t->ways, any = rng_below(rng_at(key, 1), lines);
    uint64_t line = rng_below(rng_at(key, 2), 1 + lines * (n / 500 % 2 ? 3 : 2));
    if (what == 0)
        drop_some(p, any);
    if (what >= 1 && what <= 3 && t->line[any].state == TAG_RESERVED)
        t->line[any].state = TAG_VALID;
    struct cache_ask ask = ask_for(&p->rig, line);
    uint32_t found = tags_find(t, ask.line);
    uint32_t expected = found == TAGS_NONE ? expect_victim(p, ask.set) : found % t->ways;
    uint32_t way = policy_rig_use(&p->rig, line);
    CHECK_EQ(way, expected);
    if (way == TAGS_NONE)
        return;
    void (*tell)(void *, uint32_t, uint32_t) = found == TAGS_NONE ? p->m->filled : p->m->used;
    if (tell)
        tell(p->m->state, ask.set, way);
    if (what >= 18)
        t->line[ask.set * t->ways + way].state = TAG_RESERVED;
}

void policy_rig_compare(const struct policy_rig_options *opt, const struct policy_model *m,
                        uint64_t seed)
{
    struct pair p = {.m = m, .key = rng_key(seed, opt->ways)};
    CHECK(opt->sets <= POLICY_MODEL_SETS && opt->ways <= POLICY_MODEL_WAYS);
    policy_rig_open(&p.rig, opt);
    for (uint64_t n = 0; n < STEPS; n++)
        step(&p, n);
    policy_rig_close(&p.rig);
}
