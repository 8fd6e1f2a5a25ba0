/* follow.h - a tag array under a cache policy.
 *
 * Under plain LRU, which has nothing to ask, `tags.policy` is NULL and a cache keeps to tags_touch,
 * tags_victim and tags_take, without making up who asks; else it calls these instead of them. */
#ifndef HEDDLE_CACHE_FOLLOW_H
#define HEDDLE_CACHE_FOLLOW_H

#include "cache/policy.h"

struct follow_site {
    uint64_t instance;
    uint32_t sms; /* who asks has a number below this */
    const struct config *cfg;
};

/* The number of a cache by the component that it is in ("sm[3]") and which one of it. */
uint64_t follow_instance(const char *path, uint32_t which);

/* The policy exists.  Before the first lookup. */
void follow_init(struct tags *t, struct arena *a, const char *policy,
                 const struct follow_site *site);

/* These change nothing and may be asked again. */
bool follow_passes(const struct tags *t, const struct cache_ask *ask);
bool follow_keeps(const struct tags *t, const struct cache_ask *ask);
/* The line that would be given: an invalid one, else the policy's choice among those that are not
 * RESERVED; TAGS_NONE when all are. */
uint32_t follow_victim(const struct tags *t, const struct cache_ask *ask);

void follow_used(struct tags *t, const struct cache_ask *ask, uint32_t i);
void follow_take(struct tags *t, const struct cache_ask *ask, uint32_t i);
/* Data has come into line i, or TAGS_NONE. */
void follow_came(struct tags *t, const struct cache_ask *ask, uint32_t i);
/* follow_keeps said no, and the request has gone on without a line. */
void follow_refused(struct tags *t, const struct cache_ask *ask);

/* What an answer from line i says. */
static inline uint8_t follow_news(const struct tags *t, uint32_t i)
{
    const struct cache_policy *p = t->policy;
    return p && p->is_shared && p->is_shared(t->state, i) ? REQUEST_SHARED : 0;
}

/* The rest of the contract; these may be called under LRU, too. */
void follow_launched(struct tags *t, uint32_t program);
void follow_settle(struct tags *t, hd_cycle now);
void follow_add_stats(const struct tags *t, const char *cache, const char *instance,
                      struct stats *tree);
bool follow_audit(const struct tags *t, const char *path, struct err *e);

#endif
