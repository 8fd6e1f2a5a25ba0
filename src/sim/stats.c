/* stats.c - histograms, series and the tree of all statistics.
 *
 * Buckets of a histogram:  v < 64        one bucket for each value
 *                          2^e <= v      32 buckets of 2^(e-5) values each, e = 6..63
 * that is 64 + 58 * 32 = 1920 for all of uint64_t. */
#include "sim/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "sim/stats_priv.h"

#define EXACT 64u
#define EXACT_BITS 6
#define USED (EXACT + (64u - EXACT_BITS) * STAT_HIST_SUB)
static_assert(USED <= STAT_HIST_N, "a histogram must hold every value");
static_assert(STAT_HIST_SUB * 2 == EXACT, "the first doubling must follow on the exact part");

uint32_t stat_hist_bucket(uint64_t v)
{
    if (v < EXACT)
        return (uint32_t)v;
    uint32_t e = 63 - (uint32_t)__builtin_clzll(v);
    uint32_t sub = (uint32_t)(v >> (e - (EXACT_BITS - 1))) - STAT_HIST_SUB;
    return EXACT + (e - EXACT_BITS) * STAT_HIST_SUB + sub;
}

uint64_t stat_hist_lower(uint32_t bucket)
{
    HD_ASSERT(bucket < USED, "no bucket %u", bucket);
    if (bucket < EXACT)
        return bucket;
    uint32_t doubling = (bucket - EXACT) / STAT_HIST_SUB, sub = (bucket - EXACT) % STAT_HIST_SUB;
    return (uint64_t)(STAT_HIST_SUB + sub) << (doubling + 1);
}

/* Full buckets stay full: a wrapped count would turn the commonest value into the rarest. */
static void bump(uint32_t *bucket, uint32_t by)
{
    if (__builtin_add_overflow(*bucket, by, bucket))
        *bucket = UINT32_MAX;
}

void stat_hist_add(struct stat_hist *h, uint64_t v)
{
    bump(&h->bucket[stat_hist_bucket(v)], 1);
    h->sum += v;
    h->min = h->n == 0 || v < h->min ? v : h->min;
    h->max = v > h->max ? v : h->max;
    h->n++;
}

static double middle(uint32_t bucket)
{
    uint64_t lower = stat_hist_lower(bucket);
    uint64_t last = bucket + 1 < USED ? stat_hist_lower(bucket + 1) - 1 : UINT64_MAX;
    return (double)lower + (double)(last - lower) / 2;
}

/* Nearest rank: the smallest value that at least p percent of the samples do not exceed. */
double stat_hist_percentile(const struct stat_hist *h, double p)
{
    if (h->n == 0)
        return 0;
    double rank = ceil(p / 100 * (double)h->n);
    if (rank >= (double)h->n)
        return (double)h->max;
    if (rank <= 1)
        return (double)h->min;
    uint64_t seen = 0;
    for (uint32_t b = 0; b < USED; b++) {
        seen += h->bucket[b];
        if ((double)seen >= rank)
            return fmin(fmax(middle(b), (double)h->min), (double)h->max);
    }
    return (double)h->max; /* some buckets were full */
}

void stat_hist_merge(struct stat_hist *into, const struct stat_hist *from)
{
    if (from->n == 0)
        return;
    into->min = into->n == 0 || from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
    into->n += from->n;
    into->sum += from->sum;
    for (uint32_t b = 0; b < USED; b++)
        bump(&into->bucket[b], from->bucket[b]);
}

static void halve(struct stat_series *s)
{
    for (uint32_t i = 0; i < STAT_SERIES_N / 2; i++)
        s->slot[i] = s->slot[2 * i] + s->slot[2 * i + 1];
    memset(s->slot + STAT_SERIES_N / 2, 0, sizeof s->slot / 2);
    s->n = (s->n + 1) / 2;
    s->period *= 2;
}

void stat_series_add(struct stat_series *s, uint64_t now, uint64_t v)
{
    if (s->period == 0)
        return;
    while (now / s->period >= STAT_SERIES_N)
        halve(s);
    uint32_t i = (uint32_t)(now / s->period);
    s->slot[i] += v;
    s->n = i >= s->n ? i + 1 : s->n;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Slot of the set of names where `name` is, or the empty one where it would go. */
static size_t name_slot(const struct stats *t, const char *name)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *s = name; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    size_t mask = t->nnames - 1, i = (size_t)(h ^ h >> 32) & mask;
    while (t->names[i] && strcmp(t->names[i], name) != 0)
        i = (i + 1) & mask;
    return i;
}

static void grow_names(struct stats *t)
{
    const char **old = t->names;
    size_t n = t->nnames;
    t->nnames = n ? 2 * n : 64;
    t->names = ARENA_ARRAY(t->arena, const char *, t->nnames);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            t->names[name_slot(t, old[i])] = old[i];
}

/* Large machines have 10^5 statistics: uniqueness is checked by hashing, not by looking. */
static const char *claim_name(struct stats *t, const char *path, const char *name)
{
    if (2 * (t->total + 1) > t->nnames)
        grow_names(t);
    const char *full =
        *path ? arena_printf(t->arena, "%s.%s", path, name) : arena_strdup(t->arena, name);
    size_t i = name_slot(t, full);
    HD_ASSERT(!t->names[i], "two statistics named %s", full);
    t->names[i] = full;
    t->total++;
    return full;
}

struct stats *stats_new(struct arena *a)
{
    struct stats *t = ARENA_NEW(a, struct stats);
    t->arena = a;
    t->last = &t->first;
    t->frozen = ARENA_NEW(a, bool);
    return t;
}

void stats_add(struct stats *t, const char *path, const struct stat_row *rows, size_t n,
               const void *base)
{
    HD_ASSERT(!*t->frozen, "%s: statistics are added before the first is written", path);
    for (size_t i = 0; i < n; i++) {
        struct stat_entry *s = ARENA_NEW(t->arena, struct stat_entry);
        s->name = claim_name(t, path, rows[i].name);
        s->row = &rows[i];
        s->value = (const char *)base + rows[i].offset;
        *t->last = s;
        t->last = &s->next;
    }
}
