/* cell.c - standard cells from transistors.
 *
 * A cell is a row of inverters, NANDs, NORs and tristate inverters.  Their transistors share the
 * height of a row such that pulling up and down take the same time; each finger has a wire of the
 * first metal layer along it.  Sizes of the stages within a cell, the shape of flip-flop (two
 * latches of tristate inverters) and multiplexer, and the subthreshold model (a floor per
 * transistor; the drain lowers the barrier; two in series share the voltage) are those of DSENT's
 * cell library, from Sun et al., "DSENT - A Tool Connecting Emerging Photonics with Electronics for
 * Opto-Electronic Networks-on-Chip Modeling" (NOCS 2012).
 *
 * Not modelled: short-circuit currents, gate leakage, glitches, slopes of signals. */
#include "power/cell.h"

#include <math.h>

static const double ln2 = 0.693;      /* of RC to half of the swing, as DSENT rounds it */
static const double swing = 0.1;      /* V of gate voltage per decade of current */
#define DIBL 0.15                     /* V of threshold per V of drain */
static const double off_kelvin = 300; /* that off currents are given for */
static const double kelvin_per_decade = 100;

const double cell_sizes[CELL_SIZES] = {1, 1.4, 2, 3, 4, 6, 8, 10, 12, 16};

/* Share of the supply across the transistor that limits the current of two in series: both are off;
 * the one at the output is on and passes what the other leaves it.  (With the other one on, the one
 * at the output has all of the supply.)  From equal currents through both. */
static const double both_off = DIBL / (1 + 2 * DIBL);
static const double outer_on = (1 + DIBL) / (1 + 2 * DIBL);
static const double alone = 1;

/* ---- stages within a cell ---- */

struct stage {
    double pitches;        /* of a gate */
    double gate_n, gate_p; /* F of one input */
    double drain;          /* F at the output, with the metal */
    double res;
    double width_n, width_p, fingers;
};

enum shape { SHAPE_INV, SHAPE_NAND, SHAPE_NOR, SHAPE_TRISTATE };

static const struct {
    int series_n, series_p, branches;
} shapes[] = {
    [SHAPE_INV] = {1, 1, 1},
    [SHAPE_NAND] = {2, 1, 2},
    [SHAPE_NOR] = {1, 2, 2},
    [SHAPE_TRISTATE] = {2, 2, 2},
};

static struct stage stage_of(const struct tech *t, enum shape shape, double size)
{
    double fingers = fmax(1, ceil(size)), branches = shapes[shape].branches;
    double longer_n = 1 + t->stack_n * (shapes[shape].series_n - 1);
    double longer_p = 1 + t->stack_p * (shapes[shape].series_p - 1);
    double weight_p = t->res_p / t->res_n * longer_p;
    double share = tech_cell_width(t) * size / fingers / (longer_n + weight_p);
    double n = fmax(t->min_width, share * longer_n), p = fmax(t->min_width, share * weight_p);
    return (struct stage){
        .pitches = branches * fingers,
        .gate_n = fingers * n * t->gate_cap,
        .gate_p = fingers * p * t->gate_cap,
        .drain = branches * fingers * ((n + p) * t->drain_cap + tech_finger_cap(t)),
        .res = (longer_n * t->res_n / n + longer_p * t->res_p / p) / (2 * fingers),
        .width_n = n,
        .width_p = p,
        .fingers = fingers,
    };
}

static double gate(const struct stage *s)
{
    return s->gate_n + s->gate_p;
}

static double leak(const struct tech *t, double width, double least, double supply)
{
    double barrier = (supply - 1) * t->vdd * DIBL / swing;
    double heat = (t->temperature - off_kelvin) / kelvin_per_decade;
    return t->vdd * fmax(least, width * t->off * pow(10, barrier)) * pow(10, heat);
}

static double leak_n(const struct tech *t, const struct stage *s, double supply)
{
    return s->fingers * leak(t, s->width_n, t->off_min_n, supply);
}

static double leak_p(const struct tech *t, const struct stage *s, double supply)
{
    return s->fingers * leak(t, s->width_p, t->off_min_p, supply);
}

/* While its input is high it is the p transistor that leaks. */
static double inv_leak(const struct tech *t, const struct stage *s, double high)
{
    return (1 - high) * leak_n(t, s, alone) + high * leak_p(t, s, alone);
}

/* Holding or driving either value; of two in series the outer one is on half of the time. */
static double tristate_leak(const struct tech *t, const struct stage *s)
{
    double n = leak_n(t, s, alone) + leak_n(t, s, both_off) + 2 * leak_n(t, s, outer_on);
    double p = leak_p(t, s, alone) + leak_p(t, s, both_off) + 2 * leak_p(t, s, outer_on);
    return (n + p) / 8;
}

static double nand_leak(const struct tech *t, const struct stage *s, double a, double b)
{
    return (1 - a) * (1 - b) * leak_n(t, s, both_off) + (1 - a) * b * leak_n(t, s, alone) +
           a * (1 - b) * leak_n(t, s, outer_on) + a * b * 2 * leak_p(t, s, alone);
}

