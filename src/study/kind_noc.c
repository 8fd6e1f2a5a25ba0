/* kind_noc.c - a network under synthetic traffic at the load traffic.rate: one point, as heddle noc
 * measures it (lab/point.h). */
#include <string.h>

#include "study/kind_point.h"
#include "study/kind_tree.h"

struct trial {
    struct lab *lab;
    const struct stats *stats;
    const struct stats_snapshot *snapshot;
    struct kind_values own; /* names alone */
};

static struct stats *stats_of(const struct lab *l, struct arena *a)
{
    struct stats *t = stats_new(a);
    lab_add_stats(l, t);
    return t;
}

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct trial *t = ARENA_NEW(r->arena, struct trial);
    t->lab = lab_new(r->config, kind_point_rate(r->config), (struct lab_options){0}, e);
    if (!t->lab)
        return NULL;
    t->stats = stats_of(t->lab, r->arena);
    t->snapshot = stats_snapshot(t->stats, r->arena);
    t->own = kind_values_new(r->arena, KIND_POINT_VALUES);
    kind_point_add(&t->own, &(struct point){0}, "", r->arena);
    return t;
}

static bool knows(const void *trial, const char *name)
{
    const struct trial *t = trial;
    for (uint32_t i = 0; i < t->own.n; i++)
        if (strcmp(t->own.names[i], name) == 0)
            return true;
    return stats_snapshot_has(t->snapshot, name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    const struct trial *t = trial;
    uint32_t n = 0;
    for (; n < t->own.n && n < most; n++)
        all[n] = t->own.names[n];
    return kind_tree_names(t->stats, all, n, most, a);
}

static void forget(void *trial)
{
    lab_free(((struct trial *)trial)->lab);
}

static double out_load(const void *lab, int net, uint32_t port)
{
    return noc_channel_load(lab_network(lab, net), port);
}

static double in_load(const void *lab, int net, uint32_t port)
{
    return noc_in_load(lab_network(lab, net), port);
}

static struct kind_values values_of(const struct lab *l, const struct point *p, struct arena *a)
{
    const struct stats_snapshot *s = stats_snapshot(stats_of(l, a), a);
    struct kind_links links = {lab_fabric(l), out_load, in_load, l};
    struct kind_values v = kind_values_new(a, KIND_POINT_VALUES + kind_tree_room(s, a) +
                                                  kind_links_room(links.fabric));
    kind_point_add(&v, p, "", a);
    kind_tree_add(&v, s, a);
    kind_links_add(&v, &links, a);
    v.cycles = p->cycles;
    v.digest = p->digest;
    return v;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct point p;
    struct lab *l = NULL;
    double rate = kind_point_rate(r->config);
    if (!point_run(r->config, rate, (struct lab_options){0}, &p, &l, e))
        return false;
    *v = values_of(l, &p, r->arena);
    lab_free(l);
    return true;
}

const struct study_kind kind_noc = {.name = "noc",
                                    .help = "a network under synthetic traffic at traffic.rate",
                                    .what = "the network",
                                    .is_of_network = true,
                                    .seconds = 2,
                                    .cost = &kind_noc_cost,
                                    .config = lab_config,
                                    .try_out = try_out,
                                    .knows = knows,
                                    .names = names,
                                    .end = forget,
                                    .run = run};
