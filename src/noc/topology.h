/* topology.h - the plug-point for topologies: one file emits one graph, one line registers it.
 *
 * A topology is asked for up to three graphs: `any` (every node may talk to every other),
 * `request` (cores to memory nodes) and `reply` (memory nodes to cores).  Node numbers are the
 * topology's own; `nodes` says how many there are and which of them are memory nodes.  It checks
 * its own sizes and blames the parameter that does not fit. */
#ifndef HEDDLE_NOC_TOPOLOGY_H
#define HEDDLE_NOC_TOPOLOGY_H

#include "noc/graph.h"
#include "sim/config.h"

enum direction { DIR_ANY, DIR_REQUEST, DIR_REPLY };

struct topology_nodes {
    uint32_t total;
    uint32_t ncores, nmems;
    const uint32_t *cores, *mems; /* node numbers, ascending; empty lists for `any` only */
};

struct topology {
    const char *name;
    const char *alias; /* other names it goes by, "a|b", or NULL */
    const char *help;
    const struct cfg_section *section;
    /* Checks the parameters and counts the nodes. */
    bool (*nodes)(const struct config *cfg, struct arena *a, struct topology_nodes *n,
                  struct err *e);
    /* Parameters that make room for so many cores and memory nodes, "width=4 mem=3,12", for a machine
     * about whose network nobody said more than the topology.  NULL: the user has to. */
    const char *(*fit)(struct arena *a, uint32_t ncores, uint32_t nmems);
    /* Emits one graph; NULL with *e set when this direction makes no sense here. */
    struct graph *(*build)(const struct config *cfg, enum direction dir,
                           const struct topology_nodes *n, struct arena *a, struct err *e);
};

extern const struct topology *const topology_all[];
extern const int topology_count;

const struct topology *topology_find(const char *name);

/* Limits that keep a typing error from eating the machine. */
#define TOPOLOGY_MAX_NODES (1u << 20)
#define TOPOLOGY_MAX_RADIX 4096u

#endif
