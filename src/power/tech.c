/* tech.c - the technology table and the wires of its layers.
 *
 * 22 nm and above are DSENT's bulk low-threshold models (ITRS projections).  Below there are two
 * processes of TSMC, FinFETs, by what was published of them:
 *
 *   12 nm: 12FFN, which has the pitches of 16FF: gates 90 nm, first metal 64 nm apart, 0.8 V (S.-Y.
 *   Wu et al., "A 16nm FinFET CMOS technology for mobile SoC and computing applications", IEDM 2013).
 *   7 nm: N7, 57 and 40 nm (S.-Y. Wu et al., "A 7nm CMOS platform technology", IEDM 2016), at the 0.7 V
 *   of PTM-MG (S. Sinha et al., "Exploring sub-20nm FinFET design", DAC 2012).
 *
 * What no foundry publishes is that of DSENT's tri-gate model TG11LVT at 7 nm, and half-way between
 * it and 22 nm at 12 nm.  TG11LVT is for 0.6 V: its resistances are too high for 0.7 V.  At 12 nm, with
 * the supply of 22 nm, they are those of 22 nm, and p and n closer to one another as in FinFETs.
 *
 * The capacitance of a wire between two neighbours and two planes is the fit of Wong et al.,
 * "Modeling of interconnect capacitance, delay, and crosstalk in VLSI" (2000). */
#include "power/tech.h"

#include <math.h>
#include <stddef.h>

#define NM *1e-9
#define UM *1e-6
#define FF_PER_UM *1e-15 / 1e-6
#define OHM_UM *1e-6
#define NA *1e-9

static const double vacuum_permittivity = 8.85e-12;
static const double off_temperature = 300; /* K that off currents are given for */
static const double off_swing = 100;       /* K that make them tenfold */
static const double tracks = 11;           /* wires of the first layer over a cell's height */
static const double height_overhead = 1.4; /* of a cell over its transistors: rails, wells */

static const struct tech techs[] = {
    {.nm = 7,
     .vdd = 0.7,
     .temperature = 340,
     .gate_pitch = 0.057 UM,
     .min_width = 0.08 UM,
     .gate_cap = 0.61 FF_PER_UM,
     .drain_cap = 0.56 FF_PER_UM,
     .res_n = 1160 OHM_UM,
     .res_p = 1280 OHM_UM,
     .stack_n = 0.89,
     .stack_p = 0.86,
     .off = 100e-3,
     .off_min_n = 40 NA,
     .off_min_p = 4 NA,
     .cell_height = 0.44 UM,
     .global_width = 160 NM,
     .global_thickness = 280 NM,
     .global_height = 250 NM,
     .global_permittivity = 2.6,
     .global_resistivity = 2.3e-8,
     .intermediate_width = 40 NM,
     .intermediate_thickness = 70 NM,
     .intermediate_height = 70 NM,
     .intermediate_permittivity = 2.8,
     .intermediate_resistivity = 4.5e-8,
     .metal1_thickness = 35 NM,
     .metal1_height = 35 NM,
     .metal1_permittivity = 3.0},
    {.nm = 12,
     .vdd = 0.8,
     .temperature = 340,
     .gate_pitch = 0.09 UM,
     .min_width = 0.09 UM,
     .gate_cap = 0.755 FF_PER_UM,
     .drain_cap = 0.59 FF_PER_UM,
     .res_n = 700 OHM_UM,
     .res_p = 851 OHM_UM,
     .stack_n = 0.845,
     .stack_p = 0.77,
     .off = 100e-3,
     .off_min_n = 50 NA,
     .off_min_p = 32 NA,
     .cell_height = 0.704 UM,
     .global_width = 160 NM,
     .global_thickness = 280 NM,
     .global_height = 250 NM,
     .global_permittivity = 2.6,
     .global_resistivity = 2.3e-8,
     .intermediate_width = 47.5 NM,
     .intermediate_thickness = 85 NM,
     .intermediate_height = 85 NM,
     .intermediate_permittivity = 2.8,
     .intermediate_resistivity = 4.25e-8,
     .metal1_thickness = 47.5 NM,
     .metal1_height = 47.5 NM,
     .metal1_permittivity = 3.0},
    {.nm = 22,
     .vdd = 0.8,
     .temperature = 340,
     .gate_pitch = 0.12 UM,
     .min_width = 0.10 UM,
     .gate_cap = 0.90 FF_PER_UM,
     .drain_cap = 0.62 FF_PER_UM,
     .res_n = 700 OHM_UM,
     .res_p = 930 OHM_UM,
     .stack_n = 0.80,
     .stack_p = 0.68,
     .off = 100e-3,
     .off_min_n = 60 NA,
     .off_min_p = 60 NA,
     .cell_height = 0.704 UM,
     .global_width = 160 NM,
     .global_thickness = 280 NM,
     .global_height = 250 NM,
     .global_permittivity = 2.6,
     .global_resistivity = 2.3e-8,
     .intermediate_width = 55 NM,
     .intermediate_thickness = 100 NM,
     .intermediate_height = 100 NM,
     .intermediate_permittivity = 2.8,
     .intermediate_resistivity = 4.0e-8,
     .metal1_thickness = 60 NM,
     .metal1_height = 60 NM,
     .metal1_permittivity = 3.0},
    {.nm = 32,
     .vdd = 0.9,
     .temperature = 340,
     .gate_pitch = 0.16 UM,
     .min_width = 0.12 UM,
     .gate_cap = 0.95 FF_PER_UM,
     .drain_cap = 0.64 FF_PER_UM,
     .res_n = 890 OHM_UM,
     .res_p = 1270 OHM_UM,
     .stack_n = 0.78,
     .stack_p = 0.66,
     .off = 100e-3,
     .off_min_n = 100 NA,
     .off_min_p = 20 NA,
     .cell_height = 1.21 UM,
     .global_width = 160 NM,
     .global_thickness = 280 NM,
     .global_height = 250 NM,
     .global_permittivity = 2.8,
     .global_resistivity = 2.3e-8,
     .intermediate_width = 110 NM,
     .intermediate_thickness = 200 NM,
     .intermediate_height = 170 NM,
     .intermediate_permittivity = 3.0,
     .intermediate_resistivity = 2.6e-8,
     .metal1_thickness = 100 NM,
     .metal1_height = 100 NM,
     .metal1_permittivity = 3.2},
    {.nm = 45,
     .vdd = 1.0,
     .temperature = 340,
     .gate_pitch = 0.20 UM,
     .min_width = 0.16 UM,
     .gate_cap = 1.00 FF_PER_UM,
     .drain_cap = 0.60 FF_PER_UM,
     .res_n = 1100 OHM_UM,
     .res_p = 1500 OHM_UM,
     .stack_n = 0.70,
     .stack_p = 0.60,
     .off = 100e-3,
     .off_min_n = 100 NA,
     .off_min_p = 20 NA,
     .cell_height = 1.76 UM,
     .global_width = 160 NM,
     .global_thickness = 280 NM,
     .global_height = 250 NM,
     .global_permittivity = 2.8,
     .global_resistivity = 2.3e-8,
     .intermediate_width = 110 NM,
     .intermediate_thickness = 200 NM,
     .intermediate_height = 170 NM,
     .intermediate_permittivity = 3.0,
     .intermediate_resistivity = 2.6e-8,
     .metal1_thickness = 140 NM,
     .metal1_height = 130 NM,
     .metal1_permittivity = 3.2},
};

