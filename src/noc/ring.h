/* ring.h - the ring of a network: stations, slots, tokens; the files of the router engine only.
 *
 * Towards its router a station is an ejector and an injector that belong to no node: flits come into
 * its VC buffers with credits, and leave into an input port of the router with credits.
 *
 *   router -> VC buffers -> send places -> slots of the reader's channel -> read places -> router */
#ifndef HEDDLE_NOC_RING_H
#define HEDDLE_NOC_RING_H

#include "noc/net_priv.h"

#define RING_STATS(S, id)                                                                          \
    S(id, COUNTER, packets, "packet", "packets that got a token")                                  \
    S(id, COUNTER, flits, "flit", "flits that were sent round the ring")                           \
    S(id, COUNTER, used_slots, "slot", "slots with data")                                          \
    S(id, COUNTER, slots, "slot", "slots that passed the readers of their channels")               \
    S(id, MEAN, token_wait, "cycle", "from when a measured packet could go to its token")          \
    S(id, MEAN, flight, "cycle", "from there to its head at the reader")                           \
    S(id, MEAN, reader_wait, "cycle", "from there to its head leaving for the router")
STATS_STRUCT(ring, RING_STATS)

/* A packet at a station, on its way onto the ring. */
struct ring_place {
    uint32_t packet; /* PACKET_NONE: the place is free */
    uint32_t reader; /* station */
    uint32_t slot;   /* its place at the reader, once it has a token; else NO_OWNER */
    uint16_t flits, came, sent;
    uint16_t in_frame; /* flits sent in the slot that is open */
    hd_cycle ready;    /* when it could take a token */
    hd_cycle open;     /* until here, not included, it may send in the slot it has */
    uint32_t bits;     /* of its next flit that are sent */
    uint64_t order;    /* of its coming to the station */
};

/* A packet at its reader. */
struct ring_slot {
    uint32_t packet; /* PACKET_NONE: free, or promised by a token */
    uint32_t writer;
    uint32_t next;                     /* in the queue of its channel and class */
    uint16_t flits, wrote, came, sent; /* wrote: by its writer */
    hd_cycle token, first;             /* when it got its token, when its head came */
};

/* What circulates: a slot and the tokens that travel with it, one bit per message class. */
struct ring_frame {
    uint8_t tokens;
    bool has_data;
};

struct ring_class {
    uint32_t free;       /* read places that no token promises */
    uint32_t head, tail; /* slots whose heads have come, in that order */
    uint32_t sending;    /* slot, or NO_OWNER */
    uint8_t vc, last_vc;
    uint32_t *asks; /* by writer: packets that want a token */
    bool *served;   /* by writer: in this round (fair) */
};

struct ring_channel {
    struct ring_frame *frame;
    struct ring_class *cls;
    uint32_t *past;  /* by writer: cycles from the reader to it */
    uint32_t *order; /* writers in the order in which a slot passes them */
    uint32_t last_class;
    uint64_t used;                /* slots */
    uint64_t flits, flits_before; /* before: when measuring began */
};

struct ring_station {
    struct ejector *ej;
    uint32_t ej_number;
    struct injector *inj;
    struct ring_place *place; /* [class * send_places + i] */
    uint32_t *taking;         /* by VC: place of the packet in the middle of which it is */
    uint32_t held;            /* places that are taken */
    uint32_t turn;            /* VC that drains next */
    uint32_t *asking;         /* by class: packets without a token */
    bool *crowded;            /* by class */
};

struct ring {
    const struct graph_ring *g;
    uint32_t nframes, period; /* of a channel; cycles in which a slot comes round */
    struct ring_station *station;
    struct ring_channel *channel; /* by reader */
    struct ring_slot *slot;       /* [(reader * classes + class) * read_places + i] */
    uint32_t nslots;
    struct wheel coming; /* flits that reach their readers: slots */
    hd_cycle next_emit;  /* cycle up to which readers have let slots pass */
    uint64_t flits;      /* in places, slots and between */
    uint64_t order;
    uint64_t used_before; /* when measuring began */
    struct ring_stats stats;
};

/* How many ejectors and injectors there are besides those of nodes. */
static inline uint32_t ring_stations(const struct graph *g)
{
    return g->ring ? g->ring->nstations : 0;
}

/* ring_build.c */
void ring_build(struct noc *n, struct arena *a);
void ring_add_stats(const struct noc *n, struct arena *a, struct stats *tree);
void ring_settle(struct noc *n, hd_cycle now); /* counters that follow from time */
void ring_forget(struct noc *n);               /* what was measured */

/* ring.c */
void ring_tick(struct noc *n);
/* A slot passes its reader. */
void ring_emit(const struct noc *n, struct ring_frame *f, struct ring_channel *c);
bool ring_is_idle(const struct noc *n);
uint32_t ring_queue(const void *net, uint32_t station, uint32_t cls);
bool ring_is_crowded(const void *net, uint32_t station, uint32_t cls);

/* ring_audit.c */
bool ring_audit(const struct noc *n, struct err *e);
uint64_t ring_tails(const struct noc *n); /* packets whose tails are in the ring */
/* Vertices from `first` on; ej VC vertices of stations are `ej_first` + number << vc_shift | vc. */
uint64_t ring_reads_vertex(const struct noc *n, uint64_t first, uint32_t station, uint32_t cls);
void ring_waits(const struct noc *n, struct waitgraph *g, uint64_t first, uint64_t ej_first);

#endif
