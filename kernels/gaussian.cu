/* gaussian.cu - Gaussian elimination, one column per pair of launches.
 *
 * Stands for Rodinia gaussian: Fan1 <n/512 / 512> divides the column below the diagonal into
 * multipliers, Fan2 <n/4, n/4 / 4, 4> subtracts multiples of row t from the rows below and does
 * the same with the right-hand side.  The grids do not shrink with the matrix: threads of rows
 * and columns that are done return at once, and only the threads of the first column left touch
 * the right-hand side.  x counts rows, so the sixteen lanes of a CTA lie on four rows and a
 * column of multipliers is read with a stride of a row.
 *
 * Ours differs in nothing; multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

extern "C" __global__ void Fan1(float *m, const float *a, int size, int t)
{
    const int row = (int)(blockIdx.x * blockDim.x + threadIdx.x) + t + 1;
    if (row >= size)
        return;
    m[size * row + t] = a[size * row + t] / a[size * t + t];
}

extern "C" __global__ void Fan2(const float *m, float *a, float *b, int size, int t)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= size - 1 - t)
        return;
    if (y >= size - t)
        return;
    const int row = x + 1 + t;
    const int column = y + t;
    a[size * row + column] = fmaf(-m[size * row + t], a[size * t + column], a[size * row + column]);
    if (y == 0)
        b[row] = fmaf(-m[size * row + column], b[t], b[row]);
}
