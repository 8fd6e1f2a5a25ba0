/* placement.h - which nodes are cores and which are memory nodes, and sharing them out evenly.
 *
 * Two ways to number nodes: topologies whose nodes are all alike (butterfly, Clos) take a list
 * of memory nodes, as the mesh does; those that are made of cores on one side and memory nodes
 * on the other (crossbars) number the cores first, then the memory nodes. */
#ifndef HEDDLE_NOC_PLACEMENT_H
#define HEDDLE_NOC_PLACEMENT_H

#include "noc/topology.h"

/* The most ports on one side of all routers together, for topologies with more than one stage. */
#define TOPOLOGY_MAX_PORTS (8u * TOPOLOGY_MAX_NODES)

struct placement {
    uint64_t total;      /* positions; at most TOPOLOGY_MAX_NODES */
    int64_t cores;       /* cores wanted; 0: every node that is no memory node */
    struct cfg_list mem; /* memory nodes */
};

/* Fills *n, or blames `mem` or `cores` of the section. */
bool placement_list(const struct config *cfg, const struct cfg_section *sec,
                    const struct placement *p, struct arena *a, struct topology_nodes *n,
                    struct err *e);

/* Cores 0..ncores-1, memory nodes ncores..ncores+nmems-1. */
void placement_split(uint32_t ncores, uint32_t nmems, struct arena *a, struct topology_nodes *n);

/* Blames `field` unless there is at least one core and one memory node, or dir is DIR_ANY. */
bool placement_has_ends(const struct config *cfg, const struct cfg_section *sec, const char *field,
                        enum direction dir, const struct topology_nodes *n, struct err *e);

/* Calls `attach` for each node that sends or receives in this direction. */
void placement_attach(struct graph *g, enum direction dir, const struct topology_nodes *n,
                      const void *spec,
                      void (*attach)(struct graph *g, const void *spec, uint32_t node, bool inject,
                                     bool eject));

/* The side of the smallest square with room for so many nodes. */
uint32_t placement_side(uint32_t nodes);
/* "cores=80 mem=3,9,...": memory nodes spread evenly over all positions, for topology.fit. */
const char *placement_fit(struct arena *a, uint32_t total, uint32_t ncores, uint32_t nmems);

/* Share number i when `total` things are dealt out to `parts`: the first ones are larger. */
static inline uint32_t placement_share(uint32_t total, uint32_t parts, uint32_t i)
{
    return total / parts + (i < total % parts);
}

#endif
