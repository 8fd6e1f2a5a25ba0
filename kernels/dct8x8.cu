/* dct8x8.cu - cosine transform of an image in blocks of 8x8, quantisation, and the way back.
 *
 * Stands for CUDA SDK dct8x8, which does this in three ways:
 *   1. the definition: a CTA of 8x8 threads per block, source through a texture, two products with
 *      the cosine matrix in shared memory;
 *   2. eight-point transforms: a CTA of (8,4,2) threads does 32x16 pixels, a thread does one row
 *      and then one column, in place in a shared tile padded against bank conflicts;
 *   3. the same in 16-bit fixed point, a CTA of (8,4,4) threads for 32x32 pixels, rows as pairs in
 *      32-bit words, columns permuted against bank conflicts.
 * Quantisation is a CTA of 8x8 threads per block in all of them.  The butterflies are our own, with
 * as many operations as the original's; the texture lies row by row, the original's in an array
 * of unknown layout.  Tables are uploaded by the driver. */
#include "heddle_cuda.h"

#define N 8 /* rows and columns of a block */

__constant__ float cosines[N * N]; /* [sample][frequency], orthonormal */
__constant__ short quantum[N * N];

/* --- 1: by the definition -------------------------------------------------------------------- */

HD_DEVICE float texel(unsigned long image, int x, int y)
{
    float r, g, b, a;
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
                 : "l"(image), "f"((float)x + 0.5f), "f"((float)y + 0.5f));
    return r;
}

extern "C" __global__ void CUDAkernel1DCT(float *result, int width, unsigned long image)
{
    __shared__ float samples[N * N], half_done[N * N];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * N + tx, y = (int)blockIdx.y * N + ty;

    samples[ty * N + tx] = texel(image, x, y);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        sum = fmaf(cosines[k * N + ty], samples[k * N + tx], sum);
    half_done[ty * N + tx] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        sum = fmaf(half_done[ty * N + k], cosines[k * N + tx], sum);
    result[y * width + x] = sum;
}

extern "C" __global__ void CUDAkernel1IDCT(float *result, int width, unsigned long coefficients)
{
    __shared__ float samples[N * N], half_done[N * N];
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int x = (int)blockIdx.x * N + tx, y = (int)blockIdx.y * N + ty;

    samples[ty * N + tx] = texel(coefficients, x, y);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        sum = fmaf(cosines[ty * N + k], samples[k * N + tx], sum);
    half_done[ty * N + tx] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        sum = fmaf(half_done[ty * N + k], cosines[tx * N + k], sum);
    result[y * width + x] = sum;
}

/* --- quantisation ---------------------------------------------------------------------------- */

/* roundf: halves away from zero.  The sum serves below 2^23, where floats have fractions, but not
 * for the largest value below one half, which it rounds up to one. */
HD_DEVICE float round_away(float v)
{
    const float magnitude = fabsf(v);
    float rounded = __builtin_truncf(v + __builtin_copysignf(0.5f, v));
    rounded = magnitude > 8388608.0f ? v : rounded;
    return magnitude < 0.5f ? __builtin_truncf(v) : rounded;
}

extern "C" __global__ void CUDAkernelQuantizationFloat(float *image, int stride)
{
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int at = ((int)blockIdx.y * N + ty) * stride + (int)blockIdx.x * N + tx;
    const float step = (float)quantum[ty * N + tx];
    image[at] = round_away(image[at] / step) * step;
}

extern "C" __global__ void CUDAkernelQuantizationShort(short *image, int stride)
{
    const int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    const int at = ((int)blockIdx.y * N + ty) * stride + (int)blockIdx.x * N + tx;
    const int step = quantum[ty * N + tx];
    int value = image[at];
    if (value < 0)
        value = -((step / 2 - value) / step);
    else
        value = (step / 2 + value) / step;
    image[at] = (short)(value * step);
}

/* --- 2: eight-point transforms ---------------------------------------------------------------- */

#define TILE2_WIDTH 32
#define TILE2_HEIGHT 16
#define TILE2_STRIDE (TILE2_WIDTH + 1)

#define NORM 0.353553391f /* sqrt(1/8) */
#define C1 1.38703985f    /* sqrt(2) cos(k pi / 16) */
#define C2 1.30656296f
#define C3 1.17587560f
#define C5 0.785694958f
#define C6 0.541196100f
#define C7 0.275899379f

HD_DEVICE float dot4(float a, float x, float b, float y, float c, float z, float d, float w)
{
    return fmaf(d, w, fmaf(c, z, fmaf(b, y, a * x)));
}

