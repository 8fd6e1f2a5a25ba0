/* router_slow.c - the router of router.c with every option.
 *
 * Allocators: iSLIP with several iterations (pointers move in the first one only), or separable
 * input-first (an input picks one request, then an output picks one input; both pointers move
 * only when the pair is matched).  Arbiters: round-robin, or matrix, which serves the requester
 * that was served least recently.
 *
 * Speculation (Peh & Dally, HPCA 2001): a head flit bids for the switch while it bids for a VC.
 * Such a bid yields to any other bid of the same switch input for that output, and a grant is
 * wasted when the VC was not won as well.
 *
 * Allocation of several cycles: a bid is decided in its first cycle and takes effect in its
 * last, when it is checked again; whoever lost bids again after the full time. */
#include <string.h>

#include "noc/router_common.h"

static struct mode mode_of(const struct noc *n)
{
    return (struct mode){
        .sped = n->speed != 1024, .vc_shift = n->vc_shift, .one_class = n->vclasses == 1};
}

struct slow_state {
    bool va_separable, sa_separable, matrix;
    uint32_t lane_words, out_words; /* of the largest router */
    uint64_t *by_out;               /* [out][lane_words]: lanes that bid, or were picked */
    uint64_t *by_lane;              /* [lane][out_words]: outputs bid for, or grants */
    uint64_t *picked;      /* lanes, outputs or input VCs: picks for one member of the other side */
    uint32_t *out_of_lane; /* result: output matched to a lane, or NO_OWNER */
    uint64_t *bidders;     /* [words] input VCs of one request that have no VC yet */
    /* Matrix arbiters: the step in which each requester was served last. */
    uint64_t **sa_out, **sa_lane, **va_ovc, **va_ivc;
};

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
    s->out_of_lane = ARENA_ARRAY(a, uint32_t, nlanes + 1);
    s->bidders = slow_words(a, n->nscratch / 64 + 1);
    if (s->matrix)
        init_matrices(n, a, s);
    uint32_t steps = n->va_steps > n->sa_steps ? n->va_steps : n->sa_steps;
    wheel_init(&n->va_retry, a, steps + 2, n->nivcs);
    wheel_init(&n->va_commit, a, steps + 2, n->nivcs);
    wheel_init(&n->sa_retry, a, steps + 2, n->nivcs);
    wheel_init(&n->sa_commit, a, steps + 2, 2ull * n->nivcs);
    n->slow = s;
}

/* ---- arbiters ---- */

static uint32_t oldest(const uint64_t *served, const uint64_t *mask, uint32_t words)
{
    uint32_t best = NO_OWNER;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t m = mask[w]; m; m &= m - 1) {
            uint32_t b = w << 6 | (uint32_t)__builtin_ctzll(m);
            if (best == NO_OWNER || served[b] < served[best])
                best = b;
        }
    }
    return best;
}

static uint32_t pick_lane(const struct noc *n, const struct router *r, uint32_t out,
                          const uint64_t *lanes)
{
    uint32_t port = r->first_out + out;
    if (n->slow->matrix)
        return oldest(n->slow->sa_out[port], lanes, n->slow->lane_words);
    return next_bit_words(lanes, n->slow->lane_words, n->oport[port].grant >> n->lane_shift);
}

static uint32_t pick_out(const struct noc *n, const struct router *r, uint32_t lane,
                         const uint64_t *outs)
{
    uint32_t l = r->first_lane + lane;
    if (n->slow->matrix)
        return oldest(n->slow->sa_lane[l], outs, n->slow->out_words);
    return next_bit_words(outs, n->slow->out_words, n->lane[l].accept);
}

static uint32_t pick_ivc(const struct noc *n, const struct router *r, uint32_t o,
                         const uint64_t *bits)
{
    if (n->slow->matrix)
        return oldest(n->slow->va_ovc[o], bits, r->words);
    return next_bit_words(bits, r->words, n->ovc[o].grant);
}

