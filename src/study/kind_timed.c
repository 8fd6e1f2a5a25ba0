/* kind_timed.c - see kind_timed.h. */
#include "study/kind_timed.h"

#include <string.h>

#include "machine/results.h"
#include "study/kind_tree.h"

/* One program alone is not counted apart. */
struct machine *kind_timed_machine(const struct kind_run *r, struct err *e)
{
    struct machine_options o = {.nprograms = r->nprograms > 1 ? r->nprograms : 0};
    return machine_new(r->config, &o, e);
}

bool kind_timed_replay(struct machine *m, const char *path, struct err *e)
{
    struct stream_source *s = stream_source_of_file(path, e);
    bool ok = s && machine_run_source(m, s, e) && machine_finish(m, e);
    stream_source_free(s);
    return ok;
}

bool kind_timed_try(const struct kind_run *r, struct kind_timed *t, struct err *e)
{
    struct results_scale scale;
    struct err unpriced = {0};
    t->machine = kind_timed_machine(r, e);
    if (!t->machine)
        return false;
    results_scale_of(&scale, t->machine, r->arena, &unpriced); /* reads what energies depend on */
    t->snapshot = stats_snapshot(machine_stats(t->machine), r->arena);
    return true;
}

bool kind_timed_knows(const struct kind_timed *t, const char *name)
{
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            return true;
    return stats_snapshot_has(t->snapshot, name);
}

uint32_t kind_timed_names(const struct kind_timed *t, const char **all, uint32_t most,
                          struct arena *a)
{
    uint32_t n = 0;
    for (size_t i = 0; i < results_nrows && n < most; i++)
        all[n++] = results_rows[i].name;
    return kind_tree_names(machine_stats(t->machine), all, n, most, a);
}

static double out_load(const void *machine, int net, uint32_t port)
{
    return machine_out_load(machine, net, port);
}

static double in_load(const void *machine, int net, uint32_t port)
{
    return machine_in_load(machine, net, port);
}

void kind_timed_add(struct kind_values *v, const struct results_view *view, const char *before,
                    struct arena *a)
{
    uint32_t first = v->n;
    for (size_t i = 0; i < results_nrows; i++)
        kind_values_add(v, results_rows[i].name, results_rows[i].value(view));
    kind_tree_add(v, view->values, a);
    for (uint32_t i = first; *before && i < v->n; i++)
        v->names[i] = arena_printf(a, "%s%s", before, v->names[i]);
}

struct kind_values kind_timed_values(const struct machine *m, size_t more, struct arena *a)
{
    struct results_scale scale;
    struct err unpriced = {0};
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    const struct stats_snapshot *s = stats_snapshot(machine_stats(m), a);
    struct results_view view = {.scale = &scale, .values = s, .cycles = machine_cycles(m)};
    struct kind_links links = {machine_fabric(m), out_load, in_load, m};
    struct kind_values v = kind_values_new(a, results_nrows + kind_tree_room(s, a) +
                                                  kind_links_room(links.fabric) + more);
    kind_timed_add(&v, &view, "", a);
    kind_links_add(&v, &links, a);
    v.cycles = machine_cycles(m);
    v.digest = machine_digest(m);
    return v;
}
