/* router_priv.h - what the files of the router model share. */
#ifndef HEDDLE_POWER_ROUTER_PRIV_H
#define HEDDLE_POWER_ROUTER_PRIV_H

#include "power/cell.h"
#include "power/router.h"

/* Select or address bits of n: ceil(log2(n)). */
uint32_t router_bits_of(uint32_t n);

/* A tree of 2:1 multiplexers over n inputs is halved, the larger half first; the select line of a
 * level goes to all multiplexers of that level.  So many are driven by the line of `level`; 0 is
 * at the inputs. */
uint32_t router_select_fan_out(uint32_t n, uint32_t level);

/* An address decoder of n outputs joins one of the upper and one of the lower half of the bits; the
 * lower half is decoded into so many. */
uint32_t router_decoder_lower(uint32_t n);

/* The clock's H tree over a square of this area, down to pins of `load` F in all. */
struct router_clock {
    double area, leak, energy, wire_area;
};
struct router_clock router_clock_of(const struct tech *t, double area, double load);

double router_max_clock(const struct tech *t, const struct power_router_spec *s);
/* Size of the drivers of the crossbar's longest select line: the least that the spec's clock leaves
 * time for, else the largest. */
double router_select_size(const struct tech *t, const struct power_router_spec *s);

#endif
