/* topo_rig.h - builds one graph of a topology from settings and walks its routes. */
#ifndef HEDDLE_TESTS_RIG_TOPO_RIG_H
#define HEDDLE_TESTS_RIG_TOPO_RIG_H

#include "noc/topology.h"

struct topo_rig {
    struct arena *arena;
    struct config *cfg;
    const struct topology *topology;
    struct topology_nodes nodes;
    struct err err; /* of the step that failed */
    struct route_view view;
    uint32_t room[8192]; /* what view.room answers, by output */
};

/* Settings are separated by blanks: "fly.k=3 fly.n=2".  False: refused, see err. */
bool topo_rig_open(struct topo_rig *r, const char *topology, const char *settings);
struct graph *topo_rig_build(struct topo_rig *r, enum direction dir);
void topo_rig_close(struct topo_rig *r);

/* Opens, builds, expects to be refused, and closes: the message, valid until the next call. */
const char *topo_rig_refusal(struct topo_rig *r, const char *topology, const char *settings,
                             enum direction dir);

/* The first route of a packet at the router where it enters. */
struct route topo_rig_first_route(struct topo_rig *r, const struct graph *g, struct packet *p);

/* Both ends of every channel know each other, and every sender and receiver has its port. */
bool topo_rig_is_wired(const struct graph *g);

/* Follows packets from every source to every destination, every port of a span and `serials`
 * packets each.  Returns how many did not arrive, or not in g->hops routers. */
uint64_t topo_rig_lost(struct topo_rig *r, const struct graph *g, uint32_t serials);

#endif
