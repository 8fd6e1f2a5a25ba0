/* graph.c - building the graph of a network. */
#include "noc/graph.h"

#include <string.h>

#include "base/err.h"

struct graph *graph_new(struct arena *a, uint32_t nnodes)
{
    struct graph *g = ARENA_NEW(a, struct graph);
    g->arena = a;
    g->nnodes = nnodes;
    g->subclasses = 1;
    g->inject = ARENA_ARRAY(a, uint32_t, nnodes);
    g->eject = ARENA_ARRAY(a, uint32_t, nnodes);
    memset(g->inject, 0xff, sizeof *g->inject * nnodes);
    memset(g->eject, 0xff, sizeof *g->eject * nnodes);
    return g;
}

/* Room for n more elements; old storage stays behind in the arena, at most as much again. */
static void *reserve(struct arena *a, void *old, uint32_t used, uint32_t *cap, uint32_t n,
                     size_t size)
{
    if (used + n <= *cap)
        return old;
    uint32_t want = *cap ? *cap * 2 : 64;
    while (want < used + n)
        want *= 2;
    char *p = arena_alloc(a, size * want);
    if (used)
        memcpy(p, old, size * used);
    *cap = want;
    return p;
}

uint32_t graph_add_router(struct graph *g, uint32_t nin, uint32_t nout, float x, float y)
{
    g->router = reserve(g->arena, g->router, g->nrouters, &g->cap_routers, 1, sizeof *g->router);
    g->out = reserve(g->arena, g->out, g->nouts, &g->cap_outs, nout, sizeof *g->out);
    g->in = reserve(g->arena, g->in, g->nins, &g->cap_ins, nin, sizeof *g->in);
    g->router[g->nrouters] = (struct graph_router){
        .nin = nin, .nout = nout, .first_in = g->nins, .first_out = g->nouts, .x = x, .y = y};
    for (uint32_t i = 0; i < nout; i++)
        g->out[g->nouts++] = (struct graph_out){.router = g->nrouters,
                                                .dst_router = GRAPH_NONE,
                                                .dst_node = GRAPH_NONE,
                                                .latency = 1,
                                                .bus = GRAPH_NONE,
                                                .station = GRAPH_NONE};
    for (uint32_t i = 0; i < nin; i++)
        g->in[g->nins++] = (struct graph_in){.router = g->nrouters,
                                             .src_out = GRAPH_NONE,
                                             .src_node = GRAPH_NONE,
                                             .station = GRAPH_NONE,
                                             .latency = 1};
    return g->nrouters++;
}

static struct graph_out *free_out(struct graph *g, uint32_t router, uint32_t out)
{
    HD_ASSERT(router < g->nrouters && out < g->router[router].nout, "router %u has no output %u",
              router, out);
    struct graph_out *o = &g->out[g->router[router].first_out + out];
    HD_ASSERT(o->dst_router == GRAPH_NONE && o->dst_node == GRAPH_NONE,
              "output %u of router %u is connected twice", out, router);
    return o;
}

static struct graph_in *free_in(struct graph *g, uint32_t router, uint32_t in)
{
    HD_ASSERT(router < g->nrouters && in < g->router[router].nin, "router %u has no input %u",
              router, in);
    struct graph_in *i = &g->in[g->router[router].first_in + in];
    HD_ASSERT(i->src_out == GRAPH_NONE && i->src_node == GRAPH_NONE,
              "input %u of router %u is connected twice", in, router);
    return i;
}

void graph_connect(struct graph *g, uint32_t from, uint32_t out, uint32_t to, uint32_t in,
                   uint32_t latency, float length_mm)
{
    struct graph_out *o = free_out(g, from, out);
    struct graph_in *i = free_in(g, to, in);
    o->dst_router = to;
    o->dst_in = in;
    o->latency = i->latency = latency;
    o->length_mm = i->length_mm = length_mm;
    i->src_out = (uint32_t)(o - g->out);
}

uint32_t graph_add_bus(struct graph *g, uint32_t to, uint32_t in, enum medium medium,
                       struct graph_arbiter arbiter)
{
    free_in(g, to, in);
    g->bus = reserve(g->arena, g->bus, g->nbuses, &g->cap_buses, 1, sizeof *g->bus);
    g->bus[g->nbuses] = (struct graph_bus){
        .dst_router = to, .dst_in = in, .arbiter = arbiter, .first = GRAPH_NONE, .medium = medium};
    return g->nbuses++;
}

void graph_write_bus(struct graph *g, uint32_t bus, uint32_t from, uint32_t out, uint32_t latency,
                     float length_mm)
{
    HD_ASSERT(bus < g->nbuses, "there is no bus %u", bus);
    struct graph_bus *b = &g->bus[bus];
    if (b->nwriters++ == 0) {
        graph_connect(g, from, out, b->dst_router, b->dst_in, latency, length_mm);
        b->first = g->router[from].first_out + out;
    }
    struct graph_out *o = b->nwriters == 1 ? &g->out[b->first] : free_out(g, from, out);
    o->dst_router = b->dst_router;
    o->dst_in = b->dst_in;
    o->latency = latency;
    o->length_mm = length_mm;
    o->bus = bus;
    o->medium = b->medium;
    g->in[g->router[b->dst_router].first_in + b->dst_in].medium = b->medium;
}

