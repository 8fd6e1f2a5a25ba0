/* policy_random.c - any line of the set gives way, all with the same chance (Belady, "A study of
 * replacement algorithms for a virtual-storage computer", IBM Systems Journal 1966: RAND).
 *
 * A draw is a function of the seed, the cache and how many lines the cache has given so far, so that
 * neither threads nor skipped cycles nor a request that is tried twice can change it.
 *
 * Not modelled: the generator of a real cache, often a few bits that all sets share. */
#include "base/rng.h"
#include "cache/policy.h"

#define RANDOM_ROWS(F, id) F(id, INT, seed, "1", 0, 1e15, "", "of the draws of cache policy random")
CFG_STRUCT(random, RANDOM_ROWS)
CFG_SECTION(random, RANDOM_ROWS, "cache policy random")

struct draws {
    uint64_t key, n;
};

static void *init(struct arena *a, const struct cache_shape *shape, const struct config *cfg)
{
    const struct random_spec *s = config_get(cfg, &random_section);
    struct draws *d = ARENA_NEW(a, struct draws);
    d->key = rng_key((uint64_t)s->seed, shape->instance);
    return d;
}

static uint32_t victim(const void *state, const struct cache_ask *ask, const struct cache_set *set)
{
    const struct draws *d = state;
    uint32_t n = 0, w = 0;
    (void)ask;
    for (uint32_t i = 0; i < set->ways; i++)
        n += cache_may_leave(set, i);
    for (uint32_t skip = rng_below(rng_at(d->key, d->n), n);; w++)
        if (cache_may_leave(set, w) && skip-- == 0)
            return w;
}

static void filled(void *state, const struct cache_ask *ask, uint32_t line)
{
    struct draws *d = state;
    (void)ask;
    (void)line;
    d->n++;
}

const struct cache_policy cache_policy_random = {.name = "random",
                                                 .help = "any line of the set, seeded",
                                                 .section = &random_section,
                                                 .init = init,
                                                 .victim = victim,
                                                 .filled = filled};
