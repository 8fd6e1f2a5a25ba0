/* study_task.c - see study_task.h.
 *
 * A task of --slurm does what its manifest says, and plans nothing else.  A shard of --shard is cut
 * from the whole plan, always the same way, and does what of that the database has not.  Neither
 * writes to the database. */
#include "cli/study_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/study_file.h"
#include "cli/study_pool.h"
#include "study/deal.h"
#include "study/done.h"
#include "study/manifest.h"
#include "study/pool_stream.h"
#include "study/recordings.h"

/* ---- arguments -------------------------------------------------------------------------------- */

enum { MOST_PARTS = 1000000 };

struct part { /* "K/N" */
    uint32_t k, n;
};

static bool parse_part(struct arena *a, const char *option, const char *text, struct part *p,
                       struct err *e)
{
    const char *slash = strchr(text, '/');
    int64_t k = 0, n = 0;
    bool ok = slash && str_to_int(arena_printf(a, "%.*s", (int)(slash - text), text), &k) &&
              str_to_int(slash + 1, &n) && k >= 1 && k <= n && n <= MOST_PARTS;
    *p = (struct part){(uint32_t)k, (uint32_t)n};
    return ok || err_set(e, STATUS_BAD_INPUT,
                         "%s %s: expected K/N, the K-th of N parts, from 1/N to N/N", option, text);
}

static bool parse_task(struct arena *a, const char *text, const char **file, uint32_t *task,
                       struct err *e)
{
    const char *colon = strrchr(text, ':');
    int64_t k = -1;
    if (!colon || colon == text || !str_to_int(colon + 1, &k) || k < 0 || k > UINT32_MAX)
        return err_set(e, STATUS_BAD_INPUT, "--task %s: expected FILE:K, a task of a manifest",
                       text);
    *file = arena_printf(a, "%.*s", (int)(colon - text), text);
    *task = (uint32_t)k;
    return true;
}

/* ---- runs into a shard ------------------------------------------------------------------------ */

/* Leaves the jobs that are asked for and that no earlier shard of this label has. */
static bool leave_missing(struct arena *a, const char *shards, const char *label,
                          struct study_plan *p, const bool *asked, struct err *e)
{
    struct shard_list before;
    struct done d;
    uint32_t n = 0;
    if (!shard_find(a, shards, label, &before, e) || !done_find(a, p, NULL, &before, &d, e))
        return false;
    for (uint32_t i = 0; i < p->njobs; i++)
        if (asked[i] && d.of[i] < RUN_IN_SHARD)
            p->jobs[n++] = p->jobs[i];
    p->njobs = n;
    return true;
}

static bool tell(const struct pool_result *r, const struct study_plan *p, const char *shard,
                 struct err *e)
{
    if (r->was_interrupted)
        return err_set(
            e, STATUS_BUDGET,
            "interrupted: %u of %u runs are done and kept in %s; begun again, it goes on "
            "from there",
            r->done + r->cached, p->njobs, shard);
    if (r->nfailures)
        return err_set(e, STATUS_FAILED, "%u of %u runs failed, the first: %s: %s", r->nfailures,
                       p->njobs, r->failures[0].label, r->failures[0].why);
    printf("%u runs in %s\n", r->done + r->cached, shard);
    return true;
}

static bool run_into_shard(const struct study_ask *o, const struct study *s, const char *label,
                           struct study_plan *p, const bool *asked, struct arena *a, struct err *e)
{
    struct study_pool pool;
    struct pool_result r;
    const char *shards = study_ask_shards(a, o);
    if (!leave_missing(a, shards, label, p, asked, e))
        return false;
    if (!p->njobs) {
        puts("nothing is missing");
        return true;
    }
    const char *shard = shard_make(a, shards, label, e);
    if (!shard)
        return false;
    study_pool_begin(&pool, a, o->jobs ? o->jobs : 1, shard, o->out.dir);
    bool ok = pool_run(a, s, p, &pool.options, &r, e);
    study_pool_end(&pool);
    return ok && shard_close(shard, e) && tell(&r, p, shard, e);
}

/* ---- --task ----------------------------------------------------------------------------------- */

static bool has_changed(const char *file, const char *what, struct err *e)
{
    return err_set(
        e, STATUS_BAD_INPUT,
        "%s: %s is not of this study any more: its files or heddle have changed since it "
        "was submitted; submit it again",
        file, what);
}

static bool record_task(const struct study_ask *o, const struct study *s, const char *file,
                        const struct manifest_record *r, struct arena *a, struct err *e)
{
    bool is_there = r->workload < s->nworkloads && r->program < s->workloads[r->workload].nprograms;
    const struct study_program *p =
        is_there ? &s->workloads[r->workload].programs[r->program] : NULL;
    if (!p || study_program_hash(p, s->seed) != r->hash)
        return has_changed(file, r->title, e);
    const char *streams = study_ask_streams(a, o);
    const char *path = study_program_stream(a, streams, p, s->seed);
    if (!pool_stream_folder(streams, e) ||
        (!pool_stream_insns(path) && !study_pool_record(s, p, path, e)))
        return false;
    printf("recorded %s\n", path);
    return true;
}

