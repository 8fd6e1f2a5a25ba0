/* ring_rig.c - see ring_rig.h. */
#include "rig/ring_rig.h"

enum { LOCAL, RING, PORTS, FLIT_BYTES = 16 };

static struct route route(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p)
{
    (void)v, (void)ctx, (void)in;
    return (struct route){.out = router == p->dst ? LOCAL : RING, .span = 1};
}

static void launch(const struct route_view *v, const void *ctx, struct packet *p)
{
    (void)v, (void)ctx;
    p->via = (uint16_t)(p->dst + 1);
}

static void leave(const void *ctx, struct packet *p)
{
    (void)ctx;
    p->via = 0;
    p->vclass = 0;
}

const struct graph *ring_rig_graph(struct net_rig *r, struct ring_rig s, const char *settings)
{
    net_rig_begin(r, settings);
    struct graph *g = graph_new(r->arena, s.nodes);
    struct graph_ring *ring = ARENA_NEW(r->arena, struct graph_ring);
    *ring = (struct graph_ring){.medium = MEDIUM_OPTICAL,
                                .round_trip = s.round_trip,
                                .bits = s.flits_per_cycle * FLIT_BYTES * 8,
                                .bits_per_wavelength = 5,
                                .slot_flits = s.slot_flits,
                                .send_places = s.send_places,
                                .read_places = s.read_places,
                                .queue_high = 3,
                                .queue_low = 1,
                                .stores = s.stores,
                                .is_fair = s.is_fair};
    for (uint32_t i = 0; i < s.nodes; i++) {
        graph_add_router(g, PORTS, PORTS, (float)i / (float)s.nodes, 0.5f);
        graph_inject(g, i, i, LOCAL, 1, 1);
        graph_eject(g, i, LOCAL, i, 1, 1);
        graph_add_station(g, ring, i, RING, RING, 1, (float)i / (float)s.nodes);
    }
    g->route = route;
    g->launch = launch;
    g->leave = leave;
    graph_fit_ring(g, FLIT_BYTES);
    return g;
}

uint64_t ring_rig_latency(const struct ring_rig *s, uint32_t src, uint32_t dst, uint32_t flits)
{
    const uint64_t into = 2, router = 4, port = 1, out = 1;
    uint64_t light = (dst + s->nodes - src) % s->nodes * s->round_trip / s->nodes;
    uint64_t whole = s->stores ? flits - 1 : 0; /* until all of it is at the station */
    return into + router + port + whole + light + 1 + (1 + port) + router + out + flits - 1;
}
