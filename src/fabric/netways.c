/* netways.c - see netways.h.
 *
 * Routing functions are asked as a router would ask them, with all queues as full as any other.
 * Where a packet has a choice, one of its ways is taken: others pass the same kinds of parts in the
 * topologies there are. */
#include "fabric/netways.h"

#include <math.h>
#include <string.h>

#define MAX_PAIRS (1u << 24) /* some seconds */

struct walk {
    const struct graph *g;
    const struct netcost *cost;
    double *joules;
};

static void add_router(const struct walk *w, uint32_t router)
{
    uint32_t kind = w->cost->kinds->of_router[router];
    HD_ASSERT(kind != GRAPH_NONE, "a way through router %u, which is not there", router);
    const struct power_router *r = &w->cost->router[kind].cost;
    w->joules[NETCOST_BUFFER] += r->buffer_write + r->buffer_read;
    w->joules[NETCOST_CROSSBAR] += r->crossbar;
    w->joules[NETCOST_ALLOCATOR] += r->switch_1 + r->switch_2 + r->vc_alloc;
}

static void add_link(const struct walk *w, uint32_t kind)
{
    HD_ASSERT(kind != GRAPH_NONE, "a way over a link that is not there");
    w->joules[NETCOST_LINK] += w->cost->link[kind].cost.energy;
}

static uint32_t no_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    (void)net;
    (void)router;
    (void)out;
    (void)vclass;
    return 0;
}

static void walk(const struct walk *w, uint32_t src, uint32_t dst)
{
    static const struct route_view empty = {.room = no_room};
    const struct graph *g = w->g;
    struct packet p = {.src = src, .dst = dst};
    uint32_t in = g->inject[src], router = g->in[in].router;
    add_link(w, w->cost->kinds->of_in[in]);
    while (router != GRAPH_NONE) {
        add_router(w, router);
        uint32_t out = g->router[router].first_out + g->route(&empty, g->ctx, router, 0, &p).out;
        add_link(w, w->cost->kinds->of_out[out]);
        router = g->out[out].dst_router;
    }
}

void netways(const struct netcost *c, const struct graph *g, struct arena *a,
             double joules[NETCOST_PARTS])
{
    uint32_t *src = ARENA_ARRAY(a, uint32_t, g->nnodes), *dst = ARENA_ARRAY(a, uint32_t, g->nnodes);
    uint32_t nsrc = graph_sources(g, src), ndst = graph_sinks(g, dst);
    double pairs = (double)nsrc * ndst;
    struct walk w = {g, c, joules};
    memset(joules, 0, NETCOST_PARTS * sizeof *joules);
    if (g->ideal_latency)
        return;
    for (uint32_t s = 0; pairs <= MAX_PAIRS && s < nsrc; s++)
        for (uint32_t d = 0; d < ndst; d++)
            walk(&w, src[s], dst[d]);
    for (int i = 0; i < NETCOST_PARTS; i++)
        joules[i] = pairs <= MAX_PAIRS ? joules[i] / pairs : (double)NAN;
}
