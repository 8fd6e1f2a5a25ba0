/* method_nsga2.c - a population that improves by crossing, mutation and selection.
 *
 * Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
 * IEEE Trans. Evolutionary Computation 6(2), 2002: of parents and children together the best by rank,
 * then by crowding, are the next parents; who mates is chosen by tournaments of two.  It differs where
 * points are levels and a measurement is dear:
 *
 *   - crossing takes each level from one parent or the other (uniform), one child of two parents;
 *   - an axis whose levels have an order mutates by steps, of k levels about as often as 1/k;
 *   - a child that was measured before is drawn again, with more and more mutations;
 *   - the first population has what earlier methods measured: its best, then points at random. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "search/batch.h"
#include "search/front.h"
#include "search/shuffle.h"

#define NSGA2_ROWS(F, id)                                                                          \
    F(id, INT, population, "40", 2, 100000, "point", "parents of a generation, and children")      \
    F(id, INT, generations, "50", 0, 1e6, "", "after the first population")                        \
    F(id, REAL, crossover, "0.9", 0, 1, "", "part of the children that have two parents")          \
    F(id, REAL, mutation, "1", 0, 64, "axis", "that change in a child, in the mean")
CFG_STRUCT(nsga2, NSGA2_ROWS)
CFG_SECTION(nsga2, NSGA2_ROWS, "method nsga2 of a search")

/* Draws of a child until it is new; mutations double every so many. */
enum { MOST_DRAWS = 32, DRAWS_TO_DOUBLE = 4 };

struct nsga2 {
    struct search *search;
    const struct nsga2_spec *spec;
    struct batch *batch;
    uint32_t *parents; /* indices of points, the best first */
    uint32_t nparents;
    uint32_t naxes, nmovable; /* with more than one level */
};

struct draws {
    uint64_t key, at;
};

static uint64_t next_draw(struct draws *d)
{
    return rng_at(d->key, d->at++);
}

static uint32_t draw_below(struct draws *d, uint32_t n)
{
    return rng_below(next_draw(d), n);
}

static bool draw_chance(struct draws *d, double p)
{
    return rng_unit(next_draw(d)) < p;
}

/* ---- children ------------------------------------------------------------------------------- */

/* The better of two parents: they are in order. */
static const uint16_t *draw_parent(const struct nsga2 *g, struct draws *d)
{
    const uint32_t a = draw_below(d, g->nparents), b = draw_below(d, g->nparents);
    return search_at(g->search, g->parents[a < b ? a : b])->levels;
}

/* Steps up or down, where there is room: up to all of it, or half, a quarter, and so on to one. */
static uint16_t step(struct draws *d, uint32_t level, uint32_t levels)
{
    const uint32_t below = level, above = levels - 1 - level;
    const bool is_up = below == 0 || (above > 0 && (next_draw(d) & 1));
    const uint32_t room = is_up ? above : below;
    const uint32_t scales = 32 - (uint32_t)__builtin_clz(room);
    const uint32_t k = 1 + draw_below(d, room >> draw_below(d, scales));
    return (uint16_t)(is_up ? level + k : level - k);
}

static uint16_t mutate(const struct search_axis *axis, struct draws *d, uint16_t level)
{
    if (axis->is_ordered)
        return step(d, level, axis->levels);
    const uint32_t other = draw_below(d, axis->levels - 1);
    return (uint16_t)(other + (other >= level));
}

static void draw_child(const struct nsga2 *g, struct draws *d, double mutations, uint16_t *child)
{
    const struct search_axis *axes = g->search->problem.space.axes;
    const uint16_t *mother = draw_parent(g, d), *father = draw_parent(g, d);
    const bool has_two = draw_chance(d, g->spec->crossover);
    for (uint32_t i = 0; i < g->naxes; i++) {
        child[i] = has_two && draw_chance(d, 0.5) ? father[i] : mother[i];
        if (axes[i].levels > 1 && draw_chance(d, mutations / g->nmovable))
            child[i] = mutate(&axes[i], d, child[i]);
    }
}

/* Whether the next row of the batch is nothing that is known, or will be. */
static bool is_new(const struct nsga2 *g)
{
    return search_find(g->search, search_last(g->search), batch_row(g->batch)) == SEARCH_NONE &&
           !batch_has(g->batch);
}