static int by_key(const void *x, const void *y)
{
    const struct manifest_run *a = x, *b = y;
    return a->key < b->key ? -1 : a->key > b->key;
}

static bool plan_task(const struct study *s, const char *file, struct manifest *m, struct arena *a,
                      struct study_plan *p, bool **asked, struct err *e)
{
    uint32_t found = 0;
    bool *pairs = ARENA_ARRAY(a, bool, (size_t)s->nvariants * s->nworkloads + 1);
    for (uint32_t i = 0; i < m->nruns; i++) {
        const struct manifest_run *r = &m->runs[i];
        if (r->variant >= s->nvariants || r->workload >= s->nworkloads)
            return has_changed(file, r->label, e);
        pairs[r->variant * s->nworkloads + r->workload] = true;
    }
    if (!study_plan_pairs(a, s, &study_file_above, pairs, p, e))
        return false;
    *asked = ARENA_ARRAY(a, bool, p->njobs + 1);
    qsort(m->runs, m->nruns, sizeof *m->runs, by_key);
    for (uint32_t i = 0; i < p->njobs; i++) {
        struct manifest_run wanted = {.key = p->jobs[i].key};
        (*asked)[i] = bsearch(&wanted, m->runs, m->nruns, sizeof wanted, by_key) != NULL;
        found += (*asked)[i];
    }
    return found == m->nruns || has_changed(file, "a run", e);
}

/* "out/cluster/3.manifest", 17: "s3-t17". */
static const char *label_of(struct arena *a, const char *file, uint32_t task)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return arena_printf(a, "s%.*s-t%u", (int)strcspn(name, "."), name, task);
}

bool study_task(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    const char *file = NULL;
    uint32_t task = 0;
    struct manifest m;
    struct study_plan plan;
    bool *asked = NULL, ok = true;
    if (!parse_task(a, o->part, &file, &task, e) || !manifest_read(a, file, task, &m, e))
        return false;
    for (uint32_t i = 0; ok && i < m.nrecords; i++)
        ok = record_task(o, s, file, &m.records[i], a, e);
    if (!ok || !m.nruns)
        return ok;
    return plan_task(s, file, &m, a, &plan, &asked, e) &&
           run_into_shard(o, s, label_of(a, file, task), &plan, asked, a, e);
}

/* ---- --shard, --record ------------------------------------------------------------------------ */

/* Cut by what is guessed from the study alone: the database may change between two shards. */
static const bool *cut(struct arena *a, const struct study_plan *p, const struct done *d,
                       const struct part *part)
{
    bool *asked = ARENA_ARRAY(a, bool, p->njobs + 1);
    double *weights = ARENA_ARRAY(a, double, p->njobs + 1);
    uint32_t *part_of = ARENA_ARRAY(a, uint32_t, p->njobs + 1);
    for (uint32_t i = 0; i < p->njobs; i++)
        weights[i] = p->jobs[i].cost;
    deal(a, weights, p->njobs, part->n, p->njobs, part_of);
    for (uint32_t i = 0; i < p->njobs; i++)
        asked[i] = part_of[i] + 1 == part->k && d->of[i] != RUN_IN_STORE;
    return asked;
}

static bool find_done(const struct study_ask *o, const struct study *s, struct study_plan *p,
                      struct done *d, struct arena *a, struct err *e)
{
    struct shard_list none = {0};
    return study_plan(a, s, &study_file_above, p, e) && study_out_folder(o->out.dir, e) &&
           done_find(a, p, o->db, &none, d, e);
}

bool study_shard(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    struct part part;
    struct study_plan plan;
    struct done d;
    if (!parse_part(a, "--shard", o->part, &part, e) || !find_done(o, s, &plan, &d, a, e))
        return false;
    return run_into_shard(o, s, arena_printf(a, "%u-of-%u", part.k, part.n), &plan,
                          cut(a, &plan, &d, &part), a, e);
}

/* One that cannot be recorded keeps no other from it. */
static bool record_all(const struct study *s, const struct recordings *r, const struct part *part,
                       uint32_t *recorded, struct err *e)
{
    for (uint32_t i = part->k - 1; i < r->n; i += part->n) {
        const struct recording *x = &r->all[i];
        struct err why = {0};
        if (!x->is_needed || x->insns)
            continue;
        if (study_pool_record(s, x->of, x->path, &why))
            ++*recorded;
        else
            err_set(e, STATUS_FAILED, "recording %s: %s", x->path, why.text);
    }
    return e->status == STATUS_DONE;
}

bool study_record(const struct study_ask *o, const struct study *s, struct arena *a, struct err *e)
{
    struct part part;
    struct study_plan plan;
    struct done d;
    struct recordings r;
    uint32_t n = 0;
    const char *streams = study_ask_streams(a, o);
    if (!parse_part(a, "--record", o->part, &part, e) || !find_done(o, s, &plan, &d, a, e) ||
        !pool_stream_folder(streams, e))
        return false;
    recordings_find(a, s, &plan, &d, streams, &r);
    bool ok = record_all(s, &r, &part, &n, e);
    printf("recorded %u programs in %s\n", n, streams);
    return ok;
}
