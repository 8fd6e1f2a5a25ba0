/* router_slow.c - the router of router.c with every option: one step of it.
 *
 * Allocators (router_slow_vc.c, router_slow_switch.c): iSLIP with several iterations, or separable
 * input-first.  Arbiters: round-robin, or matrix, which serves the requester that was served least
 * recently.
 *
 * Speculation (Peh & Dally, HPCA 2001): a head flit bids for the switch while it bids for a VC.
 * Such a bid yields to any other bid of the same switch input for that output, and a grant is
 * wasted when the VC was not won as well.
 *
 * Allocation of several cycles: a bid is decided in its first cycle and takes effect in its
 * last, when it is checked again; whoever lost bids again after the full time.  Pipelined, an
 * allocator takes new bids in every cycle; with alloc_holds, for a switch input, an output or a VC
 * that it has matched only when that match has taken effect. */
#include <string.h>

#include "noc/router_slow.h"

static uint64_t *slow_words(struct arena *a, uint64_t n)
{
    return ARENA_ARRAY(a, uint64_t, n + 1);
}

static void init_matrices(struct noc *n, struct arena *a, struct slow_state *s)
{
    s->sa_out = ARENA_ARRAY(a, uint64_t *, n->nouts + 1);
    s->sa_lane = ARENA_ARRAY(a, uint64_t *, n->nlanes + 1);
    s->va_ovc = ARENA_ARRAY(a, uint64_t *, ((uint64_t)n->nouts << n->vc_shift) + 1);
    s->va_ivc = ARENA_ARRAY(a, uint64_t *, n->nivcs + 1);
    for (uint32_t id = 0; id < n->nrouters; id++) {
        const struct router *r = &n->router[id];
        uint32_t bits = (uint32_t)r->nlanes << n->lane_shift;
        for (uint32_t o = 0; o < r->nout; o++)
            s->sa_out[r->first_out + o] = slow_words(a, r->nlanes);
        for (uint32_t l = 0; l < r->nlanes; l++)
            s->sa_lane[r->first_lane + l] = slow_words(a, r->nout);
        for (uint32_t v = 0; v < (uint32_t)r->nout << n->vc_shift; v++)
            s->va_ovc[(r->first_out << n->vc_shift) + v] = slow_words(a, bits);
        for (uint32_t b = 0; b < bits; b++)
            s->va_ivc[r->first_ivc + b] = slow_words(a, (uint64_t)r->nout << n->vc_shift);
    }
}

static void init_held(const struct noc *n, struct arena *a, struct slow_state *s)
{
    s->held = ARENA_NEW(a, struct slow_held);
    s->held->out_until = slow_words(a, n->nouts);
    s->held->lane_until = slow_words(a, n->nlanes);
    s->held->vcs = ARENA_ARRAY(a, uint32_t, n->nouts + 1);
}

void router_slow_init(struct noc *n, struct arena *a)
{
    struct slow_state *s = ARENA_NEW(a, struct slow_state);
    uint32_t nlanes = 0, nout = 0;
    for (uint32_t id = 0; id < n->nrouters; id++) {
        nlanes = n->router[id].nlanes > nlanes ? n->router[id].nlanes : nlanes;
        nout = n->router[id].nout > nout ? n->router[id].nout : nout;
    }
    s->va_separable = strcmp(n->spec.vc_allocator, "separable") == 0;
    s->sa_separable = strcmp(n->spec.sw_allocator, "separable") == 0;
    s->matrix = strcmp(n->spec.arbiter, "matrix") == 0;
    s->lane_words = (nlanes + 63) / 64;
    s->out_words = (nout + 63) / 64;
    s->by_out = slow_words(a, (uint64_t)nout * s->lane_words);
    s->by_lane = slow_words(a, (uint64_t)nlanes * s->out_words);
    s->picked = slow_words(a, n->nscratch / 64 + 1);
    s->granted = slow_words(a, s->lane_words);
    s->out_of_lane = ARENA_ARRAY(a, uint32_t, nlanes + 1);
    s->bidders = slow_words(a, n->nscratch / 64 + 1);
    if (s->matrix)
        init_matrices(n, a, s);
    if (n->spec.alloc_holds)
        init_held(n, a, s);
    uint32_t steps = 1;
    for (uint32_t id = 0; id < n->nrouters; id++) {
        const struct router *r = &n->router[id];
        uint32_t longer = r->va_steps > r->sa_steps ? r->va_steps : r->sa_steps;
        steps = longer > steps ? longer : steps;
    }
    wheel_init(&n->va_retry, a, steps + 2, n->nivcs);
    wheel_init(&n->va_commit, a, steps + 2, n->nivcs);
    wheel_init(&n->sa_retry, a, steps + 2, n->nivcs);
    wheel_init(&n->sa_commit, a, steps + 2, 2ull * n->nivcs);
    n->slow = s;
}

