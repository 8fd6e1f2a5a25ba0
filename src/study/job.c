/* job.c - the runs of a study: each distinct (configuration, workload, size) once.
 *
 * What is run is what the figures ask for, and their baselines; where an expression has a name
 * cost.NAME, also the kind of run that prices the configuration.  Every configuration is tried by
 * building what its runs will, and every name in an expression is looked up in what these keep, so
 * that mistakes come to light before the first run and not after the last. */
#include "study/job.h"

#include <string.h>

#include "base/str.h"
#include "machine/machine.h"
#include "study/idle.h"
#include "study/job_key.h"
#include "study/kind.h"
#include "study/study_priv.h"

enum { MAX_NAMES = 4096 };

struct planner {
    struct arena *arena;
    const struct study *study;
    const struct study_above *above;
    /* [variant * nsetups + setup of the row]: a variant with the settings of a row; NULL: not
     * needed. */
    struct config **configs;
    struct job_keys *keys;
    uint32_t *setups;     /* by row; those for which the same is built share one */
    bool prices;          /* some expression has a name cost.NAME */
    const char **refused; /* [variant]; NULL: nobody asks */
    const bool *wanted;   /* [pair]; NULL: all that figures ask for */
    uint32_t *found;      /* jobs by their keys, hashed: 0 is none, else the job and one */
    size_t room;          /* for them: a power of two */
    struct err *e;
};

/* ---- configurations ------------------------------------------------------------------------ */

static uint32_t nsetups(const struct study *s)
{
    return s->nworkloads + (uint32_t)kind_count;
}

static bool have_same_sets(const struct study_workload *a, const struct study_workload *b)
{
    bool are_of_one_line = a == b || (a->maker && a->maker == b->maker);
    if (a->nsets != b->nsets || (a->nsets && !are_of_one_line))
        return false;
    for (uint32_t i = 0; i < a->nsets; i++)
        if (strcmp(a->sets[i], b->sets[i]) != 0)
            return false;
    return true;
}

/* Of a row with settings or several programs: that of the first such row which has as many of them
 * and the same settings, of the same line; of others that of their kind. */
static uint32_t find_setup(const struct study *s, uint32_t workload)
{
    const struct study_workload *w = &s->workloads[workload], *first = s->workloads;
    uint32_t kind = 0;
    if (w->nsets || w->nprograms > 1) {
        while (first->kind != w->kind || first->nprograms != w->nprograms ||
               !have_same_sets(first, w))
            first++;
        return (uint32_t)(first - s->workloads);
    }
    while (kind_all[kind] != w->kind)
        kind++;
    return s->nworkloads + kind;
}

static void find_setups(struct planner *p)
{
    p->setups = ARENA_ARRAY(p->arena, uint32_t, p->study->nworkloads);
    for (uint32_t i = 0; i < p->study->nworkloads; i++)
        p->setups[i] = find_setup(p->study, i);
}

