/* fdtd3d.cu - one time step of finite differences on a volume, radius 4.
 *
 * Stands for CUDA SDK FDTD3d: CTAs of 32x16 threads cover a plane and walk along z.  Each thread
 * keeps the 4 values before and the 4 after the present one of its column in registers; the
 * present plane lies in a shared tile with a halo of 4 on each side.  The volume has a halo of
 * the same width, which is read and not written.  As in the original, threads beyond the volume
 * still help to load halos.  The original's walk is unrolled nine times, so that the queue needs no
 * moves; clang does not unroll a loop of unknown length with barriers, ours moves. */
#include "heddle_cuda.h"

#define RADIUS 4
#define TILE_X 32
#define TILE_Y 16

__constant__ float stencil[RADIUS + 1]; /* one weight for all points at the same distance */

typedef float tile_row[TILE_X + 2 * RADIUS];

HD_DEVICE void load_tile(tile_row *tile, const float *input, int at, int stride_y, float current)
{
    const int x = (int)threadIdx.x;
    const int y = (int)threadIdx.y;
    if (y < RADIUS) {
        tile[y][x + RADIUS] = input[at - RADIUS * stride_y];
        tile[y + TILE_Y + RADIUS][x + RADIUS] = input[at + TILE_Y * stride_y];
    }
    if (x < RADIUS) {
        tile[y + RADIUS][x] = input[at - RADIUS];
        tile[y + RADIUS][x + TILE_X + RADIUS] = input[at + TILE_X];
    }
    tile[y + RADIUS][x + RADIUS] = current;
}

extern "C" __global__ void FiniteDifferencesKernel(float *output, const float *input, int size_x,
                                                   int size_y, int size_z)
{
    __shared__ tile_row tile[TILE_Y + 2 * RADIUS];
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    const int tile_x = (int)threadIdx.x + RADIUS;
    const int tile_y = (int)threadIdx.y + RADIUS;
    const int stride_y = size_x + 2 * RADIUS;
    const int stride_z = stride_y * (size_y + 2 * RADIUS);
    const bool reads = x < size_x + RADIUS && y < size_y + RADIUS;
    const bool writes = x < size_x && y < size_y;

    /* The queue is filled as if the walk had come to the plane before the first. */
    float behind[RADIUS] = {0}, infront[RADIUS] = {0}, current = 0;
    int ahead = (y + RADIUS) * stride_y + x + RADIUS;
#pragma unroll
    for (int i = RADIUS - 2; i >= 0; i--, ahead += stride_z)
        if (reads)
            behind[i] = input[ahead];
    if (reads)
        current = input[ahead];
    int at = ahead;
    ahead += stride_z;
#pragma unroll
    for (int i = 0; i < RADIUS; i++, ahead += stride_z)
        if (reads)
            infront[i] = input[ahead];

    for (int z = 0; z < size_z; z++) {
#pragma unroll
        for (int i = RADIUS - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; i++)
            infront[i] = infront[i + 1];
        if (reads)
            infront[RADIUS - 1] = input[ahead];
        ahead += stride_z;
        at += stride_z;

        __syncthreads(); /* the tile of the plane before is no longer needed */
        load_tile(tile, input, at, stride_y, current);
        __syncthreads();

        float value = stencil[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; i++) {
            const float sum = infront[i - 1] + behind[i - 1] + tile[tile_y - i][tile_x] +
                              tile[tile_y + i][tile_x] + tile[tile_y][tile_x - i] +
                              tile[tile_y][tile_x + i];
            value = fmaf(stencil[i], sum, value);
        }
        if (writes)
            output[at] = value;
    }
}
