/* heatmap_layout.c - where the routers and channels of a heat map go. */
#include <math.h>
#include <stdlib.h>

#include "report/heatmap_priv.h"

enum {
    MAX_LABELLED = 4000, /* channels that a grid can show */
    MAX_LINES = 60000,   /* and columns */
    MAX_CELLS = 64,      /* per side */
    STUB = 34 * SVG_PX,  /* length of a link to a node, in columns */
    BOX = 44 * SVG_PX,   /* width of a router, in columns */
    MIN_WIDTH = 250 * SVG_PX,
};

static int clamp(double v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : (int)lround(v);
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sorts the routers' x or y and drops repetitions. */
static uint32_t distinct(const struct graph *g, bool y, float *v)
{
    for (uint32_t r = 0; r < g->nrouters; r++)
        v[r] = y ? g->router[r].y : g->router[r].x;
    qsort(v, g->nrouters, sizeof *v, by_value);
    uint32_t n = 1;
    for (uint32_t r = 1; r < g->nrouters; r++)
        if (v[r] - v[n - 1] > 1e-6f)
            v[n++] = v[r];
    return n;
}

static bool is_feed_forward(const struct graph *g)
{
    for (uint32_t o = 0; o < g->nouts; o++)
        if (g->out[o].dst_router != GRAPH_NONE &&
            g->router[g->out[o].dst_router].x <= g->router[g->out[o].router].x)
            return false;
    return true;
}

static uint32_t count_channels(const struct graph *g)
{
    uint32_t n = 0;
    for (uint32_t o = 0; o < g->nouts; o++)
        n += panel_is_in_use(&g->out[o]);
    for (uint32_t i = 0; i < g->nins; i++)
        n += g->in[i].src_node != GRAPH_NONE;
    return n;
}

static void find_sharers(struct panel *p, struct arena *a)
{
    const struct graph *g = p->g;
    p->last_source = ARENA_ARRAY(a, uint32_t, g->nins + 1);
    p->last_sink = ARENA_ARRAY(a, uint32_t, g->nouts + 1);
    for (uint32_t n = 0; n < g->nnodes; n++) {
        if (g->inject[n] != GRAPH_NONE)
            p->last_source[g->inject[n]] = n;
        if (g->eject[n] != GRAPH_NONE)
            p->last_sink[g->eject[n]] = n;
    }
}

static void add_segment(struct panel *p, enum segment_kind kind, uint32_t port, const int at[4])
{
    double util = kind == SEG_INJECT ? p->in_util[port] : p->out_util[port];
    p->seg[p->nseg++] = (struct segment){kind, port, at[0], at[1], at[2], at[3], util};
}

/* ---- columns ---- */

struct column {
    uint32_t routers, ports;
    double pitch, gap, next; /* distance of ports, distance of boxes, where the next box starts */
};

static uint32_t column_of(const struct graph *g, uint32_t r, const float *x)
{
    uint32_t c = 0;
    while (g->router[r].x - x[c] > 1e-6f)
        c++;
    return c;
}

static uint32_t height_in_ports(const struct graph_router *r)
{
    return r->nin > r->nout ? r->nin : r->nout;
}

static int port_y(const struct box *b, uint32_t port, uint32_t nports)
{
    return b->y + (int)((2.0 * port + 1) * b->h / (2.0 * nports));
}

/* Ports as far apart as the fullest column allows; emptier columns stretch, but not too far. */
static void measure_columns(struct panel *p, struct column *col)
{
    uint32_t most = 1, routers = 1;
    for (uint32_t c = 0; c < p->cols; c++) {
        most = col[c].ports > most ? col[c].ports : most;
        routers = col[c].routers > routers ? col[c].routers : routers;
    }
    double pitch = fmin(14 * SVG_PX, 860.0 * SVG_PX / most);
    double gap = fmin(14 * SVG_PX, 1.5 * pitch);
    p->height = clamp(most * pitch + routers * gap, 60 * SVG_PX, 2200 * SVG_PX);
    for (uint32_t c = 0; c < p->cols; c++) {
        col[c].pitch = fmin(2.5 * pitch, (p->height - col[c].routers * gap) / col[c].ports);
        col[c].gap = (p->height - col[c].ports * col[c].pitch) / col[c].routers;
        col[c].next = col[c].gap / 2;
    }
    p->line = p->terminal = clamp(0.45 * pitch, 6, 28);
    p->mark = pitch >= 4 * SVG_PX ? clamp(0.3 * pitch, 10, 35) : 0;
    p->label = pitch >= 7 * SVG_PX ? clamp(0.8 * pitch / SVG_PX, 6, 10) : 0;
}

static void place_columns(struct panel *p, struct column *col, const float *x)
{
    const struct graph *g = p->g;
    int margin = STUB + (p->label ? 34 * SVG_PX : 4 * SVG_PX);
    int box = p->cols > 1 ? BOX : 3 * BOX;
    int step = BOX + (p->cols > 1 ? clamp(900.0 / (p->cols - 1), 60, 250) * SVG_PX : 0);
    p->width = 2 * margin + box + (int)(p->cols - 1) * step;
    for (uint32_t r = 0; r < g->nrouters; r++) {
        uint32_t c = column_of(g, r, x);
        double h = height_in_ports(&g->router[r]) * col[c].pitch;
        p->box[r] =
            (struct box){margin + (int)c * step, (int)col[c].next, box, clamp(h, 2, 1 << 20)};
        col[c].next += h + col[c].gap;
    }
}

static void connect_columns(struct panel *p)
{
    const struct graph *g = p->g;
    for (uint32_t r = 0; r < g->nrouters; r++) {
        const struct graph_router *router = &g->router[r];
        const struct box *b = &p->box[r];
        for (uint32_t i = 0; i < router->nin; i++) {
            int y = port_y(b, i, router->nin);
            if (g->in[router->first_in + i].src_node != GRAPH_NONE)
                add_segment(p, SEG_INJECT, router->first_in + i,
                            (const int[4]){b->x - STUB, y, b->x, y});
        }
        for (uint32_t o = 0; o < router->nout; o++) {
            const struct graph_out *out = &g->out[router->first_out + o];
            int y = port_y(b, o, router->nout), x = b->x + b->w;
            if (out->dst_router != GRAPH_NONE) {
                const struct box *to = &p->box[out->dst_router];
                int ty = port_y(to, out->dst_in, g->router[out->dst_router].nin);
                add_segment(p, SEG_CHANNEL, router->first_out + o, (const int[4]){x, y, to->x, ty});
            } else if (out->dst_node != GRAPH_NONE) {
                add_segment(p, SEG_EJECT, router->first_out + o, (const int[4]){x, y, x + STUB, y});
            }
        }
    }
}

static void layout_columns(struct panel *p, const float *x, struct arena *a)
{
    struct column *col = ARENA_ARRAY(a, struct column, p->cols);
    for (uint32_t r = 0; r < p->g->nrouters; r++) {
        uint32_t c = column_of(p->g, r, x);
        col[c].routers++;
        col[c].ports += height_in_ports(&p->g->router[r]);
    }
    measure_columns(p, col);
    place_columns(p, col, x);
    connect_columns(p);
}

/* ---- grid ---- */

static void centre(const struct box *b, double c[2])
{
    c[0] = b->x + b->w / 2.0;
    c[1] = b->y + b->h / 2.0;
}

/* An arrow between two boxes, a little to the right of the line between their centres.  One that
 * would go over other boxes closes a ring: it leaves outwards instead. */
static void add_arrow(struct panel *p, uint32_t out, int cell)
{
    const struct box *from = &p->box[p->g->out[out].router];
    double a[2], b[2];
    centre(from, a);
    centre(&p->box[p->g->out[out].dst_router], b);
    double dx = b[0] - a[0], dy = b[1] - a[1], d = hypot(dx, dy);
    dx /= d;
    dy /= d;
    double side = 0.08 * cell, start = from->w / 2.0, end = d - 0.6 * from->w;
    if (d > 1.5 * cell) {
        dx = -dx;
        dy = -dy;
        end = start + 0.26 * cell;
    }
    add_segment(
        p, SEG_CHANNEL, out,
        (const int[4]){(int)(a[0] + dx * start - dy * side), (int)(a[1] + dy * start + dx * side),
                       (int)(a[0] + dx * end - dy * side), (int)(a[1] + dy * end + dx * side)});
}

/* Links to nodes leave at the lower corners: sources on the left, destinations on the right. */
static void add_terminal(struct panel *p, enum segment_kind kind, uint32_t router, uint32_t port,
                         const double turn_cell[2])
{
    const struct box *b = &p->box[router];
    double angle = 3.14159265 / 4 + turn_cell[0], c[2], side = kind == SEG_INJECT ? -1 : 1;
    double near = 0.66 * b->w, far = 0.42 * turn_cell[1];
    centre(b, c);
    int nx = (int)(c[0] + side * near * cos(angle)), ny = (int)(c[1] + near * sin(angle));
    int fx = (int)(c[0] + side * far * cos(angle)), fy = (int)(c[1] + far * sin(angle));
    if (kind == SEG_INJECT)
        add_segment(p, kind, port, (const int[4]){fx, fy, nx, ny});
    else
        add_segment(p, kind, port, (const int[4]){nx, ny, fx, fy});
}

static double fan(uint32_t i, uint32_t n)
{
    return n > 1 ? (i - (n - 1) / 2.0) * fmin(0.4, 1.0 / n) : 0;
}

static uint32_t sources_at(const struct graph *g, const struct graph_router *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->nin; i++)
        n += g->in[r->first_in + i].src_node != GRAPH_NONE;
    return n;
}

