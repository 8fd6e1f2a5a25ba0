/* nqu.c - NQU of the ISPASS-2009 suite: the problem of the n queens; see kernels/nqueens.cu.
 *
 * The original places queens in the first two rows, or in all but ten where there are more than
 * 11, by symmetry in one half of the board only, and launches 256 CTAs whenever it has 24,576
 * boards and at the end: with its default of 8 queens 21 threads of the first CTA have a board.
 * Ours does the same, but for `few`, which has as many boards as threads. */
#include "workload.h"

enum { THREADS = 96, MOST = THREADS * 256 };

struct boards {
    uint32_t n;
    uint32_t *columns, *left, *right;
};

struct puzzle {
    uint32_t queens, rows; /* that the device fills */
    uint32_t ctas;         /* of a launch */
    uint32_t most_boards;  /* taken into account; the rest is left out */
};

static void place(struct boards *b, const struct puzzle *p, uint32_t row, uint32_t columns,
                  uint32_t left, uint32_t right)
{
    uint32_t all = (1u << p->queens) - 1;
    if (row == p->queens - p->rows) {
        if (b->n < p->most_boards && b->n < MOST) {
            b->columns[b->n] = columns;
            b->left[b->n] = left;
            b->right[b->n++] = right;
        }
        return;
    }
    uint32_t free_places = all & ~(columns | left | right);
    if (row == 0) /* the other half is its mirror image */
        free_places &= (1u << (p->queens / 2)) - 1;
    for (; free_places; free_places &= free_places - 1) {
        uint32_t at = free_places & -free_places;
        place(b, p, row + 1, columns | at, (left | at) << 1, (right | at) >> 1);
    }
}

/* Completions, by recursion. */
static uint32_t complete(uint32_t all, uint32_t rows, uint32_t columns, uint32_t left,
                         uint32_t right)
{
    uint32_t total = 0, free_places = all & ~(columns | left | right);
    if (rows == 0)
        return 1;
    for (; free_places; free_places &= free_places - 1) {
        uint32_t at = free_places & -free_places;
        total += complete(all, rows - 1, columns | at, (left | at) << 1, (right | at) >> 1);
    }
    return total;
}

static bool check(struct work *w, const struct puzzle *p, const struct boards *b,
                  const uint32_t *got, struct hd_error *e)
{
    uint32_t ctas = p->ctas, *want = work_alloc(w, ctas * sizeof *want);
    for (uint32_t i = 0; i < b->n; i++)
        want[i / THREADS] +=
            complete((1u << p->queens) - 1, p->rows, b->columns[i], b->left[i], b->right[i]);
    return work_same_i32("solutions", (const int32_t *)got, (const int32_t *)want, ctas, e);
}

static bool solve(struct work *w, const struct puzzle *p, const struct boards *b,
                  struct hd_error *e)
{
    uint32_t ctas = p->ctas, *got = work_alloc(w, ctas * sizeof *got);
    uint64_t bytes = b->n * sizeof(uint32_t);
    hd_ptr columns = work_upload(w, b->columns, bytes, e);
    hd_ptr left = work_upload(w, b->left, bytes, e);
    hd_ptr right = work_upload(w, b->right, bytes, e);
    hd_ptr results = work_device(w, ctas * sizeof *got, e);
    struct hd_args a = {0};
    hd_arg_u32(&a, p->queens);
    hd_arg_u32(&a, p->rows);
    hd_arg_ptr(&a, columns);
    hd_arg_ptr(&a, left);
    hd_arg_ptr(&a, right);
    hd_arg_ptr(&a, results);
    hd_arg_u32(&a, b->n);
    return columns && left && right && results &&
           work_launch(w, "solve_nqueens", (struct hd_dim){ctas, 1, 1},
                       (struct hd_dim){THREADS, 1, 1}, 0, &a, e) &&
           work_download(w, got, results, ctas * sizeof *got, e) &&
           (!w->verify || check(w, p, b, got, e));
}

static bool run(struct work *w, struct hd_error *e)
{
    static const struct puzzle puzzles[SIZES] = {[SIZE_TINY] = {8, 6, 256, UINT32_MAX},
                                                 [SIZE_SMALL] = {12, 10, 256, UINT32_MAX},
                                                 [SIZE_STUDY] = {13, 10, 256, UINT32_MAX},
                                                 [SIZE_PAPER] = {8, 6, 256, UINT32_MAX},
                                                 [SIZE_FEW] = {13, 8, 48, 48 * THREADS}};
    const struct puzzle *p = &puzzles[w->size];
    size_t room = MOST * sizeof(uint32_t);
    struct boards b = {
        .columns = work_alloc(w, room), .left = work_alloc(w, room), .right = work_alloc(w, room)};
    place(&b, p, 0, 0, 0, 0);
    return solve(w, p, &b, e);
}

const struct workload workload_nqu = {
    .name = "NQU",
    .suite = "ISPASS-2009",
    .papers = "coalesce cdxbar",
    .stands_for = "NQU: n queens by backtracking, stacks in shared memory, 96 threads a CTA",
    .kernels = "nqueens",
    .inputs =
        {
            [SIZE_TINY] = "8 queens",
            [SIZE_SMALL] = "12 queens",
            [SIZE_STUDY] = "13 queens",
            [SIZE_PAPER] = "8 queens",
            [SIZE_FEW] = "13 queens, 4,608 boards: 48 CTAs",
        },
    .run = run,
};
