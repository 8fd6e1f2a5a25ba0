/* places.h - placements of memory nodes on a mesh that have names. */
#ifndef HEDDLE_NOC_PLACES_H
#define HEDDLE_NOC_PLACES_H

#include "noc/topo_mesh.h"

/* The nodes of mesh.placement, or blames it. */
bool places_named(const struct config *cfg, struct arena *a, struct cfg_list *mem, struct err *e);

#endif
