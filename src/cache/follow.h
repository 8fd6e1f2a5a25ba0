/* follow.h - a tag array under a cache policy.
 *
 * Under plain LRU, which has nothing to ask, `tags.policy` is NULL and a cache keeps to tags_touch,
 * tags_victim and tags_take, without making up who asks; else it calls these instead of them. */
#ifndef HEDDLE_CACHE_FOLLOW_H
#define HEDDLE_CACHE_FOLLOW_H

#include "cache/policy.h"

/* The number of a cache by the component that it is in ("sm[3]") and which one of it. */
uint64_t follow_instance(const char *path, uint32_t which);
/* The policy exists.  Before the first lookup. */
void follow_init(struct tags *t, struct arena *a, const char *policy, uint64_t instance,
                 const struct config *cfg);

/* These change nothing and may be asked again. */
bool follow_passes(const struct tags *t, const struct cache_ask *ask);
bool follow_keeps(const struct tags *t, const struct cache_ask *ask);
/* The line that would be given: an invalid one, else the policy's choice among those that are not
 * RESERVED; TAGS_NONE when all are. */
uint32_t follow_victim(const struct tags *t, const struct cache_ask *ask);

void follow_used(struct tags *t, const struct cache_ask *ask, uint32_t i);
void follow_take(struct tags *t, const struct cache_ask *ask, uint32_t i);

#endif
