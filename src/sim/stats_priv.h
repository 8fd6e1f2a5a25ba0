/* stats_priv.h - the statistics tree, shared by stats.c (which builds it) and stats_out.c (which
 * writes it); everybody else includes stats.h. */
#ifndef HEDDLE_SIM_STATS_PRIV_H
#define HEDDLE_SIM_STATS_PRIV_H

#include <stdbool.h>

#include "sim/stats.h"

struct stat_entry {
    struct stat_entry *next;
    const char *name; /* path.name */
    const struct stat_row *row;
    const void *value;
};

struct stats {
    struct arena *arena;
    struct stat_entry *first, **last; /* in the order they were added */
    size_t total;
    const char **names; /* hash set of all names; nnames is a power of two or 0 */
    size_t nnames;
    bool *frozen; /* outside, so that a writer, for whom the tree is const, can set it */
};

#endif
