/* list_studies.c - heddle list studies: read, but not planned, which would take a while. */
#include "cli/list_studies.h"

#include <stdio.h>

#include "cli/study_file.h"
#include "explore/explore.h"

static void describe_exploration(struct arena *a, const char *name, const char *path)
{
    struct err e = {0};
    uint32_t n = 0;
    const char *const *machines = explore_machines(a, path, &n, &e);
    const struct exploration *x =
        machines ? explore_read(a, path, machines[0], &(struct study_options){0}, &e) : NULL;
    if (x)
        printf("%-16s %s\n%-16s axes: %u, objectives: %u, workloads: %u, machines: %u\n", name,
               x->study->title, "", x->axes.n, x->nobjectives, x->study->nworkloads, n);
    else
        printf("%-16s (unusable: %s)\n", name, e.text);
}

static void describe(const char *name)
{
    struct err e = {0};
    struct arena *a = arena_new();
    const char *path = study_file_find(a, name, &e);
    if (path && explore_is(path, &e)) {
        describe_exploration(a, name, path);
        arena_free(a);
        return;
    }
    const struct study *s = path ? study_read(a, path, &(struct study_options){0}, &e) : NULL;
    if (s)
        printf("%-16s %s\n%-16s figures: %u, variants: %u, workloads: %u\n", name,
               s->title ? s->title : "", "", s->nfigures, s->nvariants, s->nworkloads);
    else
        printf("%-16s (unusable: %s)\n", name, e.text);
    arena_free(a);
}

void list_studies(bool names_only)
{
    struct arena *a = arena_new();
    const char *const *names;
    int n = study_file_names(a, &names);
    for (int i = 0; i < n; i++)
        if (names_only)
            puts(names[i]);
        else
            describe(names[i]);
    arena_free(a);
}
