/* explore_run.c - an exploration carried out.
 *
 * A batch of points is a study: each point a variant, compared with the baseline, each objective a
 * figure.  Batches are cut into parts of one size, whatever the number of processes, so that a budget
 * ends a search at the same point everywhere.  A budget counts the runs that the points need, whether
 * they are done now or were there before; hours are what those runs took when they were done, as the
 * database has it. */
#include "explore/explore_run.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "explore/keyset.h"
#include "study/verdict.h"

enum { PART = 16, NONE = UINT32_MAX };

struct runner {
    struct arena *arena;
    const struct exploration *x;
    const struct explore_options *o;
    struct explore_result *r;
    struct keyset asked; /* runs that the search needs */
    struct keyset paid;  /* ... whose time is counted */
    uint32_t room;       /* for points */
};

/* ---- a study of some points ----------------------------------------------------------------- */

/* The exploration's study with these variants after the baseline, and its first n figures over them. */
static struct study *study_of(const struct runner *u, struct arena *a, uint32_t fidelity,
                              const struct study_variant *const *variants, uint32_t n)
{
    const struct study *from = u->x->study;
    struct study *s = ARENA_NEW(a, struct study);
    struct study_variant *all = ARENA_ARRAY(a, struct study_variant, n + 1);
    struct study_figure *figures = ARENA_ARRAY(a, struct study_figure, u->x->nvalues);
    uint32_t *columns = ARENA_ARRAY(a, uint32_t, n + 1);
    all[0] = from->variants[0];
    for (uint32_t i = 0; i < n; i++) {
        all[i + 1] = *variants[i];
        columns[i] = i + 1;
    }
    for (uint32_t i = 0; i < u->x->nvalues; i++) {
        figures[i] = from->figures[i];
        figures[i].variants = columns;
        figures[i].nvariants = n;
    }
    *s = *from;
    s->workloads = u->x->sized[fidelity];
    s->variants = all;
    s->nvariants = n + 1;
    s->figures = figures;
    s->nfigures = u->x->nvalues;
    return s;
}

static bool run_pool(const struct runner *u, struct arena *a, const struct study *s,
                     const struct study_plan *p, struct pool_result *done, struct err *e)
{
    if (!pool_run(a, s, p, &u->o->pool, done, e))
        return false;
    if (done->was_interrupted)
        return err_set(e, STATUS_BUDGET,
                       "interrupted: what was done is kept in %s; the same command goes on from "
                       "there",
                       u->o->pool.store);
    return true;
}

static bool judge(const struct runner *u, struct arena *a, const struct study *s,
                  const struct study_plan *p, struct study_result *result, struct err *e)
{
    struct store *store = store_open(u->o->pool.store, e);
    bool ok = store && study_judge(a, s, p, store, result, e);
    store_close(store);
    return ok;
}

/* ---- the budget ----------------------------------------------------------------------------- */

/* Runs that are counted: all but those that only price. */
static bool is_counted(const struct study *s, const struct study_job *j)
{
    return j->kind == s->workloads[j->workload].kind;
}

/* The jobs of a point that no point before it has asked for; returns how many. */
static uint32_t new_jobs(const struct runner *u, const struct study *s, const struct study_plan *p,
                         uint32_t variant, uint32_t *jobs)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < s->nworkloads; w++) {
        uint32_t job = p->of[variant * s->nworkloads + w];
        if (job != NONE && is_counted(s, &p->jobs[job]) &&
            !keyset_has(&u->asked, p->jobs[job].key) && study_place(jobs, n, job) < 0)
            jobs[n++] = job;
    }
    return n;
}

