/* net_priv.h - the state of a network, shared by the files of the router engine only.
 *
 *   terminal.c   injection and ejection           router.c        VC and switch allocation, plain
 *   net.c        the cycle, the interface         router_slow.c   the same with every option
 *   net_build.c  every array at its final size
 *   router_ports.c  round-robin port unit         audit.c         invariants and wait-for graph
 *   aside.c      packets of a router extension    shared.c        channels with several writers
 *   token.c      networks without buffers, in place of routers
 *   ring.c       a ring beside the channels between routers
 *
 * Indices.  An input VC is a bit of its router: bit = lane << lane_shift | place in the lane,
 * where a lane is one switch input (input_speedup lanes per port, VCs dealt out in turn); its
 * global number `ivc` is the router's first_ivc + bit.  An output VC is `ovc` = output port <<
 * vc_shift | vc; injection sides of terminals count as output ports after those of routers.
 *
 * Time.  A flit granted the switch in step s of cycle t is at the next router in cycle
 * t + st_delay + link + 1; its credit is back upstream in t + 1 + link + credit_delay.  Both are
 * kept on wheels of lists indexed by the due cycle; whatever waits for nothing but time is on a
 * wheel, whatever bids for a resource is a bit in a request mask, and whatever waits for another
 * event is nowhere, so that it costs nothing. */
#ifndef HEDDLE_NOC_NET_PRIV_H
#define HEDDLE_NOC_NET_PRIV_H

#include "noc/net.h"

/* Small helpers must not become calls in functions that are compiled for several targets. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define FLIT_TAIL 0x80000000u
#define NO_OWNER UINT32_MAX
#define MAX_CLASSES 16
#define MAX_INPUT_VCS 4096 /* of one router: what a summary of 64 words covers */
#define SIDE_PER_INPUT UINT32_MAX

enum vc_state {
    VC_IDLE,
    VC_WAITING,    /* for a route or an output VC */
    VC_ACTIVE,     /* holds an output VC */
    VC_ALLOCATING, /* so, and its bid is inside a multi-cycle switch allocator */
    VC_TAKEN,      /* a router extension takes its packet out */
};

/* One cache line. */
struct ivc {
    uint32_t *ring; /* its flits */
    struct router *router;
    struct oport *op;    /* output it is routed to */
    struct ovc *ov;      /* output VC it holds, when active */
    uint32_t credit_ovc; /* upstream end of its channel; NO_OWNER: a side port has none */
    uint32_t port;       /* input port of the graph */
    uint32_t next;       /* in the queue of a round-robin unit */
    uint16_t head, count;
    uint16_t out;     /* number of op within the router */
    uint16_t request; /* out * vclasses + vclass, when bidding for a VC */
    uint16_t accept;  /* round-robin pointer over the router's output VCs */
    uint16_t bit;     /* its place in the router's masks */
    uint16_t credit_delay;
    uint8_t state;
    uint8_t vc;     /* of ov */
    uint8_t span;   /* > 1: waits for the round-robin unit to choose the output */
    uint8_t vclass; /* of its route */
};
_Static_assert(sizeof(struct ivc) == 64, "an input VC fills a cache line");

struct ovc {
    uint32_t owner; /* ivc, or NO_OWNER */
    uint16_t credits;
    uint16_t grant; /* round-robin pointer over the router's input VC bits */
};

struct oport {
    uint32_t dst;   /* first ivc of the downstream input port, or ejector << vc_shift */
    uint32_t free;  /* mask of output VCs without an owner; of injectors: with a credit */
    uint32_t grant; /* round-robin pointer, as a bit position of a lane's first VC */
    uint16_t delay; /* cycles from grant to arrival downstream */
    uint16_t is_eject;
    uint64_t flits;
    uint64_t sent_at; /* last cycle a flit left on the channel (internal speed-up only) */
};

struct iport {          /* internal speed-up only */
    uint64_t credit_at; /* last cycle a credit message left */
    uint64_t credit_step;
};

/* Request masks.  In a small router each of them is one word and they lie in this order from
 * va_has on, so that one pointer finds them all. */
enum { VA_HAS, VA_FREE, SA_HAS, SA_MASK };

