/* pathfinder.cu - cheapest path through a grid, from row to row, by tiles that overlap.
 *
 * Stands for Rodinia pathfinder: a CTA of 256 threads loads 256 columns of the cheapest sums so
 * far into shared memory and advances them `rows` rows without talking to its neighbours.  With
 * every row its valid part loses a column on either side, so CTAs stand 256 - 2 * rows columns
 * apart and read one another's sums and costs again.  Beyond the grid's edge a neighbour is the
 * column itself.
 *
 * Where the last launch has fewer rows than the others its tiles stand further apart, while the
 * grid and the border stay what they were: so in the original.  Ours differs in nothing but
 * names. */
#include "heddle_cuda.h"

#define TILE 256

extern "C" __global__ void dynproc_kernel(int rows, const int *wall, const int *from, int *to,
                                          int columns, int first_row, int border)
{
    __shared__ int sums[TILE];
    __shared__ int next[TILE];
    const int tx = (int)threadIdx.x;

    /* where this tile begins and ends in the grid; it may stick out on both sides */
    const int first = (TILE - rows * 2) * (int)blockIdx.x - border;
    const int last = first + TILE - 1;
    const int column = first + tx;
    const int min_x = first < 0 ? -first : 0;
    const int max_x = last > columns - 1 ? TILE - 1 - (last - columns + 1) : TILE - 1;
    const int west = max(tx - 1, min_x);
    const int east = min(tx + 1, max_x);
    const bool is_inside = tx >= min_x && tx <= max_x;

    if (column >= 0 && column <= columns - 1)
        sums[tx] = from[column];
    __syncthreads();

    bool computed = false;
    for (int i = 0; i < rows; i++) {
        computed = tx >= i + 1 && tx <= TILE - i - 2 && is_inside;
        if (computed) {
            const int cheapest = min(min(sums[west], sums[tx]), sums[east]);
            next[tx] = cheapest + wall[columns * (first_row + i) + column];
        }
        __syncthreads();
        if (i == rows - 1)
            break;
        if (computed)
            sums[tx] = next[tx];
        __syncthreads();
    }
    if (computed)
        to[column] = next[tx];
}
