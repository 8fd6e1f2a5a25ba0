/* method_grid.c - every point of the space (full factorial), the last axis fastest. */
#include <string.h>

#include "search/batch.h"

#define GRID_ROWS(F, id)                                                                           \
    F(id, INT, most, "100000", 1, 1e9, "point", "of spaces that are measured as a whole")
CFG_STRUCT(grid, GRID_ROWS)
CFG_SECTION(grid, GRID_ROWS, "method grid of a search")

static bool check(const struct search *s, struct err *e)
{
    const struct grid_spec *spec = config_get(s->config, &grid_section);
    const uint64_t size = search_size(&s->problem.space);
    if (size <= (uint64_t)spec->most)
        return true;
    if (size == UINT64_MAX)
        config_blame(s->config, e, &grid_section, "most",
                     "the space has more than 2^64 points, more than %lld", (long long)spec->most);
    else
        config_blame(s->config, e, &grid_section, "most",
                     "the space has %llu points, more than %lld", (unsigned long long)size,
                     (long long)spec->most);
    return false;
}

/* The point after this one; after the last, the first. */
static bool advance(const struct search_space *space, uint16_t *levels)
{
    for (uint32_t i = space->naxes; i-- > 0;) {
        if (++levels[i] < space->axes[i].levels)
            return true;
        levels[i] = 0;
    }
    return false;
}

static bool run(struct search *s, struct err *e)
{
    const struct search_space *space = &s->problem.space;
    uint16_t levels[SEARCH_MOST_AXES] = {0};
    struct batch *b = batch_new(s, search_last(s), BATCH_ROOM);
    do {
        memcpy(batch_row(b), levels, space->naxes * sizeof *levels);
        if (!batch_push(b, e))
            return false;
    } while (advance(space, levels) && !search_is_over(s));
    return batch_flush(b, e);
}

const struct search_method search_method_grid = {.name = "grid",
                                                 .help = "every point of the space",
                                                 .section = &grid_section,
                                                 .check = check,
                                                 .run = run};