struct router {
    uint64_t *va_has; /* bit request: somebody bids for a VC of that output and class */
    struct oport *op; /* its first output, input VC, ... */
    struct ivc *ivc;
    struct ovc *ovc;
    struct lane *lane;
    uint64_t *va_mask;                           /* [request][words]: input VC bits that bid */
    const uint16_t *table;                       /* output by destination node, or NULL */
    uint64_t *sa_active, *va_active, active_bit; /* its place in the sets of active routers */
    uint32_t id, first_ivc;
    uint16_t nout, nlanes;
    bool is_small; /* one word each */

    uint64_t *va_free;         /* bit request: that output and class has a free VC */
    uint64_t *sa_has;          /* bit out: somebody bids for that output of the switch */
    uint64_t *sa_mask;         /* [out][words] */
    uint64_t *sa_sum, *va_sum; /* summaries of the masks; NULL in a small router */
    uint32_t first_out, first_in, first_lane;
    uint16_t nin, nsides;
    uint16_t words;                                     /* of an input VC mask */
    uint16_t req_words;                                 /* of va_has, va_free */
    uint16_t out_words;                                 /* of sa_has */
    uint16_t route_steps, va_steps, sa_steps, st_steps; /* its pipeline */
};

struct lane {
    uint16_t accept; /* round-robin pointer over outputs */
    uint16_t vc;     /* round-robin offset over the lane's VCs */
};

/* Lists of what is due, by time.  Room for the most that can be due at once is reserved: a
 * channel brings at most one flit per cycle. */
struct wheel {
    uint32_t mask, cap;
    uint64_t **end; /* of each list */
    uint64_t *item;
};

struct due {
    const uint64_t *at, *end;
};

/* One packet being sent by an injector, per message class. */
struct sending {
    uint32_t packet; /* PACKET_NONE: none */
    uint16_t left;   /* flits */
    uint8_t vc;
    uint8_t last_vc;
    uint32_t turn; /* node whose turn is next */
};

struct injector {
    uint32_t oport;
    struct port *only;           /* its port, where there is but one node and class */
    uint32_t first_node, nnodes; /* into noc.inj_nodes */
    uint32_t dst;
    uint32_t last_class;
    bool blocked;         /* has something to send but no credit */
    struct sending *send; /* by class */
};

/* Terminal side of an ejection channel. */
struct ejector {
    struct ej_class *cls; /* by message class; NULL: the network is the sink */
    struct ej_vc *vc;     /* buffers, unless the network is the sink */
    uint32_t credit_ovc;
    uint32_t credit_delay;
    uint32_t turn;   /* VC that drains next */
    uint32_t filled; /* VCs that hold something, a bit each; of a station of a ring, that have */
};

struct ej_class {
    struct port port;
    uint32_t reserved;   /* slots promised to packets whose head was accepted */
    uint32_t head, tail; /* packets that wait for a slot at the end of an ideal network */
};

struct ej_vc {
    uint16_t head, count;
    bool accepted; /* the packet at the front has a slot */
    uint32_t *ring;
};

/* A group of outputs between which a round-robin unit chooses; kept at its first output. */
struct port_group {
    uint32_t head, tail; /* queue of input VCs, first come first served */
    uint64_t step;       /* of the latest to come ... */
    uint32_t before;     /* ... and the last that came before that */
    uint16_t span, turn;
    bool listed;
};

struct slow_state; /* of router_slow.c */
struct aside;      /* of aside.c */
struct shared;     /* of shared.c */
struct token;      /* of token.c */
struct ring;       /* of ring.c */

struct noc {
    struct component c;
    const struct graph *graph;
    struct router_spec spec;
    struct packet_pool *pool;
    bool no_skip;
    struct route (*route)(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p);
    const void *route_ctx;
    bool fixed_routes; /* by router and destination, and one VC class */

    uint32_t vc_shift, lane_shift, ring_mask;
    uint32_t classes, subclasses, vclasses;
    uint32_t class_vcs[MAX_CLASSES]; /* mask of VCs of a VC class */
    uint8_t vc_bit[32];              /* place of a VC among the bits of its port */
    uint32_t nrouters, nivcs, nlanes, nouts, nins, ninj, nej;
    struct router *router;
    struct ivc *ivc;
    struct ovc *ovc;
    struct oport *oport;
    struct iport *iport;
    struct lane *lane;
    uint64_t *sa_active, *va_active; /* routers with bids for the switch, for output VCs */
    uint32_t active_words;
    struct ivc **match; /* input VCs that send in this step */

