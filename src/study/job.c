/* job.c - the runs of a study: each distinct (configuration, workload, size) once.
 *
 * What is run is what the figures ask for, and their baselines.  Every configuration is tried by
 * building its machine, and every name in an expression is looked up in that machine's statistics,
 * so that mistakes come to light before the first run and not after the last. */
#include "study/job.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "machine/results.h"
#include "machine/sources.h"
#include "study/inputs.h"
#include "study/study_priv.h"

enum { MAX_NAMES = 4096, NAMES_BYTES = 1 << 18 };

struct planner {
    struct arena *arena;
    const struct study *study;
    const char *(*machine_path)(struct arena *a, const char *name, struct err *e);
    struct config **configs; /* by variant; NULL: not needed */
    struct err *e;
};

/* ---- configurations ------------------------------------------------------------------------ */

static bool blame(const struct planner *p, int line, const struct study_variant *v,
                  const struct err *why)
{
    return err_set(p->e, why->status, "%s:%d: variant %s: %s", p->study->path, line, v->name,
                   why->text);
}

static bool load_config(struct planner *p, uint32_t index)
{
    const struct study_variant *v = &p->study->variants[index];
    struct config *c = machine_config(p->arena);
    struct err why = {0};
    const char *path = p->machine_path(p->arena, v->machine, &why);
    if (!path || !config_load(c, path, &why))
        return blame(p, v->line, v, &why);
    for (uint32_t i = 0; i < v->nsets; i++)
        if (!config_set(c, v->sets[i], &why))
            return blame(p, v->set_lines[i], v, &why);
    p->configs[index] = c;
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

struct lookup {
    const struct planner *p;
    uint32_t variant;
    const struct stats *stats;
    const struct stats_snapshot *snapshot;
    bool of_base; /* the variant is looked at as the baseline, not as a column */
};

static bool is_known(const struct lookup *l, const char *name)
{
    for (size_t i = 0; i < results_nrows; i++)
        if (strcmp(results_rows[i].name, name) == 0)
            return true;
    return stats_snapshot_has(l->snapshot, name);
}

static const char *nearest(const struct lookup *l, const char *name)
{
    struct arena *a = l->p->arena;
    const struct study *s = l->p->study;
    const char **all = ARENA_ARRAY(a, const char *, MAX_NAMES);
    char *text = arena_alloc(a, NAMES_BYTES), *save = NULL;
    size_t n = 0;
    FILE *f = fmemopen(text, NAMES_BYTES, "w");
    if (f) {
        stats_names(l->stats, f);
        fclose(f);
    }
    text[NAMES_BYTES - 1] = '\0';
    for (uint32_t i = 0; i < s->nmetrics && n < MAX_NAMES; i++)
        all[n++] = s->metrics[i].name;
    for (size_t i = 0; i < results_nrows && n < MAX_NAMES; i++)
        all[n++] = results_rows[i].name;
    for (char *w = strtok_r(text, "\n", &save); w && n < MAX_NAMES; w = strtok_r(NULL, "\n", &save))
        all[n++] = w;
    return str_nearest(name, all, n);
}

static bool refuse_name(const struct lookup *l, const struct expr_name *n, const char *name,
                        int line)
{
    const struct study *s = l->p->study;
    const char *near = nearest(l, name);
    return err_set(l->p->e, STATUS_BAD_INPUT,
                   "%s:%d: column %d: no statistic \"%.60s\" in the machine of variant %s%s%s%s",
                   s->path, line, n->column, name, s->variants[l->variant].name,
                   near ? "; did you mean " : " (heddle list stats shows them)", near ? near : "",
                   near ? "?" : "");
}

/* Checks what x asks of the variant when it is seen as `l` says, as a column or as the baseline.
 * `in_base`: x itself is evaluated for the baseline. */
static bool check_expr(const struct lookup *l, const struct expr *x, bool in_base, int line)
{
    const struct study *s = l->p->study;
    for (const struct expr_name *n = expr_names(x); n; n = n->next) {
        bool has_prefix = strncmp(n->text, "base.", 5) == 0, at_base = in_base || has_prefix;
        const char *name = has_prefix ? n->text + 5 : n->text;
        const struct study_metric *m = study_metric(s, name);
        if (m && m->expr != x) {
            if (!check_expr(l, m->expr, at_base, m->line))
                return false;
        } else if (at_base == l->of_base && !is_known(l, name)) {
            return refuse_name(l, n, name, line);
        }
    }
    return true;
}

static bool check_figure(const struct lookup *l, const struct study_figure *f)
{
    for (uint32_t i = 0; i < f->nparts; i++)
        if (!check_expr(l, f->parts[i]->expr, false, f->parts[i]->line))
            return false;
    return !f->expr || check_expr(l, f->expr, false, f->expr_line);
}

static bool check_names(const struct planner *p, uint32_t variant, const struct stats *stats)
{
    const struct study *s = p->study;
    struct arena *scratch = arena_new();
    struct lookup l = {p, variant, stats, stats_snapshot(stats, scratch), false};
    bool ok = true;
    for (uint32_t i = 0; i < s->nfigures && ok; i++) {
        const struct study_figure *f = &s->figures[i];
        l.of_base = false;
        if (study_place(f->variants, f->nvariants, variant) >= 0)
            ok = check_figure(&l, f);
        l.of_base = true;
        for (uint32_t v = 0; ok && v < f->nvariants; v++)
            if (study_baseline(s, f, f->variants[v]) == (int32_t)variant)
                ok = check_figure(&l, f);
    }
    arena_free(scratch);
    return ok;
}

/* Builds the machine, as a run will. */
static bool try_machine(const struct planner *p, uint32_t variant)
{
    const struct study_variant *v = &p->study->variants[variant];
    struct err why = {0};
    struct machine *m = machine_new(p->configs[variant], &(struct machine_options){0}, &why);
    if (!m)
        return blame(p, v->line, v, &why);
    bool ok = check_names(p, variant, machine_stats(m));
    machine_free(m);
    return ok;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t h, const char *text)
{
    return bytes_hash(h, text, strlen(text) + 1);
}

static uint64_t hash_number(uint64_t h, uint64_t v)
{
    uint8_t b[8];
    bytes_store64(b, v);
    return bytes_hash(h, b, sizeof b);
}

static uint64_t key_of(const struct planner *p, uint32_t variant, const struct study_workload *w)
{
    const struct config *c = p->configs[variant];
    uint64_t h = hash_number(1, sources_model(&sources_built, c));
    h = hash_number(h, sources_config(&sources_built, c));
    return hash_number(h, inputs_stream_hash(w->name, w->size, p->study->seed));
}

static uint64_t asked_of(const struct planner *p, uint32_t variant, const struct study_workload *w)
{
    uint64_t h = hash_number(1, config_hash_set(p->configs[variant]));
    return hash_number(hash_text(hash_text(h, w->name), w->size), p->study->seed);
}

/* The job with this key, which may be new. */
static uint32_t job_of(const struct planner *p, struct study_plan *plan, uint64_t key,
                       uint32_t variant, uint32_t workload)
{
    const struct study_workload *w = &p->study->workloads[workload];
    for (uint32_t i = 0; i < plan->njobs; i++)
        if (plan->jobs[i].key == key)
            return i;
    plan->jobs[plan->njobs] = (struct study_job){
        .key = key,
        .asked = asked_of(p, variant, w),
        .variant = variant,
        .workload = workload,
        .label =
            arena_printf(p->arena, "%s/%s@%s", p->study->variants[variant].name, w->name, w->size),
        .config = p->configs[variant],
        .cost = inputs_cost(w->size),
    };
    return plan->njobs++;
}

static void need(const struct study *s, bool *needed, const struct study_figure *f,
                 uint32_t variant)
{
    for (uint32_t i = 0; i < f->nworkloads; i++)
        needed[variant * s->nworkloads + f->workloads[i]] = true;
}

static bool *find_needed(const struct planner *p)
{
    const struct study *s = p->study;
    bool *needed = ARENA_ARRAY(p->arena, bool, (size_t)s->nvariants * s->nworkloads);
    for (uint32_t i = 0; i < s->nfigures; i++) {
        const struct study_figure *f = &s->figures[i];
        for (uint32_t v = 0; v < f->nvariants; v++) {
            int32_t base = study_baseline(s, f, f->variants[v]);
            need(s, needed, f, f->variants[v]);
            if (base >= 0)
                need(s, needed, f, (uint32_t)base);
        }
    }
    return needed;
}

bool study_plan(struct arena *a, const struct study *s,
                const char *(*machine_path)(struct arena *a, const char *name, struct err *e),
                struct study_plan *plan, struct err *e)
{
    size_t pairs = (size_t)s->nvariants * s->nworkloads;
    struct planner p = {.arena = a, .study = s, .machine_path = machine_path, .e = e};
    p.configs = ARENA_ARRAY(a, struct config *, s->nvariants);
    const bool *needed = find_needed(&p);
    *plan = (struct study_plan){.jobs = ARENA_ARRAY(a, struct study_job, pairs),
                                .of = ARENA_ARRAY(a, uint32_t, pairs)};
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t variant = i / s->nworkloads, workload = i % s->nworkloads;
        plan->of[i] = UINT32_MAX;
        if (!needed[i])
            continue;
        if (!p.configs[variant] && (!load_config(&p, variant) || !try_machine(&p, variant)))
            return false;
        uint64_t key = key_of(&p, variant, &s->workloads[workload]);
        plan->of[i] = job_of(&p, plan, key, variant, workload);
    }
    return true;
}
