/* router.c - the input-queued virtual-channel router, for the usual options.
 *
 * Microarchitecture (Dally & Towles, Principles and Practices of Interconnection Networks,
 * ch. 16-19): route computation, VC allocation, switch allocation, switch traversal.  A packet
 * bids for every free VC of its output; the winner keeps it until its tail has left.  A flit
 * bids for the switch only with a credit in hand.  Both allocators are iSLIP (McKeown, ToN 1999)
 * with one iteration here: every output grants round-robin, every input accepts round-robin, and
 * pointers move only past accepted grants.  Input VCs of one switch input that want the same
 * output are first reduced to one, round-robin.
 *
 * Within one step all decisions see the state at its start: the switch is decided, then output
 * VCs are given away, then the flits move.  router_slow.c does the same with every option
 * (other allocators and arbiters, speculation, multi-cycle allocation). */
#include "noc/router_common.h"

/* Starts route computation for the packet at the front of input VC i; it can bid for a VC from
 * `step` + routing delay on. */
void router_begin_packet(struct noc *n, uint32_t i, uint64_t step)
{
    n->ivc[i].state = VC_WAITING;
    if (step + n->route_steps <= n->step)
        router_route(n, i);
    else
        wheel_add(&n->routed, step + n->route_steps, i);
}

void router_route(struct noc *n, uint32_t i)
{
    struct ivc *iv = &n->ivc[i];
    struct router *r = &n->router[iv->router];
    struct packet *p = &n->pool->at[flit_ring(n, i)[iv->head] & ~FLIT_TAIL];
    struct route to = n->graph->route(&n->view, n->graph->ctx, iv->router, iv->port - r->first_in, p);
    p->hops++;
    if (to.span > 1) {
        port_unit_add(n, i, to);
        return;
    }
    iv->out = to.out;
    iv->request = to.out;
    if (n->vclasses > 1)
        iv->request = (uint16_t)(to.out * n->vclasses + p->msgclass * n->subclasses + to.vclass);
    bid_vc(n, r, i, iv->request);
}

/* Grants to one switch input, and the one it accepts. */
struct accept {
    uint16_t out, distance;
};

ALWAYS_INLINE void offer(struct accept *a, bool first, const struct lane *l, uint32_t out,
                         uint32_t nout)
{
    uint32_t d = out - l->accept;
    if (out < l->accept)
        d += nout;
    if (first || d < a->distance)
        *a = (struct accept){(uint16_t)out, (uint16_t)d};
}

/* Lane `l` sends to `out`: moves the pointers and returns the input VC bit that goes. */
ALWAYS_INLINE uint32_t match(struct noc *n, struct router *r, uint32_t l, uint32_t out,
                             uint64_t lane_bits)
{
    struct oport *op = &n->oport[r->first_out + out];
    struct lane *lane = &n->lane[r->first_lane + l];
    uint32_t vc = next_bit32((uint32_t)lane_bits, lane->vc);
    lane->vc = (uint16_t)(vc + 1);
    lane->accept = (uint16_t)(out + 1 == r->nout ? 0 : out + 1);
    op->grant = l + 1 == r->nlanes ? 0 : (l + 1) << n->lane_shift;
    return l << n->lane_shift | vc;
}

/* Decides the switch of a router with at most 64 input VCs; fills bits[] and returns how many. */
ALWAYS_INLINE uint32_t decide_small(struct noc *n, struct router *r, uint32_t *bits)
{
    uint64_t seen = 0;
    struct accept best[64];
    const uint64_t lane_mask = (1ull << (1u << n->lane_shift)) - 1;
    for (uint64_t outs = r->sa_has[0]; outs; outs &= outs - 1) {
        uint32_t out = (uint32_t)__builtin_ctzll(outs);
        uint32_t bit = next_bit64(r->sa_mask[out], n->oport[r->first_out + out].grant);
        uint32_t l = bit >> n->lane_shift;
        offer(&best[l], !(seen >> l & 1), &n->lane[r->first_lane + l], out, r->nout);
        seen |= 1ull << l;
    }
    uint32_t k = 0;
    for (; seen; seen &= seen - 1) {
        uint32_t l = (uint32_t)__builtin_ctzll(seen);
        uint64_t lane_bits = r->sa_mask[best[l].out] >> (l << n->lane_shift) & lane_mask;
        bits[k++] = match(n, r, l, best[l].out, lane_bits);
    }
    return k;
}

