/* matrixmul.cu - C = A * B by tiles in shared memory (CUDA SDK matrixMul).
 *
 * The original: a 32x32 CTA computes a tile of C; for each pair of tiles along A's row and B's
 * column every thread loads one element of each, and the inner loop over the tile is unrolled.
 *
 * Ours differs in nothing; the inner product is fused multiply-adds, as nvcc makes it. */
#include "heddle_cuda.h"

#define TILE 32

extern "C" __global__ void matrixmul(float *c, const float *a, const float *b, int a_width,
                                     int b_width)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;

    int a_begin = a_width * TILE * by, a_end = a_begin + a_width - 1;
    float sum = 0;
    for (int a_at = a_begin, b_at = TILE * bx; a_at <= a_end;
         a_at += TILE, b_at += TILE * b_width) {
        a_tile[ty][tx] = a[a_at + a_width * ty + tx];
        b_tile[ty][tx] = b[b_at + b_width * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum = fmaf(a_tile[ty][k], b_tile[k][tx], sum);
        __syncthreads();
    }
    c[b_width * TILE * by + TILE * bx + b_width * ty + tx] = sum;
}
