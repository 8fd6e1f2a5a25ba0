/* cost.h - what a machine's memories take: caches, tables, register files, network buffers.
 *
 * Counted as the papers count: data and tags, in bits; the bits of one unit are rounded up to
 * bytes.  docs/model/cost.md has the formulas, and what is left out. */
#ifndef HEDDLE_MACHINE_COST_H
#define HEDDLE_MACHINE_COST_H

#include "sim/config.h"

enum { COST_ROWS = 16, COST_ADDRESS_BITS = 48 };

struct cost_row {
    const char *name;
    const char *made_of;
    uint64_t units; /* 0: this machine has none */
    uint64_t bytes; /* of one */
};

struct cost {
    struct cost_row row[COST_ROWS]; /* in the order of the way of a load */
    int nrows;
    uint64_t total; /* bytes */
};

/* False with *e set when the machine cannot be built. */
bool cost_of(const struct config *cfg, struct arena *a, struct cost *c, struct err *e);
const struct cost_row *cost_find(const struct cost *c, const char *name); /* NULL: no such row */

/* Bits of one unit: data and tags of a cache; tags of MSHRs, with the numbers of those that wait;
 * line addresses and SM lists of an intra-cluster merge table. */
uint64_t cost_cache_bits(uint64_t bytes, uint64_t line, uint64_t ways);
uint64_t cost_mshr_bits(uint64_t entries, uint64_t line, uint64_t waiter_bits);
uint64_t cost_merge_bits(uint64_t entries, uint64_t line, uint64_t sms);

#endif
