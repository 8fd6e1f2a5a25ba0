/* shuffle.c - points in a random order, by place. */
#include "search/shuffle.h"

#include "base/rng.h"

enum { ROUNDS = 8, MOST_BITS = 62 };

void shuffle_init(struct shuffle *f, const struct search_space *space, uint64_t key)
{
    *f = (struct shuffle){.space = space, .key = key, .size = 1, .half = 1};
    for (uint32_t i = 0; i < space->naxes; i++) {
        f->is_counted[i] = f->size <= ((uint64_t)1 << MOST_BITS) / space->axes[i].levels;
        if (f->is_counted[i])
            f->size *= space->axes[i].levels;
    }
    while ((f->size - 1) >> (2 * f->half))
        f->half++;
}

static uint64_t turn(const struct shuffle *f, uint64_t place)
{
    const uint64_t mask = ((uint64_t)1 << f->half) - 1;
    uint64_t left = place >> f->half, right = place & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t next = left ^ (rng_at(f->key, round << 32 | right) & mask);
        left = right;
        right = next;
    }
    return left << f->half | right;
}

void shuffle_at(const struct shuffle *f, uint64_t place, uint16_t *levels)
{
    HD_ASSERT(place < f->size, "place %llu of %llu", (unsigned long long)place,
              (unsigned long long)f->size);
    uint64_t other = turn(f, place);
    while (other >= f->size)
        other = turn(f, other);
    const uint64_t free_key = rng_key(f->key, place);
    for (uint32_t i = f->space->naxes; i-- > 0;) {
        const uint32_t n = f->space->axes[i].levels;
        levels[i] = (uint16_t)(f->is_counted[i] ? other % n : rng_below(rng_at(free_key, i), n));
        if (f->is_counted[i])
            other /= n;
    }
}
