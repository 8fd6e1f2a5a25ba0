/* photonic.c - a channel of silicon photonics: off-chip laser, ring modulators, a waveguide, ring
 * filters with germanium detectors, and the electronics at both ends.
 *
 * Devices and circuits are those of DSENT (Sun et al., NOCS 2012): a carrier-depletion modulator
 * whose insertion loss and extinction ratio are chosen for the least power of laser and driver, an
 * integrating sense amplifier, a multiplexer tree that serialises, a tree of flip-flops that
 * deserialises, barrel shifters and multiplexers that reshuffle bits when rings drift.  The laser
 * covers the losses of the longest way: from the first writer, past all rings, to the last reader.
 *
 * Not modelled: arbitration (the token channel of a ring is a channel of its own), crosstalk of
 * wavelengths, non-linear loss at high power, drift of temperature over time. */
#include "power/photonic.h"

#include <math.h>
#include <string.h>

#include "power/cell.h"

CFG_SECTION(photonic, PHOTONIC_ROWS, "photonic links and rings: losses, laser, tuning")

/* Physics; all devices below are those of DSENT's photonic technology. */
static const double pi = 3.14159265, light = 2.9979246e8; /* m/s */
static const double boltzmann = 1.3806503e-23, charge = 1.602e-19;
static const double silicon_permittivity = 11.7 * 8.85e-12;

/* Rings. */
static const double ring_area = 100e-12, ring_radius = 3e-6, group_index = 4;
static const double wave_length = 1300e-9, max_quality = 150e3;
static const double local_sigma = 40e9, systematic_sigma = 200e9; /* Hz of mismatch */
static const double coldest = 280, hottest = 380;                 /* K to be tuned over */
static const double electric_reach = 50e9;                        /* Hz without heating */
static const double waveguide_pitch = 4e-6;

/* The modulator's junction: doping per m3, geometry, change of index per carrier. */
static const double acceptors = 3e24, donors = 1e24, intrinsic = 1e16;
static const double junction_share = 0.8, junction_height = 500e-9, junction_width = 500e-9;
static const double confinement = 0.3, index_per_carrier = 3e-27;
static const double notch = 0.01;       /* transmission at resonance */
static const double supply_boost = 1.2; /* driver's supply over the swing at the junction */
static const double modulator_res = 100, modulator_cap = 5e-15;
static const double swing_time = 0.25; /* of a bit, for the driver to swing */

/* The receiver, fractions of the supply unless V. */
static const double integration = 0.7;   /* of a bit */
static const double error_sigmas = 7.94; /* bit error rate of 1e-15 */
static const double jitter = 0.01;       /* of a bit */
static const double common_mode_rejection = 5, noise_margin = 0.02 /* V */;
static const double offset = 0.04, offset_steps = 32;
static const double random_supply_noise = 0.01, supply_noise = 0.05;
static const double shot_bandwidth = 0.7;                                    /* of the bit rate */
static const double receiver_inverters = 40, receiver_leak_inverters = 7.43; /* smallest ones */
/* Smallest transistors: drains at the input node; gates and drains that each sample switches;
 * those that switch when the bit changes. */
static const double sense_drains = 11, sample_gates = 40, sample_drains = 24;
static const double latch_gates = 4, latch_drains = 12;

/* Cells, in gate pitches; a latch is the half of a flip-flop. */
static const double flop_pitches = 15, latch_pitches = 9, mux_pitches = 7, inverter_pitches = 2;
static const double latch_leak = 0.46, latch_energy = 0.5; /* of a flip-flop's */

static const double activity = 0.25;                    /* rises per bit of random data */
static const double utilisation = 0.5;                  /* that the modulator is chosen for */
static const double search_step = 0.2, search_end = 10; /* dB */

static const int max_chain = 20; /* inverters before the driver */

enum { MAX_BITS = 1 << 16, MAX_NODES = 1024 };
static const double max_length = 1; /* m */
static const double max_loss = 60;  /* dB: a laser of watts per wavelength */

