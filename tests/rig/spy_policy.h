/* spy_policy.h - a cache policy that writes down what it is told, and decides what a test says.
 *
 *     struct spy_policy spy = {.keeps = true};
 *     spy_policy_attach(&spy, &slice->tags);
 *
 * Attached to tags that were built under LRU, it chooses victims as LRU does; an L2 slice has made no
 * provisions for refusals, so there it must keep. */
#ifndef HEDDLE_TESTS_RIG_SPY_POLICY_H
#define HEDDLE_TESTS_RIG_SPY_POLICY_H

#include "cache/policy.h"

struct spy_policy {
    bool keeps, says_shared, is_broken;
    uint32_t used, filled, came, refused, dropped, launched, settled;
    uint32_t line;        /* the last that it was told of */
    uint64_t left;        /* `filled`: address of what was there; UINT64_MAX: nothing */
    uint32_t program;     /* `launched` */
    struct cache_ask ask; /* the last */
    struct tags *tags;
};

void spy_policy_attach(struct spy_policy *s, struct tags *t);

#endif
