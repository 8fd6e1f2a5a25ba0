/* router_slow.h - what the files of the router with every option share. */
#ifndef HEDDLE_NOC_ROUTER_SLOW_H
#define HEDDLE_NOC_ROUTER_SLOW_H

#include "noc/aside.h"
#include "noc/router_common.h"

/* Allocators of several cycles that take nothing new for what they are deciding on. */
struct slow_held {
    uint64_t *out_until, *lane_until; /* [output port], [lane]: from this step on they can bid */
    uint32_t *vcs;                    /* [output port]: VCs that are decided, but not yet taken */
};

struct slow_state {
    bool va_separable, sa_separable, matrix;
    uint32_t lane_words, out_words; /* of the largest router */
    uint64_t *by_out;               /* [out][lane_words]: lanes that bid, or were picked */
    uint64_t *by_lane;              /* [lane][out_words]: outputs bid for, or grants */
    uint64_t *picked;      /* lanes, outputs or input VCs: picks for one member of the other side */
    uint64_t *granted;     /* [lane_words]: lanes with a grant */
    uint32_t *out_of_lane; /* result: output matched to a lane, or NO_OWNER */
    uint64_t *bidders;     /* [words] input VCs of one request that have no VC yet */
    /* Matrix arbiters: the step in which each requester was served last. */
    uint64_t **sa_out, **sa_lane, **va_ovc, **va_ivc;
    struct slow_held *held;  /* what allocators are at work on; NULL: they are pipelined */
    const struct kept *kept; /* outputs that packets keep, by output port; NULL: none ever */
};

static inline struct mode mode_of(const struct noc *n)
{
    return (struct mode){.sped = n->speed != 1024,
                         .vc_shift = n->vc_shift,
                         .one_class = n->vclasses == 1,
                         .sides = n->side_ports != 0,
                         .shared = n->shared != NULL};
}

/* Whether the switch allocator is still at work on an output, or a lane, in this step. */
static inline bool out_is_held(const struct noc *n, uint32_t port)
{
    const struct slow_held *h = n->slow->held;
    return h && h->out_until[port] > n->step;
}

static inline bool lane_is_held(const struct noc *n, uint32_t lane)
{
    const struct slow_held *h = n->slow->held;
    return h && h->lane_until[lane] > n->step;
}

/* A matrix arbiter serves the requester that was served least recently. */
static inline uint32_t oldest(const uint64_t *served, const uint64_t *mask, uint32_t words)
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

/* router_slow_vc.c: the free VCs of one output and class go to input VCs that bid for them. */
void slow_allocate_vcs(struct noc *n, struct router *r, uint32_t request);
/* router_slow_switch.c: who sends through the switch of a router, as slow_state.out_of_lane. */
void slow_decide_switch(struct noc *n, struct router *r);
/* The input VC of a matched lane; *spec: it has no output VC yet. */
uint32_t slow_choose_vc(struct noc *n, struct router *r, uint32_t lane, uint32_t out, bool *spec);

#endif