/* How many of a study's points can be paid for; runs[i]: all until the i-th is done. */
static uint32_t afford(struct runner *u, struct arena *a, const struct study *s,
                       const struct study_plan *p, uint32_t *runs)
{
    uint32_t *jobs = ARENA_ARRAY(a, uint32_t, s->nworkloads), n = s->nvariants - 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t new = new_jobs(u, s, p, i + 1, jobs);
        if (u->r->runs + (uint64_t) new > u->x->most_runs)
            return i;
        for (uint32_t k = 0; k < new; k++)
            keyset_add(u->arena, &u->asked, p->jobs[jobs[k]].key);
        u->r->runs += new;
        runs[i] = u->r->runs;
    }
    return n;
}

/* What runs took, each counted once. */
static bool add_wall(struct runner *u, struct arena *a, const struct study_plan *p, struct err *e)
{
    struct store *store = store_open(u->o->pool.store, e);
    bool ok = store != NULL;
    for (uint32_t i = 0; ok && i < p->njobs; i++) {
        struct store_run run = {0};
        bool found = false;
        if (keyset_has(&u->paid, p->jobs[i].key))
            continue;
        keyset_add(u->arena, &u->paid, p->jobs[i].key);
        ok = store_get(store, a, p->jobs[i].key, &run, &found, e);
        u->r->wall_s += ok && found ? run.wall_s : 0;
    }
    store_close(store);
    return ok;
}

/* ---- points --------------------------------------------------------------------------------- */

double explore_mean(enum explore_over over, const double *rows, uint32_t n)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        if (isnan(rows[i]) || (over == OVER_GEOMETRIC && !(rows[i] > 0)))
            return NAN;
        sum += over == OVER_GEOMETRIC ? log(rows[i]) : rows[i];
        least = rows[i] < least ? rows[i] : least;
        most = rows[i] > most ? rows[i] : most;
    }
    const double by[OVERS] = {
        [OVER_GEOMETRIC] = exp(sum / n),
        [OVER_ARITHMETIC] = sum / n,
        [OVER_LEAST] = least,
        [OVER_MOST] = most,
    };
    return n ? by[over] : NAN;
}

/* By how much of the bound a value is beyond it. */
static double beyond(double value, double bound, bool is_most)
{
    double by = is_most ? value - bound : bound - value;
    return isnan(bound) || by <= 0 ? 0 : by / (bound != 0 ? fabs(bound) : 1);
}

static const char *label_of(const struct runner *u, const uint32_t *values)
{
    const struct exploration *x = u->x;
    const char *text = "";
    for (uint32_t i = 0; i < x->axes.n; i++)
        if (values[i] != x->start[i] && values[i] != NONE)
            text = arena_printf(u->arena, "%s%s%s", text, *text ? ", " : "",
                                study_axis_word(u->arena, &x->axes.all[i], values[i]));
    return *text ? text : "baseline";
}

static struct explore_point *new_point(struct runner *u, uint32_t fidelity, const uint16_t *levels,
                                       struct err *e)
{
    const struct exploration *x = u->x;
    struct explore_result *r = u->r;
    uint32_t *all = ARENA_ARRAY(u->arena, uint32_t, x->axes.n);
    uint32_t *values = ARENA_ARRAY(u->arena, uint32_t, x->axes.n);
    struct study_variant *v = ARENA_NEW(u->arena, struct study_variant);
    if (r->npoints == u->room) {
        u->room = u->room ? 2 * u->room : 256;
        struct explore_point *room = ARENA_ARRAY(u->arena, struct explore_point, u->room);
        memcpy(room, r->points, r->npoints * sizeof *room);
        r->points = room;
    }
    for (uint32_t i = 0; i < x->axes.n; i++)
        all[i] = levels[i];
    explore_canonical(x, all, values);
    if (!study_axes_variant(&x->axes, values, v) && e->status != STATUS_DONE)
        return NULL;
    struct explore_point *p = &r->points[r->npoints++];
    *p = (struct explore_point){.values = values,
                                .variant = v,
                                .label = label_of(u, values),
                                .fidelity = fidelity,
                                .value = ARENA_ARRAY(u->arena, double, x->nvalues),
                                .rows = ARENA_ARRAY(u->arena, double, x->nvalues * r->nrows)};
    return p;
}

