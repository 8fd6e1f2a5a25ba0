/* study_page_chart.c - from a figure's values to what a chart needs.
 *
 * Colours are those of Okabe and Ito without black, ordered so that neighbours differ in lightness
 * too; from the ninth series on they repeat lighter, then darker.  Sizes of texts are guessed from their
 * lengths: there are no font metrics here, and guesses that are a little large do no harm. */
#include "report/study_page_chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "report/study_page_label.h"

enum {
    WIDTH = 960,
    PLOT_W = 870, /* about what is left of it for the plot */
    PLOT_H = 270,
    SCATTER_H = 470,
    LEGEND_ROW = 20,
    TOP = 14,
    LABEL = 18, /* a level label below the axis */
    LABEL_MAX = 130,
    LEFT = 66,
    PAPER_LEGEND = 90,
    MOST_COLOURS = 8,
    BAR_MOST = 110,
    LARGE = 10000, /* from here on, an axis counts thousands */
};
static const double LETTER = 6.8; /* width at 12 pixels */

/* --- labels ---------------------------------------------------------------------------------- */

static void name_all(struct arena *a, struct study_page_chart *c)
{
    const struct study *s = c->result->study;
    const struct study_figure *f = c->figure;
    c->row = ARENA_ARRAY(a, const char *, c->rows + 1);
    c->beside = ARENA_ARRAY(a, const char *, f->nbesides + 1);
    c->column = ARENA_ARRAY(a, const char *, c->columns + 1);
    c->part = ARENA_ARRAY(a, const char *, c->parts + 1);
    for (uint32_t i = 0; i < f->nworkloads; i++)
        c->row[i] = label_workload(a, s, f->workloads[i]);
    if (c->mean >= 0)
        c->row[c->mean] = f->mean == MEAN_GEOMETRIC ? "geomean" : "mean";
    for (uint32_t i = 0; i < f->nbesides; i++)
        c->beside[i] = verdict_mean_text(a, c->judged, c->judged->rows - f->nbesides + i);
    for (uint32_t i = 0; i < c->columns; i++)
        c->column[i] = label_column(a, s, f, i);
    for (uint32_t i = 0; i < f->nparts; i++)
        c->part[i] = label_metric(a, f->parts[i]);
}

/* Of those that are too long for their place, the beginnings; where two would become the same, the
 * whole, or other names. */
static const char **cut_all(struct arena *a, const char **names, uint32_t n, size_t most,
                            const char **otherwise)
{
    const char **cut = ARENA_ARRAY(a, const char *, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        cut[i] = label_cut(a, names[i], most);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(cut[i], cut[k]) == 0)
                return otherwise;
    }
    return cut;
}

static const char **name_bars(struct arena *a, const struct study_page_chart *c)
{
    if (c->x_is_variant)
        return c->row;
    const char **names = ARENA_ARRAY(a, const char *, c->columns + 1);
    for (uint32_t i = 0; i < c->columns; i++)
        names[i] = c->result->study->variants[c->figure->variants[i]].name;
    return cut_all(a, c->column, c->columns, LABEL_BAR, names);
}

/* --- values ---------------------------------------------------------------------------------- */

double study_page_chart_part(const struct study_page_chart *c, uint32_t row, uint32_t column,
                             uint32_t part)
{
    double v = c->judged->value[((size_t)row * c->columns + column) * c->parts + part];
    return isfinite(v) ? v : (double)NAN;
}

double study_page_chart_value(const struct study_page_chart *c, uint32_t row, uint32_t column)
{
    double sum = 0;
    for (uint32_t i = 0; i < c->parts; i++)
        sum += study_page_chart_part(c, row, column, i);
    return sum;
}

uint32_t study_page_chart_slot(const struct study_page_chart *c, uint32_t row, uint32_t column)
{
    return c->sweep ? c->sweep->slot_of[column] : c->x_is_variant ? column : row;
}

uint32_t study_page_chart_bar(const struct study_page_chart *c, uint32_t row, uint32_t column)
{
    if (c->sweep)
        return row * c->sweep->nseries + c->sweep->series_of[column];
    return c->x_is_variant ? row : column;
}

