/* array_tech.c - the technology of memory arrays.
 *
 * Capacitances, resistances and currents are those that CACTI 7 derives from ITRS high-performance
 * devices and conservative semi-global wires (repeaters sized for 30 % more than the least delay)
 * at 360 K; its 40 nm is a blend of 32 and 45.  It has nothing below 22 nm.  12 and 7 nm are scaled
 * from there: lengths by the published size of the cell, devices by the ratios of tech.c.  Not
 * modelled: low-power cells, other temperatures, variation between devices, soft errors. */
#include "power/array_tech.h"

#include <math.h>
#include <stddef.h>

#include "power/tech.h"

#define FF *1e-15
#define KOHM *1e3
#define NW *1e-9
#define OHM_PER_UM *1e6
#define FF_PER_UM *1e-9
#define PJ_PER_MM *1e-9
#define NS_PER_MM *1e-6
#define UW_PER_MM *1e-3
#define MM *1e-3
#define PS *1e-12

/* Layout in units of the feature size: a cell of 146 square features, one and a half times as high
 * as wide; one that compares is twice as high; wires above the cells are 4 apart. */
static const double cell_width = 10, cell_height = 14.6, match_height = 29.2;
static const double wire_pitch = 4;
static const double strip = 92;
static const double strap = 7.5, strap_cells = 16; /* word lines are strapped to metal */
static const double gate_area = 38;                /* square features, of the least inverter */

static const double sense_swing = 0.08;  /* V between bit lines that a sense amplifier needs */
static const double out_stages = 2;      /* from sense amplifier to the wire of an output */
static const double out_drive = 5;       /* of the transistor that opens it, over the least */
static const double out_gates = 10;      /* ahead of the wire of an output */
static const double driver_gates = 89;   /* of the largest driver of a word line */
static const double driver_columns = 75; /* cells for which 63 % of that is used */

static const struct array_tech techs[] = {
    {.nm = 22,
     .vdd = 0.8,
     .bit_cap = 0.1006 FF,
     .word_cap = 0.0857 FF,
     .cell_res = 24.98 KOHM,
     .cell_leak = 29.7 NW,
     .sense_cap = 0.782 FF,
     .latch_cap = 0.623 FF,
     .precharge_cap = 0.491 FF,
     .gate_cap = 0.0567 FF,
     .drain_cap = 0.1156 FF,
     .gate_res = 13.38 KOHM,
     .gate_leak = 16.85 NW,
     .local_res = 20.66 OHM_PER_UM,
     .wire_cap = 0.2470 FF_PER_UM,
     .wire_res = 7.152 OHM_PER_UM,
     .link_energy = 0.1555 PJ_PER_MM,
     .link_delay = 0.2813 NS_PER_MM,
     .link_leak = 5.14 UW_PER_MM,
     .repeater_space = 0.0329 MM,
     .branch_delay = 9.0 PS,
     .join_delay = 44.0 PS},
    {.nm = 32,
     .vdd = 0.9,
     .bit_cap = 0.1522 FF,
     .word_cap = 0.1424 FF,
     .cell_res = 23.57 KOHM,
     .cell_leak = 60.8 NW,
     .sense_cap = 1.413 FF,
     .latch_cap = 1.123 FF,
     .precharge_cap = 1.144 FF,
     .gate_cap = 0.1245 FF,
     .drain_cap = 0.2007 FF,
     .gate_res = 12.63 KOHM,
     .gate_leak = 39.2 NW,
     .local_res = 8.403 OHM_PER_UM,
     .wire_cap = 0.2537 FF_PER_UM,
     .wire_res = 3.034 OHM_PER_UM,
     .link_energy = 0.1973 PJ_PER_MM,
     .link_delay = 0.2486 NS_PER_MM,
     .link_leak = 4.42 UW_PER_MM,
     .repeater_space = 0.1633 MM,
     .branch_delay = 13.4 PS,
     .join_delay = 76.8 PS},
    {.nm = 40,
     .vdd = 0.9615,
     .bit_cap = 0.1968 FF,
     .word_cap = 0.1943 FF,
     .cell_res = 21.38 KOHM,
     .cell_leak = 91.5 NW,
     .sense_cap = 1.978 FF,
     .latch_cap = 1.566 FF,
     .precharge_cap = 1.665 FF,
     .gate_cap = 0.1812 FF,
     .drain_cap = 0.2655 FF,
     .gate_res = 11.45 KOHM,
     .gate_leak = 59.0 NW,
     .local_res = 5.340 OHM_PER_UM,
     .wire_cap = 0.2616 FF_PER_UM,
     .wire_res = 1.934 OHM_PER_UM,
     .link_energy = 0.2253 PJ_PER_MM,
     .link_delay = 0.2224 NS_PER_MM,
     .link_leak = 4.81 UW_PER_MM,
     .repeater_space = 0.1875 MM,
     .branch_delay = 20.4 PS,
     .join_delay = 111.5 PS},
    {.nm = 45,
     .vdd = 1.0,
     .bit_cap = 0.2256 FF,
     .word_cap = 0.2297 FF,
     .cell_res = 20.40 KOHM,
     .cell_leak = 114.5 NW,
     .sense_cap = 2.374 FF,
     .latch_cap = 1.877 FF,
     .precharge_cap = 2.038 FF,
     .gate_cap = 0.2218 FF,
     .drain_cap = 0.3091 FF,
     .gate_res = 10.93 KOHM,
     .gate_leak = 73.9 NW,
     .local_res = 4.202 OHM_PER_UM,
     .wire_cap = 0.2654 FF_PER_UM,
     .wire_res = 1.524 OHM_PER_UM,
     .link_energy = 0.2495 PJ_PER_MM,
     .link_delay = 0.2072 NS_PER_MM,
     .link_leak = 5.53 UW_PER_MM,
     .repeater_space = 0.2041 MM,
     .branch_delay = 25.5 PS,
     .join_delay = 131.1 PS},
};

