/* job.c - the runs of a study: each distinct (configuration, workload, size) once.
 *
 * What is run is what the figures ask for, and their baselines.  Every configuration is tried by
 * building what its runs will, and every name in an expression is looked up in what these keep, so
 * that mistakes come to light before the first run and not after the last. */
#include "study/job.h"

#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "machine/machine.h"
#include "machine/sources.h"
#include "study/idle.h"
#include "study/inputs.h"
#include "study/kind.h"
#include "study/study_priv.h"

enum { MAX_NAMES = 4096 };

struct planner {
    struct arena *arena;
    const struct study *study;
    const char *(*machine_path)(struct arena *a, const char *name, struct err *e);
    /* [variant * nsetups + setup_of(row)]: a variant with the settings of a row; NULL: not needed.
     * Rows of a kind without settings of their own share one. */
    struct config **configs;
    struct err *e;
};

/* ---- configurations ------------------------------------------------------------------------ */

static uint32_t nsetups(const struct study *s)
{
    return s->nworkloads + (uint32_t)kind_count;
}

static uint32_t setup_of(const struct study *s, uint32_t workload)
{
    const struct study_workload *w = &s->workloads[workload];
    uint32_t kind = 0;
    if (w->nsets)
        return workload;
    while (kind_all[kind] != w->kind)
        kind++;
    return s->nworkloads + kind;
}

static struct config **config_at(const struct planner *p, uint32_t variant, uint32_t workload)
{
    return &p->configs[variant * nsetups(p->study) + setup_of(p->study, workload)];
}

static bool blame(const struct planner *p, int line, const struct study_variant *v,
                  const struct err *why)
{
    return err_set(p->e, why->status, "%s:%d: variant %s: %s", p->study->path, line, v->name,
                   why->text);
}

