/* terminal.c - the ends of a network: injection, ejection, and the ideal network between them.
 *
 * An injector sends one flit per cycle into its router, a packet at a time per message class,
 * classes and nodes in turn; the VC is the next one of the packet's class that has a credit.
 * An ejector takes one flit per cycle.  Without a port the network is the sink and the credit
 * goes back at once.  With a port, a packet needs a slot in it before its head is taken off the
 * VC buffer; until then its flits stay there and hold their credits, which is how a slow
 * endpoint pushes back. */
#include "base/rng.h"
#include "noc/aside.h"
#include "noc/net_priv.h"
#include "noc/ring.h"

static struct port *node_port(struct noc *n, uint32_t node, uint32_t cls)
{
    return &n->ports[(uint64_t)node * n->classes + cls];
}

/* The node whose turn it is among those with a packet of this class, or NO_OWNER. */
static uint32_t next_sender(struct noc *n, const struct injector *inj, uint32_t cls)
{
    const struct sending *s = &inj->send[cls];
    for (uint32_t k = 0; k < inj->nnodes; k++) {
        uint32_t j = s->turn + k < inj->nnodes ? s->turn + k : s->turn + k - inj->nnodes;
        if (port_has(node_port(n, n->inj_nodes[inj->first_node + j], cls), n->now))
            return j;
    }
    return NO_OWNER;
}

/* Takes the next packet of the class if a VC has room for its head. */
static bool begin_sending(struct noc *n, struct injector *inj, uint32_t cls, bool *wants)
{
    struct sending *s = &inj->send[cls];
    uint32_t j = next_sender(n, inj, cls);
    if (j == NO_OWNER)
        return false;
    *wants = true;
    struct port *port = node_port(n, n->inj_nodes[inj->first_node + j], cls);
    uint32_t id = (uint32_t)port_peek(port);
    struct packet *p = &n->pool->at[id];
    p->vclass = 0;
    if (n->graph->launch)
        n->graph->launch(&n->view, n->graph->ctx, p);
    uint32_t vclass = p->msgclass * n->subclasses + p->vclass;
    uint32_t vcs = n->oport[inj->oport].free & n->class_vcs[vclass];
    if (!vcs)
        return false;
    port_pop(port, n->now);
    s->packet = id;
    s->left = p->flits;
    s->vc = s->last_vc = (uint8_t)next_bit32(vcs, s->last_vc + 1u);
    s->turn = j + 1 == inj->nnodes ? 0 : j + 1;
    p->entered = n->now;
    n->stats.packets_in++;
    return true;
}

static void send_flit(struct noc *n, struct injector *inj, struct sending *s)
{
    struct oport *op = &n->oport[inj->oport];
    struct ovc *ov = &n->ovc[inj->oport << n->vc_shift | s->vc];
    uint32_t flit = s->packet;
    if (--ov->credits == 0)
        op->free &= ~(1u << s->vc);
    if (--s->left == 0) {
        flit |= FLIT_TAIL;
        s->packet = PACKET_NONE;
    }
    op->flits++;
    n->stats.flits_in++;
    wheel_add_checked(&n->arrivals, n->now + op->delay,
                      (uint64_t)(inj->dst + n->vc_bit[s->vc]) << 32 | flit);
}

/* Sends at most one flit; returns whether the injector has something left to try next cycle. */
static bool inject(struct noc *n, struct injector *inj)
{
    bool wants = false;
    for (uint32_t k = 1; k <= n->classes; k++) {
        uint32_t cls = inj->last_class + k < n->classes ? inj->last_class + k
                                                        : inj->last_class + k - n->classes;
        struct sending *s = &inj->send[cls];
        if (s->packet == PACKET_NONE && !begin_sending(n, inj, cls, &wants))
            continue;
        wants = true;
        if (!(n->oport[inj->oport].free >> s->vc & 1))
            continue;
        send_flit(n, inj, s);
        inj->last_class = cls;
        return true;
    }
    inj->blocked = wants;
    return false;
}

/* The same for the usual injector: one node, one class, nothing to choose but the VC. */
static bool inject_only(struct noc *n, struct injector *inj)
{
    struct sending *s = inj->send;
    struct port *port = inj->only;
    uint32_t free = n->oport[inj->oport].free;
    if (s->packet == PACKET_NONE) {
        if (!port_has(port, n->now))
            return false;
        inj->blocked = free == 0;
        if (!free)
            return false;
        s->packet = (uint32_t)port_pop(port, n->now);
        struct packet *p = &n->pool->at[s->packet];
        s->left = p->flits;
        s->vc = s->last_vc = (uint8_t)next_bit32(free, s->last_vc + 1u);
        p->entered = n->now;
        n->stats.packets_in++;
    } else if (!(free >> s->vc & 1)) {
        inj->blocked = true;
        return false;
    }
    send_flit(n, inj, s);
    return s->packet != PACKET_NONE || port_ready(port) <= n->now;
}

