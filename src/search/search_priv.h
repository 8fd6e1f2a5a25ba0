/* search_priv.h - what methods see of a search.
 *
 * A method asks for points by search_measure(), or by a batch (batch.h), and looks at what they came
 * to by search_at().  After each it looks whether the search is over: then there is nothing more to
 * ask for, and it returns. */
#ifndef HEDDLE_SEARCH_SEARCH_PRIV_H
#define HEDDLE_SEARCH_SEARCH_PRIV_H

#include "search/search.h"

#define SEARCH_NONE UINT32_MAX

/* Streams of random draws, so that methods on one search do not draw the same. */
enum search_stream { STREAM_RANDOM = 1, STREAM_HALVING, STREAM_NSGA2_FIRST, STREAM_NSGA2 };

struct search {
    struct arena *arena;
    struct arena *scratch; /* of the method that runs; freed at its end */
    struct search_problem problem;
    const struct config *config;
    struct search_point **points; /* in the order in which they were asked for */
    uint32_t count, room;
    uint32_t *slots;    /* open addressing, by hash of levels and fidelity: index + 1, 0 is free */
    uint32_t nslots;    /* a power of two */
    uint32_t *measured; /* points, by fidelity */
    bool is_over;
};

static inline uint32_t search_last(const struct search *s)
{
    return s->problem.nfidelities - 1;
}

/* Levels become those of the point that stands for them. */
void search_plain(const struct search *s, uint16_t *levels);
/* The index of a point that was measured at this fidelity, or SEARCH_NONE. */
uint32_t search_find(const struct search *s, uint32_t fidelity, const uint16_t *levels);

/* Has points measured at a fidelity, but for those that were, each once even if it is here twice.
 * at[i] becomes the index of the i-th, or SEARCH_NONE if the budget did not reach to it; then, and
 * whenever the search is over before, nothing is asked for any more.  False with *e set: measuring
 * failed. */
bool search_measure(struct search *s, uint32_t fidelity, const uint16_t *const *points, uint32_t n,
                    uint32_t *at, struct err *e);

#endif
