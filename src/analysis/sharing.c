/* sharing.c - what the observers of SMs, slices and dispatcher come to.
 *
 * A block is a line of 128 bytes; it is shared, by CTAs or by SMs, if several touch it within one kernel.
 * Local memory is private by definition and has no part in it, nor have constants and parameters, which
 * pass through caches of their own.  Misses are classed of all spaces that a cache holds.
 *
 * Counters are monotone and kernels are added as they end, so that the statistics of a kernel are the
 * difference of two snapshots, like all others. */
#include "analysis/sharing.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/overlap.h"
#include "analysis/sharing_priv.h"
#include "analysis/spread.h"

CFG_SECTION_WHEN(sharing, SHARING_ROWS, "analyses of data that CTAs and SMs share",
                 {"stores", "sharing.enabled=true"})

/* ---- statistics ---- */

#define DISTANCES(S, id, name, unit, what)                                                         \
    S(id, COUNTER, name##_1, unit, what ": 1")                                                     \
    S(id, COUNTER, name##_2, unit, what ": 2")                                                     \
    S(id, COUNTER, name##_3, unit, what ": 3")                                                     \
    S(id, COUNTER, name##_4, unit, what ": 4")                                                     \
    S(id, COUNTER, name##_5, unit, what ": 5")                                                     \
    S(id, COUNTER, name##_6, unit, what ": 6")                                                     \
    S(id, COUNTER, name##_7, unit, what ": 7")                                                     \
    S(id, COUNTER, name##_8, unit, what ": 8")                                                     \
    S(id, COUNTER, name##_16, unit, what ": 9 to 16")                                              \
    S(id, COUNTER, name##_32, unit, what ": 17 to 32")                                             \
    S(id, COUNTER, name##_64, unit, what ": 33 to 64")                                             \
    S(id, COUNTER, name##_more, unit, what ": more")

#define SHARING_STATS(S, id)                                                                       \
    S(id, COUNTER, blocks, "block", "of 128 bytes of global memory, once for each kernel")         \
    S(id, COUNTER, cta_shared, "block", "that several CTAs touched")                               \
    DISTANCES(S, id, distance, "block", "distance of the two nearest CTAs that touched it")        \
    DISTANCES(S, id, step, "CTA", "distance of the next CTA that touched the same block")          \
    DISTANCES(S, id, pair, "pair", "distance of two CTAs that touched the same block")             \
    S(id, COUNTER, shared_hits, "access", "loads of blocks of several SMs: found in the L1")       \
    S(id, COUNTER, shared_merges, "access", "... waited in an MSHR for data on its way")           \
    S(id, COUNTER, shared_misses, "access", "... asked for data")                                  \
    S(id, COUNTER, reuse_0, "access", "hits and misses of these, up to 9 cycles after the fill")   \
    S(id, COUNTER, reuse_10, "access", "... 10 to 99 cycles")                                      \
    S(id, COUNTER, reuse_100, "access", "... 100 to 999 cycles")                                   \
    S(id, COUNTER, reuse_1000, "access", "... 1000 to 9999 cycles")                                \
    S(id, COUNTER, reuse_10000, "access", "... 10000 cycles or more")                              \
    S(id, MEAN, cta_mean, "cycle", "of kernels: mean execution time of CTAs")                      \
    S(id, MEAN, cta_sigma, "cycle", "of kernels with several CTAs: standard deviation")            \
    S(id, MEAN, cta_least, "cycle", "of kernels: shortest CTA")                                    \
    S(id, MEAN, cta_most, "cycle", "of kernels: longest CTA")                                      \
    S(id, MEAN, cta_misfit, "1/1000", "of fitted kernels: largest distance from the Gaussian")     \
    S(id, COUNTER, cta_fitted, "kernel", "whose CTA times were compared with a Gaussian")          \
    S(id, COUNTER, cta_gaussian, "kernel", "... which they do not refute (5 %)")                   \
    S(id, MEAN, row_sigma, "cycle", "of kernels: standard deviation of mean times of grid rows")
STATS_STRUCT(sharing, SHARING_STATS)
STATS_ROWS(sharing, SHARING_STATS)

#define ARRAY_AT(first, last, n)                                                                   \
    _Static_assert(offsetof(struct sharing_stats, last) - offsetof(struct sharing_stats, first) == \
                       ((n)-1) * sizeof(uint64_t),                                                 \
                   "rows " #first " to " #last)
ARRAY_AT(distance_1, distance_more, DISTANCE_BINS);
ARRAY_AT(step_1, step_more, DISTANCE_BINS);
ARRAY_AT(pair_1, pair_more, DISTANCE_BINS);
ARRAY_AT(shared_hits, shared_misses, LOADS_COUNTED);
ARRAY_AT(reuse_0, reuse_10000, REUSE_BINS);

struct sharing {
    struct sharing_shape shape;
    struct sharing_sm **sm;
    struct sharing_slice **slice;
    struct lines time[MAX_PROGRAMS]; /* CTA to cycles, of the kernel of each program */
    struct overlap overlap;
    struct sharing_stats stats;
    struct sharers_stats sharers;
};

/* ---- a kernel ends ---- */

static void copy(uint64_t *to, const uint64_t *from, uint32_t n)
{
    memcpy(to, from, n * sizeof *to);
}

/* Blocks of exactly so many SMs to those of at least so many. */
static void tell_sharers(struct sharing *s)
{
    uint64_t blocks = 0;
    s->sharers = (struct sharers_stats){0};
    for (uint32_t n = s->shape.sms; n > 0; n--) {
        blocks += s->overlap.by_sms[n];
        sharers_add(&s->sharers, n, blocks);
    }
}

static void add_blocks(struct sharing *s, uint32_t program)
{
    struct arena *a = arena_new();
    const struct footprint **of = ARENA_ARRAY(a, const struct footprint *, s->shape.sms);
    for (uint32_t i = 0; i < s->shape.sms; i++)
        of[i] = &s->sm[i]->of[program];
    overlap_add(&s->overlap, of, s->shape.sms);
    for (uint32_t i = 0; i < s->shape.sms; i++)
        footprint_clear(&s->sm[i]->of[program]);
    arena_free(a);
    s->stats.blocks = s->overlap.blocks;
    s->stats.cta_shared = s->overlap.shared_by_ctas;
    copy(&s->stats.distance_1, s->overlap.nearest, DISTANCE_BINS);
    copy(&s->stats.step_1, s->overlap.step, DISTANCE_BINS);
    copy(&s->stats.pair_1, s->overlap.pair, DISTANCE_BINS);
    copy(&s->stats.shared_hits, s->overlap.load, LOADS_COUNTED);
    copy(&s->stats.reuse_0, s->overlap.reuse, REUSE_BINS);
    tell_sharers(s);
}

static void tell_fit(struct sharing_stats *t, const struct spread *k)
{
    if (!k->is_fitted)
        return;
    stat_mean_add(&t->cta_misfit, (uint64_t)llround(1000 * k->misfit));
    t->cta_fitted++;
    t->cta_gaussian += k->is_gaussian;
}

static void add_times(struct sharing *s, uint32_t program, uint32_t width)
{
    struct lines *l = &s->time[program];
    struct sharing_stats *t = &s->stats;
    if (l->n == 0)
        return;
    double rows = spread_of_rows(l->key, lines_at(l, 0), l->n, width);
    struct spread k = spread_of(lines_at(l, 0), l->n);
    stat_mean_add(&t->cta_mean, (uint64_t)llround(k.mean));
    stat_mean_add(&t->cta_least, k.least);
    stat_mean_add(&t->cta_most, k.most);
    if (k.n > 1)
        stat_mean_add(&t->cta_sigma, (uint64_t)llround(k.sigma));
    if (!isnan(rows))
        stat_mean_add(&t->row_sigma, (uint64_t)llround(rows));
    tell_fit(t, &k);
    lines_clear(l);
}

void sharing_end_kernel(struct sharing *s, uint32_t program, uint32_t width)
{
    add_blocks(s, program);
    add_times(s, program, width);
}

void sharing_cta_done(struct sharing *s, uint32_t program, uint32_t cta, uint64_t cycles)
{
    struct lines *l = &s->time[program];
    uint32_t i = lines_add(l, cta);
    *(uint64_t *)lines_at(l, i) = cycles;
}

/* ---- building ---- */

struct sharing *sharing_new(struct arena *a, const struct sharing_spec *spec,
                            const struct sharing_shape *shape)
{
    if (!spec->enabled)
        return NULL;
    struct sharing *s = ARENA_NEW(a, struct sharing);
    s->shape = *shape;
    s->overlap.by_sms = ARENA_ARRAY(a, uint64_t, shape->sms + 1);
    s->sm = ARENA_ARRAY(a, struct sharing_sm *, shape->sms);
    s->slice = ARENA_ARRAY(a, struct sharing_slice *, shape->slices);
    for (uint32_t i = 0; i < shape->sms; i++)
        s->sm[i] = sharing_sm_new(a, spec, i, shape->l1_lines);
    for (uint32_t i = 0; i < shape->slices; i++)
        s->slice[i] = sharing_slice_new(a, i, shape->sms, shape->l2_lines);
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        s->time[p].bytes = sizeof(uint64_t);
    return s;
}

void sharing_free(struct sharing *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->shape.sms; i++)
        sharing_sm_free(s->sm[i]);
    for (uint32_t i = 0; i < s->shape.slices; i++)
        sharing_slice_free(s->slice[i]);
    for (uint32_t p = 0; p < MAX_PROGRAMS; p++)
        lines_clear(&s->time[p]);
}

struct sharing_sm *sharing_sm(struct sharing *s, uint32_t i)
{
    return s ? s->sm[i] : NULL;
}

struct sharing_slice *sharing_slice(struct sharing *s, uint32_t i)
{
    return s && i < s->shape.slices ? s->slice[i] : NULL;
}

void sharing_add_stats(const struct sharing *s, struct stats *tree)
{
    stats_add(tree, "sharing", sharing_stat_rows,
              sizeof sharing_stat_rows / sizeof sharing_stat_rows[0], &s->stats);
    sharers_add_stats(&s->sharers, "sharing", NULL, s->shape.sms, tree);
    for (uint32_t i = 0; i < s->shape.sms; i++)
        sharing_sm_add_stats(s->sm[i], tree);
    for (uint32_t i = 0; i < s->shape.slices; i++)
        sharing_slice_add_stats(s->slice[i], tree);
}
