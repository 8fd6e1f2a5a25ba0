/* hypervolume.c - by exclusive volumes, as in While, Bradstreet, Barone, "A fast way of calculating
 * exact hypervolumes", IEEE Trans. Evolutionary Computation 16(1), 2012 (WFG).
 *
 * Points are taken from the worst in the last objective on; each adds what it dominates and none after
 * it does.  Those after it reach at least as far in the last objective, so that this is a prism:
 * its base, with one objective less, is the point's own box without the volume of the others cut to
 * that box. */
#include "search/hypervolume.h"

#include <stdlib.h>

#include "search/front.h"

struct corner { /* distances from the reference: more is better */
    double reach[SEARCH_MOST_OBJECTIVES];
};

struct cut { /* room for the corners of each number of objectives */
    struct corner *room[SEARCH_MOST_OBJECTIVES + 1];
};

static int less_first(double a, double b)
{
    return (a > b) - (a < b);
}

#define BY_REACH(k)                                                                                \
    static int by_reach_##k(const void *p, const void *q)                                          \
    {                                                                                              \
        return less_first(((const struct corner *)p)->reach[k],                                    \
                          ((const struct corner *)q)->reach[k]);                                   \
    }
BY_REACH(1)
BY_REACH(2)
BY_REACH(3)
BY_REACH(4)
BY_REACH(5)

static void sort_by(struct corner *c, uint32_t n, uint32_t k)
{
    static int (*const by[])(const void *, const void *) = {NULL,       by_reach_1, by_reach_2,
                                                            by_reach_3, by_reach_4, by_reach_5};
    qsort(c, n, sizeof *c, by[k]);
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static bool covers(const struct corner *a, const struct corner *b, uint32_t m)
{
    for (uint32_t k = 0; k < m; k++)
        if (a->reach[k] < b->reach[k])
            return false;
    return true;
}

/* Adds a corner to those of which none covers another. */
static uint32_t add_corner(struct corner *all, uint32_t n, const struct corner *c, uint32_t m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (covers(&all[i], c, m))
            return n;
    for (uint32_t i = 0; i < n; i++)
        if (!covers(c, &all[i], m))
            all[kept++] = all[i];
    all[kept] = *c;
    return kept + 1;
}

static double area(struct corner *c, uint32_t n)
{
    double sum = 0, width = 0;
    sort_by(c, n, 1);
    for (uint32_t i = n; i-- > 0; width = c[i].reach[0]) /* the less high, the wider */
        sum += (c[i].reach[0] - width) * c[i].reach[1];
    return sum;
}

static double volume(const struct cut *cut, struct corner *c, uint32_t n, uint32_t m);

/* What the i-th covers in the first objectives and none after it does. */
static double base_of(const struct cut *cut, const struct corner *c, uint32_t i, uint32_t n,
                      uint32_t m)
{
    struct corner *others = cut->room[m];
    uint32_t found = 0;
    double own = 1;
    for (uint32_t k = 0; k < m; k++)
        own *= c[i].reach[k];
    for (uint32_t j = i + 1; j < n; j++) {
        struct corner both;
        if (covers(&c[j], &c[i], m))
            return 0;
        for (uint32_t k = 0; k < m; k++)
            both.reach[k] = least(c[i].reach[k], c[j].reach[k]);
        found = add_corner(others, found, &both, m);
    }
    return own - volume(cut, others, found, m);
}

static double volume(const struct cut *cut, struct corner *c, uint32_t n, uint32_t m)
{
    double sum = 0;
    if (m == 1)
        for (uint32_t i = 0; i < n; i++)
            sum = c[i].reach[0] > sum ? c[i].reach[0] : sum;
    if (m == 1 || n == 0)
        return sum;
    if (m == 2)
        return area(c, n);
    sort_by(c, n, m - 1);
    for (uint32_t i = 0; i < n; i++)
        sum += c[i].reach[m - 1] * base_of(cut, c, i, n, m - 1);
    return sum;
}

double hypervolume(const struct search_value *const *v, uint32_t n, uint32_t nobjectives,
                   const double *reference)
{
    HD_ASSERT(nobjectives >= 1 && nobjectives <= SEARCH_MOST_OBJECTIVES, "%u objectives",
              nobjectives);
    struct arena *a = arena_new();
    struct cut cut = {0};
    uint32_t found = 0;
    for (uint32_t m = 1; m <= nobjectives; m++)
        cut.room[m] = ARENA_ARRAY(a, struct corner, n);
    for (uint32_t i = 0; i < n; i++) {
        struct corner c = {0};
        bool is_below = front_is_whole(v[i], nobjectives);
        for (uint32_t k = 0; k < nobjectives && is_below; k++) {
            c.reach[k] = reference[k] - v[i]->objectives[k];
            is_below = c.reach[k] > 0;
        }
        if (is_below)
            found = add_corner(cut.room[nobjectives], found, &c, nobjectives);
    }
    const double sum = volume(&cut, cut.room[nobjectives], found, nobjectives);
    arena_free(a);
    return sum;
}
