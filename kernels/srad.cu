/* srad.cu - speckle-reducing anisotropic diffusion of an image (Rodinia srad, version 2).
 *
 * The original, per iteration: srad_cuda_1 computes from each pixel's four differences a diffusion
 * coefficient; srad_cuda_2 applies the divergence to the image.  A 16x16 CTA keeps its tile in
 * shared memory; of the tile's neighbours it loads, in all of its threads, the adjoining row or
 * column (16 threads read the same word).  Literals of type double make parts double precision.
 *
 * Ours differs at the image's edge: the original first loads outside the image (before and behind
 * the array, even) and then replaces what it got; we choose the address and load once.  Inside the
 * tile it chooses among nine cases by branches, we choose each neighbour by itself. */
#define HD_BUILTIN_BARRIER /* right as it is, and results of studies are of this PTX */
#include "heddle_cuda.h"

#define TILE 16

struct place { /* of a thread in the image, and of what it loads of its tile's neighbours */
    int tx, ty, index, north, south, west, east;
};

static __device__ __forceinline__ place find_place(int cols)
{
    int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    place p;
    p.tx = (int)threadIdx.x;
    p.ty = (int)threadIdx.y;
    int corner = cols * TILE * by + TILE * bx;
    p.index = corner + cols * p.ty + p.tx;
    p.north = by == 0 ? TILE * bx + p.tx : corner + p.tx - cols;
    p.south = corner + cols * (by == (int)gridDim.y - 1 ? TILE - 1 : TILE) + p.tx;
    p.west = corner + cols * p.ty - (bx == 0 ? 0 : 1);
    p.east = corner + cols * p.ty + (bx == (int)gridDim.x - 1 ? TILE - 1 : TILE);
    return p;
}

static __device__ float coefficient(float jc, float n, float s, float w, float e, float q0sqr)
{
    float g2 = fmaf(e, e, fmaf(w, w, fmaf(s, s, n * n))) / (jc * jc);
    float l = (n + s + w + e) / jc;
    float num = (float)fma(-1.0 / 16.0, (double)(l * l), 0.5 * (double)g2);
    float den = (float)fma(0.25, (double)l, 1.0);
    float qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    return (float)(1.0 / (1.0 + (double)den));
}

extern "C" __global__ void srad_cuda_1(float *e_c, float *w_c, float *n_c, float *s_c,
                                       const float *j_image, float *c_image, int cols, float q0sqr)
{
    __shared__ float temp[TILE][TILE];
    __shared__ float result[TILE][TILE];
    __shared__ float north[TILE][TILE], south[TILE][TILE], east[TILE][TILE], west[TILE][TILE];
    place p = find_place(cols);
    int tx = p.tx, ty = p.ty;

    north[ty][tx] = j_image[p.north];
    south[ty][tx] = j_image[p.south];
    __syncthreads();
    west[ty][tx] = j_image[p.west];
    east[ty][tx] = j_image[p.east];
    __syncthreads();
    temp[ty][tx] = j_image[p.index];
    __syncthreads();

    float jc = temp[ty][tx];
    float n = (ty == 0 ? north[ty][tx] : temp[ty - 1][tx]) - jc;
    float s = (ty == TILE - 1 ? south[ty][tx] : temp[ty + 1][tx]) - jc;
    float w = (tx == 0 ? west[ty][tx] : temp[ty][tx - 1]) - jc;
    float e = (tx == TILE - 1 ? east[ty][tx] : temp[ty][tx + 1]) - jc;
    float c = coefficient(jc, n, s, w, e, q0sqr);
    if (c < 0)
        result[ty][tx] = 0;
    else if (c > 1)
        result[ty][tx] = 1;
    else
        result[ty][tx] = c;
    __syncthreads();

    c_image[p.index] = result[ty][tx];
    e_c[p.index] = e;
    w_c[p.index] = w;
    s_c[p.index] = s;
    n_c[p.index] = n;
}

extern "C" __global__ void srad_cuda_2(const float *e_c, const float *w_c, const float *n_c,
                                       const float *s_c, float *j_image, const float *c_image,
                                       int cols, float lambda)
{
    __shared__ float south_c[TILE][TILE], east_c[TILE][TILE];
    __shared__ float c_temp[TILE][TILE], c_result[TILE][TILE];
    __shared__ float temp[TILE][TILE];
    place p = find_place(cols);
    int tx = p.tx, ty = p.ty;

    temp[ty][tx] = j_image[p.index];
    __syncthreads();
    south_c[ty][tx] = c_image[p.south];
    __syncthreads();
    east_c[ty][tx] = c_image[p.east];
    __syncthreads();
    c_temp[ty][tx] = c_image[p.index];
    __syncthreads();

    float cc = c_temp[ty][tx];
    float cs = ty == TILE - 1 ? south_c[ty][tx] : c_temp[ty + 1][tx];
    float ce = tx == TILE - 1 ? east_c[ty][tx] : c_temp[ty][tx + 1];
    float sum = fmaf(cc, n_c[p.index], cs * s_c[p.index]);
    sum = fmaf(ce, e_c[p.index], fmaf(cc, w_c[p.index], sum));
    c_result[ty][tx] = (float)fma(0.25 * (double)lambda, (double)sum, (double)temp[ty][tx]);
    __syncthreads();
    j_image[p.index] = c_result[ty][tx];
}
