/* policy_fifo.c - first in, first out: the line that was given away longest ago gives way, whatever
 * has been used since (Belady, "A study of replacement algorithms for a virtual-storage computer",
 * IBM Systems Journal 1966: FIFO). */
#include "cache/policy.h"

struct fifo {
    uint64_t fills;
    uint64_t *when; /* [line]: by which fill it came */
};

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    struct fifo *f = ARENA_NEW(a, struct fifo);
    (void)cfg;
    f->when = ARENA_ARRAY(a, uint64_t, (uint64_t)shape->sets * shape->ways);
    return f;
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    const struct fifo *f = state;
    uint32_t first = UINT32_MAX;
    (void)ask;
    for (uint32_t w = 0; w < set->ways; w++) {
        bool is_older =
            first == UINT32_MAX || f->when[set->first + w] < f->when[set->first + first];
        if (cache_may_leave(set, w) && is_older)
            first = w;
    }
    return first;
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct fifo *f = state;
    (void)ask;
    f->when[line] = ++f->fills;
}

const struct cache_policy cache_policy_fifo = {.name = "fifo",
                                               .help = "first in, first out",
                                               .init = init,
                                               .victim = victim,
                                               .filled = filled};