static void send_away(struct noc *n, struct router *r, uint32_t out)
{
    const uint64_t *mask = r->sa_mask + (uint64_t)out * r->words;
    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t b = mask[w]; b; b &= b - 1) {
            uint32_t bit = w << 6 | (uint32_t)__builtin_ctzll(b);
            struct ivc *iv = r->ivc + bit;
            if (lane_is_held(n, r->first_lane + (bit >> n->lane_shift)))
                continue; /* it has not bid */
            unbid_switch(r, iv, mode_of(n));
            if (iv->state == VC_ALLOCATING)
                continue; /* a winner, already on its way */
            iv->state = VC_ALLOCATING;
            wheel_add(&n->sa_retry, n->step, r->sa_steps, ivc_number(n, iv));
        }
    }
}

/* With several cycles every bidder is away until its result is known; those for a bus that is not
 * theirs, or for what the allocator is still at work on, have not bid. */
static void enter_pipeline(struct noc *n, struct router *r)
{
    for (uint32_t w = 0; w < r->out_words; w++) {
        for (uint64_t m = r->sa_has[w]; m; m &= m - 1) {
            uint32_t out = w << 6 | (uint32_t)__builtin_ctzll(m);
            if (shared_may_send(n, r->first_out + out) && !out_is_held(n, r->first_out + out))
                send_away(n, r, out);
        }
    }
}

static void hold(struct noc *n, const struct router *r)
{
    const struct slow_state *s = n->slow;
    for (uint32_t lane = 0; lane < r->nlanes; lane++)
        if (s->out_of_lane[lane] != NO_OWNER) {
            s->held->lane_until[r->first_lane + lane] = n->step + r->sa_steps;
            s->held->out_until[r->first_out + s->out_of_lane[lane]] = n->step + r->sa_steps;
        }
}

static void give_vcs(struct noc *n, struct router *r, uint32_t request)
{
    if (shared_may_get_vc(n, r->first_out + request / n->vclasses, request % n->vclasses))
        slow_allocate_vcs(n, r, request);
}

static void step_router(struct noc *n, struct router *r)
{
    const struct slow_state *s = n->slow;
    slow_decide_switch(n, r);
    for (uint32_t lane = 0; lane < r->nlanes; lane++) {
        if (s->out_of_lane[lane] == NO_OWNER)
            continue;
        bool spec;
        uint32_t i = r->first_ivc + slow_choose_vc(n, r, lane, s->out_of_lane[lane], &spec);
        wheel_add(&n->sa_commit, n->step, r->sa_steps - 1, i);
        if (n->shared)
            shared_granted(n, r->first_out + s->out_of_lane[lane], &n->ivc[i]);
        if (r->sa_steps > 1 && !spec)
            n->ivc[i].state = VC_ALLOCATING;
    }
    if (r->sa_steps > 1)
        enter_pipeline(n, r);
    if (s->held)
        hold(n, r);
    for (uint32_t w = 0; w < r->req_words; w++)
        for (uint64_t m = r->va_has[w] & r->va_free[w]; m; m &= m - 1)
            give_vcs(n, r, w << 6 | (uint32_t)__builtin_ctzll(m));
}

/* ---- what is due in this step ---- */

static void retry_vcs(struct noc *n)
{
    struct due d = wheel_take(&n->va_retry, n->step);
    for (; d.at < d.end; d.at++)
        bid_vc(&n->ivc[*d.at]);
}

static void retry_switch(struct noc *n)
{
    struct due d = wheel_take(&n->sa_retry, n->step);
    for (; d.at < d.end; d.at++) {
        struct ivc *iv = &n->ivc[*d.at];
        iv->state = VC_ACTIVE;
        if (iv->count && iv->ov->credits)
            bid_switch(iv);
    }
}