static void breed(const struct nsga2 *g, uint64_t generation)
{
    const uint64_t seed = rng_key(g->search->problem.seed, STREAM_NSGA2);
    for (uint32_t i = 0; i < g->batch->room; i++) {
        const uint64_t key = rng_key(rng_key(seed, generation), i);
        bool found = false;
        for (uint32_t again = 0; again < MOST_DRAWS && !found; again++) {
            struct draws d = {.key = rng_key(key, again)};
            const double more = (double)(1u << again / DRAWS_TO_DOUBLE);
            const double least = again ? 1 : 0; /* mutation 0 finds nothing new for long */
            draw_child(g, &d, more * fmax(g->spec->mutation, least), batch_row(g->batch));
            found = is_new(g);
        }
        if (found)
            batch_add(g->batch);
    }
}

/* ---- selection ------------------------------------------------------------------------------ */

/* The best of these points, by index, become the parents. */
static void select_parents(struct nsga2 *g, const uint32_t *points, uint32_t n)
{
    struct arena *a = arena_new();
    const struct search_value **v = ARENA_ARRAY(a, const struct search_value *, n);
    uint32_t *order = ARENA_ARRAY(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = &search_at(g->search, points[i])->value;
    front_order(v, n, g->search->problem.nobjectives, order);
    g->nparents = n < (uint32_t)g->spec->population ? n : (uint32_t)g->spec->population;
    for (uint32_t i = 0; i < g->nparents; i++)
        order[i] = points[order[i]];
    memcpy(g->parents, order, g->nparents * sizeof *order);
    arena_free(a);
}

/* Parents and what the batch holds compete. */
static void select_of_both(struct nsga2 *g)
{
    struct arena *a = arena_new();
    uint32_t *both = ARENA_ARRAY(a, uint32_t, g->nparents + g->batch->n);
    memcpy(both, g->parents, g->nparents * sizeof *both);
    memcpy(both + g->nparents, g->batch->at, g->batch->n * sizeof *both);
    select_parents(g, both, g->nparents + g->batch->n);
    batch_clear(g->batch);
    arena_free(a);
}

/* ---- generations ---------------------------------------------------------------------------- */

static void draw_first(struct nsga2 *g)
{
    struct shuffle order;
    shuffle_init(&order, &g->search->problem.space,
                 rng_key(g->search->problem.seed, STREAM_NSGA2_FIRST));
    for (uint64_t i = 0; i < order.size && g->nparents + g->batch->n < g->batch->room; i++) {
        shuffle_at(&order, i, batch_row(g->batch));
        if (is_new(g))
            batch_add(g->batch);
    }
}

static bool begin(struct nsga2 *g, struct err *e)
{
    const struct search *s = g->search;
    struct arena *a = arena_new();
    uint32_t *known = ARENA_ARRAY(a, uint32_t, s->count), n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->points[i]->fidelity == search_last(s))
            known[n++] = i;
    select_parents(g, known, n);
    arena_free(a);
    draw_first(g);
    if (!batch_measure(g->batch, e))
        return false;
    if (!s->is_over)
        select_of_both(g);
    return true;
}

static bool is_exhausted(const struct search *s)
{
    return s->measured[search_last(s)] >= search_size(&s->problem.space);
}

static bool run(struct search *s, struct err *e)
{
    const struct nsga2_spec *spec = config_get(s->config, &nsga2_section);
    struct nsga2 g = {.search = s,
                      .spec = spec,
                      .batch = batch_new(s, search_last(s), (uint32_t)spec->population),
                      .parents = ARENA_ARRAY(s->scratch, uint32_t, spec->population),
                      .naxes = s->problem.space.naxes};
    for (uint32_t i = 0; i < g.naxes; i++)
        g.nmovable += s->problem.space.axes[i].levels > 1;
    if (!begin(&g, e))
        return false;
    for (int64_t i = 0; i < spec->generations && !s->is_over && !is_exhausted(s); i++) {
        breed(&g, (uint64_t)i);
        if (!batch_measure(g.batch, e))
            return false;
        if (!s->is_over)
            select_of_both(&g);
    }
    return true;
}

const struct search_method search_method_nsga2 = {
    .name = "nsga2",
    .help = "a population that improves by crossing, mutation and selection (NSGA-II)",
    .section = &nsga2_section,
    .run = run,
};