/* What does not depend on the modulator's setting. */
struct channel {
    const struct power_photonic_spec *spec;
    const struct photonic_spec *params;
    const struct tech *tech;
    struct inverter inv;
    double wavelengths;
    double ratio; /* bits that a wavelength carries per flit */
    double loss;  /* dB from laser to detector, less the modulator's own */
};

static double from_db(double db)
{
    return pow(10, db / 10);
}

/* Hz between resonances of one ring. */
static double spectral_range(void)
{
    return light / (group_index * 2 * pi * ring_radius);
}

/* ---- modulator ---- */

struct modulator {
    double energy;    /* J per wavelength and rise of the data */
    double inverters; /* of its driver, smallest ones */
    double laser;     /* W that all wavelengths take with this setting */
};

/* Carriers that a setting moves, V of bias they take. */
static double junction_bias(const struct channel *c, double on, double off, double *moved)
{
    double round = 2 * pi * ring_radius;
    double thermal = boltzmann * c->tech->temperature / charge;
    double built_in = thermal * log(acceptors * donors / (intrinsic * intrinsic));
    double depth = sqrt(2 * silicon_permittivity / charge * built_in * (acceptors + donors) /
                        (acceptors * donors));
    double cap = silicon_permittivity * round * junction_share * junction_width / depth;
    double quality = fmin(light / wave_length / c->params->rate, max_quality);
    double per_line_width = charge * group_index * round * junction_height * junction_width /
                            (2 * index_per_carrier * quality * confinement);
    double lines = sqrt((1 - notch) / (1 - on) - 1) - sqrt((1 - notch) / (1 - off) - 1);
    *moved = lines * per_line_width;
    double bias = built_in * (pow(*moved / (2 * built_in * cap) + 1, 2) - 1);
    bool is_deep = depth * sqrt(1 + bias / built_in) >= junction_height;
    return is_deep ? INFINITY : bias;
}

/* False when no driver swings the junction in time. */
static bool design_modulator(const struct channel *c, double loss_db, double ratio_db,
                             struct modulator *m)
{
    double on = from_db(-loss_db), off = on / from_db(ratio_db), moved;
    if (off <= notch)
        return false;
    double bias = junction_bias(c, on, off, &moved);
    if (isinf(bias))
        return false;
    double vdd = c->tech->vdd, high = bias * supply_boost, cap = moved / bias;
    double time = swing_time / c->params->rate;
    double settle = log(supply_boost / (supply_boost - 1)); /* time constants of a swing */
    double own = settle * c->inv.drain * c->inv.res;
    double least = own + settle * modulator_res * cap;
    if (least >= time)
        return false;
    double driver = fmax(1, settle * c->inv.res * (cap + modulator_cap) / (time - least));
    double before = driver * (fmax(1, high / vdd) - 1); /* a higher supply takes stacked drivers */
    double load = driver * c->inv.gate;
    int count = 0;
    do { /* the chain inverts */
        double size = fmax(1, c->inv.res * load / (time - own));
        load = size * c->inv.gate;
        before += size;
        count++;
    } while ((load > c->inv.gate || count % 2 == 0) && count <= max_chain);
    if (count > max_chain)
        return false;
    m->inverters = driver + before;
    m->energy = vdd * vdd * (c->inv.drain * before + c->inv.gate * m->inverters) +
                high * fmax(high, vdd) * (driver * c->inv.drain + cap + modulator_cap);
    return true;
}

/* ---- receiver and laser ---- */

/* A of photocurrent that the sense amplifier needs: swing, plus noise of thermal, supply, shot and
 * jitter origin, which makes it a quadratic. */
