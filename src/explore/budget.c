/* budget.c - what a search may spend. */
#include "explore/budget.h"

#include "study/store.h"

enum { NONE = UINT32_MAX };

struct budget budget_of(struct arena *a, const struct exploration *x)
{
    return (struct budget){.arena = a, .most_runs = x->most_runs, .most_hours = x->most_hours};
}

/* The jobs of a point that no point before it has asked for; returns how many. */
static uint32_t new_jobs(const struct budget *b, const struct study *s, const struct study_plan *p,
                         uint32_t variant, uint32_t *jobs)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < s->nworkloads; w++) {
        uint32_t job = p->of[variant * s->nworkloads + w];
        if (job != NONE && !keyset_has(&b->asked, p->jobs[job].key) &&
            study_place(jobs, n, job) < 0)
            jobs[n++] = job;
    }
    return n;
}

uint32_t budget_afford(struct budget *b, struct arena *a, const struct study *s,
                       const struct study_plan *p, uint32_t *runs)
{
    uint32_t *jobs = ARENA_ARRAY(a, uint32_t, s->nworkloads);
    uint32_t n = b->wall_s >= 3600 * b->most_hours ? 0 : s->nvariants - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t more = new_jobs(b, s, p, i + 1, jobs);
        if (b->runs + (uint64_t)more > b->most_runs)
            return i;
        for (uint32_t k = 0; k < more; k++)
            keyset_add(b->arena, &b->asked, p->jobs[jobs[k]].key);
        b->runs += more;
        runs[i] = b->runs;
    }
    return n;
}

bool budget_pay(struct budget *b, struct arena *a, const char *path, const struct study_plan *p,
                struct err *e)
{
    struct store *store = store_open(path, e);
    bool ok = store != NULL;
    for (uint32_t i = 0; ok && i < p->njobs; i++) {
        struct store_run run = {0};
        bool found = false;
        if (keyset_has(&b->paid, p->jobs[i].key))
            continue;
        keyset_add(b->arena, &b->paid, p->jobs[i].key);
        ok = store_get(store, a, p->jobs[i].key, &run, &found, e);
        b->wall_s += ok && found ? run.wall_s : 0;
    }
    store_close(store);
    return ok;
}
