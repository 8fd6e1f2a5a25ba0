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

/* Values come back in the order of their names, which is that of the marks. */
static void take_marks(const struct store_run *run, struct several_alone *of)
{
    for (uint32_t i = 0; i < run->nstats && i < SEVERAL_MARKS; i++)
        of->issued[of->nmarks++] = (uint64_t)run->values[i];
}

static bool get(void *path, uint64_t key, struct several_alone *of)
{
    struct arena *a = arena_new();
    struct store_run run;
    struct err e = {0};
    bool found = false;
    make_folder(a, path);
    struct store *s = store_open(path, &e);
    if (s && store_get(s, a, key, &run, &found, &e) && found) {
        *of = (struct several_alone){.cycles = run.cycles};
        take_marks(&run, of);
    }
    store_close(s);
    arena_free(a);
    return found;
}

static void put(void *path, uint64_t key, const char *program, const struct several_alone *of)
{
    struct arena *a = arena_new();
    struct err e = {0};
    const char **names = ARENA_ARRAY(a, const char *, of->nmarks + 1);
    double *values = ARENA_ARRAY(a, double, of->nmarks + 1);
    for (uint32_t i = 0; i < of->nmarks; i++) {
        names[i] = arena_printf(a, "issued.%04u", i);
        values[i] = (double)of->issued[i];
    }
    struct store_run run = {.key = key,
                            .machine = "",
                            .workload = arena_printf(a, "%s alone", program),
                            .variant = "alone",
                            .version = inputs_version(),
                            .config = "{}",
                            .cycles = of->cycles,
                            .nstats = of->nmarks,
                            .names = names,
                            .values = values};
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
