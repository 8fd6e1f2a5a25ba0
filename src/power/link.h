/* link.h - repeated global wires: energy per flit, leakage, repeater and wire area. */
#ifndef HEDDLE_POWER_LINK_H
#define HEDDLE_POWER_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct power_link_spec {
    uint32_t node; /* nm */
    uint32_t bits;
    double length;                 /* m; 0 is a link without wire: two smallest inverters per bit */
    double delay;                  /* s it may take from end to end */
    uint32_t registers;            /* flip-flops per bit on the way: cycles on the wire less one */
    double width_mult, space_mult; /* of the least; 0: 1 */
};

struct power_link {
    double energy;      /* J per flit of random data */
    double clock_cycle; /* J per cycle, of the registers */
    double leak;        /* W */
    double area;        /* active: repeaters and registers */
    double wire_area;   /* global metal */
    double delay;       /* s, as built */
    bool is_met;        /* whether that is within what it may take */
    uint32_t segments;
    double size; /* of a repeater, in least inverters */
};

/* False with *e set when a number makes no sense (negative length, 0 bits, unknown node).  A delay
 * that no sizing reaches is no error: is_met is false, the link is the fastest there is. */
bool power_link(const struct power_link_spec *s, struct power_link *l, struct err *e);

#endif
