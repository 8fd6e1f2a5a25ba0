/* shared.c - channels with several writers: a bus of wires, or an optical MWSR ring.
 *
 * The right to write goes from writer to writer, round robin or to the first that wants it.  It
 * passes in `token` cycles, and whoever waited for it sends at least a flit: an idle bus waits with
 * the writer that had it last.  A writer keeps it while nobody else wants it, and, by packet, to the end of a packet as long as it has a flit and
 * a credit; so a packet that is stuck never stops others, of another class or to another VC.  Writers may
 * be at different distances: a flit is sent only if no other one arrives in the same cycle, so
 * that slots filled upstream are seen as taken, as on a slotted ring.
 *
 * In each step one writer per VC class gets VCs of the reader, round robin.  A right that a router's
 * switch does not use in a step is lost for that step. */
#include "noc/shared.h"

void shared_build(struct noc *n, struct arena *a)
{
    const struct graph *g = n->graph;
    struct shared *s = ARENA_NEW(a, struct shared);
    uint32_t longest = 1, placed = 0;
    for (uint32_t o = 0; o < n->nouts; o++)
        longest = n->oport[o].delay > longest ? n->oport[o].delay : longest;
    for (s->nslots = 1; s->nslots <= longest + 64u;)
        s->nslots *= 2;
    s->nbuses = g->nbuses;
    s->bus = ARENA_ARRAY(a, struct bus, g->nbuses);
    s->writer = ARENA_ARRAY(a, uint32_t, n->nouts + 1);
    s->bus_of = ARENA_ARRAY(a, uint32_t, n->nouts + 1);
    s->row_of = ARENA_ARRAY(a, uint32_t, n->nouts + 1);
    for (uint32_t b = 0; b < g->nbuses; b++) {
        s->bus[b] = (struct bus){.arbiter = g->bus[b].arbiter,
                                 .first_writer = placed,
                                 .holder = NO_OWNER,
                                 .sender = NO_OWNER,
                                 .turn = ARENA_ARRAY(a, uint32_t, n->vclasses),
                                 .chosen = ARENA_ARRAY(a, uint32_t, n->vclasses),
                                 .arrival = ARENA_ARRAY(a, hd_cycle, s->nslots)};
        placed += g->bus[b].nwriters;
    }
    for (uint32_t o = 0; o < n->nouts; o++) {
        struct bus *b = g->out[o].bus == GRAPH_NONE ? NULL : &s->bus[g->out[o].bus];
        s->bus_of[o] = b ? g->out[o].bus : NO_OWNER;
        s->row_of[o] = b ? g->bus[g->out[o].bus].first : o;
        if (b)
            s->writer[b->first_writer + b->nwriters++] = o;
    }
    n->shared = s;
}

/* ---- the switch ---- */

static const struct router *router_of(const struct noc *n, uint32_t port)
{
    return &n->router[n->graph->out[port].router];
}

static bool wants(const struct noc *n, uint32_t port)
{
    const struct router *r = router_of(n, port);
    return test_bit(r->sa_has, port - r->first_out);
}

/* The cycle in which a flit that is granted the switch of `port` now will arrive. */
static hd_cycle arrival_of(const struct noc *n, uint32_t port)
{
    return n->now + router_of(n, port)->sa_steps - 1 + n->oport[port].delay;
}

static bool has_slot(const struct noc *n, const struct bus *b, uint32_t port)
{
    hd_cycle at = arrival_of(n, port);
    return b->arrival[at & (n->shared->nslots - 1)] != at;
}

/* The writer that gets the right next, or NO_OWNER: nobody wants it. */
static uint32_t next_writer(const struct noc *n, const struct bus *b)
{
    uint32_t from = b->arbiter.is_fixed || b->holder == NO_OWNER ? 0 : b->holder + 1;
    for (uint32_t k = 0; k < b->nwriters; k++) {
        uint32_t w = (from + k) % b->nwriters;
        if (wants(n, n->shared->writer[b->first_writer + w]))
            return w;
    }
    return NO_OWNER;
}

static void choose_sender(struct noc *n, struct bus *b)
{
    const uint32_t *writer = n->shared->writer + b->first_writer;
    bool holds = b->holder != NO_OWNER && wants(n, writer[b->holder]);
    bool stays = holds && (b->is_kept || (b->is_new && b->arbiter.token > 0));
    uint32_t w = stays ? b->holder : next_writer(n, b);
    b->sender = NO_OWNER;
    if (w == NO_OWNER)
        return;
    if (w != b->holder) {
        b->holder = w;
        b->from = n->now + b->arbiter.token;
        b->is_new = true;
        b->is_kept = false;
    }
    if (n->now >= b->from && has_slot(n, b, writer[w]))
        b->sender = writer[w];
}

void shared_granted(struct noc *n, uint32_t port, const struct ivc *iv)
{
    struct shared *s = n->shared;
    if (s->bus_of[port] == NO_OWNER)
        return;
    struct bus *b = &s->bus[s->bus_of[port]];
    hd_cycle at = arrival_of(n, port);
    b->arrival[at & (s->nslots - 1)] = at;
    b->is_new = false;
    b->is_kept = b->arbiter.by_packet && !(iv->ring[iv->head] & FLIT_TAIL);
}

/* ---- VCs of the reader ---- */

static bool wants_vc(const struct noc *n, uint32_t port, uint32_t cls)
{
    const struct router *r = router_of(n, port);
    uint32_t request = (port - r->first_out) * n->vclasses + cls;
    return test_bit(r->va_has, request) && test_bit(r->va_free, request);
}

static void choose_taker(const struct noc *n, struct bus *b, uint32_t cls)
{
    const uint32_t *writer = n->shared->writer + b->first_writer;
    b->chosen[cls] = NO_OWNER;
    for (uint32_t k = 0; k < b->nwriters; k++) {
        uint32_t w = (b->turn[cls] + k) % b->nwriters;
        if (wants_vc(n, writer[w], cls)) {
            b->chosen[cls] = writer[w];
            b->turn[cls] = (w + 1) % b->nwriters;
            return;
        }
    }
}

void shared_arbitrate(struct noc *n)
{
    for (uint32_t i = 0; i < n->shared->nbuses; i++) {
        choose_sender(n, &n->shared->bus[i]);
        for (uint32_t cls = 0; cls < n->vclasses; cls++)
            choose_taker(n, &n->shared->bus[i], cls);
    }
}

void shared_sync(struct noc *n, const struct ivc *iv, bool is_free)
{
    const struct shared *s = n->shared;
    uint32_t port = (uint32_t)(iv->op - n->oport);
    if (s->bus_of[port] == NO_OWNER)
        return;
    const struct bus *b = &s->bus[s->bus_of[port]];
    uint32_t free = iv->op->free;
    for (uint32_t w = 0; w < b->nwriters; w++) {
        uint32_t o = s->writer[b->first_writer + w], cls = iv->request % n->vclasses;
        struct router *r = &n->router[n->graph->out[o].router];
        uint32_t request = (o - r->first_out) * n->vclasses + cls;
        n->oport[o].free = free;
        if (free & n->class_vcs[cls])
            set_bit(r->va_free, request);
        else
            clear_bit(r->va_free, request);
        if (is_free && test_bit(r->va_has, request))
            *r->va_active |= r->active_bit; /* somebody waits for a VC */
    }
}
