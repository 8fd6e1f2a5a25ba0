/* topo_smesh.h - the trimmed mesh, for networks that have it for one direction. */
#ifndef HEDDLE_NOC_TOPO_SMESH_H
#define HEDDLE_NOC_TOPO_SMESH_H

#include "noc/topo_mesh.h"

/* Refuses DIR_ANY. */
struct graph *smesh_build(const struct config *cfg, enum direction dir,
                          const struct topology_nodes *n, struct arena *a, struct err *e);

#endif
