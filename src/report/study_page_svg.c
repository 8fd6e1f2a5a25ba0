/* study_page_svg.c - a figure as a static picture: bars in groups, stacks or lines, the paper's
 * values as diamonds, axis, legend.  For papers, and in the page until (or where) no script runs.
 *
 * Without font metrics: texts have the space that study_page_chart.c guesses. */
#include <math.h>
#include <stdlib.h>

#include "report/study_page.h"
#include "report/study_page_chart.h"
#include "report/study_page_scatter_svg.h"
#include "report/svg.h"

enum {
    RIGHT = 8 * SVG_PX,
    LEGEND_ROW = 20 * SVG_PX,
};
static const uint32_t INK = 0x222222, GRID = 0xe4e7eb, BAND = 0xf1f2f4, AXIS = 0x55606e;

struct drawing {
    struct svg *s;
    const struct study_page_chart *c;
    int left, top, width, height; /* of the plot */
};

static int y_of(const struct drawing *d, double v)
{
    const struct study_page_axis *a = &d->c->axis;
    return d->top + (int)lround((a->high - v) / (a->high - a->low) * d->height);
}

/* The left end of slot `i`; the end of it is slot i + 1. */
static int slot_at(const struct drawing *d, double i)
{
    return d->left + (int)lround(i / fmax(1, d->c->nslots) * d->width);
}

/* A bar's ends. */
static void bar_at(const struct drawing *d, uint32_t row, uint32_t column, int x[2])
{
    double each = d->c->fill / fmax(1, d->c->nbars), before = (1 - d->c->fill) / 2;
    uint32_t slot = study_page_chart_slot(d->c, row, column);
    uint32_t bar = study_page_chart_bar(d->c, row, column);
    x[0] = slot_at(d, slot + before + bar * each);
    x[1] = slot_at(d, slot + before + (bar + 1) * each);
}

static void draw_axis(const struct drawing *d)
{
    char text[STUDY_PAGE_TEXT_N];
    const struct study_page_axis *a = &d->c->axis;
    struct svg_font font = {.size = 12, .anchor = SVG_END, .colour = INK};
    for (int i = 0; a->low + i * a->step <= a->high + a->step * 1e-6; i++) {
        double v = a->low + i * a->step;
        int y = y_of(d, v);
        svg_line(d->s, (const int[2]){d->left, y}, (const int[2]){d->left + d->width, y}, GRID, 10);
        svg_text(d->s, d->left - 6 * SVG_PX, y + 4 * SVG_PX, font, "%s",
                 study_page_chart_tick(text, d->c, v));
    }
    font.anchor = SVG_MIDDLE;
    fprintf(d->s->out, "<g transform=\"translate(%d %d) rotate(-90)\">", d->left - 52 * SVG_PX,
            d->top + d->height / 2);
    svg_text(d->s, 0, 0, font, "%s", d->c->unit);
    fputs("</g>\n", d->s->out);
}

static void slanted_text(const struct drawing *d, const int at[2], int angle, const char *text,
                         struct svg_font font)
{
    fprintf(d->s->out, "<g transform=\"translate(%d %d) rotate(%d)\">", at[0], at[1], angle);
    font.anchor = SVG_END;
    svg_text(d->s, 0, 0, font, "%s", text);
    fputs("</g>\n", d->s->out);
}

static void draw_slots(const struct drawing *d)
{
    const struct study_page_chart *c = d->c;
    int y = d->top + d->height + c->bar_space * SVG_PX;
    for (uint32_t i = 0; i < c->nslots; i++) {
        bool mean = !c->x_is_variant && (int32_t)i == c->mean;
        struct svg_font font = {.size = 12, .anchor = SVG_MIDDLE, .colour = INK, .bold = mean};
        int x = slot_at(d, i + 0.5);
        if (c->slanted)
            slanted_text(d, (const int[2]){x + 4 * SVG_PX, y + 12 * SVG_PX}, -40, c->slot[i], font);
        else
            svg_text(d->s, x, y + 15 * SVG_PX, font, "%s", c->slot[i]);
    }
    for (uint32_t i = 0; c->bars_named && i < c->rows * c->columns; i++) {
        int x[2];
        bar_at(d, i / c->columns, i % c->columns, x);
        slanted_text(
            d, (const int[2]){(x[0] + x[1]) / 2 + 4 * SVG_PX, d->top + d->height + 5 * SVG_PX}, -90,
            c->bar[study_page_chart_bar(c, i / c->columns, i % c->columns)],
            (struct svg_font){.size = 11, .colour = INK});
    }
}

static void draw_bar(const struct drawing *d, const int x[2], const double v[2], uint32_t colour)
{
    int from = y_of(d, v[0]), to = y_of(d, v[1]), top = from < to ? from : to;
    svg_rect(d->s, (const int[2]){x[0] + 3, top},
             (const int[2]){x[1] - x[0] > 12 ? x[1] - x[0] - 6 : 6, abs(from - to)}, colour);
}

static void draw_bars(const struct drawing *d)
{
    const struct study_page_chart *c = d->c;
    bool stack = c->kind == CHART_STACK;
    for (uint32_t i = 0; i < c->rows * c->columns; i++) {
        int x[2];
        double at = 0;
        bar_at(d, i / c->columns, i % c->columns, x);
        for (uint32_t part = 0; part < c->parts; part++) {
            double v = study_page_chart_part(c, i / c->columns, i % c->columns, part);
            if (isnan(v))
                continue;
            uint32_t bar = study_page_chart_bar(c, i / c->columns, i % c->columns);
            uint32_t series = stack ? part : bar;
            draw_bar(d, x, (const double[2]){at, at + v - c->shift},
                     study_page_chart_colour(c, series));
            at += v;
        }
    }
}