static double nor_leak(const struct tech *t, const struct stage *s, double a, double b)
{
    return (1 - a) * (1 - b) * 2 * leak_n(t, s, alone) + (1 - a) * b * leak_p(t, s, alone) +
           a * (1 - b) * leak_p(t, s, outer_on) + a * b * leak_p(t, s, both_off);
}

double cell_delay(double res, double cap)
{
    return ln2 * res * cap;
}

/* ---- cells ---- */

/* One gate pitch parts a cell from the next. */
static double area_of(const struct tech *t, double pitches)
{
    return (1 + pitches) * tech_unit(t);
}

static struct cell inv_of(const struct tech *t, double size)
{
    struct stage s = stage_of(t, SHAPE_INV, size);
    return (struct cell){.area = area_of(t, s.pitches),
                         .leak = inv_leak(t, &s, 0.5),
                         .data = gate(&s),
                         .out = s.drain,
                         .res = s.res,
                         .delay = cell_delay(s.res, s.drain)};
}

static struct cell nand2_of(const struct tech *t, double size)
{
    struct stage s = stage_of(t, SHAPE_NAND, size);
    return (struct cell){.area = area_of(t, s.pitches),
                         .leak = nand_leak(t, &s, 0.5, 0.5),
                         .data = gate(&s),
                         .out = s.drain,
                         .res = s.res,
                         .delay = cell_delay(s.res, s.drain)};
}

/* The first stage of an AND2 or OR2, of size 1. */
static const double and_first = 0.5, or_first = 0.66;

/* A first stage that inverts, then an inverter. */
static struct cell two_stages(const struct tech *t, const struct stage *first, double size)
{
    struct stage last = stage_of(t, SHAPE_INV, size);
    double between = first->drain + gate(&last);
    return (struct cell){.area = area_of(t, first->pitches + last.pitches),
                         .data = gate(first),
                         .out = between + last.drain,
                         .res = last.res,
                         .delay =
                             cell_delay(first->res, between) + cell_delay(last.res, last.drain)};
}

static struct cell and2_of(const struct tech *t, double size)
{
    struct stage first = stage_of(t, SHAPE_NAND, and_first * size);
    struct stage last = stage_of(t, SHAPE_INV, size);
    struct cell c = two_stages(t, &first, size);
    c.leak = nand_leak(t, &first, 0.5, 0.5) + inv_leak(t, &last, 0.75);
    return c;
}

static struct cell or2_of(const struct tech *t, double size)
{
    struct stage first = stage_of(t, SHAPE_NOR, or_first * size);
    struct stage last = stage_of(t, SHAPE_INV, size);
    struct cell c = two_stages(t, &first, size);
    c.leak = nor_leak(t, &first, 0.5, 0.5) + inv_leak(t, &last, 0.25);
    return c;
}

/* DSENT weighs the states of a multiplexer such that its inverters have a high input in five of
 * eight; with halves it would leak 5 to 7 % more at 32 and 45 nm. */
static const double mux_high = 5.0 / 8;

/* Two tristate inverters onto one net, an inverter behind it, one for the inverted select. */
static struct cell mux2_of(const struct tech *t, double size)
{
    struct stage invert = stage_of(t, SHAPE_INV, 0.25 * size);
    struct stage pass = stage_of(t, SHAPE_TRISTATE, 0.5 * size);
    struct stage last = stage_of(t, SHAPE_INV, size);
    double joined = 2 * pass.drain + gate(&last), inverted = invert.drain + gate(&pass);
    double delay = cell_delay(pass.res, joined) + cell_delay(last.res, last.drain);
    return (struct cell){.area = area_of(t, invert.pitches + 2 * pass.pitches + last.pitches),
                         .leak = inv_leak(t, &invert, mux_high) + inv_leak(t, &last, mux_high) +
                                 2 * tristate_leak(t, &pass),
                         .data = gate(&pass),
                         .control = gate(&invert) + gate(&pass),
                         .out = joined + last.drain,
                         .in_ctl = inverted,
                         .res = last.res,
                         .delay = delay,
                         .ctl_delay = delay + cell_delay(invert.res, inverted)};
}

/* Master and slave: a tristate inverter lets the data in, an inverter and a weak tristate inverter
 * hold it.  The clock passes two small inverters; `pass` and `hold` see it in either polarity.
 *
 *   D -small- d -pass- m -half- M -pass- s -half- S -last- Q        CK -small- ck -small- CK'
 *                      `- hold -'        `- hold -'                                          */
