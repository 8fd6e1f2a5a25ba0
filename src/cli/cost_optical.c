/* cost_optical.c - heddle cost --optical: one optical channel, beside wires of the same length.
 *
 * A channel has noc.width bits at noc.clock and the devices of photonic.*.  Its laser, heaters and
 * leakage are paid for all the time, so what a flit costs depends on how many there are: at
 * power.load, and at the load from which the channel takes less power than a point-to-point link of
 * repeated wires.  That link takes power.link_cycles cycles of noc.clock; unless they are set, as few
 * as it can be built for.  A channel of several writers is compared with one such link: what wires
 * would need to arbitrate among them is not counted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cost_part.h"
#include "machine/machine.h"
#include "noc/net.h"
#include "power/photonic.h"

enum { MAX_REGISTERS = 63 }; /* as power.link_cycles allows */

/* What time costs and what a flit costs. */
struct bill {
    double always, flit; /* W, J */
};

static double per_flit(const struct bill *b, double flits)
{
    return b->flit + b->always / flits;
}

/* Flits per cycle from which the first takes less than the second; infinite: at no load does it. */
static double break_even(const struct bill *first, const struct bill *second, double clock)
{
    double more = first->always - second->always, less = second->flit - first->flit;
    if (more <= 0)
        return less >= 0 ? 0 : INFINITY;
    double load = less > 0 ? more / less / clock : INFINITY;
    return load <= 1 ? load : INFINITY;
}

/* "7writers" */
static bool parse_ends(const char *word, struct power_photonic_spec *s)
{
    size_t digits = strspn(word, "0123456789");
    char number[16];
    int64_t n;
    snprintf(number, sizeof number, "%.*s", (int)digits, word);
    if (digits >= 10 || !str_to_int(number, &n) || n == 0)
        return false;
    if (str_is_word(word + digits, "writer|writers"))
        s->writers = (uint32_t)n;
    else if (str_is_word(word + digits, "reader|readers"))
        s->readers = (uint32_t)n;
    else
        return false;
    return true;
}

/* "40mm,7writers": one of each unless it is said. */
static bool parse(const char *text, struct arena *a, struct power_photonic_spec *s, struct err *e)
{
    char *rest = arena_strdup(a, text), *word = cost_next_word(&rest, ',');
    bool ok = cost_part_length(word, &s->length);
    s->writers = s->readers = 1;
    while (ok && (word = cost_next_word(&rest, ',')))
        ok = parse_ends(word, s);
    return ok || err_set(e, STATUS_BAD_INPUT,
                         "--optical %s: expected " COST_LENGTHS ", then writers and readers, as in "
                         "40mm,7writers",
                         text);
}

/* The channel, and the wires beside it. */
struct both {
    struct power_photonic_spec spec;
    struct power_photonic optical;
    struct power_link_spec wires_spec;
    struct power_link wires;
    double load;
};

static bool price_wires(struct both *b, bool is_free, struct err *e)
{
    struct power_link_spec *s = &b->wires_spec;
    if (!power_link(s, &b->wires, e))
        return false;
    while (is_free && !b->wires.is_met && s->registers < MAX_REGISTERS) {
        s->registers++;
        s->delay = (s->registers + 1) / b->spec.clock;
        if (!power_link(s, &b->wires, e))
            return false;
    }
    return true;
}

static bool show(const struct cost_options *o, const struct both *b, struct arena *a, struct err *e)
{
    const struct power_photonic *p = &b->optical;
    const struct power_link *l = &b->wires;
    double clock = b->spec.clock, flits = b->load * clock;
    struct bill optical = {p->laser + p->tuning + p->leak, p->energy};
    struct bill wires = {l->leak + l->clock_cycle * clock, l->energy};
    double even = break_even(&optical, &wires, clock);
    const struct cost_figure figures[] = {
        {"writers", "writers", "", b->spec.writers},
        {"readers", "readers", "", b->spec.readers},
        {"wavelengths", "wavelengths", "", p->wavelengths},
        {"area_um2", "active area", "um2", p->area * COST_UM2},
        {"photonic_area_um2", "rings and waveguide", "um2", p->photonic_area * COST_UM2},
        {"always_mw", "power without a flit", "mW", optical.always * COST_MW},
        {"laser_mw", "  laser", "mW", p->laser * COST_MW},
        {"tuning_mw", "  ring tuning", "mW", p->tuning * COST_MW},
        {"leakage_mw", "  leakage", "mW", p->leak * COST_MW},
        {"flit_pj", "energy per flit", "pJ", p->energy * COST_PJ},
        {"laser_flit_pj", "  throttled laser", "pJ", p->laser_flit * COST_PJ},
        {"load", "load", "flits per cycle", b->load},
        {"flit_at_load_pj", "  per flit, all in", "pJ", per_flit(&optical, flits) * COST_PJ},
        {"wire_flit_at_load_pj", "  the same over wires", "pJ", per_flit(&wires, flits) * COST_PJ},
        {"wire_cycles", "  cycles on the wires", l->is_met ? "" : "(too slow)",
         b->wires_spec.registers + 1},
        {"break_even_load", "cheaper than wires above",
         isfinite(even) ? "flits per cycle" : "(never)", even},
    };
    const char *made_of =
        arena_printf(a, "%u bits at %.3g GHz, %s laser, %s tuning, %u nm", b->spec.bits,
                     clock * COST_GHZ, b->spec.params->laser, b->spec.params->tuning, b->spec.node);
    struct cost_part part = {"optical", o->subject[COST_OPTICAL], made_of,
                             (int)(sizeof figures / sizeof figures[0]), figures};
    return cost_part_show(o, &part, e);
}

bool cost_optical(const struct cost_options *o, struct arena *a, struct err *e)
{
    struct both b = {0};
    if (!parse(o->subject[COST_OPTICAL], a, &b.spec, e))
        return false;
    const struct config *c = cost_part_config(o, a, e);
    if (!c)
        return false;
    const struct noc_spec *noc = config_get(c, &noc_section);
    const struct power_spec *power = config_get(c, &power_section);
    b.wires_spec = cost_part_link(c, b.spec.length);
    b.spec.node = b.wires_spec.node;
    b.spec.bits = b.wires_spec.bits;
    b.spec.clock = noc->clock;
    b.spec.params = config_get(c, &photonic_section);
    b.load = power->load;
    return power_photonic(&b.spec, &b.optical, e) && price_wires(&b, power->link_cycles == 0, e) &&
           show(o, &b, a, e);
}
