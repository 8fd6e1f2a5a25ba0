/* audit.c - what must always hold in a network, and who waits for whom in it.
 *
 * Invariants: flits in = flits out + buffered + on channels + aside + merged away; for every channel and VC, credits
 * upstream + credits on their way + flits on their way + flits buffered = depth; an input VC bids
 * for the switch exactly when it could use it. */
#include <stdio.h>

#include "noc/aside.h"
#include "noc/net_priv.h"
#include "noc/ring.h"
#include "noc/shared.h"
#include "noc/token.h"
#include "sim/waitgraph.h"

struct in_flight {
    uint32_t *to_ivc, *to_ej, *credit;
    uint64_t flits;
};

/* What is in list `slot` of a wheel, without taking it. */
static struct due look(const struct wheel *w, uint32_t slot)
{
    return (struct due){w->item + (uint64_t)slot * w->cap, w->end[slot]};
}

static void count_flits(const struct wheel *w, uint32_t *count, uint64_t *sum)
{
    for (uint32_t s = 0; s <= w->mask; s++) {
        for (struct due d = look(w, s); d.at < d.end; d.at++) {
            count[*d.at >> 32]++;
            ++*sum;
        }
    }
}

static struct in_flight count_in_flight(const struct noc *n, struct arena *a)
{
    struct in_flight f = {
        .to_ivc = ARENA_ARRAY(a, uint32_t, n->nivcs + 1),
        .to_ej = ARENA_ARRAY(a, uint32_t, ((uint64_t)n->nej << n->vc_shift) + 1),
        .credit = ARENA_ARRAY(
            a, uint32_t,
            ((uint64_t)(n->nouts + n->ninj + ring_stations(n->graph)) << n->vc_shift) + 1)};
    count_flits(&n->arrivals, f.to_ivc, &f.flits);
    count_flits(&n->ejections, f.to_ej, &f.flits);
    for (uint32_t s = 0; s <= n->credits.mask; s++)
        for (struct due d = look(&n->credits, s); d.at < d.end; d.at++)
            f.credit[*d.at]++;
    return f;
}

static uint32_t ej_held(const struct noc *n, uint32_t at)
{
    const struct ejector *ej = &n->ej[at >> n->vc_shift];
    return ej->cls ? ej->vc[at & ((1u << n->vc_shift) - 1)].count : 0;
}

static bool audit_channel(const struct noc *n, const struct in_flight *f, uint32_t port,
                          uint32_t dst, bool eject, struct err *e)
{
    for (uint32_t v = 0; v < (uint32_t)n->spec.vcs; v++) {
        uint32_t o = port << n->vc_shift | v, at = dst + (eject ? v : n->vc_bit[v]);
        uint32_t there = eject ? f->to_ej[at] + ej_held(n, at) : f->to_ivc[at] + n->ivc[at].count;
        uint64_t sum = (uint64_t)n->ovc[o].credits + f->credit[o] + there;
        if (sum != (uint64_t)n->spec.depth)
            return err_set(e, STATUS_FAILED,
                           "%s cycle %llu: output port %u VC %u: %u credits + %u under way + %u "
                           "flits are not %lld",
                           n->c.path, (unsigned long long)n->now, port, v, n->ovc[o].credits,
                           f->credit[o], there, (long long)n->spec.depth);
    }
    return true;
}

static bool audit_bids(const struct noc *n, uint32_t i, struct err *e)
{
    const struct ivc *iv = &n->ivc[i];
    const struct router *r = iv->router;
    if (iv->state != VC_ACTIVE)
        return true;
    bool bids = test_bit(r->sa_mask + (uint64_t)iv->out * r->words, iv->bit);
    bool could = iv->count > 0 && iv->ov->credits > 0;
    if (bids != could || iv->ov->owner != i)
        return err_set(e, STATUS_FAILED, "%s cycle %llu: router %u input VC %u %s bid", n->c.path,
                       (unsigned long long)n->now, r->id, iv->bit,
                       could ? "could move but does not" : "cannot move but does");
    return true;
}

static bool audit_flits(const struct noc *n, const struct in_flight *f, struct err *e)
{
    uint64_t held = f->flits;
    for (uint32_t i = 0; i < n->nivcs; i++)
        held += n->ivc[i].count;
    for (uint32_t at = 0; at < n->nej << n->vc_shift; at++)
        if ((at & ((1u << n->vc_shift) - 1)) < (uint32_t)n->spec.vcs)
            held += ej_held(n, at);
    if (n->aside)
        held += n->aside->flits;
    if (n->ring)
        held += n->ring->flits;
    if (n->stats.flits_in != n->stats.flits_out + held + (uint64_t)noc_merged_flits(n))
        return err_set(e, STATUS_FAILED, "%s cycle %llu: %llu flits in, %llu out, %llu inside",
                       n->c.path, (unsigned long long)n->now, (unsigned long long)n->stats.flits_in,
                       (unsigned long long)n->stats.flits_out, (unsigned long long)held);
    return true;
}

