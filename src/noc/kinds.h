/* kinds.h - the routers and links of a network, sorted by what they cost: routers by ports, links
 * by length, latency, medium and writers.  Statistics count flits by kind, and the power model prices a kind. */
#ifndef HEDDLE_NOC_KINDS_H
#define HEDDLE_NOC_KINDS_H

#include "noc/graph.h"

struct kind_router {
    const char *name; /* "router_10x3": inputs x outputs, as counted in cost tables; "switch_2x1":
                         without buffers; "end_8x1": with those at the end of ways */
    uint32_t in, out;
    enum graph_store store;
    uint64_t n;
};

struct kind_link {
    const char *name; /* "link_12300um"; "link_12300um_2c": of two cycles; "optical_12300um_2c_16w":
                         of light, with 16 writers; "bus_12300um_16w": of wires */
    double length_mm; /* of a bus: of its longest way */
    uint32_t latency;
    enum medium medium;
    uint32_t writers;
    const struct graph_ring *ring; /* that it is a channel of, whose widths it has; or NULL */
    uint64_t n;
};

struct kinds {
    uint32_t nrouters, nlinks; /* kinds */
    struct kind_router *router;
    struct kind_link *link;
    uint32_t *of_router; /* by router: its kind, GRAPH_NONE: nothing is left of it */
    uint32_t *of_out;    /* by output port: kind of its link, GRAPH_NONE: it leads nowhere */
    uint32_t of_ring;    /* kind of the ring's channels, GRAPH_NONE: there is none */
    uint32_t *of_in;     /* by input port fed by nodes: kind of its link, else GRAPH_NONE */
};

struct kinds *kinds_of(const struct graph *g, struct arena *a);

#endif
