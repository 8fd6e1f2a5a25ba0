/* policy_plru.c - tree pseudo-LRU: a bit per inner node of a binary tree over the ways of a set says
 * in which half the next victim is.  A use or a fill turns the bits above its way to the other
 * halves (Handy, "The Cache Memory Book", 1993, "Pseudo-LRU"; the i486 has it with 4 ways).
 *
 * Any number of ways: the tree is that of the next power of two, and ways beyond the last one do not
 * exist.  A half in which nobody may leave (RESERVED, or no ways) is passed over, the bits stay. */
#include "cache/policy.h"

struct plru {
    uint32_t ways, leaves; /* leaves: the power of two */
    bool *is_right; /* [set][node]: the root is node 1, the children of n are 2n and 2n + 1 */
};

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    struct plru *p = ARENA_NEW(a, struct plru);
    (void)cfg;
    p->ways = shape->ways;
    for (p->leaves = 1; p->leaves < shape->ways;)
        p->leaves *= 2;
    p->is_right = ARENA_ARRAY(a, bool, (uint64_t)shape->sets * p->leaves);
    return p;
}

static const bool *bits_of(const struct plru *p, uint32_t set)
{
    return p->is_right + (uint64_t)set * p->leaves;
}

static bool can_leave(const struct plru *p, const struct cache_set *set, uint32_t node)
{
    uint32_t first = node, last = node;
    for (; first < p->leaves; first *= 2)
        last = 2 * last + 1;
    for (uint32_t w = first - p->leaves; w <= last - p->leaves && w < p->ways; w++)
        if (cache_may_leave(set, w))
            return true;
    return false;
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    const struct plru *p = state;
    const bool *is_right = bits_of(p, ask->set);
    uint32_t node = 1;
    while (node < p->leaves) {
        uint32_t wanted = 2 * node + is_right[node];
        node = can_leave(p, set, wanted) ? wanted : wanted ^ 1;
    }
    return node - p->leaves;
}

static void turn(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct plru *p = state;
    bool *is_right = p->is_right + (uint64_t)ask->set * p->leaves;
    for (uint32_t node = p->leaves + line - ask->set * p->ways; node > 1; node /= 2)
        is_right[node / 2] = node % 2 == 0;
}

const struct cache_policy cache_policy_plru = {.name = "plru",
                                               .help = "tree pseudo-LRU, any number of ways",
                                               .init = init,
                                               .victim = victim,
                                               .used = turn,
                                               .filled = turn};
