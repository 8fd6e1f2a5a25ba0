/* footprint.h - what the CTAs of a kernel touched on one SM: blocks of 128 bytes, which CTAs touched
 * each of them, and what became of their loads in the L1.  Private to src/analysis. */
#ifndef HEDDLE_ANALYSIS_FOOTPRINT_H
#define HEDDLE_ANALYSIS_FOOTPRINT_H

#include <stdbool.h>

#include "analysis/lines.h"
#include "sim/component.h"

enum footprint_load {
    LOAD_HIT,   /* found in the L1 */
    LOAD_MERGE, /* waits for data on its way: a hit in an MSHR */
    LOAD_MISS,  /* asks for data */
    LOADS_COUNTED,
    LOAD_NONE = LOADS_COUNTED, /* by the L1, or no load at all */
};

/* Times from the last fill to a load that does not wait for one: below 10, 100, 1000, 10000 cycles,
 * longer. */
enum { REUSE_BINS = 5 };

struct footprint_block {
    uint32_t load[LOADS_COUNTED], reuse[REUSE_BINS];
    uint32_t last_cta;
    bool is_filled;
    hd_cycle filled; /* last */
};

struct footprint {
    struct lines blocks; /* of struct footprint_block */
    struct lines ctas;   /* number of a block << 32 | CTA */
};

struct footprint footprint_new(void);
void footprint_clear(struct footprint *f);
void footprint_touch(struct footprint *f, uint64_t line, uint32_t cta, enum footprint_load load,
                     hd_cycle now);
void footprint_fill(struct footprint *f, uint64_t line, hd_cycle now); /* data has come to the L1 */

#endif
