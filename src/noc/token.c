/* token.c - see token.h.
 *
 * A booking takes the first departure at which every channel of the way is free for as many cycles
 * as the packet has flits; channels keep the cycles in which they are taken.  The last router of a
 * way has a buffer at each input, from which it sends one packet after the other to its node.
 *
 * Turns are round robin, one booking per token and cycle.  A packet for which its buffer has no
 * room draws a ticket there, and tickets are served in their order: so a packet is passed by at
 * most every other member of its token once, not counting the time in which its buffer is full. */
#include "noc/token.h"

#include <stdio.h>
#include <string.h>

#include "sim/waitgraph.h"

#define AHEAD 1024u /* cycles; a power of two */

struct stretch {
    uint32_t port;  /* channel: output port, or injection after those */
    uint32_t after; /* cycles from the departure to when a flit is on it */
};

struct way {
    uint32_t first, n; /* stretches */
    uint32_t inbox;    /* input port of the graph that it ends at */
    uint32_t time;     /* from the departure to the arrival there */
    uint32_t hops;
};

struct coming {
    uint32_t packet;
    uint32_t left; /* flits that are not sent on */
    hd_cycle at;   /* when the first of them can be */
};

/* A buffer at the end of ways.  Packets are in the order of their arrival. */
struct inbox {
    struct coming *queue;
    uint32_t mask, head, count;
    uint32_t free; /* flits */
    uint32_t tickets, serving;
};

struct sender {
    hd_cycle until; /* its last flit has left */
    uint32_t ticket;
    bool has_ticket;
    uint32_t passed; /* bookings of others that it had to let pass */
};

struct ring { /* the members of a token */
    uint32_t first, n, turn;
};

struct drain {         /* of a last router */
    uint32_t first, n; /* inboxes */
    uint32_t turn;
    bool is_midway; /* in a packet of inbox `turn` */
    uint32_t latency;
};

struct token {
    struct ring *ring;
    uint32_t nrings;
    uint32_t *member; /* injectors, ring by ring */
    struct sender *sender;
    struct way *way; /* [injector * nnodes + destination] */
    struct stretch *stretch;
    struct inbox *inbox; /* by input port */
    struct drain *drain; /* by ejector */
    uint64_t *taken;     /* [port * AHEAD + cycle % AHEAD]: that cycle + 1 */
    uint32_t slots;
    uint64_t inside; /* packets */
};

/* ---- ways ---- */

static uint32_t no_room(const void *net, uint32_t router, uint32_t out, uint32_t vclass)
{
    (void)net, (void)router, (void)out, (void)vclass;
    return 0;
}

/* The output that a packet takes at the router of input `in`. */
static uint32_t next_out(const struct graph *g, uint32_t in, uint32_t src, uint32_t dst)
{
    static const struct route_view view = {.room = no_room};
    struct packet p = {.src = src, .dst = dst};
    uint32_t id = g->in[in].router;
    return g->router[id].first_out +
           g->route(&view, g->ctx, id, in - g->router[id].first_in, &p).out;
}

uint64_t token_way(const struct graph *g, uint32_t src, uint32_t dst)
{
    uint32_t in = g->inject[src];
    uint64_t time = g->in[in].latency;
    for (;;) {
        const struct graph_out *o = &g->out[next_out(g, in, src, dst)];
        time += o->latency;
        if (o->dst_router == GRAPH_NONE)
            return time;
        in = g->router[o->dst_router].first_in + o->dst_in;
    }
}

static void find_way(const struct noc *n, struct way *w, uint32_t j, uint32_t dst, uint32_t *used)
{
    const struct graph *g = n->graph;
    struct token *k = n->token;
    uint32_t src = n->inj_nodes[n->inj[j].first_node], in = g->inject[src];
    *w = (struct way){.first = *used, .time = g->in[in].latency, .hops = 1};
    k->stretch[(*used)++] = (struct stretch){n->inj[j].oport, 0};
    for (;;) {
        uint32_t o = next_out(g, in, src, dst);
        if (g->out[o].dst_router == GRAPH_NONE)
            break;
        k->stretch[(*used)++] = (struct stretch){o, w->time};
        w->time += g->out[o].latency;
        w->hops++;
        in = g->router[g->out[o].dst_router].first_in + g->out[o].dst_in;
    }
    w->n = *used - w->first;
    w->inbox = in;
    HD_ASSERT(w->time < AHEAD / 2, "%s: a way of %u cycles", n->c.path, w->time);
}

static uint32_t stretches_of(const struct noc *n, uint32_t j, uint32_t dst)
{
    const struct graph *g = n->graph;
    uint32_t src = n->inj_nodes[n->inj[j].first_node], in = g->inject[src], count = 1;
    for (;; count++) {
        const struct graph_out *o = &g->out[next_out(g, in, src, dst)];
        if (o->dst_router == GRAPH_NONE)
            return count;
        in = g->router[o->dst_router].first_in + o->dst_in;
    }
}

