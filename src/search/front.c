/* front.c - domination, ranks, crowding (Deb et al. 2002).
 *
 * Ranks by Zhang, Tian, Cheng, Jin, "An efficient approach to nondominated sorting for evolutionary
 * multiobjective optimization", IEEE Trans. Evolutionary Computation 19(2), 2015 (ENS-BS): values are
 * sorted such that none dominates one before it, and each goes, by binary search, to the first rank in
 * which nothing dominates it.  The ranks are those of Deb's sort, without its lists of who dominates
 * whom, whose memory is quadratic. */
#include "search/front.h"

#include <math.h>
#include <stdlib.h>

enum standing { WHOLE, BROKEN, FAILED }; /* the better first */

static bool has_all(const struct search_value *v, uint32_t nobjectives)
{
    for (uint32_t k = 0; k < nobjectives; k++)
        if (isnan(v->objectives[k]))
            return false;
    return true;
}

static enum standing standing_of(const struct search_value *v, uint32_t nobjectives)
{
    if (v->violation > 0)
        return BROKEN;
    return isnan(v->violation) || !has_all(v, nobjectives) ? FAILED : WHOLE;
}

bool front_is_whole(const struct search_value *v, uint32_t nobjectives)
{
    return standing_of(v, nobjectives) == WHOLE;
}

/* ---- domination ----------------------------------------------------------------------------- */

struct entry {
    const struct search_value *value;
    enum standing standing;
    uint32_t nobjectives;
    uint32_t place;
};

static bool is_better(const struct entry *a, const struct entry *b)
{
    if (a->standing != b->standing)
        return a->standing < b->standing;
    if (a->standing == BROKEN)
        return a->value->violation < b->value->violation;
    bool is_less = false;
    for (uint32_t k = 0; a->standing == WHOLE && k < a->nobjectives; k++) {
        if (a->value->objectives[k] > b->value->objectives[k])
            return false;
        is_less |= a->value->objectives[k] < b->value->objectives[k];
    }
    return is_less;
}

static struct entry entry_of(const struct search_value *v, uint32_t nobjectives, uint32_t place)
{
    return (struct entry){v, standing_of(v, nobjectives), nobjectives, place};
}

