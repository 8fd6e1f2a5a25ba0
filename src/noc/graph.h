/* graph.h - what a topology emits: routers, channels, terminals and a routing function.
 *
 * A node is an endpoint (an SM, a memory slice).  In a graph a node may have an injection
 * channel, an ejection channel, or both: the request network of a crossbar has injection
 * channels at the cores only and ejection channels at the memory nodes only. */
#ifndef HEDDLE_NOC_GRAPH_H
#define HEDDLE_NOC_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sim/packet.h"

#define GRAPH_NONE UINT32_MAX

/* What a channel is made of: how it is counted and priced. */
enum medium { MEDIUM_WIRE, MEDIUM_OPTICAL };

/* Stages of a router that has its own instead of those of section `router`. */
struct graph_pipeline {
    bool is_own;
    uint32_t routing_delay, vc_delay, sw_delay, st_delay; /* as there; vc and sw at least 1 */
};

/* What a router keeps flits in. */
enum graph_store {
    STORE_BUFFERS, /* at its inputs, as section `router` says */
    STORE_NOTHING,
    STORE_AT_END, /* buffers of graph_tokens.slots flits at its inputs */
};

struct graph_router {
    uint32_t nin, nout;
    uint32_t first_in, first_out; /* numbers of its ports among all ports of the graph */
    uint32_t count_in, count_out; /* size it is counted as in cost tables; 0: as it is,
                                     GRAPH_NONE: nothing is left of it */
    enum graph_store store;
    float x, y; /* for pictures, in the unit square */
    struct graph_pipeline pipeline;
};

/* One output port of a router and where its channel leads. */
struct graph_out {
    uint32_t router;     /* owner */
    uint32_t dst_router; /* GRAPH_NONE: to a terminal, or unconnected */
    uint32_t dst_in;     /* input port of dst_router */
    uint32_t dst_node;   /* first node it ends at; GRAPH_NONE unless an ejection channel */
    uint32_t latency;    /* cycles on the wire */
    float length_mm;
    enum medium medium;
    uint32_t bus;     /* that it writes, or GRAPH_NONE: the channel is its own */
    uint32_t station; /* of the ring that it leads to, or GRAPH_NONE */
};

struct graph_in {
    uint32_t router; /* owner */
    uint32_t
        src_out; /* output port (of the graph) that feeds it, or GRAPH_NONE; the first of a bus */
    uint32_t src_node; /* first node that injects here, or GRAPH_NONE */
    uint32_t station;  /* of the ring that feeds it, or GRAPH_NONE */
    uint32_t latency;  /* of a bus: for credits on their way back */
    float length_mm;
    enum medium medium;
};

/* How the writers of a bus share it (see shared.c). */
struct graph_arbiter {
    uint32_t token; /* cycles in which the right to write passes to another writer */
    bool by_packet; /* a writer keeps it to the end of a packet while it can send */
    bool is_fixed;  /* the first writer that wants it gets it; else round robin */
};

/* A channel with several writers, outputs of any routers, and one reader, an input port: at most
 * one flit arrives per cycle.  VCs and credits are those of the reader. */
struct graph_bus {
    uint32_t dst_router, dst_in;
    struct graph_arbiter arbiter;
    uint32_t first; /* output port that came first */
    uint32_t nwriters;
    enum medium medium;
};

/* A network without buffers but those at the inputs of each last router (see token.c). */
struct graph_tokens {
    uint32_t ntokens;
    const uint32_t *token_of; /* by node: the token that it sends by */
    uint32_t slots;           /* flits of a buffer */
    uint32_t delay;           /* cycles from a booking to the earliest departure */
};

/* Where packets enter and leave a ring: an output and an input port of a router. */
struct graph_station {
    uint32_t router, out, in; /* ports of the graph */
    float place;              /* on the ring, 0 up to but not 1, in the direction of the light */
};

/* A ring with one channel per station, which that reads and all others write (see ring.c). */
struct graph_ring {
    enum medium medium;
    uint32_t nstations, cap_stations;
    struct graph_station *station;
    uint32_t round_trip;          /* cycles */
    uint32_t bits;                /* of a channel per cycle */
    uint32_t bits_per_wavelength; /* and cycle, for its price */
    uint32_t slot_flits;          /* that a slot carries */
    uint32_t send_places;         /* packets that a station holds for the ring, by message class */
    uint32_t read_places;         /* packets that a reader holds, by message class: tokens */
    uint32_t queue_high, queue_low; /* packets at a station: it is crowded from, and until */
    bool stores;                    /* packets are forwarded when they have come whole */
    bool is_fair;                   /* a writer lets others go first who had no slot since */
    float length_mm;                /* of a channel, all the way round */
    /* Set by graph_fit_ring. */
    uint32_t flit_bits;
    uint32_t slot_cycles;
};

