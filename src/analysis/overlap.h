/* overlap.h - the footprints of all SMs put together: which blocks of a kernel several CTAs or several
 * SMs touched, and how far apart those CTAs are.  Private to src/analysis. */
#ifndef HEDDLE_ANALYSIS_OVERLAP_H
#define HEDDLE_ANALYSIS_OVERLAP_H

#include "analysis/footprint.h"

/* Of linear CTA ids: 1 to 8, up to 16, 32, 64, more. */
enum { DISTANCE_BINS = 12 };

/* What is counted is added to what is there. */
struct overlap {
    uint64_t blocks;
    uint64_t shared_by_ctas;         /* blocks that several CTAs touched, and for these */
    uint64_t nearest[DISTANCE_BINS]; /* ... blocks, by the distance of the two nearest CTAs */
    uint64_t step[DISTANCE_BINS];    /* ... CTAs but the last, by the distance of the next one */
    uint64_t pair[DISTANCE_BINS];    /* ... pairs of CTAs, by their distance */
    uint64_t *by_sms;                /* [SMs + 1]: blocks that so many SMs touched */
    uint64_t load[LOADS_COUNTED];    /* on blocks that several SMs touched */
    uint64_t reuse[REUSE_BINS];      /* ... by the time since the last fill */
};

/* Of n SMs; one that is NULL touched nothing. */
void overlap_add(struct overlap *o, const struct footprint *const *f, uint32_t n);

#endif