const struct tech *tech_find(uint32_t nm, struct err *e)
{
    for (size_t i = 0; i < sizeof techs / sizeof techs[0]; i++)
        if (techs[i].nm == nm)
            return &techs[i];
    err_set(e, STATUS_BAD_INPUT, "power: node of %u nm is unknown; expected 7, 12, 22, 32 or 45",
            nm);
    return NULL;
}

/* Width and spacing in metres; half of the planes' and of the neighbours' share per side. */
static double cap_per_metre(double w, double s, double t, double h, double permittivity)
{
    double eps = permittivity * vacuum_permittivity;
    double ground =
        eps * (w / h + 2.04 * pow(s / (s + 0.54 * h), 1.77) * pow(t / (t + 4.53 * h), 0.07));
    double coupling = eps * (1.14 * (t / s) * exp(-4 * s / (s + 8.01 * h)) +
                             2.37 * pow(w / (w + 0.31 * s), 0.28) * pow(h / (h + 8.96 * s), 0.76) *
                                 exp(-2 * s / (s + 6 * h)));
    return 2 * (ground + coupling);
}

struct wire wire_global(const struct tech *t, double width_mult, double space_mult)
{
    double w = t->global_width * width_mult, s = t->global_width * space_mult;
    return (struct wire){
        .cap = cap_per_metre(w, s, t->global_thickness, t->global_height, t->global_permittivity),
        .res = t->global_resistivity / (w * t->global_thickness),
        .pitch = w + s};
}

struct wire wire_intermediate(const struct tech *t)
{
    double w = t->intermediate_width;
    return (struct wire){.cap = cap_per_metre(w, w, t->intermediate_thickness,
                                              t->intermediate_height, t->intermediate_permittivity),
                         .res = t->intermediate_resistivity / (w * t->intermediate_thickness),
                         .pitch = 2 * w};
}

double tech_cell_width(const struct tech *t)
{
    return t->cell_height / height_overhead;
}

/* One wire of the first layer as high as the cell, a gate pitch from the next. */
double tech_finger_cap(const struct tech *t)
{
    double w = t->cell_height / (tracks * 2);
    return t->cell_height * cap_per_metre(w, t->gate_pitch - w, t->metal1_thickness,
                                          t->metal1_height, t->metal1_permittivity);
}

/* Leakage of one finger; narrow transistors leak no less than the least. */
static double finger_leak(const struct tech *t, double width, double least)
{
    return t->vdd * fmax(least, width * t->off) *
           pow(10, (t->temperature - off_temperature) / off_swing);
}

struct inverter tech_inverter(const struct tech *t, double size)
{
    double fingers = fmax(1, ceil(size));
    double ratio = t->res_p / t->res_n; /* the p transistor is wider by that: both pull alike */
    double finger = tech_cell_width(t) * size / fingers;
    double n = fmax(t->min_width, finger / (1 + ratio));
    double p = fmax(t->min_width, finger * ratio / (1 + ratio));
    return (struct inverter){.gate = fingers * (n + p) * t->gate_cap,
                             .drain = fingers * ((n + p) * t->drain_cap + tech_finger_cap(t)),
                             .res = (t->res_n / n + t->res_p / p) / (2 * fingers),
                             .leak_0 = fingers * finger_leak(t, n, t->off_min_n),
                             .leak_1 = fingers * finger_leak(t, p, t->off_min_p),
                             .area = (fingers + 1) * tech_unit(t)};
}
