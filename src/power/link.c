/* link.c - repeated global wires.
 *
 * A wire of a global layer is cut into segments of equal length, each driven by an inverter.  The
 * sizing is that of DSENT's repeated link: from two smallest inverters on, all inverters grow
 * through the sizes of the library; when the largest do not meet the delay, two more segments are
 * tried, again from the smallest size (even counts keep the polarity).  Delays are Elmore's.
 * Registers cut the wire into pieces of equal length, each of which is sized alone.
 *
 * Not modelled: set-up and clock-to-output times of the registers (the caller takes them from the
 * delay it grants), shielding, crosstalk that depends on the data, low-swing signalling. */
#include "power/link.h"

#include <math.h>
#include <stddef.h>

#include "power/cell.h"

static const double activity = 0.25; /* of a bit of random data: rises per flit */
static const double ln2 = 0.693;     /* of RC to half of the swing, as DSENT rounds it */

/* Limits of what is believed to be meant: a metre of wire, 64 Kbit per flit. */
static const double max_length = 1, max_delay = 1, max_mult = 100;
enum { MAX_BITS = 1 << 16, MAX_REGISTERS = 1000 };

/* One piece of wire with its repeaters. */
struct piece {
    uint32_t segments;
    double delay;
    struct inverter inv;
    double size;
};

static double piece_delay(const struct inverter *inv, double cap, double res)
{
    return ln2 * (inv->res * (inv->drain + cap + inv->gate) + res * (cap / 2 + inv->gate));
}

/* The first sizing in the library's order that meets `delay`, else the fastest.  The search ends
 * where more of the smallest inverters make the wire slower. */
static struct piece size_piece(const struct tech *t, struct wire w, double length, double delay)
{
    struct inverter inv[CELL_SIZES];
    for (int i = 0; i < CELL_SIZES; i++)
        inv[i] = tech_inverter(t, cell_sizes[i]);
    struct piece best = {.delay = INFINITY};
    double last = INFINITY;
    for (uint32_t n = 2;; n += 2) {
        double cap = w.cap * length / n, res = w.res * length / n;
        double smallest = n * piece_delay(&inv[0], cap, res);
        if (smallest > last)
            return best;
        last = smallest;
        for (int i = 0; i < CELL_SIZES; i++) {
            double d = n * piece_delay(&inv[i], cap, res);
            if (d < best.delay)
                best = (struct piece){n, d, inv[i], cell_sizes[i]};
            if (d <= delay)
                return (struct piece){n, d, inv[i], cell_sizes[i]};
        }
    }
}

static bool check_spec(const struct power_link_spec *s, struct err *e)
{
    if (!(s->length >= 0 && s->length <= max_length))
        return err_set(e, STATUS_BAD_INPUT, "link: length of %g m; expected 0 to %g", s->length,
                       max_length);
    if (s->bits == 0 || s->bits > MAX_BITS)
        return err_set(e, STATUS_BAD_INPUT, "link: %u bits; expected 1 to %d", s->bits, MAX_BITS);
    if (!(s->delay > 0 && s->delay <= max_delay))
        return err_set(e, STATUS_BAD_INPUT, "link: delay of %g s; expected more than 0, to %g",
                       s->delay, max_delay);
    if (s->registers > MAX_REGISTERS)
        return err_set(e, STATUS_BAD_INPUT, "link: %u registers; expected 0 to %d", s->registers,
                       MAX_REGISTERS);
    const double mult[] = {s->width_mult, s->space_mult};
    for (int i = 0; i < 2; i++)
        if (mult[i] != 0 && !(mult[i] >= 1 && mult[i] <= max_mult))
            return err_set(e, STATUS_BAD_INPUT, "link: %s of %g times the least; expected 1 to %g",
                           i == 0 ? "wire width" : "wire spacing", mult[i], max_mult);
    return true;
}

static void add_registers(struct power_link *l, const struct tech *t, double count)
{
    struct cell dff = cell_of(t, CELL_DFF, 1);
    double data = cell_flop_switched(&dff, cell_net_random, cell_net_random, 0, 0);
    l->energy += count * data * t->vdd * t->vdd;
    l->clock_cycle += count * dff.in_ctl * t->vdd * t->vdd;
    l->leak += count * dff.leak;
    l->area += count * dff.area;
}

bool power_link(const struct power_link_spec *s, struct power_link *l, struct err *e)
{
    const struct tech *t = tech_find(s->node, e);
    if (t == NULL || !check_spec(s, e))
        return false;
    struct wire w = wire_global(t, s->width_mult == 0 ? 1 : s->width_mult,
                                s->space_mult == 0 ? 1 : s->space_mult);
    double pieces = s->registers + 1.0;
    struct piece p = size_piece(t, w, s->length / pieces, s->delay / pieces);
    double repeaters = pieces * p.segments; /* of one bit */
    double cap = w.cap * s->length + repeaters * (p.inv.gate + p.inv.drain);
    *l = (struct power_link){
        .energy = s->bits * activity * t->vdd * t->vdd * cap,
        .leak = s->bits * repeaters * (p.inv.leak_0 + p.inv.leak_1) / 2,
        .area = s->bits * repeaters * p.inv.area,
        .wire_area = s->bits * s->length * w.pitch,
        .delay = pieces * p.delay,
        .is_met = p.delay <= s->delay / pieces,
        .segments = (uint32_t)repeaters,
        .size = p.size,
    };
    add_registers(l, t, (double)s->bits * s->registers);
    return true;
}
