/* memory_row.h - what cfNoC and HRCnet have in common: the nodes of an 8x8 mesh whose first row is memory,
 * columns of seven SMs behind it, and S-Mesh for the other direction. */
#ifndef HEDDLE_NOC_MEMORY_ROW_H
#define HEDDLE_NOC_MEMORY_ROW_H

#include "noc/topo_mesh.h"

enum { ROW_COLUMNS = 8, ROW_SMS = 7 /* of a column */ };

/* Nodes as in the mesh; blames a parameter of it for any other size or placement. */
bool memory_row_nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                      struct err *e);

/* A router without buffers, in the middle of tile (x, y). */
uint32_t memory_row_switch(struct graph *g, uint32_t nin, uint32_t nout, uint32_t x, uint32_t y);
/* The last router of a node: a buffer at each input, one packet after the other to the node. */
uint32_t memory_row_end(struct graph *g, uint32_t nin, uint32_t node, float mm);

#endif
