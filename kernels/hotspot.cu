/* hotspot.cu - thermal simulation of a chip, by tiles that overlap (Rodinia hotspot).
 *
 * The original: a 16x16 CTA loads a tile of temperature and power into shared memory and advances
 * it `steps` time steps without talking to its neighbours; with every step the tile's valid part
 * loses a ring, so CTAs are placed 16 - 2 * steps cells apart and read one another's borders again.
 * At the chip's edge a missing neighbour is the cell itself.  A literal of type double makes most of
 * the update double precision; so it is here.
 *
 * Ours differs in nothing that the memory sees; multiply-adds are fused where nvcc fuses them. */
#include "heddle_cuda.h"

#define TILE 16
#define AMBIENT 80.0f

/* One cell from its neighbours. */
static __device__ float advance(float t, float n, float s, float e, float w, float power,
                                float step_div_cap, float rx_1, float ry_1, float rz_1)
{
    double flow = fma(fma(-2.0, (double)t, (double)(s + n)), (double)ry_1, (double)power);
    flow = fma(fma(-2.0, (double)t, (double)(e + w)), (double)rx_1, flow);
    flow += (double)((AMBIENT - t) * rz_1);
    return (float)fma((double)step_div_cap, flow, (double)t);
}

extern "C" __global__ void calculate_temp(int steps, const float *power, const float *temp_src,
                                          float *temp_dst, int cols, int rows, int border_cols,
                                          int border_rows, float cap, float rx, float ry, float rz,
                                          float step)
{
    __shared__ float temp_tile[TILE][TILE];
    __shared__ float power_tile[TILE][TILE];
    __shared__ float next_tile[TILE][TILE]; /* results, before the next step may see them */

    int bx = (int)blockIdx.x, by = (int)blockIdx.y;
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    float step_div_cap = step / cap;
    float rx_1 = 1 / rx, ry_1 = 1 / ry, rz_1 = 1 / rz;

    /* where this tile begins and ends in the grid; it may stick out on every side */
    int first_row = (TILE - steps * 2) * by - border_rows;
    int first_col = (TILE - steps * 2) * bx - border_cols;
    int last_row = first_row + TILE - 1, last_col = first_col + TILE - 1;
    int row = first_row + ty, col = first_col + tx;
    int index = cols * row + col;

    if (row >= 0 && row <= rows - 1 && col >= 0 && col <= cols - 1) {
        temp_tile[ty][tx] = temp_src[index];
        power_tile[ty][tx] = power[index];
    }
    __syncthreads();

    /* the part of the tile that lies in the grid */
    int min_y = first_row < 0 ? -first_row : 0;
    int max_y = last_row > rows - 1 ? TILE - 1 - (last_row - rows + 1) : TILE - 1;
    int min_x = first_col < 0 ? -first_col : 0;
    int max_x = last_col > cols - 1 ? TILE - 1 - (last_col - cols + 1) : TILE - 1;
    int n = max(ty - 1, min_y), s = min(ty + 1, max_y);
    int w = max(tx - 1, min_x), e = min(tx + 1, max_x);

    bool computed = false;
    for (int i = 0; i < steps; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= TILE - i - 2 && ty >= i + 1 && ty <= TILE - i - 2 && tx >= min_x &&
            tx <= max_x && ty >= min_y && ty <= max_y) {
            computed = true;
            next_tile[ty][tx] =
                advance(temp_tile[ty][tx], temp_tile[n][tx], temp_tile[s][tx], temp_tile[ty][e],
                        temp_tile[ty][w], power_tile[ty][tx], step_div_cap, rx_1, ry_1, rz_1);
        }
        __syncthreads();
        if (i == steps - 1)
            break;
        if (computed)
            temp_tile[ty][tx] = next_tile[ty][tx];
        __syncthreads();
    }
    if (computed)
        temp_dst[index] = next_tile[ty][tx];
}
