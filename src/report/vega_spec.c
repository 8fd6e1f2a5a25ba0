/* vega_spec.c - the charts of web/charts, filled with a figure's values.
 *
 * Names appear only as data (fields have fixed names of one letter: w workload, v variant, t part,
 * b its short name, x and z place and series of a sweep's, y drawn value, m and p measured and paper's value as text, s source), so that no name can be
 * taken for an expression.  Scales, ticks and the size of the picture come from the chart and are
 * those of the static picture: one can take the other's place.  Of a stack, only the
 * paper's values of the whole are drawn. */
#include "report/vega_spec.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/study_page_fill.h"
#include "report/vega_scatter.h"

/* --- pieces ---------------------------------------------------------------------------------- */

static void string(FILE *out, const char *s)
{
    struct json j;
    json_begin(&j, out);
    json_string(&j, s);
    json_end(&j);
}

static void strings(FILE *out, const char *const *s, uint32_t n)
{
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    for (uint32_t i = 0; i < n; i++)
        json_string(&j, s[i]);
    json_close_array(&j);
    json_end(&j);
}

static void member(struct json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void value_text(struct json *j, const char *key, const struct study_figure *f, double v)
{
    char text[STUDY_PAGE_TEXT_N];
    member(j, key, study_page_chart_text(text, f, v));
}

/* Opens an object that says which bar or point it is. */
static void open_mark(struct json *j, const struct study_page_chart *c, uint32_t row,
                      uint32_t column)
{
    json_open_object(j, true);
    member(j, "w", c->row[row]);
    member(j, "v", c->column[column]);
    if (c->sweep) {
        member(j, "x", c->slot[study_page_chart_slot(c, row, column)]);
        member(j, "z", c->series[study_page_chart_bar(c, row, column)]);
    }
}

static void drawn(struct json *j, double v)
{
    json_key(j, "y");
    json_real(j, round(v * 1e9) / 1e9); /* 1.1 - 1 is not 0.1 */
}

/* --- data ------------------------------------------------------------------------------------ */

static double paper_at(const struct study_page_chart *c, uint32_t row, uint32_t column)
{
    for (uint32_t i = 0, r, k; i < c->figure->npapers; i++)
        if (study_page_chart_mark(c, &c->figure->papers[i], &r, &k) && r == row && k == column)
            return c->figure->papers[i].value;
    return NAN;
}

static void one_cell(struct json *j, const struct study_page_chart *c, uint32_t row,
                     uint32_t column)
{
    for (uint32_t part = 0; part < c->parts; part++) {
        double v = study_page_chart_part(c, row, column, part);
        if (isnan(v) && c->kind != CHART_LINES)
            continue;
        open_mark(j, c, row, column);
        drawn(j, v - c->shift); /* null in a line: it is broken there */
        value_text(j, "m", c->figure, v);
        if (c->kind == CHART_STACK) {
            member(j, "t", c->part[part]);
            json_key(j, "o");
            json_uint(j, part);
        } else {
            value_text(j, "p", c->figure, paper_at(c, row, column));
        }
        json_close_object(j);
    }
}

static void write_ours(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, false);
    for (uint32_t row = 0; row < c->rows; row++)
        for (uint32_t column = 0; column < c->columns; column++)
            if (study_page_chart_is_drawn(c, row))
                one_cell(&j, c, row, column);
    json_close_array(&j);
    json_end(&j);
}

