/* kind_noc_cost.c - a network priced: no traffic, nothing is timed (machine/cost_values.h). */
#include "lab/lab.h"
#include "study/kind_priced.h"

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct cost_values *v = ARENA_NEW(r->arena, struct cost_values);
    return cost_values_of_network(r->config, r->arena, v, e) ? v : NULL;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct cost_values c;
    if (!cost_values_of_network(r->config, r->arena, &c, e))
        return false;
    *v = kind_priced_values(&c, r->arena);
    return true;
}

const struct study_kind kind_noc_cost = {.name = "noc_cost",
                                         .help = "the network priced: area, power, clock",
                                         .what = "the cost",
                                         .is_of_network = true,
                                         .config = lab_config,
                                         .try_out = try_out,
                                         .knows = kind_priced_knows,
                                         .names = kind_priced_names,
                                         .run = run};
