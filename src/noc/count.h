/* count.h - how many components a network is made of (CD-Xbar paper, Table 2).
 *
 * Add the request and the reply graph to one count.  Routers count as built, unless the topology
 * says otherwise (graph_router.count_in and count_out; GRAPH_NONE there: nothing is left of this
 * router).  Buffers are VC buffers: input ports times VCs.  Links are channels that lead
 * somewhere: between routers, and one for each injection and ejection port in use. */
#ifndef HEDDLE_NOC_COUNT_H
#define HEDDLE_NOC_COUNT_H

#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "noc/graph.h"

#define COUNT_MAX_SIZES 32

struct count_xbar {
    uint32_t in, out; /* in >= out: an m x n and an n x m crossbar cost the same */
    uint64_t n;
};

struct count {
    uint64_t routers, buffers, links;
    uint64_t ends;    /* buffers at the end of ways, of networks that have no others */
    uint64_t optical; /* links of light */
    uint64_t writers; /* outputs that write shared links, each of which is one link */
    struct count_xbar xbar[COUNT_MAX_SIZES]; /* most frequent first */
    int nxbars;
    uint64_t other; /* crossbars of further sizes */
};

void count_add(struct count *c, const struct graph *g, uint32_t vcs);
void count_print(const struct count *c, FILE *out);
void count_json(const struct count *c, struct json *j); /* one object */

#endif
