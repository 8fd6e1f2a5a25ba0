/* verdict_means.c - the mean rows of figures, and values of figures by name.
 *
 * Values of runs are there before any mean is computed.  Which rows a mean beside a figure's own is
 * over may depend on other means: those are computed when they are asked for, which ends, because
 * no mean depends on itself (study_beside.c). */
#include <math.h>
#include <string.h>

#include "study/study_priv.h"
#include "study/verdict_priv.h"

/* ---- rows of a figure ----------------------------------------------------------------------- */

static uint32_t first_beside(const struct study_figure *f)
{
    return f->nworkloads + (f->mean != MEAN_NONE);
}

uint32_t verdict_rows(const struct study_figure *f)
{
    return first_beside(f) + f->nbesides;
}

const struct study_beside *verdict_beside(const struct study_figure *f, uint32_t row)
{
    return row < first_beside(f) ? NULL : &f->besides[row - first_beside(f)];
}

const char *verdict_row_name(const struct study *s, const struct study_figure *f, uint32_t row)
{
    const struct study_beside *b = verdict_beside(f, row);
    return b ? b->name : row < f->nworkloads ? s->workloads[f->workloads[row]].name : "mean";
}

uint32_t verdict_paper_row(const struct study_figure *f, const struct study_paper *p)
{
    if (p->beside)
        return first_beside(f) + (uint32_t)(study_beside_find(f, p->beside) - f->besides);
    return p->workload < 0
               ? f->nworkloads
               : (uint32_t)study_place(f->workloads, f->nworkloads, (uint32_t)p->workload);
}

const char *verdict_paper_name(const struct study *s, const struct study_paper *p)
{
    return p->beside ? p->beside : p->workload < 0 ? "mean" : s->workloads[p->workload].name;
}

/* ---- over how many -------------------------------------------------------------------------- */

struct extent {
    uint32_t counted, all; /* rows with data, of so many */
};

static struct extent extent_of(const struct verdict_figure *v, uint32_t row, uint32_t column)
{
    const struct study_figure *f = v->figure;
    if (row < first_beside(f))
        return (struct extent){v->counted[column], f->nworkloads};
    const struct verdict_mean *m = &v->besides[row - first_beside(f)];
    return (struct extent){m->counted[column], m->n};
}

const char *verdict_mean_text(struct arena *a, const struct verdict_figure *v, uint32_t row)
{
    const struct study_figure *f = v->figure;
    const struct study_beside *b = verdict_beside(f, row);
    const char *name = b ? b->name : "mean";
    uint32_t least = UINT32_MAX, most = 0, all = 0;
    for (uint32_t i = 0; i < f->nvariants; i++) {
        struct extent x = extent_of(v, row, i);
        least = x.counted < least ? x.counted : least;
        most = x.counted > most ? x.counted : most;
        all = x.all;
    }
    if (least == all && !(b && b->where))
        return name;
    return least == most ? arena_printf(a, "%s of %u", name, most)
                         : arena_printf(a, "%s of %u to %u", name, least, most);
}

const char *verdict_extent_text(struct arena *a, const struct verdict_figure *v, uint32_t row,
                                uint32_t column)
{
    const struct study_beside *b = verdict_beside(v->figure, row);
    struct extent x = extent_of(v, row, column);
    const char *text = arena_printf(a, "%s of %u", b ? b->name : "mean", x.counted);
    return x.counted == x.all ? text : arena_printf(a, "%s of %u", text, x.all);
}

/* ---- means ---------------------------------------------------------------------------------- */

/* Of the figure's rows for which `in` is true; NULL: all of them. */
static double mean_of(const struct verdict_figure *v, enum study_mean mean, const bool *in,
                      uint32_t column, uint32_t part)
{
    const struct study_figure *f = v->figure;
    int32_t of_part = f->nparts ? (int32_t)part : -1;
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t row = 0; row < f->nworkloads; row++) {
        double x = verdict_value(v, row, column, of_part);
        if ((in && !in[row]) || isnan(verdict_value(v, row, column, -1)))
            continue;
        if (mean == MEAN_GEOMETRIC && !(x > 0))
            return NAN;
        sum += mean == MEAN_GEOMETRIC ? log(x) : x;
        n++;
    }
    if (!n)
        return NAN;
    return mean == MEAN_GEOMETRIC ? exp(sum / n) : sum / n;
}

static void fill_row(struct verdict_figure *v, uint32_t row, enum study_mean mean, const bool *in)
{
    uint32_t parts = v->figure->nparts ? v->figure->nparts : 1, n = v->figure->nvariants;
    for (uint32_t column = 0; column < n; column++)
        for (uint32_t part = 0; part < parts; part++)
            v->value[((size_t)row * n + column) * parts + part] =
                mean_of(v, mean, in, column, part);
}

