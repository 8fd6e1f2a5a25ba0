/* kind_cost.c - a machine priced: no workload, nothing is timed (machine/cost_values.h). */
#include <string.h>

#include "machine/cost_values.h"
#include "study/kind.h"

static void *try_out(const struct config *cfg, struct arena *a, struct err *e)
{
    struct cost_values *v = ARENA_NEW(a, struct cost_values);
    return cost_values_of(cfg, a, v, e) ? v : NULL;
}

static bool knows(const void *trial, const char *name)
{
    const struct cost_values *v = trial;
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->all[i].name, name) == 0)
            return true;
    return false;
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    const struct cost_values *v = trial;
    uint32_t n = 0;
    (void)a;
    for (; n < v->n && n < most; n++)
        all[n] = v->all[n].name;
    return n;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct cost_values c;
    if (!cost_values_of(r->config, r->arena, &c, e))
        return false;
    *v = (struct kind_values){.names = ARENA_ARRAY(r->arena, const char *, c.n + 1),
                              .values = ARENA_ARRAY(r->arena, double, c.n + 1),
                              .n = c.n};
    for (uint32_t i = 0; i < c.n; i++) {
        v->names[i] = c.all[i].name;
        v->values[i] = c.all[i].value;
    }
    return true;
}

const struct study_kind kind_cost = {.name = "cost",
                                     .help = "the machine priced: area, power, storage, clock",
                                     .what = "the cost",
                                     .try_out = try_out,
                                     .knows = knows,
                                     .names = names,
                                     .run = run};
