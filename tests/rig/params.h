/* params.h - a small set of parameters, one of each type, for the tests of the config table. */
#ifndef HEDDLE_TESTS_RIG_PARAMS_H
#define HEDDLE_TESTS_RIG_PARAMS_H

#include "sim/config.h"

#define NET_ROWS(F, id)                                                                            \
    F(id, CHOICE, topology, "mesh", 0, 0, "mesh|xbar|clos", "shape of the network")                \
    F(id, INT, vcs, "4", 1, 64, "VC", "virtual channels per port")                                 \
    F(id, REAL, clock, "1.4GHz", 1e6, 1e10, "Hz", "network clock")                                 \
    F(id, BOOL, lookahead, "no", 0, 0, "", "routing one hop ahead")                                \
    F(id, STR, label, "", 0, 0, "", "name in reports")
#define MESH_ROWS(F, id)                                                                           \
    F(id, INT, width, "8", 1, 4096, "routers", "routers per row")                                  \
    F(id, INT, height, "8", 1, 4096, "routers", "rows of routers")                                 \
    F(id, LIST, mem, "0,3-5", 0, 1e6, "node", "nodes that are memory nodes")                       \
    F(id, REAL, hop, "1.5", 0, 20, "mm", "length of a link")

CFG_STRUCT(net, NET_ROWS)
CFG_SECTION(net, NET_ROWS, "the network")
CFG_STRUCT(mesh, MESH_ROWS)
CFG_SECTION(mesh, MESH_ROWS, "2D mesh topology")

static const struct cfg_section *const params_sections[] = {&net_section, &mesh_section};
#define PARAMS_N 2

#endif
