/* fabric.h - the networks of a configuration: which topology, how many of them, as graphs.
 *
 * What machines and the lab have in common: both simulate these graphs, and netcost.h prices them. */
#ifndef HEDDLE_FABRIC_FABRIC_H
#define HEDDLE_FABRIC_FABRIC_H

#include "noc/net.h"
#include "noc/topology.h"
#include "sim/config.h"

#define NOC_ROWS(F, id)                                                                            \
    F(id, STR, topology, "mesh", 0, 0, "", "topology (heddle list topologies)")                    \
    F(id, CHOICE, networks, "one", 0, 0, "one|two",                                                \
      "one network for everything, or separate request and reply networks")                        \
    F(id, INT, classes, "0", 0, 8, "",                                                             \
      "message classes (virtual networks); 0: as many as the traffic needs")                       \
    F(id, INT, width, "32", 1, 4096, "byte", "channel width, the size of a flit")                  \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e11, "Hz", "network clock")                                 \
    F(id, INT, port_depth, "4", 2, 1024, "packet", "injection port of a node")
CFG_STRUCT(noc, NOC_ROWS)
extern const struct cfg_section noc_section;

/* The sections of networks (noc, router, every topology, power), into `all`; returns how many. */
int fabric_sections(const struct cfg_section **all, int room);

struct fabric {
    const struct topology *topology;
    struct topology_nodes nodes;
    int n; /* one network, or request and reply */
    struct graph *graph[2];
    const char *name[2];
};
/* The graphs of a configuration.  False with *e set when they cannot be built. */
bool fabric_of(const struct config *cfg, struct arena *a, struct fabric *f, struct err *e);
/* Bytes of a flit in a network: noc.width, unless its channels are of another width. */
uint32_t fabric_flit_bytes(const struct config *cfg, const struct graph *g);

#endif