static uint32_t sinks_at(const struct graph *g, const struct graph_router *r)
{
    uint32_t n = 0;
    for (uint32_t o = 0; o < r->nout; o++)
        n += g->out[r->first_out + o].dst_node != GRAPH_NONE;
    return n;
}

static void connect_grid(struct panel *p, uint32_t r, int cell)
{
    const struct graph *g = p->g;
    const struct graph_router *router = &g->router[r];
    uint32_t nin = sources_at(g, router), nout = sinks_at(g, router), in = 0, out = 0;
    for (uint32_t i = router->first_in; i < router->first_in + router->nin; i++)
        if (g->in[i].src_node != GRAPH_NONE)
            add_terminal(p, SEG_INJECT, r, i, (const double[2]){fan(in++, nin), cell});
    for (uint32_t o = router->first_out; o < router->first_out + router->nout; o++) {
        if (g->out[o].dst_router != GRAPH_NONE)
            add_arrow(p, o, cell);
        else if (g->out[o].dst_node != GRAPH_NONE)
            add_terminal(p, SEG_EJECT, r, o, (const double[2]){fan(out++, nout), cell});
    }
}

/* The station that light passes after this one. */
static uint32_t next_station(const struct graph_ring *r, uint32_t station)
{
    uint32_t next = station, first = station;
    for (uint32_t i = 0; i < r->nstations; i++) {
        float place = r->station[i].place;
        first = place < r->station[first].place ? i : first;
        if (place > r->station[station].place &&
            (next == station || place < r->station[next].place))
            next = i;
    }
    return next != station ? next : first;
}

