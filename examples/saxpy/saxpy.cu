/* saxpy.cu - y = a x + y, the example of docs/own-kernel.md. */
#include "heddle_cuda.h"

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
