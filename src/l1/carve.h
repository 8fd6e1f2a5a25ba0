/* carve.h - one memory for L1 and shared memory, divided anew for each kernel.
 *
 * From Volta on an SM's L1 and shared memory are one array.  Shared memory takes the smallest of a
 * few sizes that holds what the kernel's CTAs on an SM can use of it, and the L1 has the rest (CUDA
 * C++ Programming Guide, 16.6.2 and 19.8: the driver chooses by the kernel's use and occupancy unless a program
 * asks for more). */
#ifndef HEDDLE_L1_CARVE_H
#define HEDDLE_L1_CARVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/config.h"

/* Sizes of shared memory ascend, each leaves of `whole` bytes at least one set to the L1, and whole
 * ones of `set` bytes; false with *e set if they do not. */
bool carve_check(const struct cfg_list *sizes, uint64_t whole, uint64_t set, struct err *e);
/* The smallest size that holds `bytes`, or the largest if none does. */
uint64_t carve_shared(const struct cfg_list *sizes, uint64_t bytes);

#endif
