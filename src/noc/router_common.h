/* router_common.h - the moves that both routers make: taking an output VC, sending a flit. */
#ifndef HEDDLE_NOC_ROUTER_COMMON_H
#define HEDDLE_NOC_ROUTER_COMMON_H

#include "noc/net_priv.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* First set bit at or cyclically after `from`; at least one bit must be set. */
ALWAYS_INLINE uint32_t next_bit_words(const uint64_t *mask, uint32_t words, uint32_t from)
{
    uint32_t w = from >> 6;
    if (w >= words)
        w = from = 0;
    uint64_t x = mask[w] >> (from & 63) << (from & 63);
    while (!x) {
        w = w + 1 == words ? 0 : w + 1;
        x = mask[w];
    }
    return w << 6 | (uint32_t)__builtin_ctzll(x);
}

ALWAYS_INLINE void unbid_switch(struct router *r, uint32_t bit, uint32_t out, const bool small)
{
    uint64_t *m = r->sa_mask + (small ? out : (uint64_t)out * r->words);
    if (small) {
        *m &= ~(1ull << bit);
        if (*m == 0)
            r->sa_has[0] &= ~(1ull << out);
        return;
    }
    clear_bit(m, bit);
    for (uint32_t w = 0; w < r->words; w++)
        if (m[w])
            return;
    clear_bit(r->sa_has, out);
}

ALWAYS_INLINE void unbid_vc(struct router *r, uint32_t bit, uint32_t request, const bool small)
{
    uint64_t *m = r->va_mask + (small ? request : (uint64_t)request * r->words);
    if (small) {
        *m &= ~(1ull << bit);
        if (*m == 0)
            r->va_has[0] &= ~(1ull << request);
        return;
    }
    clear_bit(m, bit);
    for (uint32_t w = 0; w < r->words; w++)
        if (m[w])
            return;
    clear_bit(r->va_has, request);
}

/* Input VC i gets VC `vc` of the output it was routed to; its bid is already withdrawn. */
ALWAYS_INLINE void take_vc(struct noc *n, struct router *r, uint32_t i, uint32_t request,
                           uint32_t vc)
{
    struct ivc *iv = &n->ivc[i];
    uint32_t cls = n->vclasses == 1 ? 0 : request % n->vclasses;
    struct oport *op = &n->oport[r->first_out + iv->out];
    uint32_t o = (r->first_out + iv->out) << n->vc_shift | vc;
    op->free &= ~(1u << vc);
    if (!(op->free & n->class_vcs[cls]))
        clear_bit(r->va_free, request);
    iv->ovc = o;
    iv->state = VC_ACTIVE;
    n->ovc[o].owner = i;
    if (n->ovc[o].credits)
        bid_switch(n, r, i, iv->out);
}

/* The cycle in which a flit granted in the current step leaves on its channel when the router
 * makes several steps per cycle; an output FIFO lets one flit leave per cycle. */
static inline hd_cycle sped_leave(struct noc *n, struct oport *op)
{
    hd_cycle at = n->now;
    uint64_t ahead = n->substep + (uint64_t)n->spec.st_delay;
    for (uint64_t k = n->substeps; ahead >= k;) {
        ahead -= k;
        at++;
        k = ((at + 1) * n->speed >> 10) - (at * n->speed >> 10);
    }
    if (op->sent_at != HD_NEVER && at <= op->sent_at)
        at = op->sent_at + 1;
    op->sent_at = at;
    return at;
}

/* The cycle in which the credit message of this step leaves: one per input port and cycle,
 * naming all VCs that were freed in one step. */
static inline hd_cycle sped_credit(struct noc *n, struct iport *ip)
{
    if (ip->credit_step == n->step)
        return ip->credit_at;
    hd_cycle at = n->now;
    if (ip->credit_at != HD_NEVER && at <= ip->credit_at)
        at = ip->credit_at + 1;
    ip->credit_at = at;
    ip->credit_step = n->step;
    return at;
}

/* The flit at the front of active input VC i goes through the switch.  Returns whether the VC
 * wants the switch again in the next step. */
ALWAYS_INLINE bool depart(struct noc *n, struct router *r, uint32_t i, const bool sped)
{
    struct ivc *iv = &n->ivc[i];
    struct oport *op = &n->oport[r->first_out + iv->out];
    struct ovc *ov = &n->ovc[iv->ovc];
    struct iport *ip = &n->iport[iv->port];
    uint32_t vc = iv->ovc & ((1u << n->vc_shift) - 1);
    uint32_t flit = flit_ring(n, i)[iv->head];

    iv->head = (uint16_t)((iv->head + 1) & ((1u << n->ring_shift) - 1));
    iv->count--;
    ov->credits--;
    op->flits++;
    hd_cycle arrive = (sped ? sped_leave(n, op) : n->now) + op->delay;
    if (op->is_eject)
        wheel_add(&n->ejections, arrive, (uint64_t)(op->dst + vc) << 32 | flit);
    else
        wheel_add(&n->arrivals, arrive, (uint64_t)(op->dst + n->vc_bit[vc]) << 32 | flit);
    wheel_add(&n->credits, (sped ? sped_credit(n, ip) : n->now) + ip->credit_delay,
              ip->credit_ovc + iv->vc);
    if (flit & FLIT_TAIL) {
        op->free |= 1u << vc;
        ov->owner = NO_OWNER;
        set_bit(r->va_free, iv->request);
        if (iv->count)
            router_begin_packet(n, i, n->step + 1);
        else
            iv->state = VC_IDLE;
        return false;
    }
    return iv->count && ov->credits;
}

#endif
