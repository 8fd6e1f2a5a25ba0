/* curves.c - line charts with axes, markers and a legend.
 *
 * Colours are those of Okabe and Ito, which colour-blind readers can tell apart; markers differ
 * as well, and colours and markers repeat only after 56 curves. */
#include "report/curves.h"

#include <math.h>
#include <string.h>

#include "report/svg.h"

enum {
    PLOT_W = 640 * SVG_PX,
    PLOT_H = 400 * SVG_PX,
    LEFT = 76 * SVG_PX,
    TOP = 56 * SVG_PX,
    BOTTOM = 58 * SVG_PX,
    MARK = 38, /* half the size of a marker */
};

static const uint32_t INK = 0x222222, GRID = 0xe4e7eb, AXIS = 0x55606e;

struct axis {
    double max, step;
    int digits; /* decimals of its labels */
};

struct chart {
    struct svg *s;
    struct axis x, y;
};

/* About eight steps of 1, 2 or 5 times a power of ten; the axis ends at a multiple of it. */
static struct axis axis_to(double max)
{
    if (!(max > 1e-300))
        max = 1;
    double raw = max / 8.0, power = pow(10, floor(log10(raw)));
    double f = raw / power, step = (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10) * power;
    int digits = (int)fmax(0, -floor(log10(step) + 1e-9));
    return (struct axis){ceil(max / step - 1e-9) * step, step, digits};
}

static bool is_point(const struct curve *c, int i)
{
    return isfinite(c->x[i]) && isfinite(c->y[i]);
}

/* Where the axes end: see curves.h. */
static void find_axes(struct chart *ch, const struct curve *c, int n)
{
    double xmax = 0, ymax = 0, lowest = INFINITY, highest_start = 0;
    for (int k = 0; k < n; k++) {
        double start = INFINITY;
        for (int i = 0; i < c[k].n; i++) {
            if (!is_point(&c[k], i))
                continue;
            xmax = fmax(xmax, c[k].x[i]);
            ymax = fmax(ymax, c[k].y[i]);
            start = fmin(start, c[k].y[i]);
        }
        lowest = fmin(lowest, start);
        if (isfinite(start))
            highest_start = fmax(highest_start, start);
    }
    if (lowest > 0 && isfinite(lowest))
        ymax = fmin(ymax, fmax(6 * lowest, 3 * highest_start));
    ch->x = axis_to(xmax);
    ch->y = axis_to(ymax);
}

static int at_x(const struct chart *ch, double x)
{
    return LEFT + (int)lround(x / ch->x.max * PLOT_W);
}

/* Far outside the plot is as good as outside: keeps coordinates small. */
static int at_y(const struct chart *ch, double y)
{
    return TOP + PLOT_H - (int)lround(fmax(-1, fmin(100, y / ch->y.max)) * PLOT_H);
}

static void draw_axes(struct chart *ch, const char *xlabel, const char *ylabel)
{
    struct svg *s = ch->s;
    char text[SVG_REAL_N];
    struct svg_font font = {.size = 12, .anchor = SVG_MIDDLE, .colour = INK};
    int bottom = TOP + PLOT_H, right = LEFT + PLOT_W;
    for (int i = 0; i * ch->x.step <= ch->x.max * (1 + 1e-9); i++) {
        int x = at_x(ch, i * ch->x.step);
        svg_line(s, (const int[2]){x, TOP}, (const int[2]){x, bottom}, GRID, 8);
        svg_text(s, x, bottom + 18 * SVG_PX, font, "%s",
                 svg_real(text, i * ch->x.step, ch->x.digits));
    }
    font.anchor = SVG_END;
    for (int i = 0; i * ch->y.step <= ch->y.max * (1 + 1e-9); i++) {
        int y = at_y(ch, i * ch->y.step);
        svg_line(s, (const int[2]){LEFT, y}, (const int[2]){right, y}, GRID, 8);
        svg_text(s, LEFT - 8 * SVG_PX, y + 4 * SVG_PX, font, "%s",
                 svg_real(text, i * ch->y.step, ch->y.digits));
    }
    svg_line(s, (const int[2]){LEFT, TOP}, (const int[2]){LEFT, bottom}, AXIS, 12);
    svg_line(s, (const int[2]){LEFT, bottom}, (const int[2]){right, bottom}, AXIS, 12);
    font = (struct svg_font){.size = 13, .anchor = SVG_MIDDLE, .colour = INK};
    svg_text(s, LEFT + PLOT_W / 2, bottom + 42 * SVG_PX, font, "%s", xlabel);
    fprintf(s->out, "<g transform=\"translate(%d %d) rotate(-90)\">", 22 * SVG_PX,
            TOP + PLOT_H / 2);
    svg_text(s, 0, 0, font, "%s", ylabel);
    fputs("</g>\n", s->out);
}