void graph_set_pipeline(struct graph *g, uint32_t router, struct graph_pipeline p)
{
    HD_ASSERT(p.vc_delay > 0 && p.sw_delay > 0 && p.vc_delay <= 64 && p.sw_delay <= 64 &&
                  p.routing_delay <= 64 && p.st_delay <= 64,
              "router %u allocates in %u and %u cycles", router, p.vc_delay, p.sw_delay);
    p.is_own = true;
    g->router[router].pipeline = p;
}

uint32_t graph_add_station(struct graph *g, struct graph_ring *ring, uint32_t router, uint32_t out,
                           uint32_t in, uint32_t latency, float place)
{
    struct graph_out *o = free_out(g, router, out);
    struct graph_in *i = free_in(g, router, in);
    ring->station = reserve(g->arena, ring->station, ring->nstations, &ring->cap_stations, 1,
                            sizeof *ring->station);
    HD_ASSERT(o->station == GRAPH_NONE && i->station == GRAPH_NONE,
              "router %u has two stations at one port", router);
    HD_ASSERT(place >= 0 && place < 1, "a station at %g of the ring", (double)place);
    o->station = i->station = ring->nstations;
    o->latency = i->latency = latency;
    o->medium = i->medium = ring->medium;
    ring->station[ring->nstations] = (struct graph_station){
        router, g->router[router].first_out + out, g->router[router].first_in + in, place};
    g->ring = ring;
    return ring->nstations++;
}

void graph_fit_ring(struct graph *g, uint32_t flit_bytes)
{
    if (!g->ring)
        return;
    struct graph_ring *r = ARENA_NEW(g->arena, struct graph_ring);
    *r = *g->ring;
    r->flit_bits = 8 * flit_bytes;
    r->slot_cycles = (r->slot_flits * r->flit_bits + r->bits - 1) / r->bits;
    g->ring = r;
}

/* A writer just behind the reader has all the way before it. */
uint32_t graph_ring_past(const struct graph_ring *r, uint32_t reader, uint32_t writer)
{
    float way = r->station[writer].place - r->station[reader].place;
    way = way < 0 ? way + 1 : way;
    uint32_t past = (uint32_t)(way * (float)r->round_trip + 0.5f);
    return past < r->round_trip ? past : r->round_trip - 1;
}

void graph_inject(struct graph *g, uint32_t node, uint32_t router, uint32_t in, uint32_t latency,
                  float length_mm)
{
    HD_ASSERT(router < g->nrouters && in < g->router[router].nin, "router %u has no input %u",
              router, in);
    HD_ASSERT(node < g->nnodes && g->inject[node] == GRAPH_NONE, "node %u injects twice", node);
    struct graph_in *i = &g->in[g->router[router].first_in + in];
    HD_ASSERT(i->src_out == GRAPH_NONE, "input %u of router %u is fed by a router", in, router);
    if (i->src_node == GRAPH_NONE)
        i->src_node = node;
    i->latency = latency;
    i->length_mm = length_mm;
    g->inject[node] = (uint32_t)(i - g->in);
}

void graph_eject(struct graph *g, uint32_t router, uint32_t out, uint32_t node, uint32_t latency,
                 float length_mm)
{
    HD_ASSERT(router < g->nrouters && out < g->router[router].nout, "router %u has no output %u",
              router, out);
    HD_ASSERT(node < g->nnodes && g->eject[node] == GRAPH_NONE, "node %u ejects twice", node);
    struct graph_out *o = &g->out[g->router[router].first_out + out];
    HD_ASSERT(o->dst_router == GRAPH_NONE, "output %u of router %u feeds a router", out, router);
    if (o->dst_node == GRAPH_NONE)
        o->dst_node = node;
    o->latency = latency;
    o->length_mm = length_mm;
    g->eject[node] = (uint32_t)(o - g->out);
}

static uint32_t connected(const uint32_t *port, uint32_t n, uint32_t *nodes)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (port[i] == GRAPH_NONE)
            continue;
        if (nodes)
            nodes[found] = i;
        found++;
    }
    return found;
}

static uint32_t no_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    (void)net, (void)router, (void)out, (void)vclass;
    return 0;
}

uint32_t graph_way(const struct graph *g, uint32_t router, uint32_t in, struct packet p)
{
    const struct route_view view = {.room = no_room};
    for (uint32_t hops = 1;; hops++) {
        struct route to = g->route(&view, g->ctx, router, in, &p);
        const struct graph_out *o = &g->out[g->router[router].first_out + to.out];
        HD_ASSERT(hops <= g->nrouters, "a way to node %u without an end", p.dst);
        if (o->dst_router == GRAPH_NONE)
            return hops;
        router = o->dst_router;
        in = o->dst_in;
    }
}

uint32_t graph_sources(const struct graph *g, uint32_t *nodes)
{
    return connected(g->inject, g->nnodes, nodes);
}

uint32_t graph_sinks(const struct graph *g, uint32_t *nodes)
{
    return connected(g->eject, g->nnodes, nodes);
}
