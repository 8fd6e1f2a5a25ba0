/* lbm.cu - a step of a fluid by the lattice Boltzmann method, D3Q19 (Parboil lbm).
 *
 * The original: a cell has nineteen particle densities, by the direction in which they fly, and a
 * word of flags: 20 arrays, one after the other in one allocation, with rows of 120 cells padded to
 * 128.  A CTA of 120 threads is a row along x; the grid is y by z.  A thread reads its cell's
 * values, lets them collide (or, in an obstacle, reflects them), and scatters each to the neighbour
 * that it flies to: reads are aligned, of the writes half are shifted by one cell.
 *
 * Ours differs in that the extents along y and z are arguments, not constants of the compiler,
 * which costs an addition per access, and in loops over the directions, which it unrolls.
 * Multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

#define PADDED_X 128
#define DIRECTIONS 19
#define FLAGS DIRECTIONS /* the last array */
#define OBSTACLE 1u
#define ACCELERATED 2u
#define OMEGA 1.95f

/* Where each direction leads: none, the six axes, the twelve diagonals of planes. */
static __device__ const int to_x[DIRECTIONS] = {0,  0, 0, 1, -1, 0, 0, 1,  -1, 1,
                                                -1, 0, 0, 0, 0,  1, 1, -1, -1};
static __device__ const int to_y[DIRECTIONS] = {0,  1, -1, 0,  0,  0, 0, 1, 1, -1,
                                                -1, 1, 1,  -1, -1, 0, 0, 0, 0};
static __device__ const int to_z[DIRECTIONS] = {0, 0, 0,  0, 0,  1, -1, 0, 0, 0,
                                                0, 1, -1, 1, -1, 1, -1, 1, -1};
static __device__ const int opposite[DIRECTIONS] = {0, 2,  1,  4,  3,  6,  5,  10, 9, 8,
                                                    7, 14, 13, 12, 11, 18, 17, 16, 15};

/* Of a fluid at rest, the share that flies in a direction. */
HD_DEVICE float weight(int d)
{
    return d == 0 ? 1.0f / 3.0f : d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f;
}

/* A direction's part of the speed u: u itself, its opposite, a sum of two, or nothing. */
HD_DEVICE float along(int d, float ux, float uy, float uz)
{
    float x = to_x[d] < 0 ? -ux : ux, y = to_y[d] < 0 ? -uy : uy, z = to_z[d] < 0 ? -uz : uz;
    if (to_x[d])
        return to_y[d] ? x + y : to_z[d] ? x + z : x;
    return to_y[d] ? (to_z[d] ? y + z : y) : to_z[d] ? z : 0.0f;
}

HD_DEVICE float signed_sum(float sum, int sign, float f)
{
    return sign > 0 ? sum + f : sign < 0 ? sum - f : sum;
}

HD_DEVICE void collide(float *f, bool is_accelerated)
{
    float rho = f[0], ux = 0.0f, uy = 0.0f, uz = 0.0f;
#pragma unroll
    for (int d = 1; d < DIRECTIONS; d++) {
        rho += f[d];
        ux = signed_sum(ux, to_x[d], f[d]);
        uy = signed_sum(uy, to_y[d], f[d]);
        uz = signed_sum(uz, to_z[d], f[d]);
    }
    ux = is_accelerated ? 0.005f : ux / rho;
    uy = is_accelerated ? 0.002f : uy / rho;
    uz = is_accelerated ? 0.0f : uz / rho;
    float u2 = fmaf(1.5f, fmaf(uz, uz, fmaf(uy, uy, ux * ux)), -1.0f);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++) {
        float u = along(d, ux, uy, uz);
        float tends_to = weight(d) * (OMEGA * rho) * fmaf(u, fmaf(4.5f, u, 3.0f), -u2);
        f[d] = fmaf(1.0f - OMEGA, f[d], tends_to);
    }
}

extern "C" __global__ void performStreamCollide_kernel(const float *src, float *dst, int size_y,
                                                       int padded_z)
{
    int area = PADDED_X * size_y, cells = area * padded_z;
    int here = (int)threadIdx.x + PADDED_X * (int)blockIdx.x + area * (int)blockIdx.y;

    float f[DIRECTIONS];
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++)
        f[d] = src[cells * d + here];
    unsigned flags = (unsigned)__float_as_int(src[cells * FLAGS + here]);
    bool is_obstacle = (flags & OBSTACLE) != 0;
    if (!is_obstacle)
        collide(f, (flags & ACCELERATED) != 0);
#pragma unroll
    for (int d = 0; d < DIRECTIONS; d++) {
        int to = here + to_x[d] + PADDED_X * to_y[d] + area * to_z[d];
        dst[cells * d + to] = is_obstacle ? f[opposite[d]] : f[d];
    }
}
