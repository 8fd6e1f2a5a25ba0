/* method_factorial.c - a fraction of all combinations: each level, and levels of few axes together, as
 * often as by chance (Box, Hunter, "The 2^(k-p) fractional factorial designs", Technometrics 3, 1961).
 *
 * Resolution 3: what one axis does is not mixed up with what another does; 4: nor with what two do
 * together; 5: nor are two with two others.  Axes may have different numbers of levels (columns.h).
 * Levels are counted from those of the start, which is thereby one of the runs, and whose levels are
 * the more frequent ones where an axis has no power of two of them.  Runs with the same levels are
 * measured once: who compares means of levels weighs by the frequencies of the runs, not of the
 * points. */
#include "search/batch.h"
#include "search/columns.h"

#define FACTORIAL_ROWS(F, id)                                                                      \
    F(id, INT, resolution, "3", 3, 5, "",                                                          \
      "3: single axes apart from each other; 4: from pairs, too; 5: pairs from pairs, too")        \
    F(id, INT, most, "65536", 1, 1048576, "run", "that a fraction may have")
CFG_STRUCT(factorial, FACTORIAL_ROWS)
CFG_SECTION(factorial, FACTORIAL_ROWS, "method factorial of a search")

_Static_assert(1 << COLUMNS_MOST_BITS == 1048576, "the range of factorial.most");

static bool find(const struct search *s, struct columns *c, struct err *e)
{
    const struct factorial_spec *spec = config_get(s->config, &factorial_section);
    uint32_t bits = 0;
    while ((int64_t)2 << bits <= spec->most)
        bits++;
    return columns_find(c, &s->problem.space, (uint32_t)spec->resolution - 1, bits) ||
           config_blame(s->config, e, &factorial_section, "most",
                        "no fraction of resolution %lld was found that has up to %lld runs",
                        (long long)spec->resolution, (long long)spec->most);
}

static bool run(struct search *s, struct err *e)
{
    const struct search_space *space = &s->problem.space;
    const uint16_t *start = s->problem.start;
    struct columns c;
    if (!find(s, &c, e))
        return false;
    struct batch *b = batch_new(s, search_last(s), BATCH_ROOM);
    for (uint32_t r = 0; r < 1u << c.m && !s->is_over; r++) {
        uint16_t *row = batch_row(b);
        for (uint32_t i = 0; i < space->naxes; i++) {
            const uint32_t code = columns_code(&c, i, r) + (start ? start[i] : 0u);
            row[i] = (uint16_t)(code % space->axes[i].levels);
        }
        if (!batch_push(b, e))
            return false;
    }
    return batch_flush(b, e);
}

const struct search_method search_method_factorial = {
    .name = "factorial",
    .help = "a fraction of all combinations in which few axes are not confounded",
    .section = &factorial_section,
    .run = run,
};
