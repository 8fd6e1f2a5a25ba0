/* array.h - SRAM arrays, caches and content-addressed tables: energy per access, leakage, area. */
#ifndef HEDDLE_POWER_ARRAY_H
#define HEDDLE_POWER_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum array_kind {
    ARRAY_RAM,   /* no tags: register file, shared memory */
    ARRAY_CACHE, /* tags, then the way that hit */
    ARRAY_CAM    /* fully associative: all tags are searched */
};

struct power_array_spec {
    uint32_t node; /* nm: 7, 12, 22, 32, 45; 40 for what the papers built at 40 nm */
    enum array_kind kind;
    uint64_t bytes;     /* of data */
    uint32_t block;     /* bytes of a line or row */
    uint32_t ways;      /* of a cache */
    uint32_t tag_bits;  /* per line; 0 for RAM */
    uint32_t flag_bits; /* of a cache, beside each tag: they widen the tags and move nothing else */
    uint32_t port_bits; /* read or written at once */
    uint32_t banks;     /* independent arrays that the bytes are spread over; 0: 1 */
    bool is_parallel;  /* a cache that reads all ways beside the tags, not the one that hit after */
    bool is_tags_only; /* a CAM of nothing but what is searched: no data beside the tags */
};

struct power_array {
    double read, write; /* J: of a cache with the look-up of the tags; of a CAM by address */
    double search;      /* J: of a cache the tags alone; of a CAM with the data of the hit */
    double match;       /* J: of the tags alone, what a miss costs */
    double leak;        /* W */
    double area;        /* m2 */
    double access;      /* s: of a CAM a search with the data of the hit */
    double addressed;   /* s: of a CAM a read by address */
};

/* An access goes to one bank and moves port_bits; one that needs several banks is several accesses.
 * Leakage and area are of all banks.  A CAM reads a whole block whatever its port. */
bool power_array(const struct power_array_spec *s, struct power_array *a, struct err *e);

#endif
