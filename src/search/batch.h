/* batch.h - points that a method puts together and has measured at once.
 *
 * Or some hundreds at a time, for methods that know all their points beforehand: batch_push(). */
#ifndef HEDDLE_SEARCH_BATCH_H
#define HEDDLE_SEARCH_BATCH_H

#include "search/search_priv.h"

enum { BATCH_ROOM = 1024 };

struct batch {
    struct search *search;
    uint32_t fidelity;
    uint16_t *levels;        /* row by row */
    const uint16_t **points; /* the rows */
    uint32_t *at;            /* what batch_measure found: indices, or SEARCH_NONE */
    uint32_t n, room;
};

/* Lives as long as the method runs. */
struct batch *batch_new(struct search *s, uint32_t fidelity, uint32_t room);

/* The row of the next point, to be filled before batch_add. */
uint16_t *batch_row(const struct batch *b);
void batch_add(struct batch *b);
/* Whether the next row is among those that were added. */
bool batch_has(const struct batch *b);

/* These are false, with *e set, when measuring fails; that the search is over is for the caller to
 * look at. */
bool batch_measure(struct batch *b, struct err *e);
void batch_clear(struct batch *b);

/* Adds a point; a batch that is full is measured, and empty again.  batch_flush is for the rest. */
bool batch_push(struct batch *b, struct err *e);
bool batch_flush(struct batch *b, struct err *e);

#endif