static void build_ways(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    uint32_t total = 0, used = 0;
    for (uint32_t j = 0; j < n->ninj; j++)
        for (uint32_t d = 0; d < g->nnodes; d++)
            total += g->eject[d] != GRAPH_NONE ? stretches_of(n, j, d) : 0;
    n->token->stretch = ARENA_ARRAY(a, struct stretch, total + 1);
    n->token->way = ARENA_ARRAY(a, struct way, (uint64_t)n->ninj * g->nnodes + 1);
    for (uint32_t j = 0; j < n->ninj; j++)
        for (uint32_t d = 0; d < g->nnodes; d++)
            if (g->eject[d] != GRAPH_NONE)
                find_way(n, &n->token->way[(uint64_t)j * g->nnodes + d], j, d, &used);
}

/* ---- building ---- */

static void build_rings(struct noc *n, struct arena *a)
{
    const struct graph_tokens *t = n->graph->tokens;
    struct token *k = n->token;
    uint32_t placed = 0;
    k->nrings = t->ntokens;
    k->ring = ARENA_ARRAY(a, struct ring, k->nrings);
    k->member = ARENA_ARRAY(a, uint32_t, n->ninj + 1);
    for (uint32_t r = 0; r < k->nrings; r++) {
        k->ring[r].first = placed;
        for (uint32_t j = 0; j < n->ninj; j++)
            if (t->token_of[n->inj_nodes[n->inj[j].first_node]] == r)
                k->member[placed++] = j;
        k->ring[r].n = placed - k->ring[r].first;
    }
    HD_ASSERT(placed == n->ninj, "%s: %u of %u senders have a token", n->c.path, placed, n->ninj);
}

static void build_inboxes(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    struct token *k = n->token;
    uint32_t size = 1;
    while (size < k->slots)
        size *= 2;
    k->inbox = ARENA_ARRAY(a, struct inbox, n->nins + 1);
    k->drain = ARENA_ARRAY(a, struct drain, n->nej + 1);
    for (uint32_t node = 0; node < g->nnodes; node++) {
        if (g->eject[node] == GRAPH_NONE)
            continue;
        const struct graph_out *o = &g->out[g->eject[node]];
        const struct graph_router *r = &g->router[o->router];
        k->drain[n->ej_of_node[node]] =
            (struct drain){.first = r->first_in, .n = r->nin, .latency = o->latency};
        for (uint32_t i = r->first_in; i < r->first_in + r->nin; i++)
            k->inbox[i] = (struct inbox){
                .queue = ARENA_ARRAY(a, struct coming, size), .mask = size - 1, .free = k->slots};
    }
}

void token_build(struct noc *n, struct arena *a)
{
    struct token *k = n->token = ARENA_NEW(a, struct token);
    HD_ASSERT(n->classes == 1, "%s: %u message classes by token", n->c.path, n->classes);
    k->slots = n->graph->tokens->slots;
    k->sender = ARENA_ARRAY(a, struct sender, n->ninj + 1);
    k->taken = ARENA_ARRAY(a, uint64_t, (uint64_t)(n->nouts + n->ninj + 1) * AHEAD);
    build_rings(n, a);
    build_inboxes(n, a);
    build_ways(n, a);
}

/* ---- booking ---- */

/* Cycles by which a departure at `at` has to be put off: a taken cycle that meets flit f meets the
 * flits before it when the packet leaves up to f cycles later. */
static uint32_t conflict(const struct token *k, const struct way *w, hd_cycle at, uint32_t flits)
{
    for (uint32_t i = w->first; i < w->first + w->n; i++) {
        const uint64_t *taken = k->taken + (uint64_t)k->stretch[i].port * AHEAD;
        for (uint32_t f = flits; f-- > 0;) {
            hd_cycle on = at + k->stretch[i].after + f;
            if (taken[on % AHEAD] == on + 1)
                return f + 1;
        }
    }
    return 0;
}

static void take_channels(struct noc *n, const struct way *w, hd_cycle at, uint32_t flits)
{
    struct token *k = n->token;
    for (uint32_t i = w->first; i < w->first + w->n; i++) {
        uint64_t *taken = k->taken + (uint64_t)k->stretch[i].port * AHEAD;
        for (uint32_t f = 0; f < flits; f++) {
            hd_cycle on = at + k->stretch[i].after + f;
            HD_ASSERT(taken[on % AHEAD] != on + 1, "%s: two flits on channel %u in cycle %llu",
                      n->c.path, k->stretch[i].port, (unsigned long long)on);
            taken[on % AHEAD] = on + 1;
        }
        n->oport[k->stretch[i].port].flits += flits;
    }
}

