/* policy.c - the registry of cache policies. */
#include "cache/policy.h"

#include <string.h>

#include "base/str.h"

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
    for (int i = 0; i < COUNT; i++) {
        if (!cache_policy_all[i]->section)
            continue;
        HD_ASSERT(n < room, "more than %d sections", room);
        all[n++] = cache_policy_all[i]->section;
    }
    return n;
}

bool cache_policy_check(const struct config *cfg, const struct cfg_section *cache,
                        const char *replacement, struct err *e)
{
    const struct cache_policy *p = cache_policy_find(replacement);
    const char *names[COUNT];
    if (p)
        return !p->check || p->check(cfg, e);
    for (int i = 0; i < COUNT; i++)
        names[i] = cache_policy_all[i]->name;
    const char *near = str_nearest(replacement, names, COUNT);
    return config_blame(cfg, e, cache, "replacement", "no cache policy \"%s\"%s%s%s", replacement,
                        near ? "; did you mean " : " (heddle list policies)", near ? near : "",
                        near ? "?" : "");
}
