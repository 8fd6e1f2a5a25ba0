/* cell.h - standard cells: area, leakage, capacitances, drive, delay; and how often nets rise.
 *
 * Every figure follows from the widths of a cell's transistors and the wires within it. */
#ifndef HEDDLE_POWER_CELL_H
#define HEDDLE_POWER_CELL_H

#include "power/tech.h"

enum cell_kind { CELL_INV, CELL_NAND2, CELL_AND2, CELL_OR2, CELL_MUX2, CELL_DFF, CELL_KINDS };

struct cell {
    double area;      /* m2 */
    double leak;      /* W, mean over all states */
    double data;      /* F of a data pin */
    double control;   /* F of the select or clock pin; 0: has none */
    double out;       /* F inside and at the output that switch with the output */
    double in_data;   /* F inside that switch with the data pin, whether it is clocked or not */
    double in_ctl;    /* F inside that switch with the select or clock pin */
    double res;       /* ohm of the output */
    double delay;     /* s from a data pin to the output, unloaded; of a flip-flop: set-up time */
    double ctl_delay; /* s from the select or clock pin to the output, unloaded */
};

/* What a library offers, in smallest cells. */
enum { CELL_SIZES = 10 };
extern const double cell_sizes[CELL_SIZES];

struct cell cell_of(const struct tech *t, enum cell_kind kind, double size);

/* Leakage of an inverter, NAND2, AND2 or OR2 of size 1 whose inputs are high in these shares of
 * time (an inverter has no b). */
double cell_leak(const struct tech *t, enum cell_kind kind, double a, double b);

/* The smallest cells of a technology. */
struct cell_set {
    const struct tech *tech;
    struct cell cell[CELL_KINDS];
};
struct cell_set cell_set_of(const struct tech *t);

double cell_delay(double res, double cap); /* s: a driver charges a load to half of the swing */

/* A net over time: share of cycles in which it is high, rises per cycle.  Nets are taken as
 * independent of each other and of their own past. */
struct cell_net {
    double high, rise;
};
extern const struct cell_net cell_net_random; /* data: half of the bits change */
extern const struct cell_net cell_net_still;  /* either value, for good */

struct cell_net cell_net_not(struct cell_net a);
struct cell_net cell_net_and(struct cell_net a, struct cell_net b);
struct cell_net cell_net_or(struct cell_net a, struct cell_net b);
struct cell_net cell_net_mux(struct cell_net a, struct cell_net b, struct cell_net select);
/* Output of a flip-flop that takes random data in one cycle of `period`. */
struct cell_net cell_net_sampled(double period);

/* F per cycle (times Vdd squared: energy) of a cell whose output rises as `y` does, into `load`. */
double cell_switched(const struct cell *c, struct cell_net y, double load);
/* The same of a flip-flop clocked in the share `clocked` of cycles. */
double cell_flop_switched(const struct cell *dff, struct cell_net d, struct cell_net q, double load,
                          double clocked);

#endif
