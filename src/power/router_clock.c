/* router_clock.c - the clock tree of a router.
 *
 * An H tree of global wires, three spaces apart, halves the side of the router at each of five
 * levels; every edge of the signal must be done within 40 ps, for which inverters of the library
 * are enlarged and, if that does not do, repeated.  Inverters at the leaves drive the clock pins.
 * Structure, levels and edge time are those of DSENT's broadcast tree.
 *
 * Not modelled: gating of the tree, skew. */
#include <math.h>

#include "power/router_priv.h"

enum { LEVELS = 5, MAX_DRIVERS = 16 };
static const double edge = 40e-12;      /* s from 10 to 90 % at most */
static const double edge_of_rc = 1.386; /* 2 ln 2, as DSENT rounds it */
static const double wire_share = 0.2;   /* of a wire's capacitance that its own end waits for */
static const double spacing = 3;        /* of wires, in least spacings */

struct driver {
    int size; /* index of cell_sizes */
    struct cell cell;
};

/* The smallest inverter from `from` on that charges cap + load behind `res` in time; the largest if
 * none does.  The load may be the inverter itself: next == true. */
static struct driver driver_for(const struct cell *inv, int from, struct wire w, double load,
                                bool next)
{
    int i = from;
    for (; i < CELL_SIZES - 1; i++) {
        double cap = wire_share * w.cap + load + (next ? inv[i].data : 0);
        if (edge_of_rc * (inv[i].res + w.res) * cap <= edge)
            break;
    }
    return (struct driver){i, inv[i]};
}

static bool is_sharp(const struct cell *inv, struct wire w, double load)
{
    return edge_of_rc * (inv->res + w.res) * (wire_share * w.cap + load) <= edge;
}

static void add(struct router_clock *c, const struct cell *inv, double count, double load)
{
    c->area += count * inv->area;
    c->leak += count * inv->leak;
    c->energy += count * (inv->out + load);
}

/* One level: `branches` wires of this length. */
static int add_level(struct router_clock *c, const struct cell *inv, struct wire w, double length,
                     double branches)
{
    struct driver d;
    struct wire part;
    double segments = 0;
    do {
        segments++;
        part = (struct wire){.cap = w.cap * length / segments, .res = w.res * length / segments};
        d = driver_for(inv, 0, part, 0, true);
    } while (!is_sharp(&d.cell, part, d.cell.data));
    add(c, &d.cell, branches * segments, part.cap + d.cell.data);
    c->wire_area += branches * length * w.pitch;
    return d.size;
}

/* A chain of inverters, from the pins towards the tree, until the last one is easy to drive for an
 * inverter of the tree's last level. */
static void add_leaf(struct router_clock *c, const struct cell *inv, int size, double branches,
                     double load)
{
    const struct wire none = {0};
    for (int i = 0; i < MAX_DRIVERS; i++) {
        struct driver d = driver_for(inv, size, none, load, false);
        add(c, &d.cell, branches, load);
        load = d.cell.data;
        if (is_sharp(&inv[size], none, load))
            break;
    }
    add(c, &inv[size], branches, load);
}

struct router_clock router_clock_of(const struct tech *t, double area, double load)
{
    struct cell inv[CELL_SIZES];
    for (int i = 0; i < CELL_SIZES; i++)
        inv[i] = cell_of(t, CELL_INV, cell_sizes[i]);
    struct router_clock c = {0};
    struct wire w = wire_global(t, 1, spacing);
    double length = sqrt(area) / 2, branches = 1;
    int size = 0;
    for (int level = 0; level < LEVELS; level++, length /= 2, branches *= 2)
        size = add_level(&c, inv, w, length, branches);
    branches /= 2; /* as many leaves as wires of the last level */
    add_leaf(&c, inv, size, branches, load / branches);
    c.energy *= t->vdd * t->vdd;
    return c;
}
