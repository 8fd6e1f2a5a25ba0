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
 * (other allocators and arbiters, speculation, multi-cycle allocation).
 *
 * The step is compiled once per `struct mode`: for routers with at most 64 input VCs all masks
 * are single words and all shifts constants, which is most of the speed. */
#include "noc/router_common.h"

struct route router_ask_topology(const struct noc *n, const struct ivc *iv, struct packet *p)
{
    const struct router *r = iv->router;
    return n->route(&n->view, n->route_ctx, r->id, iv->port - r->first_in, p);
}

/* The packet at the front of an idle input VC starts; it can bid for an output VC from `step` +
 * routing delay on. */
void router_begin_packet(struct noc *n, struct ivc *iv, uint64_t step)
{
    start_packet(n, iv, n->uniform);
    wheel_add(&n->routed, n->step, step - n->step + n->route_steps, ivc_number(n, iv));
}

ALWAYS_INLINE void arrive(struct noc *n, const uint64_t *at, const uint64_t *end,
                          const bool uniform)
{
    const uint32_t ring_mask = n->ring_mask;
    uint64_t **routed = wheel_end(&n->routed, n->step, n->route_steps);
    for (; at < end; at++) {
        struct ivc *iv = &n->ivc[*at >> 32];
        iv->ring[(iv->head + iv->count) & ring_mask] = (uint32_t)*at;
        if (iv->count++ > 0) {
            HD_ASSERT(iv->count <= n->spec.depth, "%s: VC buffer overflows", n->c.path);
        } else if (iv->state == VC_IDLE) {
            start_packet(n, iv, uniform);
            *(*routed)++ = *at >> 32;
        } else if (iv->state == VC_ACTIVE && iv->ov->credits) {
            bid_switch(iv);
        }
    }
}

HOT_CLONES void router_arrive(struct noc *n, const uint64_t *at, const uint64_t *end)
{
    if (n->uniform)
        arrive(n, at, end, true);
    else if (!n->fast)
        router_slow_arrive(n, at, end);
    else
        arrive(n, at, end, false);
}

/* ---- the switch ---- */

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

/* Input VC `vc` of lane `l` sends to `out`: moves the pointers past them.  A pointer past the end
 * is as good as one at the start. */
ALWAYS_INLINE struct ivc *match(struct router *r, uint32_t l, uint32_t vc, uint32_t out,
                                const uint32_t shift, const bool small)
{
    struct lane *lane = r->lane + l;
    uint32_t next = (l + 1) << shift;
    lane->vc = (uint16_t)(vc + 1);
    lane->accept = (uint16_t)(out + 1);
    r->op[out].grant = small ? next & 63 : next;
    return r->ivc + (l << shift | vc);
}

/* The VC of a lane that sends, of those in `bits`. */
ALWAYS_INLINE uint32_t choose_vc(const struct router *r, uint32_t l, uint64_t bits,
                                 const uint32_t shift)
{
    return next_bit32((uint32_t)(bits & ((1ull << (1u << shift)) - 1)), r->lane[l].vc);
}

/* Two outputs granted the same lane: collects all grants and lets each lane accept one. */
static struct ivc **decide_contended(struct router *r, struct ivc **send, uint32_t shift)
{
    const uint64_t *masks = r->va_has + SA_MASK;
    uint64_t seen = 0;
    struct accept best[64];
    for (uint64_t outs = r->va_has[SA_HAS]; outs; outs &= outs - 1) {
        uint32_t out = (uint32_t)__builtin_ctzll(outs);
        uint32_t l = next_bit64(masks[out], r->op[out].grant) >> shift;
        offer(&best[l], !(seen >> l & 1), r->lane + l, out, r->nout);
        seen |= 1ull << l;
    }
    for (; seen; seen &= seen - 1) {
        uint32_t l = (uint32_t)__builtin_ctzll(seen), out = best[l].out;
        uint32_t vc = choose_vc(r, l, masks[out] >> (l << shift), shift);
        *send++ = match(r, l, vc, out, shift, true);
    }
    return send;
}