static const char *failure_of(const struct runner *u, const struct pool_result *done,
                              const char *variant)
{
    size_t n = strlen(variant);
    for (uint32_t i = 0; i < done->nfailures; i++)
        if (strncmp(done->failures[i].label, variant, n) == 0 && done->failures[i].label[n] == '/')
            return arena_printf(u->arena, "%s: %s", done->failures[i].label, done->failures[i].why);
    return NULL;
}

/* Column `column` of the figures, which have the points in their order. */
static void take_values(const struct runner *u, const struct study_result *result, uint32_t column,
                        struct explore_point *p)
{
    for (uint32_t i = 0; i < u->x->nvalues; i++) {
        const struct study_figure *f = result->figures[i].figure;
        const struct explore_value *v = &u->x->values[i];
        double *rows = ARENA_ARRAY(u->arena, double, f->nworkloads),
               *at = &p->rows[i * u->r->nrows];
        for (uint32_t k = 0; k < u->r->nrows; k++)
            at[k] = NAN;
        for (uint32_t k = 0; k < f->nworkloads; k++)
            at[f->workloads[k]] = rows[k] =
                result->figures[i].value[(size_t)k * f->nvariants + column];
        p->value[i] = explore_mean(v->over, rows, f->nworkloads);
        p->violation += isnan(p->value[i]) ? NAN : 0;
        p->violation += beyond(p->value[i], v->at_most, true);
        p->violation += beyond(p->value[i], v->at_least, false);
    }
}

static struct search_value searched(const struct runner *u, const struct explore_point *p)
{
    struct search_value v = {.violation = p->violation};
    for (uint32_t i = 0; i < u->x->nobjectives; i++)
        v.objectives[i] = u->x->values[i].wants_most ? -p->value[i] : p->value[i];
    return v;
}

/* ---- measuring ------------------------------------------------------------------------------ */

struct part { /* of a batch */
    struct arena *arena;
    uint32_t fidelity, first, n; /* points of the result */
    const struct study_variant **variants;
    const char **refused; /* [n + 1] */
    uint32_t *runs;
    struct study *study;
    struct study_plan plan;
};

static bool plan_part(const struct runner *u, const struct study_above *above, struct part *t,
                      uint32_t n, struct err *e)
{
    t->n = n;
    t->refused = ARENA_ARRAY(t->arena, const char *, n + 1);
    t->study = study_of(u, t->arena, t->fidelity, t->variants, n);
    if (!study_plan_buildable(t->arena, t->study, above, &t->plan, t->refused, e))
        return false;
    return !t->refused[0] ||
           err_set(e, STATUS_BAD_INPUT, "%s: the baseline: %s", t->study->path, t->refused[0]);
}

static void end_part(struct runner *u, const struct part *t, const struct study_result *result,
                     const struct pool_result *done, struct search_value *values)
{
    for (uint32_t i = 0; i < t->n; i++) {
        struct explore_point *p = &u->r->points[t->first + i];
        const char *why = t->refused[i + 1];
        take_values(u, result, i, p);
        p->runs = t->runs[i];
        p->why = why ? arena_strdup(u->arena, why) : failure_of(u, done, p->variant->name);
        values[i] = searched(u, p);
    }
    struct pool_failure *all =
        ARENA_ARRAY(u->arena, struct pool_failure, u->r->nfailures + done->nfailures + 1);
    if (!done->nfailures)
        return;
    memcpy(all, u->r->failures, u->r->nfailures * sizeof *all);
    for (uint32_t i = 0; i < done->nfailures; i++)
        all[u->r->nfailures++] =
            (struct pool_failure){arena_strdup(u->arena, done->failures[i].label),
                                  arena_strdup(u->arena, done->failures[i].why)};
    u->r->failures = all;
}

