/* places.c - placements of memory nodes on a mesh that have names (intra-clustering paper, Figs 3, 8).
 *
 * Only the nodes of dispersion are in the paper's text (section II.C), for eight on 8x8.  The others are
 * ours, after their names and what the text says of them: `diagonal` two diagonals of half the slope, one
 * in each row and column, since clusters are to be "one or two hops" wide (from corner to corner it would
 * be up to seven); `diamond`
 * on the rim of a square that stands on its corner, one in each row and column, sides in turn (after
 * Abts et al., ISCA 2009); `row0_7` half in the first row, half in the last.  On a mesh of another size
 * a placement is stretched: the centre of a cell of the n x n pattern goes to the cell that it falls
 * into. */
#include "noc/places.h"

#include <string.h>

struct cell {
    uint32_t x, y;
};

static struct cell dispersion(uint32_t i, uint32_t n)
{
    static const uint32_t node[] = {3, 15, 17, 29, 36, 47, 49, 61};
    (void)n;
    return (struct cell){node[i] % 8, node[i] / 8};
}

static struct cell diagonal(uint32_t i, uint32_t n)
{
    return (struct cell){i < n / 2 ? 2 * i + 1 : 2 * (i - n / 2), i};
}

static struct cell diamond(uint32_t i, uint32_t n)
{
    uint32_t out = i < n - 1 - i ? i : n - 1 - i; /* how far from the middle at this height */
    uint32_t left = (n - 1) / 2 - out, right = n / 2 + out;
    bool is_left = i < (n + 1) / 2 ? i % 2 == 0 : (n - 1 - i) % 2 != 0;
    return (struct cell){is_left ? left : right, i};
}

/* Rows of half as many, at the centres of equal parts. */
static struct cell row0_7(uint32_t i, uint32_t n)
{
    uint32_t top = (n + 1) / 2, k = i < top ? i : i - top, row = i < top ? top : n - top;
    return (struct cell){(2 * k + 1) * n / (2 * row), i < top ? 0 : n - 1};
}

static const struct {
    const char *name;
    struct cell (*cell)(uint32_t i, uint32_t n);
    uint32_t only; /* so many can be placed; 0: any number */
} all[] = {{"dispersion", dispersion, 8},
           {"diagonal", diagonal, 0},
           {"diamond", diamond, 0},
           {"row0_7", row0_7, 0}};

static uint32_t stretch(uint32_t at, uint32_t n, uint32_t size)
{
    return (2 * at + 1) * size / (2 * n);
}

bool places_named(const struct config *cfg, struct arena *a, struct cfg_list *mem, struct err *e)
{
    const struct mesh_spec *s = config_get(cfg, &mesh_section);
    uint32_t n = (uint32_t)s->mems, k = 0;
    while (strcmp(all[k].name, s->placement) != 0)
        k++;
    if (all[k].only && all[k].only != n)
        return config_blame(cfg, e, &mesh_section, "mems", "%s places %u memory nodes, not %u",
                            s->placement, all[k].only, n);
    int64_t *nodes = ARENA_ARRAY(a, int64_t, n);
    for (uint32_t i = 0; i < n; i++) {
        struct cell c = all[k].cell(i, n);
        nodes[i] = ((int64_t)stretch(c.y, n, (uint32_t)s->height) * s->width +
                    stretch(c.x, n, (uint32_t)s->width)) *
                   s->concentration;
    }
    *mem = (struct cfg_list){.v = nodes, .n = (int)n};
    return true;
}
