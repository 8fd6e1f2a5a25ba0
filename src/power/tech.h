/* tech.h - process technologies at 340 K: 22, 32 and 45 nm bulk, 7 and 12 nm FinFET.
 *
 * All of src/power is in SI units: metres, square metres, seconds, farads, ohms, joules, watts.
 * What a model is checked against, and how far it is off, is in docs/model/power.md. */
#ifndef HEDDLE_POWER_TECH_H
#define HEDDLE_POWER_TECH_H

#include <stdint.h>

#include "base/err.h"

struct tech {
    uint32_t nm;
    double vdd;                  /* V */
    double temperature;          /* K */
    double gate_pitch;           /* m, contacted */
    double min_width;            /* m, of a transistor */
    double gate_cap;             /* F/m of width */
    double drain_cap;            /* F/m of width */
    double res_n, res_p;         /* ohm m: effective resistance times width */
    double stack_n, stack_p;     /* resistance that a further one in series adds, of one */
    double off;                  /* A/m of width */
    double off_min_n, off_min_p; /* A, of any transistor at 300 K */
    double cell_height;          /* m */
    double global_width, global_thickness, global_height, global_permittivity, global_resistivity;
    double intermediate_width, intermediate_thickness, intermediate_height;
    double intermediate_permittivity, intermediate_resistivity;
    double metal1_thickness, metal1_height, metal1_permittivity;
};

/* NULL with *e set ("power: node of 28 nm is unknown; expected 7, 12, ...") when there is no such node. */
const struct tech *tech_find(uint32_t nm, struct err *e);

/* Area of a cell of one gate pitch: the unit of all cells. */
static inline double tech_unit(const struct tech *t)
{
    return t->cell_height * t->gate_pitch;
}

/* A wire of its layer, per metre: capacitance to all sides, resistance.  Width and spacing in
 * multiples of the layer's least. */
struct wire {
    double cap, res;
    double pitch; /* m, width + spacing */
};
struct wire wire_global(const struct tech *t, double width_mult, double space_mult);
struct wire wire_intermediate(const struct tech *t);

/* An inverter.  Size 1 fills the height of a cell, below that the transistors shrink to the least
 * width, above it they are folded into ceil(size) fingers. */
struct inverter {
    double gate;           /* F at the input */
    double drain;          /* F at the output: drains and the metal that joins the fingers */
    double res;            /* ohm, mean of pulling up and down */
    double leak_0, leak_1; /* W while the input is low, high */
    double area;           /* m2 */
};
struct inverter tech_inverter(const struct tech *t, double size);

/* Both transistors of a cell of size 1 together: m of width. */
double tech_cell_width(const struct tech *t);

/* Capacitance of the metal along one finger of a cell. */
double tech_finger_cap(const struct tech *t);

#endif
