/* policy.c - the registry of warp schedulers. */
#include "sm/policy.h"

#include <stddef.h>
#include <string.h>

#include "sim/config.h"

#define WARP_POLICY(id) extern const struct warp_policy warp_policy_##id;
#include "sm/policies.def"
#undef WARP_POLICY

const struct warp_policy *const warp_policy_all[] = {
#define WARP_POLICY(id) &warp_policy_##id,
#include "sm/policies.def"
#undef WARP_POLICY
};
const int warp_policy_count = (int)(sizeof warp_policy_all / sizeof warp_policy_all[0]);

const struct warp_policy *warp_policy_find(const char *name)
{
    for (int i = 0; i < warp_policy_count; i++)
        if (strcmp(warp_policy_all[i]->name, name) == 0)
            return warp_policy_all[i];
    return NULL;
}

int warp_policy_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < warp_policy_count; i++)
        n = config_add_section(all, n, room, warp_policy_all[i]->section);
    return n;
}
