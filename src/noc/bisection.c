/* bisection.c - see bisection.h: halves of a plane, or the narrowest cut from sources to sinks.
 *
 * The latter is the largest flow (Ford and Fulkerson), found by Dinic's algorithm: every channel
 * carries one unit, and so does a channel that several outputs write. */
#include "noc/bisection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the middle of a plane ---- */

struct place {
    float major, minor;
    uint32_t router;
};

static int in_order(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    if (p->major != q->major)
        return p->major < q->major ? -1 : 1;
    if (p->minor != q->minor)
        return p->minor < q->minor ? -1 : 1;
    return (p->router > q->router) - (p->router < q->router);
}

/* Half of the routers, column by column or row by row: an odd one in the middle is cut in two. */
static struct bisection halves(const struct graph *g, bool by_rows, struct place *place, bool *far)
{
    struct bisection b = {.is_plane = true};
    for (uint32_t r = 0; r < g->nrouters; r++) {
        float x = g->router[r].x, y = g->router[r].y;
        place[r] = (struct place){by_rows ? y : x, by_rows ? x : y, r};
    }
    qsort(place, g->nrouters, sizeof *place, in_order);
    for (uint32_t i = 0; i < g->nrouters; i++)
        far[place[i].router] = i >= g->nrouters / 2;
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        if (out->dst_router == GRAPH_NONE)
            continue;
        b.there += !far[out->router] && far[out->dst_router];
        b.back += far[out->router] && !far[out->dst_router];
    }
    return b;
}

static struct bisection cut_plane(const struct graph *g, struct arena *a)
{
    struct place *place = ARENA_ARRAY(a, struct place, g->nrouters);
    bool *far = ARENA_ARRAY(a, bool, g->nrouters);
    struct bisection columns = halves(g, false, place, far), rows = halves(g, true, place, far);
    return rows.there + rows.back < columns.there + columns.back ? rows : columns;
}

/* ---- from sources to sinks ---- */

/* Vertices: routers, then buses, then all sources as one and all sinks as one.  Edge e is a channel
 * if even, and e + 1 is the way back. */
struct flow {
    uint32_t nvertices, nedges, source, sink;
    uint32_t *first; /* by vertex: an edge that leaves it, or GRAPH_NONE */
    uint32_t *next;  /* by edge: another one that leaves the same vertex */
    uint32_t *to;
    bool *is_open;
    uint32_t *level; /* by vertex: edges from the source, GRAPH_NONE: out of reach */
    uint32_t *queue;
    uint32_t *turn; /* by vertex: the edge to try next */
    uint32_t *path; /* edges */
};

static void add_edge(struct flow *f, uint32_t from, uint32_t to)
{
    for (uint32_t way = 0; way < 2; way++) {
        uint32_t e = f->nedges++, at = way ? to : from;
        f->to[e] = way ? from : to;
        f->is_open[e] = way == 0;
        f->next[e] = f->first[at];
        f->first[at] = e;
    }
}

static void add_channels(struct flow *f, const struct graph *g)
{
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        if (out->dst_node != GRAPH_NONE)
            add_edge(f, out->router, f->sink);
        else if (out->dst_router != GRAPH_NONE)
            add_edge(f, out->router,
                     out->bus == GRAPH_NONE ? out->dst_router : g->nrouters + out->bus);
    }
    for (uint32_t b = 0; b < g->nbuses; b++)
        add_edge(f, g->nrouters + b, g->bus[b].dst_router);
    for (uint32_t i = 0; i < g->nins; i++)
        if (g->in[i].src_node != GRAPH_NONE)
            add_edge(f, f->source, g->in[i].router);
}

static struct flow *flow_of(const struct graph *g, struct arena *a)
{
    struct flow *f = ARENA_NEW(a, struct flow);
    size_t edges = 2 * ((size_t)g->nouts + g->nbuses + g->nins);
    f->nvertices = g->nrouters + g->nbuses + 2;
    f->source = f->nvertices - 2;
    f->sink = f->nvertices - 1;
    f->first = ARENA_ARRAY(a, uint32_t, f->nvertices);
    f->level = ARENA_ARRAY(a, uint32_t, f->nvertices);
    f->queue = ARENA_ARRAY(a, uint32_t, f->nvertices);
    f->turn = ARENA_ARRAY(a, uint32_t, f->nvertices);
    f->path = ARENA_ARRAY(a, uint32_t, f->nvertices);
    f->next = ARENA_ARRAY(a, uint32_t, edges);
    f->to = ARENA_ARRAY(a, uint32_t, edges);
    f->is_open = ARENA_ARRAY(a, bool, edges);
    memset(f->first, 0xff, sizeof *f->first * f->nvertices);
    add_channels(f, g);
    return f;
}