static uint32_t colour_of(int k)
{
    static const uint32_t colour[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                      0x000000, 0x56b4e9, 0xe69f00, 0x8a5a2b};
    return colour[k % 8];
}

/* Seven shapes, so that with eight colours no pair repeats soon. */
static void draw_marker(struct svg *s, int shape, int x, int y)
{
    enum { M = MARK };
    switch (shape % 7) {
    case 0:
        fprintf(s->out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", x, y, M);
        return;
    case 1:
        fprintf(s->out, "<path d=\"M%d %dh%dv%dh%dz\"/>\n", x - M, y - M, 2 * M, 2 * M, -2 * M);
        return;
    case 2:
        fprintf(s->out, "<path d=\"M%d %dl%d %dh%dz\"/>\n", x, y - M, M, 2 * M, -2 * M);
        return;
    case 3:
        fprintf(s->out, "<path d=\"M%d %dl%d %dl%d %dl%d %dz\"/>\n", x, y - M - 8, M + 8, M + 8,
                -M - 8, M + 8, -M - 8, -M - 8);
        return;
    case 4:
        fprintf(s->out, "<path d=\"M%d %dl%d %dh%dz\"/>\n", x, y + M, M, -2 * M, -2 * M);
        return;
    case 5:
        fprintf(s->out, "<path d=\"M%d %dl%d %dM%d %dl%d %d\"/>\n", x - M, y - M, 2 * M, 2 * M,
                x - M, y + M, 2 * M, -2 * M);
        return;
    default:
        fprintf(s->out, "<path d=\"M%d %dh%dM%d %dv%d\"/>\n", x - M, y, 2 * M, x, y - M, 2 * M);
        return;
    }
}

static void draw_curve(struct chart *ch, const struct curve *c, int k)
{
    struct svg *s = ch->s;
    fprintf(s->out,
            "<g clip-path=\"url(#plot)\"><path fill=\"none\" stroke=\"#%06x\" stroke-width=\"20\" "
            "stroke-linejoin=\"round\" d=\"",
            colour_of(k));
    bool first = true;
    for (int i = 0; i < c->n; i++) {
        if (!is_point(c, i))
            continue;
        fprintf(s->out, "%c%d %d", first ? 'M' : 'L', at_x(ch, c->x[i]), at_y(ch, c->y[i]));
        first = false;
    }
    fputs(first ? "M0 0\"/></g>\n" : "\"/></g>\n", s->out);
    fprintf(s->out, "<g fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"12\">\n", colour_of(k),
            colour_of(k));
    for (int i = 0; i < c->n; i++)
        if (is_point(c, i) && c->y[i] >= 0 && c->y[i] <= ch->y.max)
            draw_marker(s, k, at_x(ch, c->x[i]), at_y(ch, c->y[i]));
    fputs("</g>\n", s->out);
}

static void draw_legend(struct svg *s, const struct curve *c, int n)
{
    int x = LEFT + PLOT_W + 20 * SVG_PX;
    for (int k = 0; k < n; k++) {
        int y = TOP + (10 + 20 * k) * SVG_PX;
        svg_line(s, (const int[2]){x, y}, (const int[2]){x + 28 * SVG_PX, y}, colour_of(k), 20);
        fprintf(s->out, "<g fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"12\">", colour_of(k),
                colour_of(k));
        draw_marker(s, k, x + 14 * SVG_PX, y);
        fputs("</g>\n", s->out);
        svg_text(s, x + 36 * SVG_PX, y + 4 * SVG_PX, (struct svg_font){.size = 12, .colour = INK},
                 "%s", c[k].name);
    }
}

static int legend_width(const struct curve *c, int n)
{
    size_t longest = 0;
    for (int k = 0; k < n; k++)
        longest = strlen(c[k].name) > longest ? strlen(c[k].name) : longest;
    longest = longest > 80 ? 80 : longest;
    return (int)(56 + 7 * longest) * SVG_PX + 20 * SVG_PX;
}

bool curves_write(const char *path, const struct curve *c, int n, const char *title,
                  const char *xlabel, const char *ylabel, struct err *e)
{
    struct svg s;
    if (!svg_open(&s, path, e))
        return false;
    struct chart ch = {.s = &s};
    find_axes(&ch, c, n);
    int legend = (10 + 20 * n) * SVG_PX, height = legend > PLOT_H ? legend : PLOT_H;
    svg_size(&s, LEFT + PLOT_W + legend_width(c, n), TOP + height + BOTTOM);
    fprintf(s.out,
            "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n",
            LEFT, TOP, PLOT_W, PLOT_H);
    svg_text(&s, LEFT, 32 * SVG_PX, (struct svg_font){.size = 16, .colour = INK, .bold = true},
             "%s", title);
    draw_axes(&ch, xlabel, ylabel);
    for (int k = 0; k < n; k++)
        draw_curve(&ch, &c[k], k);
    draw_legend(&s, c, n);
    return svg_close(&s, e);
}
