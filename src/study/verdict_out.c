/* verdict_out.c - a study for people: as text for the terminal and as Markdown for a page.
 *
 * First what the paper says beside what was measured, then the figures as tables. */
#include <math.h>
#include <string.h>

#include "study/grid.h"
#include "study/pool.h"
#include "study/verdict_priv.h"

enum { PAGE = 100, WHAT_CAP = 36, SOURCE_CAP = 24 };

/* ---- words --------------------------------------------------------------------------------- */

/* Behind the point: three or more that say something, but for large numbers. */
static int digits_of(double a)
{
    static const double from[] = {1000, 100, 10, 0.1, 0.01};
    int n = 0;
    while (n < 5 && a != 0 && a < from[n])
        n++;
    return a == 0 ? 3 : n;
}

const char *verdict_text(char buf[VERDICT_TEXT_N], const struct study_figure *f, double v)
{
    bool is_change = f->format == FORMAT_PERCENT_CHANGE;
    double a = fabs(v);
    if (!isfinite(v)) {
        snprintf(buf, VERDICT_TEXT_N, "%s", isnan(v) ? "-" : v < 0 ? "-inf" : "inf");
    } else if (f->format != FORMAT_NUMBER) {
        double percent = 100 * (is_change ? v - 1 : v);
        percent = fabs(percent) < 0.05 ? 0 : percent; /* no "-0.0" */
        snprintf(buf, VERDICT_TEXT_N, is_change ? "%+.1f %%" : "%.1f %%", percent);
    } else if (strcmp(f->unit, "%") == 0) { /* as it is measured */
        snprintf(buf, VERDICT_TEXT_N, "%.1f %%", a < 0.05 ? 0 : v);
    } else if (a != 0 && (a < 0.001 || a >= 1e9)) {
        snprintf(buf, VERDICT_TEXT_N, "%.2e", v);
    } else {
        snprintf(buf, VERDICT_TEXT_N, "%.*f", digits_of(a), v);
    }
    return buf;
}

const char *verdict_paper_text(char buf[VERDICT_TEXT_N], const struct verdict_row *row)
{
    static const char *const signs[] = {"", "> ", "< "};
    char value[VERDICT_TEXT_N];
    if (!row->paper)
        return "";
    verdict_text(value, row->figure, row->paper_value);
    snprintf(buf, VERDICT_TEXT_N, "%s%.40s", signs[row->paper->bound], value);
    return buf;
}

const char *verdict_measured_text(char buf[VERDICT_TEXT_N], const struct verdict_row *row)
{
    if (row->paper)
        return verdict_text(buf, row->figure, row->measured);
    return isnan(row->measured) ? "-" : row->measured != 0 ? "holds" : "fails";
}