/* Cells smaller than CACTI knows, in features: a cell is 146 of them squared.  The names of nodes are
 * no lengths any more: a cell of 16FF is as large as CACTI's at 22 nm. */
static const struct {
    uint32_t nm;
    double feature;
} finfets[] = {
    {12, 21.9e-9}, /* 0.070 um2: Y.-H. Chen et al., "A 16nm 128Mb SRAM", ISSCC 2014 */
    {7, 13.6e-9},  /* 0.027 um2: S.-Y. Wu et al., IEDM 2016 */
};

/* What `by` FinFETs of a shorter feature are to devices of 22 nm. */
struct scaling {
    double length, gate, res, vdd;
};

static void scale(struct array_tech *t, const struct scaling *by)
{
    double lines = by->length * (1 + by->gate) / 2; /* half drains and gates, half wire */
    double devices = by->length * by->gate, rc = by->res * by->gate;
    double section = by->length * by->length;
    t->vdd *= by->vdd;
    t->bit_cap *= lines;
    t->word_cap *= lines;
    t->sense_cap *= devices;
    t->latch_cap *= devices;
    t->precharge_cap *= devices;
    t->gate_cap *= devices;
    t->drain_cap *= devices;
    t->cell_res *= by->res / by->length;
    t->gate_res *= by->res / by->length;
    t->cell_leak *= by->length * by->vdd;
    t->gate_leak *= by->length * by->vdd;
    t->link_leak *= by->vdd;
    t->local_res /= section;
    t->wire_res /= section;
    t->link_energy *= by->vdd * by->vdd * (2 + by->gate) / 3; /* repeaters: a third */
    t->link_delay *= sqrt(rc / section);
    t->repeater_space *= sqrt(rc * section);
    t->branch_delay *= rc;
    t->join_delay *= rc;
}

/* The row of a node and its feature; NULL: no such node. */
static const struct array_tech *row_of(uint32_t nm)
{
    for (size_t i = 0; i < sizeof techs / sizeof techs[0]; i++)
        if (techs[i].nm == nm)
            return &techs[i];
    return NULL;
}

static bool find_scaled(uint32_t nm, struct array_tech *t, struct err *e)
{
    for (size_t i = 0; i < sizeof finfets / sizeof finfets[0]; i++) {
        const struct tech *new = tech_find(nm, e), *old = tech_find(22, e);
        if (finfets[i].nm != nm || !new || !old)
            continue;
        *t = *row_of(22);
        t->nm = nm;
        t->feature = finfets[i].feature;
        scale(t, &(struct scaling){.length = finfets[i].feature / 22e-9,
                                   .gate = new->gate_cap / old->gate_cap,
                                   .res = (new->res_n + new->res_p) / (old->res_n + old->res_p),
                                   .vdd = new->vdd / old->vdd});
        return true;
    }
    return err_set(e, STATUS_BAD_INPUT, "power.node: %u nm is unknown; 7, 12, 22, 32, 40 or 45",
                   nm);
}

bool array_tech_find(uint32_t nm, struct array_tech *t, struct err *e)
{
    const struct array_tech *row = row_of(nm);
    if (row) {
        *t = *row;
        t->feature = nm * 1e-9;
    } else if (!find_scaled(nm, t, e)) {
        return false;
    }
    t->cell_width = cell_width * t->feature;
    t->cell_height = cell_height * t->feature;
    t->match_height = match_height * t->feature;
    t->strip = strip * t->feature;
    t->wire_pitch = wire_pitch * t->feature;
    t->stage = t->gate_res * (t->gate_cap + t->drain_cap);
    return true;
}

/* The repeaters of a wire, in least inverters; half of them load what is ahead of the wire. */
static double repeaters(const struct array_tech *t, double length)
{
    return length * t->link_leak / t->gate_leak;
}

double array_out_energy(const struct array_tech *t, double length)
{
    double ahead = (out_gates + repeaters(t, length) / 2) * t->gate_cap;
    return length * t->link_energy + ahead * t->vdd * t->vdd;
}

double array_out_delay(const struct array_tech *t, double length)
{
    double ahead = repeaters(t, length) * t->gate_cap * t->gate_res / out_drive;
    return length * t->link_delay + out_stages * t->stage + ahead;
}

double array_out_leak(const struct array_tech *t, double length)
{
    return length * t->link_leak + 2 * t->gate_leak;
}

double array_out_area(const struct array_tech *t, double length)
{
    return repeaters(t, length) * gate_area * t->feature * t->feature;
}

/* A pair of bit lines swings until the amplifier, which serves `share` pairs, can decide. */
double array_sense_energy(const struct array_tech *t, double bit_cap, double share)
{
    return (bit_cap + t->sense_cap / share) * 2 * sense_swing * t->vdd;
}

/* The cell conducts when its word line, which takes `rise` to do so, has passed the threshold. */
double array_sense_delay(const struct array_tech *t, double bit_cap, double rise)
{
    double swing = t->cell_res * (bit_cap + t->latch_cap) * log(t->vdd / (t->vdd - sense_swing));
    return swing <= rise / 2 ? sqrt(2 * swing * rise) : swing + rise / 2;
}

double array_driver_gates(double cells)
{
    return driver_gates * (1 - exp(-pow(cells / driver_columns, 1.5)));
}

double array_strapped_width(const struct array_tech *t, double cells)
{
    return cells * (t->cell_width + strap / strap_cells * t->feature);
}
