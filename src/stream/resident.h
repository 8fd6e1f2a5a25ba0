/* resident.h - the streams of one CTA, copied out of the store for as long as it is on an SM. */
#ifndef HEDDLE_STREAM_RESIDENT_H
#define HEDDLE_STREAM_RESIDENT_H

#include "base/bytes.h"
#include "stream/store.h"

struct resident {
    uint32_t cta; /* linear id */
    uint32_t nwarps;
    struct stream_warp warp[STREAM_MAX_WARPS];
    struct bytes bytes; /* reused by the next CTA in this place */
};

bool resident_load(struct resident *r, struct stream_cursor *from, uint32_t cta, struct err *e);
void resident_free(struct resident *r);

/* What a CTA dispatcher hands to an SM; belongs to the SM until it has reported the context done. */
struct cta_start {
    struct resident streams;
    const void *program; /* the kernel as SMs see it */
    uint32_t context;    /* CTA context (slot) of the SM */
    uint16_t kernel;     /* which launch */
    uint16_t owner;      /* of which of the programs that run at once */
};

/* What an SM says to who starts CTAs: that one has ended, perhaps with stores of its program under
 * way, in which case it also says when there are none. */
enum { CTA_OWES = 1 << 8, CTA_SETTLED = 1 << 9, CTA_NUMBER = CTA_OWES - 1 };
static inline uint32_t cta_done_message(uint32_t context, bool owes)
{
    return context | (owes ? (uint32_t)CTA_OWES : 0);
}
static inline uint32_t cta_settled_message(uint32_t program)
{
    return program | CTA_SETTLED;
}

#endif