bool noc_audit(const struct component *c, struct err *e)
{
    const struct noc *n = (const struct noc *)c;
    if (n->graph->ideal_latency)
        return true;
    if (n->token)
        return token_audit(n, e);
    struct arena *a = arena_new();
    struct in_flight f = count_in_flight(n, a);
    bool ok =
        audit_flits(n, &f, e) && (!n->aside || aside_audit(n, e)) && (!n->ring || ring_audit(n, e));
    for (uint32_t o = 0; ok && o < n->nouts; o++) {
        const struct graph_out *go = &n->graph->out[o];
        bool is_used =
            go->dst_router != GRAPH_NONE || go->dst_node != GRAPH_NONE || go->station != GRAPH_NONE;
        if (is_used && shared_row(n, o) == o)
            ok = audit_channel(n, &f, o, n->oport[o].dst, n->oport[o].is_eject, e);
    }
    for (uint32_t j = 0; ok && j < n->ninj + ring_stations(n->graph); j++)
        ok = audit_channel(n, &f, n->inj[j].oport, n->inj[j].dst, false, e);
    for (uint32_t i = 0; ok && i < n->nivcs; i++)
        ok = audit_bids(n, i, e);
    arena_free(a);
    return ok;
}

/* ---- the wait-for graph ---- */

/* Vertices: input VCs by number, then injectors, then ejection VCs. */
static uint64_t inj_vertex(const struct noc *n, uint32_t j)
{
    return n->nivcs + (uint64_t)j;
}

uint64_t noc_inject_vertex(const struct noc *n, uint32_t node)
{
    return inj_vertex(n, n->inj_of_node[node]);
}

static uint64_t ej_vertex(const struct noc *n, uint32_t at)
{
    return n->nivcs + (uint64_t)n->ninj + at;
}

/* Behind those of ejection VCs and the one of an extension. */
static uint64_t ring_vertex(const struct noc *n)
{
    return ej_vertex(n, n->nej << n->vc_shift) + 1;
}

/* Waits for any VC of a class at one output; true when one is free. */
static bool wait_for_vc(const struct noc *n, struct waitgraph *g, uint32_t i, uint32_t port,
                        uint32_t cls)
{
    if (n->oport[port].free & n->class_vcs[cls])
        return true;
    for (uint32_t m = n->class_vcs[cls]; m; m &= m - 1) {
        uint32_t row = shared_row(n, port);
        uint32_t owner = n->ovc[row << n->vc_shift | (uint32_t)__builtin_ctz(m)].owner;
        if (owner != NO_OWNER)
            waitgraph_edge(g, &n->c, i, &n->c, owner);
    }
    return false;
}

static bool waiting_moves(const struct noc *n, struct waitgraph *g, uint32_t i)
{
    const struct ivc *iv = &n->ivc[i];
    const struct router *r = iv->router;
    bool moves = false;
    if (iv->span > 1) {
        for (uint32_t k = 0; k < iv->span; k++)
            moves |= wait_for_vc(n, g, i, r->first_out + iv->out + k, iv->vclass);
        return moves;
    }
    if (!test_bit(r->va_mask + (uint64_t)iv->request * r->words, iv->bit))
        return true; /* in a pipeline stage */
    return wait_for_vc(n, g, i, r->first_out + iv->out, iv->request % n->vclasses);
}

/* An active VC without flits waits for the rest of its packet from upstream. */
static bool starved_moves(const struct noc *n, struct waitgraph *g, uint32_t i)
{
    const struct ivc *iv = &n->ivc[i];
    uint32_t o = iv->credit_ovc;
    if (o == NO_OWNER)
        return true; /* a side port: the rest is here */
    if (n->ovc[o].credits < n->spec.depth)
        return true; /* something is on its way */
    if (o >= (n->nouts + n->ninj) << n->vc_shift)
        waitgraph_edge(g, &n->c, i, &n->c,
                       ring_reads_vertex(n, ring_vertex(n), (o >> n->vc_shift) - n->nouts - n->ninj,
                                         iv->vclass / n->subclasses));
    else if (o >= n->nouts << n->vc_shift)
        waitgraph_edge(g, &n->c, i, &n->c, inj_vertex(n, (o >> n->vc_shift) - n->nouts));
    else if (n->ovc[o].owner != NO_OWNER)
        waitgraph_edge(g, &n->c, i, &n->c, n->ovc[o].owner);
    else
        return true;
    return false;
}

