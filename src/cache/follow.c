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

static bool acts(const struct cache_policy *p)
{
    return cache_policy_refuses(p) || p->victim || p->is_shared || p->used || p->filled ||
           p->came || p->dropped;
}

void follow_init(struct tags *t, struct arena *a, const char *policy,
                 const struct follow_site *site)
{
    const struct cache_policy *p = cache_policy_find(policy);
    HD_ASSERT(p, "no cache policy \"%s\"", policy);
    struct cache_shape shape = {
        .sets = t->sets, .ways = t->ways, .sms = site->sms, .instance = site->instance, .tags = t};
    t->policy = acts(p) ? p : NULL;
    t->state = t->policy && p->init ? p->init(a, &shape, site->cfg) : NULL;
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
    if (t->policy->filled)
        t->policy->filled(t->state, ask, i);
    tags_take(t, i, ask->line);
}

void follow_came(struct tags *t, const struct cache_ask *ask, uint32_t i)
{
    if (t->policy->came)
        t->policy->came(t->state, ask, i);
}

void follow_refused(struct tags *t, const struct cache_ask *ask)
{
    if (t->policy->refused)
        t->policy->refused(t->state, ask);
}

void follow_launched(struct tags *t, uint32_t program)
{
    if (tags_has_policy(t) && t->policy->launched)
        t->policy->launched(t->state, program);
}

void follow_settle(struct tags *t, hd_cycle now)
{
    if (tags_has_policy(t) && t->policy->settle)
        t->policy->settle(t->state, now);
}

void follow_add_stats(const struct tags *t, const char *cache, const char *instance,
                      struct stats *tree)
{
    if (tags_has_policy(t) && t->policy->add_stats)
        t->policy->add_stats(t->state, cache, instance, tree);
}

bool follow_audit(const struct tags *t, const char *path, struct err *e)
{
    struct err why = {0};
    if (!tags_has_policy(t) || !t->policy->audit || t->policy->audit(t->state, &why))
        return true;
    return err_set(e, STATUS_FAILED, "%s: %s: %s", path, t->policy->name, why.text);
}
