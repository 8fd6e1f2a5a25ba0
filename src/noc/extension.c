/* extension.c - the table of router extensions, expanded from extensions.def. */
#include "noc/extension.h"

#include <string.h>

#include "noc/net.h"

#define ROUTER_EXTENSION(id) extern const struct router_extension router_extension_##id;
#include "noc/extensions.def"
#undef ROUTER_EXTENSION

const struct router_extension *const router_extension_all[] = {
#define ROUTER_EXTENSION(id) &router_extension_##id,
#include "noc/extensions.def"
#undef ROUTER_EXTENSION
};

enum { COUNT = sizeof router_extension_all / sizeof router_extension_all[0] };

const int router_extension_count = COUNT;

const struct router_extension *router_extension_find(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(name, router_extension_all[i]->name) == 0)
            return router_extension_all[i];
    return NULL;
}

static const char *extension_name(int i)
{
    return i < COUNT ? router_extension_all[i]->name : "none";
}

static bool blame_name(const struct config *cfg, const char *name, struct err *e)
{
    const struct cfg_registry all = {"router extension", "policies", COUNT + 1, extension_name};
    return config_no_such(cfg, e, &router_section, "extension", name, &all);
}

bool router_extension_check(const struct config *cfg, const struct graph *g, uint32_t vclasses,
                            struct err *e)
{
    const struct router_spec *s = config_get(cfg, &router_section);
    const struct router_extension *x = router_extension_find(s->extension);
    if (strcmp(s->extension, "none") == 0)
        return true;
    if (!x)
        return blame_name(cfg, s->extension, e);
    return !x->check || x->check(cfg, g, vclasses, e);
}