void terminal_inject(struct noc *n)
{
    for (uint32_t w = 0; w < n->inj_words; w++) {
        for (uint64_t m = n->inj_active[w]; m; m &= m - 1) {
            uint32_t j = w << 6 | (uint32_t)__builtin_ctzll(m);
            struct injector *inj = &n->inj[j];
            if (!(inj->only ? inject_only(n, inj) : inject(n, inj)))
                clear_bit(n->inj_active, j);
        }
    }
}

static void record(struct noc *n, const struct packet *p)
{
    uint64_t latency = n->now - p->born;
    n->stats.packets_out++;
    n->from_node[p->src] += p->flits;
    n->stats.digest += rng_mix(((uint64_t)p->src << 32 | p->serial) * 0x9e3779b97f4a7c15u +
                               n->now * 0xd1342543de82ef95u + p->dst);
    if (n->stats.delivered.period)
        stat_series_add(&n->stats.delivered, n->now, p->flits);
    if (p->born - n->measure_from >= n->measure_to - n->measure_from)
        return;
    stat_hist_add(&n->stats.latency, latency);
    stat_mean_add(&n->stats.hops, p->hops);
    stat_mean_add(&n->stats.queueing, p->entered - p->born);
}

void terminal_deliver(struct noc *n, struct ejector *ej, uint32_t id)
{
    struct packet *p = &n->pool->at[id];
    record(n, p);
    if (ej->cls)
        port_push(&ej->cls[p->msgclass].port, n->now, id);
    else
        packet_free(n->pool, id);
}

/* The same with a router extension: those of the packets in this one that come with its next flit. */
static void deliver_due(struct noc *n, struct ejector *ej, uint32_t packet, bool is_tail)
{
    for (uint32_t due = aside_flit_out(n, packet, is_tail); due > 0; due--) {
        uint32_t id = aside_unwrap(n, packet), dst = n->pool->at[id].dst;
        HD_ASSERT(n->ej_of_node[dst] == ej - n->ej, "%s: a packet for node %u arrives elsewhere",
                  n->c.path, dst);
        terminal_deliver(n, ej, id);
    }
}

/* In what follows `aside` is a constant: whether the network has a router extension. */
ALWAYS_INLINE void drain_flit(struct noc *n, struct ejector *ej, uint32_t vc, uint32_t flit,
                              const bool aside)
{
    n->stats.flits_out++;
    wheel_add_checked(&n->credits, n->now + ej->credit_delay, ej->credit_ovc + vc);
    if (aside)
        deliver_due(n, ej, flit & ~FLIT_TAIL, flit & FLIT_TAIL);
    else if (flit & FLIT_TAIL)
        terminal_deliver(n, ej, flit & ~FLIT_TAIL);
}

/* Whether the packet at the front of a VC has its slots, or gets them now; what is delivered piece
 * by piece needs those of its next flit. */
ALWAYS_INLINE bool has_slot(struct noc *n, struct ejector *ej, struct ej_vc *v, const bool aside)
{
    uint32_t id = v->ring[v->head] & ~FLIT_TAIL;
    struct ej_class *c = &ej->cls[n->pool->at[id].msgclass];
    if (v->accepted)
        return true;
    if (aside && aside_is_piecemeal(n, id))
        return port_has_room(&c->port, n->now, c->reserved + aside_next_due(n, id));
    uint32_t slots = aside ? aside_count(n, id) : 1;
    if (!port_has_room(&c->port, n->now, c->reserved + slots))
        return false;
    v->accepted = true;
    c->reserved += slots;
    return true;
}