/* From station to station, in the colour of what enters at the first of them. */
static void connect_ring(struct panel *p)
{
    const struct graph_ring *r = p->g->ring;
    for (uint32_t i = 0; r && i < r->nstations; i++) {
        double from[2], to[2];
        centre(&p->box[r->station[i].router], from);
        centre(&p->box[r->station[next_station(r, i)].router], to);
        add_segment(p, SEG_RING, r->station[i].out,
                    (const int[4]){(int)from[0], (int)from[1], (int)to[0], (int)to[1]});
    }
}

static void layout_grid(struct panel *p)
{
    const struct graph *g = p->g;
    uint32_t side = p->cols > p->rows ? p->cols : p->rows, crowd = 1;
    for (uint32_t r = 0; r < g->nrouters; r++) {
        uint32_t in = sources_at(g, &g->router[r]), out = sinks_at(g, &g->router[r]);
        crowd = in > crowd ? in : crowd;
        crowd = out > crowd ? out : crowd;
    }
    int cell = clamp(720.0 / side, 26, crowd > 1 ? 130 : 84) * SVG_PX, half = cell * 18 / 100;
    p->width = (int)p->cols * cell;
    p->height = (int)p->rows * cell;
    for (uint32_t r = 0; r < g->nrouters; r++)
        p->box[r] = (struct box){(int)lroundf(g->router[r].x * (float)p->width) - half,
                                 (int)lroundf(g->router[r].y * (float)p->height) - half, 2 * half,
                                 2 * half};
    p->line = clamp(0.055 * cell, 12, 50);
    p->mark = clamp(fmin(0.045, 0.14 / crowd) * cell, 6, 40);
    p->terminal = p->line < p->mark ? p->line : p->mark;
    p->label = cell >= 44 * SVG_PX ? clamp(0.15 * cell / SVG_PX, 7, 11) : 0;
    for (uint32_t r = 0; r < g->nrouters; r++)
        connect_grid(p, r, cell);
    connect_ring(p);
}

