/* method_pairs.c - the start, each other level of each axis alone, and each two of these together.
 *
 * What one change does by itself, and whether two do more or less together than each by itself (main
 * effects and two-factor interactions, all with respect to the start). */
#include <string.h>

#include "search/batch.h"

#define PAIRS_ROWS(F, id)                                                                          \
    F(id, INT, most, "100000", 1, 1e9, "point", "that a search in pairs may have")
CFG_STRUCT(pairs, PAIRS_ROWS)
CFG_SECTION(pairs, PAIRS_ROWS, "method pairs of a search")

/* At most (64 x 4096)^2: it fits. */
static uint64_t count(const struct search_space *space)
{
    uint64_t alone = 0, together = 0;
    for (uint32_t i = 0; i < space->naxes; i++) {
        together += alone * (space->axes[i].levels - 1);
        alone += space->axes[i].levels - 1;
    }
    return 1 + alone + together;
}

static bool check(const struct search *s, struct err *e)
{
    const struct pairs_spec *spec = config_get(s->config, &pairs_section);
    const uint64_t n = count(&s->problem.space);
    if (!s->problem.start)
        return err_set(e, STATUS_BAD_INPUT, "method pairs needs a start to change levels of");
    if (n > (uint64_t)spec->most)
        return config_blame(s->config, e, &pairs_section, "most",
                            "the start and changes of one and two axes are %llu points, more than "
                            "%lld",
                            (unsigned long long)n, (long long)spec->most);
    return true;
}

/* Levels of an axis but for that of the start, from 0 on. */
static uint16_t other(const struct search *s, uint32_t axis, uint32_t i)
{
    return (uint16_t)(i + (i >= s->problem.start[axis]));
}

static uint16_t *begin_row(const struct search *s, const struct batch *b)
{
    uint16_t *row = batch_row(b);
    memcpy(row, s->problem.start, s->problem.space.naxes * sizeof *row);
    return row;
}

static bool push_alone(struct search *s, struct batch *b, uint32_t axis, struct err *e)
{
    for (uint32_t i = 0; i + 1 < s->problem.space.axes[axis].levels; i++) {
        begin_row(s, b)[axis] = other(s, axis, i);
        if (!batch_push(b, e))
            return false;
    }
    return true;
}

static bool push_two(struct search *s, struct batch *b, uint32_t x, uint32_t y, struct err *e)
{
    const struct search_axis *axes = s->problem.space.axes;
    for (uint32_t i = 0; i + 1 < axes[x].levels; i++)
        for (uint32_t j = 0; j + 1 < axes[y].levels; j++) {
            uint16_t *row = begin_row(s, b);
            row[x] = other(s, x, i);
            row[y] = other(s, y, j);
            if (!batch_push(b, e))
                return false;
        }
    return true;
}

static bool run(struct search *s, struct err *e)
{
    const uint32_t naxes = s->problem.space.naxes;
    struct batch *b = batch_new(s, search_last(s), BATCH_ROOM);
    for (uint32_t i = 0; i < naxes && !s->is_over; i++)
        if (!push_alone(s, b, i, e))
            return false;
    for (uint32_t i = 0; i < naxes; i++)
        for (uint32_t j = i + 1; j < naxes && !s->is_over; j++)
            if (!push_two(s, b, i, j, e))
                return false;
    return batch_flush(b, e);
}

const struct search_method search_method_pairs = {
    .name = "pairs",
    .help = "the start, changes of one axis, and changes of two",
    .section = &pairs_section,
    .check = check,
    .run = run,
};