/* Levels of all vertices; whether the sink is in reach. */
static bool find_levels(struct flow *f)
{
    uint32_t done = 0, n = 0;
    memset(f->level, 0xff, sizeof *f->level * f->nvertices);
    f->level[f->source] = 0;
    f->queue[n++] = f->source;
    while (done < n) {
        uint32_t v = f->queue[done++];
        for (uint32_t e = f->first[v]; e != GRAPH_NONE; e = f->next[e]) {
            if (!f->is_open[e] || f->level[f->to[e]] != GRAPH_NONE)
                continue;
            f->level[f->to[e]] = f->level[v] + 1;
            f->queue[n++] = f->to[e];
        }
    }
    return f->level[f->sink] != GRAPH_NONE;
}

static bool leads_on(const struct flow *f, uint32_t from, uint32_t e)
{
    return f->is_open[e] && f->level[f->to[e]] == f->level[from] + 1;
}

/* One more unit along a shortest way; false when there is none of this length. */
static bool push_unit(struct flow *f)
{
    uint32_t at = f->source, n = 0;
    while (at != f->sink) {
        uint32_t *e = &f->turn[at];
        while (*e != GRAPH_NONE && !leads_on(f, at, *e))
            *e = f->next[*e];
        if (*e != GRAPH_NONE) {
            f->path[n++] = *e;
            at = f->to[*e];
        } else if (n > 0) { /* a dead end: back, and never again this way */
            uint32_t last = f->path[--n];
            at = f->to[last ^ 1];
            f->turn[at] = f->next[last];
        } else {
            return false;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        f->is_open[f->path[i]] = false;
        f->is_open[f->path[i] ^ 1] = true;
    }
    return true;
}

static uint32_t largest_flow(struct flow *f)
{
    uint32_t units = 0;
    while (find_levels(f)) {
        memcpy(f->turn, f->first, sizeof *f->turn * f->nvertices);
        while (push_unit(f))
            units++;
    }
    return units;
}

/* ---- results ---- */

struct bisection bisection_of(const struct graph *g, uint64_t width, struct arena *a)
{
    struct bisection b = {0};
    if (g->nrouters > 0)
        b = g->is_plane ? cut_plane(g, a)
                        : (struct bisection){.there = largest_flow(flow_of(g, a))};
    b.width = g->flit_bytes ? g->flit_bytes : width;
    return b;
}

uint64_t bisection_bytes(const struct bisection *b)
{
    return ((uint64_t)b->there + b->back) * b->width;
}

uint64_t bisection_one_way(const struct bisection *b)
{
    return (b->there > b->back ? b->there : b->back) * b->width;
}

const char *bisection_text(const struct bisection *b, struct arena *a)
{
    uint64_t bytes = bisection_bytes(b);
    if (b->is_plane)
        return arena_printf(
            a, "%" PRIu64 " bytes per cycle, %u + %u channels of %" PRIu64 " across the middle",
            bytes, b->there, b->back, b->width);
    return arena_printf(
        a, "%" PRIu64 " bytes per cycle, %u channels of %" PRIu64 " from sources to sinks", bytes,
        b->there, b->width);
}

void bisection_json(const struct bisection *b, struct json *j)
{
    json_open_object(j, true);
    json_key(j, "bytes_per_cycle");
    json_uint(j, bisection_bytes(b));
    json_key(j, "one_way");
    json_uint(j, bisection_one_way(b));
    json_key(j, "channels_there");
    json_uint(j, b->there);
    json_key(j, "channels_back");
    json_uint(j, b->back);
    json_key(j, "cut");
    json_string(j, b->is_plane ? "middle" : "sources_to_sinks");
    json_close_object(j);
}
