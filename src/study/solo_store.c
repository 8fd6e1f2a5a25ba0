/* solo_store.c - see solo_store.h. */
#include "study/solo_store.h"

#include <string.h>
#include <sys/stat.h>

#include "study/inputs.h"
#include "study/store.h"

/* The folder of the database, one level: as deep as the default is. */
static void make_folder(struct arena *a, const char *path)
{
    char *folder = arena_strdup(a, path), *slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = '\0';
        mkdir(folder, 0777); /* if that fails, so will the database */
    }
}

static bool get(void *path, uint64_t key, uint64_t *cycles)
{
    struct arena *a = arena_new();
    struct store_run run;
    struct err e = {0};
    bool found = false;
    make_folder(a, path);
    struct store *s = store_open(path, &e);
    if (s && store_get(s, a, key, &run, &found, &e) && found)
        *cycles = run.cycles;
    store_close(s);
    arena_free(a);
    return found;
}

static void put(void *path, uint64_t key, const char *program, uint64_t cycles)
{
    struct arena *a = arena_new();
    struct err e = {0};
    struct store_run run = {.key = key,
                            .machine = "",
                            .workload = arena_printf(a, "%s alone", program),
                            .variant = "alone",
                            .version = inputs_version(),
                            .config = "{}",
                            .cycles = cycles};
    struct store *s = store_open(path, &e);
    if (s)
        store_put(s, &run, &e);
    store_close(s);
    arena_free(a);
}

struct several_memory solo_store_at(const char *path)
{
    if (!path)
        return (struct several_memory){0};
    return (struct several_memory){.get = get, .put = put, .context = (void *)path};
}
