/* batch.c - points that are measured together. */
#include "search/batch.h"

#include <string.h>

struct batch *batch_new(struct search *s, uint32_t fidelity, uint32_t room)
{
    const size_t naxes = s->problem.space.naxes;
    struct batch *b = ARENA_NEW(s->scratch, struct batch);
    *b = (struct batch){.search = s, .fidelity = fidelity, .room = room};
    b->levels = ARENA_ARRAY(s->scratch, uint16_t, naxes * (room + 1)); /* one more to be tried */
    b->points = ARENA_ARRAY(s->scratch, const uint16_t *, room);
    b->at = ARENA_ARRAY(s->scratch, uint32_t, room);
    for (uint32_t i = 0; i < room; i++)
        b->points[i] = b->levels + i * naxes;
    return b;
}

uint16_t *batch_row(const struct batch *b)
{
    return b->levels + (size_t)b->n * b->search->problem.space.naxes;
}

void batch_add(struct batch *b)
{
    HD_ASSERT(b->n < b->room, "a batch of %u is full", b->room);
    search_plain(b->search, batch_row(b));
    b->n++;
}

bool batch_has(const struct batch *b)
{
    const size_t size = b->search->problem.space.naxes * sizeof *b->levels;
    uint16_t *row = batch_row(b);
    search_plain(b->search, row);
    for (uint32_t i = 0; i < b->n; i++)
        if (memcmp(b->points[i], row, size) == 0)
            return true;
    return false;
}

bool batch_measure(struct batch *b, struct err *e)
{
    return search_measure(b->search, b->fidelity, b->points, b->n, b->at, e);
}

void batch_clear(struct batch *b)
{
    b->n = 0;
}

bool batch_flush(struct batch *b, struct err *e)
{
    const bool ok = batch_measure(b, e);
    batch_clear(b);
    return ok;
}

bool batch_push(struct batch *b, struct err *e)
{
    batch_add(b);
    return b->n < b->room || batch_flush(b, e);
}
