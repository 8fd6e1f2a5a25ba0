/* explore_effects.c - main effects and interactions of two choices (explore_effects.h).
 *
 * The points are those of a design of pairs: baseline, every choice alone, every two together (method
 * pairs); a full grid has them, too. */
#include "explore/explore_effects.h"

#include <math.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* ---- intervals ------------------------------------------------------------------------------ */

/* Two-sided 95 % of Student's t; beyond the table within 0.001 by the first terms of its expansion. */
static double student(uint32_t freedom)
{
    static const double table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
                                   2.365, 2.306,  2.262, 2.228, 2.201, 2.179, 2.160,
                                   2.145, 2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
    const double z = 1.959964;
    if (freedom < sizeof table / sizeof *table)
        return table[freedom];
    double cube = z * z * z, fifth = cube * z * z;
    return z + (cube + z) / (4 * freedom) +
           (5 * fifth + 16 * cube + 3 * z) / (96.0 * freedom * freedom);
}

struct explore_interval explore_interval(const double *ratios, uint32_t n)
{
    struct explore_interval x = {.mean = NAN, .low = NAN, .high = NAN};
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < n; i++)
        if (ratios[i] > 0) {
            x.n++;
            sum += log(ratios[i]);
        }
    if (!x.n)
        return x;
    double mean = sum / x.n;
    for (uint32_t i = 0; i < n; i++)
        if (ratios[i] > 0)
            squares += (log(ratios[i]) - mean) * (log(ratios[i]) - mean);
    x.mean = exp(mean);
    if (x.n < 2)
        return x;
    double half = student(x.n - 1) * sqrt(squares / (x.n - 1) / x.n);
    x.low = exp(mean - half);
    x.high = exp(mean + half);
    return x;
}

bool explore_interval_tells(const struct explore_interval *i)
{
    return i->low > 1 || i->high < 1;
}

/* ---- points --------------------------------------------------------------------------------- */

struct effects {
    struct arena *arena;
    const struct explore_result *r;
    uint32_t value;
    const double *start; /* the baseline's, by workload */
    struct explore_effect *all;
    uint32_t n;
};

static const double *rows_at(const struct effects *f, const uint32_t *values)
{
    const struct exploration *x = f->r->x;
    uint32_t *canonical = ARENA_ARRAY(f->arena, uint32_t, x->axes.n);
    explore_canonical(x, values, canonical);
    for (uint32_t i = 0; i < f->r->npoints; i++) {
        const struct explore_point *p = &f->r->points[i];
        if (p->fidelity + 1 == x->nsizes && !p->why &&
            memcmp(p->values, canonical, x->axes.n * sizeof *canonical) == 0)
            return &p->rows[f->value * f->r->nrows];
    }
    return NULL;
}

/* The baseline with choices of some axes; NULL: not measured, or one of them does not matter there. */
static const double *rows_with(const struct effects *f, const uint32_t *axis,
                               const uint32_t *choice, uint32_t n)
{
    const struct exploration *x = f->r->x;
    uint32_t *values = ARENA_ARRAY(f->arena, uint32_t, x->axes.n);
    uint32_t *canonical = ARENA_ARRAY(f->arena, uint32_t, x->axes.n);
    memcpy(values, x->start, x->axes.n * sizeof *values);
    for (uint32_t i = 0; i < n; i++)
        values[axis[i]] = choice[i];
    explore_canonical(x, values, canonical);
    for (uint32_t i = 0; i < n; i++)
        if (canonical[axis[i]] == NONE)
            return NULL;
    return rows_at(f, values);
}

static void add(struct effects *f, const struct explore_effect *like, const double *over,
                const double *under)
{
    const struct explore_result *r = f->r;
    uint32_t nclasses = r->x->classes.n ? r->x->classes.n + 1 : 0;
    struct explore_effect *x = &f->all[f->n++];
    double *some = ARENA_ARRAY(f->arena, double, r->nrows);
    *x = *like;
    x->ratios = ARENA_ARRAY(f->arena, double, r->nrows);
    for (uint32_t i = 0; i < r->nrows; i++)
        x->ratios[i] = over[i] / under[i];
    x->all = explore_interval(x->ratios, r->nrows);
    x->by_class = nclasses ? ARENA_ARRAY(f->arena, struct explore_interval, nclasses) : NULL;
    for (uint32_t c = 0; c < nclasses; c++) {
        for (uint32_t i = 0; i < r->nrows; i++)
            some[i] = r->class_of[i] == c ? x->ratios[i] : NAN;
        x->by_class[c] = explore_interval(some, r->nrows);
    }
}

/* ---- choices and pairs ---------------------------------------------------------------------- */

