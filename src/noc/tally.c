/* tally.c - flits by kind of router and of link, for the statistics that energy is made of.
 *
 * Channels count their flits anyway; here they are summed by kind when somebody wants to read
 * them, so that nothing is added to a cycle. */
#include "noc/kinds.h"
#include "noc/net_priv.h"
#include "noc/ring.h"

#define ROUTER_KIND_STATS(S, id) S(id, COUNTER, flits, "flit", "that left routers of this size")
STATS_STRUCT(router_kind, ROUTER_KIND_STATS)
STATS_ROWS(router_kind, ROUTER_KIND_STATS)

#define LINK_KIND_STATS(S, id) S(id, COUNTER, flits, "flit", "that were sent over such links")
STATS_STRUCT(link_kind, LINK_KIND_STATS)
STATS_ROWS(link_kind, LINK_KIND_STATS)

struct tally {
    const struct kinds *kinds;
    struct router_kind_stats *router;
    struct link_kind_stats *link;
};

struct tally *tally_new(const struct graph *g, struct arena *a)
{
    struct tally *t = ARENA_NEW(a, struct tally);
    t->kinds = kinds_of(g, a);
    t->router = ARENA_ARRAY(a, struct router_kind_stats, t->kinds->nrouters + 1);
    t->link = ARENA_ARRAY(a, struct link_kind_stats, t->kinds->nlinks + 1);
    return t;
}

static void clear(const struct tally *t)
{
    for (uint32_t i = 0; i < t->kinds->nrouters; i++)
        t->router[i].flits = 0;
    for (uint32_t i = 0; i < t->kinds->nlinks; i++)
        t->link[i].flits = 0;
}

void tally_take(const struct noc *n)
{
    const struct tally *t = n->tally;
    const struct graph *g = n->graph;
    clear(t);
    for (uint32_t o = 0; o < n->nouts; o++) {
        uint32_t router = t->kinds->of_router[g->out[o].router], link = t->kinds->of_out[o];
        if (router != GRAPH_NONE)
            t->router[router].flits += n->oport[o].flits;
        if (link != GRAPH_NONE)
            t->link[link].flits += n->oport[o].flits;
    }
    for (uint32_t i = 0; i < ring_stations(g); i++)
        t->link[t->kinds->of_ring].flits += n->ring->channel[i].flits;
    for (uint32_t i = 0; i < g->nins; i++)
        if (t->kinds->of_in[i] != GRAPH_NONE)
            t->link[t->kinds->of_in[i]].flits +=
                n->oport[n->inj[n->inj_of_node[g->in[i].src_node]].oport].flits;
}

void tally_add_stats(const struct noc *n, struct arena *a, struct stats *tree)
{
    const struct tally *t = n->tally;
    tally_take(n);
    for (uint32_t i = 0; i < t->kinds->nrouters; i++)
        stats_add(tree, arena_printf(a, "%s.%s", n->c.path, t->kinds->router[i].name),
                  router_kind_stat_rows, 1, &t->router[i]);
    for (uint32_t i = 0; i < t->kinds->nlinks; i++)
        stats_add(tree, arena_printf(a, "%s.%s", n->c.path, t->kinds->link[i].name),
                  link_kind_stat_rows, 1, &t->link[i]);
}
