#include "rig/spy_policy.h"

static bool keeps(const void *state, const struct cache_ask *ask)
{
    (void)ask;
    return ((const struct spy_policy *)state)->keeps;
}

static bool is_shared(const void *state, uint32_t line)
{
    (void)line;
    return ((const struct spy_policy *)state)->says_shared;
}

static struct spy_policy *heard(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct spy_policy *s = state;
    s->ask = *ask;
    s->line = line;
    return s;
}

static void used(void *state, const struct cache_ask *ask, uint32_t line)
{
    heard(state, ask, line)->used++;
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct spy_policy *s = heard(state, ask, line);
    bool is_there = s->tags->line[line].state != TAG_INVALID;
    s->filled++;
    s->left = is_there ? tags_address(s->tags, line) : UINT64_MAX;
}

static void came(void *state, const struct cache_ask *ask, uint32_t line)
{
    heard(state, ask, line)->came++;
}

static void refused(void *state, const struct cache_ask *ask)
{
    heard(state, ask, TAGS_NONE)->refused++;
}

static void dropped(void *state, uint32_t line)
{
    (void)line;
    ((struct spy_policy *)state)->dropped++;
}

static void launched(void *state, uint32_t program)
{
    struct spy_policy *s = state;
    s->launched++;
    s->program = program;
}

static void settle(void *state, hd_cycle now)
{
    struct spy_policy *s = state;
    s->settled++;
    s->ask.now = now;
}

static bool audit(const void *state, struct err *e)
{
    const struct spy_policy *s = state;
    return !s->is_broken || err_set(e, STATUS_FAILED, "broken");
}

static const struct cache_policy spy_policy = {.name = "spy",
                                               .keeps = keeps,
                                               .is_shared = is_shared,
                                               .used = used,
                                               .filled = filled,
                                               .came = came,
                                               .refused = refused,
                                               .dropped = dropped,
                                               .launched = launched,
                                               .settle = settle,
                                               .audit = audit};

void spy_policy_attach(struct spy_policy *s, struct tags *t)
{
    s->tags = t;
    t->policy = &spy_policy;
    t->state = s;
}