bool front_dominates(const struct search_value *a, const struct search_value *b,
                     uint32_t nobjectives)
{
    const struct entry x = entry_of(a, nobjectives, 0), y = entry_of(b, nobjectives, 0);
    return is_better(&x, &y);
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

/* What dominates comes before what it dominates. */
static int by_goodness(const void *p, const void *q)
{
    const struct entry *a = p, *b = q;
    int c = a->standing < b->standing ? -1 : a->standing > b->standing;
    if (!c && a->standing == BROKEN)
        c = by_number(a->value->violation, b->value->violation);
    for (uint32_t k = 0; !c && a->standing == WHOLE && k < a->nobjectives; k++)
        c = by_number(a->value->objectives[k], b->value->objectives[k]);
    return c ? c : a->place < b->place ? -1 : 1;
}

static struct entry *sorted(struct arena *a, const struct search_value *const *v, uint32_t n,
                            uint32_t nobjectives)
{
    struct entry *entries = ARENA_ARRAY(a, struct entry, n);
    for (uint32_t i = 0; i < n; i++)
        entries[i] = entry_of(v[i], nobjectives, i);
    if (n)
        qsort(entries, n, sizeof *entries, by_goodness);
    return entries;
}

uint32_t front_first(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                     uint32_t *first)
{
    struct arena *a = arena_new();
    struct entry *entries = sorted(a, v, n, nobjectives);
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) { /* those that are found are moved to the beginning */
        uint32_t k = found;
        while (k > 0 && !is_better(&entries[k - 1], &entries[i]))
            k--;
        if (k == 0)
            entries[found++] = entries[i];
    }
    for (uint32_t i = 0; i < found; i++)
        first[i] = entries[i].place;
    arena_free(a);
    return found;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

#define NOBODY UINT32_MAX

struct ranks { /* each a list of entries, the last that came first */
    const struct entry *entries;
    uint32_t *head, *next;
    uint32_t n;
};

static bool is_dominated_in(const struct ranks *r, uint32_t rank, const struct entry *e)
{
    for (uint32_t i = r->head[rank]; i != NOBODY; i = r->next[i])
        if (is_better(&r->entries[i], e))
            return true;
    return false;
}

/* What something of a rank dominates, something of each rank before it does, too. */
static uint32_t rank_of(const struct ranks *r, const struct entry *e)
{
    uint32_t low = 0, high = r->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (is_dominated_in(r, middle, e))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t front_ranks(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                     uint32_t *rank)
{
    struct arena *a = arena_new();
    struct ranks r = {.entries = sorted(a, v, n, nobjectives),
                      .head = ARENA_ARRAY(a, uint32_t, n),
                      .next = ARENA_ARRAY(a, uint32_t, n)};
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = rank_of(&r, &r.entries[i]);
        if (k == r.n)
            r.head[r.n++] = NOBODY;
        r.next[i] = r.head[k];
        r.head[k] = i;
        rank[r.entries[i].place] = k;
    }
    arena_free(a);
    return r.n;
}

/* ---- crowding ------------------------------------------------------------------------------- */

struct along { /* a value on the axis of one objective */
    double at;
    uint32_t place;
};

static int by_place_on_axis(const void *p, const void *q)
{
    const struct along *a = p, *b = q;
    const int c = by_number(a->at, b->at);
    return c ? c : a->place < b->place ? -1 : 1;
}

/* Adds what one objective, by which the values are sorted, makes of their distances.  A range that
 * is zero or not finite says nothing about what is between its ends. */
static void add_distances(const struct along *sorted_values, uint32_t n, double *distance)
{
    const double range = sorted_values[n - 1].at - sorted_values[0].at;
    distance[sorted_values[0].place] = distance[sorted_values[n - 1].place] = INFINITY;
    if (!(range > 0 && isfinite(range)))
        return;
    for (uint32_t i = 1; i + 1 < n; i++)
        distance[sorted_values[i].place] +=
            (sorted_values[i + 1].at - sorted_values[i - 1].at) / range;
}

void front_crowding(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                    double *distance)
{
    struct arena *a = arena_new();
    struct along *values = ARENA_ARRAY(a, struct along, n);
    for (uint32_t i = 0; i < n; i++)
        distance[i] = 0;
    for (uint32_t k = 0; k < nobjectives; k++) {
        uint32_t present = 0;
        for (uint32_t i = 0; i < n; i++)
            if (has_all(v[i], nobjectives))
                values[present++] = (struct along){v[i]->objectives[k], i};
        if (present == 0)
            break;
        qsort(values, present, sizeof *values, by_place_on_axis);
        add_distances(values, present, distance);
    }
    arena_free(a);
}

/* ---- order ---------------------------------------------------------------------------------- */

struct stand {
    uint32_t rank, place;
    double distance;
};

static int by_rank(const void *p, const void *q)
{
    const struct stand *a = p, *b = q;
    const int c = a->rank < b->rank ? -1 : a->rank > b->rank;
    return c ? c : a->place < b->place ? -1 : 1;
}

static int by_distance(const void *p, const void *q)
{
    const struct stand *a = p, *b = q;
    const int c = by_number(b->distance, a->distance);
    return c ? c : a->place < b->place ? -1 : 1;
}

/* Sorts those of one rank, the less crowded first. */
static void order_rank(struct arena *a, const struct search_value *const *v, uint32_t nobjectives,
                       struct stand *all, uint32_t n)
{
    const struct search_value **values = ARENA_ARRAY(a, const struct search_value *, n);
    double *distance = ARENA_ARRAY(a, double, n);
    for (uint32_t i = 0; i < n; i++)
        values[i] = v[all[i].place];
    front_crowding(values, n, nobjectives, distance);
    for (uint32_t i = 0; i < n; i++)
        all[i].distance = distance[i];
    qsort(all, n, sizeof *all, by_distance);
}

void front_order(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                 uint32_t *order)
{
    struct arena *a = arena_new();
    struct stand *all = ARENA_ARRAY(a, struct stand, n);
    uint32_t *rank = ARENA_ARRAY(a, uint32_t, n);
    front_ranks(v, n, nobjectives, rank);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct stand){.rank = rank[i], .place = i};
    if (n)
        qsort(all, n, sizeof *all, by_rank);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && all[end].rank == all[i].rank; end++)
            ;
        order_rank(a, v, nobjectives, all + i, end - i);
    }
    for (uint32_t i = 0; i < n; i++)
        order[i] = all[i].place;
    arena_free(a);
}