static void expect(struct inbox *l, struct coming c)
{
    uint32_t i = l->head + l->count++;
    HD_ASSERT(l->count <= l->mask + 1, "a buffer expects %u packets", l->count);
    for (; i != l->head && l->queue[(i - 1) & l->mask].at > c.at; i--)
        l->queue[i & l->mask] = l->queue[(i - 1) & l->mask];
    l->queue[i & l->mask] = c;
}

static const struct way *way_of(const struct noc *n, uint32_t j, const struct packet *p)
{
    return &n->token->way[(uint64_t)j * n->graph->nnodes + p->dst];
}

static void book(struct noc *n, uint32_t j)
{
    struct token *k = n->token;
    struct sender *s = &k->sender[j];
    uint32_t id = (uint32_t)port_pop(&n->ports[n->inj_nodes[n->inj[j].first_node]], n->now);
    struct packet *p = &n->pool->at[id];
    const struct way *w = way_of(n, j, p);
    struct inbox *l = &k->inbox[w->inbox];
    hd_cycle at = n->now + n->graph->tokens->delay;
    for (uint32_t later; (later = conflict(k, w, at, p->flits)) > 0;)
        at += later;
    HD_ASSERT(at + w->time + p->flits < n->now + AHEAD, "%s: booked %llu cycles ahead", n->c.path,
              (unsigned long long)(at - n->now));
    take_channels(n, w, at, p->flits);
    uint32_t out = k->drain[n->ej_of_node[p->dst]].latency;
    expect(l, (struct coming){.packet = id, .left = p->flits, .at = at + w->time + out});
    l->free -= p->flits;
    l->serving += s->has_ticket;
    *s = (struct sender){.until = at + p->flits};
    p->entered = at;
    p->hops = (uint16_t)w->hops;
    k->inside++;
    n->stats.packets_in++;
    n->stats.flits_in += p->flits;
}

static bool wants(const struct noc *n, uint32_t j)
{
    return test_bit(n->inj_active, j) &&
           port_has(&n->ports[n->inj_nodes[n->inj[j].first_node]], n->now) &&
           n->token->sender[j].until <= n->now + n->graph->tokens->delay;
}

/* Whether the packet of a member that has the token has room at its end; else it has a ticket. */
static bool may_book(struct noc *n, const struct ring *r, uint32_t j)
{
    struct token *k = n->token;
    struct sender *s = &k->sender[j];
    const struct port *port = &n->ports[n->inj_nodes[n->inj[j].first_node]];
    const struct packet *p = &n->pool->at[port_peek(port)];
    struct inbox *l = &k->inbox[way_of(n, j, p)->inbox];
    HD_ASSERT(p->flits <= k->slots, "%s: a packet of %u flits, and buffers of %u", n->c.path,
              p->flits, k->slots);
    if (s->has_ticket)
        return s->ticket == l->serving && l->free >= p->flits;
    if (l->tickets == l->serving && l->free >= p->flits)
        return true;
    HD_ASSERT(l->tickets - l->serving < r->n, "%s: %u tickets of %u senders", n->c.path,
              l->tickets - l->serving + 1, r->n);
    *s = (struct sender){.until = s->until, .has_ticket = true, .ticket = l->tickets++};
    return false;
}

/* Nobody is passed more often than there are others. */
static void count_passed(struct noc *n, const struct ring *r, uint32_t winner)
{
    struct token *k = n->token;
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t j = k->member[r->first + i];
        if (j == winner || k->sender[j].has_ticket || !wants(n, j))
            continue;
        k->sender[j].passed++;
        HD_ASSERT(k->sender[j].passed < r->n, "%s: sender %u was passed %u times", n->c.path, j,
                  k->sender[j].passed);
    }
}

static void turn(struct noc *n, struct ring *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = (r->turn + i) % r->n, j = n->token->member[r->first + at];
        if (!wants(n, j) || !may_book(n, r, j))
            continue;
        book(n, j);
        count_passed(n, r, j);
        r->turn = (at + 1) % r->n;
        return;
    }
}

static void forget_empty(struct noc *n)
{
    for (uint32_t w = 0; w < n->inj_words; w++)
        for (uint64_t m = n->inj_active[w]; m; m &= m - 1) {
            uint32_t j = w << 6 | (uint32_t)__builtin_ctzll(m);
            const struct port *p = &n->ports[n->inj_nodes[n->inj[j].first_node]];
            if (!port_has(p, n->now))
                clear_bit(n->inj_active, j);
        }
}

/* ---- the end of the way ---- */

