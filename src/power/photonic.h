/* photonic.h - a wavelength-multiplexed optical link or ring: laser, ring heating, modulators,
 * receivers, waveguides.  Parameters of machines (intra-clustering network) and of `heddle cost`. */
#ifndef HEDDLE_POWER_PHOTONIC_H
#define HEDDLE_POWER_PHOTONIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/config.h"

#define PHOTONIC_ROWS(F, id)                                                                       \
    F(id, REAL, waveguide_db_per_cm, "1", 0, 100, "dB/cm", "loss of a waveguide")                  \
    F(id, REAL, coupler_db, "1", 0, 100, "dB", "loss where the laser's light enters the chip")     \
    F(id, REAL, splitter_db, "1", 0, 100, "dB", "loss of a splitter")                              \
    F(id, REAL, through_db, "0.01", 0, 10, "dB", "loss of passing a ring")                         \
    F(id, REAL, drop_db, "1", 0, 100, "dB", "loss of being taken out by a ring")                   \
    F(id, REAL, detector_db, "1", 0, 100, "dB", "loss at the detector")                            \
    F(id, REAL, responsivity, "1.1", 0.01, 10, "A/W", "of the detector")                           \
    F(id, REAL, detector_ff, "5", 0.1, 1000, "fF", "capacitance of the detector")                  \
    F(id, REAL, laser_efficiency, "0.25", 0.001, 1, "", "light out over power in")                 \
    F(id, CHOICE, laser, "standard", 0, 0, "standard|throttled",                                   \
      "always on, or on while data is sent")                                                       \
    F(id, CHOICE, tuning, "reshuffle", 0, 0, "reshuffle|assisted|full|athermal",                   \
      "how rings are kept at their wavelengths")                                                   \
    F(id, REAL, heating_kk_per_w, "100", 0.1, 1e5, "kK/W", "heating efficiency of a ring")         \
    F(id, REAL, shift_ghz_per_k, "10", 0.1, 1000, "GHz/K", "shift of a ring's resonance")          \
    F(id, REAL, rate, "8GHz", 1e8, 1e11, "Hz", "bits per second of one wavelength")
CFG_STRUCT(photonic, PHOTONIC_ROWS)
extern const struct cfg_section photonic_section;

struct power_photonic_spec {
    uint32_t node;             /* nm */
    uint32_t bits;             /* of a flit */
    double clock;              /* Hz: flits per second at most */
    double length;             /* m of waveguide */
    uint32_t writers, readers; /* on one channel: 1 and 1 is a link, n and 1 an MWSR bus */
    const struct photonic_spec *params;
};

struct power_photonic {
    uint32_t wavelengths;
    double energy;     /* J per flit: modulators, receivers, serialisers, and a throttled laser */
    double leak;       /* W */
    double tuning;     /* W, always */
    double laser;      /* W, always on (0 when throttled) */
    double laser_flit; /* J per flit of a throttled laser, contained in energy */
    double area;       /* m2 of silicon */
    double photonic_area;
};

/* False with *e set when a number makes no sense (0 bits, negative length, a clock above the rate of
 * a wavelength, a rate that no modulator reaches).  Figures are of the whole channel: every writer
 * has modulators and a serialiser, every reader has receivers; a flit moves from one to one. */
bool power_photonic(const struct power_photonic_spec *s, struct power_photonic *p, struct err *e);

#endif
