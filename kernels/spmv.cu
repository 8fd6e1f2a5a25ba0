/* spmv.cu - a sparse matrix times a vector, by jagged diagonals (Parboil spmv).
 *
 * The original: rows are sorted by their length, longest first, and stored column by column: the
 * k-th entries of all rows that have one lie together.  Rows of a warp are padded to the longest
 * of them.  A thread has a row; where the k-th entries begin and how many a warp has are in
 * constant memory.  Entries and their columns are read in order, the vector at random (in this
 * form of the program by ordinary loads, in another through a texture), one entry ahead of the sum.
 * The result goes to where the row was before sorting.
 *
 * Ours differs in that padding reads the vector's first element instead of the word before it. */
#include "heddle_cuda.h"

#define CONSTANTS 5000

__constant__ int diagonal_at[CONSTANTS];
__constant__ int warp_entries[CONSTANTS];

extern "C" __global__ void spmv_jds(float *result, const float *entries, const int *columns,
                                    const int *row_was, const float *vector, int rows)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (row >= rows)
        return;
    int n = warp_entries[row / 32];
    int at = diagonal_at[0] + row;
    float entry = entries[at], from = vector[columns[at]];
    float sum = 0.0f;
    if (n > 1) {
        at = diagonal_at[1] + row;
        int column = columns[at];
        for (int k = 2; k < n; k++) {
            float next_entry = entries[at];
            at = diagonal_at[k] + row;
            int next_column = columns[at];
            float next_from = vector[column];
            sum = fmaf(entry, from, sum);
            column = next_column;
            entry = next_entry;
            from = next_from;
        }
        float last_entry = entries[at], last_from = vector[column];
        sum = fmaf(entry, from, sum);
        entry = last_entry;
        from = last_from;
    }
    result[row_was[row]] = fmaf(entry, from, sum);
}
