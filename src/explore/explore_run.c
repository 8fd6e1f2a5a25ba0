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
#include "explore/budget.h"
#include "study/verdict.h"

enum { PART = 16, NONE = UINT32_MAX };

struct runner {
    struct arena *arena;
    const struct exploration *x;
    const struct explore_options *o;
    struct explore_result *r;
    struct budget budget;
    uint32_t room; /* for points */
};

struct part { /* of a batch */
    struct arena *arena;
    uint32_t fidelity, first, n; /* points of the result */
    const struct study_variant **variants;
    const char **refused; /* [n + 1] */
    uint32_t *runs;
    struct study *study;
    struct study_plan plan;
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
        for (uint32_t i = 0; i < r->npoints; i++)
            room[i] = r->points[i];
        r->points = room;
    }
    for (uint32_t i = 0; i < x->axes.n; i++)
        all[i] = levels[i];
    explore_canonical(x, all, values);
    if (!study_axes_variant(&x->axes, values, v)) {
        *e = *x->axes.reader->e;
        return NULL;
    }
    struct explore_point *p = &r->points[r->npoints++];
    *p = (struct explore_point){.values = values,
                                .variant = v,
                                .label = label_of(u, values),
                                .fidelity = fidelity,
                                .value = ARENA_ARRAY(u->arena, double, x->nvalues),
                                .rows = ARENA_ARRAY(u->arena, double, x->nvalues * r->nrows)};
    return p;
}

/* Why a run of a variant has failed; jobs that several share go by the name of the first. */
static const char *failure_of(const struct runner *u, const struct part *t, uint32_t variant,
                              const struct pool_result *done)
{
    uint32_t rows = t->study->nworkloads;
    for (uint32_t i = 0; i < 2 * rows; i++) {
        uint32_t pair = variant * rows + i % rows;
        uint32_t job = i < rows ? t->plan.of[pair] : t->plan.cost[pair];
        for (uint32_t k = 0; job != NONE && k < done->nfailures; k++)
            if (strcmp(done->failures[k].label, t->plan.jobs[job].label) == 0)
                return arena_printf(u->arena, "%s: %s", done->failures[k].label,
                                    done->failures[k].why);
    }
    return NULL;
}

/* Column `column` of the figures, which have the points in their order. */
static void take_values(const struct runner *u, struct arena *a, const struct study_result *result,
                        uint32_t column, struct explore_point *p)
{
    for (uint32_t i = 0; i < u->x->nvalues; i++) {
        const struct study_figure *f = result->figures[i].figure;
        const struct explore_value *v = &u->x->values[i];
        double *rows = ARENA_ARRAY(a, double, f->nworkloads), *at = &p->rows[i * u->r->nrows];
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

/* Each once: the baseline is part of every study. */
static void keep_failures(struct runner *u, const struct pool_result *done)
{
    struct explore_result *r = u->r;
    struct pool_failure *all =
        ARENA_ARRAY(u->arena, struct pool_failure, r->nfailures + done->nfailures + 1);
    for (uint32_t i = 0; i < r->nfailures; i++)
        all[i] = r->failures[i];
    for (uint32_t i = 0; i < done->nfailures; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < r->nfailures; k++)
            is_new &= strcmp(all[k].label, done->failures[i].label) != 0;
        if (is_new)
            all[r->nfailures++] =
                (struct pool_failure){arena_strdup(u->arena, done->failures[i].label),
                                      arena_strdup(u->arena, done->failures[i].why)};
    }
    r->failures = all;
}

static void end_part(struct runner *u, const struct part *t, const struct study_result *result,
                     const struct pool_result *done, struct search_value *values)
{
    for (uint32_t i = 0; i < t->n; i++) {
        struct explore_point *p = &u->r->points[t->first + i];
        const char *why = t->refused[i + 1];
        take_values(u, t->arena, result, i, p);
        p->runs = t->runs[i];
        p->why = why ? arena_strdup(u->arena, why) : failure_of(u, t, i + 1, done);
        values[i] = searched(u, p);
    }
    keep_failures(u, done);
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
    *paid = budget_afford(&u->budget, t->arena, t->study, &t->plan, t->runs);
    u->r->npoints = t->first + *paid;
    if (*paid == 0)
        return true;
    if (*paid < asked && !plan_part(u, u->o->above, t, *paid, e))
        return false;
    if (!run_pool(u, t->arena, t->study, &t->plan, &done, e) ||
        !judge(u, t->arena, t->study, &t->plan, &result, e) ||
        !budget_pay(&u->budget, t->arena, u->o->pool.store, &t->plan, e))
        return false;
    const char *why = failure_of(u, t, 0, &done);
    if (why) /* nothing could be compared with it */
        return err_set(e, STATUS_FAILED, "the baseline: %s", why);
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
              judge(u, a, &s, &plan, &result, e);
    if (ok) {
        keep_failures(u, &done);
        classify(u, &result.figures[0]);
    }
    arena_free(a);
    return ok;
}

/* ---- the search ----------------------------------------------------------------------------- */

/* Numbers that only grow. */
static bool is_ordered(const struct study_axis *axis)
{
    double before = -INFINITY, v;
    int64_t whole;
    for (uint32_t i = 0; !axis->is_range && i < axis->n; i++, before = v) {
        const char *name = axis->values[i].name;
        if (str_to_int(name, &whole))
            v = (double)whole;
        else if (!str_to_real(name, &v))
            return false;
        if (v <= before)
            return false;
    }
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

static void pose(struct runner *u, struct search_problem *p)
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
                                 .context = u};
}

/* ---- before the first run ------------------------------------------------------------------- */

static bool check_methods(struct runner *u, struct err *e)
{
    struct search_problem problem;
    pose(u, &problem);
    const struct search *s = search_new(u->arena, &problem, u->x->config);
    for (uint32_t i = 0; i < u->x->nmethods; i++)
        if (!search_check(s, u->x->methods[i], e))
            return false;
    return true;
}

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
    return check_methods(&u, e) && plan_part(&u, above, &t, n, e) &&
           (!x->classes.n || study_plan(a, &s, above, &classes, e));
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool explore_run(struct arena *a, const struct exploration *x, const struct explore_options *o,
                 struct explore_result *r, struct err *e)
{
    struct runner u = {.arena = a, .x = x, .o = o, .r = r, .budget = budget_of(a, x)};
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
    if (!r->npoints)
        return err_set(e, STATUS_BAD_INPUT, "%s: budget: it does not pay for the baseline",
                       x->study->path);
    r->runs = u.budget.runs;
    r->wall_s = u.budget.wall_s;
    r->is_spent = search_is_over(r->search);
    r->nfront = search_front(r->search, r->npoints, a, &r->front);
    r->growth = explore_growth(a, r);
    return true;
}
