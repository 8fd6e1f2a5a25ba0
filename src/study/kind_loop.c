/* kind_loop.c - one kernel of a program, alone on the machine and again and again: what the last of
 * its runs did.  So power is measured of real kernels, which are too short for a meter: caches hold
 * what a run leaves, and nothing else has touched them.  With loop.times: 1 caches are empty, as a
 * profiler leaves them.  Not modelled: the time that a host needs between two launches. */
#include <string.h>

#include "machine/results.h"
#include "study/kind_timed.h"
#include "study/kind_tree.h"

#define LOOP_ROWS(F, id)                                                                           \
    F(id, STR, kernel, "", 0, 0, "",                                                               \
      "the first launch of a kernel whose name has this in it; empty: the program's first")        \
    F(id, INT, times, "3", 1, 1000, "launch", "one after the other; the last is what counts")
CFG_STRUCT(loop, LOOP_ROWS)
CFG_SECTION(loop, LOOP_ROWS, "rows of kind loop in studies")

enum { ROOM = 128 };

static struct config *config_of(struct arena *a)
{
    const struct cfg_section **all = ARENA_ARRAY(a, const struct cfg_section *, ROOM);
    int n = machine_sections(all, ROOM);
    return config_new(a, all, config_add_section(all, n, ROOM, &loop_section));
}

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct kind_timed *t = ARENA_NEW(r->arena, struct kind_timed);
    config_get(r->config, &loop_section); /* what is set there has an effect */
    return kind_timed_try(r, t, e) ? t : NULL;
}

static bool knows(const void *trial, const char *name)
{
    return kind_timed_knows(trial, name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    return kind_timed_names(trial, all, most, a);
}

static void forget(void *trial)
{
    machine_free(((struct kind_timed *)trial)->machine);
}

/* NULL with *e set: none has such a name. */
static const struct stream_store *find(struct stream_source *s, const char *name, struct err *e)
{
    const struct stream_store *k;
    while ((k = stream_source_next(s, e)))
        if (strstr(stream_store_kernel(k)->name, name))
            return k;
    if (e->status == STATUS_DONE)
        err_set(e, STATUS_BAD_INPUT, "loop.kernel: no kernel has \"%s\" in its name", name);
    return NULL;
}

static bool repeat(struct machine *m, const char *path, const struct loop_spec *loop, struct err *e)
{
    struct stream_source *s = stream_source_of_file(path, e);
    const struct stream_store *k = s ? find(s, loop->kernel, e) : NULL;
    bool ok = k != NULL;
    for (int64_t i = 0; ok && i < loop->times; i++)
        ok = machine_run(m, k, e);
    if (s)
        stream_source_free(s);
    return ok;
}

static struct kind_values values_of(const struct machine *m, struct arena *a)
{
    struct results_scale scale;
    struct err unpriced = {0};
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    const struct machine_kernel *last = machine_kernel(m, machine_nkernels(m) - 1);
    struct results_view view = results_of_kernel(&scale, last, a);
    struct kind_values v = kind_values_new(a, results_nrows + kind_tree_room(view.values, a));
    for (size_t i = 0; i < results_nrows; i++)
        kind_values_add(&v, results_rows[i].name, results_rows[i].value(&view));
    kind_tree_add(&v, view.values, a);
    v.cycles = view.cycles;
    v.digest = machine_digest(m);
    return v;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct machine *m = kind_timed_machine(r, e);
    const struct loop_spec *loop = config_get(r->config, &loop_section);
    bool ok = m && repeat(m, r->programs[0].stream, loop, e);
    if (ok)
        *v = values_of(m, r->arena);
    machine_free(m);
    return ok;
}

const struct study_kind kind_loop = {.name = "loop",
                                     .help = "a kernel of a workload, back to back",
                                     .what = "the machine",
                                     .most_programs = 1,
                                     .cost = &kind_cost,
                                     .config = config_of,
                                     .try_out = try_out,
                                     .knows = knows,
                                     .names = names,
                                     .end = forget,
                                     .run = run};