/* Decides the switch of a small router; returns the end of the list of input VCs that send.
 * Usually an output has one bidder, and no lane gets two grants. */
ALWAYS_INLINE struct ivc **decide_small(struct router *r, struct ivc **send, const uint32_t shift)
{
    const uint64_t wanted = r->va_has[SA_HAS], *masks = r->va_has + SA_MASK;
    uint8_t granted[64];
    uint64_t seen = 0;
    uint32_t k = 0;
    for (uint64_t outs = wanted; outs; outs &= outs - 1) {
        uint32_t out = (uint32_t)__builtin_ctzll(outs);
        uint32_t bit = next_bit64(masks[out], r->op[out].grant);
        uint64_t lane = 1ull << (bit >> shift);
        if (seen & lane)
            return decide_contended(r, send, shift);
        seen |= lane;
        granted[k++] = (uint8_t)bit;
    }
    k = 0;
    for (uint64_t outs = wanted; outs; outs &= outs - 1) {
        uint32_t out = (uint32_t)__builtin_ctzll(outs);
        /* cppcheck-suppress uninitvar ; both loops run over the same outputs */
        uint32_t bit = granted[k++], l = bit >> shift;
        uint32_t vc = bit & ((1u << shift) - 1);
        if (!is_single(masks[out]))
            vc = choose_vc(r, l, masks[out] >> (l << shift), shift);
        *send++ = match(r, l, vc, out, shift, true);
    }
    return send;
}

static struct ivc **decide_large(struct noc *n, struct router *r, struct ivc **send)
{
    struct accept *best = (struct accept *)n->scratch; /* all ones: no grant yet */
    uint32_t *lanes = n->scratch + n->nscratch;
    uint32_t shift = n->lane_shift, k = 0;
    for (uint32_t w = 0; w < r->out_words; w++) {
        for (uint64_t outs = r->sa_has[w]; outs; outs &= outs - 1) {
            uint32_t out = w << 6 | (uint32_t)__builtin_ctzll(outs);
            const uint64_t *mask = r->sa_mask + (uint64_t)out * r->words;
            uint32_t l = next_bit_summed(mask, r->sa_sum[out], r->words, r->op[out].grant) >> shift;
            bool first = best[l].out == UINT16_MAX;
            offer(&best[l], first, r->lane + l, out, r->nout);
            if (first)
                lanes[k++] = l;
        }
    }
    for (uint32_t j = 0; j < k; j++) {
        uint32_t l = lanes[j], bit = l << shift, out = best[l].out;
        uint64_t word = r->sa_mask[(uint64_t)out * r->words + (bit >> 6)];
        best[l] = (struct accept){UINT16_MAX, UINT16_MAX};
        *send++ = match(r, l, choose_vc(r, l, word >> (bit & 63), shift), out, shift, false);
    }
    return send;
}

/* ---- output VCs ---- */

/* The bid of the input VC is already withdrawn. */
ALWAYS_INLINE void give_vc(struct noc *n, struct router *r, struct ivc *iv, uint32_t vc,
                           const struct mode m)
{
    take_vc(n, r, iv, vc, m);
    iv->ov->grant = (uint16_t)(m.small ? (iv->bit + 1u) & 63 : iv->bit + 1u);
    iv->accept = (uint16_t)(((uint32_t)iv->out << m.vc_shift) + vc + 1);
}

/* Where the round-robin pointer of an input VC stands among the VCs of its output. */
ALWAYS_INLINE uint32_t accept_start(const struct ivc *iv, const struct mode m)
{
    return (uint32_t)iv->accept >> m.vc_shift == iv->out ? iv->accept & ((1u << m.vc_shift) - 1)
                                                         : 0;
}

/* Several input VCs bid for the free VCs of one output: each VC grants one of them, each of them
 * accepts one grant. */
