/* conv3d.cu - convolution of a volume with fixed weights, one plane per launch.
 *
 * Stands for PolyBench 3DCONV: a launch computes plane i, one thread per voxel in blocks of 32x8;
 * a thread reads eleven voxels of the planes before, at and behind its own directly from global
 * memory and writes one.  The original's sum has fifteen products, of which three and three take
 * the same voxel (a slip of its author's that every version has); so has ours.  The faces of the
 * volume are not written.
 *
 * The original fixes the volume's size when it is compiled, ours takes it as parameters.  The sum
 * is the chain of fused multiply-adds that nvcc makes of it. */
#include "heddle_cuda.h"

extern "C" __global__ void convolution3D(int planes, int rows, int columns, const float *volume,
                                         float *result, int i)
{
    const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i <= 0 || j <= 0 || k <= 0 || i >= planes - 1 || j >= rows - 1 || k >= columns - 1)
        return;

    const int here = (i * rows + j) * columns + k;
    const int plane = rows * columns;
    const float *before = volume + here - plane;
    const float *at = volume + here;
    const float *behind = volume + here + plane;
    float sum = 2.0f * before[-columns - 1];
    sum = fmaf(4.0f, behind[-columns - 1], sum);
    sum = fmaf(5.0f, before[-columns - 1], sum);
    sum = fmaf(7.0f, behind[-columns - 1], sum);
    sum = fmaf(-8.0f, before[-columns - 1], sum);
    sum = fmaf(10.0f, behind[-columns - 1], sum);
    sum = fmaf(-3.0f, at[-columns], sum);
    sum = fmaf(6.0f, at[0], sum);
    sum = fmaf(-9.0f, at[columns], sum);
    sum = fmaf(2.0f, before[-columns + 1], sum);
    sum = fmaf(4.0f, behind[-columns + 1], sum);
    sum = fmaf(5.0f, before[1], sum);
    sum = fmaf(7.0f, behind[1], sum);
    sum = fmaf(-8.0f, before[columns + 1], sum);
    sum = fmaf(10.0f, behind[columns + 1], sum);
    result[here] = sum;
}
