/* versions.c - lines to versions, by open addressing.
 *
 * No hardware: the yardstick by which --check measures the memory system.  A table that has become
 * three quarters full moves to an arena of its own of twice the size; entries are never removed. */
#include "mem/versions.h"

#include "base/arena.h"
#include "base/rng.h"

enum { FIRST_SIZE = 256 };

struct entry {
    uint64_t key; /* line + 1, which no line makes 0; 0: free */
    uint32_t version;
};

struct versions {
    struct arena *arena; /* of the table */
    struct entry *table;
    uint64_t mask, used;
    struct arena *own; /* of this */
};

static void make_table(struct versions *v, uint64_t size)
{
    v->arena = arena_new();
    v->table = ARENA_ARRAY(v->arena, struct entry, size);
    v->mask = size - 1;
}

struct versions *versions_new(void)
{
    struct arena *a = arena_new();
    struct versions *v = ARENA_NEW(a, struct versions);
    v->own = a;
    make_table(v, FIRST_SIZE);
    return v;
}

void versions_free(struct versions *v)
{
    if (!v)
        return;
    arena_free(v->arena);
    arena_free(v->own);
}

/* Where a line is, or the free entry where it would go. */
static struct entry *find(const struct versions *v, uint64_t line)
{
    uint64_t i = rng_mix(line) & v->mask;
    while (v->table[i].key && v->table[i].key != line + 1)
        i = (i + 1) & v->mask;
    return &v->table[i];
}

static void grow(struct versions *v)
{
    struct versions old = *v;
    make_table(v, 2 * (old.mask + 1));
    for (uint64_t i = 0; i <= old.mask; i++)
        if (old.table[i].key)
            *find(v, old.table[i].key - 1) = old.table[i];
    arena_free(old.arena);
}

static struct entry *find_or_add(struct versions *v, uint64_t line)
{
    struct entry *e = find(v, line);
    if (e->key)
        return e;
    if (4 * (v->used + 1) > 3 * (v->mask + 1)) {
        grow(v);
        e = find(v, line);
    }
    v->used++;
    e->key = line + 1;
    return e;
}

uint32_t versions_get(const struct versions *v, uint64_t line)
{
    return find(v, line)->version;
}

void versions_set(struct versions *v, uint64_t line, uint32_t version)
{
    find_or_add(v, line)->version = version;
}

void versions_raise(struct versions *v, uint64_t line, uint32_t version)
{
    struct entry *e = find_or_add(v, line);
    if (version > e->version)
        e->version = version;
}

uint32_t versions_bump(struct versions *v, uint64_t line)
{
    return ++find_or_add(v, line)->version;
}
