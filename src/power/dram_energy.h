/* dram_energy.h - DRAM chips: energy per command and standby power, from the currents of a data
 * sheet (Micron TN-41-01: each command is charged what it draws beyond standby). */
#ifndef HEDDLE_POWER_DRAM_ENERGY_H
#define HEDDLE_POWER_DRAM_ENERGY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/config.h"

/* Defaults: GDDR5, 1 Gb x32 at 6 Gb/s (GDDR5_1Gb_x32.ini of DRAMsim3); POD15 of JESD212. */
#define DRAM_POWER_ROWS(F, id)                                                                     \
    F(id, INT, chip_bits, "32", 4, 1024, "bit",                                                    \
      "data pins of a chip; a channel has as many as fit")                                         \
    F(id, REAL, vdd, "1.5", 0.1, 5, "V", "supply of the core")                                     \
    F(id, REAL, clock, "1.5GHz", 1e6, 1e11, "Hz", "command clock that the currents are given for") \
    F(id, REAL, tras, "28", 1, 1000, "ns", "activate to precharge, of idd0")                       \
    F(id, REAL, trc, "40", 1, 1000, "ns", "activate to activate, of idd0")                         \
    F(id, REAL, trfc, "65", 1, 10000, "ns", "of a refresh of all banks")                           \
    F(id, REAL, idd0, "490", 0, 1e5, "mA", "one bank activated and precharged every trc")          \
    F(id, REAL, idd2n, "250", 0, 1e5, "mA", "standby, all banks precharged")                       \
    F(id, REAL, idd3n, "450", 0, 1e5, "mA", "standby, a bank active")                              \
    F(id, REAL, idd4r, "1080", 0, 1e5, "mA", "reading without pause")                              \
    F(id, REAL, idd4w, "1160", 0, 1e5, "mA", "writing without pause")                              \
    F(id, REAL, idd5, "450", 0, 1e5, "mA", "refreshing without pause")                             \
    F(id, REAL, vddq, "1.5", 0, 5, "V", "supply of the data pins")                                 \
    F(id, REAL, driver, "40", 0, 1e5, "ohm", "of a data pin")                                      \
    F(id, REAL, termination, "60", 0, 1e5, "ohm", "to vddq, drawn through by zeros; 0: none")      \
    F(id, REAL, io_pj_per_bit, "0", 0, 1000, "pJ", "of data pins, beyond the termination")
CFG_STRUCT(dram_power, DRAM_POWER_ROWS)
extern const struct cfg_section dram_power_section;

/* The channel that the chips make up. */
struct dram_energy_spec {
    const struct dram_power_spec *chip;
    uint32_t bus_bits;
    uint32_t burst, beats_per_cycle;
    double clock; /* Hz, of commands */
};

struct dram_energy { /* of a channel */
    double chips;    /* of a bus that is no multiple of theirs, with a part of the last */
    double activate; /* J, with the precharge that ends it */
    double read, write, refresh; /* J per command */
    double io;                   /* J of the data pins, per burst */
    double active, precharged;   /* W */
};

/* False with *e set when currents contradict one another, or no chip fits the bus. */
bool dram_energy(const struct dram_energy_spec *s, struct dram_energy *d, struct err *e);

#endif