static bool active_moves(const struct noc *n, struct waitgraph *g, uint32_t i)
{
    const struct ivc *iv = &n->ivc[i];
    const struct oport *op = iv->op;
    uint32_t vc = iv->vc;
    if (iv->count == 0)
        return starved_moves(n, g, i);
    if (n->aside && n->aside->kept && aside_is_kept(n, iv)) {
        waitgraph_edge(g, &n->c, i, &n->c, n->aside->kept[op - n->oport].ivc);
        return false;
    }
    if (iv->ov->credits || iv->state == VC_ALLOCATING)
        return true;
    if (op->is_eject) {
        uint32_t at = op->dst + vc;
        if (ej_held(n, at) < n->spec.depth)
            return true;
        waitgraph_edge(g, &n->c, i, &n->c, ej_vertex(n, at));
        return false;
    }
    uint32_t down = op->dst + n->vc_bit[vc];
    if (n->ivc[down].count < n->spec.depth)
        return true; /* a credit or a flit is on its way */
    waitgraph_edge(g, &n->c, i, &n->c, down);
    return false;
}

static void add_input_vc(const struct noc *n, struct waitgraph *g, uint32_t i)
{
    const struct ivc *iv = &n->ivc[i];
    char label[96];
    if (iv->state == VC_IDLE)
        return;
    bool moves = iv->state == VC_WAITING ? waiting_moves(n, g, i)
                 : iv->state == VC_TAKEN ? iv->count > 0 || starved_moves(n, g, i)
                                         : active_moves(n, g, i);
    if (iv->credit_ovc == NO_OWNER)
        snprintf(label, sizeof label, "router %u aside", iv->router->id);
    else
        snprintf(label, sizeof label, "router %u in %u vc %u", iv->router->id,
                 iv->port - iv->router->first_in, iv->credit_ovc & ((1u << n->vc_shift) - 1));
    waitgraph_vertex(g, &n->c, i, moves, label);
}

/* Whether there is room, or soon will be, in one VC that an injector feeds; else it waits. */
static bool injector_moves(const struct noc *n, struct waitgraph *g, uint32_t j, uint32_t vc)
{
    uint32_t down = n->inj[j].dst + n->vc_bit[vc];
    if (n->ivc[down].count < n->spec.depth)
        return true;
    waitgraph_edge(g, &n->c, inj_vertex(n, j), &n->c, down);
    return false;
}

static void add_injector(const struct noc *n, struct waitgraph *g, uint32_t j)
{
    const struct injector *inj = &n->inj[j];
    bool moves = false, sends = false;
    char label[64];
    for (uint32_t c = 0; c < n->classes; c++) {
        if (inj->send[c].packet == PACKET_NONE)
            continue;
        sends = true;
        moves |= injector_moves(n, g, j, inj->send[c].vc);
    }
    for (uint32_t v = 0; !sends && v < (uint32_t)n->spec.vcs; v++)
        moves |= injector_moves(n, g, j, v);
    snprintf(label, sizeof label, "injection of node %u", n->inj_nodes[inj->first_node]);
    waitgraph_vertex(g, &n->c, inj_vertex(n, j), moves, label);
}

static void add_ejector(const struct noc *n, struct waitgraph *g, uint32_t j)
{
    const struct ejector *ej = &n->ej[j];
    char label[64];
    for (uint32_t v = 0; ej->cls && v < (uint32_t)n->spec.vcs; v++) {
        const struct ej_vc *q = &ej->vc[v];
        if (q->count == 0)
            continue;
        uint32_t id = q->ring[q->head] & ~FLIT_TAIL;
        const struct ej_class *c = &ej->cls[n->pool->at[id].msgclass];
        uint32_t taken = port_held(&c->port) + c->reserved;
        bool moves = q->accepted || taken + aside_slots(n, id) <= port_depth(&c->port);
        uint64_t at = ej_vertex(n, j << n->vc_shift | v);
        snprintf(label, sizeof label, "ejection %u vc %u", j, v);
        waitgraph_vertex(g, &n->c, at, moves, label);
        waitgraph_edge(g, &n->c, at, c->port.reader, c->port.reader_slot);
    }
}

void noc_waits(const struct component *c, struct waitgraph *g)
{
    const struct noc *n = (const struct noc *)c;
    if (n->token) {
        token_waits(n, g);
        return;
    }
    for (uint32_t i = 0; i < n->nivcs; i++)
        add_input_vc(n, g, i);
    for (uint32_t j = 0; j < n->ninj && !n->graph->ideal_latency; j++)
        add_injector(n, g, j);
    for (uint32_t j = 0; j < n->nej - ring_stations(n->graph) && !n->graph->ideal_latency; j++)
        add_ejector(n, g, j);
    if (n->ring)
        ring_waits(n, g, ring_vertex(n), ej_vertex(n, 0));
    if (n->aside)
        aside_waits(n, g, ej_vertex(n, n->nej << n->vc_shift));
}
