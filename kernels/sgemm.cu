/* sgemm.cu - C = alpha A B^T + beta C, tiled in registers (Parboil sgemm).
 *
 * The original, after Volkov: matrices lie column by column.  A 16x8 CTA computes 128 rows by 16
 * columns of C, each thread one row of all 16 columns in registers.  Eight columns of B's tile at
 * a time are put in shared memory; elements of A come straight from global memory, one per thread
 * and column, and C is read even where beta is 0.
 *
 * Ours differs in nothing; the inner product is fused multiply-adds, as nvcc makes it. */
#include "heddle_cuda.h"

#define TILE_N 16
#define TILE_K 8
#define TILE_M (TILE_N * TILE_K)

extern "C" __global__ void mysgemmNT(const float *a, int lda, const float *b, int ldb, float *c,
                                     int ldc, int depth, float alpha, float beta)
{
    __shared__ float b_tile[TILE_K][TILE_N];
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int row = (int)blockIdx.x * TILE_M + ty * TILE_N + tx;
    int column = (int)blockIdx.y * TILE_N;

    float sums[TILE_N];
#pragma unroll
    for (int j = 0; j < TILE_N; j++)
        sums[j] = 0.0f;
    for (int k = 0; k < depth; k += TILE_K) {
        b_tile[ty][tx] = b[column + tx + (k + ty) * ldb];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE_K; i++) {
            float from_a = a[row + (k + i) * lda];
#pragma unroll
            for (int j = 0; j < TILE_N; j++)
                sums[j] = fmaf(from_a, b_tile[i][j], sums[j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < TILE_N; j++) {
        float *to = &c[row + (column + j) * ldc];
        *to = fmaf(alpha, sums[j], *to * beta);
    }
}