/* ---- cells ---- */

static double busiest_output(const struct panel *p, const struct graph_router *r)
{
    double most = 0;
    for (uint32_t o = r->first_out; o < r->first_out + r->nout; o++)
        if (panel_is_in_use(&p->g->out[o]))
            most = fmax(most, p->out_util[o]);
    return most;
}

static void layout_cells(struct panel *p, struct arena *a)
{
    p->cols = p->cols < MAX_CELLS ? p->cols : MAX_CELLS;
    p->rows = p->rows < MAX_CELLS ? p->rows : MAX_CELLS;
    uint32_t side = p->cols > p->rows ? p->cols : p->rows, n = p->cols * p->rows;
    int size = clamp(640.0 / side, 8, 40) * SVG_PX;
    p->width = (int)p->cols * size;
    p->height = (int)p->rows * size;
    p->cell = ARENA_ARRAY(a, double, n);
    p->box = ARENA_ARRAY(a, struct box, n);
    for (uint32_t i = 0; i < n; i++) {
        p->cell[i] = -1;
        p->box[i] = (struct box){(int)(i % p->cols) * size, (int)(i / p->cols) * size, size, size};
    }
    for (uint32_t r = 0; r < p->g->nrouters; r++) {
        const struct graph_router *router = &p->g->router[r];
        uint32_t x = (uint32_t)(router->x * (float)p->cols);
        uint32_t y = (uint32_t)(router->y * (float)p->rows);
        x = x < p->cols ? x : p->cols - 1;
        y = y < p->rows ? y : p->rows - 1;
        double *cell = &p->cell[y * p->cols + x];
        *cell = fmax(*cell, busiest_output(p, router));
    }
}

void heatmap_layout(struct panel *p, struct arena *a)
{
    const struct graph *g = p->g;
    p->width = p->height = MIN_WIDTH;
    if (g->nrouters == 0) {
        p->height = 30 * SVG_PX;
        return;
    }
    float *x = ARENA_ARRAY(a, float, g->nrouters), *y = ARENA_ARRAY(a, float, g->nrouters);
    p->cols = distinct(g, false, x);
    p->rows = distinct(g, true, y);
    uint32_t channels = count_channels(g);
    bool columns = is_feed_forward(g);
    if (channels > (columns ? MAX_LINES : MAX_LABELLED)) {
        p->style = PANEL_CELLS;
        layout_cells(p, a);
        return;
    }
    p->box = ARENA_ARRAY(a, struct box, g->nrouters);
    p->seg = ARENA_ARRAY(a, struct segment, channels + 1);
    find_sharers(p, a);
    p->style = columns ? PANEL_COLUMNS : PANEL_GRID;
    if (columns)
        layout_columns(p, x, a);
    else
        layout_grid(p);
    p->width = p->width > MIN_WIDTH ? p->width : MIN_WIDTH;
}
