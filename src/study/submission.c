/* submission.c - see submission.h. */
#include "study/submission.h"

#include <unistd.h>

#include "study/deal.h"
#include "study/kind.h"
#include "study/store.h"

#define TASK_S 60       /* long against what a cluster needs to start a task */
#define INSNS_PER_S 1e6 /* warp instructions, replayed: a guess */

/* ---- guesses ---------------------------------------------------------------------------------- */

/* By the instructions of all its programs; 0: not all are recorded. */
static double by_insns(const struct study *s, const struct study_job *j, const struct recordings *r)
{
    double insns = 0;
    uint32_t n = j->kind->most_programs ? s->workloads[j->workload].nprograms : 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = r->of[j->workload][k];
        if (at == UINT32_MAX || !r->all[at].insns)
            return 0;
        insns += (double)r->all[at].insns;
    }
    return insns / INSNS_PER_S;
}

/* Of each row and of its prices, asked for once; -1: not yet. */
struct history {
    struct store *store;
    double *seconds; /* [2 * workload + whether it prices the row] */
};

static struct history begin_history(struct arena *a, const struct study *s, const char *store)
{
    struct err ignored = {0};
    struct history h = {.seconds = ARENA_ARRAY(a, double, 2 * s->nworkloads + 1)};
    for (uint32_t i = 0; i < 2 * s->nworkloads; i++)
        h.seconds[i] = -1;
    h.store = store && access(store, F_OK) == 0 ? store_open(store, &ignored) : NULL;
    return h;
}

static double from_history(const struct history *h, const struct study *s,
                           const struct study_job *j)
{
    double *known = &h->seconds[2 * j->workload + (j->kind != s->workloads[j->workload].kind)];
    if (*known < 0)
        *known = h->store ? store_guess(h->store, j->row) : 0;
    return *known;
}

const double *submission_guesses(struct arena *a, const struct study *s, const struct study_plan *p,
                                 const struct recordings *r, const char *store)
{
    double *guesses = ARENA_ARRAY(a, double, p->njobs + 1);
    struct history h = begin_history(a, s, store);
    for (uint32_t i = 0; i < p->njobs; i++) {
        const struct study_job *j = &p->jobs[i];
        double before = from_history(&h, s, j), insns = by_insns(s, j, r);
        guesses[i] = before > 0 ? before : insns > 0 ? insns : j->cost;
    }
    store_close(h.store);
    return guesses;
}

/* ---- tasks ------------------------------------------------------------------------------------ */

static void add_records(struct arena *a, const struct study *s, const struct recordings *r,
                        struct submission *x)
{
    struct manifest *m = &x->manifest;
    m->records = ARENA_ARRAY(a, struct manifest_record, r->n + 1);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct recording *y = &r->all[i];
        if (!y->is_needed || y->insns)
            continue;
        m->records[m->nrecords++] =
            (struct manifest_record){.task = x->nrecord++,
                                     .workload = y->workload,
                                     .program = y->program,
                                     .hash = study_program_hash(y->of, s->seed),
                                     .title = study_program_title(a, y->of)};
    }
}

static uint32_t count_tasks(const struct submission_options *o, uint32_t runs, double seconds)
{
    double wanted = o->per_task ? ((double)runs + (double)o->per_task - 1) / (double)o->per_task
                                : seconds / TASK_S + 1;
    double most = o->max_tasks < runs ? (double)o->max_tasks : runs;
    return (uint32_t)(wanted < most ? wanted : most);
}

void submission_make(struct arena *a, const struct study *s, const struct study_plan *p,
                     const struct done *d, const struct recordings *r, const double *guesses,
                     const struct submission_options *o, struct submission *x)
{
    struct manifest *m = &x->manifest;
    double *weights = ARENA_ARRAY(a, double, p->njobs + 1);
    uint32_t *task_of = ARENA_ARRAY(a, uint32_t, p->njobs + 1);
    *x = (struct submission){0};
    m->runs = ARENA_ARRAY(a, struct manifest_run, p->njobs + 1);
    add_records(a, s, r, x);
    for (uint32_t i = 0; i < p->njobs; i++) {
        const struct study_job *j = &p->jobs[i];
        if (d->of[i] >= RUN_IN_SHARD)
            continue;
        weights[m->nruns] = guesses[i];
        x->seconds += guesses[i];
        m->runs[m->nruns++] = (struct manifest_run){
            .variant = j->variant, .workload = j->workload, .key = j->key, .label = j->label};
    }
    if (!m->nruns)
        return;
    x->nrun = count_tasks(o, m->nruns, x->seconds);
    uint32_t most = (m->nruns + x->nrun - 1) / x->nrun;
    if (!o->per_task || o->per_task > most)
        most = o->per_task ? (uint32_t)o->per_task : m->nruns;
    deal(a, weights, m->nruns, x->nrun, most, task_of);
    for (uint32_t i = 0; i < m->nruns; i++)
        m->runs[i].task = x->nrecord + task_of[i];
}
