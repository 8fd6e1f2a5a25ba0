/* cost.h - what a machine is made of: storage of every unit, area and leakage of its arrays, area
 * and power of its networks.
 *
 * Storage is counted as the papers count: data and tags, in bits; the bits of one unit are rounded
 * up to bytes.  docs/model/cost.md has the formulas, and what is left out. */
#ifndef HEDDLE_MACHINE_COST_H
#define HEDDLE_MACHINE_COST_H

#include "fabric/netcost.h"
#include "noc/bisection.h"
#include "power/array.h"
#include "sim/config.h"

enum { COST_ROWS = 28, COST_ADDRESS_BITS = 48 };
/* What leaves an array at once: a register of all lanes of a warp, a line of the L1, a sector of the
 * L2, a word of one bank of shared memory, a constant that is broadcast. */
enum { COST_WARP_BITS = 1024, COST_SECTOR_BITS = 256, COST_WORD_BITS = 32 };

/* Of an entry of a coalescing router: when it must go, in cycles from now; and what it may still wait
 * for, its hop and its hops. */
enum { COST_DEADLINE_BITS = 10, COST_SLACK_BITS = 10 + 6 + 6 };

struct cost_row {
    const char *name;
    const char *made_of;
    uint64_t units; /* 0: this machine has none */
    uint64_t bytes; /* of one */
    bool is_array;  /* priced here; buffers of networks are priced with their routers, what a policy
                       stores with the tags of its cache */
    struct power_array_spec spec;
    struct power_array array; /* of one */
};

struct cost_network {
    const char *name; /* "noc.request" */
    struct netcost cost;
    struct bisection bisection;
    double power[NETCOST_PARTS]; /* W at power.load */
};

struct cost {
    struct cost_row row[COST_ROWS]; /* in the order of the way of a load */
    int nrows;
    uint64_t total; /* bytes */
    struct cost_network network[2];
    int nnetworks;
};

/* False with *e set when the machine cannot be built. */
bool cost_of(const struct config *cfg, struct arena *a, struct cost *c, struct err *e);
/* The memories alone, of a machine that can be built and has these networks. */
bool cost_memories(const struct config *cfg, const struct fabric *g, struct arena *a,
                   struct cost *c, struct err *e);
/* Of a configuration that is a network and nothing else. */
bool cost_of_network(const struct config *cfg, struct arena *a, struct cost *c, struct err *e);
const struct cost_row *cost_find(const struct cost *c, const char *name); /* NULL: no such row */

/* Bits of one unit: data and tags of a cache; tags of MSHRs, with the numbers of those that wait;
 * line addresses and SM lists of an intra-cluster merge table. */
uint64_t cost_cache_bits(uint64_t bytes, uint64_t line, uint64_t ways);
uint64_t cost_mshr_bits(uint64_t entries, uint64_t line, uint64_t waiter_bits);
uint64_t cost_merge_bits(uint64_t entries, uint64_t line, uint64_t sms);

#endif
