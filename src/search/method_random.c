/* method_random.c - points at random, none twice.
 *
 * The seed puts all points in an order, and the first so many of it are measured: more of them later
 * leave the first ones as they are.  Those that were measured before count, too. */
#include "base/rng.h"
#include "search/batch.h"
#include "search/shuffle.h"

/* Not "random": a cache policy has that section. */
#define SAMPLING_ROWS(F, id) F(id, INT, points, "100", 1, 1e9, "point", "that are drawn")
CFG_STRUCT(sampling, SAMPLING_ROWS)
CFG_SECTION(sampling, SAMPLING_ROWS, "method random of a search")

static bool run(struct search *s, struct err *e)
{
    const struct sampling_spec *spec = config_get(s->config, &sampling_section);
    struct batch *b = batch_new(s, search_last(s), BATCH_ROOM);
    struct shuffle order;
    shuffle_init(&order, &s->problem.space, rng_key(s->problem.seed, STREAM_RANDOM));
    for (uint64_t i = 0; i < (uint64_t)spec->points && i < order.size && !s->is_over; i++) {
        shuffle_at(&order, i, batch_row(b));
        if (!batch_push(b, e))
            return false;
    }
    return batch_flush(b, e);
}

const struct search_method search_method_random = {.name = "random",
                                                   .help = "points at random, none twice",
                                                   .section = &sampling_section,
                                                   .run = run};