/* What routing functions may look at besides the packet. */
struct route_view {
    const void *net;
    /* Packets at a station that have not got their token, and whether it is crowded. */
    uint32_t (*queue)(const void *net, uint32_t station, uint32_t msgclass);
    bool (*is_crowded)(const void *net, uint32_t station, uint32_t msgclass);
    /* Free flit slots behind output `out` of `router`, over all VCs of a class. */
    uint32_t (*room)(const void *net, uint32_t router, uint32_t out, uint32_t vclass);
    uint64_t key; /* for draws, to be combined with source and serial of the packet */
};

/* `span` > 1: any of the outputs out .. out+span-1 will do, and the router's round-robin unit
 * picks (see router_ports.c). */
struct route {
    uint16_t out;
    uint8_t vclass;
    uint8_t span;
};

struct graph {
    struct arena *arena;
    uint32_t nnodes;
    uint32_t nrouters, nouts, nins;
    uint32_t cap_routers, cap_outs, cap_ins, cap_buses;
    struct graph_router *router;
    struct graph_out *out;
    struct graph_in *in;
    struct graph_bus *bus;
    uint32_t nbuses;
    uint32_t *inject;    /* by node: input port fed by the node, or GRAPH_NONE */
    uint32_t *eject;     /* by node: output port that ends at the node, or GRAPH_NONE */
    uint32_t subclasses; /* VC classes that the routing function needs per message class */
    bool has_end_class;  /* class number `subclasses` exists, for channels from and to nodes only,
                            and may use all VCs of its message class */
    bool is_plane;       /* routers stand among their nodes, in rows and columns: see bisection.h */
    bool by_table;       /* the route depends on router and destination only */
    const void *ctx;     /* the topology's own data for its functions */
    struct route (*route)(const struct route_view *v, const void *ctx, uint32_t router, uint32_t in,
                          struct packet *p);
    /* Chooses p->vclass (0..subclasses-1, or the end class) and p->via before injection; NULL: both 0. */
    void (*launch)(const struct route_view *v, const void *ctx, struct packet *p);
    /* Routers a packet traverses from src to dst, for closed forms; NULL: not a constant. */
    uint32_t (*hops)(const void *ctx, uint32_t src, uint32_t dst);
    const struct graph_ring *ring; /* beside the channels between routers; NULL: none */
    /* With a ring: packet.via - 1 is the station at which a packet leaves it, for those that are
     * routed to one.  Told when it does, before it enters its router: sets p->vclass and p->via. */
    void (*leave)(const void *ctx, struct packet *p);
    uint32_t flit_bytes;               /* width of its channels, if not noc.width; 0: that */
    const struct graph_tokens *tokens; /* NULL: routers with buffers */
    uint32_t ideal_latency;            /* > 0: no routers at all, every packet takes this long */
};

struct graph *graph_new(struct arena *a, uint32_t nnodes);
uint32_t graph_add_router(struct graph *g, uint32_t nin, uint32_t nout, float x, float y);
void graph_connect(struct graph *g, uint32_t from, uint32_t out, uint32_t to, uint32_t in,
                   uint32_t latency, float length_mm);
/* A bus into input `in` of router `to`, and its writers one by one; their latencies may differ (a
 * ring), the first one's is that of credits.  With one writer it is a plain channel of its medium. */
uint32_t graph_add_bus(struct graph *g, uint32_t to, uint32_t in, enum medium medium,
                       struct graph_arbiter arbiter);
void graph_write_bus(struct graph *g, uint32_t bus, uint32_t from, uint32_t out, uint32_t latency,
                     float length_mm);
void graph_set_pipeline(struct graph *g, uint32_t router, struct graph_pipeline p);
/* A station of g->ring, which the topology owns. */
uint32_t graph_add_station(struct graph *g, struct graph_ring *ring, uint32_t router, uint32_t out,
                           uint32_t in, uint32_t latency, float place);
/* How many cycles a slot takes, once the size of a flit is known. */
void graph_fit_ring(struct graph *g, uint32_t flit_bytes);
/* Cycles of light from the reader of a channel past a writer, and from there to the reader. */
uint32_t graph_ring_past(const struct graph_ring *r, uint32_t reader, uint32_t writer);
/* Several nodes may share one injection port (they take turns, a packet at a time) and one
 * ejection port (one response FIFO for all of them). */
void graph_inject(struct graph *g, uint32_t node, uint32_t router, uint32_t in, uint32_t latency,
                  float length_mm);
void graph_eject(struct graph *g, uint32_t router, uint32_t out, uint32_t node, uint32_t latency,
                 float length_mm);

/* Routers on the way of a packet from input `in` of a router, with both ends; where routes depend on
 * the state of the network, on one of the ways through an empty one. */
uint32_t graph_way(const struct graph *g, uint32_t router, uint32_t in, struct packet p);

/* Sources and destinations in node order. */
uint32_t graph_sources(const struct graph *g, uint32_t *nodes);
uint32_t graph_sinks(const struct graph *g, uint32_t *nodes);

#endif