ALWAYS_INLINE void give_contended(struct noc *n, struct router *r, uint32_t request, uint32_t out,
                                  uint32_t free, const struct mode m)
{
    uint32_t bit[32], vc[32], k = 0;
    const uint64_t *mask = r->va_mask + (m.small ? request : (uint64_t)request * r->words);
    const struct ovc *ov = r->ovc + (out << m.vc_shift);
    for (; free; free &= free - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(free), j = 0;
        uint32_t b = m.small ? next_bit64(*mask, ov[v].grant)
                             : next_bit_summed(mask, r->va_sum[request], r->words, ov[v].grant);
        while (j < k && bit[j] != b)
            j++;
        if (j == k) {
            bit[k] = b;
            vc[k++] = v;
            continue;
        }
        uint32_t start = accept_start(r->ivc + b, m);
        if (vc[j] < start && v >= start)
            vc[j] = v;
    }
    for (uint32_t j = 0; j < k; j++) {
        unbid_vc(r, r->ivc + bit[j], m);
        give_vc(n, r, r->ivc + bit[j], vc[j], m);
    }
}

ALWAYS_INLINE void give_output(struct noc *n, struct router *r, uint32_t request,
                               const struct mode m)
{
    uint32_t out = m.one_class ? request : request / n->vclasses;
    uint32_t free = r->op[out].free;
    if (!m.one_class)
        free &= n->class_vcs[request % n->vclasses];
    const uint64_t *bids = r->va_mask + (m.small ? request : (uint64_t)request * r->words);
    uint32_t word = m.small ? 0 : (uint32_t)__builtin_ctzll(r->va_sum[request]);
    if ((m.small || is_single(r->va_sum[request])) && is_single(bids[word])) {
        struct ivc *iv = r->ivc + (word << 6 | (uint32_t)__builtin_ctzll(bids[word]));
        unbid_vc(r, iv, m);
        give_vc(n, r, iv, next_bit32(free, accept_start(iv, m)), m);
        return;
    }
    give_contended(n, r, request, out, free, m);
}

/* A packet whose route is known and that has joined the bidders: gets a VC at once if there is
 * one and nobody else wants it. */
ALWAYS_INLINE void give_or_bid(struct noc *n, struct ivc *iv, const struct mode m)
{
    struct router *r = iv->router;
    uint64_t *bids = r->va_mask + (m.small ? iv->request : (uint64_t)iv->request * r->words);
    uint32_t free = m.one_class ? iv->op->free : iv->op->free & n->class_vcs[iv->vclass];
    uint64_t *own = bids + (m.small ? 0 : iv->bit >> 6);
    if (!free || !is_single(*own) || !(m.small || is_single(r->va_sum[iv->request]))) {
        bid_vc(iv);
        return;
    }
    *own = 0;
    if (!m.small)
        r->va_sum[iv->request] = 0;
    give_vc(n, r, iv, next_bit32(free, accept_start(iv, m)), m);
}

/* ---- one step ---- */

ALWAYS_INLINE bool as_small(const struct router *r, const struct mode m)
{
    return m.small && (!m.mixed || r->is_small);
}

/* The mode for a router that is not small. */
ALWAYS_INLINE struct mode large_mode(const struct mode m)
{
    return (struct mode){
        .vc_shift = m.vc_shift, .one_class = m.one_class, .sped = m.sped, .uniform = m.uniform};
}

ALWAYS_INLINE struct ivc **decide(struct noc *n, struct router *r, struct ivc **send,
                                  const struct mode m)
{
    if (as_small(r, m))
        return decide_small(r, send, m.uniform ? m.vc_shift : n->lane_shift);
    struct ivc **end = decide_large(n, r, send);
    if (end == send)
        *r->sa_active &= ~r->active_bit;
    return end;
}

/* Gives away the output VCs for which several bid, or that were not free before. */
ALWAYS_INLINE void give(struct noc *n, struct router *r, const struct mode m)
{
    if (as_small(r, m)) {
        uint64_t *w = r->va_has;
        for (uint64_t q = w[VA_HAS] & w[VA_FREE]; q; q &= q - 1)
            give_output(n, r, (uint32_t)__builtin_ctzll(q), m);
    } else {
        for (uint32_t w = 0; w < r->req_words; w++)
            for (uint64_t q = r->va_has[w] & r->va_free[w]; q; q &= q - 1)
                give_output(n, r, w << 6 | (uint32_t)__builtin_ctzll(q), large_mode(m));
    }
    if (!can_give(r))
        *r->va_active &= ~r->active_bit;
}

