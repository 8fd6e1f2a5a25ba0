/* list_studies.c - heddle list studies: read, but not planned, which would take a while. */
#include "cli/list_studies.h"

#include <stdio.h>

#include "cli/study_file.h"
#include "study/study.h"

static void describe(const char *name)
{
    struct err e = {0};
    struct arena *a = arena_new();
    const char *path = study_file_find(a, name, &e);
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