    struct injector *inj;
    struct ejector *ej;
    uint32_t *inj_nodes;
    uint32_t *inj_of_node, *ej_of_node;
    struct port *ports; /* injection, [node * classes + class] */
    uint64_t *inj_active, *ej_active;
    uint64_t *inj_next[2], *ej_next[2]; /* become active at the next even, odd cycle */
    bool has_next[2];
    uint32_t inj_words, ej_words;

    struct wheel arrivals, ejections, credits;             /* by cycle */
    struct wheel routed;                                   /* by step: route computation done */
    struct wheel va_retry, va_commit, sa_retry, sa_commit; /* by step, slow router only */
    struct wheel ideal;

    hd_cycle now;
    uint64_t step;
    uint64_t speed; /* steps per cycle, times 1024 */
    uint32_t substep, substeps;
    uint32_t route_steps; /* of all routers, in the plain router */
    /* Where all channels are alike: cycles from grant to arrival, ejection and credit. */
    bool uniform, all_small;
    uint32_t arrive_delay, eject_delay, credit_delay;
    uint32_t reach; /* cycles that an output FIFO may add to any channel (internal speed-up) */
    bool fast;      /* router.c can do it */
    struct slow_state *slow;
    struct aside *aside;   /* packets of a router extension; NULL: there is none */
    struct shared *shared; /* channels with several writers; NULL: there are none */
    struct token *token;   /* a network without buffers; NULL: it has routers */
    struct ring *ring;     /* beside the channels; NULL: there is none */
    uint32_t side_ports;   /* per router, behind the inputs of the graph; SIDE_PER_INPUT: as many */
    struct port_group *group;  /* by output port */
    uint32_t *groups, ngroups; /* those with somebody waiting */
    uint32_t *scratch;         /* twice nscratch words; the first half is all ones between uses */
    uint32_t nscratch;         /* input VC bits, or outputs, of the largest router */
    struct route_view view;

    hd_cycle measure_from, measure_to;
    hd_cycle load_from;     /* channel loads count from here, */
    uint64_t *flits_before; /* beyond these, by output port */
    uint64_t *from_node;    /* flits delivered by source */
    struct tally *tally;
    struct arena *arena; /* it lives in */
    struct noc_stats stats;
};

/* The end of the list of what is due `ahead` of now; a wheel reaches `mask` far. */
ALWAYS_INLINE uint64_t **wheel_end(struct wheel *w, uint64_t now, uint64_t ahead)
{
    HD_ASSERT(ahead <= w->mask, "%llu ahead on a wheel of %u", (unsigned long long)ahead, w->mask);
    return &w->end[(now + ahead) & w->mask];
}

ALWAYS_INLINE void wheel_add(struct wheel *w, uint64_t now, uint64_t ahead, uint64_t item)
{
    uint64_t **end = wheel_end(w, now, ahead);
    *(*end)++ = item;
}

/* The same for the delay of a channel: whether the wheels reach that far was asserted when the
 * network was built (check_reach); what a FIFO adds to it is asserted where it does. */
ALWAYS_INLINE void wheel_add_checked(struct wheel *w, uint64_t at, uint64_t item)
{
    uint64_t **end = &w->end[at & w->mask];
    *(*end)++ = item;
}

/* What is due at `at`; the list is then empty. */
static inline struct due wheel_take(struct wheel *w, uint64_t at)
{
    uint64_t slot = at & w->mask, *first = w->item + slot * w->cap;
    struct due d = {first, w->end[slot]};
    HD_ASSERT(d.end - d.at < w->cap, "wheel of %u overflows", w->cap);
    w->end[slot] = first;
    return d;
}

/* Flits by kind of router and link (tally.c). */
struct tally *tally_new(const struct graph *g, struct arena *a);
void tally_take(const struct noc *n);
void tally_add_stats(const struct noc *n, struct arena *a, struct stats *tree);

void wheel_init(struct wheel *w, struct arena *a, uint64_t horizon, uint64_t cap);
/* Cycles from `from` to the next entry, or HD_NEVER; also for a wheel that was never set up. */
uint64_t wheel_next(const struct wheel *w, uint64_t from);

ALWAYS_INLINE void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] |= 1ull << (bit & 63);
}

ALWAYS_INLINE void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit >> 6] &= ~(1ull << (bit & 63));
}

/* Masks of several words have a summary, bit w for word w, so that nobody has to look at all. */
ALWAYS_INLINE void set_summed(uint64_t *words, uint32_t bit, uint64_t *sum)
{
    words[bit >> 6] |= 1ull << (bit & 63);
    *sum |= 1ull << (bit >> 6);
}

