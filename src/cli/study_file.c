/* study_file.c - where studies are found: a path, or a name in the data folder "studies". */
#include "cli/study_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/execute.h"

enum { MAX_STUDIES = 1024 };

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Length of the name without .yaml; 0: not the file of a study. */
static size_t stem(const char *file)
{
    size_t n = strlen(file);
    return n > 5 && file[0] != '.' && strcmp(file + n - 5, ".yaml") == 0 ? n - 5 : 0;
}

int study_file_names(struct arena *a, const char *const **names)
{
    const char **found = ARENA_ARRAY(a, const char *, MAX_STUDIES);
    DIR *d = opendir(data_folder(a, "studies"));
    int n = 0;
    for (struct dirent *f; d && n < MAX_STUDIES && (f = readdir(d)) != NULL;)
        if (stem(f->d_name))
            found[n++] = arena_printf(a, "%.*s", (int)stem(f->d_name), f->d_name);
    if (d)
        closedir(d);
    qsort(found, (size_t)n, sizeof *found, by_name);
    *names = found;
    return n;
}

const char *study_file_find(struct arena *a, const char *name, struct err *e)
{
    const char *const *names;
    if (strchr(name, '/') || stem(name))
        return name;
    int n = study_file_names(a, &names);
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0)
            return arena_printf(a, "%s/%s.yaml", data_folder(a, "studies"), name);
        str_hint_offer(&hint, names[i]);
    }
    err_set(e, STATUS_BAD_INPUT, "no study \"%s\"%s", name,
            str_hint_text(&hint, " (heddle list studies shows them)"));
    return NULL;
}

static bool check(const struct study_program *p, uint64_t seed, struct err *e)
{
    return execute_check_files(&(struct execute){.ptx = p->ptx, .launch = p->launch, .seed = seed},
                               e);
}

const struct study_above study_file_above = {data_machine, data_network, check};