bool study_page_chart_cell(const struct study_page_chart *c, uint32_t slot, uint32_t bar,
                           uint32_t *row, uint32_t *column)
{
    *row = c->sweep ? bar / c->sweep->nseries : c->x_is_variant ? bar : slot;
    *column = c->x_is_variant ? slot : bar;
    for (uint32_t i = 0; c->sweep && i < c->columns; i++)
        if (study_page_chart_slot(c, *row, i) == slot && study_page_chart_bar(c, *row, i) == bar) {
            *column = i;
            return true;
        }
    return !c->sweep;
}

bool study_page_chart_place(const struct study_page_chart *c, const struct study_paper *p,
                            uint32_t *row, uint32_t *column)
{
    const struct study_figure *f = c->figure;
    bool is_alone = f->nworkloads == 1; /* and its own mean */
    *row = c->mean >= 0 ? (uint32_t)c->mean : is_alone ? 0 : c->rows;
    for (uint32_t i = 0; p->workload >= 0 && i <= f->nworkloads; i++) {
        *row = i < f->nworkloads ? i : c->rows;
        if (i < f->nworkloads && f->workloads[i] == (uint32_t)p->workload)
            break;
    }
    if (p->beside)
        *row = verdict_paper_row(f, p);
    for (*column = 0; *column < c->columns; ++*column)
        if (f->variants[*column] == p->variant)
            return *row < c->rows || p->beside;
    return false;
}

bool study_page_chart_mark(const struct study_page_chart *c, const struct study_paper *p,
                           uint32_t *row, uint32_t *column)
{
    return (c->kind != CHART_STACK || p->part < 0) && study_page_chart_place(c, p, row, column) &&
           study_page_chart_is_drawn(c, *row);
}

bool study_page_chart_is_drawn(const struct study_page_chart *c, uint32_t row)
{
    return row < c->rows && (c->kind != CHART_LINES || c->x_is_variant || (int32_t)row != c->mean);
}

bool study_page_chart_has_marks(const struct study_page_chart *c)
{
    for (uint32_t i = 0, row, column; i < c->figure->npapers; i++)
        if (study_page_chart_mark(c, &c->figure->papers[i], &row, &column))
            return true;
    return false;
}

uint32_t study_page_chart_colour(const struct study_page_chart *c, uint32_t series)
{
    static const uint32_t colour[MOST_COLOURS] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                  0x56b4e9, 0xd55e00, 0x7a5195, 0x8c8c8c};
    static const uint32_t towards[] = {0, 0xff, 0, 0xff}; /* lighter, darker, lighter still */
    static const uint32_t keep[] = {4, 2, 2, 1};          /* quarters of the colour */
    if (c->many_lines)
        return 0x8c8c8c;
    uint32_t base = colour[series % MOST_COLOURS], round = series / MOST_COLOURS % 4, out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t one = base >> shift & 0xff;
        out |= (one * keep[round] + towards[round] * (4 - keep[round])) / 4 << shift;
    }
    return out;
}

/* --- the value axis -------------------------------------------------------------------------- */

struct study_page_axis study_page_axis_over(double low, double high, int n)
{
    if (!(high - low > 1e-300))
        high = low + 1;
    double raw = (high - low) / n, power = pow(10, floor(log10(raw)));
    double f = raw / power, step = (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10) * power;
    int digits = (int)fmax(0, -floor(log10(step) + 1e-9));
    low = floor(low / step + 1e-9) * step;
    high = ceil(high / step - 1e-9) * step;
    return (struct study_page_axis){low, high, step, digits};
}

static void widen(double v, double range[2])
{
    if (isfinite(v)) {
        range[0] = fmin(range[0], v);
        range[1] = fmax(range[1], v);
    }
}

static void find_axis(struct study_page_chart *c)
{
    double range[2] = {INFINITY, -INFINITY};
    const struct study_figure *f = c->figure;
    for (uint32_t i = 0; i < c->rows * c->columns; i++)
        if (study_page_chart_is_drawn(c, i / c->columns))
            widen(study_page_chart_value(c, i / c->columns, i % c->columns) - c->shift, range);
    for (uint32_t i = 0, row, column; i < f->npapers; i++)
        if (study_page_chart_mark(c, &f->papers[i], &row, &column))
            widen(f->papers[i].value - c->shift, range);
    if (range[0] > range[1])
        range[0] = range[1] = 0;
    /* Lengths of bars mean something only from zero; lines may leave it out when it is far. */
    if (c->kind != CHART_LINES || (range[0] > 0 && range[0] < range[1] / 2))
        widen(0, range);
    c->axis = study_page_axis_over(range[0], range[1], 6);
}

