/* recordings.c - see recordings.h. */
#include "study/recordings.h"

#include <string.h>

#include "study/kind.h"
#include "study/pool_stream.h"

static uint32_t find(struct arena *a, const struct study *s, const char *streams, uint32_t workload,
                     uint32_t program, struct recordings *r)
{
    const struct study_program *x = &s->workloads[workload].programs[program];
    const char *path = study_program_stream(a, streams, x, s->seed);
    if (x->trace)
        return UINT32_MAX;
    for (uint32_t i = 0; i < r->n; i++)
        if (strcmp(r->all[i].path, path) == 0)
            return i;
    r->all[r->n] =
        (struct recording){.workload = workload, .program = program, .of = x, .path = path};
    return r->n++;
}

static void find_all(struct arena *a, const struct study *s, const char *streams,
                     struct recordings *r)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->nworkloads; i++)
        most += s->workloads[i].nprograms;
    r->all = ARENA_ARRAY(a, struct recording, most + 1);
    r->of = ARENA_ARRAY(a, uint32_t *, s->nworkloads + 1);
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        uint32_t n = s->workloads[i].nprograms;
        r->of[i] = ARENA_ARRAY(a, uint32_t, n + 1);
        for (uint32_t k = 0; k < n; k++)
            r->of[i][k] = find(a, s, streams, i, k, r);
    }
}

void recordings_find(struct arena *a, const struct study *s, const struct study_plan *p,
                     const struct done *d, const char *streams, struct recordings *r)
{
    *r = (struct recordings){0};
    find_all(a, s, streams, r);
    for (uint32_t i = 0; i < p->njobs; i++) {
        const struct study_job *j = &p->jobs[i];
        uint32_t n = j->kind->most_programs ? s->workloads[j->workload].nprograms : 0;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = r->of[j->workload][k];
            if (at != UINT32_MAX)
                r->all[at].is_needed |= !d || d->of[i] < RUN_IN_SHARD;
        }
    }
    for (uint32_t i = 0; i < r->n; i++)
        if (r->all[i].is_needed)
            r->all[i].insns = pool_stream_insns(r->all[i].path);
}
