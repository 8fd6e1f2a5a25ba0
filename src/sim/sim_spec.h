/* sim_spec.h - parameters of any simulation, of machines and of networks alone. */
#ifndef HEDDLE_SIM_SIM_SPEC_H
#define HEDDLE_SIM_SIM_SPEC_H

#include "sim/config.h"

#define SIM_ROWS(F, id)                                                                            \
    F(id, INT, seed, "1", 0, 9e15, "", "seed of all random draws")                                 \
    F(id, INT, watchdog, "20000", 0, 1e12, "cycle",                                                \
      "how often to look for a deadlock; 0: only "                                                 \
      "when nothing moves any more")
CFG_STRUCT(sim, SIM_ROWS)
extern const struct cfg_section sim_section;

#endif
