/* fdtd2d.cu - electromagnetic fields in two dimensions by finite differences.
 *
 * Stands for PolyBench FDTD-2D: three launches per time step, for the electric field in y, that
 * in x and the magnetic field, one thread per point in blocks of 32x8, everything directly from
 * and to global memory.  A row of ex is one float longer than the other fields' rows, so its
 * lines fall differently in every row; ey has one row more, which is read but never written.  The
 * first row of ey is the source: fict[t].
 *
 * The original fixes the fields' sizes when it is compiled, ours takes them as parameters;
 * multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

extern "C" __global__ void fdtd_step1(const float *fict, float *ey, const float *hz, int rows,
                                      int columns, int t)
{
    const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= rows || j >= columns)
        return;
    const int at = i * columns + j;
    if (i == 0)
        ey[at] = fict[t];
    else
        ey[at] = fmaf(-0.5f, hz[at] - hz[at - columns], ey[at]);
}

extern "C" __global__ void fdtd_step2(float *ex, const float *hz, int rows, int columns)
{
    const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= rows || j >= columns || j == 0)
        return;
    const int at = i * columns + j;
    const int longer = i * (columns + 1) + j;
    ex[longer] = fmaf(-0.5f, hz[at] - hz[at - 1], ex[longer]);
}

extern "C" __global__ void fdtd_step3(const float *ex, const float *ey, float *hz, int rows,
                                      int columns)
{
    const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= rows || j >= columns)
        return;
    const int at = i * columns + j;
    const int longer = i * (columns + 1) + j;
    const float curl = ex[longer + 1] - ex[longer] + ey[at + columns] - ey[at];
    hz[at] = fmaf(-0.7f, curl, hz[at]);
}
