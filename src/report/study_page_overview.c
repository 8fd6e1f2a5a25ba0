/* study_page_overview.c - a study in one picture: the means that a paper gives beside those that
 * were measured, a line each, by figure.
 *
 * Only changes over a baseline are in it, since only they have an axis in common; single workloads,
 * parts and bounds are in the charts and tables of their figures. */
#include <math.h>
#include <string.h>

#include "report/study_page.h"
#include "report/study_page_label.h"
#include "report/study_page_priv.h"
#include "report/svg.h"

enum {
    WIDTH = 960 * SVG_PX,
    TOP = 26 * SVG_PX, /* heads of columns */
    LINE = 22 * SVG_PX,
    HEAD = 26 * SVG_PX, /* title of a figure */
    BELOW = 26 * SVG_PX,
    LABEL_AT = 20 * SVG_PX,
    LEFT = 280 * SVG_PX, /* of the plot */
    RIGHT = 770 * SVG_PX,
    PAPER_AT = 860 * SVG_PX, /* where numbers end */
    MEASURED_AT = 950 * SVG_PX,
    TITLE_MOST = 120,
    FEWEST = 2, /* one alone needs no overview */
};
static const uint32_t INK = 0x222222, GRID = 0xe4e7eb, BAND = 0xf1f2f4, AXIS = 0x55606e,
                      BAR = 0x0072b2;

struct drawing {
    struct svg *s;
    const struct study_result *r;
    struct arena *arena;
    struct study_page_axis axis;
};

static bool belongs(const struct verdict_row *row)
{
    const struct study_paper *p = row->paper;
    return p && row->figure->format == FORMAT_PERCENT_CHANGE && p->workload < 0 && p->part < 0 &&
           p->bound == BOUND_NONE && isfinite(row->measured);
}

/* The next line from `i` on; nrows: none. */
static uint32_t next_line(const struct study_result *r, uint32_t i)
{
    while (i < r->nrows && !belongs(&r->rows[i]))
        i++;
    return i;
}

bool study_page_has_overview(const struct study_result *r)
{
    uint32_t n = 0;
    for (uint32_t i = next_line(r, 0); i < r->nrows; i = next_line(r, i + 1))
        n++;
    return n >= FEWEST;
}

static struct study_page_axis find_axis(const struct study_result *r)
{
    double low = 0, high = 0;
    for (uint32_t i = next_line(r, 0); i < r->nrows; i = next_line(r, i + 1)) {
        const struct verdict_row *row = &r->rows[i];
        low = fmin(low, fmin(row->measured, row->paper_value) - 1);
        high = fmax(high, fmax(row->measured, row->paper_value) - 1);
    }
    return study_page_axis_over(low, high, 8);
}

static int x_of(const struct drawing *d, double change)
{
    const struct study_page_axis *a = &d->axis;
    return LEFT + (int)lround((change - a->low) / (a->high - a->low) * (RIGHT - LEFT));
}

static void draw_grid(const struct drawing *d, int bottom)
{
    const struct study_page_axis *a = &d->axis;
    struct svg_font font = {.size = 12, .anchor = SVG_MIDDLE, .colour = INK};
    char text[SVG_REAL_N];
    for (int i = 0; a->low + i * a->step <= a->high + a->step * 1e-6; i++) {
        double v = a->low + i * a->step;
        bool is_zero = fabs(v) < a->step / 2;
        int x = x_of(d, v);
        svg_line(d->s, (const int[2]){x, TOP}, (const int[2]){x, bottom}, is_zero ? AXIS : GRID,
                 10);
        svg_text(d->s, x, bottom + 16 * SVG_PX, font, "%s%s%%",
                 is_zero ? ""
                 : v > 0 ? "+"
                         : "\u2212",
                 svg_real(text, 100 * fabs(v), 1));
    }
}

static void draw_heads(const struct drawing *d)
{
    struct svg_font font = {.size = 12, .anchor = SVG_END, .colour = INK};
    int y = 17 * SVG_PX;
    svg_text(d->s, PAPER_AT, y, font, "paper");
    svg_text(d->s, MEASURED_AT, y, font, "measured");
    svg_diamond(d->s, PAPER_AT - 44 * SVG_PX, y - 4 * SVG_PX);
    svg_rect(d->s, (const int[2]){MEASURED_AT - 76 * SVG_PX, y - 10 * SVG_PX},
             (const int[2]){11 * SVG_PX, 11 * SVG_PX}, BAR);
}