/* --- space ----------------------------------------------------------------------------------- */

static double longest(const char *const *names, uint32_t n)
{
    size_t most = 1;
    for (uint32_t i = 0; i < n; i++)
        most = strlen(names[i]) > most ? strlen(names[i]) : most;
    return (double)most;
}

/* Lines run along what is numbered, variants where neither or both are.  Bars are grouped by
 * workload, unless there is but one of them, or colours would not do for the variants. */
static bool is_variant_along_x(const struct study_page_chart *c)
{
    uint32_t rows = c->mean >= 0 ? (uint32_t)c->mean : c->rows;
    if (c->kind == CHART_LINES)
        return !label_are_numbered(c->row, rows) || label_are_numbered(c->column, c->columns);
    if (c->kind == CHART_SCATTER)
        return false;
    bool is_crowded = c->kind == CHART_BARS && c->columns > MOST_COLOURS && c->rows <= MOST_COLOURS;
    return c->columns > 1 && (c->rows == 1 || is_crowded);
}

/* Bars of one workload, and lines unless the workloads are numbered, stand by the axes of their
 * sweep, as long as there are colours. */
static const struct study_page_sweep *sweep_of(struct arena *a, const struct study_page_chart *c)
{
    bool can_be = c->kind == CHART_LINES ? !label_are_numbered(c->row, c->figure->nworkloads)
                                         : c->kind == CHART_BARS && c->rows == 1;
    const struct study_page_sweep *w =
        can_be ? study_page_sweep_of(a, c->result->study, c->figure) : NULL;
    return w && c->rows * w->nseries <= MOST_COLOURS ? w : NULL;
}

/* A series for each workload and combination of the sweep. */
static void find_sweep_series(struct arena *a, struct study_page_chart *c)
{
    const struct study_page_sweep *w = c->sweep;
    c->nslots = w->nslots;
    c->slot = w->slot;
    c->nseries = c->nbars = c->nlegend = c->rows * w->nseries;
    c->series = c->bar = ARENA_ARRAY(a, const char *, c->nseries);
    for (uint32_t i = 0; i < c->nseries; i++)
        c->series[i] = c->rows == 1 ? w->series[i]
                                    : arena_printf(a, "%s, %s", c->row[i / w->nseries],
                                                   w->series[i % w->nseries]);
    c->mean_series = -1;
}

static void find_series(struct arena *a, struct study_page_chart *c)
{
    if (c->sweep) {
        find_sweep_series(a, c);
        return;
    }
    bool lines = c->kind == CHART_LINES, stack = c->kind == CHART_STACK, x = c->x_is_variant;
    c->nslots = x ? c->columns : lines && c->mean >= 0 ? (uint32_t)c->mean : c->rows;
    if (x)
        c->slot = c->column = cut_all(a, c->column, c->columns, LABEL_SLOT, c->column);
    else
        c->slot = c->row = cut_all(a, c->row, c->rows, LABEL_SLOT, c->row);
    c->nbars = x ? c->rows : c->columns;
    c->bar = name_bars(a, c);
    c->nseries = stack ? c->parts : c->nbars;
    c->series = stack ? c->part : x ? c->row : c->column;
    c->mean_series = x && !stack ? c->mean : -1;
    c->many_lines = lines && c->nseries > MOST_COLOURS + 1;
    c->nlegend = !c->many_lines ? c->nseries : c->mean_series >= 0;
    c->legend_first = c->many_lines && c->mean_series >= 0 ? (uint32_t)c->mean_series : 0;
}

static void find_legend(struct study_page_chart *c)
{
    c->legend_entry = 34 + (int)(LETTER * fmin(LABEL_MOST + 4, longest(c->series, c->nseries)));
    uint32_t most = (PLOT_W - PAPER_LEGEND) / (uint32_t)c->legend_entry;
    most = most > 0 ? most : 1;
    c->legend_columns = most < c->nlegend ? most : c->nlegend > 0 ? c->nlegend : 1;
    c->legend_rows = c->nlegend > 0 ? (c->nlegend - 1) / c->legend_columns + 1 : 1;
}

