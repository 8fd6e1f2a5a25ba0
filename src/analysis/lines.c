/* lines.c - keys to numbers, by open addressing.
 *
 * A table that is full moves to an arena of its own of twice the size, so that what it takes is at
 * most twice what it holds, and half of the slots are always free. */
#include "analysis/lines.h"

#include <string.h>

#include "base/err.h"
#include "base/rng.h"

enum { FIRST_ROOM = 64 };

/* The slot of a key, or the free one where it would go. */
static uint32_t *find_slot(const struct lines *l, uint64_t key)
{
    uint64_t mask = 2 * (uint64_t)l->room - 1, i = rng_mix(key) & mask;
    while (l->slot[i] && l->key[l->slot[i] - 1] != key)
        i = (i + 1) & mask;
    return &l->slot[i];
}

static void make_arrays(struct lines *l, uint32_t room)
{
    l->arena = arena_new();
    l->room = room;
    l->key = ARENA_ARRAY(l->arena, uint64_t, room);
    l->record = arena_array(l->arena, l->bytes, room);
    l->slot = ARENA_ARRAY(l->arena, uint32_t, 2 * (uint64_t)room);
}

static void grow(struct lines *l)
{
    struct lines old = *l;
    HD_ASSERT(old.room < 1u << 30, "more than %u lines in a table", old.room);
    make_arrays(l, old.room ? 2 * old.room : FIRST_ROOM);
    if (!old.arena)
        return;
    memcpy(l->key, old.key, old.n * sizeof *l->key);
    memcpy(l->record, old.record, old.n * l->bytes);
    for (uint32_t i = 0; i < l->n; i++)
        *find_slot(l, l->key[i]) = i + 1;
    arena_free(old.arena);
}

uint32_t lines_find(const struct lines *l, uint64_t key)
{
    return l->n ? *find_slot(l, key) - 1 : LINES_NONE;
}

uint32_t lines_add(struct lines *l, uint64_t key)
{
    uint32_t i = lines_find(l, key);
    if (i != LINES_NONE)
        return i;
    if (l->n == l->room)
        grow(l);
    l->key[l->n] = key;
    *find_slot(l, key) = l->n + 1;
    return l->n++;
}

void lines_clear(struct lines *l)
{
    if (l->arena)
        arena_free(l->arena);
    *l = (struct lines){.bytes = l->bytes};
}