static double least_current(const struct channel *c, double extinction)
{
    const struct tech *t = c->tech;
    double vdd = t->vdd, rate = c->params->rate;
    double cap = sense_drains * t->min_width * t->drain_cap + c->params->detector_ff * 1e-15;
    double regeneration = c->inv.res * (c->inv.gate + c->inv.drain);
    double swing = vdd * exp(-(1 - integration) / (rate * regeneration)) + noise_margin +
                   3 * offset * vdd / offset_steps + supply_noise * vdd / common_mode_rejection;
    double gain = integration / (rate * cap); /* V per A */
    double var = pow(error_sigmas, 2);
    double noise = boltzmann * t->temperature / cap +
                   pow(random_supply_noise * vdd / common_mode_rejection, 2);
    double shot =
        pi * var * charge * shot_bandwidth * rate * (extinction + 1) / (2 * (extinction - 1));
    double a = 1 - var * jitter * jitter;
    double b = -shot - 2 * swing / gain;
    double k = (swing * swing - var * noise) / (gain * gain);
    return (-b + sqrt(b * b - 4 * a * k)) / (2 * a);
}

/* W into the laser for all wavelengths. */
static double laser_power(const struct channel *c, double loss_db, double ratio_db)
{
    double extinction = from_db(ratio_db);
    double received = least_current(c, extinction) / c->params->responsivity;
    return c->wavelengths * received * from_db(c->loss + loss_db) / (1 - 1 / extinction) /
           c->params->laser_efficiency;
}

/* A deeper modulation costs the driver, a shallower one the laser. */
static bool choose_modulator(const struct channel *c, struct modulator *best)
{
    double least = INFINITY;
    for (int i = 1; i * search_step < search_end; i++)
        for (int j = 1; (i + j) * search_step <= search_end; j++) {
            struct modulator m = {0};
            if (!design_modulator(c, i * search_step, j * search_step, &m))
                continue;
            m.laser = laser_power(c, i * search_step, j * search_step);
            double power =
                m.laser + c->wavelengths * m.energy * activity * utilisation * c->params->rate;
            if (power >= least)
                continue;
            least = power;
            *best = m;
        }
    return !isinf(least);
}

/* ---- the electronics at the ends ---- */

struct logic {
    double energy, leak, pitches;
};

/* Capacitance that a two-input multiplexer of size 1 switches when its output rises: two half-size
 * tristate drivers with two transistors in series (twice the drains, twice the fingers), an
 * inverter. */
static double mux_cap(const struct tech *t, const struct inverter *inv)
{
    double tristates = 2 * (tech_cell_width(t) * t->drain_cap + 2 * tech_finger_cap(t));
    return tristates + inv->gate + inv->drain;
}

/* Capacitance of a data input of it, of its select input with all that follows inside. */
static double mux_pin(const struct inverter *inv)
{
    return inv->gate / 2;
}

static double mux_select(const struct inverter *inv)
{
    return 4 * mux_pin(inv);
}

/* Multiplexers of which each charges `cap` per flit, on average. */
static void add_muxes(struct logic *l, const struct channel *c, double count, double cap)
{
    l->energy += count * cap * c->tech->vdd * c->tech->vdd;
    l->leak += count * cell_of(c->tech, CELL_MUX2, 1).leak;
    l->pitches += count * mux_pitches;
}

static void add_inverters(struct logic *l, const struct channel *c, double count)
{
    l->leak += count * (c->inv.leak_0 + c->inv.leak_1) / 2;
    l->pitches += count * inverter_pitches;
}

static double stages(double ways)
{
    return ways <= 1 ? 0 : ceil(log2(ways) - 1e-9);
}

static bool is_shuffled(const struct channel *c)
{
    return strcmp(c->params->tuning, "reshuffle") == 0 ||
           strcmp(c->params->tuning, "assisted") == 0;
}

/* Neighbours that a wavelength may end up at: 4 sigma to both sides. */
static double shuffle_ways(const struct channel *c)
{
    return ceil(2 * 4 * local_sigma / (spectral_range() / c->wavelengths));
}

/* A barrel shifter over the flit for the coarse shift, a multiplexer per wavelength for the fine
 * one. */
static void add_shuffle(struct logic *l, const struct channel *c)
{
    double bits = c->spec->bits, ways = shuffle_ways(c);
    double shifts = fmax(0, stages(bits) - stages(c->ratio));
    double out = mux_cap(c->tech, &c->inv);
    add_muxes(l, c, bits * shifts, activity * (out + 2 * mux_pin(&c->inv)));
    add_inverters(l, c, 4 * shifts);
    add_muxes(l, c, c->wavelengths * (ways - 1), activity * c->ratio * (out + mux_pin(&c->inv)));
    add_inverters(l, c, 2 * stages(ways));
}

