/* heatmap_priv.h - a panel of a heat map, between its layout and its drawing. */
#ifndef HEDDLE_REPORT_HEATMAP_PRIV_H
#define HEDDLE_REPORT_HEATMAP_PRIV_H

#include "base/arena.h"
#include "noc/graph.h"
#include "report/svg.h"

enum panel_style {
    PANEL_EMPTY,   /* no routers */
    PANEL_COLUMNS, /* feed-forward: columns of boxes, one point per port */
    PANEL_GRID,    /* boxes where the topology says, arrows between neighbours */
    PANEL_CELLS,   /* too much of it: squares */
};

enum segment_kind { SEG_CHANNEL, SEG_INJECT, SEG_EJECT, SEG_RING };

struct segment {
    enum segment_kind kind;
    uint32_t port; /* input port of the graph for SEG_INJECT, output port otherwise */
    int x1, y1, x2, y2;
    double util;
};

struct box { /* a router */
    int x, y, w, h;
};

struct panel {
    const struct graph *g;
    const double *out_util, *in_util;
    const char *name;
    enum panel_style style;
    int x, y, width, height; /* where it stands in the picture */
    int line, terminal;      /* widths of a channel between routers and to a node */
    int mark;                /* half the size of a node's mark; 0: none */
    int label;               /* size of the text at a node or router, in pixels; 0: none */
    struct box *box;         /* by router; by cell for PANEL_CELLS */
    uint32_t cols, rows;     /* distinct positions; cells for PANEL_CELLS */
    double *cell;            /* PANEL_CELLS: the busiest output of it, or < 0 where there is none */
    struct segment *seg;
    uint32_t nseg;
    uint32_t *last_source, *last_sink; /* by port: last node that shares it */
};

/* Chooses the style and fills in everything but x and y; boxes and segments are relative to
 * these. */
void heatmap_layout(struct panel *p, struct arena *a);

static inline bool panel_is_in_use(const struct graph_out *o)
{
    return o->dst_router != GRAPH_NONE || o->dst_node != GRAPH_NONE || o->station != GRAPH_NONE;
}

#endif
