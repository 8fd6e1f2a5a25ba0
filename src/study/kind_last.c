/* kind_last.c - a program timed on a machine, of which its last launch counts: a benchmark whose first
 * launches warm up.
 *
 * Values are those of the last launch, and with "before." in front those of the one before it, so that
 * what was done in both, beginning and end above all, can be subtracted; "arg.NAME" is what the
 * workload was asked for. */
#include <string.h>

#include "machine/results.h"
#include "study/inputs.h"
#include "study/kind_timed.h"
#include "study/kind_tree.h"

#define BEFORE "before."
#define ARG "arg."

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct kind_timed *t = ARENA_NEW(r->arena, struct kind_timed);
    return kind_timed_try(r, t, e) ? t : NULL;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Rows of one configuration may be of several workloads; one that does not have the argument has no
 * value. */
static bool knows(const void *trial, const char *name)
{
    if (begins(name, ARG))
        return inputs_is_arg(name + strlen(ARG));
    return kind_timed_knows(trial, begins(name, BEFORE) ? name + strlen(BEFORE) : name);
}

static uint32_t names(const void *trial, const char **all, uint32_t most, struct arena *a)
{
    uint32_t n = kind_timed_names(trial, all, most, a), own = n;
    for (uint32_t i = 0; i < own && n < most; i++)
        all[n++] = arena_printf(a, BEFORE "%s", all[i]);
    return n;
}

static void forget(void *trial)
{
    machine_free(((struct kind_timed *)trial)->machine);
}

static struct kind_values values_of(const struct machine *m, const struct kind_program *p,
                                    struct arena *a)
{
    struct results_scale scale;
    struct err unpriced = {0};
    uint32_t n = machine_nkernels(m), wanted = n > 1 ? 2 : n;
    static const char *const prefix[] = {"", BEFORE};
    results_scale_of(&scale, m, a, &unpriced); /* without prices energies are NaN */
    const struct stats_snapshot *s = stats_snapshot(machine_stats(m), a);
    struct kind_values v =
        kind_values_new(a, 2 * (results_nrows + kind_tree_room(s, a)) + p->nargs);
    for (uint32_t i = 0; i < wanted; i++) {
        struct results_view view = results_of_kernel(&scale, machine_kernel(m, n - 1 - i), a);
        kind_timed_add(&v, &view, prefix[i], a);
    }
    for (uint32_t i = 0; i < p->nargs; i++)
        kind_values_add(&v, arena_printf(a, ARG "%s", p->args[i]), p->arg_values[i]);
    v.cycles = machine_cycles(m);
    v.digest = machine_digest(m);
    return v;
}

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct machine *m = kind_timed_machine(r, e);
    bool ok = m && kind_timed_replay(m, r->programs[0].stream, e);
    if (ok)
        *v = values_of(m, &r->programs[0], r->arena);
    machine_free(m);
    return ok;
}

const struct study_kind kind_last = {.name = "last",
                                     .help = "a workload timed on the machine: its last launch, "
                                             "and the one before it",
                                     .what = "the machine",
                                     .most_programs = 1,
                                     .cost = &kind_cost,
                                     .config = machine_config,
                                     .try_out = try_out,
                                     .knows = knows,
                                     .names = names,
                                     .end = forget,
                                     .run = run};
