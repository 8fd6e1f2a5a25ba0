/* kinds.c - routers by ports, links by length, latency, medium and writers. */
#include "noc/kinds.h"

#include <math.h>
#include <stdbool.h>

static bool is_gone(const struct graph_router *r)
{
    return r->count_in == GRAPH_NONE || r->count_out == GRAPH_NONE;
}

static uint32_t router_kind(struct kinds *k, const struct graph_router *r, struct arena *a)
{
    static const char *const what[] = {
        [STORE_BUFFERS] = "router", [STORE_NOTHING] = "switch", [STORE_AT_END] = "end"};
    if (is_gone(r))
        return GRAPH_NONE;
    uint32_t in = r->count_in ? r->count_in : r->nin;
    uint32_t out = r->count_out ? r->count_out : r->nout;
    for (uint32_t i = 0; i < k->nrouters; i++)
        if (k->router[i].in == in && k->router[i].out == out && k->router[i].store == r->store) {
            k->router[i].n++;
            return i;
        }
    k->router[k->nrouters] =
        (struct kind_router){.name = arena_printf(a, "%s_%ux%u", what[r->store], in, out),
                             .in = in,
                             .out = out,
                             .store = r->store,
                             .n = 1};
    return k->nrouters++;
}

static const char *link_name(const struct kind_link *l, struct arena *a)
{
    const char *what = l->medium == MEDIUM_OPTICAL ? "optical" : l->writers > 1 ? "bus" : "link";
    const char *name = arena_printf(a, "%s_%.0fum", what, l->length_mm * 1e3);
    if (l->latency != 1)
        name = arena_printf(a, "%s_%uc", name, l->latency);
    return l->writers > 1 ? arena_printf(a, "%s_%uw", name, l->writers) : name;
}

/* Lengths are told apart by the micrometre. */
static uint32_t link_kind(struct kinds *k, struct kind_link l, struct arena *a)
{
    l.length_mm = round(l.length_mm * 1e3) / 1e3;
    for (uint32_t i = 0; i < k->nlinks; i++) {
        struct kind_link *m = &k->link[i];
        if (m->length_mm == l.length_mm && m->latency == l.latency && m->medium == l.medium &&
            m->writers == l.writers && m->ring == l.ring) {
            m->n++;
            return i;
        }
    }
    l.name = link_name(&l, a);
    l.n = 1;
    k->link[k->nlinks] = l;
    return k->nlinks++;
}

/* A bus is one link, as long as its longest way. */
static struct kind_link bus_link(const struct graph *g, uint32_t bus)
{
    struct kind_link l = {.medium = g->bus[bus].medium, .writers = g->bus[bus].nwriters};
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        if (out->bus != bus)
            continue;
        l.length_mm = out->length_mm > l.length_mm ? out->length_mm : l.length_mm;
        l.latency = out->latency > l.latency ? out->latency : l.latency;
    }
    return l;
}

static uint32_t out_kind(struct kinds *k, const struct graph *g, uint32_t o, struct arena *a)
{
    const struct graph_out *out = &g->out[o];
    if (out->dst_router == GRAPH_NONE && out->dst_node == GRAPH_NONE)
        return GRAPH_NONE;
    if (out->bus == GRAPH_NONE)
        return link_kind(k,
                         (struct kind_link){.length_mm = out->length_mm,
                                            .latency = out->latency,
                                            .medium = out->medium,
                                            .writers = 1},
                         a);
    uint32_t first = g->bus[out->bus].first;
    return first == o ? link_kind(k, bus_link(g, out->bus), a) : GRAPH_NONE;
}

/* One channel per station, all the way round. */
static uint32_t ring_kind(struct kinds *k, const struct graph_ring *r, struct arena *a)
{
    uint32_t kind = link_kind(k,
                              (struct kind_link){.length_mm = (double)r->length_mm,
                                                 .latency = r->round_trip,
                                                 .medium = r->medium,
                                                 .writers = r->nstations - 1,
                                                 .ring = r},
                              a);
    k->link[kind].n = r->nstations;
    return kind;
}

struct kinds *kinds_of(const struct graph *g, struct arena *a)
{
    struct kinds *k = ARENA_NEW(a, struct kinds);
    k->router = ARENA_ARRAY(a, struct kind_router, g->nrouters + 1);
    k->link = ARENA_ARRAY(a, struct kind_link, g->nouts + g->nins + 2);
    k->of_router = ARENA_ARRAY(a, uint32_t, g->nrouters + 1);
    k->of_out = ARENA_ARRAY(a, uint32_t, g->nouts + 1);
    k->of_in = ARENA_ARRAY(a, uint32_t, g->nins + 1);
    for (uint32_t r = 0; r < g->nrouters; r++)
        k->of_router[r] = router_kind(k, &g->router[r], a);
    for (uint32_t o = 0; o < g->nouts; o++)
        k->of_out[o] = out_kind(k, g, o, a);
    for (uint32_t o = 0; o < g->nouts; o++)
        if (g->out[o].bus != GRAPH_NONE)
            k->of_out[o] = k->of_out[g->bus[g->out[o].bus].first];
    for (uint32_t i = 0; i < g->nins; i++) {
        const struct graph_in *in = &g->in[i];
        const struct kind_link l = {
            .length_mm = in->length_mm, .latency = in->latency, .medium = in->medium, .writers = 1};
        k->of_in[i] = in->src_node != GRAPH_NONE ? link_kind(k, l, a) : GRAPH_NONE;
    }
    k->of_ring = g->ring ? ring_kind(k, g->ring, a) : GRAPH_NONE;
    return k;
}
