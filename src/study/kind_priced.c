/* kind_priced.c - see kind_priced.h. */
#include "study/kind_priced.h"

#include <string.h>

bool kind_priced_knows(const void *trial, const char *name)
{
    const struct cost_values *v = trial;
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->all[i].name, name) == 0)
            return true;
    return false;
}

uint32_t kind_priced_names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    const struct cost_values *v = trial;
    uint32_t n = 0;
    (void)a;
    for (; n < v->n && n < most; n++)
        all[n] = v->all[n].name;
    return n;
}

struct kind_values kind_priced_values(const struct cost_values *c, struct arena *a)
{
    struct kind_values v = {.names = ARENA_ARRAY(a, const char *, c->n + 1),
                            .values = ARENA_ARRAY(a, double, c->n + 1),
                            .n = c->n};
    for (uint32_t i = 0; i < c->n; i++) {
        v.names[i] = c->all[i].name;
        v.values[i] = c->all[i].value;
    }
    return v;
}