/* Of the VCs `vcs` of output `out`, the one that input VC i prefers. */
static uint32_t pick_vc(const struct noc *n, const struct ivc *iv, uint32_t i, uint32_t vcs)
{
    uint32_t first = (uint32_t)iv->out << n->vc_shift;
    if (!n->slow->matrix)
        return next_bit32(vcs, iv->accept >> n->vc_shift == iv->out ? iv->accept - first : 0);
    const uint64_t *served = n->slow->va_ivc[i] + first;
    uint32_t best = (uint32_t)__builtin_ctz(vcs);
    for (uint32_t m = vcs & (vcs - 1); m; m &= m - 1)
        if (served[__builtin_ctz(m)] < served[best])
            best = (uint32_t)__builtin_ctz(m);
    return best;
}

static void served_switch(struct noc *n, struct router *r, uint32_t lane, uint32_t out)
{
    n->lane[r->first_lane + lane].accept = (uint16_t)(out + 1 == r->nout ? 0 : out + 1);
    n->oport[r->first_out + out].grant = lane + 1 == r->nlanes ? 0 : (lane + 1) << n->lane_shift;
    if (n->slow->matrix) {
        n->slow->sa_out[r->first_out + out][lane] = n->step + 1;
        n->slow->sa_lane[r->first_lane + lane][out] = n->step + 1;
    }
}

static void served_vc(struct noc *n, struct router *r, uint32_t bit, uint32_t out, uint32_t vc)
{
    uint32_t i = r->first_ivc + bit, o = (r->first_out + out) << n->vc_shift | vc;
    n->ovc[o].grant = (uint16_t)(bit + 1);
    n->ivc[i].accept = (uint16_t)((out << n->vc_shift) + vc + 1);
    if (n->slow->matrix) {
        n->slow->va_ovc[o][bit] = n->step + 1;
        n->slow->va_ivc[i][out << n->vc_shift | vc] = n->step + 1;
    }
}

/* ---- VC allocation: independent for each output and class ---- */

struct vc_match {
    uint32_t bit, vc;
};

static void withdraw(struct slow_state *s, struct vc_match m, uint32_t *free)
{
    clear_bit(s->bidders, m.bit);
    *free &= ~(1u << m.vc);
}

/* Grants by VCs, accepts by input VCs.  Returns the number of pairs. */
static uint32_t va_islip(struct noc *n, struct router *r, uint32_t out, uint32_t free,
                         struct vc_match *got)
{
    uint32_t grants[32], k = 0;
    struct vc_match won[32];
    uint32_t first = (r->first_out + out) << n->vc_shift;
    for (uint32_t m = free; m; m &= m - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(m), j = 0;
        uint32_t bit = pick_ivc(n, r, first | v, n->slow->bidders);
        while (j < k && won[j].bit != bit)
            j++;
        if (j == k) {
            won[k].bit = bit;
            grants[k++] = 0;
        }
        grants[j] |= 1u << v;
    }
    for (uint32_t j = 0; j < k; j++) {
        uint32_t i = r->first_ivc + won[j].bit;
        got[j] = (struct vc_match){won[j].bit, pick_vc(n, &n->ivc[i], i, grants[j])};
    }
    return k;
}

/* Each input VC picks one VC, then each VC one of those that picked it. */
static uint32_t va_separable(struct noc *n, struct router *r, uint32_t out, uint32_t free,
                             struct vc_match *got)
{
    uint32_t first = (r->first_out + out) << n->vc_shift, k = 0;
    uint64_t *picked = n->slow->picked;
    for (uint32_t m = free; m; m &= m - 1) {
        uint32_t v = (uint32_t)__builtin_ctz(m);
        bool wanted = false;
        memset(picked, 0, sizeof *picked * r->words);
        for (uint32_t w = 0; w < r->words; w++) {
            for (uint64_t b = n->slow->bidders[w]; b; b &= b - 1) {
                uint32_t bit = w << 6 | (uint32_t)__builtin_ctzll(b), i = r->first_ivc + bit;
                if (pick_vc(n, &n->ivc[i], i, free) != v)
                    continue;
                set_bit(picked, bit);
                wanted = true;
            }
        }
        if (wanted)
            got[k++] = (struct vc_match){pick_ivc(n, r, first | v, picked), v};
    }
    return k;
}

