/* study_page_scatter_svg.c - the static picture of a scatter: a grid, the diagonal, and a point with
 * its name for each pair. */
#include <math.h>

#include "report/study_page_scatter_svg.h"
#include "report/svg.h"

enum { RIGHT = 120 * SVG_PX, BELOW = 44 * SVG_PX, RADIUS = 45 };
static const uint32_t INK = 0x222222, GRID = 0xe4e7eb, AXIS = 0x55606e;

struct drawing {
    struct svg *s;
    const struct study_page_chart *c;
    int left, top, width, height; /* of the plot */
};

static int x_of(const struct drawing *d, double v)
{
    return d->left + (int)lround(study_page_scatter_at(d->c->scatter, v) * d->width);
}

static int y_of(const struct drawing *d, double v)
{
    return d->top + d->height - (int)lround(study_page_scatter_at(d->c->scatter, v) * d->height);
}

static void draw_axes(const struct drawing *d)
{
    const struct study_page_scatter *p = d->c->scatter;
    char text[STUDY_PAGE_TEXT_N];
    struct svg_font font = {.size = 12, .colour = INK};
    for (uint32_t i = 0; i < p->nticks; i++) {
        int x = x_of(d, p->ticks[i]), y = y_of(d, p->ticks[i]);
        study_page_chart_scaled(text, p->ticks[i]);
        svg_line(d->s, (const int[2]){d->left, y}, (const int[2]){d->left + d->width, y}, GRID, 10);
        svg_line(d->s, (const int[2]){x, d->top}, (const int[2]){x, d->top + d->height}, GRID, 10);
        font.anchor = SVG_END;
        svg_text(d->s, d->left - 6 * SVG_PX, y + 4 * SVG_PX, font, "%s", text);
        font.anchor = SVG_MIDDLE;
        svg_text(d->s, x, d->top + d->height + 16 * SVG_PX, font, "%s", text);
    }
    svg_text(d->s, d->left + d->width / 2, d->top + d->height + 36 * SVG_PX, font, "%s%s%s",
             study_against(d->c->result->study), *d->c->unit ? ", " : "", d->c->unit);
    fprintf(d->s->out, "<g transform=\"translate(%d %d) rotate(-90)\">", d->left - 52 * SVG_PX,
            d->top + d->height / 2);
    svg_text(d->s, 0, 0, font, "measured%s%s", *d->c->unit ? ", " : "", d->c->unit);
    fputs("</g>\n", d->s->out);
}

static void draw_points(const struct drawing *d)
{
    const struct study_page_scatter *p = d->c->scatter;
    struct svg_font font = {.size = 11, .colour = INK};
    for (uint32_t i = 0; i < p->n; i++) {
        const struct study_page_point *at = &p->points[i];
        int x = x_of(d, at->paper), y = y_of(d, at->measured);
        fprintf(d->s->out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"#%06x\"/>\n", x, y, RADIUS,
                study_page_chart_colour(d->c, at->column));
        svg_text(d->s, x + 8 * SVG_PX, y + 4 * SVG_PX, font, "%s", d->c->row[at->row]);
    }
}

static void draw_legend(const struct drawing *d)
{
    const struct study_page_chart *c = d->c;
    struct svg_font font = {.size = 12, .colour = INK};
    for (uint32_t i = 0; i < c->columns; i++) {
        int x = d->left + (int)(i % c->legend_columns) * c->legend_entry * SVG_PX;
        int y = (8 + 20 * (int)(i / c->legend_columns)) * SVG_PX;
        svg_rect(d->s, (const int[2]){x, y}, (const int[2]){11 * SVG_PX, 11 * SVG_PX},
                 study_page_chart_colour(c, i));
        svg_text(d->s, x + 16 * SVG_PX, y + 10 * SVG_PX, font, "%s", c->column[i]);
    }
}

void study_page_scatter_svg(const struct study_page_chart *c, FILE *out)
{
    struct svg s = {.out = out};
    struct drawing d = {.s = &s, .c = c, .left = c->left * SVG_PX};
    d.top = (14 + 20 * (int)c->legend_rows) * SVG_PX;
    d.width = c->width * SVG_PX - d.left - RIGHT;
    d.height = c->height * SVG_PX - d.top - BELOW;
    svg_size(&s, c->width * SVG_PX, c->height * SVG_PX);
    draw_axes(&d);
    svg_line(&s, (const int[2]){d.left, d.top + d.height}, (const int[2]){d.left + d.width, d.top},
             AXIS, 10);
    draw_points(&d);
    draw_legend(&d);
    fputs("</svg>\n", out);
}