static bool load_config(const struct planner *p, uint32_t variant, uint32_t workload)
{
    const struct study_variant *v = &p->study->variants[variant];
    const struct study_workload *w = &p->study->workloads[workload];
    struct config *c = machine_config(p->arena);
    struct err why = {0};
    const char *path = p->machine_path(p->arena, v->machine, &why);
    if (!path || !config_load(c, path, &why))
        return blame(p, v->line, v, &why);
    for (uint32_t i = 0; i < v->nsets; i++)
        if (!config_set(c, v->sets[i], &why))
            return blame(p, v->set_lines[i], v, &why);
    for (uint32_t i = 0; i < w->nsets; i++)
        if (!config_set(c, w->sets[i], &why))
            return blame(p, w->set_lines[i], v, &why);
    machine_fit(c);
    *config_at(p, variant, workload) = c;
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

struct lookup {
    const struct planner *p;
    uint32_t variant;
    const struct study_kind *kind;
    const void *trial;
    bool of_base; /* the variant is looked at as the baseline, not as a column */
};

static struct str_hint hint_for(const struct lookup *l, const char *name)
{
    const struct study *s = l->p->study;
    struct str_hint hint = str_hint(name);
    for (uint32_t i = 0; i < s->nmetrics; i++)
        str_hint_offer(&hint, s->metrics[i].name);
    const char **all = ARENA_ARRAY(l->p->arena, const char *, MAX_NAMES);
    uint32_t n = l->kind->names(l->trial, all, MAX_NAMES, l->p->arena);
    for (uint32_t i = 0; i < n; i++)
        str_hint_offer(&hint, all[i]);
    return hint;
}

static bool refuse_name(const struct lookup *l, const struct expr_name *n, const char *name,
                        int line)
{
    const struct study *s = l->p->study;
    struct str_hint hint = hint_for(l, name);
    return err_set(l->p->e, STATUS_BAD_INPUT,
                   "%s:%d: column %d: no statistic \"%.60s\" in %s of variant %s%s", s->path, line,
                   n->column, name, l->kind->what, s->variants[l->variant].name,
                   str_hint_text(&hint, " (heddle list stats shows them)"));
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
        } else if (at_base == l->of_base && !l->kind->knows(l->trial, name)) {
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

/* Whether a figure has rows of this setup. */
static bool has_rows(const struct study *s, const struct study_figure *f, uint32_t setup)
{
    for (uint32_t i = 0; i < f->nworkloads; i++)
        if (setup_of(s, f->workloads[i]) == setup)
            return true;
    return false;
}

static bool check_names(struct lookup *l, uint32_t setup)
{
    const struct study *s = l->p->study;
    bool ok = true;
    for (uint32_t i = 0; i < s->nfigures && ok; i++) {
        const struct study_figure *f = &s->figures[i];
        if (!has_rows(s, f, setup))
            continue;
        l->of_base = false;
        if (study_place(f->variants, f->nvariants, l->variant) >= 0)
            ok = check_figure(l, f);
        l->of_base = true;
        for (uint32_t v = 0; ok && v < f->nvariants; v++)
            if (study_baseline(s, f, f->variants[v]) == (int32_t)l->variant)
                ok = check_figure(l, f);
    }
    return ok;
}

/* Builds what a run will. */
static bool try_out(const struct planner *p, uint32_t variant, uint32_t workload)
{
    const struct study_variant *v = &p->study->variants[variant];
    const struct study_kind *kind = p->study->workloads[workload].kind;
    struct arena *scratch = arena_new();
    struct err why = {0};
    void *trial = kind->try_out(*config_at(p, variant, workload), scratch, &why);
    struct lookup l = {.p = p, .variant = variant, .kind = kind, .trial = trial};
    bool ok = trial ? check_names(&l, setup_of(p->study, workload)) : blame(p, v->line, v, &why);
    if (trial && kind->end)
        kind->end(trial);
    arena_free(scratch);
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

static uint64_t key_of(const struct planner *p, const struct config *c,
                       const struct study_workload *w)
{
    uint64_t h = hash_number(1, sources_model(&sources_built, c, w->kind->name));
    h = hash_text(hash_number(h, sources_config(&sources_built, c)), w->kind->name);
    if (!w->kind->has_stream)
        return h;
    return hash_number(h, inputs_stream_hash(w->name, w->size, p->study->seed));
}

static uint64_t asked_of(const struct planner *p, const struct config *c,
                         const struct study_workload *w)
{
    uint64_t h = hash_text(hash_number(1, config_hash_set(c)), w->kind->name);
    if (!w->kind->has_stream)
        return h;
    return hash_number(hash_text(hash_text(h, w->name), w->size), p->study->seed);
}

/* The job with this key, which may be new. */
static uint32_t job_of(const struct planner *p, struct study_plan *plan, uint64_t key,
                       uint32_t variant, uint32_t workload)
{
    const struct study_workload *w = &p->study->workloads[workload];
    struct config *c = *config_at(p, variant, workload);
    for (uint32_t i = 0; i < plan->njobs; i++)
        if (plan->jobs[i].key == key)
            return i;
    plan->jobs[plan->njobs] = (struct study_job){
        .key = key,
        .asked = asked_of(p, c, w),
        .variant = variant,
        .workload = workload,
        .label = arena_printf(p->arena, "%s/%s", p->study->variants[variant].name,
                              study_row_text(p->arena, w)),
        .config = c,
        .cost = w->kind->has_stream ? inputs_cost(w->size) : 0,
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
    p.configs = ARENA_ARRAY(a, struct config *, (size_t)s->nvariants * nsetups(s));
    const bool *needed = find_needed(&p);
    *plan = (struct study_plan){.jobs = ARENA_ARRAY(a, struct study_job, pairs),
                                .of = ARENA_ARRAY(a, uint32_t, pairs)};
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t variant = i / s->nworkloads, workload = i % s->nworkloads;
        plan->of[i] = UINT32_MAX;
        if (!needed[i])
            continue;
        struct config *const *c = config_at(&p, variant, workload);
        if (!*c && (!load_config(&p, variant, workload) || !try_out(&p, variant, workload)))
            return false;
        uint64_t key = key_of(&p, *c, &s->workloads[workload]);
        plan->of[i] = job_of(&p, plan, key, variant, workload);
    }
    plan->idle = idle_settings(a, s, p.configs, nsetups(s));
    return true;
}
