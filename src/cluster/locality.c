/* locality.c - intra-cluster locality (Eq. 1 of "Intra-Cluster Coalescing and Distributed-Block
 * Scheduling to Reduce GPU NoC Pressure", IEEE TC 2019, section 3.3).
 *
 * A cluster takes at most one request per cycle, so a ring with a place for each cycle of the
 * largest window holds all that can matter.  Records with the same hash are chained from the
 * newest back; a number that the ring has since overwritten ends a chain, so nothing is ever taken
 * out.
 *
 * "Data requests" of the paper are reads here, the L1's misses; that they may include the stores,
 * which all leave a write-through L1, is a parameter.  Not modelled: other spaces, atomics. */
#include "cluster/locality.h"

#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"

CFG_SECTION_WHEN(locality, LOCALITY_ROWS, "analysis of intra-cluster locality",
                 {"stores", "locality.windows!="})

#define LOCALITY_WINDOW(S, id, k)                                                                  \
    S(id, COUNTER, redundant_##k, "request", "to lines requested within window " #k)               \
    S(id, COUNTER, same_sm_##k, "request", "... by the same SM only")                              \
    S(id, COUNTER, other_sm_##k, "request", "... by another SM")                                   \
    S(id, COUNTER, line_##k, "request", "... but no word of it by another CTA")                    \
    S(id, COUNTER, data_##k, "request", "... and a word of it by another CTA")
#define LOCALITY_STATS(S, id)                                                                      \
    S(id, COUNTER, requests, "request",                                                            \
      "global reads (and stores, if asked for) that left the L1s")                                 \
    LOCALITY_WINDOW(S, id, 1)                                                                      \
    LOCALITY_WINDOW(S, id, 2) LOCALITY_WINDOW(S, id, 3) LOCALITY_WINDOW(S, id, 4)
STATS_STRUCT(locality, LOCALITY_STATS)
STATS_ROWS(locality, LOCALITY_STATS)

enum { ROWS_OF_WINDOW = 5 };
_Static_assert(sizeof locality_stat_rows / sizeof locality_stat_rows[0] ==
                   1 + LOCALITY_WINDOWS * ROWS_OF_WINDOW,
               "rows by window");

struct record {
    uint64_t line, prev; /* prev: number of the one before in its chain */
    hd_cycle when;
    uint32_t words, cta;
    uint16_t kernel, sm;
};

struct locality {
    struct record *ring; /* record number n is at n & mask */
    uint64_t *newest;    /* per hash: its number; 0: none */
    uint64_t mask, last; /* numbers begin at 1 */
    uint32_t hash_shift, nwindows;
    bool has_stores;
    hd_cycle window[LOCALITY_WINDOWS];
    struct locality_stats stats;
};

bool locality_check(const struct config *cfg, struct err *e)
{
    const struct locality_spec *s = config_get(cfg, &locality_section);
    if (s->windows.n > LOCALITY_WINDOWS)
        return config_blame(cfg, e, &locality_section, "windows", "%d windows, at most %d",
                            s->windows.n, LOCALITY_WINDOWS);
    for (int i = 1; i < s->windows.n; i++)
        if (s->windows.v[i] <= s->windows.v[i - 1])
            return config_blame(cfg, e, &locality_section, "windows",
                                "%lld after %lld, expected ascending windows",
                                (long long)s->windows.v[i], (long long)s->windows.v[i - 1]);
    return true;
}

struct locality *locality_new(struct arena *a, const struct locality_spec *spec)
{
    if (spec->windows.n == 0)
        return NULL;
    struct locality *l = ARENA_NEW(a, struct locality);
    uint32_t bits = 1;
    l->has_stores = spec->stores;
    for (int i = 0; i < spec->windows.n; i++)
        l->window[l->nwindows++] = (hd_cycle)spec->windows.v[i];
    while (1u << bits <= l->window[l->nwindows - 1])
        bits++;
    l->mask = (1u << bits) - 1;
    l->hash_shift = 64 - (bits + 1);
    l->ring = ARENA_ARRAY(a, struct record, l->mask + 1);
    l->newest = ARENA_ARRAY(a, uint64_t, 2 * (l->mask + 1));
    return l;
}

/* How long ago the line was last requested at all, by another SM, and with a common word by another
 * CTA; HD_NEVER: not within the largest window. */
struct ages {
    hd_cycle any, other_sm, data;
};

static struct ages ages_of(const struct locality *l, const struct request *r, hd_cycle now,
                           uint64_t n)
{
    struct ages a = {HD_NEVER, HD_NEVER, HD_NEVER};
    const hd_cycle largest = l->window[l->nwindows - 1];
    for (; n != 0 && l->last - n <= l->mask; n = l->ring[n & l->mask].prev) {
        const struct record *o = &l->ring[n & l->mask];
        const hd_cycle age = now - o->when;
        if (age > largest)
            break;
        if (o->line != r->line)
            continue;
        if (a.any == HD_NEVER)
            a.any = age;
        if (a.other_sm == HD_NEVER && o->sm != r->sm)
            a.other_sm = age;
        if (a.data == HD_NEVER && (o->words & r->words) &&
            (o->cta != r->cta || o->kernel != r->kernel))
            a.data = age;
        if (a.other_sm != HD_NEVER && a.data != HD_NEVER)
            break;
    }
    return a;
}

static void count(struct locality *l, const struct ages *a)
{
    const size_t first = offsetof(struct locality_stats, redundant_1);
    uint64_t *c = (uint64_t *)((char *)&l->stats + first);
    for (uint32_t k = 0; k < l->nwindows; k++, c += ROWS_OF_WINDOW) {
        const bool is_redundant = a->any <= l->window[k];
        const bool has_other = a->other_sm <= l->window[k], has_data = a->data <= l->window[k];
        c[0] += is_redundant;
        c[1] += is_redundant && !has_other;
        c[2] += has_other;
        c[3] += is_redundant && !has_data;
        c[4] += has_data;
    }
}

void locality_add(struct locality *l, const struct request *r, hd_cycle now)
{
    const bool counts = r->kind == REQUEST_READ || (l->has_stores && r->kind == REQUEST_WRITE);
    if (r->space != STREAM_GLOBAL || !counts)
        return;
    uint64_t *newest = &l->newest[r->line * 0x9e3779b97f4a7c15u >> l->hash_shift];
    HD_ASSERT(l->last == 0 || l->ring[l->last & l->mask].when < now,
              "two requests of a cluster in cycle %llu", (unsigned long long)now);
    struct ages a = ages_of(l, r, now, *newest);
    l->stats.requests++;
    count(l, &a);
    l->ring[++l->last & l->mask] = (struct record){.line = r->line,
                                                   .prev = *newest,
                                                   .when = now,
                                                   .words = r->words,
                                                   .cta = r->cta,
                                                   .kernel = r->kernel,
                                                   .sm = r->sm};
    *newest = l->last;
}

void locality_add_stats(const struct locality *l, const char *instance, struct stats *tree)
{
    stats_join(tree, "locality", instance, locality_stat_rows, 1 + l->nwindows * ROWS_OF_WINDOW,
               &l->stats);
}
