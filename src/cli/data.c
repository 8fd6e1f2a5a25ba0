/* data.c - where networks and kernels are found: $HEDDLE_DATA, else the source tree the program was built
 * in, else where it was installed. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"

enum { MAX_FILES = 1024 };

const char *data_folder(struct arena *a, const char *kind)
{
    const char *env = getenv("HEDDLE_DATA");
    if (env && *env)
        return arena_printf(a, "%s/%s", env, kind);
    const char *source = arena_printf(a, "%s/%s", HEDDLE_SOURCE_DIR, kind);
    if (*HEDDLE_SOURCE_DIR && access(source, R_OK) == 0)
        return source;
    return arena_printf(a, "%s/%s", HEDDLE_DATADIR, kind);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

int data_networks(struct arena *a, const char *const **names, const char *const **paths)
{
    const char **name = ARENA_ARRAY(a, const char *, MAX_FILES);
    const char **path = ARENA_ARRAY(a, const char *, MAX_FILES);
    const char *dir = data_folder(a, "networks");
    int n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *f; d && n < MAX_FILES && (f = readdir(d)) != NULL;) {
        size_t len = strlen(f->d_name);
        if (len < 6 || strcmp(f->d_name + len - 5, ".yaml") != 0 || f->d_name[0] == '.')
            continue;
        name[n++] = arena_printf(a, "%.*s", (int)(len - 5), f->d_name);
    }
    if (d)
        closedir(d);
    qsort(name, (size_t)n, sizeof *name, by_name);
    for (int i = 0; i < n; i++)
        path[i] = arena_printf(a, "%s/%s.yaml", dir, name[i]);
    *names = name;
    *paths = path;
    return n;
}

const char *data_network(struct arena *a, const char *name, struct err *e)
{
    size_t len = strlen(name);
    if (strchr(name, '/') || (len > 5 && strcmp(name + len - 5, ".yaml") == 0))
        return name;
    const char *const *names, *const *paths;
    int n = data_networks(a, &names, &paths);
    for (int i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return paths[i];
    const char *near = str_nearest(name, names, (size_t)n);
    err_set(e, STATUS_BAD_INPUT, "no network \"%s\"%s%s%s", name,
            near ? "; did you mean " : " (heddle list networks shows them)", near ? near : "",
            near ? "?" : "");
    return NULL;
}
