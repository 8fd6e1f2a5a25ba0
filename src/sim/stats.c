/* stats.c - histograms, series and the tree of all statistics.
 *
 * Buckets of a histogram:  v < 64        one bucket for each value
 *                          2^e <= v      32 buckets of 2^(e-5) values each, e = 6..63
 * that is 64 + 58 * 32 = 1920 for all of uint64_t. */
#include "sim/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/rng.h"
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

/* Periods are the first one times a power of two: the finer one is made coarser. */
static void series_merge(struct stat_series *into, const struct stat_series *from)
{
    if (from->period == 0)
        return;
    if (into->period == 0) {
        *into = *from;
        return;
    }
    struct stat_series other = *from;
    while (into->period < other.period)
        halve(into);
    while (other.period < into->period)
        halve(&other);
    HD_ASSERT(into->period == other.period, "series with other periods cannot be added");
    for (uint32_t i = 0; i < other.n; i++)
        into->slot[i] += other.slot[i];
    into->n = other.n > into->n ? other.n : into->n;
}

static void mean_merge(struct stat_mean *into, const struct stat_mean *from)
{
    if (from->n == 0)
        return;
    into->min = into->n == 0 || from->min < into->min ? from->min : into->min;
    into->max = from->max > into->max ? from->max : into->max;
    into->n += from->n;
    into->sum += from->sum;
}

/* ---- the tree ------------------------------------------------------------------------------ */

static void merge(enum stat_kind kind, union stat_value *into, const void *from)
{
    switch (kind) {
    case STAT_COUNTER:
        into->counter += *(const uint64_t *)from;
        break;
    case STAT_MEAN:
        mean_merge(&into->mean, from);
        break;
    case STAT_HIST:
        stat_hist_merge(&into->hist, from);
        break;
    case STAT_SERIES:
        series_merge(&into->series, from);
        break;
    }
}

static size_t size_of(enum stat_kind kind)
{
    static const size_t sizes[] = {[STAT_COUNTER] = sizeof(uint64_t),
                                   [STAT_MEAN] = sizeof(struct stat_mean),
                                   [STAT_HIST] = sizeof(struct stat_hist),
                                   [STAT_SERIES] = sizeof(struct stat_series)};
    return sizes[kind];
}

const void *stats_entry_value(const struct stat_entry *s, union stat_value *sum)
{
    if (!s->of.next)
        return s->of.value;
    memset(sum, 0, size_of(s->row->kind));
    for (const struct stat_instance *i = &s->of; i; i = i->next)
        merge(s->row->kind, sum, i->value);
    return sum;
}

/* Slot of the table of names where `name` is, or the empty one where it would go. */
static size_t name_slot(const struct stats *t, const char *name)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
    for (const char *s = name; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    size_t mask = t->nslots - 1, i = (size_t)(h ^ h >> 32) & mask;
    while (t->slots[i] && strcmp(t->slots[i]->name, name) != 0)
        i = (i + 1) & mask;
    return i;
}

const struct stat_entry *stats_find(const struct stats *t, const char *name)
{
    return t->nslots ? t->slots[name_slot(t, name)] : NULL;
}

static void grow_slots(struct stats *t)
{
    struct stat_entry **old = t->slots;
    size_t n = t->nslots;
    t->nslots = n ? 2 * n : 64;
    t->slots = ARENA_ARRAY(t->arena, struct stat_entry *, t->nslots);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            t->slots[name_slot(t, old[i]->name)] = old[i];
}

static const char *full_name(struct arena *a, const char *path, const char *name)
{
    return *path ? arena_printf(a, "%s.%s", path, name) : arena_strdup(a, name);
}

static void append(struct stat_list *l, struct stat_entry *s)
{
    s->index = l->n++;
    *l->last = s;
    l->last = &s->next;
}

/* The entry of this name, made when there is none.  Large machines have 10^5 statistics: names
 * are looked up by hashing. */
static struct stat_entry *claim(struct stats *t, struct stat_list *l, const char *name,
                                const struct stat_row *row)
{
    if (2 * (t->lists[0].n + t->lists[1].n + 1) > t->nslots)
        grow_slots(t);
    size_t i = name_slot(t, name);
    if (!t->slots[i]) {
        struct stat_entry *s = ARENA_NEW(t->arena, struct stat_entry);
        s->name = name;
        s->row = row;
        s->last = &s->of.next;
        s->is_detail = l == &t->lists[STATS_DETAILS];
        s->is_observed = t->is_observed;
        append(l, s);
        t->slots[i] = s;
    }
    return t->slots[i];
}