static void draw_title(const struct drawing *d, const struct study_figure *f, int y)
{
    struct svg_font font = {.size = 12, .colour = INK, .bold = true};
    const char *text = strcmp(f->name, f->title) == 0
                           ? f->title
                           : arena_printf(d->arena, "%s: %s", f->name, f->title);
    svg_rect(d->s, (const int[2]){0, y + 3 * SVG_PX}, (const int[2]){WIDTH, HEAD - 5 * SVG_PX},
             BAND);
    svg_text(d->s, 8 * SVG_PX, y + 18 * SVG_PX, font, "%s", label_cut(d->arena, text, TITLE_MOST));
}

static const char *line_label(const struct drawing *d, const struct verdict_row *row)
{
    const struct study_figure *f = row->figure;
    uint32_t column = 0;
    while (column + 1 < f->nvariants && f->variants[column] != row->paper->variant)
        column++;
    const char *label = label_column(d->arena, d->r->study, f, column);
    const char *mean = row->paper->beside;
    return mean ? arena_printf(d->arena, "%s, %s", label, mean) : label;
}

static void draw_line(const struct drawing *d, const struct verdict_row *row, int y)
{
    struct svg_font font = {.size = 12, .colour = INK};
    char text[STUDY_PAGE_TEXT_N];
    int zero = x_of(d, 0), end = x_of(d, row->measured - 1), base = y + 15 * SVG_PX;
    int left = zero < end ? zero : end, width = zero < end ? end - zero : zero - end;
    svg_text(d->s, LABEL_AT, base, font, "%s", label_cut(d->arena, line_label(d, row), LABEL_MOST));
    svg_rect(d->s, (const int[2]){left, y + 5 * SVG_PX},
             (const int[2]){width > 6 ? width : 6, LINE - 10 * SVG_PX}, BAR);
    svg_diamond(d->s, x_of(d, row->paper_value - 1), y + LINE / 2);
    font.anchor = SVG_END;
    svg_text(d->s, PAPER_AT, base, font, "%s",
             study_page_chart_text(text, row->figure, row->paper_value));
    svg_text(d->s, MEASURED_AT, base, font, "%s",
             study_page_chart_text(text, row->figure, row->measured));
}

/* Draws all lines, or only finds where they would end. */
static int draw_lines(const struct drawing *d, bool is_drawn)
{
    const struct study_result *r = d->r;
    const struct study_figure *last = NULL;
    int y = TOP;
    for (uint32_t i = next_line(r, 0); i < r->nrows; i = next_line(r, i + 1)) {
        const struct study_figure *f = r->rows[i].figure;
        if (f != last && is_drawn)
            draw_title(d, f, y);
        y += f != last ? HEAD : 0;
        last = f;
        if (is_drawn)
            draw_line(d, &r->rows[i], y);
        y += LINE;
    }
    return y;
}

void study_page_overview_svg(const struct study_result *r, FILE *out)
{
    struct svg s = {.out = out};
    struct drawing d = {.s = &s, .r = r, .arena = arena_new(), .axis = find_axis(r)};
    int bottom = draw_lines(&d, false);
    svg_size(&s, WIDTH, bottom + BELOW);
    draw_grid(&d, bottom);
    draw_heads(&d);
    draw_lines(&d, true);
    fputs("</svg>\n", out);
    arena_free(d.arena);
}

void study_page_overview(FILE *out, const struct study_result *r)
{
    if (!study_page_has_overview(r))
        return;
    fputs("<section id=\"overview\">\n<h2>In one picture</h2>\n<figure><div class=\"overview "
          "static\" role=\"img\" aria-label=\"Means that the paper gives beside those that were "
          "measured. The table of verdicts has the values.\">",
          out);
    study_page_overview_svg(r, out);
    fputs("</div><figcaption>Changes over the baseline, means over the workloads of each figure: "
          "diamonds are the paper\u2019s, bars are measured.</figcaption></figure></section>\n",
          out);
}
