/* router_common.h - the moves that both routers make: taking an output VC, sending a flit. */
#ifndef HEDDLE_NOC_ROUTER_COMMON_H
#define HEDDLE_NOC_ROUTER_COMMON_H

#include "noc/net_priv.h"
#include "noc/shared.h"

/* Compiled twice, for any x86-64 and for one with BMI, and chosen at start: searching and
 * clearing bits is what a router does most. */
#if defined(__x86_64__) && !defined(__BMI2__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define HOT_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define HOT_CLONES
#endif

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

/* The same with the summary of the mask; from may be past the end. */
ALWAYS_INLINE uint32_t next_bit_summed(const uint64_t *mask, uint64_t sum, uint32_t words,
                                       uint32_t from)
{
    uint32_t w = from >> 6;
    if (w < words) {
        uint64_t x = mask[w] >> (from & 63) << (from & 63);
        if (x)
            return w << 6 | (uint32_t)__builtin_ctzll(x);
        uint64_t above = sum & ~((2ull << w) - 1);
        sum = above ? above : sum;
    }
    w = (uint32_t)__builtin_ctzll(sum);
    return w << 6 | (uint32_t)__builtin_ctzll(mask[w]);
}

/* What the compiler may take as given: the masks of the router are one word each, or may be so;
 * several steps per cycle; one VC class; side ports; channels with several
 * writers; all channels alike, routes in tables and one lane per
 * port; and the width of a VC number. */
struct mode {
    bool small, mixed, sped, one_class, uniform;
    bool sides, shared;
    uint32_t vc_shift;
};

/* Ends of the lists that flits and credits of this step go to, where all channels are alike. */
struct outbox {
    uint64_t *arrive, *eject, *credit;
};

/* Asks the topology. */
struct route router_ask_topology(const struct noc *n, const struct ivc *iv, struct packet *p);

/* The packet at the front of an input VC starts: finds its route where that is fixed. */
ALWAYS_INLINE void start_packet(struct noc *n, struct ivc *iv, const bool uniform)
{
    struct router *r = iv->router;
    struct packet *p = &n->pool->at[iv->ring[iv->head] & ~FLIT_TAIL];
    p->hops++;
    iv->state = VC_WAITING;
    if (uniform || n->fixed_routes) {
        iv->out = iv->request = __builtin_expect(r->table != NULL, 1)
                                    ? r->table[p->dst]
                                    : router_ask_topology(n, iv, p).out;
        iv->op = r->op + iv->out;
    }
}

/* Asks the topology for a route that is not fixed.  It may look at the state of the network, so
 * this is done when route computation ends, before anything moves in that step. */
static inline void ask_route(struct noc *n, struct ivc *iv)
{
    if (n->fixed_routes)
        return;
    struct packet *p = &n->pool->at[iv->ring[iv->head] & ~FLIT_TAIL];
    struct route to = router_ask_topology(n, iv, p);
    iv->span = to.span;
    iv->out = to.out;
    iv->op = iv->router->op + to.out;
    iv->vclass = (uint8_t)(p->msgclass * n->subclasses + to.vclass);
    iv->request = (uint16_t)(to.out * n->vclasses + iv->vclass);
}

ALWAYS_INLINE void unbid_switch(struct router *r, const struct ivc *iv, const struct mode m)
{
    if (m.small || r->is_small) {
        uint64_t *w = r->va_has;
        if ((w[SA_MASK + iv->out] &= ~(1ull << iv->bit)) == 0)
            if ((w[SA_HAS] &= ~(1ull << iv->out)) == 0)
                *r->sa_active &= ~r->active_bit;
        return;
    }
    if (clear_summed(r->sa_mask + (uint64_t)iv->out * r->words, iv->bit, &r->sa_sum[iv->out]))
        clear_bit(r->sa_has, iv->out);
}

ALWAYS_INLINE void unbid_vc(struct router *r, const struct ivc *iv, const struct mode m)
{
    if (m.small || r->is_small) {
        if ((r->va_mask[iv->request] &= ~(1ull << iv->bit)) == 0)
            r->va_has[VA_HAS] &= ~(1ull << iv->request);
        return;
    }
    if (clear_summed(r->va_mask + (uint64_t)iv->request * r->words, iv->bit,
                     &r->va_sum[iv->request]))
        clear_bit(r->va_has, iv->request);
}

/* An input VC gets VC `vc` of the output it was routed to; its bid is already withdrawn. */
ALWAYS_INLINE void take_vc(struct noc *n, struct router *r, struct ivc *iv, uint32_t vc,
                           const struct mode m)
{
    uint32_t mine = m.one_class ? ~0u : n->class_vcs[iv->vclass];
    struct ovc *ov = r->ovc + ((uint32_t)iv->out << m.vc_shift) + vc;
    if (m.shared)
        ov = n->ovc + ((uint64_t)shared_row(n, (uint32_t)(iv->op - n->oport)) << m.vc_shift) + vc;
    iv->op->free &= ~(1u << vc);
    if (!(iv->op->free & mine)) {
        if (m.small)
            r->va_has[VA_FREE] &= ~(1ull << iv->request);
        else
            clear_bit(r->va_free, iv->request);
    }
    iv->ov = ov;
    iv->vc = (uint8_t)vc;
    iv->state = VC_ACTIVE;
    ov->owner = r->first_ivc + iv->bit;
    if (m.shared)
        shared_sync(n, iv, false);
    if (!ov->credits)
        return;
    if (m.small) {
        r->va_has[SA_MASK + iv->out] |= 1ull << iv->bit;
        r->va_has[SA_HAS] |= 1ull << iv->out;
        *r->sa_active |= r->active_bit;
    } else {
        bid_switch(iv);
    }
}

