/* kind_kernel.c - a program timed on a machine, from its recorded stream. */
#include "study/kind_timed.h"

static void *try_out(const struct kind_run *r, struct err *e)
{
    struct kind_timed *t = ARENA_NEW(r->arena, struct kind_timed);
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

static bool run(const struct kind_run *r, struct kind_values *v, struct err *e)
{
    struct machine *m = kind_timed_machine(r, e);
    bool ok = m && kind_timed_replay(m, r->programs[0].stream, e);
    if (ok)
        *v = kind_timed_values(m, 0, r->arena);
    machine_free(m);
    return ok;
}

const struct study_kind kind_kernel = {.name = "kernel",
                                       .help = "a workload timed on the machine",
                                       .what = "the machine",
                                       .most_programs = 1,
                                       .cost = &kind_cost,
                                       .config = machine_config,
                                       .try_out = try_out,
                                       .knows = knows,
                                       .names = names,
                                       .end = forget,
                                       .run = run};
