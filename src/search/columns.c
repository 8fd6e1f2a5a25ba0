/* columns.c - columns of an orthogonal array, by backtracking.
 *
 * Axes are placed one after the other, those with many columns first.  For each vector is known how
 * many axes it takes, at least, to be a sum of vectors spanned by their columns.  An axis fits if all
 * that its columns span takes `strength` others or more. */
#include "search/columns.h"

#include <string.h>

enum { MOST_TRIES = 1 << 23, OUT_OF_REACH = 255 };

struct finder {
    struct columns *columns;
    uint32_t strength, m, naxes;
    uint32_t axis[SEARCH_MOST_AXES];      /* in the order in which they are placed */
    uint8_t *reach[SEARCH_MOST_AXES + 1]; /* [2^m], before so many axes were placed */
    uint32_t *span;                       /* of the columns so far of the axis that is placed */
    uint32_t tries;
};

static uint32_t bits_for(uint32_t levels)
{
    uint32_t n = 0;
    while ((1u << n) < levels)
        n++;
    return n;
}

/* ---- the least m there could be ------------------------------------------------------------- */

/* Any `strength` axes are independent; and sums of up to half as many vectors of different axes are
 * different (Rao's bound). */
static uint32_t least_m(const struct finder *f)
{
    const uint32_t *n = f->columns->n;
    uint32_t m = 0;
    double alone = 0, together = 0;
    for (uint32_t k = 0; k < f->naxes; k++) {
        const double more = (double)((1u << n[f->axis[k]]) - 1);
        m += k < f->strength ? n[f->axis[k]] : 0;
        together += f->strength >= 4 ? alone * more : 0;
        alone += more;
    }
    while (m <= COLUMNS_MOST_BITS && (double)(1u << m) < 1 + alone + together)
        m++;
    return m;
}

/* ---- backtracking --------------------------------------------------------------------------- */

/* Whether the j-th column of an axis may be v.  The first is the least of what all of them span: the
 * same span would come again. */
static bool fits(const struct finder *f, uint32_t k, uint32_t j, uint32_t v)
{
    const uint32_t *column = f->columns->column[f->axis[k]];
    for (uint32_t i = 0; i < 1u << j; i++) {
        const uint32_t w = f->span[i] ^ v;
        if (f->reach[k][w] < f->strength || (j > 0 && w < column[0]))
            return false;
    }
    return true;
}

static void extend_span(const struct finder *f, uint32_t j, uint32_t v)
{
    for (uint32_t i = 0; i < 1u << j; i++)
        f->span[1u << j | i] = f->span[i] ^ v;
}

/* How far vectors are once the k-th axis is placed, too. */
static void extend_reach(const struct finder *f, uint32_t k)
{
    const uint8_t *before = f->reach[k];
    uint8_t *after = f->reach[k + 1];
    const uint32_t spanned = 1u << f->columns->n[f->axis[k]];
    memcpy(after, before, (size_t)1 << f->m);
    for (uint32_t x = 0; x < 1u << f->m; x++)
        for (uint32_t i = 1; before[x] + 1u < f->strength && i < spanned; i++)
            if (after[x ^ f->span[i]] > before[x] + 1)
                after[x ^ f->span[i]] = (uint8_t)(before[x] + 1);
}

/* What the first column of the k-th axis must exceed: axes of one size are in order. */
static uint32_t least_of(const struct finder *f, uint32_t k)
{
    const struct columns *c = f->columns;
    if (k == 0)
        return 0;
    const uint32_t last = f->axis[k - 1];
    return c->n[last] == c->n[f->axis[k]] ? c->column[last][0] : 0;
}

/* Finds the j-th column of the k-th axis, and all after it. */
static bool place(struct finder *f, uint32_t k, uint32_t j)
{
    if (k == f->naxes)
        return true;
    struct columns *c = f->columns;
    uint32_t *column = c->column[f->axis[k]];
    if (j == c->n[f->axis[k]]) {
        extend_reach(f, k);
        f->tries += 1u << f->m >> 6; /* what that costs */
        return place(f, k + 1, 0);
    }
    uint32_t v = j > 0 ? column[j - 1] : least_of(f, k);
    while (++v < 1u << f->m && f->tries < MOST_TRIES) {
        f->tries++;
        f->span[0] = 0;
        for (uint32_t i = 0; i < j; i++) /* other columns of this place were tried since */
            extend_span(f, i, column[i]);
        if (!fits(f, k, j, v))
            continue;
        column[j] = v;
        extend_span(f, j, v);
        if (place(f, k, j + 1))
            return true;
    }
    return false;
}

static bool find_in(struct finder *f, uint32_t m)
{
    struct arena *a = arena_new();
    f->m = m;
    f->tries = 0;
    f->span = ARENA_ARRAY(a, uint32_t, 1u << COLUMNS_MOST_OF_AXIS);
    for (uint32_t k = 0; k <= f->naxes; k++)
        f->reach[k] = arena_alloc(a, (size_t)1 << m);
    memset(f->reach[0], OUT_OF_REACH, (size_t)1 << m);
    f->reach[0][0] = 0;
    const bool found = place(f, 0, 0);
    arena_free(a);
    return found;
}

/* ---- from outside --------------------------------------------------------------------------- */

/* Axes with columns, those with the most first, else as they are given. */
static void order_axes(struct finder *f, const struct search_space *space)
{
    for (uint32_t i = 0; i < space->naxes; i++) {
        const uint32_t n = bits_for(space->axes[i].levels);
        f->columns->n[i] = n;
        if (n == 0)
            continue;
        uint32_t k = f->naxes++;
        for (; k > 0 && f->columns->n[f->axis[k - 1]] < n; k--)
            f->axis[k] = f->axis[k - 1];
        f->axis[k] = i;
    }
}

bool columns_find(struct columns *c, const struct search_space *space, uint32_t strength,
                  uint32_t most)
{
    struct finder f = {.columns = c, .strength = strength};
    HD_ASSERT(most <= COLUMNS_MOST_BITS, "2^%u runs", most);
    *c = (struct columns){0};
    order_axes(&f, space);
    for (uint32_t m = least_m(&f); m <= most; m++)
        if (find_in(&f, m)) {
            c->m = m;
            return true;
        }
    return false;
}

uint32_t columns_code(const struct columns *c, uint32_t axis, uint32_t run)
{
    uint32_t code = 0;
    for (uint32_t j = 0; j < c->n[axis]; j++)
        code |= (uint32_t)__builtin_parity(c->column[axis][j] & run) << j;
    return code;
}