/* As many of the points as can be paid for; *paid says how many. */
static bool measure_part(struct runner *u, struct part *t, struct search_value *values,
                         uint32_t *paid, struct err *e)
{
    struct pool_result done;
    struct study_result result;
    uint32_t asked = t->n;
    if (!plan_part(u, u->o->above, t, asked, e))
        return false;
    t->runs = ARENA_ARRAY(t->arena, uint32_t, asked + 1);
    *paid = u->r->wall_s >= 3600 * u->x->most_hours
                ? 0
                : afford(u, t->arena, t->study, &t->plan, t->runs);
    u->r->npoints = t->first + *paid;
    if (*paid == 0)
        return true;
    if (*paid < asked && !plan_part(u, u->o->above, t, *paid, e))
        return false;
    if (!run_pool(u, t->arena, t->study, &t->plan, &done, e) ||
        !judge(u, t->arena, t->study, &t->plan, &result, e) || !add_wall(u, t->arena, &t->plan, e))
        return false;
    end_part(u, t, &result, &done, values);
    return true;
}

static bool measure(void *context, uint32_t fidelity, const uint16_t *const *points, uint32_t n,
                    struct search_value *values, uint32_t *done, struct err *e)
{
    struct runner *u = context;
    bool ok = true;
    for (*done = 0; ok && *done < n;) {
        uint32_t paid = 0, asked = n - *done < PART ? n - *done : PART;
        struct part t = {.arena = arena_new(), .fidelity = fidelity, .first = u->r->npoints};
        t.variants = ARENA_ARRAY(t.arena, const struct study_variant *, asked);
        for (; ok && t.n < asked; t.n++) {
            const struct explore_point *p = new_point(u, fidelity, points[*done + t.n], e);
            ok = p != NULL;
            t.variants[t.n] = ok ? p->variant : NULL;
        }
        ok = ok && measure_part(u, &t, values + *done, &paid, e);
        arena_free(t.arena);
        *done += paid;
        if (paid < asked)
            break;
    }
    return ok;
}

/* ---- classes -------------------------------------------------------------------------------- */

/* The ideal part that gains most, where that is enough. */
static void classify(struct runner *u, const struct verdict_figure *v)
{
    const struct explore_classes *c = &u->x->classes;
    const struct study_figure *f = v->figure;
    uint32_t *class_of = ARENA_ARRAY(u->arena, uint32_t, u->r->nrows);
    double *gains = ARENA_ARRAY(u->arena, double, u->r->nrows * c->n);
    for (uint32_t i = 0; i < u->r->nrows; i++) {
        class_of[i] = c->n;
        for (uint32_t k = 0; k < c->n; k++)
            gains[i * c->n + k] = NAN;
    }
    for (uint32_t i = 0; i < f->nworkloads; i++) {
        double best = c->above;
        for (uint32_t k = 0; k < c->n; k++) {
            double gain = v->value[(size_t)i * f->nvariants + k];
            gains[f->workloads[i] * c->n + k] = gain;
            if (gain > best) {
                best = gain;
                class_of[f->workloads[i]] = k;
            }
        }
    }
    u->r->class_of = class_of;
    u->r->gains = gains;
}

static bool measure_classes(struct runner *u, struct err *e)
{
    const struct explore_classes *c = &u->x->classes;
    struct arena *a = arena_new();
    struct study s = *u->x->study;
    struct study_plan plan;
    struct pool_result done;
    struct study_result result;
    s.figures += c->figure;
    s.nfigures = 1;
    bool ok = study_plan(a, &s, u->o->above, &plan, e) && run_pool(u, a, &s, &plan, &done, e) &&
              judge(u, a, &s, &plan, &result, e) && add_wall(u, a, &plan, e);
    if (ok)
        classify(u, &result.figures[0]);
    arena_free(a);
    return ok;
}

/* ---- before the first run ------------------------------------------------------------------- */

