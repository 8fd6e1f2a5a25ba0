/* router.h - area, leakage, energy per flit and highest clock of a virtual-channel router.
 *
 * Input-buffered: per input port a register file of vcs x depth flits, a multiplexer crossbar, a
 * separable switch allocator of matrix arbiters, optionally a VC allocator, a clock tree. */
#ifndef HEDDLE_POWER_ROUTER_H
#define HEDDLE_POWER_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct power_router_spec {
    uint32_t node;    /* nm */
    uint32_t in, out; /* ports */
    uint32_t bits;    /* of a flit */
    uint32_t vcs, depth;
    double clock;      /* Hz that cells are sized for, if it can be met; 0: smallest cells */
    bool vc_allocator; /* DSENT's router has none; one is needed as soon as there are two VCs: with
                        * one VC the switch allocator's second stage gives out the output */
};

enum router_part {
    ROUTER_BUFFER,
    ROUTER_CROSSBAR,
    ROUTER_SWITCH_ALLOCATOR,
    ROUTER_VC_ALLOCATOR,
    ROUTER_CLOCK,
    ROUTER_PARTS
};

struct power_router {
    double area[ROUTER_PARTS];                  /* active silicon */
    double wire_area;                           /* of the crossbar's wires above it */
    double global_wire_area;                    /* of the clock tree: the only global wires */
    double leak[ROUTER_PARTS];                  /* W */
    double buffer_write, buffer_read, crossbar; /* J per flit, random data */
    double switch_1, switch_2; /* J per flit: arbitration among VCs, among inputs */
    double vc_alloc;           /* J per packet */
    double clock_cycle;        /* J per cycle, whether anything moves or not */
    double max_clock;          /* Hz; of buffer, allocators and crossbar, the slowest; cells of any
                                * size, whatever `clock` of the spec is */
};

/* False with *e set, one line, when a number makes no sense (0 ports, 0 bits, unknown node). */
bool power_router(const struct power_router_spec *s, struct power_router *r, struct err *e);

double power_router_area(const struct power_router *r); /* sums over parts */
double power_router_leak(const struct power_router *r);
double power_router_flit(const struct power_router *r); /* write, read, traverse, arbitrate */

#endif
