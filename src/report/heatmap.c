/* heatmap.c - drawing a network coloured by the utilisation of its channels.
 *
 * Channels are drawn from the coolest to the hottest, so that what matters lies on top; each
 * carries its value as a tooltip, unless there are thousands. */
#include "report/heatmap.h"

#include <math.h>

#include "report/heatmap_priv.h"
#include "report/svg.h"

enum { LEVELS = 32, MAX_TIPS = 6000, PAD = 24 * SVG_PX, HEAD = 44 * SVG_PX, FOOT = 74 * SVG_PX };

static const uint32_t INK = 0x222222, FAINT = 0x667080;

/* Grey for idle, then light to dark, which also prints and suits colour-blind readers. */
static uint32_t colour_of(int level)
{
    static const uint32_t stop[] = {0xdce1e7, 0xfdcb83, 0xfc8d59, 0xd7301f, 0x660010};
    double t = 4.0 * level / (LEVELS - 1);
    int i = t >= 4 ? 3 : (int)t;
    uint32_t mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double a = stop[i] >> shift & 0xff, b = stop[i + 1] >> shift & 0xff;
        mixed |= (uint32_t)lround(a + (b - a) * (t - i)) << shift;
    }
    return mixed;
}

static int level_of(double util, double scale)
{
    double t = util / scale;
    if (!(t > 0))
        return 0;
    return t >= 1 ? LEVELS - 1 : (int)(t * (LEVELS - 1) + 0.5);
}

/* ---- one panel ---- */

static void draw_boxes(struct svg *s, const struct panel *p)
{
    fputs("<g fill=\"#f4f6f8\" stroke=\"#55606e\" stroke-width=\"8\">\n", s->out);
    for (uint32_t r = 0; r < p->g->nrouters; r++) {
        const struct box *b = &p->box[r];
        fprintf(s->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"20\"/>\n", b->x,
                b->y, b->w, b->h);
    }
    fputs("</g>\n", s->out);
    struct svg_font font = {.anchor = SVG_MIDDLE, .colour = FAINT};
    for (uint32_t r = 0; r < p->g->nrouters; r++) {
        const struct box *b = &p->box[r];
        int x = b->x + b->w / 2, y = b->y + b->h / 2 + 4 * SVG_PX;
        font.size = p->style == PANEL_COLUMNS ? 11 : p->label;
        if (p->style == PANEL_COLUMNS && b->h >= 16 * SVG_PX)
            svg_text(s, x, y, font, "%u\u00d7%u", p->g->router[r].nin, p->g->router[r].nout);
        else if (p->style == PANEL_GRID && p->label)
            svg_text(s, x, y, font, "%u", r);
    }
}

/* A line, with an arrowhead in a grid, and a mark at the node's end: round where packets come
 * from, square where they go. */
static void write_path(struct svg *s, const struct panel *p, const struct segment *g)
{
    int m = p->mark;
    if (p->style == PANEL_GRID && g->kind == SEG_CHANNEL) {
        double dx = g->x2 - g->x1, dy = g->y2 - g->y1, d = hypot(dx, dy), h = 1.5 * p->line;
        dx *= h / d;
        dy *= h / d;
        double x = g->x2 - dx, y = g->y2 - dy;
        fprintf(s->out, "M%d %dL%d %dM%d %dL%d %dL%d %dz", g->x1, g->y1, (int)x, (int)y,
                (int)(x - dy / 2), (int)(y + dx / 2), g->x2, g->y2, (int)(x + dy / 2),
                (int)(y - dx / 2));
        return;
    }
    fprintf(s->out, "M%d %dL%d %d", g->x1, g->y1, g->x2, g->y2);
    if (m && g->kind == SEG_INJECT)
        fprintf(s->out, "M%d %da%d %d 0 1 0 %d 0a%d %d 0 1 0 %d 0z", g->x1 - m, g->y1, m, m, 2 * m,
                m, m, -2 * m);
    if (m && g->kind == SEG_EJECT)
        fprintf(s->out, "M%d %dh%dv%dh%dz", g->x2 - m, g->y2 - m, 2 * m, 2 * m, -2 * m);
}

static void write_nodes(struct svg *s, uint32_t first, uint32_t last)
{
    if (first == last)
        fprintf(s->out, "node %u", first);
    else
        fprintf(s->out, "nodes %u-%u", first, last);
}

static uint32_t router_of_input(const struct graph *g, uint32_t in)
{
    uint32_t lo = 0, hi = g->nrouters - 1;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo + 1) / 2;
        if (g->router[mid].first_in <= in)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

static void write_tip(struct svg *s, const struct panel *p, const struct segment *seg)
{
    const struct graph *g = p->g;
    char value[SVG_REAL_N];
    fputs("<title>", s->out);
    if (seg->kind == SEG_INJECT) {
        write_nodes(s, g->in[seg->port].src_node, p->last_source[seg->port]);
        fprintf(s->out, " to router %u", router_of_input(g, seg->port));
    } else {
        fprintf(s->out, "router %u to ", g->out[seg->port].router);
        if (seg->kind == SEG_EJECT)
            write_nodes(s, g->out[seg->port].dst_node, p->last_sink[seg->port]);
        else if (seg->kind == SEG_RING)
            fputs("the ring", s->out);
        else
            fprintf(s->out, "router %u", g->out[seg->port].dst_router);
    }
    fprintf(s->out, ": %s</title>", svg_real(value, seg->util, 4));
}

