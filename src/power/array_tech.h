/* array_tech.h - what memory arrays are made of: cells, their bit and word lines, sense
 * amplifiers, the least inverter, wires between sub-arrays.  7 to 45 nm, 360 K. */
#ifndef HEDDLE_POWER_ARRAY_TECH_H
#define HEDDLE_POWER_ARRAY_TECH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct array_tech {
    uint32_t nm;
    double vdd; /* V */

    double bit_cap;   /* F that a cell adds to its bit line: half a drain and the wire past it */
    double word_cap;  /* F that a cell adds to its word line: two gates and the wire past it */
    double cell_res;  /* ohm, of the transistors that discharge a bit line */
    double cell_leak; /* W */

    double sense_cap;     /* F that a sense amplifier and its isolation add to a bit line */
    double latch_cap;     /* F that it swings when it decides */
    double precharge_cap; /* F of gate of the three transistors that precharge a pair */

    double gate_cap, drain_cap; /* F, of the least inverter */
    double gate_res;            /* ohm */
    double gate_leak;           /* W */

    double local_res;          /* ohm/m: bit and word lines */
    double wire_cap, wire_res; /* F/m, ohm/m: the layer above, unrepeated */
    double link_energy;        /* J/m of a repeated wire of that layer */
    double link_delay;         /* s/m */
    double link_leak;          /* W/m */
    double repeater_space;     /* m */
    double branch_delay;       /* s: of the gate where such a wire branches, */
    double join_delay;         /* and of the one where two join, of wires longer than that space */

    /* what follows from the above */
    double feature;                 /* m */
    double cell_width, cell_height; /* m, of six transistors */
    double match_height;            /* m, of a cell that compares; as wide as the other */
    double strip;                   /* m: height of precharge, sense amplifiers, multiplexers */
    double wire_pitch;              /* m */
    double stage;                   /* s: a least inverter that drives another */
};

/* Circuits that stores of all kinds share. */
double array_out_energy(const struct array_tech *t, double length); /* J of a bit along a wire */
double array_out_delay(const struct array_tech *t, double length);  /* s */
double array_out_leak(const struct array_tech *t, double length);   /* W of what drives it */
double array_out_area(const struct array_tech *t, double length);   /* m2 */
double array_sense_energy(const struct array_tech *t, double bit_cap, double share);
double array_sense_delay(const struct array_tech *t, double bit_cap, double rise);
double array_driver_gates(double cells); /* least inverters in the driver of a word line */
double array_strapped_width(const struct array_tech *t, double cells); /* m of a word line */

/* False with *e set when there is no such node. */
bool array_tech_find(uint32_t nm, struct array_tech *t, struct err *e);

#endif
