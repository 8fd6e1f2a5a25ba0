/* router_slow_vc.c - VC allocation with every option: independent for each output and class.
 *
 * iSLIP with several iterations (pointers move in the first one only), or separable input-first
 * (an input picks one VC, then the VC picks one input; both pointers move only when the pair is
 * matched). */
#include <string.h>

#include "noc/router_slow.h"

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
    if (n->slow->held)
        n->slow->held->vcs[r->ivc[won.bit].op - n->oport] |= 1u << won.vc;
    wheel_add(&n->va_commit, n->step, r->va_steps - 1,
              (uint64_t)won.vc << 32 | (r->first_ivc + won.bit));
}

/* With allocation of several cycles the losers are away for as long as the winners. */
static void lose_vc(struct noc *n, struct router *r)
{
    for (uint32_t w = 0; w < r->words; w++) {
        for (uint64_t b = n->slow->bidders[w]; b; b &= b - 1) {
            uint32_t bit = w << 6 | (uint32_t)__builtin_ctzll(b);
            unbid_vc(r, r->ivc + bit, mode_of(n));
            wheel_add(&n->va_retry, n->step, r->va_steps, r->first_ivc + bit);
        }
    }
}

void slow_allocate_vcs(struct noc *n, struct router *r, uint32_t request)
{
    struct slow_state *s = n->slow;
    uint32_t out = request / n->vclasses, cls = request % n->vclasses;
    uint32_t free = n->oport[r->first_out + out].free & n->class_vcs[cls];
    struct vc_match got[32];
    if (s->held)
        free &= ~s->held->vcs[r->first_out + out];
    if (!free)
        return; /* all are decided: who bids has to wait */
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
    if (r->va_steps > 1)
        lose_vc(n, r);
}
