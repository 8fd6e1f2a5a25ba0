/* aside.h - packets that a router extension holds, inside their VCs and outside; the files of the
 * router engine only.
 *
 * A packet aside is in one of these places: it is being taken out of its VC, it is held by the
 * extension, it rides in another packet, or it has been released and leaves through the side port
 * of its router, an input port behind those of the graph whose VCs are filled from here. */
#ifndef HEDDLE_NOC_ASIDE_H
#define HEDDLE_NOC_ASIDE_H

#include "noc/extension.h"
#include "noc/net_priv.h"

#define ASIDE_STATS(S, id)                                                                         \
    S(id, COUNTER, held, "packet", "times that a packet was held in its VC")                       \
    S(id, COUNTER, taken, "packet", "times that a packet was taken out of its VC")                 \
    S(id, COUNTER, merged, "packet", "packets merged into another")                                \
    S(id, COUNTER, split, "packet", "packets taken out of another, at routers and destinations")   \
    S(id, COUNTER, merged_flits, "flit", "flits fewer because of merging")                         \
    S(id, COUNTER, split_flits, "flit", "flits more because of splitting at routers")              \
    S(id, COUNTER, kept_grants, "packet", "packets that kept their output for a while")
STATS_STRUCT(aside, ASIDE_STATS)

enum aside_place { ASIDE_NOWHERE, ASIDE_COMING, ASIDE_HELD, ASIDE_RIDING, ASIDE_LEAVING };

struct aside_packet {
    hd_cycle came;         /* when its head came to the router it is at */
    uint32_t router, in;   /* where it was taken */
    uint32_t riders, last; /* packets merged into it, in that order, by `next` */
    uint32_t next;         /* in such a list, or in the queue of those that leave */
    uint32_t flits;        /* as it travels; 0: as it was injected */
    uint32_t count;        /* packets in it, itself included; 0: one */
    uint32_t moved;        /* flits that have come */
    uint32_t saved;        /* flits fewer since it rides */
    uint32_t parts;        /* packets in it when its first flit reached its end; 0: not there */
    uint32_t out;          /* flits that have left there */
    uint16_t joined;       /* hops of its carrier when it was merged */
    uint8_t place;
};

struct held_vc {
    uint64_t step; /* in which it goes on */
    uint32_t ivc;
};

struct leavers {
    uint32_t head, tail;
};

/* A packet on its way out; its head may be aside again, at another router. */
struct sender {
    uint32_t packet; /* PACKET_NONE: none */
    uint32_t left;   /* flits */
};

struct kept {
    uint32_t ivc; /* NO_OWNER: the output is free */
    uint32_t how; /* enum extension_grant */
};

struct aside {
    const struct router_extension *ext;
    void *state;
    struct packet_sense sense;
    hd_cycle due; /* of the extension's tick */
    struct aside_packet *packet;
    uint64_t *midway; /* input VCs into which part of a packet has come */
    struct held_vc *held;
    uint32_t nheld;        /* a heap, the next one first */
    uint64_t *coming;      /* input VCs whose packet is being taken */
    uint64_t *leaving;     /* routers with somebody that leaves */
    uint32_t *first_side;  /* by router, among all side ports, and their number behind the last */
    struct sender *sender; /* [side port << vc_shift | vc] */
    struct leavers *queue; /* [side port * vclasses + class] */
    struct kept *kept;     /* by output port; NULL: grants are free */
    uint64_t flits;        /* aside */
    struct aside_stats stats;
};

/* Side ports of every router: SIDE_PER_INPUT, or their number. */
uint32_t router_extension_sides(const struct router_extension *x, const struct config *cfg);

/* Sets n->aside where the configuration wants an extension in this network. */
void aside_begin(struct noc *n, struct arena *a, const struct noc_options *opt);
void aside_build(struct noc *n, struct arena *a); /* when all sizes are known */
void aside_add_stats(const struct noc *n, struct arena *a, struct stats *tree);

/* A flit comes into an input VC. */
void aside_came(struct noc *n, const struct ivc *iv, uint32_t flit);
/* The packet at the front of an input VC starts, in `step`; false: it goes on. */
bool aside_stops(struct noc *n, struct ivc *iv, uint64_t step);
/* Before the first step of a cycle, and before each. */
void aside_cycle(struct noc *n);
void aside_step(struct noc *n);
hd_cycle aside_next(const struct noc *n); /* the next cycle in which something is to be done */

/* Packets that a packet stands for, itself included. */
static inline uint32_t aside_count(const struct noc *n, uint32_t packet)
{
    uint32_t count = n->aside->packet[packet].count;
    return count ? count : 1;
}

/* What was merged into this packet is delivered flit by flit, not all at once. */
static inline bool aside_is_piecemeal(const struct noc *n, uint32_t packet)
{
    return n->aside->ext->streams && (aside_count(n, packet) > 1 || n->aside->packet[packet].parts);
}

/* A packet is at its destination.  Packets that come with the next flit of one that is delivered
 * flit by flit; with the flit that leaves now; and the next of those. */
uint32_t aside_next_due(const struct noc *n, uint32_t packet);
uint32_t aside_flit_out(struct noc *n, uint32_t packet, bool is_tail);
uint32_t aside_unwrap(struct noc *n, uint32_t packet);

/* Slots that a packet in front of its VC waits for in the port at its end, in any network. */
static inline uint32_t aside_slots(const struct noc *n, uint32_t packet)
{
    if (!n->aside)
        return 1;
    return aside_is_piecemeal(n, packet) ? aside_next_due(n, packet) : aside_count(n, packet);
}

/* The output of an input VC is kept by another one, for which it has to wait. */
bool aside_is_kept(const struct noc *n, const struct ivc *iv);
/* An input VC has sent a flit of `packet` through the switch. */
void aside_sent(struct noc *n, const struct ivc *iv, uint32_t packet);

/* aside_audit.c */
bool aside_audit(const struct noc *n, struct err *e);
void aside_waits(const struct noc *n, struct waitgraph *g, uint64_t first_vertex);

#endif