static void find_space(struct study_page_chart *c)
{
    double slot = PLOT_W / fmax(1, c->nslots), text = LETTER * longest(c->slot, c->nslots);
    c->slanted = text + 6 > slot;
    c->slot_space = c->slanted ? (int)fmin(LABEL_MAX, text * 0.64 + 14) : LABEL;
    double bar = LETTER * longest(c->bar, c->nbars);
    c->bars_named = c->kind == CHART_STACK && c->nbars > 1 && 0.8 * slot / fmax(1, c->nbars) >= 11;
    /* The first label begins at its slot's middle and goes down to the left. */
    c->left = LEFT + (int)fmax(0, c->slanted ? text * 0.77 - slot / 2 - LEFT + 10 : 0);
    c->bar_space = c->bars_named ? (int)fmin(LABEL_MAX, bar * 0.9 + 12) : 0;
    c->fill = fmin(0.82, c->nbars * BAR_MOST / slot);
    c->width = WIDTH;
    c->height = TOP + (int)c->legend_rows * LEGEND_ROW + PLOT_H + c->slot_space + c->bar_space + 8;
}

/* Beside the axis; what stands behind every number is not said again. */
static const char *unit_text(const struct study_figure *f)
{
    if (!f->unit || strcmp(f->unit, "%") == 0)
        return "";
    if (strcmp(f->unit, "x") == 0)
        return f->format == FORMAT_NUMBER ? "times the baseline" : "";
    return strcmp(f->unit, "cycle") == 0 ? "cycles" : f->unit;
}

void study_page_chart_of(struct arena *a, const struct study_result *r, uint32_t figure,
                         struct study_page_chart *c)
{
    const struct verdict_figure *v = &r->figures[figure];
    const struct study_figure *f = v->figure;
    *c = (struct study_page_chart){.result = r,
                                   .figure = f,
                                   .judged = v,
                                   .kind =
                                       f->nparts && f->chart != CHART_NONE ? CHART_STACK : f->chart,
                                   .rows = v->rows - f->nbesides,
                                   .columns = f->nvariants,
                                   .parts = f->nparts ? f->nparts : 1,
                                   .mean = -1,
                                   .shift = f->format == FORMAT_PERCENT_CHANGE ? 1 : 0,
                                   .unit = unit_text(f)};
    if (f->nworkloads == 1)
        c->rows = 1; /* the mean would be the same once more */
    else if (c->rows > f->nworkloads)
        c->mean = (int32_t)f->nworkloads;
    name_all(a, c);
    c->sweep = sweep_of(a, c);
    c->x_is_variant = c->sweep || is_variant_along_x(c);
    find_axis(c);
    find_series(a, c);
    find_legend(c);
    find_space(c);
    if (c->kind == CHART_SCATTER) {
        c->scatter = study_page_scatter_of(a, v);
        c->left = LEFT;
        c->height = TOP + (int)c->legend_rows * LEGEND_ROW + SCATTER_H;
    }
}

/* --- numbers for people ---------------------------------------------------------------------- */

/* printf's %.*f, in every locale. */
static int fixed(char *buf, size_t n, double v, int digits)
{
    static const int64_t scale[] = {1, 10, 100, 1000, 10000};
    if (digits > 4 || fabs(v) > 1e12) {
        char text[STR_REAL_N];
        return snprintf(buf, n, "%s", str_from_real(text, v));
    }
    int64_t all = llround(fabs(v) * (double)scale[digits]);
    const char *sign = v < 0 && all != 0 ? "\u2212" : "";
    int64_t whole = all / scale[digits], rest = all % scale[digits];
    if (digits == 0)
        return snprintf(buf, n, "%s%" PRId64, sign, whole);
    return snprintf(buf, n, "%s%" PRId64 ".%0*" PRId64, sign, whole, digits, rest);
}

/* Three digits that say something, of what fixed() would leave none or one of. */
static void small_text(char buf[STUDY_PAGE_TEXT_N], double v)
{
    char text[STR_REAL_N];
    double scale = pow(10, 2 - floor(log10(fabs(v))));
    str_from_real(text, round(fabs(v) * scale) / scale);
    snprintf(buf, STUDY_PAGE_TEXT_N, "%s%s", v < 0 ? "\u2212" : "", text);
}

static int digits_of(double v)
{
    v = fabs(v);
    return v < 10 ? 3 : v < 100 ? 2 : v < 1000 ? 1 : 0;
}