static bool any_bidder(const struct noc *n, const struct router *r)
{
    for (uint32_t w = 0; w < r->words; w++)
        if (n->slow->bidders[w])
            return true;
    return false;
}

/* The VC was decided; it is taken when the allocator is through. */
static void win_vc(struct noc *n, struct router *r, struct vc_match won)
{
    unbid_vc(r, r->ivc + won.bit, mode_of(n));
    wheel_add(&n->va_commit, n->step, n->va_steps - 1,
              (uint64_t)won.vc << 32 | (r->first_ivc + won.bit));
}

/* With allocation of several cycles the losers are away for as long as the winners. */
static void lose_vc(struct noc *n, struct router *r)
{
    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t b = n->slow->bidders[w]; b; b &= b - 1) {
            uint32_t bit = w << 6 | (uint32_t)__builtin_ctzll(b);
            unbid_vc(r, r->ivc + bit, mode_of(n));
            wheel_add(&n->va_retry, n->step, n->va_steps, r->first_ivc + bit);
        }
    }
}

static void allocate_vcs(struct noc *n, struct router *r, uint32_t request)
{
    struct slow_state *s = n->slow;
    uint32_t out = request / n->vclasses, cls = request % n->vclasses;
    uint32_t free = n->oport[r->first_out + out].free & n->class_vcs[cls];
    struct vc_match got[32];
    memcpy(s->bidders, r->va_mask + (uint64_t)request * r->words, sizeof *s->bidders * r->words);
    for (int64_t it = 0; it < n->spec.iterations && free && any_bidder(n, r); it++) {
        uint32_t k =
            s->va_separable ? va_separable(n, r, out, free, got) : va_islip(n, r, out, free, got);
        for (uint32_t j = 0; j < k; j++) {
            withdraw(s, got[j], &free);
            if (it == 0 || s->va_separable)
                served_vc(n, r, got[j].bit, out, got[j].vc);
            win_vc(n, r, got[j]);
        }
    }
    if (n->va_steps > 1)
        lose_vc(n, r);
}

/* ---- switch allocation ---- */

static bool can_speculate(const struct noc *n, const struct router *r, uint32_t request)
{
    uint32_t port = r->first_out + request / n->vclasses;
    uint32_t free = n->oport[port].free & n->class_vcs[request % n->vclasses];
    for (; free; free &= free - 1)
        if (n->ovc[port << n->vc_shift | (uint32_t)__builtin_ctz(free)].credits)
            return true;
    return false;
}

/* The bits of one lane that bid for `out`: `mask` is [words] of input VC bits. */
static uint32_t lane_bits(const struct noc *n, const uint64_t *mask, uint32_t lane)
{
    uint32_t bit = lane << n->lane_shift;
    return (uint32_t)(mask[bit >> 6] >> (bit & 63) & ((1ull << (1u << n->lane_shift)) - 1));
}

static void collect_lanes(struct noc *n, struct router *r, uint32_t out, const uint64_t *mask)
{
    struct slow_state *s = n->slow;
    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t b = mask[w]; b; b &= b - 1) {
            uint32_t lane = (w << 6 | (uint32_t)__builtin_ctzll(b)) >> n->lane_shift;
            set_bit(s->by_out + (uint64_t)out * s->lane_words, lane);
            set_bit(s->by_lane + (uint64_t)lane * s->out_words, out);
        }
    }
}

static void collect_bids(struct noc *n, struct router *r)
{
    struct slow_state *s = n->slow;
    memset(s->by_out, 0, sizeof *s->by_out * r->nout * s->lane_words);
    memset(s->by_lane, 0, sizeof *s->by_lane * r->nlanes * s->out_words);
    memset(s->out_of_lane, 0xff, sizeof *s->out_of_lane * r->nlanes);
    for (uint32_t out = 0; out < r->nout; out++)
        if (test_bit(r->sa_has, out))
            collect_lanes(n, r, out, r->sa_mask + (uint64_t)out * r->words);
    for (uint32_t q = 0; n->spec.speculative && q < r->nout * n->vclasses; q++)
        if (test_bit(r->va_has, q) && can_speculate(n, r, q))
            collect_lanes(n, r, q / n->vclasses, r->va_mask + (uint64_t)q * r->words);
}

