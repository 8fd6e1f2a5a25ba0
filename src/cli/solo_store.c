/* solo_store.c - runs of programs alone, in a database as studies have. */
#include "cli/solo_store.h"

#include <string.h>
#include <sys/stat.h>

#include "study/inputs.h"
#include "study/store.h"

struct solo_store {
    struct arena *arena;
    struct store *store; /* NULL: it cannot be used */
};

/* The folder of the database, one level: as deep as the default is. */
static void make_folder(struct arena *a, const char *path)
{
    char *folder = arena_strdup(a, path), *slash = strrchr(folder, '/');
    if (slash && slash != folder) {
        *slash = '\0';
        mkdir(folder, 0777); /* if that fails, so will the database */
    }
}

struct solo_store *solo_store_open(const char *path)
{
    if (!path)
        return NULL;
    struct arena *a = arena_new();
    struct solo_store *s = ARENA_NEW(a, struct solo_store);
    struct err unusable = {0};
    s->arena = a;
    make_folder(a, path);
    s->store = store_open(path, &unusable);
    return s;
}

void solo_store_close(struct solo_store *s)
{
    if (!s)
        return;
    if (s->store)
        store_close(s->store);
    arena_free(s->arena);
}

bool solo_store_get(struct solo_store *s, uint64_t key, uint64_t *cycles)
{
    struct store_run run;
    struct err e = {0};
    bool found = false;
    if (!s || !s->store || !store_get(s->store, s->arena, key, &run, &found, &e) || !found)
        return false;
    *cycles = run.cycles;
    return true;
}

void solo_store_put(struct solo_store *s, uint64_t key, const char *program, uint64_t cycles)
{
    struct err e = {0};
    struct store_run run = {.key = key,
                            .machine = "",
                            .workload = program,
                            .variant = "alone",
                            .version = inputs_version(),
                            .config = "{}",
                            .cycles = cycles};
    if (s && s->store)
        store_put(s->store, &run, &e);
}
