/* cluster.h - what the SMs of a cluster share: one injection port, one response FIFO, a bus.
 *
 *   SM 0 -+                                        +-> SM 0
 *   SM 1 -+-> round robin, one per cycle -> request network ... reply network -> FIFO -> one per
 *   ...  -+                                        +-> SM n      cycle, to the SM it names
 *
 * In between, misses of different SMs can be merged (icc.h), and an observer can look for lines that
 * several ask for (locality.h).  With one SM per cluster this is the SM's own network interface.
 * A cluster and its SMs share a lane of the engine. */
#ifndef HEDDLE_CLUSTER_CLUSTER_H
#define HEDDLE_CLUSTER_CLUSTER_H

#include "cluster/icc.h"
#include "cluster/locality.h"
#include "mem/addrmap.h"
#include "mem/request.h"
#include "mem/versions.h"
#include "sim/component.h"
#include "sim/config.h"
#include "sim/port.h"
#include "sim/stats.h"

#define CLUSTER_ROWS(F, id)                                                                        \
    F(id, INT, request_latency, "1", 1, 1000, "cycle", "from an SM to its cluster")                \
    F(id, INT, reply_latency, "1", 1, 1000, "cycle", "from the cluster to an SM")                  \
    F(id, INT, request_queue, "8", 2, 4096, "request", "of each SM, towards the cluster")          \
    F(id, INT, response_fifo, "32", 1, 4096, "packet", "shared by the SMs of the cluster")         \
    F(id, INT, response_queue, "4", 2, 4096, "packet", "from the cluster to each SM")
CFG_STRUCT(cluster, CLUSTER_ROWS)
extern const struct cfg_section cluster_section;

struct cluster;

struct cluster_options {
    const char *path; /* "cluster[3]" */
    const struct cluster_spec *spec;
    const struct icc_spec *icc;           /* NULL: none */
    const struct config *cfg;             /* parameters of the policy of its coalesced cache */
    const struct locality_spec *locality; /* NULL: none */
    uint32_t index, nsms, first_sm;       /* first_sm: over all clusters */
    struct request_pool *pool;
    const struct addrmap *map;
    uint32_t node;             /* of the cluster in the networks */
    uint64_t inject_vertex;    /* of `node` in the wait-for graph of the request network */
    const uint32_t *mem_nodes; /* node of each slice */
    uint32_t flit_bytes;
    bool check;
};

/* Slots by which its ports know a cluster: SM i's port is i, then these. */
enum { CLUSTER_SLOT_INJECT = 1 << 16, CLUSTER_SLOT_EJECT, CLUSTER_VERTEX_HITS };

/* Blames sections icc and locality. */
bool cluster_check(const struct config *cfg, struct err *e);

struct cluster *cluster_new(struct arena *a, const struct cluster_options *opt);
void cluster_free(struct cluster *c); /* what is not in the arena: versions */
struct component *cluster_component(struct cluster *c);
void cluster_invalidate(struct cluster *c, uint32_t program); /* between kernels, as the L1s */
void cluster_connect_network(struct cluster *c, struct port *inject, struct port *eject);
/* Joins SM `i` of the cluster; *out is written by the SM, *in read by it (both known to it by
 * `slot`).  Items are request numbers. */
void cluster_connect_sm(struct cluster *c, struct arena *a, uint32_t i, struct component *sm,
                        uint32_t slot, struct port **out, struct port **in);
void cluster_add_stats(const struct cluster *c, struct stats *tree);
void cluster_count_programs(struct cluster *c, struct arena *a); /* apart, from now on */
void cluster_add_program_stats(const struct cluster *c, struct stats *tree, uint32_t program,
                               const char *path); /* of one of several programs */

#endif
