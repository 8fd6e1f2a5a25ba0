/* stats_priv.h - the statistics tree, shared by stats.c (which builds it), stats_out.c (which
 * writes it) and stats_snapshot.c (which copies it); everybody else includes stats.h. */
#ifndef HEDDLE_SIM_STATS_PRIV_H
#define HEDDLE_SIM_STATS_PRIV_H

#include <stdbool.h>

#include "sim/stats.h"

struct stat_instance {
    struct stat_instance *next;
    const void *value;
};

struct stat_entry {
    struct stat_entry *next;
    const char *name; /* path.name */
    const struct stat_row *row;
    struct stat_instance of; /* the first; most have no other */
    struct stat_instance **last;
    uint32_t index; /* in its list */
    bool is_joined; /* others may join */
    bool is_detail; /* of the second list */
    bool is_observed;
};

struct stat_list { /* in the order they were added */
    struct stat_entry *first, **last;
    uint32_t n;
};

enum { STATS_SUMS, STATS_DETAILS };

struct stats {
    struct arena *arena;
    struct stat_list
        lists[2]; /* what was added or joined; every one that joined, by its own path */
    bool has_details, is_observed; /* is_observed: what comes next is */
    struct stat_entry **slots;     /* hash table of all names; nslots is a power of two or 0 */
    size_t nslots;
    bool *frozen; /* outside, so that a writer, for whom the tree is const, can set it */
};

union stat_value {
    uint64_t counter;
    struct stat_mean mean;
    struct stat_hist hist;
    struct stat_series series;
};

struct stat_number {
    uint64_t n, sum; /* n: of the samples of a mean or a histogram, else 0 */
};

struct stats_snapshot {
    const struct stats *tree;
    uint32_t n;
    struct stat_number *at; /* by stat_entry.index */
};

static inline bool stat_has_samples(enum stat_kind k)
{
    return k == STAT_MEAN || k == STAT_HIST;
}

/* The value of all instances: the only one itself, or their sum, made in *sum. */
const void *stats_entry_value(const struct stat_entry *s, union stat_value *sum);
const struct stat_entry *stats_find(const struct stats *t, const char *name); /* or NULL */

#endif
