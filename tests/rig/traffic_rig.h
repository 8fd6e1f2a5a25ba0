/* traffic_rig.h - traffic and the networks under it, without a lab around them.
 *
 *     struct traffic_rig r;
 *     CHECK(traffic_rig_open(&r, "noc.topology=xbar noc.networks=two reqrep.slots=2"));
 *     struct reqrep *t = traffic_rig_reqrep(&r, 0.5);
 *     CHECK(traffic_rig_run(&r, 1000));
 *     traffic_rig_close(&r); */
#ifndef HEDDLE_TESTS_RIG_TRAFFIC_RIG_H
#define HEDDLE_TESTS_RIG_TRAFFIC_RIG_H

#include "lab/lab.h"
#include "sim/engine.h"
#include "traffic/reqrep.h"
#include "traffic/source.h"

/* Takes packets out of the network, one at every `every`th cycle and ejection port. */
struct traffic_tap {
    struct component c;
    struct traffic_rig *rig;
    hd_cycle every;
    uint64_t n;
    struct packet got[20000];
};

struct traffic_rig {
    struct arena *arena;
    struct config *cfg;
    struct err err; /* of the step that failed */
    struct fabric g;
    struct noc *net[2];
    struct packet_pool pool;
    struct engine *engine;
    struct arrival_model arrivals;
    struct traffic_tap *tap;
};

/* Settings as on the command line, separated by blanks. */
bool traffic_rig_open(struct traffic_rig *r, const char *settings);
void traffic_rig_close(struct traffic_rig *r);

/* Adds endpoints; NULL: refused, see err. */
struct source *traffic_rig_source(struct traffic_rig *r, double rate);
struct reqrep *traffic_rig_reqrep(struct traffic_rig *r, double rate);
/* The network no longer is the sink: a tap of this slowness takes over, before the first cycle. */
void traffic_rig_tap(struct traffic_rig *r, hd_cycle every);

/* On to this cycle, with all audits afterwards. */
bool traffic_rig_run(struct traffic_rig *r, hd_cycle until);
/* On until no packet is alive; false when one still is after `limit` cycles. */
bool traffic_rig_drain(struct traffic_rig *r, uint64_t limit);

#endif
