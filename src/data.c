/* data.c - where networks, machines and kernels are found: $HEDDLE_DATA, else what was installed with
 * this program or library, else the source tree it was built in, else where it was to be installed. */
#define _GNU_SOURCE /* dladdr */
#include "data.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

enum { MAX_FILES = 1024, MOST_FOLDERS_UP = 3 };

/* The file that this function is in.  A library says its own; what a program says is how it was
 * called, so the system is asked. */
static bool own_file(char path[PATH_MAX])
{
    Dl_info self;
    bool is_library = dladdr((const void *)&data_folder, &self) && self.dli_fname &&
                      strstr(self.dli_fname, "/libheddle.so");
    return realpath(is_library ? self.dli_fname : "/proc/self/exe", path) != NULL;
}

/* PREFIX/share/heddle, of PREFIX/bin/heddle or of PREFIX/lib[/TRIPLET]/libheddle.so: an installed tree
 * can be moved.  NULL: there is none. */
static const char *installed_beside(struct arena *a, const char *kind)
{
    char path[PATH_MAX], *slash;
    if (!own_file(path))
        return NULL;
    for (int up = 0; up < MOST_FOLDERS_UP && (slash = strrchr(path, '/')) && slash != path; up++) {
        *slash = '\0';
        const char *found = arena_printf(a, "%s/share/heddle/%s", path, kind);
        if (up > 0 && access(found, R_OK) == 0)
            return found;
    }
    return NULL;
}

const char *data_folder(struct arena *a, const char *kind)
{
    const char *env = getenv("HEDDLE_DATA");
    if (env && *env)
        return arena_printf(a, "%s/%s", env, kind);
    const char *installed = installed_beside(a, kind);
    if (installed)
        return installed;
    const char *source = arena_printf(a, "%s/%s", HEDDLE_SOURCE_DIR, kind);
    if (*HEDDLE_SOURCE_DIR && access(source, R_OK) == 0)
        return source;
    return arena_printf(a, "%s/%s", HEDDLE_DATADIR, kind);
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The YAML files right in the folder `kind`, sorted; those in its `base` are only started from. */
static int list_files(struct arena *a, const char *kind, const char *const **names,
                      const char *const **paths)
{
    const char **name = ARENA_ARRAY(a, const char *, MAX_FILES);
    const char **path = ARENA_ARRAY(a, const char *, MAX_FILES);
    const char *dir = data_folder(a, kind);
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

/* `what` is the singular of `kind`, for the error. */
static const char *find_file(struct arena *a, const char *kind, const char *what, const char *name,
                             struct err *e)
{
    size_t len = strlen(name);
    if (strchr(name, '/') || (len > 5 && strcmp(name + len - 5, ".yaml") == 0))
        return name;
    const char *const *names, *const *paths;
    int n = list_files(a, kind, &names, &paths);
    struct str_hint hint = str_hint(name);
    for (int i = 0; i < n; i++) {
        if (strcmp(name, names[i]) == 0)
            return paths[i];
        str_hint_offer(&hint, names[i]);
    }
    err_set(e, STATUS_BAD_INPUT, "no %s \"%s\"%s", what, name,
            str_hint_text(&hint, arena_printf(a, " (heddle list %s shows them)", kind)));
    return NULL;
}

int data_networks(struct arena *a, const char *const **names, const char *const **paths)
{
    return list_files(a, "networks", names, paths);
}

const char *data_network(struct arena *a, const char *name, struct err *e)
{
    return find_file(a, "networks", "network", name, e);
}

int data_machines(struct arena *a, const char *const **names, const char *const **paths)
{
    return list_files(a, "machines", names, paths);
}

const char *data_machine(struct arena *a, const char *name, struct err *e)
{
    return find_file(a, "machines", "machine", name, e);
}
