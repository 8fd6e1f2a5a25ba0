/* conv2d.cu - convolution of an image with nine fixed weights.
 *
 * Stands for PolyBench 2DCONV: one thread per pixel in blocks of 32x8, nine direct global loads of
 * neighbouring words, one store; the border of the image is not written.  The original fixes the
 * image's size when it is compiled, ours takes it as parameters.  The sum is the chain of fused
 * multiply-adds that nvcc makes of it. */
#include "heddle_cuda.h"

extern "C" __global__ void convolution2D(int rows, int columns, const float *image, float *result)
{
    const int j = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i <= 0 || j <= 0 || i >= rows - 1 || j >= columns - 1)
        return;

    float sum = 0.2f * image[(i - 1) * columns + (j - 1)];
    sum = fmaf(0.5f, image[(i - 1) * columns + j], sum);
    sum = fmaf(-0.8f, image[(i - 1) * columns + (j + 1)], sum);
    sum = fmaf(-0.3f, image[i * columns + (j - 1)], sum);
    sum = fmaf(0.6f, image[i * columns + j], sum);
    sum = fmaf(-0.9f, image[i * columns + (j + 1)], sum);
    sum = fmaf(0.4f, image[(i + 1) * columns + (j - 1)], sum);
    sum = fmaf(0.7f, image[(i + 1) * columns + j], sum);
    sum = fmaf(0.1f, image[(i + 1) * columns + (j + 1)], sum);
    result[i * columns + j] = sum;
}
