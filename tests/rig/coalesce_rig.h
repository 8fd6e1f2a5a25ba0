/* coalesce_rig.h - a network with the packet-coalescing router on the bench: what packets ask for is said
 * by the test. */
#ifndef HEDDLE_TESTS_RIG_COALESCE_RIG_H
#define HEDDLE_TESTS_RIG_COALESCE_RIG_H

#include "rig/net_rig.h"

struct coalesce_ask {
    uint32_t row, line;
    bool writes;
    uint32_t warps;
};

/* Opens a network, every node with a port of `depth`, all of it audited. */
void coalesce_rig_open(struct net_rig *r, const char *settings, uint32_t depth);
/* A read of one flit, or a write of five. */
void coalesce_rig_send(struct net_rig *r, hd_cycle at, uint32_t src, uint32_t dst,
                       struct coalesce_ask ask);
/* A statistic of the extension by its name; of a histogram or mean the number of values. */
uint64_t coalesce_rig_stat(struct net_rig *r, const char *name);
struct packet_meaning coalesce_rig_meaning(const void *ctx, uint32_t packet);

#endif