/* The flits that were granted the switch move. */
ALWAYS_INLINE void move_all(struct noc *n, struct ivc **end, const struct mode m)
{
    uint64_t **arrive = wheel_end(&n->arrivals, n->now, n->arrive_delay);
    uint64_t **eject = wheel_end(&n->ejections, n->now, n->eject_delay);
    uint64_t **credit = wheel_end(&n->credits, n->now, n->credit_delay);
    struct outbox box = {*arrive, *eject, *credit};
    for (struct ivc **p = n->match; p < end; p++) {
        struct ivc *iv = *p;
        struct router *r = iv->router;
        bool again, small = as_small(r, m);
        again = small ? depart(n, r, iv, &box, m) : depart(n, r, iv, &box, large_mode(m));
        if (again)
            continue;
        if (small)
            unbid_switch(r, iv, m);
        else
            unbid_switch(r, iv, large_mode(m));
        next_packet(n, iv);
    }
    if (m.uniform) {
        *arrive = box.arrive;
        *eject = box.eject;
        *credit = box.credit;
    }
}

ALWAYS_INLINE void step(struct noc *n, struct due routed, const struct mode m)
{
    struct router *r;
    struct ivc **send = n->match;
    EACH_ROUTER(n, n->sa_active, r)
    send = decide(n, r, send, m);

    for (const uint64_t *i = routed.at; i < routed.end; i++) {
        if (!m.uniform)
            ask_route(n, &n->ivc[*i]);
        if (m.uniform || n->ivc[*i].span <= 1)
            join_bidders(&n->ivc[*i], m.small && !m.mixed);
    }
    for (const uint64_t *i = routed.at; i < routed.end; i++) {
        struct ivc *iv = &n->ivc[*i];
        if (goes_to_unit(n, iv, m))
            continue;
        if (as_small(iv->router, m))
            give_or_bid(n, iv, m);
        else
            give_or_bid(n, iv, large_mode(m));
    }
    if (n->ngroups)
        port_unit_step(n);
    EACH_ROUTER(n, n->va_active, r)
    give(n, r, m);

    move_all(n, send, m);
}

/* The most usual networks, by log2 of the VCs: uniform, and small routers only. */
#define STEP(shift)                                                                                \
    HOT_CLONES static void step_##shift(struct noc *n, struct due routed)                          \
    {                                                                                              \
        step(n, routed,                                                                            \
             (struct mode){.small = true, .one_class = true, .uniform = true, .vc_shift = shift}); \
    }
STEP(0)
STEP(1)
STEP(2)
STEP(3)
#undef STEP

HOT_CLONES static void step_uniform(struct noc *n, struct due routed)
{
    step(n, routed,
         (struct mode){.small = true,
                       .mixed = true,
                       .one_class = true,
                       .uniform = true,
                       .vc_shift = n->vc_shift});
}

HOT_CLONES static void step_usual(struct noc *n, struct due routed)
{
    step(n, routed, (struct mode){.small = true, .mixed = true, .vc_shift = n->vc_shift});
}

HOT_CLONES static void step_sped(struct noc *n, struct due routed)
{
    step(n, routed,
         (struct mode){.small = true, .mixed = true, .sped = true, .vc_shift = n->vc_shift});
}

void router_step_all(struct noc *n)
{
    static void (*const by_shift[])(struct noc *, struct due) = {step_0, step_1, step_2, step_3};
    if (!n->fast) {
        router_slow_step(n);
        return;
    }
    struct due routed = wheel_take(&n->routed, n->step); /* input VCs whose route is known */
    if (n->speed != 1024)
        step_sped(n, routed);
    else if (n->uniform && n->all_small && n->vc_shift < 4)
        by_shift[n->vc_shift](n, routed);
    else if (n->uniform)
        step_uniform(n, routed);
    else
        step_usual(n, routed);
}