static uint32_t line_colour(const struct study_page_chart *c, uint32_t series)
{
    return (int32_t)series == c->mean_series ? INK : study_page_chart_colour(c, series);
}

static void draw_line(const struct drawing *d, uint32_t series)
{
    const struct study_page_chart *c = d->c;
    uint32_t colour = line_colour(c, series);
    bool is_mean = (int32_t)series == c->mean_series, joined = false;
    int last[2] = {0, 0}, width = is_mean ? 35 : c->many_lines ? 10 : 20;
    for (uint32_t slot = 0; slot < c->nslots; slot++) {
        uint32_t row, column;
        bool is_there = study_page_chart_cell(c, slot, series, &row, &column);
        double v = is_there ? study_page_chart_value(c, row, column) - c->shift : (double)NAN;
        int at[2] = {slot_at(d, slot + 0.5), isnan(v) ? 0 : y_of(d, v)};
        if (!isnan(v) && joined)
            svg_line(d->s, last, at, colour, width);
        if (!isnan(v))
            fprintf(d->s->out, "<circle cx=\"%d\" cy=\"%d\" r=\"36\" fill=\"#%06x\"/>\n", at[0],
                    at[1], colour);
        joined = !isnan(v);
        last[0] = at[0];
        last[1] = at[1];
    }
}

static void draw_lines(const struct drawing *d)
{
    for (uint32_t series = 0; series < d->c->nseries; series++)
        draw_line(d, series);
}

static bool draw_papers(const struct drawing *d)
{
    const struct study_page_chart *c = d->c;
    bool any = false;
    for (uint32_t i = 0, row, column; i < c->figure->npapers; i++) {
        const struct study_paper *p = &c->figure->papers[i];
        if (!study_page_chart_mark(c, p, &row, &column))
            continue;
        int x[2];
        bar_at(d, row, column, x);
        int at = c->kind == CHART_LINES ? slot_at(d, study_page_chart_slot(c, row, column) + 0.5)
                                        : (x[0] + x[1]) / 2;
        svg_diamond(d->s, at, y_of(d, p->value - c->shift));
        any = true;
    }
    return any;
}

static void draw_legend(const struct drawing *d, bool paper)
{
    const struct study_page_chart *c = d->c;
    struct svg_font font = {.size = 12, .colour = INK};
    for (uint32_t k = 0; k < c->nlegend; k++) {
        uint32_t i = c->legend_first + k;
        int x = d->left + (int)(k % c->legend_columns) * c->legend_entry * SVG_PX;
        int y = 8 * SVG_PX + (int)(k / c->legend_columns) * LEGEND_ROW;
        uint32_t colour =
            c->kind == CHART_LINES ? line_colour(c, i) : study_page_chart_colour(c, i);
        svg_rect(d->s, (const int[2]){x, y}, (const int[2]){11 * SVG_PX, 11 * SVG_PX}, colour);
        svg_text(d->s, x + 16 * SVG_PX, y + 10 * SVG_PX, font, "%s", c->series[i]);
    }
    if (paper) {
        int x = d->left + d->width - 56 * SVG_PX;
        svg_diamond(d->s, x, 14 * SVG_PX);
        svg_text(d->s, x + 10 * SVG_PX, 18 * SVG_PX, font, "%s", study_against(c->result->study));
    }
}

/* Behind everything: which group is the mean. */
static void draw_band(const struct drawing *d)
{
    const struct study_page_chart *c = d->c;
    if (c->mean < 0 || c->x_is_variant || c->kind == CHART_LINES)
        return;
    int x = slot_at(d, c->mean), end = slot_at(d, c->mean + 1);
    svg_rect(d->s, (const int[2]){x, d->top}, (const int[2]){end - x, d->height}, BAND);
}

static void draw_neutral(const struct drawing *d)
{
    const struct study_page_axis *a = &d->c->axis;
    double v = d->c->figure->neutral - d->c->shift;
    bool bars = d->c->kind != CHART_LINES;
    for (int i = 0; i < 2; i++, v = 0)
        if (v >= a->low && v <= a->high && (i == 0 || bars))
            svg_line(d->s, (const int[2]){d->left, y_of(d, v)},
                     (const int[2]){d->left + d->width, y_of(d, v)}, AXIS, 10);
}

static void draw(const struct study_page_chart *c, FILE *out)
{
    struct svg s = {.out = out};
    struct drawing d = {.s = &s, .c = c, .left = c->left * SVG_PX};
    int below = (c->slot_space + c->bar_space + 8) * SVG_PX;
    d.top = 14 * SVG_PX + (int)c->legend_rows * LEGEND_ROW;
    d.width = c->width * SVG_PX - d.left - RIGHT;
    d.height = c->height * SVG_PX - d.top - below;
    svg_size(&s, c->width * SVG_PX, c->height * SVG_PX);
    draw_band(&d);
    draw_axis(&d);
    if (c->kind == CHART_LINES)
        draw_lines(&d);
    else
        draw_bars(&d);
    draw_neutral(&d);
    draw_slots(&d);
    draw_legend(&d, draw_papers(&d));
    fputs("</svg>\n", out);
}

void study_page_svg(const struct study_result *r, uint32_t figure, FILE *out)
{
    struct arena *a = arena_new();
    struct study_page_chart c;
    study_page_chart_of(a, r, figure, &c);
    if (c.scatter)
        study_page_scatter_svg(&c, out);
    else
        draw(&c, out);
    arena_free(a);
}