static void begin_path(struct svg *s, const struct panel *p, const struct segment *seg)
{
    fputs("<path ", s->out);
    if (seg->kind != SEG_CHANNEL && seg->kind != SEG_RING && p->terminal != p->line)
        fprintf(s->out, "stroke-width=\"%d\" ", p->terminal);
    if (seg->kind != SEG_INJECT && p->g->out[seg->port].medium == MEDIUM_OPTICAL)
        fputs("stroke-dasharray=\"6 2\" ", s->out); /* light is dashed */
    fputs("d=\"", s->out);
}

static void draw_segments(struct svg *s, const struct panel *p, double scale)
{
    bool tips = p->nseg <= MAX_TIPS;
    for (int level = 0; level < LEVELS; level++) {
        uint32_t drawn = 0;
        for (uint32_t i = 0; i < p->nseg; i++) {
            if (level_of(p->seg[i].util, scale) != level)
                continue;
            if (drawn++ == 0)
                fprintf(s->out,
                        "<g fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"%d\" "
                        "stroke-linejoin=\"round\">%s",
                        colour_of(level), colour_of(level), p->line, tips ? "\n" : "<path d=\"");
            if (tips)
                begin_path(s, p, &p->seg[i]);
            write_path(s, p, &p->seg[i]);
            if (tips) {
                fputs("\">", s->out);
                write_tip(s, p, &p->seg[i]);
                fputs("</path>\n", s->out);
            }
        }
        if (drawn > 0)
            fputs(tips ? "</g>\n" : "\"/></g>\n", s->out);
    }
}

static void draw_node_labels(struct svg *s, const struct panel *p)
{
    struct svg_font font = {.size = p->label, .colour = FAINT};
    for (uint32_t i = 0; i < p->nseg; i++) {
        const struct segment *seg = &p->seg[i];
        if (seg->kind == SEG_CHANNEL || seg->kind == SEG_RING)
            continue;
        bool in = seg->kind == SEG_INJECT;
        uint32_t first = in ? p->g->in[seg->port].src_node : p->g->out[seg->port].dst_node;
        uint32_t last = in ? p->last_source[seg->port] : p->last_sink[seg->port];
        int x = in ? seg->x1 - 7 * SVG_PX : seg->x2 + 7 * SVG_PX;
        int y = seg->y1 + p->label * SVG_PX * 35 / 100;
        font.anchor = in ? SVG_END : SVG_START;
        if (first == last)
            svg_text(s, x, y, font, "%u", first);
        else
            svg_text(s, x, y, font, "%u-%u", first, last);
    }
}

static void draw_cells(struct svg *s, const struct panel *p, double scale)
{
    char value[SVG_REAL_N];
    for (uint32_t i = 0; i < p->cols * p->rows; i++) {
        const struct box *b = &p->box[i];
        if (p->cell[i] < 0)
            continue;
        fprintf(s->out,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\">"
                "<title>%s</title></rect>\n",
                b->x, b->y, b->w - 5, b->h - 5, colour_of(level_of(p->cell[i], scale)),
                svg_real(value, p->cell[i], 4));
    }
}

struct summary {
    double mean, most;
    uint64_t n;
};

static void add_to(struct summary *u, double util)
{
    u->mean += util;
    u->most = fmax(u->most, util);
    u->n++;
}

static struct summary summarise(const struct panel *p)
{
    const struct graph *g = p->g;
    struct summary u = {0};
    for (uint32_t o = 0; o < g->nouts; o++)
        if (panel_is_in_use(&g->out[o]))
            add_to(&u, p->out_util[o]);
    for (uint32_t i = 0; i < g->nins; i++)
        if (g->in[i].src_node != GRAPH_NONE)
            add_to(&u, p->in_util[i]);
    if (u.n > 0)
        u.mean /= (double)u.n;
    return u;
}

static void draw_panel(struct svg *s, const struct panel *p, double scale)
{
    char mean[SVG_REAL_N], most[SVG_REAL_N];
    struct summary u = summarise(p);
    if (*p->name)
        svg_text(s, p->x, p->y - 24 * SVG_PX,
                 (struct svg_font){.size = 13, .colour = INK, .bold = true}, "%s", p->name);
    svg_text(s, p->x, p->y - 7 * SVG_PX, (struct svg_font){.size = 11, .colour = FAINT},
             "%llu channels, mean %s, busiest %s", (unsigned long long)u.n,
             svg_real(mean, u.mean, 3), svg_real(most, u.most, 3));
    fprintf(s->out, "<g transform=\"translate(%d %d)\">\n", p->x, p->y);
    if (p->style == PANEL_EMPTY)
        svg_text(s, 0, 20 * SVG_PX, (struct svg_font){.size = 12, .colour = FAINT},
                 "no routers, no channels");
    else if (p->style == PANEL_CELLS)
        draw_cells(s, p, scale);
    else {
        draw_boxes(s, p);
        draw_segments(s, p, scale);
        if (p->style == PANEL_COLUMNS && p->label)
            draw_node_labels(s, p);
    }
    fputs("</g>\n", s->out);
}

