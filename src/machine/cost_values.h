/* cost_values.h - what a machine costs as a list of names and numbers, for studies.
 *
 *     cost.area cost.power cost.bytes             all of it: mm2, W at power.load, bytes of storage
 *     cost.noc.area cost.noc.area.link ...        networks together, and by part: active silicon
 *     cost.noc.power cost.noc.leak cost.noc.idle  W at power.load; of cells; with clocks and no flit
 *     cost.noc.routers .vc_buffers .links         as the CD-Xbar paper counts them
 *     cost.noc.wire_area .max_clock .links_met    mm2 of wires; Hz of the slowest router; 1 or 0
 *     cost.noc.photonic_area                      mm2 of waveguides and rings, in no sum
 *     cost.noc.clock .flit_bytes                  of the configuration, to compute with
 *     cost.request.flit cost.reply.flit.link ...  J of a flit, on the average of all ways
 *     cost.request.bisection .bisection_one_way   byte/cycle across the narrowest cut (noc/bisection.h)
 *     cost.l1.area .leak .bytes .units ...        of each memory: mm2, W, bytes of all; how many */
#ifndef HEDDLE_MACHINE_COST_VALUES_H
#define HEDDLE_MACHINE_COST_VALUES_H

#include "machine/cost.h"

struct cost_value {
    const char *name, *unit;
    double value;
};

struct cost_values {
    struct cost_value *all;
    uint32_t n;
};

/* The unit that a name has, or would have; "": none. */
const char *cost_value_unit(const char *name);
/* False with *e set when the machine cannot be built or priced. */
bool cost_values_of(const struct config *cfg, struct arena *a, struct cost_values *v,
                    struct err *e);
/* Of a configuration that is a network and nothing else: it has no memories. */
bool cost_values_of_network(const struct config *cfg, struct arena *a, struct cost_values *v,
                            struct err *e);

#endif