static struct cell dff_of(const struct tech *t, double size)
{
    struct stage small = stage_of(t, SHAPE_INV, 0.125 * size);
    struct stage half = stage_of(t, SHAPE_INV, 0.5 * size), last = stage_of(t, SHAPE_INV, size);
    struct stage pass = stage_of(t, SHAPE_TRISTATE, 0.5 * size);
    struct stage hold = stage_of(t, SHAPE_TRISTATE, 0.0625 * size);
    double first = small.drain + gate(&pass), latch = pass.drain + hold.drain + gate(&half);
    double master = half.drain + gate(&hold) + gate(&pass);
    double slave = half.drain + gate(&last) + gate(&hold);
    double clocked = gate(&pass) + gate(&hold); /* two of each, half of the transistors of each */
    double clock_bar = small.drain + gate(&small) + clocked, clock = small.drain + clocked;
    return (struct cell){
        .area = area_of(t, 3 * small.pitches + 2 * half.pitches + last.pitches + 2 * pass.pitches +
                               2 * hold.pitches),
        .leak = 3 * inv_leak(t, &small, 0.5) + 2 * inv_leak(t, &half, 0.5) +
                inv_leak(t, &last, 0.5) + 2 * tristate_leak(t, &pass) + 2 * tristate_leak(t, &hold),
        .data = gate(&small),
        .control = gate(&small),
        .out = latch + slave + last.drain,
        .in_data = first + latch + master,
        .in_ctl = clock_bar + clock,
        .res = last.res,
        .delay = cell_delay(small.res, first) + cell_delay(pass.res, latch) +
                 cell_delay(half.res, master),
        .ctl_delay = cell_delay(small.res, clock_bar + clock) + cell_delay(pass.res, latch) +
                     cell_delay(half.res, slave) + cell_delay(last.res, last.drain)};
}

static struct cell (*const cells[CELL_KINDS])(const struct tech *, double) = {
    [CELL_INV] = inv_of, [CELL_NAND2] = nand2_of, [CELL_AND2] = and2_of,
    [CELL_OR2] = or2_of, [CELL_MUX2] = mux2_of,   [CELL_DFF] = dff_of,
};

struct cell cell_of(const struct tech *t, enum cell_kind kind, double size)
{
    return cells[kind](t, size);
}

struct cell_set cell_set_of(const struct tech *t)
{
    struct cell_set set = {.tech = t};
    for (int i = 0; i < CELL_KINDS; i++)
        set.cell[i] = cell_of(t, (enum cell_kind)i, 1);
    return set;
}

double cell_leak(const struct tech *t, enum cell_kind kind, double a, double b)
{
    struct stage inv = stage_of(t, SHAPE_INV, 1);
    if (kind == CELL_INV)
        return inv_leak(t, &inv, a);
    if (kind == CELL_OR2) {
        struct stage nor = stage_of(t, SHAPE_NOR, or_first);
        return nor_leak(t, &nor, a, b) + inv_leak(t, &inv, (1 - a) * (1 - b));
    }
    HD_ASSERT(kind == CELL_NAND2 || kind == CELL_AND2, "no leakage by state of cell %d", kind);
    struct stage nand = stage_of(t, SHAPE_NAND, kind == CELL_AND2 ? and_first : 1);
    return nand_leak(t, &nand, a, b) + (kind == CELL_AND2 ? inv_leak(t, &inv, 1 - a * b) : 0);
}

/* ---- nets ---- */

const struct cell_net cell_net_random = {0.5, 0.25};
const struct cell_net cell_net_still = {0.5, 0};

struct cell_net cell_net_not(struct cell_net a)
{
    return (struct cell_net){1 - a.high, a.rise};
}

/* Rises when one rises while the other is high at the end and was, or comes to be, so. */
struct cell_net cell_net_and(struct cell_net a, struct cell_net b)
{
    return (struct cell_net){a.high * b.high, a.rise * b.high + b.rise * a.high - a.rise * b.rise};
}

struct cell_net cell_net_or(struct cell_net a, struct cell_net b)
{
    return cell_net_not(cell_net_and(cell_net_not(a), cell_net_not(b)));
}

/* Follows the chosen one while the select stays; when it changes, old and new value are of two
 * nets. */
struct cell_net cell_net_mux(struct cell_net a, struct cell_net b, struct cell_net select)
{
    double stays_a = 1 - select.high - select.rise, stays_b = select.high - select.rise;
    double changes = (1 - a.high) * b.high + (1 - b.high) * a.high;
    return (struct cell_net){(1 - select.high) * a.high + select.high * b.high,
                             stays_a * a.rise + stays_b * b.rise + select.rise * changes};
}

/* Each time it is clocked; data that changed in between more often than it was taken looks as if
 * it changed with every sample (DSENT's rule: half of the samples rise, not a quarter). */
struct cell_net cell_net_sampled(double period)
{
    return (struct cell_net){0.5, (0.5 - 0.25 / period) / period};
}

double cell_switched(const struct cell *c, struct cell_net y, double load)
{
    return y.rise * (c->out + load);
}

double cell_flop_switched(const struct cell *dff, struct cell_net d, struct cell_net q, double load,
                          double clocked)
{
    return d.rise * dff->in_data + cell_switched(dff, q, load) + clocked * dff->in_ctl;
}