static void add_single(struct effects *f, uint32_t axis, uint32_t choice)
{
    struct explore_effect like = {.kind = EFFECT_ALONE, .axis = {axis, NONE}, .choice = {choice}};
    const double *rows = rows_with(f, like.axis, like.choice, 1);
    if (rows)
        add(f, &like, rows, f->start);
}

/* Whether a choice is one at all where everything else is the baseline's. */
static bool matters_alone(const struct effects *f, uint32_t axis, uint32_t choice)
{
    const struct exploration *x = f->r->x;
    uint32_t values[SEARCH_MOST_AXES], canonical[SEARCH_MOST_AXES];
    memcpy(values, x->start, x->axes.n * sizeof *values);
    values[axis] = choice;
    explore_canonical(x, values, canonical);
    return canonical[axis] != NONE;
}

static void add_pair(struct effects *f, struct explore_effect *like)
{
    const double *a = rows_with(f, &like->axis[0], &like->choice[0], 1);
    const double *b = rows_with(f, &like->axis[1], &like->choice[1], 1);
    const double *both = rows_with(f, like->axis, like->choice, 2);
    double *product = ARENA_ARRAY(f->arena, double, f->r->nrows);
    bool matters[2] = {matters_alone(f, like->axis[0], like->choice[0]),
                       matters_alone(f, like->axis[1], like->choice[1])};
    if (!both || (!a && !b) || (!a && matters[0]) || (!b && matters[1]))
        return;
    like->kind = a && b ? EFFECT_PAIR : EFFECT_GIVEN;
    if (!a) { /* the second is what matters alone */
        struct explore_effect turned = {
            .kind = EFFECT_GIVEN,
            .axis = {like->axis[1], like->axis[0]},
            .choice = {like->choice[1], like->choice[0]},
        };
        *like = turned;
    }
    for (uint32_t i = 0; i < f->r->nrows; i++)
        product[i] = a && b ? a[i] * b[i] / f->start[i] : a ? a[i] : b[i];
    add(f, like, both, product);
}

static void add_pairs(struct effects *f, uint32_t one, uint32_t other)
{
    const struct exploration *x = f->r->x;
    for (uint32_t i = 0; i < x->axes.all[one].n; i++)
        for (uint32_t k = 0; k < x->axes.all[other].n; k++) {
            struct explore_effect like = {.axis = {one, other}, .choice = {i, k}};
            if (i != x->start[one] && k != x->start[other])
                add_pair(f, &like);
        }
}

static bool differ(const double *rows, uint32_t n)
{
    double first = NAN;
    for (uint32_t i = 0; i < n; i++) {
        if (!isnan(rows[i]) && !isnan(first) && rows[i] != first)
            return true;
        first = isnan(first) ? rows[i] : first;
    }
    return false;
}

bool explore_has_effects(const struct explore_result *r, uint32_t value)
{
    for (uint32_t i = 0; r->x->values[value].is_objective && i < r->npoints; i++)
        if (differ(&r->points[i].rows[value * r->nrows], r->nrows))
            return true;
    return false;
}

static uint32_t count_pairs(const struct exploration *x)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < x->axes.n; i++)
        all += x->axes.all[i].n;
    return all * (all + 1);
}

uint32_t explore_effects(struct arena *a, const struct explore_result *r, uint32_t value,
                         const struct explore_effect **all)
{
    const struct exploration *x = r->x;
    struct effects f = {.arena = a, .r = r, .value = value};
    f.all = ARENA_ARRAY(a, struct explore_effect, count_pairs(x));
    *all = f.all;
    f.start = rows_at(&f, x->start);
    if (!f.start)
        return 0;
    for (uint32_t i = 0; i < x->axes.n; i++)
        for (uint32_t k = 0; k < x->axes.all[i].n; k++)
            if (k != x->start[i])
                add_single(&f, i, k);
    for (uint32_t i = 0; i < x->axes.n; i++)
        for (uint32_t k = i + 1; k < x->axes.n; k++)
            add_pairs(&f, i, k);
    return f.n;
}

const char *explore_effect_name(struct arena *a, const struct explore_result *r,
                                const struct explore_effect *x)
{
    const struct study_axis *axes = r->x->axes.all;
    const char *one = study_axis_word(a, &axes[x->axis[0]], x->choice[0]);
    if (x->kind == EFFECT_ALONE)
        return one;
    const char *other = study_axis_word(a, &axes[x->axis[1]], x->choice[1]);
    return x->kind == EFFECT_PAIR ? arena_printf(a, "%s x %s", one, other)
                                  : arena_printf(a, "%s with %s", other, one);
}
