/* ring_rig.h - a ring and nothing else: nodes, each with a router and a station.
 *
 *     node -> router -> station -> light -> station -> router -> node
 *
 * Stations stand evenly on the ring, in the order of the nodes. */
#ifndef HEDDLE_TESTS_RIG_RING_RIG_H
#define HEDDLE_TESTS_RIG_RING_RIG_H

#include "rig/net_rig.h"

struct ring_rig {
    uint32_t nodes, round_trip;
    uint32_t slot_flits, flits_per_cycle; /* of a channel */
    uint32_t read_places, send_places;
    bool stores, is_fair;
};

/* Made in the arena of r, which begins here; the caller may set options before it wires the graph. */
const struct graph *ring_rig_graph(struct net_rig *r, struct ring_rig shape, const char *settings);

/* Latency in an empty ring of one-cycle slots: what the way adds up to. */
uint64_t ring_rig_latency(const struct ring_rig *shape, uint32_t src, uint32_t dst, uint32_t flits);

#endif
