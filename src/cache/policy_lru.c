/* policy_lru.c - least recently used: every use and every fill makes a line the youngest of its set,
 * and the oldest gives way.
 *
 * It is the order that tag arrays keep by themselves (tags.h), so it has nothing to ask or to be
 * told, and costs no call. */
#include "cache/policy.h"

const struct cache_policy cache_policy_lru = {.name = "lru", .help = "least recently used"};
