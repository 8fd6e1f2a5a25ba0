/* policy.c - the registry of cache policies. */
#include "cache/policy.h"

#include <string.h>

#define CACHE_POLICY(id) extern const struct cache_policy cache_policy_##id;
#include "cache/policies.def"
#undef CACHE_POLICY

const struct cache_policy *const cache_policy_all[] = {
#define CACHE_POLICY(id) &cache_policy_##id,
#include "cache/policies.def"
#undef CACHE_POLICY
};

enum { COUNT = sizeof cache_policy_all / sizeof cache_policy_all[0] };
const int cache_policy_count = COUNT;

const struct cache_policy *cache_policy_find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(cache_policy_all[i]->name, name) == 0)
            return cache_policy_all[i];
    return NULL;
}

int cache_policy_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < COUNT; i++)
        n = config_add_section(all, n, room, cache_policy_all[i]->section);
    return n;
}

static const char *policy_name(int i)
{
    return cache_policy_all[i]->name;
}

bool cache_policy_check(const struct config *cfg, const struct cfg_section *cache,
                        const char *replacement, struct err *e)
{
    const struct cache_policy *p = cache_policy_find(replacement);
    const struct cfg_registry all = {"cache policy", "policies", COUNT, policy_name};
    if (p)
        return !p->check || p->check(cfg, e);
    return config_no_such(cfg, e, cache, "replacement", replacement, &all);
}