bool explore_check(struct arena *a, const struct exploration *x, const struct study_above *above,
                   struct err *e)
{
    const struct study_axes *axes = &x->axes;
    struct runner u = {.arena = a, .x = x};
    uint32_t n = 0, room = 1;
    for (uint32_t i = 0; i < axes->n; i++)
        room += axes->all[i].n;
    const struct study_variant **all = ARENA_ARRAY(a, const struct study_variant *, room);
    for (uint32_t i = 0; i < axes->n; i++)
        for (uint32_t k = 0; k < axes->all[i].n; k++) {
            struct study_variant *v = ARENA_NEW(a, struct study_variant);
            uint32_t *values = ARENA_ARRAY(a, uint32_t, axes->n);
            memcpy(values, x->start, axes->n * sizeof *values);
            values[i] = k;
            if (!study_axes_variant(axes, values, v))
                return false;
            all[n++] = v;
        }
    struct part t = {.arena = a, .fidelity = x->nsizes - 1, .variants = all};
    struct study_plan classes;
    struct study s = *x->study;
    s.figures += x->classes.figure;
    s.nfigures = 1;
    return plan_part(&u, above, &t, n, e) &&
           (!x->classes.n || study_plan(a, &s, above, &classes, e));
}

/* ---- the search ----------------------------------------------------------------------------- */

/* Numbers that only grow. */
static bool is_ordered(const struct study_axis *axis)
{
    double before = -INFINITY, v;
    for (uint32_t i = 0; !axis->is_range && i < axis->n; i++, before = v)
        if (!str_to_real(axis->values[i].name, &v) || v <= before)
            return false;
    return true;
}

/* An axis that does not matter is at the baseline's value. */
static void make_plain(void *context, uint16_t *levels)
{
    const struct exploration *x = ((const struct runner *)context)->x;
    uint32_t values[SEARCH_MOST_AXES], canonical[SEARCH_MOST_AXES];
    for (uint32_t i = 0; i < x->axes.n; i++)
        values[i] = levels[i];
    explore_canonical(x, values, canonical);
    for (uint32_t i = 0; i < x->axes.n; i++)
        levels[i] = (uint16_t)(canonical[i] == NONE ? x->start[i] : canonical[i]);
}

static void pose(const struct runner *u, struct search_problem *p)
{
    const struct study_axes *axes = &u->x->axes;
    struct search_axis *all = ARENA_ARRAY(u->arena, struct search_axis, axes->n);
    uint16_t *start = ARENA_ARRAY(u->arena, uint16_t, axes->n);
    for (uint32_t i = 0; i < axes->n; i++) {
        all[i] = (struct search_axis){axes->all[i].n, is_ordered(&axes->all[i])};
        start[i] = (uint16_t)u->x->start[i];
    }
    *p = (struct search_problem){.space = {axes->n, all},
                                 .nobjectives = u->x->nobjectives,
                                 .nfidelities = u->x->nsizes,
                                 .start = start,
                                 .seed = u->x->study->seed,
                                 .plain = u->x->nconditions ? make_plain : NULL,
                                 .measure = measure,
                                 .context = (void *)u};
}

bool explore_run(struct arena *a, const struct exploration *x, const struct explore_options *o,
                 struct explore_result *r, struct err *e)
{
    struct runner u = {.arena = a, .x = x, .o = o, .r = r};
    struct search_problem problem;
    *r = (struct explore_result){.x = x, .nrows = x->study->nworkloads};
    pose(&u, &problem);
    r->search = search_new(a, &problem, x->config);
    if (x->classes.n && !measure_classes(&u, e))
        return false;
    for (uint32_t i = 0; i < x->nmethods; i++)
        if (!search_run(r->search, x->methods[i], e))
            return false;
    HD_ASSERT(search_count(r->search) == r->npoints, "points of search and runner differ");
    r->is_spent = search_is_over(r->search);
    r->nfront = search_front(r->search, r->npoints, a, &r->front);
    return true;
}
