/* libheddle_catalogue.h - what parameters take and which statistics there are, for the library itself
 * and `heddle list`. */
#ifndef HEDDLE_LIBHEDDLE_CATALOGUE_H
#define HEDDLE_LIBHEDDLE_CATALOGUE_H

#include "lab/lab.h"
#include "machine/machine.h"

/* A small machine that has one of everything but a ring; or one with a ring, which goes with no table
 * of a router.  The configuration is in the arena. */
struct config *libheddle_small_config(struct arena *a, bool has_ring);
struct machine *libheddle_small_machine(struct arena *a, bool has_ring);
/* A network under traffic that asks and answers. */
struct lab *libheddle_small_lab(struct arena *a);

/* The i-th name that a parameter can be set to; NULL: there are no more, or it takes no names. */
const char *libheddle_value(struct arena *a, const char *key, const struct cfg_field *f, int i);

#endif
