/* kind_priced.h - what kinds that price a configuration and run nothing share. */
#ifndef HEDDLE_STUDY_KIND_PRICED_H
#define HEDDLE_STUDY_KIND_PRICED_H

#include "machine/cost_values.h"
#include "study/kind.h"

/* A trial is the prices themselves: struct cost_values. */
bool kind_priced_knows(const void *trial, const char *name);
uint32_t kind_priced_names(const void *trial, const char **all, uint32_t most, struct arena *a);
struct kind_values kind_priced_values(const struct cost_values *c, struct arena *a);

#endif
