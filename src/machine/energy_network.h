/* energy_network.h - the lines of networks in the structural bill. */
#ifndef HEDDLE_MACHINE_ENERGY_NETWORK_H
#define HEDDLE_MACHINE_ENERGY_NETWORK_H

#include "machine/energy_build.h"

/* Of ideal networks there is nothing to pay. */
bool energy_network_add(struct energy_builder *b, struct err *e);

#endif
