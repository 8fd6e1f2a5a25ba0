/* net_rig.h - one network on the bench: packets are sent by hand, one by one, and looked at.
 *
 *     struct net_rig r;
 *     net_rig_begin(&r, "noc.topology=mesh router.vcs=1");
 *     CHECK(net_rig_build(&r, DIR_ANY));
 *     net_rig_send(&r, 10, 0, 5, 3);     // cycle 10, node 0 to node 5, 3 flits
 *     net_rig_run(&r, 100);
 *     CHECK_EQ(r.log[0].at, ...);
 *     net_rig_close(&r);
 *
 * A test may wire a graph of its own, made in r.arena, instead of building a topology. */
#ifndef HEDDLE_TESTS_RIG_NET_RIG_H
#define HEDDLE_TESTS_RIG_NET_RIG_H

#include "lab/lab.h"
#include "noc/topology.h"
#include "sim/engine.h"

#define NET_RIG_PACKETS 4096

struct net_rig_send {
    hd_cycle at; /* the first cycle in which the network sees it, if its port has room */
    uint32_t src, dst;
    uint16_t flits;
    uint8_t cls;
    uint64_t tag;
};

struct net_rig_arrival {
    hd_cycle born, entered, at; /* at: cycle of the last flit */
    uint32_t src, dst, serial, hops, flits;
    uint32_t node; /* where it was taken */
};

struct net_rig_driver;

struct net_rig {
    struct arena *arena;
    struct config *cfg;
    const struct graph *graph;
    struct noc *noc;
    struct engine *engine;
    struct packet_pool pool;
    struct net_rig_driver *driver;
    struct err err;
    /* To be set between begin and build or wire. */
    struct engine_options engine_options;
    bool slow_router;
    uint32_t classes;
    /* What readers took, in order. */
    struct net_rig_arrival log[NET_RIG_PACKETS];
    uint32_t nlog;
};

/* Settings as for lab_rig_config; a wrong one fails the test. */
void net_rig_begin(struct net_rig *r, const char *settings);
bool net_rig_build(struct net_rig *r, enum direction dir); /* the topology of the settings */
void net_rig_wire(struct net_rig *r, const struct graph *g);
void net_rig_close(struct net_rig *r);

/* Gives a node a port of `depth` packets and takes from it whatever comes, unless held. */
void net_rig_read(struct net_rig *r, uint32_t node, uint32_t depth);
void net_rig_read_all(struct net_rig *r, uint32_t depth);
void net_rig_hold(struct net_rig *r, uint32_t node, bool held);

void net_rig_send(struct net_rig *r, hd_cycle at, uint32_t src, uint32_t dst, uint16_t flits);
void net_rig_send_as(struct net_rig *r, struct net_rig_send s);
enum engine_stop net_rig_run(struct net_rig *r, hd_cycle until);
hd_cycle net_rig_now(const struct net_rig *r);

/* Latency of one packet sent into the empty network; 0 when it does not arrive. */
uint64_t net_rig_latency(struct net_rig *r, uint32_t src, uint32_t dst, uint16_t flits);

const struct router_spec *net_rig_router(const struct net_rig *r);

#endif
