/* clusters.h - which memory node of a mesh hosts which core. */
#ifndef HEDDLE_NOC_CLUSTERS_H
#define HEDDLE_NOC_CLUSTERS_H

#include "noc/topology.h"

struct clusters_ask {
    uint32_t width;         /* of the mesh, of one node per router */
    uint64_t seed;          /* of ties */
    const uint32_t *pinned; /* by node: its host, or GRAPH_NONE */
};

/* By node: the nearest memory node (a memory node is its own). */
const uint32_t *clusters_of(const struct topology_nodes *n, const struct clusters_ask *ask,
                            struct arena *a);
/* Routers between two nodes, less one. */
uint32_t clusters_distance(uint32_t width, uint32_t a, uint32_t b);

#endif
