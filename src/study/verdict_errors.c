/* verdict_errors.c - how far a figure's values are from those that it is compared with.
 *
 * Of rows for which there is a value of the paper (of a chip, where that is what the study is held
 * to), not of means and not of bounds: the error is |measured / paper - 1|, and where the paper has
 * 0 there is none.  The correlation is Pearson's, of the values themselves, as studies of simulators
 * give it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_priv.h"
#include "study/verdict_priv.h"

/* ---- pairs ---------------------------------------------------------------------------------- */

static bool is_pair(const struct study_figure *f, uint32_t column, const struct study_paper *p)
{
    return p->variant == f->variants[column] && p->workload >= 0 && !p->beside && p->part < 0 &&
           p->bound == BOUND_NONE;
}

uint32_t verdict_pairs(const struct verdict_figure *v, uint32_t column, struct verdict_pair *pairs)
{
    const struct study_figure *f = v->figure;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->npapers; i++) {
        if (!is_pair(f, column, &f->papers[i]))
            continue;
        uint32_t row = verdict_paper_row(f, &f->papers[i]);
        pairs[n++] = (struct verdict_pair){
            .row = row, .paper = f->papers[i].value, .measured = verdict_value(v, row, column, -1)};
    }
    return n;
}

/* ---- errors --------------------------------------------------------------------------------- */

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double correlation_of(const struct verdict_pair *p, uint32_t n)
{
    double mean[2] = {0, 0}, square[2] = {0, 0}, product = 0;
    for (uint32_t i = 0; i < n; i++) {
        mean[0] += p[i].paper / n;
        mean[1] += p[i].measured / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        double x = p[i].paper - mean[0], y = p[i].measured - mean[1];
        square[0] += x * x;
        square[1] += y * y;
        product += x * y;
    }
    double both = sqrt(square[0]) * sqrt(square[1]);
    return n < 2 || both == 0 ? (double)NAN : product / both;
}

/* Those that were measured, first. */
static uint32_t drop_missing(struct verdict_pair *p, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!isnan(p[i].measured))
            p[kept++] = p[i];
    return kept;
}

struct verdict_errors verdict_errors_of(struct arena *a, const struct verdict_figure *v,
                                        uint32_t column)
{
    struct verdict_errors e = {.mean = NAN, .median = NAN, .worst = NAN, .correlation = NAN};
    struct verdict_pair *pairs = ARENA_ARRAY(a, struct verdict_pair, v->figure->npapers + 1);
    double *errors = ARENA_ARRAY(a, double, v->figure->npapers + 1), sum = 0;
    uint32_t n = 0;
    e.all = verdict_pairs(v, column, pairs);
    e.counted = drop_missing(pairs, e.all);
    e.correlation = correlation_of(pairs, e.counted);
    for (uint32_t i = 0; i < e.counted; i++) {
        double error = fabs(pairs[i].measured / pairs[i].paper - 1);
        if (pairs[i].paper == 0)
            continue;
        if (n == 0 || error > e.worst) {
            e.worst = error;
            e.worst_row = pairs[i].row;
        }
        sum += errors[n++] = error;
    }
    if (n == 0)
        return e;
    qsort(errors, n, sizeof *errors, by_size);
    e.mean = sum / n;
    e.median = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
    return e;
}

/* ---- by name -------------------------------------------------------------------------------- */

static const char *const error_names[] = {"mean_error", "median_error", "worst_error",
                                          "correlation"};

bool study_is_error(const char *name)
{
    for (size_t i = 0; i < sizeof error_names / sizeof error_names[0]; i++)
        if (strcmp(name, error_names[i]) == 0)
            return true;
    return false;
}

double verdict_error_named(struct arena *a, const struct verdict_figure *v, uint32_t column,
                           const char *name)
{
    const struct verdict_errors e = verdict_errors_of(a, v, column);
    const double all[] = {e.mean, e.median, e.worst, e.correlation};
    for (size_t i = 0; e.counted == e.all && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(name, error_names[i]) == 0)
            return all[i];
    return NAN;
}

/* ---- as text -------------------------------------------------------------------------------- */

const char *verdict_errors_text(struct arena *a, const struct study_result *r,
                                const struct verdict_figure *v, uint32_t column)
{
    const struct study_figure *f = v->figure;
    const struct verdict_errors e = verdict_errors_of(a, v, column);
    if (e.counted == 0 || isnan(e.mean))
        return NULL;
    const char *rest =
        isnan(e.correlation) ? "" : arena_printf(a, ", correlation %.3f", e.correlation);
    const char *missing = e.counted == e.all ? "" : arena_printf(a, " of %u", e.all);
    return arena_printf(a,
                        "%s: mean error %.1f %%, median %.1f %%, worst %.1f %% (%s)%s; "
                        "%u%s rows",
                        r->study->variants[f->variants[column]].name, 100 * e.mean, 100 * e.median,
                        100 * e.worst, verdict_row_name(r->study, f, e.worst_row), rest, e.counted,
                        missing);
}