struct asking { /* for a value, in a claim or in `where` of a mean */
    struct arena *arena;
    const struct study_result *result;
    const char *row; /* that `where` is asked about; NULL: a claim */
};

static double value_of_ref(void *context, const struct expr_ref *ref);

/* Whether a mean beside the figure's own is over this row. */
static bool takes(const struct asking *ask, const struct study_beside *b, uint32_t workload)
{
    struct asking about = *ask;
    if (study_place(b->rows, b->n, workload) < 0)
        return false;
    about.row = ask->result->study->workloads[workload].name;
    if (!b->where)
        return true;
    double v = expr_eval(b->where, &(struct expr_world){.value = value_of_ref, .context = &about});
    return !isnan(v) && v != 0;
}

static void fill_beside(const struct asking *ask, struct verdict_figure *v, uint32_t index)
{
    const struct study_figure *f = v->figure;
    const struct study_beside *b = &f->besides[index];
    struct verdict_mean *m = &v->besides[index];
    if (m->counted)
        return;
    bool *in = ARENA_ARRAY(ask->arena, bool, f->nworkloads);
    m->counted = ARENA_ARRAY(ask->arena, uint32_t, f->nvariants);
    for (uint32_t row = 0; row < f->nworkloads; row++) {
        in[row] = takes(ask, b, f->workloads[row]);
        m->n += in[row];
        for (uint32_t i = 0; i < f->nvariants; i++)
            m->counted[i] += in[row] && !isnan(verdict_value(v, row, i, -1));
    }
    fill_row(v, first_beside(f) + index, b->mean, in);
}

void verdict_fill_means(struct arena *a, struct study_result *r)
{
    struct asking ask = {.arena = a, .result = r};
    uint32_t n = r->study->nfigures;
    for (uint32_t i = 0; i < n; i++) {
        struct verdict_figure *v = &r->figures[i];
        v->besides = ARENA_ARRAY(a, struct verdict_mean, v->figure->nbesides);
        if (v->figure->mean != MEAN_NONE)
            fill_row(v, v->figure->nworkloads, v->figure->mean, NULL);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < r->figures[i].figure->nbesides; k++)
            fill_beside(&ask, &r->figures[i], k);
}

/* ---- values by name ------------------------------------------------------------------------- */

/* The row that a name is of; a mean that lacks workloads is none to compare with others. */
static int32_t row_of_ref(const struct asking *ask, struct verdict_figure *v, uint32_t column,
                          const char *name)
{
    const struct study *s = ask->result->study;
    const struct study_figure *f = v->figure;
    const struct study_beside *b = study_beside_find(f, name);
    if (ask->row && strcmp(name, STUDY_THIS_ROW) == 0)
        name = ask->row;
    for (uint32_t row = 0; row < f->nworkloads; row++)
        if (strcmp(s->workloads[f->workloads[row]].name, name) == 0)
            return (int32_t)row;
    if (!b && (strcmp(name, "mean") != 0 || f->mean == MEAN_NONE))
        return -1;
    uint32_t row = b ? first_beside(f) + (uint32_t)(b - f->besides) : f->nworkloads;
    if (b)
        fill_beside(ask, v, (uint32_t)(b - f->besides));
    struct extent x = extent_of(v, row, column);
    return x.counted == x.all ? (int32_t)row : -1;
}

static double value_of_ref(void *context, const struct expr_ref *ref)
{
    const struct asking *ask = context;
    const struct study *s = ask->result->study;
    uint32_t i = 0, column = 0;
    int32_t part = -1;
    while (i < s->nfigures && strcmp(s->figures[i].name, ref->figure) != 0)
        i++;
    if (i == s->nfigures)
        return NAN;
    struct verdict_figure *v = &ask->result->figures[i];
    const struct study_figure *f = v->figure;
    while (column < f->nvariants &&
           strcmp(s->variants[f->variants[column]].name, ref->variant) != 0)
        column++;
    for (uint32_t k = 0; ref->part && k < f->nparts; k++)
        part = strcmp(f->parts[k]->name, ref->part) == 0 ? (int32_t)k : part;
    if (column < f->nvariants && study_is_error(ref->workload))
        return verdict_error_named(ask->arena, v, column, ref->workload);
    int32_t row = column < f->nvariants ? row_of_ref(ask, v, column, ref->workload) : -1;
    return row < 0 ? NAN : verdict_value(v, (uint32_t)row, column, part);
}

double verdict_claim_value(struct arena *a, const struct study_result *r,
                           const struct study_claim *c)
{
    struct asking ask = {.arena = a, .result = r};
    return expr_eval(c->expr, &(struct expr_world){.value = value_of_ref, .context = &ask});
}
