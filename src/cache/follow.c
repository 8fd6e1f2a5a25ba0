/* follow.c - what a tag array asks of its policy, and what it tells it.
 *
 * An invalid line is always taken before any other leaves, whatever the policy.  The order of use is
 * kept under every policy, for those that choose by it.
 *
 * Not modelled: the time that a choice takes, and the bits of its state. */
#include "cache/follow.h"

#include <string.h>

#include "base/bytes.h"

uint64_t follow_instance(const char *path, uint32_t which)
{
    return bytes_hash(which, path, strlen(path));
}

void follow_init(struct tags *t, struct arena *a, const char *policy, uint64_t instance,
                 const struct config *cfg)
{
    const struct cache_policy *p = cache_policy_find(policy);
    HD_ASSERT(p, "no cache policy \"%s\"", policy);
    struct cache_shape shape = {t->sets, t->ways, instance};
    bool acts = cache_policy_refuses(p) || p->victim || p->used || p->filled || p->dropped;
    t->policy = acts ? p : NULL;
    t->state = acts && p->init ? p->init(a, &shape, cfg) : NULL;
}

bool follow_passes(const struct tags *t, const struct cache_ask *ask)
{
    return ask->kind <= REQUEST_WRITE && t->policy->passes && t->policy->passes(t->state, ask);
}

bool follow_keeps(const struct tags *t, const struct cache_ask *ask)
{
    return !t->policy->keeps || t->policy->keeps(t->state, ask);
}

static uint32_t choose(const struct tags *t, const struct cache_ask *ask)
{
    struct cache_set set = {ask->set * t->ways, t->ways, t->line + (uint64_t)ask->set * t->ways};
    uint32_t way = t->policy->victim(t->state, ask, &set);
    HD_ASSERT(way < t->ways && cache_may_leave(&set, way), "%s: way %u of set %u cannot leave",
              t->policy->name, way, ask->set);
    return set.first + way;
}

uint32_t follow_victim(const struct tags *t, const struct cache_ask *ask)
{
    uint32_t lru = tags_victim_in(t, ask->set);
    bool is_settled = lru == TAGS_NONE || t->line[lru].state == TAG_INVALID;
    return is_settled || !t->policy->victim ? lru : choose(t, ask);
}

void follow_used(struct tags *t, const struct cache_ask *ask, uint32_t i)
{
    tags_touch(t, i);
    if (t->policy->used)
        t->policy->used(t->state, ask, i);
}

void follow_take(struct tags *t, const struct cache_ask *ask, uint32_t i)
{
    tags_take(t, i, ask->line);
    if (t->policy->filled)
        t->policy->filled(t->state, ask, i);
}