static bool has_bits(const uint64_t *m, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (m[w])
            return true;
    return false;
}

static void pair_up(struct noc *n, struct router *r, uint32_t lane, uint32_t out, bool move)
{
    struct slow_state *s = n->slow;
    s->out_of_lane[lane] = out;
    memset(s->by_out + (uint64_t)out * s->lane_words, 0, sizeof *s->by_out * s->lane_words);
    memset(s->by_lane + (uint64_t)lane * s->out_words, 0, sizeof *s->by_lane * s->out_words);
    for (uint32_t o = 0; o < r->nout; o++)
        clear_bit(s->by_out + (uint64_t)o * s->lane_words, lane);
    for (uint32_t l = 0; l < r->nlanes; l++)
        clear_bit(s->by_lane + (uint64_t)l * s->out_words, out);
    if (move)
        served_switch(n, r, lane, out);
}

/* One iteration.  iSLIP: outputs pick lanes, lanes pick among those; input-first: the other way
 * round.  */
static void sa_islip(struct noc *n, struct router *r, bool move)
{
    struct slow_state *s = n->slow;
    uint32_t *grant = n->scratch + n->nscratch; /* lane granted by each output */
    for (uint32_t out = 0; out < r->nout; out++) {
        const uint64_t *lanes = s->by_out + (uint64_t)out * s->lane_words;
        grant[out] = has_bits(lanes, s->lane_words) ? pick_lane(n, r, out, lanes) : NO_OWNER;
    }
    for (uint32_t lane = 0; lane < r->nlanes; lane++) {
        uint64_t *outs = s->picked;
        bool any = false;
        memset(outs, 0, sizeof *outs * s->out_words);
        for (uint32_t out = 0; out < r->nout; out++) {
            if (grant[out] == lane) {
                set_bit(outs, out);
                any = true;
            }
        }
        if (any)
            pair_up(n, r, lane, pick_out(n, r, lane, outs), move);
    }
}

/* Whether `lane` has a bid for `out` that is not speculative. */
static bool is_real(const struct noc *n, const struct router *r, uint32_t lane, uint32_t out)
{
    return lane_bits(n, r->sa_mask + (uint64_t)out * r->words, lane) != 0;
}

/* The output a lane picks, real bids before speculative ones, or NO_OWNER. */
static uint32_t lane_pick(struct noc *n, struct router *r, uint32_t lane)
{
    struct slow_state *s = n->slow;
    const uint64_t *outs = s->by_lane + (uint64_t)lane * s->out_words;
    if (!has_bits(outs, s->out_words))
        return NO_OWNER;
    memset(s->picked, 0, sizeof *s->picked * s->out_words);
    for (uint32_t out = 0; out < r->nout; out++)
        if (test_bit(outs, out) && is_real(n, r, lane, out))
            set_bit(s->picked, out);
    return pick_out(n, r, lane, has_bits(s->picked, s->out_words) ? s->picked : outs);
}

static void sa_input_first(struct noc *n, struct router *r)
{
    struct slow_state *s = n->slow;
    uint32_t *pick = n->scratch + n->nscratch; /* output picked by each lane */
    for (uint32_t lane = 0; lane < r->nlanes; lane++)
        pick[lane] = lane_pick(n, r, lane);
    for (uint32_t out = 0; out < r->nout; out++) {
        for (int real = 1; real >= 0; real--) {
            memset(s->picked, 0, sizeof *s->picked * s->lane_words);
            for (uint32_t lane = 0; lane < r->nlanes; lane++)
                if (pick[lane] == out && (!real || is_real(n, r, lane, out)))
                    set_bit(s->picked, lane);
            if (!has_bits(s->picked, s->lane_words))
                continue;
            pair_up(n, r, pick_lane(n, r, out, s->picked), out, true);
            break;
        }
    }
}

