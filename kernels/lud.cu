/* lud.cu - LU decomposition in place, by blocks of 16x16 (Rodinia lud).
 *
 * The original, for each diagonal block: lud_diagonal (one CTA of 16 threads) decomposes it,
 * lud_perimeter (32 threads per CTA, half of a warp each) solves a block to its right and one below
 * it, lud_internal (16x16 threads per CTA) subtracts their product from the rest.
 *
 * Ours differs in nothing but names; multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

#define BLOCK 16

extern "C" __global__ void lud_diagonal(float *m, int dim, int offset)
{
    __shared__ float shadow[BLOCK][BLOCK];
    int tx = (int)threadIdx.x;

    int at = offset * dim + offset;
    for (int i = 0; i < BLOCK; i++) {
        shadow[i][tx] = m[at + tx];
        at += dim;
    }
    __syncthreads();
    for (int i = 0; i < BLOCK - 1; i++) {
        if (tx > i) {
            for (int j = 0; j < i; j++)
                shadow[tx][i] = fmaf(-shadow[tx][j], shadow[j][i], shadow[tx][i]);
            shadow[tx][i] /= shadow[i][i];
        }
        __syncthreads();
        if (tx > i)
            for (int j = 0; j < i + 1; j++)
                shadow[i + 1][tx] = fmaf(-shadow[i + 1][j], shadow[j][tx], shadow[i + 1][tx]);
        __syncthreads();
    }
    /* the first row is as it was */
    at = (offset + 1) * dim + offset;
    for (int i = 1; i < BLOCK; i++) {
        m[at + tx] = shadow[i][tx];
        at += dim;
    }
}

extern "C" __global__ void lud_perimeter(float *m, int dim, int offset)
{
    __shared__ float dia[BLOCK][BLOCK];
    __shared__ float peri_row[BLOCK][BLOCK];
    __shared__ float peri_col[BLOCK][BLOCK];
    int bx = (int)blockIdx.x, tx = (int)threadIdx.x;
    int index;

    if (tx < BLOCK) {
        index = tx;
        int at = offset * dim + offset;
        for (int i = 0; i < BLOCK / 2; i++) {
            dia[i][index] = m[at + index];
            at += dim;
        }
        at = offset * dim + offset;
        for (int i = 0; i < BLOCK; i++) {
            peri_row[i][index] = m[at + (bx + 1) * BLOCK + index];
            at += dim;
        }
    } else {
        index = tx - BLOCK;
        int at = (offset + BLOCK / 2) * dim + offset;
        for (int i = BLOCK / 2; i < BLOCK; i++) {
            dia[i][index] = m[at + index];
            at += dim;
        }
        at = (offset + (bx + 1) * BLOCK) * dim + offset;
        for (int i = 0; i < BLOCK; i++) {
            peri_col[i][index] = m[at + index];
            at += dim;
        }
    }
    __syncthreads();

    if (tx < BLOCK) {
        for (int i = 1; i < BLOCK; i++)
            for (int j = 0; j < i; j++)
                peri_row[i][index] = fmaf(-dia[i][j], peri_row[j][index], peri_row[i][index]);
    } else {
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < i; j++)
                peri_col[index][i] = fmaf(-peri_col[index][j], dia[j][i], peri_col[index][i]);
            peri_col[index][i] /= dia[i][i];
        }
    }
    __syncthreads();

    if (tx < BLOCK) {
        int at = (offset + 1) * dim + offset; /* the first row is as it was */
        for (int i = 1; i < BLOCK; i++) {
            m[at + (bx + 1) * BLOCK + index] = peri_row[i][index];
            at += dim;
        }
    } else {
        int at = (offset + (bx + 1) * BLOCK) * dim + offset;
        for (int i = 0; i < BLOCK; i++) {
            m[at + index] = peri_col[i][index];
            at += dim;
        }
    }
}

extern "C" __global__ void lud_internal(float *m, int dim, int offset)
{
    __shared__ float peri_row[BLOCK][BLOCK];
    __shared__ float peri_col[BLOCK][BLOCK];
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int row = offset + ((int)blockIdx.y + 1) * BLOCK;
    int col = offset + ((int)blockIdx.x + 1) * BLOCK;

    peri_row[ty][tx] = m[(offset + ty) * dim + col + tx];
    peri_col[ty][tx] = m[(row + ty) * dim + offset + tx];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum = fmaf(peri_col[ty][i], peri_row[i][tx], sum);
    m[(row + ty) * dim + col + tx] -= sum;
}