static void write_paper(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, false);
    for (uint32_t i = 0, row, column; i < c->figure->npapers; i++) {
        const struct study_paper *p = &c->figure->papers[i];
        if (!study_page_chart_mark(c, p, &row, &column))
            continue;
        open_mark(&j, c, row, column);
        drawn(&j, p->value - c->shift);
        member(&j, "k", study_against(c->result->study));
        value_text(&j, "m", c->figure, p->value);
        member(&j, "s", p->source ? p->source : "");
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

static void write_mean(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    if (c->mean >= 0 && !c->x_is_variant) {
        json_open_object(&j, true);
        member(&j, "w", c->row[c->mean]);
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

static void write_neutral(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    double v = c->figure->neutral - c->shift;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    if (v >= c->axis.low && v <= c->axis.high) {
        json_open_object(&j, true);
        drawn(&j, v);
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

static void write_bar_names(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, false);
    for (uint32_t i = 0; c->bars_named && i < c->rows * c->columns; i++) {
        open_mark(&j, c, i / c->columns, i % c->columns);
        member(&j, "b", c->bar[study_page_chart_bar(c, i / c->columns, i % c->columns)]);
        json_close_object(&j);
    }
    json_close_array(&j);
    json_end(&j);
}

/* --- scales and looks ------------------------------------------------------------------------ */

static void write_title(FILE *out, const void *context)
{
    string(out, ((const struct study_page_chart *)context)->figure->title);
}

static void write_width(FILE *out, const void *context)
{
    fprintf(out, "%d", ((const struct study_page_chart *)context)->width);
}

static void write_height(FILE *out, const void *context)
{
    fprintf(out, "%d", ((const struct study_page_chart *)context)->height);
}

static void write_slots(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    strings(out, c->slot, c->nslots);
}

static void write_series(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    strings(out, c->series, c->nseries);
}

static void write_bars(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    strings(out, c->x_is_variant ? c->row : c->column, c->nbars);
}

static void write_slot_field(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    string(out, c->sweep ? "x" : c->x_is_variant ? "v" : "w");
}

static void write_bar_field(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    string(out, c->sweep ? "z" : c->x_is_variant ? "w" : "v");
}

static void write_real(FILE *out, double v)
{
    struct json j;
    json_begin(&j, out);
    json_real(&j, round(v * 1e9) / 1e9);
    json_end(&j);
}

static void write_reals(FILE *out, double from, double to, double step)
{
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    for (int i = 0; from + i * step <= to + step * 1e-6; i++)
        json_real(&j, round((from + i * step) * 1e9) / 1e9);
    json_close_array(&j);
    json_end(&j);
}

static void write_legend(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    strings(out, c->series + c->legend_first, c->nlegend);
}

static void write_domain(FILE *out, const void *context)
{
    const struct study_page_axis *a = &((const struct study_page_chart *)context)->axis;
    write_reals(out, a->low, a->high, a->high - a->low);
}

static void write_ticks(FILE *out, const void *context)
{
    const struct study_page_axis *a = &((const struct study_page_chart *)context)->axis;
    write_reals(out, a->low, a->high, a->step);
}

static void write_format(FILE *out, const void *context)
{
    static const char *const formats[] = {
        [FORMAT_NUMBER] = "~r", [FORMAT_PERCENT] = "~%", [FORMAT_PERCENT_CHANGE] = "+~%"};
    const struct study_page_chart *c = context;
    string(out, study_page_chart_is_large(c) ? "~s" : formats[c->figure->format]);
}

static void write_tick(FILE *out, const void *context) /* neither "+0%" nor "0M" */
{
    const struct study_page_chart *c = context;
    bool is_scaled = c->figure->format != FORMAT_NUMBER; /* by the format, with a sign of its own */
    string(out, is_scaled                         ? "datum.value == 0 ? '0%' : datum.label"
                : study_page_chart_has_percent(c) ? "datum.value == 0 ? '0%' : datum.label + '%'"
                                                  : "datum.value == 0 ? '0' : datum.label");
}

static void write_unit(FILE *out, const void *context)
{
    string(out, ((const struct study_page_chart *)context)->unit);
}

static void write_angle(FILE *out, const void *context)
{
    fputs(((const struct study_page_chart *)context)->slanted ? "-40" : "0", out);
}

static void write_align(FILE *out, const void *context)
{
    string(out, ((const struct study_page_chart *)context)->slanted ? "right" : "center");
}

static void write_label_padding(FILE *out, const void *context)
{
    fprintf(out, "%d", 5 + ((const struct study_page_chart *)context)->bar_space);
}

static void write_legend_columns(FILE *out, const void *context)
{
    fprintf(out, "%u", ((const struct study_page_chart *)context)->legend_columns);
}

/* So that bars are as wide as in the static picture. */
static void write_between(FILE *out, const void *context)
{
    write_real(out, 1 - ((const struct study_page_chart *)context)->fill);
}

static void write_beside(FILE *out, const void *context)
{
    write_real(out, (1 - ((const struct study_page_chart *)context)->fill) / 2);
}

static void write_kinds(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    const char *name = study_against(c->result->study);
    strings(out, &name, study_page_chart_has_marks(c) ? 1 : 0);
}

/* Of a legend of shapes, the renderer gives the outline no colour of its own accord. */
static void write_paper_legend(FILE *out, const void *context)
{
    static const char legend[] =
        "{\"title\": null, \"orient\": \"top\", \"encoding\": {\"symbols\": "
        "{\"update\": {\"fill\": {\"value\": \"white\"}, "
        "\"stroke\": {\"value\": \"black\"}}}}}";
    fputs(study_page_chart_has_marks(context) ? legend : "null", out);
}

/* A marker is not wider than about two bars. */
static void write_marker(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    double bars = c->kind == CHART_BARS ? fmax(1, c->rows * c->columns) : 1;
    double side = fmin(10, fmax(5, 1400 / bars));
    fprintf(out, "%d", (int)(side * side));
}

/* Expressions of Vega: whether the axis label at hand, or the line, is the mean's. */
static void mean_test(FILE *out, const struct study_page_chart *c, const char *field, bool can_be)
{
    char text[64] = "false";
    if (c->mean >= 0 && can_be)
        snprintf(text, sizeof text, "datum.%s == '%s'", field, c->row[c->mean]);
    string(out, text);
}

static void write_is_mean(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    mean_test(out, c, "value", !c->x_is_variant);
}

static void write_is_mean_line(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    mean_test(out, c, "w", c->mean_series >= 0);
}

static void write_line_width(FILE *out, const void *context)
{
    fputs(((const struct study_page_chart *)context)->many_lines ? "1" : "2", out);
}

static void write_colours(FILE *out, const void *context)
{
    const struct study_page_chart *c = context;
    struct json j;
    json_begin(&j, out);
    json_open_array(&j, true);
    for (uint32_t i = 0; i < c->nseries; i++) {
        char text[16];
        bool mean = c->kind == CHART_LINES && (int32_t)i == c->mean_series;
        snprintf(text, sizeof text, "#%06x", study_page_chart_colour(c, i));
        json_string(&j, mean ? "currentColor" : text);
    }
    json_close_array(&j);
    json_end(&j);
}

static void write_config(FILE *out, const void *context)
{
    static const struct study_page_slot slots[] = {{"colours", write_colours}, {NULL, NULL}};
    study_page_fill(out, study_page_fill_asset("charts/config.json"), slots, context);
}

void vega_spec_write(const struct study_page_chart *c, FILE *out)
{
    static const char *const charts[] = {[CHART_BARS] = "charts/bars.json",
                                         [CHART_LINES] = "charts/lines.json",
                                         [CHART_STACK] = "charts/stack.json",
                                         [CHART_SCATTER] = "charts/scatter.json"};
    static const struct study_page_slot slots[] = {{"title", write_title},
                                                   {"width", write_width},
                                                   {"height", write_height},
                                                   {"ours", write_ours},
                                                   {"paper", write_paper},
                                                   {"mean", write_mean},
                                                   {"neutral", write_neutral},
                                                   {"bar_names", write_bar_names},
                                                   {"slots", write_slots},
                                                   {"series", write_series},
                                                   {"bars", write_bars},
                                                   {"slot_field", write_slot_field},
                                                   {"bar_field", write_bar_field},
                                                   {"between", write_between},
                                                   {"beside", write_beside},
                                                   {"domain", write_domain},
                                                   {"ticks", write_ticks},
                                                   {"format", write_format},
                                                   {"tick", write_tick},
                                                   {"unit", write_unit},
                                                   {"angle", write_angle},
                                                   {"align", write_align},
                                                   {"label_padding", write_label_padding},
                                                   {"legend", write_legend},
                                                   {"legend_columns", write_legend_columns},
                                                   {"kinds", write_kinds},
                                                   {"paper_legend", write_paper_legend},
                                                   {"marker", write_marker},
                                                   {"is_mean", write_is_mean},
                                                   {"is_mean_line", write_is_mean_line},
                                                   {"line_width", write_line_width},
                                                   {"points", vega_scatter_points},
                                                   {"diagonal", vega_scatter_diagonal},
                                                   {"scatter_domain", vega_scatter_domain},
                                                   {"scatter_ticks", vega_scatter_ticks},
                                                   {"paper_title", vega_scatter_paper_title},
                                                   {"measured_title", vega_scatter_measured_title},
                                                   {"config", write_config},
                                                   {NULL, NULL}};
    if (c->kind != CHART_NONE)
        study_page_fill(out, study_page_fill_asset(charts[c->kind]), slots, c);
}
