/* netcost.h - what a network is built of, by kind, and what each kind costs.
 *
 * The kinds are those of noc/kinds.h, whose flits the statistics count (noc.request.router_10x3,
 * noc.request.link_12300um), so that energy = flits of a kind times joules of the kind. */
#ifndef HEDDLE_FABRIC_NETCOST_H
#define HEDDLE_FABRIC_NETCOST_H

#include "fabric/fabric.h"
#include "noc/kinds.h"
#include "power/link.h"
#include "power/router.h"

#define POWER_ROWS(F, id)                                                                          \
    F(id, CHOICE, node, "22", 0, 0, "7|12|22|32|45", "nm, of the structural models")               \
    F(id, INT, link_cycles, "0", 0, 64, "cycle",                                                   \
      "that a link may take, for sizing it; 0: as long as the network gives it")                   \
    F(id, BOOL, vc_allocator, "true", 0, 0, "", "count VC allocators (DSENT has none)")            \
    F(id, REAL, load, "0.1", 0, 1, "flit/cycle",                                                   \
      "at every port, of the power that `heddle cost` prints")
CFG_STRUCT(power, POWER_ROWS)
extern const struct cfg_section power_section;

struct netcost_router {
    const struct kind_router *kind; /* name, in, out, how many */
    struct power_router cost;       /* of one */
};

struct netcost_link {
    const struct kind_link *kind; /* name, length, latency, how many */
    struct power_link cost;       /* of one; of light: laser and tuning are in leak */
    double photonic_area;         /* m2 of waveguides and rings, of one */
};

enum netcost_part {
    NETCOST_BUFFER,
    NETCOST_CROSSBAR,
    NETCOST_ALLOCATOR, /* switch and VC */
    NETCOST_CLOCK,
    NETCOST_LINK,
    NETCOST_PARTS
};
extern const char *const netcost_part_names[NETCOST_PARTS]; /* buffer, crossbar, ... */

struct netcost {
    const struct kinds *kinds;
    struct netcost_router *router; /* one per kind */
    struct netcost_link *link;
    double area[NETCOST_PARTS]; /* m2 of active silicon, all together */
    double wire_area;           /* m2 of global wires */
    double photonic_area;       /* m2 of waveguides and rings */
    double leak[NETCOST_PARTS]; /* W */
    double clock_cycle;         /* J per network cycle, always: clocks of routers, */
    double link_clock;          /* ... and registers of links */
    double max_clock;           /* Hz: of the slowest router; INFINITY without routers */
    bool links_met;             /* whether every link is in time */
};

/* All parts together. */
double netcost_sum(const double part[NETCOST_PARTS]);
/* One network, which is called `path` ("noc.reply").  False with *e set when something cannot be built. */
bool netcost_of(const struct config *cfg, const struct graph *g, const char *path, struct arena *a,
                struct netcost *c, struct err *e);
/* J of a flit through a router of this kind, of which `heads` begin a packet. */
double netcost_flit(const struct netcost_router *r, double heads);
/* W by part when every input port of a router and every link carry `load` flits per cycle. */
void netcost_power(const struct netcost *c, double clock, double load, double power[NETCOST_PARTS]);

#endif