/* ---- the whole picture ---- */

/* A round number not below the highest utilisation, so that light load is visible too. */
static double scale_for(const struct panel *p, int n)
{
    static const double round[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8};
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, summarise(&p[i]).most);
    for (size_t i = 0; i < sizeof round / sizeof round[0]; i++)
        if (most > 0 && most <= round[i])
            return round[i];
    return 1;
}

static void draw_scale(struct svg *s, int x, int y, double scale)
{
    enum { W = 7 * SVG_PX, H = 12 * SVG_PX };
    char text[SVG_REAL_N];
    struct svg_font font = {.size = 11, .anchor = SVG_MIDDLE, .colour = INK};
    for (int i = 0; i < LEVELS; i++)
        svg_rect(s, (const int[2]){x + i * W, y}, (const int[2]){W + 1, H}, colour_of(i));
    for (int i = 0; i <= 4; i++)
        svg_text(s, x + i * LEVELS * W / 4, y + H + 13 * SVG_PX, font, "%s",
                 svg_real(text, scale * i / 4, 4));
    font.anchor = SVG_START;
    svg_text(s, x, y - 6 * SVG_PX, font, "utilisation, flits per cycle");
}

static void draw_key(struct svg *s, int x, int y, bool marks, bool cells)
{
    struct svg_font font = {.size = 11, .colour = INK};
    if (marks) {
        fprintf(s->out, "<circle cx=\"%d\" cy=\"%d\" r=\"40\" fill=\"#%06x\"/>\n", x, y, FAINT);
        svg_text(s, x + 9 * SVG_PX, y + 4 * SVG_PX, font, "source");
        svg_rect(s, (const int[2]){x + 56 * SVG_PX, y - 40}, (const int[2]){80, 80}, FAINT);
        svg_text(s, x + 69 * SVG_PX, y + 4 * SVG_PX, font, "destination");
    } else if (cells) {
        svg_text(s, x, y + 4 * SVG_PX, font, "cell: busiest output of its routers");
    }
}

static void draw(struct svg *s, struct panel *p, int n, const char *title)
{
    int x = PAD, top = PAD + 26 * SVG_PX + (n > 1 ? HEAD : HEAD / 2), tallest = 0;
    bool marks = false, cells = false;
    for (int i = 0; i < n; i++) {
        heatmap_layout(&p[i], s->arena);
        p[i].x = x;
        p[i].y = top;
        x += p[i].width + 2 * PAD;
        tallest = p[i].height > tallest ? p[i].height : tallest;
        marks = marks || p[i].mark > 0;
        cells = cells || p[i].style == PANEL_CELLS;
    }
    int width = x - PAD > 460 * SVG_PX ? x - PAD : 460 * SVG_PX;
    double scale = scale_for(p, n);
    svg_size(s, width, top + tallest + FOOT + PAD);
    svg_text(s, PAD, PAD + 14 * SVG_PX, (struct svg_font){.size = 16, .colour = INK, .bold = true},
             "%s", title);
    for (int i = 0; i < n; i++)
        draw_panel(s, &p[i], scale);
    draw_scale(s, PAD, top + tallest + 40 * SVG_PX, scale);
    draw_key(s, PAD + 250 * SVG_PX, top + tallest + 46 * SVG_PX, marks, cells);
}

static void draw_all(struct svg *s, const struct graph *const *g, int ngraphs,
                     const double *const *util[2], const char *title)
{
    static const char *const names[] = {"request network", "reply network"};
    struct panel *p = ARENA_ARRAY(s->arena, struct panel, ngraphs);
    for (int i = 0; i < ngraphs; i++)
        p[i] = (struct panel){.g = g[i],
                              .out_util = util[0][i],
                              .in_util = util[1][i],
                              .name = ngraphs == 2 ? names[i] : ""};
    draw(s, p, ngraphs, title);
}

bool heatmap_write(const char *path, const struct graph *const *g, int ngraphs,
                   const double *const *out_util, const double *const *in_util, const char *title,
                   struct err *e)
{
    struct svg s;
    if (!svg_open(&s, path, e))
        return false;
    draw_all(&s, g, ngraphs, (const double *const *[2]){out_util, in_util}, title);
    return svg_close(&s, e);
}

void heatmap_draw(FILE *page, const struct graph *const *g, int ngraphs,
                  const double *const *out_util, const double *const *in_util, const char *title)
{
    struct svg s = {.out = page, .arena = arena_new()};
    draw_all(&s, g, ngraphs, (const double *const *[2]){out_util, in_util}, title);
    fputs("</svg>\n", page);
    arena_free(s.arena);
}
