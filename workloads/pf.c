/* pf.c - PF: Rodinia pathfinder; see kernels/pathfinder.cu.
 *
 * As in the original a grid of costs from 0 to 9 is walked from its first row to its last, 20 rows
 * per launch (pyramid height 20), two arrays of sums taking turns; the seed draws the costs.  The
 * suite's usual grid, 100,000 columns of 100 rows, is small enough for a study. */
#include "workload.h"

enum { TILE = 256, HEIGHT = 20, COSTS = 10 };

struct grid {
    uint32_t rows, columns;
    int32_t *cost; /* row by row; the first row is where the sums begin */
};

static struct grid make_grid(struct work *w, uint32_t rows, uint32_t columns)
{
    size_t n = (size_t)rows * columns;
    struct grid g = {rows, columns, work_alloc(w, n * sizeof *g.cost)};
    for (size_t i = 0; i < n; i++)
        g.cost[i] = (int32_t)work_random_u32(w, 0, i, COSTS);
    return g;
}

static bool launch(struct work *w, const struct grid *g, hd_ptr wall, hd_ptr from, hd_ptr to,
                   uint32_t row, struct hd_error *e)
{
    const uint32_t apart = TILE - 2 * HEIGHT;
    uint32_t left = g->rows - 1 - row;
    struct hd_args a = {0};
    hd_arg_i32(&a, left < HEIGHT ? (int32_t)left : HEIGHT);
    hd_arg_ptr(&a, wall);
    hd_arg_ptr(&a, from);
    hd_arg_ptr(&a, to);
    hd_arg_i32(&a, (int32_t)g->columns);
    hd_arg_i32(&a, (int32_t)row);
    hd_arg_i32(&a, HEIGHT);
    return work_launch(w, "dynproc_kernel", (struct hd_dim){(g->columns + apart - 1) / apart, 1, 1},
                       (struct hd_dim){TILE, 1, 1}, 0, &a, e);
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The whole grid row by row. */
static const int32_t *reference(struct work *w, const struct grid *g)
{
    int32_t *sum = work_alloc(w, g->columns * sizeof *sum);
    int32_t *next = work_alloc(w, g->columns * sizeof *next);
    memcpy(sum, g->cost, g->columns * sizeof *sum);
    for (uint32_t i = 1; i < g->rows; i++) {
        const int32_t *cost = g->cost + (size_t)i * g->columns;
        for (uint32_t j = 0; j < g->columns; j++) {
            int32_t west = sum[j > 0 ? j - 1 : 0], east = sum[j + 1 < g->columns ? j + 1 : j];
            next[j] = least(least(west, sum[j]), east) + cost[j];
        }
        int32_t *other = sum;
        sum = next;
        next = other;
    }
    return sum;
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct {
        uint32_t rows, columns;
    } sizes[SIZES] = {
        [SIZE_TINY] = {30, 3000},     [SIZE_SMALL] = {100, 20000}, [SIZE_STUDY] = {100, 100000},
        [SIZE_PAPER] = {100, 100000}, [SIZE_FEW] = {100, 10000},   [SIZE_CHIP] = {100, 100000},
    };
    struct grid g = make_grid(w, sizes[w->size].rows, sizes[w->size].columns);
    size_t row = g.columns * sizeof *g.cost;
    hd_ptr wall = work_upload(w, g.cost + g.columns, (g.rows - 1) * row, e);
    hd_ptr from = work_upload(w, g.cost, row, e), to = work_device(w, row, e);
    if (!wall || !from || !to)
        return false;
    for (uint32_t done = 0; done + 1 < g.rows; done += HEIGHT) {
        if (!launch(w, &g, wall, from, to, done, e))
            return false;
        hd_ptr other = from;
        from = to;
        to = other;
    }
    int32_t *got = work_alloc(w, row);
    return work_download(w, got, from, row, e) &&
           (!w->verify || work_same_i32("sum", got, reference(w, &g), g.columns, e));
}

const struct workload workload_pf = {
    .name = "PF",
    .suite = "Rodinia",
    .stands_for = "pathfinder: cheapest path from row to row, overlapping tiles of 256",
    .papers = "cdxbar",
    .kernels = "pathfinder",
    .inputs =
        {
            [SIZE_TINY] = "3,000 columns, 30 rows",
            [SIZE_SMALL] = "20,000 columns, 100 rows",
            [SIZE_STUDY] = "100,000 columns, 100 rows",
            [SIZE_PAPER] = "100,000 columns, 100 rows",
            [SIZE_FEW] = "10,000 columns, 100 rows",
            [SIZE_CHIP] = "100,000 columns, 100 rows",
        },
    .run = run,
};
