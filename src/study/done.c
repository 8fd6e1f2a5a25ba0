/* done.c - see done.h. */
#include "study/done.h"

#include <stdlib.h>
#include <unistd.h>

#include "study/store.h"

struct entry {
    uint64_t key;
    uint32_t job;
};

struct search {
    struct arena *arena;
    struct done *done;
    struct entry *entries; /* by key */
    uint32_t n;
    enum done_state state; /* of what is found now */
};

static int by_key(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key;
}

static const struct entry *find(const struct search *s, uint64_t key)
{
    struct entry wanted = {.key = key};
    return s->n ? bsearch(&wanted, s->entries, s->n, sizeof wanted, by_key) : NULL;
}

static void take_run(void *context, uint64_t key)
{
    struct search *s = context;
    const struct entry *x = find(s, key);
    if (x && s->done->of[x->job] < s->state)
        s->done->of[x->job] = s->state;
}

static void take_failure(void *context, uint64_t key, const char *why)
{
    struct search *s = context;
    const struct entry *x = find(s, key);
    if (!x || s->done->of[x->job] != RUN_MISSING)
        return;
    s->done->of[x->job] = RUN_FAILED;
    s->done->why[x->job] = arena_strdup(s->arena, why ? why : "");
}

static bool look_into(struct search *x, const char *path, struct err *e)
{
    struct store *s = store_open(path, e);
    bool ok = s && store_each_run(s, take_run, x, e) && store_each_failure(s, take_failure, x, e);
    store_close(s);
    return ok;
}

bool done_find(struct arena *a, const struct study_plan *p, const char *store,
               const struct shard_list *shards, struct done *d, struct err *e)
{
    struct search x = {.arena = a, .done = d, .n = p->njobs};
    *d = (struct done){.of = ARENA_ARRAY(a, enum done_state, p->njobs + 1),
                       .why = ARENA_ARRAY(a, const char *, p->njobs + 1)};
    x.entries = ARENA_ARRAY(a, struct entry, p->njobs + 1);
    for (uint32_t i = 0; i < p->njobs; i++)
        x.entries[i] = (struct entry){p->jobs[i].key, i};
    if (x.n)
        qsort(x.entries, x.n, sizeof *x.entries, by_key);
    x.state = RUN_IN_STORE;
    if (store && access(store, F_OK) == 0 && !look_into(&x, store, e))
        return false;
    x.state = RUN_IN_SHARD;
    for (uint32_t i = 0; i < shards->n; i++) {
        struct err ignored = {0};
        look_into(&x, shards->paths[i], &ignored);
    }
    for (uint32_t i = 0; i < p->njobs; i++)
        d->n[d->of[i]]++;
    return true;
}