/* Takes one flit from the VC buffers of an ejector; false when none can move, or none is left. */
ALWAYS_INLINE bool drain(struct noc *n, struct ejector *ej, const bool aside)
{
    const uint32_t vcs = (uint32_t)n->spec.vcs;
    for (uint32_t rest = ej->filled, vc; rest; rest &= ~(1u << vc)) {
        vc = next_bit32(rest, ej->turn);
        struct ej_vc *v = &ej->vc[vc];
        if (v->count == 0 || !has_slot(n, ej, v, aside))
            continue;
        uint32_t flit = v->ring[v->head], id = flit & ~FLIT_TAIL;
        v->head = (uint16_t)((v->head + 1) & n->ring_mask);
        if (--v->count == 0)
            ej->filled &= ~(1u << vc);
        if ((flit & FLIT_TAIL) && (!aside || v->accepted)) {
            v->accepted = false;
            ej->cls[n->pool->at[id].msgclass].reserved -= aside ? aside_count(n, id) : 1;
        }
        ej->turn = vc + 1 == vcs ? 0 : vc + 1;
        drain_flit(n, ej, vc, flit, aside);
        return ej->filled != 0;
    }
    return false;
}

ALWAYS_INLINE void eject(struct noc *n, const bool aside)
{
    struct due d = wheel_take(&n->ejections, n->now);
    for (; d.at < d.end; d.at++) {
        uint32_t flit = (uint32_t)*d.at, at = (uint32_t)(*d.at >> 32);
        uint32_t j = at >> n->vc_shift, vc = at & ((1u << n->vc_shift) - 1);
        struct ejector *ej = &n->ej[j];
        if (!ej->cls) {
            drain_flit(n, ej, vc, flit, aside);
            continue;
        }
        struct ej_vc *v = &ej->vc[vc];
        HD_ASSERT(v->count < n->spec.depth, "ejection buffer overflows");
        v->ring[(v->head + v->count++) & n->ring_mask] = flit;
        ej->filled |= 1u << vc;
        set_bit(n->ej_active, j);
        __builtin_prefetch(&n->pool->at[flit & ~FLIT_TAIL], 1);
    }
    for (uint32_t w = 0; w < n->ej_words; w++) {
        for (uint64_t m = n->ej_active[w]; m; m &= m - 1) {
            uint32_t j = w << 6 | (uint32_t)__builtin_ctzll(m);
            if (!drain(n, &n->ej[j], aside))
                clear_bit(n->ej_active, j);
        }
    }
}

static __attribute__((noinline)) void eject_aside(struct noc *n)
{
    eject(n, true);
}

void terminal_eject(struct noc *n)
{
    if (__builtin_expect(n->aside != NULL, 0))
        eject_aside(n);
    else
        eject(n, false);
}

/* Packets of one class that have come through an ideal network go into the port as it has room,
 * in the order of their arrival. */
static void ideal_flush(struct noc *n, struct ej_class *c)
{
    while (c->head != PACKET_NONE && port_can_push(&c->port, n->now)) {
        struct packet *p = &n->pool->at[c->head];
        uint32_t id = c->head;
        c->head = p->next;
        n->stats.flits_out += p->flits;
        record(n, p);
        port_push(&c->port, n->now, id);
    }
}

static void ideal_arrive(struct noc *n, uint32_t id)
{
    struct packet *p = &n->pool->at[id];
    struct ejector *ej = &n->ej[n->ej_of_node[p->dst]];
    if (!ej->cls) {
        n->stats.flits_out += p->flits;
        terminal_deliver(n, ej, id);
        return;
    }
    struct ej_class *c = &ej->cls[p->msgclass];
    p->next = PACKET_NONE;
    if (c->head == PACKET_NONE)
        c->head = id;
    else
        n->pool->at[c->tail].next = id;
    c->tail = id;
    ideal_flush(n, c);
}

static void ideal_deliver(struct noc *n)
{
    for (uint32_t w = 0; w < n->ej_words; w++) {
        for (uint64_t m = n->ej_active[w]; m; m &= m - 1)
            for (uint32_t c = 0; c < n->classes; c++)
                ideal_flush(n, &n->ej[w << 6 | (uint32_t)__builtin_ctzll(m)].cls[c]);
        n->ej_active[w] = 0;
    }
    for (struct due d = wheel_take(&n->ideal, n->now); d.at < d.end; d.at++)
        ideal_arrive(n, (uint32_t)*d.at);
}

/* Every packet takes the same time and none ever waits for another. */
void terminal_ideal(struct noc *n)
{
    ideal_deliver(n);
    for (uint32_t w = 0; w < n->inj_words; w++) {
        for (uint64_t m = n->inj_active[w]; m; m &= m - 1) {
            uint32_t j = w << 6 | (uint32_t)__builtin_ctzll(m);
            for (uint32_t cls = 0; cls < n->classes; cls++) {
                struct port *port = node_port(n, n->inj_nodes[n->inj[j].first_node], cls);
                while (port_has(port, n->now)) {
                    uint32_t id = (uint32_t)port_pop(port, n->now);
                    struct packet *p = &n->pool->at[id];
                    p->entered = n->now;
                    p->hops = 0;
                    n->stats.packets_in++;
                    n->stats.flits_in += p->flits;
                    wheel_add(&n->ideal, n->now, n->graph->ideal_latency, id);
                }
            }
        }
        n->inj_active[w] = 0;
    }
}

