/* nqueens.cu - in how many ways n queens stand on a board without attacking one another
 * (ISPASS-2009 NQU).
 *
 * The original (by P.-C. Chen): the host places queens in the first rows; a thread counts the
 * completions of one such board by backtracking, with its stack of columns and diagonals that are
 * taken in shared memory (ten words of each of four kinds, so that 96 threads fill 15 KB); lanes
 * diverge at once.  A CTA of 96 threads adds up its counts.
 *
 * Ours is the same. */
#include "heddle_cuda.h"

#define THREADS 96
#define DEPTH 10

struct board {
    unsigned columns, left, right; /* taken in this row, by column and by diagonals */
};

/* Completions of a board with `rows` rows to go; stacks are of this thread. */
HD_DEVICE unsigned count(board start, int rows, unsigned all, unsigned *columns, unsigned *left,
                         unsigned *right, unsigned *tried)
{
    unsigned total = 0;
    int i = 0;
    columns[0] = start.columns;
    left[0] = start.left;
    right[0] = start.right;
    tried[0] = start.columns | start.left | start.right;
    while (i >= 0) {
        unsigned place = (tried[i] + 1) & ~tried[i]; /* the lowest that is free */
        if ((place & all) == 0) {
            i--;
            continue;
        }
        tried[i] |= place;
        if (i + 1 == rows) {
            total++;
            i--;
            continue;
        }
        columns[i + 1] = columns[i] | place;
        left[i + 1] = (left[i] | place) << 1;
        right[i + 1] = (right[i] | place) >> 1;
        tried[i + 1] = columns[i + 1] | left[i + 1] | right[i + 1];
        i++;
    }
    return total;
}

extern "C" __global__ void solve_nqueens(int n, int rows, const unsigned *columns_in,
                                         const unsigned *left_in, const unsigned *right_in,
                                         unsigned *results, unsigned boards)
{
    __shared__ unsigned columns[THREADS][DEPTH];
    __shared__ unsigned left[THREADS][DEPTH];
    __shared__ unsigned right[THREADS][DEPTH];
    __shared__ unsigned tried[THREADS][DEPTH];
    __shared__ unsigned sums[THREADS];
    const unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;

    sums[t] = 0;
    if (i < boards)
        sums[t] = count({columns_in[i], left_in[i], right_in[i]}, rows, (1u << n) - 1, columns[t],
                        left[t], right[t], tried[t]);
    __syncthreads();
    if (t < 32)
        sums[t] += sums[t + 64];
    __syncthreads();
    for (unsigned apart = 32; apart > 0; apart /= 2) {
        if (t < apart)
            sums[t] += sums[t + apart];
        __syncthreads();
    }
    if (t == 0)
        results[blockIdx.x] = sums[0];
}
