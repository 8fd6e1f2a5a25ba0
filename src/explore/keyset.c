/* keyset.c - a set of keys of runs: open addressing, 0 is no key. */
#include "explore/keyset.h"

#include "base/rng.h"

static uint32_t keyset_place(const struct keyset *k, uint64_t key)
{
    uint32_t at = (uint32_t)rng_mix(key) & (k->room - 1);
    while (k->all[at] && k->all[at] != key)
        at = (at + 1) & (k->room - 1);
    return at;
}

bool keyset_has(const struct keyset *k, uint64_t key)
{
    return k->room && k->all[keyset_place(k, key)] == key;
}

void keyset_add(struct arena *a, struct keyset *k, uint64_t key)
{
    if (2 * k->n >= k->room) {
        struct keyset old = *k;
        *k = (struct keyset){.room = old.room ? 2 * old.room : 1024};
        k->all = ARENA_ARRAY(a, uint64_t, k->room);
        for (uint32_t i = 0; i < old.room; i++)
            if (old.all[i])
                keyset_add(a, k, old.all[i]);
    }
    uint32_t at = keyset_place(k, key);
    k->n += k->all[at] != key;
    k->all[at] = key;
}
