/* sim_spec.c - see sim_spec.h. */
#include "sim/sim_spec.h"

CFG_SECTION(sim, SIM_ROWS, "any simulation: random draws, looking for deadlocks")
