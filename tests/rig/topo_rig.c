/* topo_rig.c - one graph on the bench. */
#include "rig/topo_rig.h"

#include <stdio.h>
#include <string.h>

static uint32_t room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    const struct topo_rig *r = net;
    (void)router;
    (void)vclass;
    return r->room[out % 8192];
}

bool topo_rig_open(struct topo_rig *r, const char *topology, const char *settings)
{
    *r = (struct topo_rig){.arena = arena_new(), .topology = topology_find(topology)};
    r->view = (struct route_view){.net = r, .room = room, .key = 7};
    const struct cfg_section **sections =
        ARENA_ARRAY(r->arena, const struct cfg_section *, topology_count);
    int n = 0;
    for (int i = 0; i < topology_count; i++)
        n = config_add_section(sections, n, topology_count, topology_all[i]->section);
    r->cfg = config_new(r->arena, sections, n);
    char *rest = arena_strdup(r->arena, settings);
    for (char *s = strtok_r(rest, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        if (!config_set(r->cfg, s, &r->err))
            return false;
    return r->topology->nodes(r->cfg, r->arena, &r->nodes, &r->err);
}

struct graph *topo_rig_build(struct topo_rig *r, enum direction dir)
{
    return r->topology->build(r->cfg, dir, &r->nodes, r->arena, &r->err);
}

void topo_rig_close(struct topo_rig *r)
{
    arena_free(r->arena);
}

const char *topo_rig_refusal(struct topo_rig *r, const char *topology, const char *settings,
                             enum direction dir)
{
    bool refused = !topo_rig_open(r, topology, settings) || !topo_rig_build(r, dir);
    topo_rig_close(r);
    return refused ? r->err.text : "not refused";
}

static uint32_t owner_of_in(const struct graph *g, uint32_t in)
{
    for (uint32_t r = 0; r < g->nrouters; r++)
        if (in < g->router[r].first_in + g->router[r].nin)
            return r;
    return GRAPH_NONE;
}

struct route topo_rig_first_route(struct topo_rig *r, const struct graph *g, struct packet *p)
{
    if (g->launch)
        g->launch(&r->view, g->ctx, p);
    uint32_t router = owner_of_in(g, g->inject[p->src]);
    return g->route(&r->view, g->ctx, router, g->inject[p->src] - g->router[router].first_in, p);
}

bool topo_rig_is_wired(const struct graph *g)
{
    for (uint32_t o = 0; o < g->nouts; o++) {
        const struct graph_out *out = &g->out[o];
        if (out->dst_router == GRAPH_NONE)
            continue;
        const struct graph_router *to = &g->router[out->dst_router];
        uint32_t known = out->bus == GRAPH_NONE ? o : g->bus[out->bus].first;
        if (out->dst_node != GRAPH_NONE || out->dst_in >= to->nin ||
            g->in[to->first_in + out->dst_in].src_out != known)
            return false;
    }
    for (uint32_t i = 0; i < g->nins; i++) {
        uint32_t o = g->in[i].src_out;
        if (o != GRAPH_NONE &&
            (g->in[i].src_node != GRAPH_NONE || g->out[o].dst_router != owner_of_in(g, i)))
            return false;
    }
    for (uint32_t n = 0; n < g->nnodes; n++) {
        if (g->inject[n] != GRAPH_NONE && g->in[g->inject[n]].src_node > n)
            return false;
        if (g->eject[n] != GRAPH_NONE && g->out[g->eject[n]].dst_node > n)
            return false;
    }
    return true;
}

/* Where the packet ends when it takes port `pick` of every span: number of routers, or 0. */
static uint32_t follow(struct topo_rig *r, const struct graph *g, struct packet *p, uint32_t pick)
{
    uint32_t in = g->inject[p->src], router = owner_of_in(g, in);
    in -= g->router[router].first_in;
    for (uint32_t hops = 1; hops <= g->nrouters; hops++) {
        struct route step = g->route(&r->view, g->ctx, router, in, p);
        uint32_t at = step.out + (step.span > 1 ? pick % step.span : 0);
        if (step.span == 0 || step.vclass >= g->subclasses + g->has_end_class ||
            at >= g->router[router].nout)
            return 0;
        uint32_t o = g->router[router].first_out + at;
        if (g->out[o].station != GRAPH_NONE) {
            in = g->ring->station[p->via - 1u].in;
            router = owner_of_in(g, in);
            in -= g->router[router].first_in;
            g->leave(g->ctx, p);
            continue;
        }
        if (g->out[o].dst_router == GRAPH_NONE)
            return g->eject[p->dst] == o ? hops : 0;
        in = g->out[o].dst_in;
        router = g->out[o].dst_router;
    }
    return 0;
}

static uint64_t lost_between(struct topo_rig *r, const struct graph *g, uint32_t src, uint32_t dst,
                             uint32_t serials)
{
    uint64_t lost = 0;
    for (uint32_t i = 0; i < serials; i++) {
        struct packet p = {.src = src, .dst = dst, .serial = i, .flits = 1};
        if (g->launch)
            g->launch(&r->view, g->ctx, &p);
        uint32_t hops = follow(r, g, &p, i);
        lost += hops == 0 || hops != g->hops(g->ctx, src, dst);
    }
    return lost;
}

uint64_t topo_rig_lost(struct topo_rig *r, const struct graph *g, uint32_t serials)
{
    uint64_t lost = 0;
    for (uint32_t src = 0; src < g->nnodes; src++)
        for (uint32_t dst = 0; dst < g->nnodes; dst++)
            if (g->inject[src] != GRAPH_NONE && g->eject[dst] != GRAPH_NONE)
                lost += lost_between(r, g, src, dst, serials);
    return lost;
}
