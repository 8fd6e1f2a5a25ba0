/* kinds.c - routers by ports, links by length and latency. */
#include "noc/kinds.h"

#include <math.h>
#include <stdbool.h>

static bool is_gone(const struct graph_router *r)
{
    return r->count_in == GRAPH_NONE || r->count_out == GRAPH_NONE;
}

static uint32_t router_kind(struct kinds *k, const struct graph_router *r, struct arena *a)
{
    if (is_gone(r))
        return GRAPH_NONE;
    uint32_t in = r->count_in ? r->count_in : r->nin;
    uint32_t out = r->count_out ? r->count_out : r->nout;
    for (uint32_t i = 0; i < k->nrouters; i++)
        if (k->router[i].in == in && k->router[i].out == out) {
            k->router[i].n++;
            return i;
        }
    k->router[k->nrouters] = (struct kind_router){
        .name = arena_printf(a, "router_%ux%u", in, out), .in = in, .out = out, .n = 1};
    return k->nrouters++;
}

/* Lengths are told apart by the micrometre. */
static uint32_t link_kind(struct kinds *k, double length_mm, uint32_t latency, struct arena *a)
{
    double um = round(length_mm * 1e3), mm = um / 1e3;
    for (uint32_t i = 0; i < k->nlinks; i++)
        if (k->link[i].length_mm == mm && k->link[i].latency == latency) {
            k->link[i].n++;
            return i;
        }
    const char *name = latency > 1 ? arena_printf(a, "link_%.0fum_%uc", um, latency)
                                   : arena_printf(a, "link_%.0fum", um);
    k->link[k->nlinks] =
        (struct kind_link){.name = name, .length_mm = mm, .latency = latency, .n = 1};
    return k->nlinks++;
}

struct kinds *kinds_of(const struct graph *g, struct arena *a)
{
    struct kinds *k = ARENA_NEW(a, struct kinds);
    k->router = ARENA_ARRAY(a, struct kind_router, g->nrouters + 1);
    k->link = ARENA_ARRAY(a, struct kind_link, g->nouts + g->nins + 1);
    k->of_router = ARENA_ARRAY(a, uint32_t, g->nrouters + 1);
    k->of_out = ARENA_ARRAY(a, uint32_t, g->nouts + 1);
    k->of_in = ARENA_ARRAY(a, uint32_t, g->nins + 1);
    for (uint32_t r = 0; r < g->nrouters; r++)
        k->of_router[r] = router_kind(k, &g->router[r], a);
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        bool leads = out->dst_router != GRAPH_NONE || out->dst_node != GRAPH_NONE;
        k->of_out[o] = leads ? link_kind(k, out->length_mm, out->latency, a) : GRAPH_NONE;
    }
    for (uint32_t i = 0; i < g->nins; i++) {
        const struct graph_in *in = &g->in[i];
        k->of_in[i] =
            in->src_node != GRAPH_NONE ? link_kind(k, in->length_mm, in->latency, a) : GRAPH_NONE;
    }
    return k;
}