/* The cycle in which a flit granted in the current step leaves on its channel when the router
 * makes several steps per cycle; an output FIFO lets one flit leave per cycle. */
static inline hd_cycle sped_leave(struct noc *n, const struct router *r, struct oport *op)
{
    hd_cycle at = n->now;
    uint64_t ahead = n->substep + (uint64_t)r->st_steps;
    for (uint64_t k = n->substeps; ahead >= k;) {
        ahead -= k;
        at++;
        k = ((at + 1) * n->speed >> 10) - (at * n->speed >> 10);
    }
    if (op->sent_at != HD_NEVER && at <= op->sent_at) {
        at = op->sent_at + 1;
        HD_ASSERT(at - n->now < n->reach, "%s: an output FIFO of %llu flits", n->c.path,
                  (unsigned long long)(at - n->now));
    }
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
    if (ip->credit_at != HD_NEVER && at <= ip->credit_at) {
        at = ip->credit_at + 1;
        HD_ASSERT(at - n->now < n->reach, "%s: credits wait for %llu cycles", n->c.path,
                  (unsigned long long)(at - n->now));
    }
    ip->credit_at = at;
    ip->credit_step = n->step;
    return at;
}

ALWAYS_INLINE void return_credit(struct noc *n, const struct ivc *iv, const struct mode m)
{
    hd_cycle leaves = m.sped ? sped_credit(n, &n->iport[iv->port]) : n->now;
    wheel_add_checked(&n->credits, leaves + iv->credit_delay, iv->credit_ovc);
}

/* The flit at the front of an active input VC goes through the switch.  Returns whether the VC
 * wants the switch again in the next step. */
ALWAYS_INLINE bool depart(struct noc *n, struct router *r, struct ivc *iv, struct outbox *box,
                          const struct mode m)
{
    struct oport *op = iv->op;
    struct ovc *ov = iv->ov;
    uint32_t flit = iv->ring[iv->head], vc = iv->vc;

    iv->head = (uint16_t)((iv->head + 1) & n->ring_mask);
    iv->count--;
    ov->credits--;
    op->flits++;
    if (m.uniform) {
        *box->credit++ = iv->credit_ovc;
        if (op->is_eject)
            *box->eject++ = (uint64_t)(op->dst + vc) << 32 | flit;
        else
            *box->arrive++ = (uint64_t)(op->dst + vc) << 32 | flit;
    } else {
        hd_cycle arrive = (m.sped ? sped_leave(n, r, op) : n->now) + op->delay;
        if (op->is_eject)
            wheel_add_checked(&n->ejections, arrive, (uint64_t)(op->dst + vc) << 32 | flit);
        else
            wheel_add_checked(&n->arrivals, arrive,
                              (uint64_t)(op->dst + n->vc_bit[vc]) << 32 | flit);
        if (!m.sides || iv->credit_ovc != NO_OWNER)
            return_credit(n, iv, m);
    }
    if (flit & FLIT_TAIL) {
        op->free |= 1u << vc;
        ov->owner = NO_OWNER;
        if (m.small)
            r->va_has[VA_FREE] |= 1ull << iv->request;
        else
            set_bit(r->va_free, iv->request);
        if (m.small ? r->va_has[VA_HAS] != 0 : test_bit(r->va_has, iv->request))
            *r->va_active |= r->active_bit; /* somebody waits for a VC */
        if (m.shared)
            shared_sync(n, iv, true);
        iv->state = VC_IDLE;
        return false;
    }
    return iv->count && ov->credits;
}

/* After the tail of one packet, the next one in the same buffer starts. */
ALWAYS_INLINE void next_packet(struct noc *n, struct ivc *iv)
{
    if (iv->state == VC_IDLE && iv->count)
        router_begin_packet(n, iv, n->step + 1);
}

/* Routers to visit in one word of a set. */
ALWAYS_INLINE uint64_t to_visit(const struct noc *n, const uint64_t *set, uint32_t w)
{
    if (!n->no_skip)
        return set[w];
    return w == n->nrouters >> 6 ? (1ull << (n->nrouters & 63)) - 1 : ~0ull;
}

#define EACH_ROUTER(n, set, r)                                                                     \
    for (uint32_t w_ = 0; w_ < (n)->active_words; w_++)                                            \
        for (uint64_t q_ = to_visit(n, set, w_);                                                   \
             q_ && (r = &(n)->router[w_ << 6 | (uint32_t)__builtin_ctzll(q_)], true);              \
             q_ &= q_ - 1)

/* A packet for which one of several outputs will do waits for the round-robin unit instead. */
ALWAYS_INLINE bool goes_to_unit(struct noc *n, struct ivc *iv, const struct mode m)
{
    if (m.uniform || iv->span <= 1)
        return false;
    port_unit_add(n, iv);
    return true;
}

/* Whether a router has something to give and somebody who wants it. */
static inline bool can_give(const struct router *r)
{
    for (uint32_t w = 0; w < r->req_words; w++)
        if (r->va_has[w] & r->va_free[w])
            return true;
    return false;
}

#endif
