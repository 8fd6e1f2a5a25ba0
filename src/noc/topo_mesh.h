/* topo_mesh.h - the parts of the mesh that others share: the trimmed mesh (topo_smesh.c), and the mesh
 * with a ring (topo_intra.c). */
#ifndef HEDDLE_NOC_TOPO_MESH_H
#define HEDDLE_NOC_TOPO_MESH_H

#include "noc/topology.h"

/* Ports of a mesh router. */
enum mesh_port { MESH_EAST, MESH_WEST, MESH_NORTH, MESH_SOUTH, MESH_LOCAL };

#define MESH_ROWS(F, id)                                                                           \
    F(id, INT, width, "8", 1, 32768, "router", "routers per row")                                  \
    F(id, INT, height, "8", 1, 32768, "router", "routers per column")                              \
    F(id, INT, concentration, "1", 1, 64, "node", "nodes at each router")                          \
    F(id, INT, cores, "0", 0, 1048576, "node",                                                     \
      "cores among the nodes that are no memory nodes, lowest first; 0: all")                      \
    F(id, LIST, mem, "", 0, 1048576, "node", "memory nodes")                                       \
    F(id, CHOICE, placement, "list", 0, 0, "list|dispersion|diagonal|diamond|row0_7",              \
      "of memory nodes: as listed in mem, or by name")                                             \
    F(id, INT, mems, "8", 1, 1024, "node", "memory nodes that are placed by name")                 \
    F(id, CHOICE, routing, "xy", 0, 0, "xy|yx|o1turn",                                             \
      "dimension order, or one of both at random")                                                 \
    F(id, INT, link_latency, "1", 1, 256, "cycle", "time on a link between routers")               \
    F(id, INT, terminal_latency, "1", 1, 256, "cycle", "time on a link between node and router")   \
    F(id, REAL, link_mm, "3.3", 0, 1000, "mm", "length of a link")                                 \
    F(id, BOOL, even, "false", 0, 0, "",                                                           \
      "S-Mesh: routers count as 4x4, however many ports are left")
CFG_STRUCT(mesh, MESH_ROWS)
extern const struct cfg_section mesh_section;

/* Channels between neighbours, of routers that are numbered row by row. */
void mesh_connect(struct graph *g, const struct mesh_spec *s);
bool mesh_nodes(const struct config *cfg, struct arena *a, struct topology_nodes *n, struct err *e);
const char *mesh_fit(struct arena *a, uint32_t ncores, uint32_t nmems);
struct graph *mesh_build(const struct config *cfg, enum direction dir,
                         const struct topology_nodes *n, struct arena *a, struct err *e);

#endif