static void commit_vcs(struct noc *n)
{
    struct due d = wheel_take(&n->va_commit, n->step);
    for (; d.at < d.end; d.at++) {
        uint32_t i = (uint32_t)*d.at, vc = (uint32_t)(*d.at >> 32);
        struct ivc *iv = &n->ivc[i];
        if (n->slow->held)
            n->slow->held->vcs[iv->op - n->oport] &= ~(1u << vc);
        if (iv->op->free >> vc & 1)
            take_vc(n, iv->router, iv, vc, mode_of(n));
        else
            wheel_add(&n->va_retry, n->step, 1, i); /* taken by a bid decided earlier */
    }
}

/* Sends the flit at the front; returns whether the VC wants the switch again. */
static bool send_front(struct noc *n, struct ivc *iv)
{
    uint32_t packet = iv->ring[iv->head] & ~FLIT_TAIL;
    bool keeps = n->slow->kept != NULL;
    if (!iv->ov->credits)
        return false;
    if (keeps && aside_is_kept(n, iv))
        return true; /* its output went to somebody who keeps it, decided earlier */
    bool again = depart(n, iv->router, iv, NULL, mode_of(n));
    if (keeps)
        aside_sent(n, iv, packet);
    return again;
}

static void commit_switch(struct noc *n)
{
    struct due d = wheel_take(&n->sa_commit, n->step);
    for (; d.at < d.end; d.at++) {
        struct ivc *iv = &n->ivc[*d.at];
        if (iv->state == VC_WAITING)
            continue; /* speculated, but got no VC */
        iv->state = VC_ACTIVE;
        if (send_front(n, iv)) {
            bid_switch(iv);
        } else {
            unbid_switch(iv->router, iv, mode_of(n));
            if (iv->state == VC_IDLE && iv->count)
                router_slow_begin(n, iv, n->step + 1);
        }
    }
}

static bool wants_switch(const struct router *r)
{
    for (uint32_t w = 0; w < r->out_words; w++)
        if (r->sa_has[w])
            return true;
    return false;
}

void router_slow_begin(struct noc *n, struct ivc *iv, uint64_t step)
{
    start_packet(n, iv, false);
    if (n->aside && aside_stops(n, iv, step))
        return;
    wheel_add(&n->routed, n->step, step - n->step + iv->router->route_steps, ivc_number(n, iv));
}

void router_slow_arrive(struct noc *n, const uint64_t *at, const uint64_t *end)
{
    for (; at < end; at++) {
        struct ivc *iv = &n->ivc[*at >> 32];
        iv->ring[(iv->head + iv->count) & n->ring_mask] = (uint32_t)*at;
        if (n->aside)
            aside_came(n, iv, (uint32_t)*at);
        HD_ASSERT(iv->count < n->spec.depth, "%s: VC buffer overflows", n->c.path);
        if (iv->count++ > 0)
            continue;
        if (iv->state == VC_IDLE)
            router_slow_begin(n, iv, n->step);
        else if (iv->state == VC_ACTIVE && iv->ov->credits)
            bid_switch(iv);
    }
}

static void take_routed(struct noc *n)
{
    struct due d = wheel_take(&n->routed, n->step);
    for (; d.at < d.end; d.at++) {
        struct ivc *iv = &n->ivc[*d.at];
        ask_route(n, iv);
        if (!goes_to_unit(n, iv, mode_of(n)))
            bid_vc(iv);
    }
    if (n->ngroups)
        port_unit_step(n);
}

void router_slow_step(struct noc *n)
{
    struct router *r;
    if (n->aside) {
        if (n->substep == 0)
            aside_cycle(n);
        aside_step(n);
    }
    take_routed(n);
    retry_vcs(n);
    retry_switch(n);
    for (uint32_t w = 0; w < n->active_words; w++)
        n->sa_active[w] |= n->va_active[w];
    if (n->shared)
        shared_arbitrate(n);
    EACH_ROUTER(n, n->sa_active, r)
    step_router(n, r);
    commit_vcs(n);
    commit_switch(n);
    EACH_ROUTER(n, n->sa_active, r)
    {
        if (!wants_switch(r))
            *r->sa_active &= ~r->active_bit;
        if (!can_give(r))
            *r->va_active &= ~r->active_bit;
    }
}
