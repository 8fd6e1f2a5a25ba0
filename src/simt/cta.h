/* cta.h - one CTA's warps, shared memory and barriers.  Private to src/simt. */
#ifndef HEDDLE_SIMT_CTA_H
#define HEDDLE_SIMT_CTA_H

#include "simt/exec.h"

enum cta_end {
    CTA_DONE,
    CTA_WAITS, /* every warp that is not done spins, or waits for one that does */
    CTA_FAULT, /* grid->fault */
};

/* Room for a CTA of this grid, to be used again and again. */
struct cta *cta_new(struct arena *a, struct grid *g, bool has_stream);
void cta_release(struct cta *c); /* the streams' buffers; the rest is the arena's */
void cta_start(struct cta *c, uint32_t id);
enum cta_end cta_run(struct cta *c);
/* Where a waiting CTA spins, for the diagnosis. */
void cta_where(const struct cta *c, char *text, size_t n);

#endif
