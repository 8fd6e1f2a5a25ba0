/* router_slow_switch.c - switch allocation with every option.
 *
 * iSLIP with several iterations (outputs pick lanes, lanes pick among those; pointers move in the
 * first one only), or separable input-first (a lane picks an output, then an output picks a lane).
 * Speculative bids, of packets without a VC, yield to any other bid of the same lane. */
#include <string.h>

#include "noc/router_slow.h"

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

static void served_switch(struct noc *n, struct router *r, uint32_t lane, uint32_t out)
{
    n->lane[r->first_lane + lane].accept = (uint16_t)(out + 1 == r->nout ? 0 : out + 1);
    n->oport[r->first_out + out].grant = lane + 1 == r->nlanes ? 0 : (lane + 1) << n->lane_shift;
    if (n->slow->matrix) {
        n->slow->sa_out[r->first_out + out][lane] = n->step + 1;
        n->slow->sa_lane[r->first_lane + lane][out] = n->step + 1;
    }
}

static bool can_speculate(const struct noc *n, const struct router *r, uint32_t request)
{
    uint32_t port = r->first_out + request / n->vclasses;
    if (n->shared && n->shared->bus_of[port] != NO_OWNER)
        return false; /* nobody writes a bus on speculation */
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
            if (lane_is_held(n, r->first_lane + lane))
                continue;
            set_bit(s->by_out + (uint64_t)out * s->lane_words, lane);
            set_bit(s->by_lane + (uint64_t)lane * s->out_words, out);
        }
    }
}

/* An input VC that keeps an output (see aside.h): nobody else can have it in this step. */
static const struct ivc *keeper_of(const struct noc *n, const struct router *r, uint32_t out)
{
    const struct kept *k = n->slow->kept ? &n->slow->kept[r->first_out + out] : NULL;
    if (!k || k->ivc == NO_OWNER)
        return NULL;
    const struct ivc *iv = &n->ivc[k->ivc];
    bool bids = test_bit(r->sa_mask + (uint64_t)out * r->words, iv->bit);
    return k->how == GRANT_END || bids || iv->state == VC_ALLOCATING ? iv : NULL;
}

static void collect_bids(struct noc *n, struct router *r)
{
    struct slow_state *s = n->slow;
    memset(s->by_out, 0, sizeof *s->by_out * r->nout * s->lane_words);
    memset(s->by_lane, 0, sizeof *s->by_lane * r->nlanes * s->out_words);
    memset(s->out_of_lane, 0xff, sizeof *s->out_of_lane * r->nlanes);
    for (uint32_t w = 0; w < r->out_words; w++) {
        for (uint64_t m = r->sa_has[w]; m; m &= m - 1) {
            uint32_t out = w << 6 | (uint32_t)__builtin_ctzll(m);
            if (!keeper_of(n, r, out) && shared_may_send(n, r->first_out + out) &&
                !out_is_held(n, r->first_out + out))
                collect_lanes(n, r, out, r->sa_mask + (uint64_t)out * r->words);
        }
    }
    for (uint32_t q = 0; n->spec.speculative && q < r->nout * n->vclasses; q++)
        if (test_bit(r->va_has, q) && can_speculate(n, r, q) && !keeper_of(n, r, q / n->vclasses) &&
            !out_is_held(n, r->first_out + q / n->vclasses))
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

/* Those who keep their outputs have the switch before all others.  One that keeps several inputs
 * busy from one lane uses them in turn. */
static void serve_keepers(struct noc *n, struct router *r)
{
    for (uint32_t k = 0; k < r->nout; k++) {
        uint32_t out = (uint32_t)((n->step + k) % r->nout);
        const struct ivc *iv = keeper_of(n, r, out);
        if (!iv || !test_bit(r->sa_mask + (uint64_t)out * r->words, iv->bit) ||
            !shared_may_send(n, r->first_out + out))
            continue;
        uint32_t lane = (uint32_t)iv->bit >> n->lane_shift;
        if (out_is_held(n, r->first_out + out) || lane_is_held(n, r->first_lane + lane))
            continue;
        if (n->slow->out_of_lane[lane] == NO_OWNER)
            pair_up(n, r, lane, out, false);
    }
}

/* One iteration.  iSLIP: outputs pick lanes, lanes pick among those; input-first: the other way
 * round.  */
static void sa_islip(struct noc *n, struct router *r, bool move)
{
    struct slow_state *s = n->slow;
    uint32_t *grant = n->scratch + n->nscratch; /* lane granted by each output */
    memset(s->granted, 0, sizeof *s->granted * s->lane_words);
    for (uint32_t out = 0; out < r->nout; out++) {
        const uint64_t *lanes = s->by_out + (uint64_t)out * s->lane_words;
        grant[out] = has_bits(lanes, s->lane_words) ? pick_lane(n, r, out, lanes) : NO_OWNER;
        if (grant[out] != NO_OWNER)
            set_bit(s->granted, grant[out]);
    }
    for (uint32_t w = 0; w < s->lane_words; w++) {
        for (uint64_t m = s->granted[w]; m; m &= m - 1) {
            uint32_t lane = w << 6 | (uint32_t)__builtin_ctzll(m);
            memset(s->picked, 0, sizeof *s->picked * s->out_words);
            for (uint32_t out = 0; out < r->nout; out++)
                if (grant[out] == lane)
                    set_bit(s->picked, out);
            pair_up(n, r, lane, pick_out(n, r, lane, s->picked), move);
        }
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
uint32_t slow_choose_vc(struct noc *n, struct router *r, uint32_t lane, uint32_t out, bool *spec)
{
    struct lane *l = &n->lane[r->first_lane + lane];
    const struct ivc *keeper = keeper_of(n, r, out);
    *spec = false;
    if (keeper)
        return keeper->bit;
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

void slow_decide_switch(struct noc *n, struct router *r)
{
    collect_bids(n, r);
    if (n->slow->kept)
        serve_keepers(n, r);
    for (int64_t it = 0; it < n->spec.iterations; it++) {
        if (n->slow->sa_separable)
            sa_input_first(n, r);
        else
            sa_islip(n, r, it == 0);
    }
}