static void signed_text(char buf[STUDY_PAGE_TEXT_N], double v, const char *unit)
{
    size_t at = 0;
    if (v >= 0)
        buf[at++] = '+';
    at += (size_t)fixed(buf + at, STUDY_PAGE_TEXT_N - at, v, 1);
    snprintf(buf + at, STUDY_PAGE_TEXT_N - at, "%s", unit);
}

/* Of a figure whose values are in per cent as they are measured. */
static bool is_percent_already(const struct study_figure *f)
{
    return f->format == FORMAT_NUMBER && f->unit && strcmp(f->unit, "%") == 0;
}

const char *study_page_chart_text(char buf[STUDY_PAGE_TEXT_N], const struct study_figure *f,
                                  double v)
{
    if (!isfinite(v)) {
        snprintf(buf, STUDY_PAGE_TEXT_N, "\u2013");
    } else if (f->format == FORMAT_PERCENT_CHANGE) {
        signed_text(buf, 100 * (v - 1), "%");
    } else if (f->format == FORMAT_PERCENT || is_percent_already(f)) {
        int at = fixed(buf, STUDY_PAGE_TEXT_N, f->format == FORMAT_PERCENT ? 100 * v : v, 1);
        snprintf(buf + at, STUDY_PAGE_TEXT_N - (size_t)at, "%%");
    } else if (v != 0 && fabs(v) < 0.1) {
        small_text(buf, v);
    } else {
        bool is_count = fabs(v) >= 2 && v == round(v);
        fixed(buf, STUDY_PAGE_TEXT_N, v, is_count ? 0 : digits_of(v));
    }
    return buf;
}

const char *study_page_chart_gap(char buf[STUDY_PAGE_TEXT_N], const struct study_figure *f,
                                 double measured, double paper)
{
    bool points = f->format != FORMAT_NUMBER || is_percent_already(f);
    double scale = is_percent_already(f) ? 1 : 100;
    double gap = scale * (points ? measured - paper : measured / paper - 1);
    if (isfinite(gap))
        signed_text(buf, gap, points ? " pp" : "%");
    else
        snprintf(buf, STUDY_PAGE_TEXT_N, "\u2013");
    return buf;
}

/* "1.5M": as d3's format "~s". */
static int scaled(char *buf, size_t n, double v)
{
    static const double size[] = {1e12, 1e9, 1e6, 1e3, 1};
    static const char *const name[] = {"T", "G", "M", "k", ""};
    char text[STR_REAL_N];
    int i = 0;
    while (i < 4 && fabs(v) < size[i])
        i++;
    str_from_real(text, round(fabs(v) / size[i] * 1000) / 1000);
    return snprintf(buf, n, "%s%s%s", v < 0 ? "\u2212" : "", text, name[i]);
}

const char *study_page_chart_scaled(char buf[STUDY_PAGE_TEXT_N], double v)
{
    scaled(buf, STUDY_PAGE_TEXT_N, v);
    return buf;
}

bool study_page_chart_has_percent(const struct study_page_chart *c)
{
    return c->figure->format != FORMAT_NUMBER || is_percent_already(c->figure);
}

bool study_page_chart_is_large(const struct study_page_chart *c)
{
    return c->figure->format == FORMAT_NUMBER && (c->axis.high >= LARGE || c->axis.low <= -LARGE);
}

const char *study_page_chart_tick(char buf[STUDY_PAGE_TEXT_N], const struct study_page_chart *c,
                                  double drawn)
{
    bool percent = c->figure->format != FORMAT_NUMBER;
    int digits = percent ? (c->axis.digits > 2 ? c->axis.digits - 2 : 0) : c->axis.digits;
    double v = percent ? 100 * drawn : drawn;
    size_t at = 0;
    if (c->figure->format == FORMAT_PERCENT_CHANGE && v > c->axis.step / 2)
        buf[at++] = '+';
    if (study_page_chart_is_large(c))
        at += (size_t)scaled(buf, STUDY_PAGE_TEXT_N, v);
    else
        at += (size_t)fixed(buf + at, STUDY_PAGE_TEXT_N - at, v, digits);
    snprintf(buf + at, STUDY_PAGE_TEXT_N - at, "%s", study_page_chart_has_percent(c) ? "%" : "");
    return buf;
}