/* A tree of multiplexers per wavelength, selected by the clock and its halves: on each level every
 * bit of the flit passes one multiplexer, and every second one comes with a rise of the select. */
static struct logic make_serialiser(const struct channel *c)
{
    struct logic l = {0};
    double depth = stages(c->ratio), bits = c->spec->bits, vdd = c->tech->vdd;
    double level =
        activity * (mux_cap(c->tech, &c->inv) + mux_pin(&c->inv)) + mux_select(&c->inv) / 2;
    l.energy = bits * depth * level * vdd * vdd;
    add_muxes(&l, c, c->wavelengths * (c->ratio - 1), 0);
    if (depth > 0) { /* a flip-flop and an inverter per halving, two inverters per select */
        l.leak += (depth - 1) * cell_of(c->tech, CELL_DFF, 1).leak;
        l.pitches += (depth - 1) * flop_pitches;
        add_inverters(&l, c, depth - 1 + 2 * depth);
    }
    if (is_shuffled(c)) {
        double fan_out = shuffle_ways(c) * mux_pin(&c->inv);
        l.energy += activity * bits * fan_out * vdd * vdd;
        add_shuffle(&l, c);
    }
    return l;
}

/* A binary tree per wavelength: in each node two flip-flops and a latch take every other bit each,
 * a flip-flop halves the clock. */
static struct logic make_deserialiser(const struct channel *c)
{
    struct cell dff = cell_of(c->tech, CELL_DFF, 1);
    struct logic l = {0};
    double nodes = c->wavelengths * (c->ratio - 1), vdd = c->tech->vdd;
    double clocks = stages(c->ratio) * c->spec->bits / 2.0; /* of all nodes, per flit */
    double data = cell_flop_switched(&dff, cell_net_random, cell_net_random, 0, 0);
    double flops = 3 * dff.in_ctl + (2 + 2) * data; /* the divider toggles on each clock */
    double latch = latch_energy * (dff.in_ctl + data);
    l.energy = clocks * (flops + latch) * vdd * vdd;
    l.leak = nodes * (3 + latch_leak) * dff.leak;
    l.pitches = nodes * (3 * flop_pitches + latch_pitches);
    add_inverters(&l, c, nodes);
    if (is_shuffled(c))
        add_shuffle(&l, c);
    return l;
}

/* The sense amplifiers sample every bit. */
static struct logic make_receiver(const struct channel *c)
{
    const struct tech *t = c->tech;
    double gate = t->min_width * t->gate_cap, drain = t->min_width * t->drain_cap;
    double pair = c->inv.gate + c->inv.drain;
    double sampled = sample_gates * gate + sample_drains * drain + pair;
    double latched = latch_gates * gate + latch_drains * drain + pair;
    struct logic l = {.pitches = c->wavelengths * receiver_inverters * inverter_pitches};
    l.energy = c->spec->bits * t->vdd * t->vdd * (sampled + activity * latched);
    l.leak = c->wavelengths * receiver_leak_inverters * (c->inv.leak_0 + c->inv.leak_1) / 2;
    return l;
}

static struct logic make_transmitter(const struct channel *c, const struct modulator *m)
{
    struct logic l = {.energy = activity * c->spec->bits * m->energy};
    l.leak = c->wavelengths * m->inverters / 2 * (c->inv.leak_0 + c->inv.leak_1) / 2;
    l.pitches = c->wavelengths * m->inverters * inverter_pitches;
    return l;
}

/* ---- the whole ---- */

