/* kind_launches.c - a program timed on a machine, from its recorded stream, each of its kernels
 * apart.
 *
 * What a statistic is over the launches of a kernel: the mean of what it is over each, of those that
 * have a value.  It goes by "kernel.KERNEL.NAME", which rows of one kernel ask for. */
#include <math.h>
#include <string.h>

#include "machine/results.h"
#include "study/kind_timed.h"
#include "study/kind_tree.h"

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct kind_timed *t = ARENA_NEW(r->arena, struct kind_timed);
    return kind_timed_try(r, t, e) ? t : NULL;
}

static bool knows(const void *trial, const char *name)
{
    return strcmp(name, "launches") == 0 || kind_timed_knows(trial, name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    return kind_timed_names(trial, all, most, a);
}

static void forget(void *trial)
{
    machine_free(((struct kind_timed *)trial)->machine);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Everything that is known of one launch, in an order that is the same for all. */
static struct kind_values values_of_launch(const struct results_scale *scale,
                                           const struct machine_kernel *k, struct arena *a)
{
    struct results_view view = results_of_kernel(scale, k, a);
    struct kind_values v = kind_values_new(a, results_nrows + kind_tree_room(view.values, a));
    for (size_t i = 0; i < results_nrows; i++)
        kind_values_add(&v, results_rows[i].name, results_rows[i].value(&view));
    kind_tree_add(&v, view.values, a);
    return v;
}

static bool is_first(const struct machine *m, uint32_t kernel)
{
    for (uint32_t i = 0; i < kernel; i++)
        if (strcmp(machine_kernel(m, i)->name, machine_kernel(m, kernel)->name) == 0)
            return false;
    return true;
}

/* Sums and numbers of values, over the launches of a kernel from its first one on. */
struct launches {
    struct kind_values first;
    uint32_t *counted;
    uint32_t n;
};

static void add_launch(struct launches *l, const struct kind_values *v)
{
    HD_ASSERT(v->n == l->first.n, "launches of a kernel with %u and %u values", v->n, l->first.n);
    for (uint32_t i = 0; i < v->n; i++) {
        bool is_there = !isnan(v->values[i]);
        if (is_there)
            l->first.values[i] = (l->counted[i] ? l->first.values[i] : 0) + v->values[i];
        l->counted[i] += is_there ? 1u : 0u;
    }
    l->n++;
}

static struct launches launches_of(const struct machine *m, uint32_t kernel,
                                   const struct results_scale *scale, struct arena *a)
{
    struct launches l = {.first = values_of_launch(scale, machine_kernel(m, kernel), a)};
    l.counted = ARENA_ARRAY(a, uint32_t, l.first.n + 1);
    for (uint32_t i = 0; i < l.first.n; i++)
        l.counted[i] = isnan(l.first.values[i]) ? 0u : 1u;
    l.n = 1;
    for (uint32_t i = kernel + 1; i < machine_nkernels(m); i++) {
        if (strcmp(machine_kernel(m, i)->name, machine_kernel(m, kernel)->name) != 0)
            continue;
        struct arena *scratch = arena_new();
        struct kind_values v = values_of_launch(scale, machine_kernel(m, i), scratch);
        add_launch(&l, &v);
        arena_free(scratch);
    }
    return l;
}

static void add_kernel(struct kind_values *v, const char *kernel, const struct launches *l,
                       struct arena *a)
{
    for (uint32_t i = 0; i < l->first.n; i++)
        kind_values_add(v, arena_printf(a, "kernel.%s.%s", kernel, l->first.names[i]),
                        l->counted[i] ? l->first.values[i] / l->counted[i] : (double)NAN);
    kind_values_add(v, arena_printf(a, "kernel.%s.launches", kernel), l->n);
}

static struct kind_values values_of(const struct machine *m, struct arena *a)
{
    struct results_scale scale;
    struct err unpriced = {0};
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < machine_nkernels(m); i++)
        kernels += is_first(m, i);
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    size_t each = results_nrows + kind_tree_room(stats_snapshot(machine_stats(m), a), a) + 1;
    struct kind_values v = kind_timed_values(m, kernels * each, a);
    for (uint32_t i = 0; i < machine_nkernels(m); i++) {
        if (!is_first(m, i))
            continue;
        struct launches l = launches_of(m, i, &scale, a);
        add_kernel(&v, machine_kernel(m, i)->name, &l, a);
    }
    return v;
}

/* ---------------------------------------------------------------------------------------------- */

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct machine *m = kind_timed_machine(r, e);
    struct stream_source *s = m ? stream_source_of_file(r->programs[0].stream, e) : NULL;
    bool ok = s && machine_run_source(m, s, e) && machine_finish(m, e);
    if (ok)
        *v = values_of(m, r->arena);
    stream_source_free(s);
    machine_free(m);
    return ok;
}

const struct study_kind kind_launches = {.name = "launches",
                                         .help = "one kernel of a workload timed on the machine",
                                         .what = "the machine",
                                         .most_programs = 1,
                                         .cost = &kind_cost,
                                         .config = machine_config,
                                         .try_out = try_out,
                                         .knows = knows,
                                         .names = names,
                                         .end = forget,
                                         .run = run};
