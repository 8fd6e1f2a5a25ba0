/* kind_saturation.c - how much a network takes of a pattern of traffic: the search of heddle noc
 * --saturation, to measure.step (lab/point.h). */
#include <math.h>
#include <string.h>

#include "study/kind_point.h"
#include "study/kind_tree.h"

enum { OWN = 3, VALUES = OWN + 2 * KIND_POINT_VALUES };

/* Where no load settles there is no knee. */
static struct kind_values values_of(const struct saturation *s, struct arena *a)
{
    struct kind_values v = kind_values_new(a, VALUES);
    kind_values_add(&v, "saturation", s->peak.accepted);
    kind_values_add(&v, "saturation.at", s->peak.offered);
    kind_values_add(&v, "knee", s->knee.settled ? s->knee.offered : (double)NAN);
    kind_point_add(&v, &s->peak, "peak.", a);
    kind_point_add(&v, &s->knee, "knee.", a);
    return v;
}

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct kind_values *v = ARENA_NEW(r->arena, struct kind_values);
    struct lab *l = lab_new(r->config, lab_max_rate(r->config), (struct lab_options){0}, e);
    if (!l)
        return NULL;
    lab_free(l);
    *v = values_of(&(struct saturation){0}, r->arena);
    return v;
}

static bool knows(const void *trial, const char *name)
{
    const struct kind_values *v = trial;
    for (uint32_t i = 0; i < v->n; i++)
        if (strcmp(v->names[i], name) == 0)
            return true;
    return false;
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    const struct kind_values *v = trial;
    uint32_t n = v->n < most ? v->n : most;
    (void)a;
    memcpy(all, v->names, n * sizeof *all);
    return n;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    const struct measure_spec *m = config_get(r->config, &measure_section);
    struct saturation found;
    if (!point_saturation(r->config, m->step, (struct lab_options){0}, &found, e))
        return false;
    *v = values_of(&found, r->arena);
    v->digest = found.peak.digest ^ found.knee.digest;
    return true;
}

const struct study_kind kind_saturation = {.name = "saturation",
                                           .help = "the highest load that a network takes, and "
                                                   "the highest that settles",
                                           .what = "the search for saturation",
                                           .is_of_network = true,
                                           .seconds = 30,
                                           .cost = &kind_noc_cost,
                                           .config = lab_config,
                                           .try_out = try_out,
                                           .knows = knows,
                                           .names = names,
                                           .run = run};
