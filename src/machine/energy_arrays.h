/* energy_arrays.h - the lines of caches, tables, shared memory and register files in the structural
 * bill. */
#ifndef HEDDLE_MACHINE_ENERGY_ARRAYS_H
#define HEDDLE_MACHINE_ENERGY_ARRAYS_H

#include "machine/energy_build.h"

bool energy_arrays_add(struct energy_builder *b, struct err *e);

#endif
