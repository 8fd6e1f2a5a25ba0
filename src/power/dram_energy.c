/* dram_energy.c - energy of DRAM commands from currents.
 *
 * Method: Micron TN-41-01.  Currents are average currents of a pattern without end, so a command
 * costs what the pattern draws beyond standby, times how long it takes in the data sheet's own
 * times.  Standby power goes with the clock.  Data pins are counted apart, for the sheets measure
 * with outputs open: half of the bits are zeros, which draw vddq / (driver + termination).
 *
 * Not modelled: power-down and self-refresh, bank-group and data-bus-inversion effects, what the
 * data is, command and address pins, temperature. */
#include "power/dram_energy.h"

CFG_SECTION_WHEN(dram_power, DRAM_POWER_ROWS, "currents and voltages of the DRAM chips",
                 {"vddq|driver", "dram_power.termination!=0"})

#define MILLI 1e-3
#define NANO 1e-9
#define PICO 1e-12
#define ZEROS 0.5 /* of random data */

static bool refuse(struct err *e, const char *what, const char *why)
{
    return err_set(e, STATUS_BAD_INPUT, "dram_power.%s: %s", what, why);
}

static bool check(const struct dram_energy_spec *s, struct err *e)
{
    const struct dram_power_spec *c = s->chip;
    if (s->burst == 0 || s->beats_per_cycle == 0 || !(s->clock > 0))
        return err_set(e, STATUS_BAD_INPUT, "dram: a burst takes no time");
    if (c->tras > c->trc)
        return refuse(e, "tras", "longer than trc");
    if (c->idd0 * c->trc < c->idd3n * c->tras + c->idd2n * (c->trc - c->tras))
        return refuse(e, "idd0", "activating costs less than standby (idd2n, idd3n)");
    if (c->idd4r < c->idd3n || c->idd4w < c->idd3n)
        return refuse(e, c->idd4r < c->idd3n ? "idd4r" : "idd4w", "less than standby (idd3n)");
    if (c->idd5 < c->idd2n)
        return refuse(e, "idd5", "less than standby (idd2n)");
    if (c->termination > 0 && c->driver + c->termination < 1)
        return refuse(e, "termination", "less than 1 ohm with the driver");
    return true;
}

/* J of a bit on its pin, which it holds for a beat. */
static double pin(const struct dram_energy_spec *s)
{
    const struct dram_power_spec *c = s->chip;
    double beat = 1 / (s->clock * s->beats_per_cycle);
    double drawn =
        c->termination > 0 ? ZEROS * c->vddq * c->vddq / (c->driver + c->termination) * beat : 0;
    return drawn + c->io_pj_per_bit * PICO;
}

bool dram_energy(const struct dram_energy_spec *s, struct dram_energy *d, struct err *e)
{
    if (!check(s, e))
        return false;
    const struct dram_power_spec *c = s->chip;
    double chips = s->bus_bits / (double)c->chip_bits;
    double watts = c->vdd * MILLI * chips; /* per mA */
    double burst = s->burst / (s->beats_per_cycle * c->clock);
    double idle = c->idd3n * c->tras + c->idd2n * (c->trc - c->tras);
    double speed = s->clock / c->clock;
    *d = (struct dram_energy){
        .chips = chips,
        .activate = watts * (c->idd0 * c->trc - idle) * NANO,
        .read = watts * (c->idd4r - c->idd3n) * burst,
        .write = watts * (c->idd4w - c->idd3n) * burst,
        .refresh = watts * (c->idd5 - c->idd2n) * c->trfc * NANO,
        .io = pin(s) * s->bus_bits * s->burst,
        .active = watts * c->idd3n * speed,
        .precharged = watts * c->idd2n * speed,
    };
    return true;
}