static uint32_t decide_large(struct noc *n, struct router *r, uint32_t *bits)
{
    struct accept *best = (struct accept *)n->scratch; /* all ones: no grant yet */
    const uint64_t lane_mask = (1ull << (1u << n->lane_shift)) - 1;
    uint32_t k = 0;
    for (uint32_t w = 0; w < r->out_words; w++) {
        for (uint64_t outs = r->sa_has[w]; outs; outs &= outs - 1) {
            uint32_t out = w << 6 | (uint32_t)__builtin_ctzll(outs);
            const uint64_t *mask = r->sa_mask + (uint64_t)out * r->words;
            uint32_t bit = next_bit_words(mask, r->words, n->oport[r->first_out + out].grant);
            uint32_t l = bit >> n->lane_shift;
            bool first = best[l].out == UINT16_MAX;
            offer(&best[l], first, &n->lane[r->first_lane + l], out, r->nout);
            if (first)
                bits[k++] = l;
        }
    }
    for (uint32_t j = 0; j < k; j++) {
        uint32_t l = bits[j], bit = l << n->lane_shift, out = best[l].out;
        uint64_t word = r->sa_mask[(uint64_t)out * r->words + (bit >> 6)];
        best[l] = (struct accept){UINT16_MAX, UINT16_MAX};
        bits[j] = match(n, r, l, out, word >> (bit & 63) & lane_mask);
    }
    return k;
}

ALWAYS_INLINE void give_vc(struct noc *n, struct router *r, uint32_t bit, uint32_t request,
                           uint32_t vc, const bool small)
{
    uint32_t i = r->first_ivc + bit;
    struct ivc *iv = &n->ivc[i];
    unbid_vc(r, bit, request, small);
    take_vc(n, r, i, request, vc);
    n->ovc[iv->ovc].grant = (uint16_t)(bit + 1);
    iv->accept = (uint16_t)((iv->out << n->vc_shift) + vc + 1);
}

/* Where the round-robin pointer of input VC `bit` stands among the VCs of one output. */
ALWAYS_INLINE uint32_t accept_start(const struct noc *n, const struct router *r, uint32_t bit,
                                    uint32_t out)
{
    uint32_t a = n->ivc[r->first_ivc + bit].accept;
    return a >> n->vc_shift == out ? a & ((1u << n->vc_shift) - 1) : 0;
}

/* Several input VCs bid for the free VCs of one output: each VC grants one of them, each of them
 * accepts one grant. */
static void give_contended(struct noc *n, struct router *r, uint32_t request, uint32_t out,
                           uint32_t free)
{
    uint32_t bit[32], vc[32], k = 0;
    const uint64_t *mask = r->va_mask + (uint64_t)request * r->words;
    for (; free; free &= free - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(free);
        uint32_t from = n->ovc[(r->first_out + out) << n->vc_shift | v].grant;
        uint32_t b = next_bit_words(mask, r->words, from), j = 0;
        while (j < k && bit[j] != b)
            j++;
        if (j == k) {
            bit[k] = b;
            vc[k++] = v;
            continue;
        }
        uint32_t start = accept_start(n, r, b, out);
        if (vc[j] < start && v >= start)
            vc[j] = v;
    }
    for (uint32_t j = 0; j < k; j++)
        give_vc(n, r, bit[j], request, vc[j], false);
}

ALWAYS_INLINE void give_output(struct noc *n, struct router *r, uint32_t request, const bool small)
{
    uint32_t out = n->vclasses == 1 ? request : request / n->vclasses;
    uint32_t cls = n->vclasses == 1 ? 0 : request % n->vclasses;
    uint32_t free = n->oport[r->first_out + out].free & n->class_vcs[cls];
    if (small) {
        uint64_t m = r->va_mask[request];
        if ((m & (m - 1)) == 0) {
            uint32_t bit = (uint32_t)__builtin_ctzll(m);
            give_vc(n, r, bit, request, next_bit32(free, accept_start(n, r, bit, out)), true);
            return;
        }
    }
    give_contended(n, r, request, out, free);
}

ALWAYS_INLINE void step(struct noc *n, struct router *r, const bool small, const bool sped)
{
    uint32_t local[64];
    uint32_t *bits = small ? local : n->scratch + n->nscratch;
    uint32_t k = small ? decide_small(n, r, bits) : decide_large(n, r, bits);

    for (uint32_t w = 0; w < (small ? 1 : r->req_words); w++)
        for (uint64_t m = r->va_has[w] & r->va_free[w]; m; m &= m - 1)
            give_output(n, r, w << 6 | (uint32_t)__builtin_ctzll(m), small);

    for (uint32_t j = 0; j < k; j++) {
        uint32_t i = r->first_ivc + bits[j], out = n->ivc[i].out;
        if (!depart(n, r, i, sped))
            unbid_switch(r, bits[j], out, small);
    }
}

static bool is_busy(const struct router *r)
{
    for (uint32_t w = 0; w < r->out_words; w++)
        if (r->sa_has[w])
            return true;
    for (uint32_t w = 0; w < r->req_words; w++)
        if (r->va_has[w] & r->va_free[w])
            return true;
    return false;
}

void router_step(struct noc *n, uint32_t router)
{
    struct router *r = &n->router[router];
    if (!n->fast) {
        router_slow_step(n, router);
    } else if (r->is_small) {
        if (n->speed == 1024)
            step(n, r, true, false);
        else
            step(n, r, true, true);
        if (!(r->sa_has[0] | (r->va_has[0] & r->va_free[0])))
            clear_bit(n->active, router);
        return;
    } else if (n->speed == 1024) {
        step(n, r, false, false);
    } else {
        step(n, r, false, true);
    }
    if (!is_busy(r))
        clear_bit(n->active, router);
}
