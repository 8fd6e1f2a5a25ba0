/* l2_oracle.h - where every word of an answer has come from.
 *
 * Watches a slice from outside and shares nothing with its idea of hits, misses and valid words: it
 * knows which sectors memory has sent, which words were written, which lines the tags still name,
 * and what an answer carries.  A word of an answer that was neither sent nor written since its line
 * came into the slice is unfounded.
 *
 * Without an L2 the rule is another: each answer has a transfer of its own that memory has done, a
 * fetch of just the sectors that are asked for, or the write of just those that are written. */
#ifndef HEDDLE_TESTS_RIG_L2_ORACLE_H
#define HEDDLE_TESTS_RIG_L2_ORACLE_H

#include "l2/slice_priv.h"

struct l2_oracle_done { /* a transfer that memory has done; is nobody's yet */
    uint64_t line;
    uint8_t sectors;
    bool is_write;
};

struct l2_oracle {
    const struct slice *slice;
    const struct request *requests;
    bool is_bypassed;            /* no L2 */
    struct l2_oracle_done *done; /* [ndone] */
    uint32_t ndone;
    struct versions *here; /* line -> words that were sent or written since it came */
    uint64_t *line;        /* [nlines]: that have been here */
    uint32_t nlines;
    uint32_t naccessed; /* requests reach the tags in the order in which they were sent */
    uint32_t *open;     /* [nopen]: have reached the tags, wait for words */
    uint32_t nopen;
    bool *is_founded;   /* [request]: all its words were here at once */
    uint32_t unfounded; /* answers with words from nowhere */
    uint32_t first_unfounded;
};

void l2_oracle_init(struct l2_oracle *o, struct arena *a, const struct slice *s,
                    const struct request *requests, uint32_t capacity);
void l2_oracle_free(struct l2_oracle *o);
/* Memory has sent what a fetch asked for, or confirms a write. */
void l2_oracle_returned(struct l2_oracle *o, const struct transfer *t);
/* The slice has done a cycle. */
void l2_oracle_ticked(struct l2_oracle *o);
void l2_oracle_answered(struct l2_oracle *o, uint32_t request);

#endif