/* The input VC of `lane` that goes to `out`: a real bid before a speculative one. */
static uint32_t choose_vc(struct noc *n, struct router *r, uint32_t lane, uint32_t out, bool *spec)
{
    struct lane *l = &n->lane[r->first_lane + lane];
    uint32_t bits = lane_bits(n, r->sa_mask + (uint64_t)out * r->words, lane);
    *spec = bits == 0;
    for (uint32_t c = 0; *spec && c < n->vclasses; c++) {
        uint32_t q = out * n->vclasses + c;
        if (test_bit(r->va_has, q) && can_speculate(n, r, q))
            bits |= lane_bits(n, r->va_mask + (uint64_t)q * r->words, lane);
    }
    uint32_t place = next_bit32(bits, l->vc);
    l->vc = (uint16_t)(place + 1);
    return lane << n->lane_shift | place;
}

/* With several cycles every bidder is away until its result is known. */
static void enter_pipeline(struct noc *n, struct router *r)
{
    for (uint32_t out = 0; out < r->nout; out++) {
        uint64_t *mask = r->sa_mask + (uint64_t)out * r->words;
        for (uint32_t w = 0; w < r->words; w++) {
            for (uint64_t b = mask[w]; b; b &= b - 1) {
                struct ivc *iv = r->ivc + (w << 6 | (uint32_t)__builtin_ctzll(b));
                unbid_switch(r, iv, mode_of(n));
                if (iv->state == VC_ALLOCATING)
                    continue; /* a winner, already on its way */
                iv->state = VC_ALLOCATING;
                wheel_add(&n->sa_retry, n->step, n->sa_steps, ivc_number(n, iv));
            }
        }
    }
}

void router_slow_step(struct noc *n, struct router *r)
{
    struct slow_state *s = n->slow;
    collect_bids(n, r);
    for (int64_t it = 0; it < n->spec.iterations; it++) {
        if (s->sa_separable)
            sa_input_first(n, r);
        else
            sa_islip(n, r, it == 0);
    }
    for (uint32_t lane = 0; lane < r->nlanes; lane++) {
        if (s->out_of_lane[lane] == NO_OWNER)
            continue;
        bool spec;
        uint32_t i = r->first_ivc + choose_vc(n, r, lane, s->out_of_lane[lane], &spec);
        wheel_add(&n->sa_commit, n->step, n->sa_steps - 1, i);
        if (n->sa_steps > 1 && !spec)
            n->ivc[i].state = VC_ALLOCATING;
    }
    if (n->sa_steps > 1)
        enter_pipeline(n, r);
    for (uint32_t w = 0; w < r->req_words; w++)
        for (uint64_t m = r->va_has[w] & r->va_free[w]; m; m &= m - 1)
            allocate_vcs(n, r, w << 6 | (uint32_t)__builtin_ctzll(m));
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

void router_slow_begin(struct noc *n)
{
    retry_vcs(n);
    retry_switch(n);
}

static void commit_vcs(struct noc *n)
{
    struct due d = wheel_take(&n->va_commit, n->step);
    for (; d.at < d.end; d.at++) {
        uint32_t i = (uint32_t)*d.at, vc = (uint32_t)(*d.at >> 32);
        struct ivc *iv = &n->ivc[i];
        if (iv->op->free >> vc & 1)
            take_vc(n, iv->router, iv, vc, mode_of(n));
        else
            wheel_add(&n->va_retry, n->step, 1, i); /* taken by a bid decided earlier */
    }
}

static void commit_switch(struct noc *n)
{
    struct due d = wheel_take(&n->sa_commit, n->step);
    for (; d.at < d.end; d.at++) {
        struct ivc *iv = &n->ivc[*d.at];
        if (iv->state == VC_WAITING)
            continue; /* speculated, but got no VC */
        iv->state = VC_ACTIVE;
        if (iv->ov->credits && depart(n, iv->router, iv, NULL, mode_of(n))) {
            bid_switch(iv);
        } else {
            unbid_switch(iv->router, iv, mode_of(n));
            next_packet(n, iv);
        }
    }
}

void router_slow_end(struct noc *n)
{
    commit_vcs(n);
    commit_switch(n);
}
