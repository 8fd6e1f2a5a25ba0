/* ring_build.c - the ring of a network built from its graph, and its statistics. */
#include "noc/ring.h"

STATS_ROWS(ring, RING_STATS)

static void build_class(struct noc *n, struct arena *a, struct ring_class *k)
{
    const struct graph_ring *g = n->graph->ring;
    *k = (struct ring_class){.free = g->read_places,
                             .head = NO_OWNER,
                             .tail = NO_OWNER,
                             .sending = NO_OWNER,
                             .last_vc = 31,
                             .asks = ARENA_ARRAY(a, uint32_t, g->nstations),
                             .served = ARENA_ARRAY(a, bool, g->nstations)};
}

/* How far behind the reader a writer stands. */
static float behind(const struct graph_ring *g, uint32_t reader, uint32_t writer)
{
    float way = g->station[writer].place - g->station[reader].place;
    return way < 0 ? way + 1 : way;
}

static void sort_writers(const struct graph_ring *g, uint32_t reader, uint32_t *order)
{
    uint32_t k = 0;
    for (uint32_t w = 0; w < g->nstations; w++) {
        if (w == reader)
            continue;
        uint32_t at = k++;
        for (; at > 0 && behind(g, reader, order[at - 1]) > behind(g, reader, w); at--)
            order[at] = order[at - 1];
        order[at] = w;
    }
}

static void build_channel(struct noc *n, struct arena *a, uint32_t reader)
{
    const struct graph_ring *g = n->graph->ring;
    struct ring_channel *c = &n->ring->channel[reader];
    c->frame = ARENA_ARRAY(a, struct ring_frame, n->ring->nframes);
    c->cls = ARENA_ARRAY(a, struct ring_class, n->classes);
    c->past = ARENA_ARRAY(a, uint32_t, g->nstations);
    c->order = ARENA_ARRAY(a, uint32_t, g->nstations);
    for (uint32_t k = 0; k < n->classes; k++)
        build_class(n, a, &c->cls[k]);
    for (uint32_t w = 0; w < g->nstations; w++)
        c->past[w] = graph_ring_past(g, reader, w);
    sort_writers(g, reader, c->order);
    for (uint32_t f = 0; f < n->ring->nframes; f++)
        ring_emit(n, &c->frame[f], c); /* tokens were under way before the first cycle */
}

/* Its ejector has buffers, as that of a node with a port, but the port never has room: terminal.c
 * takes nothing from them. */
static void build_station(struct noc *n, struct arena *a, uint32_t i)
{
    struct ring_station *s = &n->ring->station[i];
    uint32_t vcs = (uint32_t)n->spec.vcs, places = n->classes * n->graph->ring->send_places;
    *s = (struct ring_station){.ej = &n->ej[n->nej - n->graph->ring->nstations + i],
                               .inj = &n->inj[n->ninj + i],
                               .place = ARENA_ARRAY(a, struct ring_place, places),
                               .taking = ARENA_ARRAY(a, uint32_t, vcs),
                               .asking = ARENA_ARRAY(a, uint32_t, n->classes),
                               .crowded = ARENA_ARRAY(a, bool, n->classes)};
    s->ej_number = (uint32_t)(s->ej - n->ej);
    for (uint32_t k = 0; k < places; k++)
        s->place[k].packet = PACKET_NONE;
    s->ej->cls = ARENA_ARRAY(a, struct ej_class, n->classes);
    for (uint32_t k = 0; k < n->classes; k++)
        s->ej->cls[k].port = (struct port){.popped_at = HD_NEVER, .writer = &n->c, .reader = &n->c};
    s->ej->vc = ARENA_ARRAY(a, struct ej_vc, vcs);
    for (uint32_t v = 0; v < vcs; v++) {
        s->taking[v] = NO_OWNER;
        s->ej->vc[v].ring = ARENA_ARRAY(a, uint32_t, n->ring_mask + 1);
    }
}

void ring_build(struct noc *n, struct arena *a)
{
    const struct graph_ring *g = n->graph->ring;
    struct ring *r = ARENA_NEW(a, struct ring);
    HD_ASSERT(g->slot_cycles > 0, "%s: the ring's slots have no length", n->c.path);
    n->ring = r;
    r->g = g;
    r->nframes = (g->round_trip + g->slot_cycles - 1) / g->slot_cycles;
    r->period = r->nframes * g->slot_cycles;
    r->nslots = g->nstations * n->classes * g->read_places;
    r->station = ARENA_ARRAY(a, struct ring_station, g->nstations);
    r->channel = ARENA_ARRAY(a, struct ring_channel, g->nstations);
    r->slot = ARENA_ARRAY(a, struct ring_slot, r->nslots);
    for (uint32_t i = 0; i < r->nslots; i++)
        r->slot[i].packet = PACKET_NONE;
    wheel_init(&r->coming, a, g->round_trip + 2, (uint64_t)g->nstations * (g->slot_flits + 1));
    for (uint32_t i = 0; i < g->nstations; i++) {
        build_channel(n, a, i);
        build_station(n, a, i);
    }
}

void ring_settle(struct noc *n, hd_cycle now)
{
    struct ring *r = n->ring;
    uint64_t used = 0, flits = 0;
    for (uint32_t i = 0; i < r->g->nstations; i++) {
        used += r->channel[i].used;
        flits += r->channel[i].flits;
    }
    r->stats.used_slots = used;
    r->stats.flits = flits;
    r->stats.slots = now / r->g->slot_cycles * r->g->nstations;
}

void ring_forget(struct noc *n)
{
    struct ring *r = n->ring;
    r->stats.token_wait = r->stats.flight = r->stats.reader_wait = (struct stat_mean){0};
    r->used_before = 0;
    for (uint32_t i = 0; i < r->g->nstations; i++) {
        r->used_before += r->channel[i].used;
        r->channel[i].flits_before = r->channel[i].flits;
    }
}

void ring_add_stats(const struct noc *n, struct arena *a, struct stats *tree)
{
    stats_add(tree, arena_printf(a, "%s.ring", n->c.path), ring_stat_rows,
              sizeof ring_stat_rows / sizeof ring_stat_rows[0], &n->ring->stats);
}