/* Returns whether the mask is now empty. */
ALWAYS_INLINE bool clear_summed(uint64_t *words, uint32_t bit, uint64_t *sum)
{
    if ((words[bit >> 6] &= ~(1ull << (bit & 63))) == 0)
        *sum &= ~(1ull << (bit >> 6));
    return *sum == 0;
}

ALWAYS_INLINE bool is_single(uint64_t mask)
{
    return (mask & (mask - 1)) == 0;
}

ALWAYS_INLINE bool test_bit(const uint64_t *words, uint32_t bit)
{
    return words[bit >> 6] >> (bit & 63) & 1;
}

/* An input VC bids for the switch. */
ALWAYS_INLINE void bid_switch(const struct ivc *iv)
{
    struct router *r = iv->router;
    if (r->is_small) {
        r->va_has[SA_MASK + iv->out] |= 1ull << iv->bit;
        r->va_has[SA_HAS] |= 1ull << iv->out;
    } else {
        set_summed(r->sa_mask + (uint64_t)iv->out * r->words, iv->bit, &r->sa_sum[iv->out]);
        set_bit(r->sa_has, iv->out);
    }
    *r->sa_active |= r->active_bit;
}

/* It is among the bidders for a VC of the output and class it was routed to ... */
ALWAYS_INLINE void join_bidders(const struct ivc *iv, const bool small)
{
    struct router *r = iv->router;
    if (small || r->is_small)
        r->va_mask[iv->request] |= 1ull << iv->bit;
    else
        set_summed(r->va_mask + (uint64_t)iv->request * r->words, iv->bit, &r->va_sum[iv->request]);
}

/* ... and the router has to decide between them. */
ALWAYS_INLINE void bid_vc(const struct ivc *iv)
{
    struct router *r = iv->router;
    join_bidders(iv, false);
    if (r->is_small)
        r->va_has[VA_HAS] |= 1ull << iv->request;
    else
        set_bit(r->va_has, iv->request);
    *r->va_active |= r->active_bit;
}

ALWAYS_INLINE uint32_t ivc_number(const struct noc *n, const struct ivc *iv)
{
    return (uint32_t)(iv - n->ivc);
}

/* A bit of `mask` at or cyclically after `from` <= 32; mask must not be 0. */
ALWAYS_INLINE uint32_t next_bit32(uint32_t mask, uint32_t from)
{
    uint64_t high = (uint64_t)mask >> from << from;
    return (uint32_t)__builtin_ctzll(high ? high : mask);
}

/* Likewise, from < 64. */
ALWAYS_INLINE uint32_t next_bit64(uint64_t mask, uint32_t from)
{
    uint64_t high = mask >> from << from;
    return (uint32_t)__builtin_ctzll(high ? high : mask);
}

/* net_build.c */
struct pipeline {
    uint32_t route, va, sa, st; /* steps */
};
struct pipeline router_pipeline(const struct router_spec *s, const struct graph_router *r);
void noc_build(struct noc *n, struct arena *a, const struct noc_options *opt);
/* router.c */
void router_step_all(struct noc *n);
void router_arrive(struct noc *n, const uint64_t *at, const uint64_t *end); /* flits */
void router_begin_packet(struct noc *n, struct ivc *iv, uint64_t step);
/* router_slow.c */
void router_slow_init(struct noc *n, struct arena *a);
void router_slow_arrive(struct noc *n, const uint64_t *at, const uint64_t *end);
void router_slow_begin(struct noc *n, struct ivc *iv, uint64_t step); /* the packet in front */
void router_slow_step(struct noc *n);
/* router_ports.c */
void port_unit_init(struct noc *n, struct arena *a);
void port_unit_add(struct noc *n, struct ivc *iv);
void port_unit_step(struct noc *n);

/* terminal.c */
void terminal_build(struct noc *n, struct arena *a, const struct noc_options *opt);
void terminal_inject(struct noc *n);
void terminal_eject(struct noc *n);
void terminal_ideal(struct noc *n);
void terminal_deliver(struct noc *n, struct ejector *ej, uint32_t id); /* its last flit is out */
/* audit.c */
bool noc_audit(const struct component *c, struct err *e);
void noc_waits(const struct component *c, struct waitgraph *g);

#endif
