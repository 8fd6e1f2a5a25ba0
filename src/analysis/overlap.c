/* overlap.c - see overlap.h.
 *
 * Blocks of all SMs get one number each; their CTAs are dealt out to them, block by block, and sorted.
 * All of it is exact, and in the order of n log n of what was touched. */
#include "analysis/overlap.h"

#include <stdlib.h>

/* The largest distance of each bin; the last has none. */
static const uint32_t reach[DISTANCE_BINS - 1] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64};

struct block {
    uint64_t load[LOADS_COUNTED], reuse[REUSE_BINS];
    uint64_t end; /* of its CTAs among all */
    uint32_t sms, ctas;
};

struct merge {
    struct lines blocks; /* of struct block */
    struct arena *arena;
    uint32_t **number; /* [SM][its number of a block]: that of all */
    uint32_t *cta;     /* by block */
};

/* ---- distances ---- */

static uint32_t bin_of(uint32_t distance)
{
    uint32_t bin = 0;
    while (bin < DISTANCE_BINS - 1 && distance > reach[bin])
        bin++;
    return bin;
}

/* Pairs of sorted ids at most `distance` apart. */
static uint64_t pairs_within(const uint32_t *cta, uint32_t n, uint32_t distance)
{
    uint64_t pairs = 0;
    for (uint32_t first = 0, i = 1; i < n; i++) {
        while (cta[i] - cta[first] > distance)
            first++;
        pairs += i - first;
    }
    return pairs;
}

static void add_pairs(struct overlap *o, const uint32_t *cta, uint32_t n)
{
    uint64_t before = 0;
    for (uint32_t bin = 0; bin < DISTANCE_BINS - 1; bin++) {
        uint64_t pairs = pairs_within(cta, n, reach[bin]);
        o->pair[bin] += pairs - before;
        before = pairs;
    }
    o->pair[DISTANCE_BINS - 1] += (uint64_t)n * (n - 1) / 2 - before;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void add_distances(struct overlap *o, uint32_t *cta, uint32_t n)
{
    uint32_t least = UINT32_MAX;
    if (n < 2)
        return;
    qsort(cta, n, sizeof *cta, compare_ids);
    for (uint32_t i = 1; i < n; i++) {
        uint32_t distance = cta[i] - cta[i - 1];
        o->step[bin_of(distance)]++;
        least = distance < least ? distance : least;
    }
    o->shared_by_ctas++;
    o->nearest[bin_of(least)]++;
    add_pairs(o, cta, n);
}

/* ---- blocks of all SMs ---- */

static void merge_blocks(struct merge *m, uint32_t sm, const struct footprint *f)
{
    m->number[sm] = ARENA_ARRAY(m->arena, uint32_t, f->blocks.n);
    for (uint32_t i = 0; i < f->blocks.n; i++) {
        const struct footprint_block *from = lines_at(&f->blocks, i);
        uint32_t at = m->number[sm][i] = lines_add(&m->blocks, f->blocks.key[i]);
        struct block *to = lines_at(&m->blocks, at);
        to->sms++;
        for (int k = 0; k < LOADS_COUNTED; k++)
            to->load[k] += from->load[k];
        for (int k = 0; k < REUSE_BINS; k++)
            to->reuse[k] += from->reuse[k];
    }
    for (uint32_t i = 0; i < f->ctas.n; i++) {
        uint32_t at = m->number[sm][f->ctas.key[i] >> 32];
        ((struct block *)lines_at(&m->blocks, at))->ctas++;
    }
}

/* Where each block's CTAs will be. */
static void lay_out(struct merge *m)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < m->blocks.n; i++) {
        struct block *b = lines_at(&m->blocks, i);
        b->end = end;
        end += b->ctas;
    }
    m->cta = ARENA_ARRAY(m->arena, uint32_t, end);
}

static void deal_ctas(struct merge *m, uint32_t sm, const struct footprint *f)
{
    for (uint32_t i = 0; i < f->ctas.n; i++) {
        struct block *b = lines_at(&m->blocks, m->number[sm][f->ctas.key[i] >> 32]);
        m->cta[b->end++] = (uint32_t)f->ctas.key[i];
    }
}

static void count_block(struct overlap *o, const struct merge *m, const struct block *b)
{
    o->blocks++;
    o->by_sms[b->sms]++;
    add_distances(o, m->cta + b->end - b->ctas, b->ctas);
    if (b->sms < 2)
        return;
    for (int k = 0; k < LOADS_COUNTED; k++)
        o->load[k] += b->load[k];
    for (int k = 0; k < REUSE_BINS; k++)
        o->reuse[k] += b->reuse[k];
}

void overlap_add(struct overlap *o, const struct footprint *const *f, uint32_t n)
{
    struct merge m = {.blocks.bytes = sizeof(struct block), .arena = arena_new()};
    m.number = ARENA_ARRAY(m.arena, uint32_t *, n);
    for (uint32_t i = 0; i < n; i++)
        if (f[i])
            merge_blocks(&m, i, f[i]);
    lay_out(&m);
    for (uint32_t i = 0; i < n; i++)
        if (f[i])
            deal_ctas(&m, i, f[i]);
    for (uint32_t i = 0; i < m.blocks.n; i++)
        count_block(o, &m, lines_at(&m.blocks, i));
    lines_clear(&m.blocks);
    arena_free(m.arena);
}