static bool can_begin(struct noc *n, struct ejector *ej, const struct inbox *l)
{
    return l->count > 0 && l->queue[l->head & l->mask].at <= n->now &&
           (!ej->cls || port_can_push(&ej->cls[0].port, n->now));
}

static void send_on(struct noc *n, struct ejector *ej, struct drain *d)
{
    struct inbox *l = &n->token->inbox[d->first + d->turn];
    struct coming *c = &l->queue[l->head & l->mask];
    HD_ASSERT(c->at <= n->now, "%s: a flit is late by %llu cycles", n->c.path,
              (unsigned long long)(c->at - n->now));
    c->at++;
    c->left--;
    l->free++;
    n->stats.flits_out++;
    n->oport[n->graph->eject[n->pool->at[c->packet].dst]].flits++;
    d->is_midway = c->left > 0;
    if (d->is_midway)
        return;
    uint32_t id = c->packet;
    l->head++;
    l->count--;
    d->turn = d->turn + 1 < d->n ? d->turn + 1 : 0;
    n->token->inside--;
    terminal_deliver(n, ej, id);
}

/* One flit, of the packet that is on its way or of the next buffer that has one. */
static void drain(struct noc *n, uint32_t j)
{
    struct drain *d = &n->token->drain[j];
    struct ejector *ej = &n->ej[j];
    for (uint32_t i = 0; i < d->n && !d->is_midway; i++) {
        uint32_t at = (d->turn + i) % d->n;
        if (can_begin(n, ej, &n->token->inbox[d->first + at])) {
            d->turn = at;
            d->is_midway = true;
        }
    }
    if (d->is_midway)
        send_on(n, ej, d);
}

void token_tick(struct noc *n)
{
    for (uint32_t r = 0; r < n->token->nrings; r++)
        turn(n, &n->token->ring[r]);
    forget_empty(n);
    for (uint32_t j = 0; j < n->nej && n->token->inside > 0; j++)
        drain(n, j);
    memset(n->ej_active, 0, sizeof *n->ej_active * n->ej_words); /* all were looked at */
}

bool token_is_idle(const struct noc *n)
{
    return n->token->inside == 0;
}

/* ---- checks ---- */

bool token_audit(const struct noc *n, struct err *e)
{
    const struct token *k = n->token;
    uint64_t flits = 0;
    for (uint32_t i = 0; i < n->nins; i++) {
        const struct inbox *l = &k->inbox[i];
        uint32_t held = 0;
        for (uint32_t q = 0; q < l->count; q++)
            held += l->queue[(l->head + q) & l->mask].left;
        flits += held;
        if (l->queue && held + l->free != k->slots)
            return err_set(e, STATUS_FAILED,
                           "%s cycle %llu: buffer at input %u: %u flits and %u free are not %u",
                           n->c.path, (unsigned long long)n->now, i, held, l->free, k->slots);
    }
    if (n->stats.flits_in != n->stats.flits_out + flits)
        return err_set(e, STATUS_FAILED, "%s cycle %llu: %llu flits in, %llu out, %llu inside",
                       n->c.path, (unsigned long long)n->now, (unsigned long long)n->stats.flits_in,
                       (unsigned long long)n->stats.flits_out, (unsigned long long)flits);
    return true;
}

/* Senders wait for the end of their way, ends for who reads there. */
void token_waits(const struct noc *n, struct waitgraph *g)
{
    const struct token *k = n->token;
    char label[64];
    for (uint32_t j = 0; j < n->ninj; j++) {
        const struct port *port = &n->ports[n->inj_nodes[n->inj[j].first_node]];
        bool waits = k->sender[j].has_ticket;
        uint64_t at = noc_inject_vertex(n, n->inj_nodes[n->inj[j].first_node]);
        snprintf(label, sizeof label, "injection of node %u", n->inj_nodes[n->inj[j].first_node]);
        waitgraph_vertex(g, &n->c, at, !waits, label);
        if (waits)
            waitgraph_edge(g, &n->c, at, &n->c,
                           n->nivcs + (uint64_t)n->ninj +
                               n->ej_of_node[n->pool->at[port_peek(port)].dst]);
    }
    for (uint32_t j = 0; j < n->nej; j++) {
        const struct ejector *ej = &n->ej[j];
        uint64_t at = n->nivcs + (uint64_t)n->ninj + j;
        bool moves = !ej->cls || port_held(&ej->cls[0].port) < port_depth(&ej->cls[0].port);
        snprintf(label, sizeof label, "ejection %u", j);
        waitgraph_vertex(g, &n->c, at, moves, label);
        if (ej->cls)
            waitgraph_edge(g, &n->c, at, ej->cls[0].port.reader, ej->cls[0].port.reader_slot);
    }
}
