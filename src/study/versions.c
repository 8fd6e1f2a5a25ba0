/* versions.c - see versions.h.
 *
 * A version is taken as a whole where it can be: runs of the one that has most of them first, so
 * that a report mixes as few as possible. */
#include "study/versions.h"

#include <stdlib.h>
#include <string.h>

struct answers { /* to the question of one job */
    struct store_other *other;
    uint32_t n;
};

static struct versions_row *row_of(struct versions *v, const char *version)
{
    for (uint32_t i = 0; i < v->nrows; i++)
        if (strcmp(v->rows[i].version, version) == 0)
            return &v->rows[i];
    v->rows[v->nrows] = (struct versions_row){.version = version};
    return &v->rows[v->nrows++];
}

static int most_first(const void *x, const void *y)
{
    const struct versions_row *a = x, *b = y;
    if (a->runs != b->runs)
        return a->runs < b->runs ? 1 : -1;
    return strcmp(b->version, a->version);
}

static bool ask(struct arena *a, const struct study *s, const struct study_job *j,
                struct store *store, struct answers *answers, struct err *e)
{
    const struct study_variant *v = &s->variants[j->variant];
    struct store_run like = {.key = j->key,
                             .asked = j->asked,
                             .machine = v->machine,
                             .variant = v->name,
                             .workload = j->row};
    return store_others(store, a, &like, &answers->other, &answers->n, e);
}

/* How many jobs each version could answer; more than one run of it for a job is one. */
static void count(struct versions *v, const struct answers *answers, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < answers[i].n; k++)
            if (k == 0 || strcmp(answers[i].other[k].version, answers[i].other[k - 1].version) != 0)
                row_of(v, answers[i].other[k].version)->runs++;
    qsort(v->rows, v->nrows, sizeof *v->rows, most_first);
}

/* Gives each job the run of the first version that has one, and counts anew by that. */
static void choose(struct versions *v, const struct answers *answers, uint32_t n)
{
    for (uint32_t r = 0; r < v->nrows; r++) {
        v->rows[r].runs = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < answers[i].n && !v->keys[i]; k++)
                if (strcmp(answers[i].other[k].version, v->rows[r].version) == 0) {
                    v->keys[i] = answers[i].other[k].key;
                    v->rows[r].runs++;
                    v->found++;
                }
    }
    while (v->nrows > 0 && v->rows[v->nrows - 1].runs == 0)
        v->nrows--;
}

bool versions_find(struct arena *a, const struct study *s, const struct study_plan *p,
                   struct store *store, struct versions *v, struct err *e)
{
    struct answers *answers = ARENA_ARRAY(a, struct answers, p->njobs + 1);
    uint32_t all = 0;
    *v = (struct versions){.keys = ARENA_ARRAY(a, uint64_t, p->njobs + 1)};
    for (uint32_t i = 0; i < p->njobs; i++) {
        bool has = false;
        if (!store_has(store, p->jobs[i].key, &has, e))
            return false;
        if (!has && !ask(a, s, &p->jobs[i], store, &answers[i], e))
            return false;
        v->missing += !has;
        all += answers[i].n;
    }
    v->rows = ARENA_ARRAY(a, struct versions_row, all + 1);
    count(v, answers, p->njobs);
    choose(v, answers, p->njobs);
    return true;
}

const char *versions_text(struct arena *a, const struct versions *v)
{
    const char *text = "";
    for (uint32_t i = 0; i < v->nrows; i++)
        if (v->rows[i].runs)
            text = arena_printf(a, "%s%s%u of %s", text, i ? ", " : "", v->rows[i].runs,
                                v->rows[i].version);
    return text;
}

void versions_use(const struct versions *v, struct study_plan *p)
{
    for (uint32_t i = 0; i < p->njobs; i++)
        if (v->keys[i])
            p->jobs[i].key = v->keys[i];
}