struct stats *stats_new(struct arena *a)
{
    struct stats *t = ARENA_NEW(a, struct stats);
    t->arena = a;
    for (int i = 0; i < 2; i++)
        t->lists[i].last = &t->lists[i].first;
    t->frozen = ARENA_NEW(a, bool);
    return t;
}

void stats_set_details(struct stats *t, bool on)
{
    HD_ASSERT(t->lists[STATS_SUMS].n == 0, "details are asked for before statistics are added");
    t->has_details = on;
}

void stats_set_observed(struct stats *t)
{
    t->is_observed = true;
}

static void add_single(struct stats *t, struct stat_list *l, const char *name,
                       const struct stat_row *row, const void *base)
{
    struct stat_entry *s = claim(t, l, name, row);
    HD_ASSERT(!s->of.value, "two statistics named %s", s->name);
    s->of.value = (const char *)base + row->offset;
}

void stats_add(struct stats *t, const char *path, const struct stat_row *rows, size_t n,
               const void *base)
{
    HD_ASSERT(!*t->frozen, "%s: statistics are added before the first is written", path);
    for (size_t i = 0; i < n; i++)
        add_single(t, &t->lists[STATS_SUMS], full_name(t->arena, path, rows[i].name), &rows[i],
                   base);
}

static void join_sum(struct stats *t, const char *path, const struct stat_row *row,
                     const void *base)
{
    struct stat_entry *s =
        claim(t, &t->lists[STATS_SUMS], full_name(t->arena, path, row->name), row);
    const void *value = (const char *)base + row->offset;
    if (!s->of.value) {
        s->is_joined = true;
        s->of.value = value;
        return;
    }
    HD_ASSERT(s->is_joined, "two statistics named %s", s->name);
    HD_ASSERT(s->row->kind == row->kind, "%s is of two kinds", s->name);
    struct stat_instance *i = ARENA_NEW(t->arena, struct stat_instance);
    i->value = value;
    *s->last = i;
    s->last = &i->next;
}

/* "l2[3]" says already that it is an "l2"; "sm[3]" among "l1" becomes "l1.sm[3]". */
static const char *instance_path(struct arena *a, const char *path, const char *instance)
{
    bool says_kind = strncmp(instance, path, strlen(path)) == 0;
    return says_kind ? instance : arena_printf(a, "%s.%s", path, instance);
}

void stats_join(struct stats *t, const char *path, const char *instance,
                const struct stat_row *rows, size_t n, const void *base)
{
    HD_ASSERT(!*t->frozen, "%s: statistics are added before the first is written", path);
    for (size_t i = 0; i < n; i++)
        join_sum(t, path, &rows[i], base);
    if (!t->has_details || !instance)
        return;
    const char *own = instance_path(t->arena, path, instance);
    for (size_t i = 0; i < n; i++)
        add_single(t, &t->lists[STATS_DETAILS], full_name(t->arena, own, rows[i].name), &rows[i],
                   base);
}

/* ---- a digest ------------------------------------------------------------------------------ */

static uint64_t hash_u64(uint64_t h, uint64_t v)
{
    return rng_mix(h ^ v) + 0x9e3779b97f4a7c15u;
}

static uint64_t hash_samples(uint64_t h, const struct stat_mean *m)
{
    return hash_u64(hash_u64(hash_u64(hash_u64(h, m->n), m->sum), m->min), m->max);
}

static uint64_t hash_hist(uint64_t h, const struct stat_hist *v)
{
    h = hash_samples(h, &(struct stat_mean){v->n, v->sum, v->min, v->max});
    for (uint32_t b = 0; b < USED; b++)
        if (v->bucket[b])
            h = hash_u64(h, (uint64_t)b << 32 | v->bucket[b]);
    return h;
}

uint64_t stats_digest(const struct stats *t)
{
    uint64_t h = 0;
    union stat_value sum;
    for (const struct stat_entry *s = t->lists[STATS_SUMS].first; s; s = s->next) {
        if (s->row->kind == STAT_SERIES || s->is_observed)
            continue;
        const void *value = stats_entry_value(s, &sum);
        h = bytes_hash(h, s->name, strlen(s->name));
        if (s->row->kind == STAT_COUNTER)
            h = hash_u64(h, *(const uint64_t *)value);
        else
            h = s->row->kind == STAT_MEAN ? hash_samples(h, value) : hash_hist(h, value);
    }
    return h;
}