HD_DEVICE void forward8(float *v, int stride)
{
    const float s0 = v[0 * stride] + v[7 * stride], d0 = v[0 * stride] - v[7 * stride];
    const float s1 = v[1 * stride] + v[6 * stride], d1 = v[1 * stride] - v[6 * stride];
    const float s2 = v[2 * stride] + v[5 * stride], d2 = v[2 * stride] - v[5 * stride];
    const float s3 = v[3 * stride] + v[4 * stride], d3 = v[3 * stride] - v[4 * stride];
    const float outer = s0 + s3, outer_d = s0 - s3, inner = s1 + s2, inner_d = s1 - s2;

    v[0 * stride] = NORM * (outer + inner);
    v[1 * stride] = NORM * dot4(C1, d0, C3, d1, C5, d2, C7, d3);
    v[2 * stride] = NORM * fmaf(C6, inner_d, C2 * outer_d);
    v[3 * stride] = NORM * dot4(C3, d0, -C7, d1, -C1, d2, -C5, d3);
    v[4 * stride] = NORM * (outer - inner);
    v[5 * stride] = NORM * dot4(C5, d0, -C1, d1, C7, d2, C3, d3);
    v[6 * stride] = NORM * fmaf(-C2, inner_d, C6 * outer_d);
    v[7 * stride] = NORM * dot4(C7, d0, -C5, d1, C3, d2, -C1, d3);
}

HD_DEVICE void inverse8(float *v, int stride)
{
    const float y1 = v[1 * stride], y3 = v[3 * stride], y5 = v[5 * stride], y7 = v[7 * stride];
    const float sum = v[0 * stride] + v[4 * stride], difference = v[0 * stride] - v[4 * stride];
    const float outer = fmaf(C6, v[6 * stride], C2 * v[2 * stride]);
    const float inner = fmaf(-C2, v[6 * stride], C6 * v[2 * stride]);
    const float s0 = sum + outer, s1 = difference + inner;
    const float s2 = difference - inner, s3 = sum - outer;
    const float d0 = dot4(C1, y1, C3, y3, C5, y5, C7, y7);
    const float d1 = dot4(C3, y1, -C7, y3, -C1, y5, -C5, y7);
    const float d2 = dot4(C5, y1, -C1, y3, C7, y5, C3, y7);
    const float d3 = dot4(C7, y1, -C5, y3, C3, y5, -C1, y7);

    v[0 * stride] = NORM * (s0 + d0);
    v[1 * stride] = NORM * (s1 + d1);
    v[2 * stride] = NORM * (s2 + d2);
    v[3 * stride] = NORM * (s3 + d3);
    v[4 * stride] = NORM * (s3 - d3);
    v[5 * stride] = NORM * (s2 - d2);
    v[6 * stride] = NORM * (s1 - d1);
    v[7 * stride] = NORM * (s0 - d0);
}

template <bool IS_FORWARD> HD_DEVICE void transform8(float *v, int stride)
{
    if (IS_FORWARD)
        forward8(v, stride);
    else
        inverse8(v, stride);
}

template <bool IS_FORWARD>
HD_DEVICE void transform_tile(float *tile, float *result, const float *image, int stride)
{
    const int column = (int)(threadIdx.y * N + threadIdx.x);
    const int row = (int)threadIdx.z * N;
    const int at =
        ((int)blockIdx.y * TILE2_HEIGHT + row) * stride + (int)blockIdx.x * TILE2_WIDTH + column;
    float *const my_column = tile + row * TILE2_STRIDE + column;
    float *const my_row =
        tile + (row + (int)threadIdx.x) * TILE2_STRIDE + column - (int)threadIdx.x;

#pragma unroll
    for (int i = 0; i < N; i++)
        my_column[i * TILE2_STRIDE] = image[at + i * stride];
    __syncthreads();
    transform8<IS_FORWARD>(my_row, 1);
    __syncthreads();
    transform8<IS_FORWARD>(my_column, TILE2_STRIDE);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
        result[at + i * stride] = my_column[i * TILE2_STRIDE];
}

extern "C" __global__ void CUDAkernel2DCT(float *result, const float *image, int stride)
{
    __shared__ float tile[TILE2_HEIGHT * TILE2_STRIDE];
    transform_tile<true>(tile, result, image, stride);
}

extern "C" __global__ void CUDAkernel2IDCT(float *result, const float *image, int stride)
{
    __shared__ float tile[TILE2_HEIGHT * TILE2_STRIDE];
    transform_tile<false>(tile, result, image, stride);
}

/* --- 3: the same in fixed point -------------------------------------------------------------- */

#define TILE3_SIDE 32
#define TILE3_STRIDE (TILE3_SIDE + 2)

#define FRACTION 13
#define F1 4017 /* 2^FRACTION cos(k pi / 16) / 2 */
#define F2 3784
#define F3 3406
#define F4 2896
#define F5 2276
#define F6 1567
#define F7 799

typedef int __attribute__((may_alias)) pair; /* two neighbouring 16-bit samples */

HD_DEVICE int scaled(int v)
{
    return (short)((v + (1 << (FRACTION - 1))) >> FRACTION);
}

