/* list_values.c - see list_values.h. */
#include "cli/list_values.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cache/policy.h"
#include "cta/partition.h"
#include "cta/policy.h"
#include "dram/scheduler.h"
#include "lab/lab.h"
#include "libheddle_gpu.h"
#include "noc/extension.h"
#include "sm/policy.h"
#include "traffic/pattern.h"

#define NAMES_OF(registry)                                                                         \
    static const char *registry##_name(int i)                                                      \
    {                                                                                              \
        return i < registry##_count ? registry##_all[i]->name : NULL;                              \
    }
NAMES_OF(cta_policy)
NAMES_OF(partition)
NAMES_OF(warp_policy)
NAMES_OF(scheduler)
NAMES_OF(cache_policy)
NAMES_OF(router_extension)
NAMES_OF(topology)
NAMES_OF(pattern)

/* Which registry a parameter takes its names from. */
static const struct {
    const char *keys;
    const char *(*name)(int i);
} registries[] = {
    {"gpu.cta_scheduler", cta_policy_name},
    {"gpu.partition", partition_name},
    {"sm.scheduler", warp_policy_name},
    {"mc.scheduler", scheduler_name},
    {"l1.replacement|constant.replacement|texture.replacement|icc.replacement|l2.replacement",
     cache_policy_name},
    {"router.extension", router_extension_name},
    {"noc.topology", topology_name},
    {"traffic.pattern", pattern_name},
};
enum { NREGISTRIES = sizeof registries / sizeof registries[0] };

static void print_words(const char *words)
{
    for (; *words; words += strspn(words, "|")) {
        size_t n = strcspn(words, "|");
        printf("%.*s\n", (int)n, words);
        words += n;
    }
}

static void print_names(const char *key)
{
    const char *name;
    for (int r = 0; r < NREGISTRIES; r++)
        for (int i = 0; str_is_word(key, registries[r].keys) && (name = registries[r].name(i)); i++)
            puts(name);
}

bool list_values(const char *parameter, struct err *e)
{
    struct arena *a = arena_new();
    const struct cfg_field *f = config_field(libheddle_any_config(a), parameter, e);
    if (f && f->type == CFG_CHOICE)
        print_words(f->unit);
    else if (f && f->type == CFG_BOOL)
        print_words("true|false");
    else if (f && f->type == CFG_STR)
        print_names(parameter);
    arena_free(a);
    return f != NULL;
}
