/* mshr.c - miss status holding registers (Kroft, ISCA 1981): which lines are on their way and who
 * waits for each.
 *
 * In hardware all entries are compared at once; here a hash chain finds the entry, whatever their
 * number.  The lowest free entry is taken, but no result depends on which.
 *
 * Not modelled here: time, and what a waiter wants of its line. */
#include "cache/mshr.h"

#include <string.h>

#include "base/err.h"

/* Few lines are on their way at a time, whatever there is room for: a small table stays in the host's cache. */
enum { MOST_BUCKET_BITS = 8 };

static uint32_t bucket_of(const struct mshr *m, uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - m->bucket_bits));
}

void mshr_init(struct mshr *m, struct arena *a, uint32_t entries, uint32_t merges)
{
    HD_ASSERT(entries > 0 && entries < UINT16_MAX && merges > 0, "%u MSHRs of %u", entries, merges);
    uint32_t bits = entries > 1 ? 33 - (uint32_t)__builtin_clz(entries - 1) : 1;
    bits = bits < MOST_BUCKET_BITS ? bits : MOST_BUCKET_BITS;
    *m = (struct mshr){.entries = entries,
                       .merges = merges,
                       .bucket_bits = bits,
                       .at = ARENA_ARRAY(a, struct mshr_entry, entries),
                       .many = ARENA_ARRAY(a, uint64_t, (uint64_t)entries * merges),
                       .free = ARENA_ARRAY(a, uint64_t, (entries + 63) / 64),
                       .bucket = ARENA_ARRAY(a, uint16_t, UINT64_C(1) << bits)};
    for (uint32_t i = 0; i < entries; i++) {
        m->at[i].line = UINT64_MAX;
        m->free[i >> 6] |= UINT64_C(1) << (i & 63);
    }
}

uint32_t mshr_find(const struct mshr *m, uint64_t line)
{
    for (uint32_t i = m->bucket[bucket_of(m, line)]; i; i = m->at[i - 1].next)
        if (m->at[i - 1].line == line)
            return i - 1;
    return MSHR_NONE;
}

uint32_t mshr_alloc(struct mshr *m, uint64_t line, uint32_t sectors)
{
    HD_ASSERT(m->live < m->entries && line != UINT64_MAX, "%u of %u MSHRs are in use", m->live,
              m->entries);
    uint32_t word = 0;
    while (m->free[word] == 0)
        word++;
    uint32_t i = word << 6 | (uint32_t)__builtin_ctzll(m->free[word]);
    struct mshr_entry *e = &m->at[i];
    uint16_t *head = &m->bucket[bucket_of(m, line)];
    m->free[word] &= m->free[word] - 1;
    e->line = line;
    e->sectors = sectors;
    e->count = 0;
    e->next = *head;
    *head = (uint16_t)(i + 1);
    m->live++;
    return i;
}

void mshr_add(struct mshr *m, uint32_t entry, uint64_t waiter)
{
    struct mshr_entry *e = &m->at[entry];
    HD_ASSERT(e->count < m->merges, "MSHR %u holds %u already", entry, m->merges);
    const uint32_t n = e->count++;
    uint64_t *list = mshr_list(m, entry);
    if (n == MSHR_FEW)
        memcpy(list, e->few, MSHR_FEW * sizeof *list);
    list[n] = waiter;
}

void mshr_keep(struct mshr *m, uint32_t entry, uint32_t n)
{
    HD_ASSERT(n <= m->at[entry].count, "MSHR %u has %u waiters", entry, m->at[entry].count);
    const uint64_t *from = mshr_list(m, entry);
    m->at[entry].count = n;
    uint64_t *to = mshr_list(m, entry);
    if (to != from)
        memcpy(to, from, n * sizeof *to);
}

static void unlink_entry(struct mshr *m, uint32_t entry)
{
    const struct mshr_entry *e = &m->at[entry];
    uint16_t *first = &m->bucket[bucket_of(m, e->line)];
    if (*first == entry + 1) {
        *first = (uint16_t)e->next;
        return;
    }
    struct mshr_entry *before = &m->at[*first - 1];
    while (before->next != entry + 1)
        before = &m->at[before->next - 1];
    before->next = e->next;
}

void mshr_release(struct mshr *m, uint32_t entry)
{
    struct mshr_entry *e = &m->at[entry];
    HD_ASSERT(e->line != UINT64_MAX, "MSHR %u is free already", entry);
    unlink_entry(m, entry);
    e->line = UINT64_MAX;
    e->count = 0;
    m->free[entry >> 6] |= UINT64_C(1) << (entry & 63);
    m->live--;
}