/* Nodes that share an injection channel share an injector, numbered by its first node. */
static void build_injectors(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    uint32_t *inj_of_in = ARENA_ARRAY(a, uint32_t, g->nins + 1);
    n->inj = ARENA_ARRAY(a, struct injector, g->nnodes + ring_stations(g));
    n->inj_nodes = ARENA_ARRAY(a, uint32_t, g->nnodes);
    n->inj_of_node = ARENA_ARRAY(a, uint32_t, g->nnodes);
    for (uint32_t node = 0; node < g->nnodes; node++) {
        uint32_t in = g->inject[node];
        if (in == GRAPH_NONE)
            continue;
        bool first = g->ideal_latency || g->in[in].src_node == node;
        uint32_t j = first ? n->ninj++ : inj_of_in[in];
        n->inj_of_node[node] = j;
        n->inj[j].nnodes++;
        if (!g->ideal_latency)
            inj_of_in[in] = j;
    }
    uint32_t placed = 0;
    for (uint32_t j = 0; j < n->ninj; j++) {
        struct injector *inj = &n->inj[j];
        inj->first_node = placed;
        placed += inj->nnodes;
        inj->nnodes = 0; /* counted again as they are placed */
        inj->oport = n->nouts + j;
        inj->send = ARENA_ARRAY(a, struct sending, n->classes);
        for (uint32_t c = 0; c < n->classes; c++)
            inj->send[c] = (struct sending){.packet = PACKET_NONE, .last_vc = 31};
    }
    for (uint32_t node = 0; node < g->nnodes; node++) {
        struct injector *inj = &n->inj[n->inj_of_node[node]];
        if (g->inject[node] != GRAPH_NONE)
            n->inj_nodes[inj->first_node + inj->nnodes++] = node;
    }
    for (uint32_t i = 0; i < ring_stations(g); i++) /* behind them; never active here */
        n->inj[n->ninj + i].oport = n->nouts + n->ninj + i;
}

static void build_ejectors(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    n->ej = ARENA_ARRAY(a, struct ejector, g->nnodes + ring_stations(g));
    n->ej_of_node = ARENA_ARRAY(a, uint32_t, g->nnodes);
    for (uint32_t node = 0; node < g->nnodes; node++) {
        uint32_t out = g->eject[node];
        if (out == GRAPH_NONE)
            continue;
        uint32_t first = g->ideal_latency ? node : g->out[out].dst_node;
        n->ej_of_node[node] = first == node ? n->nej++ : n->ej_of_node[first];
    }
    n->nej += ring_stations(g);
}

void terminal_build(struct noc *n, struct arena *a, const struct noc_options *opt)
{
    const struct graph *g = n->graph;
    build_injectors(n, a);
    build_ejectors(n, a);
    n->inj_words = (n->ninj + 63) / 64;
    n->ej_words = (n->nej + 63) / 64;
    n->inj_active = ARENA_ARRAY(a, uint64_t, n->inj_words + 1);
    n->ej_active = ARENA_ARRAY(a, uint64_t, n->ej_words + 1);
    for (int parity = 0; parity < 2; parity++) {
        n->inj_next[parity] = ARENA_ARRAY(a, uint64_t, n->inj_words + 1);
        n->ej_next[parity] = ARENA_ARRAY(a, uint64_t, n->ej_words + 1);
    }
    n->from_node = ARENA_ARRAY(a, uint64_t, g->nnodes);
    n->ports = ARENA_ARRAY(a, struct port, (uint64_t)g->nnodes * n->classes);
    for (uint32_t node = 0; node < g->nnodes; node++)
        for (uint32_t c = 0; c < n->classes && g->inject[node] != GRAPH_NONE; c++)
            port_init(node_port(n, node, c), a, opt->port_depth, 1, (struct port_end){NULL, 0},
                      (struct port_end){&n->c, node * n->classes + c});
    for (uint32_t j = 0; j < n->ninj; j++)
        if (n->inj[j].nnodes == 1 && n->vclasses == 1 && !g->launch)
            n->inj[j].only = node_port(n, n->inj_nodes[n->inj[j].first_node], 0);
}
