/* kind_cost.c - a machine priced: no workload, nothing is timed (machine/cost_values.h). */
#include "machine/machine.h"
#include "study/kind_priced.h"

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct cost_values *v = ARENA_NEW(r->arena, struct cost_values);
    return cost_values_of(r->config, r->arena, v, e) ? v : NULL;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct cost_values c;
    if (!cost_values_of(r->config, r->arena, &c, e))
        return false;
    *v = kind_priced_values(&c, r->arena);
    return true;
}

const struct study_kind kind_cost = {.name = "cost",
                                     .help = "the machine priced: area, power, storage, clock",
                                     .what = "the cost",
                                     .config = machine_config,
                                     .try_out = try_out,
                                     .knows = kind_priced_knows,
                                     .names = kind_priced_names,
                                     .run = run};
