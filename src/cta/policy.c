/* policy.c - the registry of CTA schedulers. */
#include "cta/policy.h"

#include <string.h>

#include "base/str.h"
#include "sim/config.h"

#define CTA_POLICY(id) extern const struct cta_policy cta_policy_##id;
#include "cta/policies.def"
#undef CTA_POLICY

const struct cta_policy *const cta_policy_all[] = {
#define CTA_POLICY(id) &cta_policy_##id,
#include "cta/policies.def"
#undef CTA_POLICY
};
const int cta_policy_count = (int)(sizeof cta_policy_all / sizeof cta_policy_all[0]);

const struct cta_policy *cta_policy_find(const char *name)
{
    for (int i = 0; i < cta_policy_count; i++) {
        const struct cta_policy *p = cta_policy_all[i];
        if (strcmp(p->name, name) == 0 || (p->alias && str_is_word(name, p->alias)))
            return p;
    }
    return NULL;
}

int cta_policy_sections(const struct cfg_section **all, int room)
{
    int n = 0;
    for (int i = 0; i < cta_policy_count; i++)
        n = config_add_section(all, n, room, cta_policy_all[i]->section);
    return n;
}
