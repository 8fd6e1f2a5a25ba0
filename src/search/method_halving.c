/* method_halving.c - many points measured cheaply, the better part of them again at a higher price.
 *
 * Successive halving: Jamieson, Talwalkar, "Non-stochastic best arm identification and hyperparameter
 * optimization", AISTATS 2016.  Of n points at one fidelity floor(n / eta) are measured at the next:
 * the best by rank of domination, then by crowding, since there are several objectives.  The start is
 * one of the first points and always goes on; so there are never less than two with it, or one. */
#include <string.h>

#include "base/rng.h"
#include "search/batch.h"
#include "search/front.h"
#include "search/shuffle.h"

#define HALVING_ROWS(F, id)                                                                        \
    F(id, INT, points, "81", 1, 1e6, "point", "that are measured at the first fidelity")           \
    F(id, INT, eta, "3", 2, 1000, "", "one of so many points goes on to the next fidelity")
CFG_STRUCT(halving, HALVING_ROWS)
CFG_SECTION(halving, HALVING_ROWS, "method halving of a search")

/* The start, then others in a random order. */
static void draw(struct search *s, struct batch *b)
{
    const uint16_t *start = s->problem.start;
    const size_t size = s->problem.space.naxes * sizeof *start;
    struct shuffle order;
    shuffle_init(&order, &s->problem.space, rng_key(s->problem.seed, STREAM_HALVING));
    if (start) {
        memcpy(batch_row(b), start, size);
        batch_add(b);
    }
    for (uint64_t i = 0; i < order.size && b->n < b->room; i++) {
        shuffle_at(&order, i, batch_row(b));
        bool is_start = start && memcmp(batch_row(b), start, size) == 0;
        if (s->problem.plain ? !batch_has(b) : !is_start)
            batch_add(b);
    }
}

/* Leaves in the batch, in this order, the start and the best of the others. */
static void keep_best(struct search *s, struct batch *b, uint32_t keep)
{
    const size_t naxes = s->problem.space.naxes;
    const uint32_t first = s->problem.start ? 1 : 0, n = b->n - first;
    const struct search_value **v = ARENA_ARRAY(s->scratch, const struct search_value *, n);
    uint32_t *order = ARENA_ARRAY(s->scratch, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        v[i] = &search_at(s, b->at[first + i])->value;
    front_order(v, n, s->problem.nobjectives, order);
    b->n = first;
    for (uint32_t i = 0; b->n < keep; i++) {
        const uint16_t *levels = search_at(s, b->at[first + order[i]])->levels;
        memcpy(batch_row(b), levels, naxes * sizeof *levels);
        batch_add(b);
    }
}

static bool check(const struct search *s, struct err *e)
{
    return s->problem.nfidelities > 1 ||
           err_set(e, STATUS_BAD_INPUT,
                   "method halving needs a cheap fidelity beside the one that counts");
}

static bool run(struct search *s, struct err *e)
{
    const struct halving_spec *spec = config_get(s->config, &halving_section);
    const uint32_t fewest = s->problem.start ? 2 : 1;
    struct batch *b = batch_new(s, 0, (uint32_t)spec->points);
    draw(s, b);
    for (;;) {
        if (!batch_measure(b, e))
            return false;
        if (s->is_over || b->fidelity == search_last(s))
            return true;
        uint32_t keep = b->n / (uint32_t)spec->eta;
        keep = keep < fewest ? fewest : keep;
        keep_best(s, b, keep < b->n ? keep : b->n);
        b->fidelity++;
    }
}

const struct search_method search_method_halving = {
    .name = "halving",
    .help = "many points cheaply, the better ones again at higher fidelities",
    .section = &halving_section,
    .check = check,
    .run = run,
};