HD_DEVICE void forward8_fixed(int v[N])
{
    const int s0 = v[0] + v[7], s1 = v[1] + v[6], s2 = v[2] + v[5], s3 = v[3] + v[4];
    const int d0 = v[0] - v[7], d1 = v[1] - v[6], d2 = v[2] - v[5], d3 = v[3] - v[4];
    v[0] = scaled(F4 * (s0 + s3 + s1 + s2));
    v[1] = scaled(F1 * d0 + F3 * d1 + F5 * d2 + F7 * d3);
    v[2] = scaled(F2 * (s0 - s3) + F6 * (s1 - s2));
    v[3] = scaled(F3 * d0 - F7 * d1 - F1 * d2 - F5 * d3);
    v[4] = scaled(F4 * (s0 + s3 - s1 - s2));
    v[5] = scaled(F5 * d0 - F1 * d1 + F7 * d2 + F3 * d3);
    v[6] = scaled(F6 * (s0 - s3) - F2 * (s1 - s2));
    v[7] = scaled(F7 * d0 - F5 * d1 + F3 * d2 - F1 * d3);
}

HD_DEVICE void inverse8_fixed(int v[N])
{
    const int sum = F4 * (v[0] + v[4]), difference = F4 * (v[0] - v[4]);
    const int outer = F2 * v[2] + F6 * v[6], inner = F6 * v[2] - F2 * v[6];
    const int s0 = sum + outer, s1 = difference + inner, s2 = difference - inner, s3 = sum - outer;
    const int d0 = F1 * v[1] + F3 * v[3] + F5 * v[5] + F7 * v[7];
    const int d1 = F3 * v[1] - F7 * v[3] - F1 * v[5] - F5 * v[7];
    const int d2 = F5 * v[1] - F1 * v[3] + F7 * v[5] + F3 * v[7];
    const int d3 = F7 * v[1] - F5 * v[3] + F3 * v[5] - F1 * v[7];
    v[0] = scaled(s0 + d0);
    v[1] = scaled(s1 + d1);
    v[2] = scaled(s2 + d2);
    v[3] = scaled(s3 + d3);
    v[4] = scaled(s3 - d3);
    v[5] = scaled(s2 - d2);
    v[6] = scaled(s1 - d1);
    v[7] = scaled(s0 - d0);
}

template <bool IS_FORWARD> HD_DEVICE void transform8_fixed(int v[N])
{
    if (IS_FORWARD)
        forward8_fixed(v);
    else
        inverse8_fixed(v);
}

template <bool IS_FORWARD> HD_DEVICE void transform_row(pair *row)
{
    int v[N];
#pragma unroll
    for (int i = 0; i < N / 2; i++) {
        const int both = row[i];
        v[2 * i] = (short)both;
        v[2 * i + 1] = both >> 16;
    }
    transform8_fixed<IS_FORWARD>(v);
#pragma unroll
    for (int i = 0; i < N / 2; i++)
        row[i] = (v[2 * i] & 0xffff) | (int)((unsigned)v[2 * i + 1] << 16);
}

template <bool IS_FORWARD> HD_DEVICE void transform_column(short *column)
{
    int v[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = column[i * TILE3_STRIDE];
    transform8_fixed<IS_FORWARD>(v);
#pragma unroll
    for (int i = 0; i < N; i++)
        column[i * TILE3_STRIDE] = (short)v[i];
}

/* Half of the threads move pairs between image and tile. */
template <bool IS_FORWARD>
HD_DEVICE void transform_tile_fixed(short *tile, short *image, int stride)
{
    const int tx = (int)threadIdx.x;
    const int lane = (int)threadIdx.y * N + tx;
    const int row = (int)threadIdx.z * N;
    const int permuted = ((lane << 1) | (lane >> 4)) & (TILE3_SIDE - 1);
    pair *const source = (pair *)(image + ((int)blockIdx.y * TILE3_SIDE + row) * stride +
                                  (int)blockIdx.x * TILE3_SIDE + (int)threadIdx.y * N);
    pair *const block = (pair *)(tile + row * TILE3_STRIDE + (int)threadIdx.y * N);

    if (tx < N / 2) {
#pragma unroll
        for (int i = 0; i < N; i++)
            block[i * (TILE3_STRIDE / 2) + tx] = source[i * (stride / 2) + tx];
    }
    __syncthreads();
    transform_row<IS_FORWARD>(block + tx * (TILE3_STRIDE / 2));
    __syncthreads();
    transform_column<IS_FORWARD>(tile + row * TILE3_STRIDE + permuted);
    __syncthreads();
    if (tx < N / 2) {
#pragma unroll
        for (int i = 0; i < N; i++)
            source[i * (stride / 2) + tx] = block[i * (TILE3_STRIDE / 2) + tx];
    }
}

extern "C" __global__ void CUDAkernelShortDCT(short *image, int stride)
{
    __shared__ __attribute__((aligned(4))) short tile[TILE3_SIDE * TILE3_STRIDE];
    transform_tile_fixed<true>(tile, image, stride);
}

extern "C" __global__ void CUDAkernelShortIDCT(short *image, int stride)
{
    __shared__ __attribute__((aligned(4))) short tile[TILE3_SIDE * TILE3_STRIDE];
    transform_tile_fixed<false>(tile, image, stride);
}