/* W of heat for one bank of rings. */
static double bank_tuning(const struct channel *c)
{
    const char *how = c->params->tuning;
    double apart = spectral_range() / c->wavelengths;
    double tuned = 0; /* Hz per ring */
    double per_k = c->params->shift_ghz_per_k * 1e9;
    if (strcmp(how, "reshuffle") == 0) /* to the nearest wavelength */
        tuned = apart;
    else if (strcmp(how, "assisted") == 0)
        tuned = fmax(0, apart - electric_reach);
    else if (strcmp(how, "full") == 0) /* to its own, from wherever it was made and however cold */
        tuned = 3 * hypot(local_sigma, systematic_sigma) + (hottest - coldest) * per_k -
                (c->tech->temperature - coldest) * per_k;
    return c->wavelengths * tuned / (per_k * c->params->heating_kk_per_w * 1e3);
}

/* A bus takes its light from a waveguide that feeds all channels; a link has its own laser. */
static double path_loss(const struct channel *c)
{
    const struct photonic_spec *p = c->params;
    double banks = (double)c->spec->writers + c->spec->readers;
    return p->coupler_db + (banks > 2 ? p->splitter_db : 0) +
           p->waveguide_db_per_cm * c->spec->length * 100 + banks * c->wavelengths * p->through_db +
           p->drop_db + p->detector_db;
}

static bool check_spec(const struct power_photonic_spec *s, struct err *e)
{
    if (s->bits == 0 || s->bits > MAX_BITS)
        return err_set(e, STATUS_BAD_INPUT, "photonic: %u bits; expected 1 to %d", s->bits,
                       MAX_BITS);
    if (!(s->length >= 0 && s->length <= max_length))
        return err_set(e, STATUS_BAD_INPUT, "photonic: length of %g m; expected 0 to %g", s->length,
                       max_length);
    if (!(s->clock > 0 && s->clock <= s->params->rate))
        return err_set(e, STATUS_BAD_INPUT,
                       "photonic: clock of %g Hz; expected more than 0, to photonic.rate (%g)",
                       s->clock, s->params->rate);
    if (s->writers == 0 || s->readers == 0 || s->writers > MAX_NODES || s->readers > MAX_NODES)
        return err_set(e, STATUS_BAD_INPUT,
                       "photonic: %u writers and %u readers; expected 1 to %d of each", s->writers,
                       s->readers, MAX_NODES);
    return true;
}

bool power_photonic(const struct power_photonic_spec *s, struct power_photonic *p, struct err *e)
{
    const struct tech *t = tech_find(s->node, e);
    if (t == NULL || !check_spec(s, e))
        return false;
    struct channel c = {.spec = s, .params = s->params, .tech = t, .inv = tech_inverter(t, 1)};
    c.wavelengths = ceil(s->bits * s->clock / s->params->rate - 1e-9);
    c.ratio = s->bits / c.wavelengths;
    c.loss = path_loss(&c);
    if (!(c.loss <= max_loss))
        return err_set(e, STATUS_BAD_INPUT, "photonic: %g dB lost on the way; expected %g at most",
                       c.loss, max_loss);
    struct modulator m = {0};
    if (!choose_modulator(&c, &m))
        return err_set(e, STATUS_BAD_INPUT, "photonic.rate: no modulator reaches %g bit/s at %u nm",
                       s->params->rate, t->nm);
    struct logic tx[] = {make_serialiser(&c), make_transmitter(&c, &m)};
    struct logic rx[] = {make_receiver(&c), make_deserialiser(&c)};
    double banks = (double)s->writers + s->readers;
    bool is_throttled = strcmp(s->params->laser, "throttled") == 0;
    *p = (struct power_photonic){
        .wavelengths = (uint32_t)c.wavelengths,
        .tuning = banks * bank_tuning(&c),
        .laser = is_throttled ? 0 : m.laser,
        .laser_flit = is_throttled ? m.laser / s->clock : 0,
        .photonic_area = banks * c.wavelengths * ring_area + s->length * waveguide_pitch,
    };
    p->energy = p->laser_flit;
    for (int i = 0; i < 2; i++) {
        p->energy += tx[i].energy + rx[i].energy;
        p->leak += s->writers * tx[i].leak + s->readers * rx[i].leak;
        p->area += (s->writers * tx[i].pitches + s->readers * rx[i].pitches) * tech_unit(t);
    }
    return true;
}