static struct config **config_at(const struct planner *p, uint32_t variant, uint32_t workload)
{
    return &p->configs[variant * nsetups(p->study) + p->setups[workload]];
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
    struct config *c = w->kind->config(p->arena);
    struct err why = {0};
    const char *path = w->kind->is_of_network ? p->above->network(p->arena, v->machine, &why)
                                              : p->above->machine(p->arena, v->machine, &why);
    if (!path || !config_load(c, path, &why))
        return blame(p, v->line, v, &why);
    for (uint32_t i = 0; i < v->nsets; i++)
        if (!config_set(c, v->sets[i], &why))
            return blame(p, v->set_lines[i], v, &why);
    for (uint32_t i = 0; i < w->nsets; i++)
        if (!config_set(c, w->sets[i], &why))
            return blame(p, w->set_lines[i], v, &why);
    if (!w->kind->is_of_network)
        machine_fit(c);
    *config_at(p, variant, workload) = c;
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

struct lookup {
    const struct planner *p;
    uint32_t variant;
    const struct study_kind *kind;
    const void *trial, *prices; /* the latter of the kind's cost; may be NULL */
    bool of_base;               /* the variant is looked at as the baseline, not as a column */
};

static bool is_cost(const char *name)
{
    return strncmp(name, "cost.", 5) == 0;
}

static bool is_known(const struct lookup *l, const char *name)
{
    return l->kind->knows(l->trial, name) ||
           (l->prices && is_cost(name) && l->kind->cost->knows(l->prices, name));
}

static struct str_hint hint_for(const struct lookup *l, const char *name)
{
    const struct study *s = l->p->study;
    struct str_hint hint = str_hint(name);
    for (uint32_t i = 0; i < s->nmetrics; i++)
        str_hint_offer(&hint, s->metrics[i].name);
    const char **all = ARENA_ARRAY(l->p->arena, const char *, MAX_NAMES);
    uint32_t n = l->prices && is_cost(name)
                     ? l->kind->cost->names(l->prices, all, MAX_NAMES, l->p->arena)
                     : l->kind->names(l->trial, all, MAX_NAMES, l->p->arena);
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

/* Whether a figure has rows of this setup. */
static bool has_rows(const struct planner *p, const struct study_figure *f, uint32_t setup)
{
    for (uint32_t i = 0; i < f->nworkloads; i++)
        if (p->setups[f->workloads[i]] == setup)
            return true;
    return false;
}

static bool check_names(struct lookup *l, uint32_t setup)
{
    const struct study *s = l->p->study;
    bool ok = true;
    for (uint32_t i = 0; i < s->nfigures && ok; i++) {
        const struct study_figure *f = &s->figures[i];
        if (!has_rows(l->p, f, setup))
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

/* Nothing can be built as the variant says. */
static bool refuse(const struct planner *p, uint32_t variant, const struct err *why)
{
    const struct study_variant *v = &p->study->variants[variant];
    if (!p->refused)
        return blame(p, v->line, v, why);
    p->refused[variant] = arena_strdup(p->arena, why->text);
    return true;
}

/* Builds what a run will. */
static bool try_out(const struct planner *p, uint32_t variant, uint32_t workload)
{
    const struct study_workload *w = &p->study->workloads[workload];
    const struct study_kind *kind = w->kind, *cost = p->prices ? kind->cost : NULL;
    struct kind_run run = {.config = *config_at(p, variant, workload),
                           .nprograms = w->nprograms,
                           .arena = arena_new()};
    struct err why = {0};
    void *trial = kind->try_out(&run, &why), *prices = NULL;
    if (trial && cost)
        prices = cost->try_out(&run, &why);
    struct lookup l = {p, variant, kind, trial, prices, false};
    bool ok = trial && (prices || !cost) ? check_names(&l, p->setups[workload])
                                         : refuse(p, variant, &why);
    if (trial && kind->end)
        kind->end(trial);
    arena_free(run.arena);
    return ok;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static double guess_cost(const struct study_workload *w, const struct study_kind *kind)
{
    double seconds = kind->seconds;
    for (uint32_t i = 0; kind->most_programs && i < w->nprograms; i++)
        seconds += study_program_cost(&w->programs[i]);
    return seconds;
}

/* A row's own, or that of its prices, which rows with the variant's settings share. */
static const char *row_text(const struct planner *p, const struct study_workload *w,
                            const struct study_kind *kind)
{
    if (kind == w->kind)
        return study_row_text(p->arena, w);
    return w->nsets ? arena_printf(p->arena, "cost of %s", w->name) : "cost";
}

/* The job that does this with a pair, which may be new. */
static uint32_t job_of(const struct planner *p, struct study_plan *plan, uint32_t variant,
                       uint32_t workload, const struct study_kind *kind)
{
    const struct study_workload *w = &p->study->workloads[workload];
    struct config **at_config = config_at(p, variant, workload), *c = *at_config;
    size_t number = (size_t)(at_config - p->configs);
    uint64_t key = job_key(p->keys, c, number, workload, kind);
    size_t at = key & (p->room - 1);
    for (; p->found[at]; at = (at + 1) & (p->room - 1))
        if (plan->jobs[p->found[at] - 1].key == key)
            return p->found[at] - 1;
    p->found[at] = plan->njobs + 1;
    const char *row = row_text(p, w, kind);
    plan->jobs[plan->njobs] = (struct study_job){
        .key = key,
        .asked = job_key_asked(p->keys, c, number, workload, kind),
        .variant = variant,
        .workload = workload,
        .kind = kind,
        .row = row,
        .label = arena_printf(p->arena, "%s/%s", p->study->variants[variant].name, row),
        .config = c,
        .cost = guess_cost(w, kind),
    };
    return plan->njobs++;
}

/* ---- what is needed ------------------------------------------------------------------------ */

struct needs { /* of a variant and a row */
    bool run, cost;
};

/* Whether x asks for prices of the variant, seen as a column or as the baseline. */
static bool asks_cost(const struct study *s, const struct expr *x, bool in_base, bool of_base)
{
    for (const struct expr_name *n = expr_names(x); n; n = n->next) {
        bool has_prefix = strncmp(n->text, "base.", 5) == 0, at_base = in_base || has_prefix;
        const char *name = has_prefix ? n->text + 5 : n->text;
        const struct study_metric *m = study_metric(s, name);
        if (m && m->expr != x ? asks_cost(s, m->expr, at_base, of_base)
                              : at_base == of_base && is_cost(name))
            return true;
    }
    return false;
}

static bool figure_asks_cost(const struct study *s, const struct study_figure *f, bool of_base)
{
    for (uint32_t i = 0; i < f->nparts; i++)
        if (asks_cost(s, f->parts[i]->expr, false, of_base))
            return true;
    return f->expr && asks_cost(s, f->expr, false, of_base);
}

static void need(struct planner *p, struct needs *needed, const struct study_figure *f,
                 uint32_t variant, bool of_base)
{
    const struct study *s = p->study;
    bool cost = figure_asks_cost(s, f, of_base);
    p->prices |= cost;
    for (uint32_t i = 0; i < f->nworkloads; i++) {
        struct needs *n = &needed[variant * s->nworkloads + f->workloads[i]];
        n->run = true;
        n->cost |= cost && s->workloads[f->workloads[i]].kind->cost;
    }
}

static const struct needs *find_needed(struct planner *p)
{
    const struct study *s = p->study;
    struct needs *needed =
        ARENA_ARRAY(p->arena, struct needs, (size_t)s->nvariants * s->nworkloads);
    for (uint32_t i = 0; i < s->nfigures; i++) {
        const struct study_figure *f = &s->figures[i];
        for (uint32_t v = 0; v < f->nvariants; v++) {
            int32_t base = study_baseline(s, f, f->variants[v]);
            need(p, needed, f, f->variants[v], false);
            if (base >= 0)
                need(p, needed, f, (uint32_t)base, true);
        }
    }
    return needed;
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* Kernels of users that some figure asks for. */
static bool check_programs(const struct planner *p, const struct needs *needed)
{
    const struct study *s = p->study;
    for (uint32_t i = 0; i < s->nworkloads; i++) {
        const struct study_workload *w = &s->workloads[i];
        bool is_needed = false;
        for (uint32_t v = 0; v < s->nvariants; v++)
            is_needed |= needed[v * s->nworkloads + i].run;
        for (uint32_t k = 0; is_needed && k < w->nprograms; k++) {
            const struct study_program *x = &w->programs[k];
            struct err why = {0};
            if (x->ptx && !p->above->check(x, s->seed, &why))
                return err_set(p->e, why.status, "%s:%d: workload %s: %s", s->path, x->line,
                               w->name, why.text);
        }
    }
    return true;
}

bool study_plan(struct arena *a, const struct study *s, const struct study_above *above,
                struct study_plan *plan, struct err *e)
{
    return study_plan_buildable(a, s, above, plan, NULL, e);
}

static bool make_plan(struct planner p, struct study_plan *plan)
{
    struct arena *a = p.arena;
    const struct study *s = p.study;
    const char **refused = p.refused;
    size_t pairs = (size_t)s->nvariants * s->nworkloads;
    p.configs = ARENA_ARRAY(a, struct config *, (size_t)s->nvariants * nsetups(s));
    for (p.room = 1; p.room < 4 * pairs; p.room *= 2) /* two jobs each, half of it empty */
        continue;
    p.found = ARENA_ARRAY(a, uint32_t, p.room);
    p.keys = job_keys_new(a, s, (size_t)s->nvariants * nsetups(s));
    find_setups(&p);
    const struct needs *needed = find_needed(&p);
    *plan = (struct study_plan){.jobs = ARENA_ARRAY(a, struct study_job, 2 * pairs),
                                .of = ARENA_ARRAY(a, uint32_t, pairs),
                                .cost = ARENA_ARRAY(a, uint32_t, pairs)};
    if (!check_programs(&p, needed))
        return false;
    for (uint32_t i = 0; i < pairs; i++) {
        uint32_t variant = i / s->nworkloads, workload = i % s->nworkloads;
        const struct study_kind *kind = s->workloads[workload].kind;
        plan->of[i] = plan->cost[i] = UINT32_MAX;
        if (!needed[i].run || (refused && refused[variant]) || (p.wanted && !p.wanted[i]))
            continue;
        struct config *const *c = config_at(&p, variant, workload);
        if (!*c && (!load_config(&p, variant, workload) || !try_out(&p, variant, workload)))
            return false;
        if (refused && refused[variant])
            continue;
        plan->of[i] = job_of(&p, plan, variant, workload, kind);
        if (needed[i].cost)
            plan->cost[i] = job_of(&p, plan, variant, workload, kind->cost);
    }
    plan->idle = p.wanted ? "" : idle_settings(a, s, p.configs, nsetups(s));
    return true;
}

bool study_plan_buildable(struct arena *a, const struct study *s, const struct study_above *above,
                          struct study_plan *plan, const char **refused, struct err *e)
{
    return make_plan(
        (struct planner){.arena = a, .study = s, .above = above, .refused = refused, .e = e}, plan);
}

bool study_plan_pairs(struct arena *a, const struct study *s, const struct study_above *above,
                      const bool *wanted, struct study_plan *plan, struct err *e)
{
    return make_plan(
        (struct planner){.arena = a, .study = s, .above = above, .wanted = wanted, .e = e}, plan);
}

uint32_t study_plan_job(const struct study_plan *p, uint32_t pair, const char *name)
{
    bool is_priced = p->cost && p->cost[pair] != UINT32_MAX && is_cost(name);
    return is_priced ? p->cost[pair] : p->of[pair];
}