void verdict_write_counts(const struct study_result *r, FILE *out)
{
    uint32_t unknown = r->own - r->count[VERDICT_HOLDS] - r->count[VERDICT_FAILS];
    for (int i = 0; r->nrows > r->own && i <= VERDICT_NO_DATA; i++)
        fprintf(out, "%s%u %s", i ? ", " : "", r->count[i] - (i == VERDICT_NO_DATA ? unknown : 0),
                verdict_word(r->study, (enum verdict)i));
    if (!r->own)
        return;
    fprintf(out, "%s%u of %u claim%s", r->nrows > r->own ? "; " : "", r->count[VERDICT_HOLDS],
            r->own, r->own == 1 ? " holds" : "s hold");
    if (unknown)
        fprintf(out, ", %u without data", unknown);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

enum { FIGURE, WHAT, PAPER, MEASURED, VERDICT, SOURCE, VERDICT_COLUMNS };

struct verdict_grid { /* without columns that nothing would stand in */
    struct grid_column columns[VERDICT_COLUMNS];
    bool has[VERDICT_COLUMNS];
    int n;
};

static void lay_out(struct verdict_grid *v, const struct study_result *r, bool is_page)
{
    const struct grid_column all[VERDICT_COLUMNS] = {
        [FIGURE] = {"figure", 0, true},
        [WHAT] = {"what", is_page ? WHAT_CAP : 0, true},
        [PAPER] = {study_against(r->study), 0, false},
        [MEASURED] = {"measured", 0, false},
        [VERDICT] = {"verdict", 0, true},
        [SOURCE] = {"source", is_page ? SOURCE_CAP : 0, true}};
    bool has_paper = false, is_own = r->own == r->nrows;
    for (uint32_t i = 0; i < r->nrows; i++)
        has_paper |= r->rows[i].paper != NULL;
    *v = (struct verdict_grid){.has = {!is_page, true, has_paper, !is_own, true, !is_own}};
    for (int i = 0; i < VERDICT_COLUMNS; i++)
        if (v->has[i])
            v->columns[v->n++] = all[i];
    if (is_own) /* there is room */
        v->columns[v->has[FIGURE]].cap = is_page ? PAGE - 12 : 0;
}

static void add_verdict(struct grid *g, const struct verdict_grid *v, const struct study *s,
                        const struct verdict_row *row)
{
    HD_ASSERT(row->paper || row->claim, "a verdict of nothing");
    char paper[VERDICT_TEXT_N], measured[VERDICT_TEXT_N];
    bool is_own = row->claim && study_claim_is_own(row->claim);
    const char *const text[VERDICT_COLUMNS] = {
        [FIGURE] = row->figure->name,
        [WHAT] = row->what,
        [PAPER] = verdict_paper_text(paper, row),
        [MEASURED] = is_own ? "" : verdict_measured_text(measured, row),
        [VERDICT] = verdict_word(s, row->verdict),
        [SOURCE] = row->paper ? row->paper->source : row->claim->source};
    for (int i = 0; i < VERDICT_COLUMNS; i++)
        if (v->has[i])
            grid_cell(g, "%s", text[i]);
}

static void print_errors(const struct study_result *r, const struct study_figure *f,
                         struct arena *a, FILE *out)
{
    const struct verdict_figure *v = &r->figures[f - r->study->figures];
    for (uint32_t i = 0; f->chart == CHART_SCATTER && i < f->nvariants; i++) {
        const char *text = verdict_errors_text(a, r, v, i);
        if (text)
            grid_wrap(text, 2, PAGE, out);
    }
}

static void print_verdicts(const struct study_result *r, struct arena *a, FILE *out)
{
    struct verdict_grid layout;
    lay_out(&layout, r, true);
    for (uint32_t i = 0; i < r->nrows;) {
        const struct study_figure *f = r->rows[i].figure;
        struct grid *g = grid_new(a, layout.columns, layout.n);
        fputc('\n', out);
        grid_wrap(arena_printf(a, "%s: %s", f->name, f->title), 0, PAGE, out);
        for (; i < r->nrows && r->rows[i].figure == f; i++)
            add_verdict(g, &layout, r->study, &r->rows[i]);
        grid_print(g, 2, PAGE, out);
        print_errors(r, f, a, out);
        if (study_is_small_form(f))
            fprintf(out, "  the full study: heddle study %s\n", f->full);
    }
    if (r->nrows) {
        fputc('\n', out);
        verdict_write_counts(r, out);
        if (!r->own)
            fprintf(out, " (%u in all)", r->nrows);
        fputc('\n', out);
    }
}

/* ---- figures ------------------------------------------------------------------------------- */

static const char *row_name(const struct study_result *r, const struct verdict_figure *v,
                            uint32_t row, struct arena *a)
{
    const struct study_figure *f = v->figure;
    return row < f->nworkloads ? r->study->workloads[f->workloads[row]].name
                               : verdict_mean_text(a, v, row);
}

static uint32_t first_row(const struct study_figure *f)
{
    return f->hides_rows ? f->nworkloads : 0;
}

static void print_plain(const struct study_result *r, const struct verdict_figure *v,
                        struct arena *a, FILE *out)
{
    const struct study_figure *f = v->figure;
    struct grid_column *columns = ARENA_ARRAY(a, struct grid_column, f->nvariants + 1);
    char buf[VERDICT_TEXT_N];
    columns[0] = (struct grid_column){"", 0, true};
    for (uint32_t i = 0; i < f->nvariants; i++)
        columns[i + 1] = (struct grid_column){r->study->variants[f->variants[i]].name, 0, false};
    struct grid *g = grid_new(a, columns, (int)f->nvariants + 1);
    for (uint32_t row = first_row(f); row < v->rows; row++) {
        grid_cell(g, "%s", row_name(r, v, row, a));
        for (uint32_t i = 0; i < f->nvariants; i++)
            grid_cell(g, "%s", verdict_text(buf, f, verdict_value(v, row, i, -1)));
    }
    grid_print(g, 2, PAGE, out);
}

static void print_stack(const struct study_result *r, const struct verdict_figure *v,
                        struct arena *a, FILE *out)
{
    const struct study_figure *f = v->figure;
    int n = (int)f->nparts;
    struct grid_column *columns = ARENA_ARRAY(a, struct grid_column, n + 2);
    char buf[VERDICT_TEXT_N];
    columns[0] = (struct grid_column){"", 0, true};
    for (int i = 0; i < n; i++)
        columns[i + 1] = (struct grid_column){f->parts[i]->label, 0, false};
    columns[n + 1] = (struct grid_column){"sum", 0, false};
    struct grid *g = grid_new(a, columns, n + 2);
    for (uint32_t row = first_row(f); row < v->rows; row++)
        for (uint32_t i = 0; i < f->nvariants; i++) {
            const char *variant = r->study->variants[f->variants[i]].name;
            grid_cell(g, f->nvariants > 1 ? "%s, %s" : "%s", row_name(r, v, row, a), variant);
            for (int part = 0; part < n; part++)
                grid_cell(g, "%s", verdict_text(buf, f, verdict_value(v, row, i, part)));
            grid_cell(g, "%s", verdict_text(buf, f, verdict_value(v, row, i, -1)));
        }
    grid_print(g, 2, PAGE, out);
}

static void print_figure(const struct study_result *r, const struct verdict_figure *v,
                         struct arena *a, FILE *out)
{
    static const char *const means[] = {"", "; geometric mean", "; arithmetic mean"};
    const struct study_figure *f = v->figure;
    const char *base = study_baseline_text(r->study, f);
    const char *unit = f->format == FORMAT_PERCENT ? "" : f->unit; /* which is beside each value */
    fputc('\n', out);
    grid_wrap(arena_printf(a, "%s: %s", f->name, f->title), 0, PAGE, out);
    grid_wrap(arena_printf(a, "%s%s%s%s%s%s%s",
                           *f->doc     ? f->doc
                           : f->nparts ? "parts"
                                       : "values",
                           *unit ? " [" : "", unit, *unit ? "]" : "", *base ? "; baseline " : "",
                           base, means[f->mean]),
              2, PAGE, out);
    for (uint32_t i = 0; i < f->nbesides; i++)
        if (*f->besides[i].doc)
            grid_wrap(arena_printf(a, "%s: %s", f->besides[i].name, f->besides[i].doc), 2, PAGE,
                      out);
    if (f->hides_rows)
        grid_wrap(arena_printf(a, "%u rows are in the report and in results.csv", f->nworkloads), 2,
                  PAGE, out);
    if (f->nparts)
        print_stack(r, v, a, out);
    else
        print_plain(r, v, a, out);
}

/* ---- documents ----------------------------------------------------------------------------- */

static void print_failures(const struct study_result *r, struct arena *a, FILE *out)
{
    if (!r->nfailures)
        return;
    fprintf(out, "\n%u run%s failed:\n", r->nfailures, r->nfailures == 1 ? "" : "s");
    for (uint32_t i = 0; i < r->nfailures; i++)
        grid_wrap(arena_printf(a, "%s: %s", r->failures[i].label, r->failures[i].why), 2, PAGE,
                  out);
}

void study_print(const struct study_result *r, struct arena *a, FILE *out)
{
    grid_wrap(r->study->title, 0, PAGE, out);
    grid_wrap(r->study->doc, 0, PAGE, out);
    print_verdicts(r, a, out);
    for (uint32_t i = 0; i < r->study->nfigures; i++)
        if (!r->figures[i].figure->hides_table)
            print_figure(r, &r->figures[i], a, out);
    print_failures(r, a, out);
}

void study_markdown(const struct study_result *r, struct arena *a, FILE *out)
{
    struct verdict_grid layout;
    if (!r->nrows) {
        fputs("The study makes no claims.\n", out);
        return;
    }
    lay_out(&layout, r, false);
    struct grid *g = grid_new(a, layout.columns, layout.n);
    for (uint32_t i = 0; i < r->nrows; i++)
        add_verdict(g, &layout, r->study, &r->rows[i]);
    grid_markdown(g, out);
    fputc('\n', out);
    verdict_write_counts(r, out);
    fputs(".\n", out);
}
